// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/plan/modelinfo.h"
#include "widgets/plotbase.h"
#include "widgets/timelinestack.h"

#include <memory>

namespace tidemark {

/// The steady step over its allocator events: allocated memory stacked by category, phases and peak marked.
class TimelinePlot : public PlotBase {
    Q_OBJECT

public:
    explicit TimelinePlot(QWidget* parent = nullptr);

    void setTimeline(std::shared_ptr<const Measurement> measurement);
    void setModel(const ModelInfo& model);
    /// Draws the bytes of this layer and everything below it as a line; −1 for none.
    void setHighlightedLayer(int layer);
    /// Draws another course of allocated memory, one size for each event, as a line over the stack; empty for none.
    void setOverlay(const QString& name, std::vector<Bytes> course);
    void clear();

    bool hasTimeline() const { return m_stack.events() > 0; }
    const TimelineStack& stack() const { return m_stack; }
    QCPGraph* categoryGraph(Category category) const { return m_areas[static_cast<std::size_t>(category)]; }
    QCPGraph* layerGraph() const { return m_layer; }
    QCPGraph* overlayGraph() const { return m_overlay; }
    /// What the line over the stack is, for the legend inside of the plot; empty without one.
    QString overlayText() const;
    /// What the box beside the mouse says about an event.
    std::vector<ReadoutLine> describe(int event) const;

signals:
    void layerPicked(int layer);
    void eventPicked(int event);

protected:
    Limits limits() const override;
    void refill() override;
    void restyle() override;
    void paintMarks(QPainter& painter, bool print) override;
    void paintHover(QPainter& painter, const QPointF& mouse) override;
    void clicked(const QPointF& at) override;
    double markedAt(double pixel) const override { return eventAt(pixel); }

private:
    const Timeline& timeline() const { return *m_measurement->timeline; }
    int eventAt(double pixel) const;
    /// The category whose area lies under the mouse; nothing above the stack.
    std::optional<Category> categoryAt(int event, double pixel) const;
    QString phaseOf(int event) const;
    QString layerName(int layer) const;
    void paintPhases(QPainter& painter);
    void paintPeak(QPainter& painter);
    void paintOverlayName(QPainter& painter);

    std::shared_ptr<const Measurement> m_measurement;
    ModelInfo m_model;
    TimelineStack m_stack;
    std::vector<std::int64_t> m_layerSums;
    int m_highlighted = -1;
    std::array<QCPGraph*, kCategoryCount> m_areas{};
    QCPGraph* m_reserved;
    QCPGraph* m_layer;
    QCPGraph* m_overlay;
    QString m_overlayName;
    std::vector<Bytes> m_course;
};

}  // namespace tidemark
