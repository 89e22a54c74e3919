// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/plan/fit.h"
#include "engine/session/session.h"

#include <QWidget>

#include <map>
#include <vector>

class QLabel;
class QTableWidget;
class QToolButton;

namespace tidemark {

class VariantPlanner;

/// Several sets of inputs of one model, as for a path or a shape that varies from step to step: the table of sets with
/// what the step takes under each, and the highest of them. It measures when it is in sight.
class InputSets : public QWidget {
    Q_OBJECT

public:
    using Sets = std::vector<std::vector<InputSpec>>;
    enum Column { Inputs, Allocated, Reserved, Process, Fits, ColumnCount };

    explicit InputSets(Session& session, QWidget* parent = nullptr);
    ~InputSets() override;

    void setUnits(ByteUnits units);
    /// The sets of the planner's variant; null empties the page. The step's own inputs are the first row.
    void showStep(const VariantPlanner* planner, const Sets& sets);
    QTableWidget* table() const { return m_table; }
    QToolButton* addButton() const { return m_add; }

signals:
    /// The sets besides the step's own inputs, as they were typed.
    void setsWished(const std::vector<std::vector<tidemark::InputSpec>>& sets);
    /// The step with the chosen set as its inputs.
    void settingsWished(const tidemark::Settings& settings);

protected:
    void showEvent(QShowEvent* event) override;

private:
    struct Row {
        std::vector<InputSpec> inputs;
        MeasurementPtr measurement;
        QString problem;
    };

    void measureAnew();
    void fill();
    void fillRow(int row, const QStringList& figures);
    void readCell(int row, int column);
    void wish(std::size_t removed);
    int highestRow() const;
    Fit fitOf(const Row& row) const;

    Session& m_session;
    MeasureRequest m_request;
    Gpu m_gpu;
    Reserve m_reserve;
    bool m_ready = false;
    bool m_stale = true;
    bool m_filling = false;
    ByteUnits m_units = ByteUnits::Binary;
    std::vector<Row> m_rows;
    std::map<quint64, std::size_t> m_waiting;
    QLabel* m_hint;
    QToolButton* m_add;
    QToolButton* m_remove;
    QToolButton* m_plan;
    QTableWidget* m_table;
};

}  // namespace tidemark
