// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/plan/advice.h"
#include "widgets/plotbase.h"

#include <optional>
#include <vector>

namespace tidemark {

/// Memory against recomputation for ever more checkpointed blocks: process and allocated memory over the share of
/// forward operators that run twice, a dot for each exact run with its number of blocks.
class CheckpointPlot : public PlotBase {
    Q_OBJECT

public:
    explicit CheckpointPlot(QWidget* parent = nullptr);

    /// In ascending order of blocks.
    void setPoints(std::vector<RecomputePoint> points);
    void setCapacity(std::optional<Bytes> capacity, const QString& label);
    /// The number of blocks that are checkpointed now, where it is one of the points.
    void setCurrent(int blocks);
    const std::vector<RecomputePoint>& points() const { return m_points; }
    QCPGraph* processGraph() const { return m_process; }

signals:
    void blocksPicked(int blocks);

protected:
    Limits limits() const override;
    void refill() override;
    void restyle() override;
    void paintMarks(QPainter& painter, bool print) override;
    void paintHover(QPainter& painter, const QPointF& mouse) override;
    void clicked(const QPointF& at) override;
    double markedAt(double pixel) const override;

private:
    const RecomputePoint* nearest(double pixel) const;

    std::vector<RecomputePoint> m_points;
    QCPGraph* m_allocated;
    QCPGraph* m_process;
    std::optional<Bytes> m_capacity;
    QString m_capacityLabel;
    int m_current = -1;
};

}  // namespace tidemark
