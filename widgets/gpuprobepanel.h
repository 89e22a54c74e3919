// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/plan/probepoint.h"

#include <QWidget>

#include <optional>
#include <vector>

class QCheckBox;
class QComboBox;
class QLabel;
class QPushButton;
class QStackedWidget;
class QTreeWidget;

namespace tidemark {

/// A step as it ran on the GPU of this machine, beside the plan for it.
struct ProbeRow {
    ProbePoint measured;
    std::optional<Peak> planned;
    Bytes context;       ///< what the plan expects of the CUDA context
    QString difference;  ///< in words
};

/// Who has the memory of the card, as a bar with its figures in words.
class GpuGauge : public QWidget {
    Q_OBJECT

public:
    explicit GpuGauge(QWidget* parent = nullptr);
    void setUse(const std::optional<DeviceUse>& use);
    const std::optional<DeviceUse>& use() const { return m_use; }
    void setUnits(ByteUnits units);
    QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    std::optional<DeviceUse> m_use;
    ByteUnits m_units = ByteUnits::Binary;
};

/// The page on the real GPU: what to run, the card's use while it runs, measured beside planned, PyTorch's counters.
class GpuProbePanel : public QWidget {
    Q_OBJECT

public:
    enum class Range { ThisBatch, Around, Sweep };

    explicit GpuProbePanel(QWidget* parent = nullptr);

    void setGpu(const QString& name, const QString& driver);
    /// There is no GPU to use; the sentence says why.
    void setMissing(const QString& why);
    /// Without a model there is nothing to run.
    void setReady(bool ready);
    void setRunning(bool running);
    void setUse(const std::optional<DeviceUse>& use);
    void setRows(std::vector<ProbeRow> rows);
    /// What happened last, in a sentence; empty for nothing.
    void setNote(const QString& note);
    void setUnits(ByteUnits units);

    QPushButton* runButton() const { return m_run; }
    QPushButton* cancelButton() const { return m_cancel; }
    QCheckBox* calibrateBox() const { return m_calibrate; }
    QComboBox* rangeBox() const { return m_range; }
    GpuGauge* gauge() const { return m_gauge; }
    QTreeWidget* pointsView() const { return m_points; }
    QTreeWidget* statisticsView() const { return m_statistics; }
    QString stateText() const;
    QString noteText() const;

signals:
    void runWished(tidemark::GpuProbePanel::Range range);
    void cancelWished();

private:
    void refresh();
    void refreshRows();
    void refreshStatistics();

    QString m_gpu;
    QString m_missing;
    std::vector<ProbeRow> m_rows;
    ByteUnits m_units = ByteUnits::Binary;
    bool m_ready = false;
    bool m_running = false;
    QPushButton* m_run;
    QPushButton* m_cancel;
    QComboBox* m_range;
    QCheckBox* m_calibrate;
    QPushButton* m_counters;
    QLabel* m_state;
    QLabel* m_note;
    QLabel* m_words;  ///< on the chosen row
    GpuGauge* m_gauge;
    QStackedWidget* m_views;
    QTreeWidget* m_points;
    QTreeWidget* m_statistics;
};

}  // namespace tidemark
