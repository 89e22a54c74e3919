// SPDX-License-Identifier: Apache-2.0
#include "widgets/timelineplot.h"

#include "widgets/text.h"

#include <algorithm>
#include <cmath>

namespace tidemark {
namespace {

constexpr double kHeadroom = 1.28;
constexpr std::size_t kNamedTensors = 6;

QColor faded(QColor color, double alpha) {
    color.setAlphaF(static_cast<float>(alpha));
    return color;
}

}  // namespace

TimelinePlot::TimelinePlot(QWidget* parent) : PlotBase(parent) {
    setAccessibleName(tr("Memory over the steady step"));
    // Steps run along pixels.
    setNotAntialiasedElements(QCP::aeFills | QCP::aePlottables);
    for (const Category category : kCategories) {
        QCPGraph* area = addGraph();
        area->setName(categoryLabel(category));
        area->setLineStyle(QCPGraph::lsStepLeft);
        if (graphCount() > 1) area->setChannelFillGraph(graph(graphCount() - 2));
        m_areas[static_cast<std::size_t>(category)] = area;
    }
    m_reserved = addGraph();
    m_reserved->setLineStyle(QCPGraph::lsStepLeft);
    m_layer = addGraph();
    m_layer->setLineStyle(QCPGraph::lsStepLeft);
    m_overlay = addGraph();
    m_overlay->setLineStyle(QCPGraph::lsStepLeft);
    xAxis->setLabel(tr("Allocator events of one step"));
    auto ticker = QSharedPointer<BatchTicker>::create();
    ticker->setTickCount(8);
    xAxis->setTicker(ticker);
}

void TimelinePlot::setTimeline(std::shared_ptr<const Measurement> measurement) {
    m_measurement = std::move(measurement);
    m_stack = m_measurement && m_measurement->timeline ? TimelineStack(timeline()) : TimelineStack();
    setHighlightedLayer(m_highlighted);
    dataChanged();
}

void TimelinePlot::setModel(const ModelInfo& model) {
    m_model = model;
    m_highlighted = -1;
    clear();
}

void TimelinePlot::setOverlay(const QString& name, std::vector<Bytes> course) {
    m_overlayName = name;
    m_course = std::move(course);
    dataChanged();
}

void TimelinePlot::clear() { setTimeline(nullptr); }

void TimelinePlot::setHighlightedLayer(int layer) {
    m_highlighted = layer;
    m_layerSums.clear();
    if (hasTimeline() && layer > 0 && layer < static_cast<int>(m_model.layers.size())) {
        std::vector<bool> chosen(m_model.layers.size(), false);
        chosen[layer] = true;
        for (std::size_t i = static_cast<std::size_t>(layer) + 1; i < m_model.layers.size(); ++i)
            if (m_model.layers[i].parent >= 0) chosen[i] = chosen[m_model.layers[i].parent];
        m_layerSums = TimelineStack::ofLayers(timeline(), chosen);
    }
    refill();
    replot(rpQueuedReplot);
}

PlotBase::Limits TimelinePlot::limits() const {
    Limits all;
    all.x = QCPRange(0, qMax(1, m_stack.events()));
    double top = static_cast<double>(m_stack.highest().count);
    if (hasTimeline() && !timeline().reserved.empty())
        top = qMax(
            top, static_cast<double>(std::max_element(timeline().reserved.begin(), timeline().reserved.end())->count));
    if (!m_course.empty()) top = qMax(top, static_cast<double>(std::max_element(m_course.begin(), m_course.end())->count));
    all.yMax = top > 0 ? top * kHeadroom : 1;
    return all;
}

void TimelinePlot::refill() {
    const int from = static_cast<int>(std::floor(xAxis->range().lower));
    const int to = static_cast<int>(std::ceil(xAxis->range().upper));
    const std::vector<int> events = m_stack.sampled(from, to, qMax(50, viewport().width()));
    std::vector<double> base(events.size(), 0.0);
    const bool closes = !events.empty() && events.back() == m_stack.events() - 1;
    const auto put = [&](QCPGraph* graph, auto&& value) {
        QVector<QCPGraphData> data;
        data.reserve(static_cast<int>(events.size()) + 1);
        for (std::size_t i = 0; i < events.size(); ++i) data.append({static_cast<double>(events[i]), value(i)});
        if (closes) data.append({static_cast<double>(m_stack.events()), data.last().value});
        graph->data()->set(data, true);
    };
    for (const Category category : kCategories) {
        const bool visible = isCategoryVisible(category);
        put(categoryGraph(category), [&](std::size_t i) {
            if (visible) base[i] += static_cast<double>(m_stack.at(category, events[i]).count);
            return base[i];
        });
        categoryGraph(category)->setVisible(visible || category == kCategories.front());
    }
    if (hasTimeline() && timeline().reserved.size() == static_cast<std::size_t>(m_stack.events()))
        put(m_reserved, [&](std::size_t i) { return static_cast<double>(timeline().reserved[events[i]].count); });
    else
        m_reserved->data()->clear();
    if (m_course.size() == static_cast<std::size_t>(m_stack.events()) && !m_course.empty())
        put(m_overlay, [&](std::size_t i) { return static_cast<double>(m_course[events[i]].count); });
    else
        m_overlay->data()->clear();
    if (m_layerSums.empty())
        m_layer->data()->clear();
    else
        put(m_layer, [&](std::size_t i) { return static_cast<double>(m_layerSums[events[i]]); });
}

void TimelinePlot::restyle() {
    for (const Category category : kCategories) {
        QCPGraph* area = categoryGraph(category);
        const QColor color = categoryColor(category);
        area->setPen(Qt::NoPen);
        area->setBrush(faded(color, theme().dark ? 0.78 : 0.84));
    }
    m_reserved->setPen(QPen(theme().mutedText, 1.2));
    m_layer->setPen(QPen(theme().text, 2));
    m_overlay->setPen(QPen(theme().bad, 1.6, Qt::DashLine));
}

int TimelinePlot::eventAt(double pixel) const {
    return qBound(0, static_cast<int>(std::floor(xAxis->pixelToCoord(pixel))), m_stack.events() - 1);
}

std::optional<Category> TimelinePlot::categoryAt(int event, double pixel) const {
    const double wanted = yAxis->pixelToCoord(pixel);
    double sum = 0;
    for (const Category category : kCategories) {
        if (!isCategoryVisible(category)) continue;
        sum += static_cast<double>(m_stack.at(category, event).count);
        if (wanted <= sum) return category;
    }
    return {};
}

QString TimelinePlot::phaseOf(int event) const {
    for (const auto& phase : timeline().phases)
        if (event >= phase.begin && event < phase.end) return phaseText(phase.name);
    return {};
}

QString TimelinePlot::layerName(int layer) const {
    if (layer < 0 || layer >= static_cast<int>(m_model.layers.size())) return {};
    const auto& info = m_model.layers[layer];
    return QString::fromStdString(info.path.empty() ? info.name : info.path);
}

std::vector<ReadoutLine> TimelinePlot::describe(int event) const {
    std::vector<ReadoutLine> lines;
    if (!hasTimeline()) return lines;
    lines.push_back({{}, tr("Allocated"), sizeText(m_stack.total(event), units()), true});
    if (event < static_cast<int>(timeline().reserved.size()))
        lines.push_back({{}, tr("Reserved"), sizeText(timeline().reserved[event], units()), false});
    if (event < static_cast<int>(m_course.size()))
        lines.push_back({theme().bad, m_overlayName, sizeText(m_course[event], units()), false});
    for (const int index : TimelineStack::largestLive(timeline(), event, kNamedTensors)) {
        const Allocation& allocation = timeline().allocations[index];
        QStringList parts;
        const QString layer = layerName(allocation.layer);
        if (!layer.isEmpty()) parts << layer;
        if (allocation.op >= 0 && allocation.op < static_cast<int>(timeline().ops.size()))
            parts << QString::fromStdString(timeline().ops[allocation.op]);
        if (allocation.shape >= 0 && allocation.shape < static_cast<int>(timeline().shapes.size()))
            parts << QString::fromStdString(timeline().shapes[allocation.shape]);
        if (parts.isEmpty()) parts << categoryLabel(allocation.category);
        lines.push_back({categoryColor(allocation.category), parts.join(QStringLiteral("  ")),
                         sizeText(allocation.bytes, units()), false});
    }
    return lines;
}

void TimelinePlot::paintMarks(QPainter& painter, bool) {
    if (!hasTimeline()) return;
    paintPhases(painter);
    paintPeak(painter);
    paintOverlayName(painter);
}

QString TimelinePlot::overlayText() const {
    if (m_course.empty()) return {};
    const Bytes highest = *std::max_element(m_course.begin(), m_course.end());
    return tr("%1, peak %2").arg(m_overlayName, sizeText(highest, units()));
}

/// The legend of the line over the stack: a piece of it and its name, below the names of the phases.
void TimelinePlot::paintOverlayName(QPainter& painter) {
    const QString text = overlayText();
    if (text.isEmpty()) return;
    constexpr double kSample = 26;
    const QFontMetricsF metrics(font());
    const QRectF area = plotArea();
    const QString shown = metrics.elidedText(text, Qt::ElideMiddle, area.width() - kSample - 24);
    const double y = area.top() + 1.9 * metrics.height();
    paintTag(painter, QPointF(area.right() - 4, y), Qt::AlignRight | Qt::AlignVCenter, shown, theme().bad);
    const double right = area.right() - 4 - metrics.horizontalAdvance(shown) - 14;
    painter.setPen(QPen(theme().bad, 1.6, Qt::DashLine));
    painter.drawLine(QPointF(right - kSample, y), QPointF(right, y));
}

void TimelinePlot::paintPhases(QPainter& painter) {
    const QRectF area = plotArea();
    const QFontMetricsF metrics(font());
    painter.save();
    painter.setClipRect(area);
    bool shaded = false;
    for (const auto& phase : timeline().phases) {
        const QRectF band(QPointF(xPixel(phase.begin), area.top()), QPointF(xPixel(phase.end), area.bottom()));
        shaded = !shaded;
        if (band.right() < area.left() || band.left() > area.right()) continue;
        if (phase.begin > 0 && band.width() > 3) {
            painter.setPen(QPen(theme().mutedText, 1, Qt::DotLine));
            painter.drawLine(band.topLeft(), band.bottomLeft());
        }
        const QString text = phaseText(phase.name);
        const QRectF seen = band.intersected(area);
        if (metrics.horizontalAdvance(text) + 8 > seen.width()) continue;
        painter.setPen(theme().mutedText);
        painter.setFont(font());
        painter.drawText(seen.adjusted(4, 2, -4, 0), Qt::AlignHCenter | Qt::AlignTop, text);
    }
    painter.restore();
}

void TimelinePlot::paintPeak(QPainter& painter) {
    const int event = timeline().peakEvent;
    if (event < 0 || event >= m_stack.events()) return;
    const QRectF area = plotArea();
    const QPointF at(xPixel(event + 0.5), yPixel(static_cast<double>(m_stack.total(event).count)));
    if (at.x() < area.left() || at.x() > area.right() || at.y() < area.top() || at.y() > area.bottom()) return;
    painter.setPen(QPen(theme().surface, 1.2));
    painter.setBrush(theme().text);
    const QPointF triangle[] = {at + QPointF(0, -2), at + QPointF(-5, -10), at + QPointF(5, -10)};
    painter.drawPolygon(triangle, 3);
    const bool leftward = at.x() > area.center().x();
    paintTag(painter, at + QPointF(leftward ? -9 : 9, -3),
             (leftward ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignBottom,
             tr("peak %1").arg(sizeText(m_stack.total(event), units())), theme().text);
}

void TimelinePlot::paintHover(QPainter& painter, const QPointF& at) {
    if (!hasTimeline()) return;
    if (mark() && *mark() < m_stack.events())
        paintMarkLine(painter, xPixel(*mark() + 0.5), tr("event %1").arg(countText(static_cast<qint64>(*mark()))));
    if (!hasMouse()) return;
    const int event = eventAt(at.x());
    const int marked = mark() ? static_cast<int>(*mark()) : -1;
    const QRectF area = plotArea();
    const double x = xPixel(event + 0.5);
    painter.setPen(QPen(theme().mutedText, 1, Qt::DotLine));
    painter.drawLine(QPointF(x, area.top()), QPointF(x, area.bottom()));
    const QString phase = phaseOf(event);
    const QString title =
        phase.isEmpty() ? tr("Event %1").arg(countText(event)) : tr("Event %1 · %2").arg(countText(event), phase);
    std::vector<ReadoutLine> lines = describe(event);
    if (marked >= 0 && marked < m_stack.events())
        lines.front().delta = deltaText(m_stack.total(event) - m_stack.total(marked), units());
    paintReadout(painter, QPointF(x, at.y()), title, lines);
}

void TimelinePlot::clicked(const QPointF& at) {
    if (!hasTimeline()) return;
    const int event = eventAt(at.x());
    emit eventPicked(event);
    const auto category = categoryAt(event, at.y());
    int best = -1;
    for (const auto& allocation : timeline().allocations) {
        if (!TimelineStack::isLive(allocation, event) || allocation.layer < 0) continue;
        if (category && allocation.category != *category) continue;
        if (best < 0 || allocation.bytes > timeline().allocations[best].bytes)
            best = static_cast<int>(&allocation - timeline().allocations.data());
    }
    if (best >= 0) emit layerPicked(timeline().allocations[best].layer);
}

}  // namespace tidemark
