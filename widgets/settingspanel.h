// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/gpus/gpu.h"
#include "engine/plan/fit.h"
#include "engine/plan/modelinfo.h"
#include "engine/plan/settings.h"

#include <QScrollArea>

#include <functional>
#include <set>
#include <vector>

class QCheckBox;
class QComboBox;
class QFormLayout;
class QLabel;
class QLineEdit;
class QSlider;
class QSpinBox;
class QToolButton;
class QVBoxLayout;

namespace tidemark {

class BatchSlider;
class SizeBox;

/// Everything about the step that changes its memory, each control with one line that says what it means. Holds a
/// Settings value; what has no control passes through unchanged.
class SettingsPanel : public QScrollArea {
    Q_OBJECT

public:
    explicit SettingsPanel(QWidget* parent = nullptr);

    void setGpus(const std::vector<Gpu>& gpus);
    void setGpu(const std::string& id);
    std::string gpuId() const;
    void setReserve(const Reserve& reserve);
    SizeBox* reserveBox() const { return m_reserveBox; }
    /// Another size than the card's own; zero: its own.
    void setMemory(Bytes memory);
    SizeBox* memoryBox() const { return m_memoryBox; }

    void setModel(const ModelInfo& model);
    /// No model is shown: the hint says why, as "… is being read" or "… cannot be opened".
    void clearModel(const QString& file = {}, const QString& hint = {});
    void setSettings(const Settings& settings);
    const Settings& settings() const { return m_settings; }
    void setLargestFitting(std::int64_t batch);
    void setUnits(ByteUnits units);
    /// Puts the keyboard where the input's shape is asked for.
    void askForInput(const QString& question);

    BatchSlider* batchSlider() const { return m_batch; }
    QComboBox* gpuBox() const { return m_gpu; }
    QComboBox* precisionBox() const { return m_precision; }
    QComboBox* optimizerBox() const { return m_optimizer; }
    QComboBox* implementationBox() const { return m_impl; }
    QComboBox* modeBox() const { return m_mode; }
    /// Why workspaces do not come from where they should; empty when they do.
    void setWorkspaceProblem(const QString& problem);
    QComboBox* workspaceBox() const { return m_workspace; }
    QSlider* checkpointSlider() const { return m_checkpoint; }
    QSpinBox* checkpointBox() const { return m_checkpointBox; }
    QSpinBox* accumulateBox() const { return m_accumulate; }
    QSpinBox* cardsBox() const { return m_cards; }
    QSpinBox* bucketCapBox() const { return m_bucketCap; }
    QCheckBox* channelsLastBox() const { return m_channelsLast; }
    QLineEdit* inputEdit() const { return m_input; }

    /// Inputs as the panel's line shows and reads them, separated by semicolons.
    static QString inputText(const std::vector<InputSpec>& inputs);
    static Result<std::vector<InputSpec>> inputFromText(const QString& text);

signals:
    void settingsChanged(const tidemark::Settings& settings);
    void gpuChanged(const QString& id);
    void reserveChanged(const tidemark::Reserve& reserve);
    void memoryChanged(tidemark::Bytes memory);

protected:
    void changeEvent(QEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    QVBoxLayout* addSection(const QString& title);
    QLabel* addField(QVBoxLayout* section, const QString& label, QWidget* control, const QString& hint);
    QCheckBox* addSwitch(QVBoxLayout* section, const QString& label, const QString& hint,
                         std::function<bool&(Settings&)> field);
    void buildModel();
    void buildCard();
    void buildBatch();
    void buildTraining();
    void buildMore();
    void buildDataParallel(QVBoxLayout* section);
    void showSettings();
    void showHints();
    void showCheckpoint();
    void showDataParallel();
    void showAxes();
    void readInput();
    void change(const std::function<void(Settings&)>& edit);
    void refreshIcons();

    Settings m_settings;
    ModelInfo m_model;
    std::vector<Gpu> m_gpus;
    ByteUnits m_units = ByteUnits::Binary;
    std::set<std::string> m_axisNames;
    bool m_showing = false;

    QVBoxLayout* m_column;
    QLabel* m_file;
    QLabel* m_modelHint;
    QLineEdit* m_input;
    QLabel* m_inputHint;
    QWidget* m_axes;
    QFormLayout* m_axesForm;
    QComboBox* m_gpu;
    QLabel* m_gpuHint;
    Reserve m_reserve;
    SizeBox* m_memoryBox;
    SizeBox* m_reserveBox;
    BatchSlider* m_batch;
    QLabel* m_batchHint;
    QSpinBox* m_accumulate;
    QLabel* m_accumulateHint;
    QComboBox* m_mode;
    QLabel* m_modeHint;
    QComboBox* m_precision;
    QLabel* m_precisionHint;
    QComboBox* m_optimizer;
    QLabel* m_optimizerHint;
    QComboBox* m_impl;
    QLabel* m_implHint;
    QSlider* m_checkpoint;
    QSpinBox* m_checkpointBox;
    QLabel* m_checkpointHint;
    QComboBox* m_loss;
    QLabel* m_lossHint;
    QComboBox* m_workspace;
    QLabel* m_workspaceHint;
    QString m_workspaceProblem;
    QSpinBox* m_cards;
    QLabel* m_cardsHint;
    QSpinBox* m_bucketCap;
    QWidget* m_parallelBox;
    QCheckBox* m_channelsLast;
    QToolButton* m_more;
    QWidget* m_moreBox;
    std::vector<std::pair<QCheckBox*, std::function<bool&(Settings&)>>> m_switches;
};

}  // namespace tidemark
