// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/plan/advice.h"
#include "engine/plan/structurehints.h"
#include "widgets/checkpointplot.h"

#include <QWidget>

#include <vector>

class QLabel;
class QSplitter;
class QToolButton;
class QTreeWidget;

namespace tidemark {

/// What would make the step take less: changes of the settings as exact runs, what the network itself could do
/// differently as computed from its layers, and memory against recomputation.
class AdviceView : public QWidget {
    Q_OBJECT

public:
    enum Column { Change, Process, Saves, Fits, Cost, Consequence, ColumnCount };

    explicit AdviceView(QWidget* parent = nullptr);

    void setUnits(ByteUnits units);
    void setAdvice(std::vector<MeasuredAdvice> advice, std::vector<StructureHint> hints);
    /// What stands beside the title: how far the measurements are.
    void setHint(const QString& hint);
    QTreeWidget* table() const { return m_table; }
    CheckpointPlot* plot() const { return m_plot; }
    /// Shows the plot where the model has blocks to checkpoint.
    void setCurve(std::vector<RecomputePoint> points);
    const std::vector<MeasuredAdvice>& advice() const { return m_advice; }

signals:
    /// The settings with a change applied.
    void settingsWished(const tidemark::Settings& settings);

private:
    void fill();
    void applyCurrent();

    std::vector<MeasuredAdvice> m_advice;
    std::vector<StructureHint> m_hints;
    ByteUnits m_units = ByteUnits::Binary;
    QLabel* m_hint;
    QToolButton* m_apply;
    QSplitter* m_splitter;
    QTreeWidget* m_table;
    CheckpointPlot* m_plot;
};

}  // namespace tidemark
