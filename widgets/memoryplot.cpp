// SPDX-License-Identifier: Apache-2.0
#include "widgets/memoryplot.h"

#include "widgets/text.h"

#include <algorithm>
#include <cmath>

namespace tidemark {
namespace {

constexpr double kHeadroom = 1.08;
/// A capacity line further above the data than this factor would flatten the curves: it is named at the edge instead.
constexpr double kCapacityFactor = 3.0;
/// Other variants widen the memory axis to at most this.
constexpr double kOthersFactor = 1.4;
/// Pixels between the centres of two dots.
constexpr double kDotSpacing = 8;
/// How near the mouse must be to the line of the card to take hold of it, in pixels.
constexpr double kGrip = 5;
constexpr double kTagHeight = 20;

Bytes between(Bytes a, Bytes b, double share) {
    return {static_cast<std::int64_t>(
        std::llround(static_cast<double>(a.count) + share * static_cast<double>(b.count - a.count)))};
}

QColor faded(QColor color, double alpha) {
    color.setAlphaF(static_cast<float>(alpha));
    return color;
}

}  // namespace

MemoryPoint interpolated(const MemoryPoint& a, const MemoryPoint& b, std::int64_t x) {
    const double share = static_cast<double>(x - a.x) / static_cast<double>(b.x - a.x);
    MemoryPoint p;
    p.x = x;
    for (const Category c : kCategories) p.categories[c] = between(a.categories[c], b.categories[c], share);
    p.reserved = between(a.reserved, b.reserved, share);
    p.process = between(a.process, b.process, share);
    p.processLow = between(a.processLow, b.processLow, share);
    p.processHigh = between(a.processHigh, b.processHigh, share);
    return p;
}

MemoryPlot::MemoryPlot(QWidget* parent) : PlotBase(parent), m_ticker(new BatchTicker), m_axisName(tr("Batch size")) {
    setAccessibleName(tr("Memory against batch size"));
    for (const Category category : kCategories) {
        QCPGraph* area = addGraph();
        area->setName(categoryLabel(category));
        if (graphCount() > 1) area->setChannelFillGraph(graph(graphCount() - 2));
        m_areas[static_cast<std::size_t>(category)] = area;
    }
    m_low = addGraph();
    m_high = addGraph();
    m_high->setChannelFillGraph(m_low);
    m_reserved = addGraph();
    m_processBetween = addGraph();
    m_processExact = addGraph();
    m_dots = addGraph();
    m_dots->setLineStyle(QCPGraph::lsNone);
    m_measured = addGraph();
    m_outOfMemory = addGraph();
    for (QCPGraph* graph : {m_measured, m_outOfMemory}) graph->setLineStyle(QCPGraph::lsNone);
    m_measured->setName(tr("Measured"));
    m_reserved->setName(tr("Reserved"));
    m_processExact->setName(tr("Process"));
    xAxis->setTicker(m_ticker);
    m_ticker->setTickCount(8);
    xAxis->setLabel(m_axisName);
}

void MemoryPlot::setPoints(std::vector<MemoryPoint> points) {
    m_points = std::move(points);
    dataChanged();
}

void MemoryPlot::setOthers(std::vector<MemorySeries> others) {
    m_others = std::move(others);
    for (QCPGraph* graph : m_otherGraphs) removeGraph(graph);
    m_otherGraphs.clear();
    for (const auto& series : m_others) {
        QCPGraph* graph = addGraph();
        graph->setName(series.name);
        graph->setVisible(!m_hiddenOthers.contains(series.name));
        graph->setPen(QPen(seriesColor(series), 2, Qt::DashDotLine));
        m_otherGraphs.push_back(graph);
    }
    dataChanged();
}

QColor MemoryPlot::seriesColor(const MemorySeries& series) const {
    return theme().dark ? series.color.lighter(165) : series.color;
}

void MemoryPlot::setMeasured(std::vector<MeasuredMark> marks) {
    if (marks.empty() && m_marks.empty()) return;
    m_marks = std::move(marks);
    dataChanged();
}

void MemoryPlot::setCapacity(std::optional<Bytes> capacity, const QString& label) {
    m_capacity = capacity;
    m_capacityLabel = label;
    // An axis that follows the line while it is dragged would run away with it.
    if (m_draggingCapacity)
        updateOverlay();
    else
        dataChanged();
}

void MemoryPlot::setLargestFitting(std::optional<std::int64_t> x) {
    m_largest = x;
    updateOverlay();
}

void MemoryPlot::setCursor(std::optional<MemoryCursor> cursor) {
    m_cursor = cursor;
    updateOverlay();
}

void MemoryPlot::setAxisName(const QString& name) {
    m_axisName = name;
    xAxis->setLabel(name);
    replot(rpQueuedReplot);
}

void MemoryPlot::setLogarithmic(bool on) {
    if (m_log == on) return;
    m_log = on;
    m_ticker->setLogarithmic(on);
    xAxis->setScaleType(on ? QCPAxis::stLogarithmic : QCPAxis::stLinear);
    fit();
}

void MemoryPlot::setReservedVisible(bool visible) {
    m_reserved->setVisible(visible);
    replot(rpQueuedReplot);
}

void MemoryPlot::setOtherVisible(int index, bool visible) {
    if (index < 0 || index >= static_cast<int>(m_others.size())) return;
    const QString& name = m_others[static_cast<std::size_t>(index)].name;
    if (visible)
        m_hiddenOthers.erase(name);
    else
        m_hiddenOthers.insert(name);
    otherGraph(index)->setVisible(visible);
    dataChanged();
}

void MemoryPlot::setProcessVisible(bool visible) {
    for (QCPGraph* graph : {m_low, m_high, m_processBetween, m_processExact, m_dots}) graph->setVisible(visible);
    replot(rpQueuedReplot);
}

void MemoryPlot::clear() {
    m_largest.reset();
    m_cursor.reset();
    m_capacity.reset();
    setMark({});
    setOthers({});
    setPoints({});
}

std::optional<MemoryPoint> MemoryPlot::at(std::int64_t x, bool* exact) const {
    if (exact) *exact = false;
    const auto after = std::lower_bound(m_points.begin(), m_points.end(), x,
                                        [](const MemoryPoint& p, std::int64_t v) { return p.x < v; });
    if (after == m_points.end()) return {};
    if (after->x == x) {
        if (exact) *exact = true;
        return *after;
    }
    if (after == m_points.begin()) return {};
    return interpolated(*std::prev(after), *after, x);
}

PlotBase::Limits MemoryPlot::limits() const {
    Limits all;
    double first = 1;
    double last = 1;
    double top = 0;
    const auto highest = [&](const std::vector<MemoryPoint>& points) {
        double bytes = 0;
        for (const auto& p : points) {
            last = qMax(last, static_cast<double>(p.x));
            bytes = qMax(bytes, static_cast<double>(p.processHigh.count));
        }
        return bytes;
    };
    if (!m_points.empty()) first = static_cast<double>(m_points.front().x);
    top = highest(m_points);
    if (m_capacity && (top <= 0 || static_cast<double>(m_capacity->count) <= kCapacityFactor * top))
        top = qMax(top, static_cast<double>(m_capacity->count));
    // Another variant may leave the plot at the top: what is in front of the reader stays readable.
    for (const auto& series : m_others) {
        if (m_hiddenOthers.contains(series.name)) continue;
        const double other = highest(series.points);
        top = qMax(top, top > 0 ? qMin(other, kOthersFactor * top) : other);
    }
    for (const auto& mark : m_marks) {
        last = qMax(last, static_cast<double>(mark.x));
        top = qMax(top, static_cast<double>(mark.process.count));
    }
    all.x = QCPRange(first, last > first ? last : first + 1);
    all.yMax = top > 0 ? top * kHeadroom : 1.0;
    return all;
}

void MemoryPlot::refill() {
    fillStack();
    fillLines();
    fillOthers();
    fillMeasured();
}

void MemoryPlot::fillStack() {
    std::vector<double> base(m_points.size(), 0.0);
    for (const Category category : kCategories) {
        QVector<QCPGraphData> data;
        data.reserve(static_cast<int>(m_points.size()));
        for (std::size_t i = 0; i < m_points.size(); ++i) {
            if (isCategoryVisible(category)) base[i] += static_cast<double>(m_points[i].categories[category].count);
            data.append({static_cast<double>(m_points[i].x), base[i]});
        }
        QCPGraph* area = categoryGraph(category);
        area->data()->set(data, true);
        area->setVisible(isCategoryVisible(category) || category == kCategories.front());
    }
}

void MemoryPlot::fillLines() {
    QVector<QCPGraphData> low, high, reserved, process, exact;
    for (std::size_t i = 0; i < m_points.size(); ++i) {
        const MemoryPoint& p = m_points[i];
        const double x = static_cast<double>(p.x);
        low.append({x, static_cast<double>(p.processLow.count)});
        high.append({x, static_cast<double>(p.processHigh.count)});
        reserved.append({x, static_cast<double>(p.reserved.count)});
        process.append({x, static_cast<double>(p.process.count)});
        if (i > 0 && p.x - m_points[i - 1].x > 1) exact.append({x - 0.5, std::numeric_limits<double>::quiet_NaN()});
        exact.append({x, static_cast<double>(p.process.count)});
    }
    m_low->data()->set(low, true);
    m_high->data()->set(high, true);
    m_reserved->data()->set(reserved, true);
    m_processBetween->data()->set(process, true);
    m_processExact->data()->set(exact, true);
    // Dots that would touch each other say nothing and cost much.
    QVector<QCPGraphData> dots;
    double free = -std::numeric_limits<double>::infinity();
    for (const auto& d : process) {
        const double x = xPixel(d.key);
        if (x < free) continue;
        dots.append(d);
        free = x + kDotSpacing;
    }
    m_dots->data()->set(dots, true);
}

void MemoryPlot::fillOthers() {
    for (std::size_t i = 0; i < m_others.size(); ++i) {
        QVector<QCPGraphData> data;
        for (const auto& p : m_others[i].points)
            data.append({static_cast<double>(p.x), static_cast<double>(p.process.count)});
        m_otherGraphs[i]->data()->set(data, true);
    }
}

void MemoryPlot::fillMeasured() {
    QVector<QCPGraphData> measured, outOfMemory;
    for (const auto& mark : m_marks)
        (mark.outOfMemory ? outOfMemory : measured).append({static_cast<double>(mark.x), static_cast<double>(mark.process.count)});
    m_measured->data()->set(measured);
    m_outOfMemory->data()->set(outOfMemory);
}

void MemoryPlot::paintOutOfMemory(QPainter& painter) {
    for (const auto& mark : m_marks) {
        const QPointF at(xPixel(static_cast<double>(mark.x)), yPixel(static_cast<double>(mark.process.count)));
        if (!mark.outOfMemory || !plotArea().adjusted(-1, -1, 1, 1).contains(at)) continue;
        const bool leftward = at.x() > plotArea().center().x();
        const double y = qMin(at.y() + 14, plotArea().bottom() - 12);
        paintTag(painter, QPointF(at.x() + (leftward ? -9 : 9), y), (leftward ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter,
                 tr("measured: out of memory"), theme().bad);
    }
}

void MemoryPlot::restyle() {
    for (const Category category : kCategories) {
        QCPGraph* area = categoryGraph(category);
        const QColor color = categoryColor(category);
        area->setPen(QPen(faded(color, 0.95), 1));
        area->setBrush(faded(color, theme().dark ? 0.72 : 0.78));
    }
    for (std::size_t i = 0; i < m_otherGraphs.size(); ++i)
        m_otherGraphs[i]->setPen(QPen(seriesColor(m_others[i]), 2, Qt::DashDotLine));
    m_measured->setScatterStyle(
        QCPScatterStyle(QCPScatterStyle::ssDiamond, QPen(theme().surface, 1.2), QBrush(theme().accent), 11));
    m_outOfMemory->setScatterStyle(QCPScatterStyle(QCPScatterStyle::ssCross, QPen(theme().bad, 2.4), Qt::NoBrush, 10));
    m_low->setPen(Qt::NoPen);
    m_high->setPen(Qt::NoPen);
    m_high->setBrush(faded(theme().text, 0.13));
    m_reserved->setPen(QPen(theme().mutedText, 1.2));
    m_processBetween->setPen(QPen(faded(theme().text, 0.65), 1.4, Qt::DashLine));
    m_processExact->setPen(QPen(theme().text, 2));
    m_dots->setScatterStyle(
        QCPScatterStyle(QCPScatterStyle::ssCircle, QPen(theme().text, 1.2), QBrush(theme().surface), 5));
}

void MemoryPlot::paintMarks(QPainter& painter, bool) {
    if (m_points.empty() && m_others.empty()) return;
    paintCapacity(painter);
    paintLargest(painter);
    paintSeriesNames(painter);
    paintOutOfMemory(painter);
}

bool MemoryPlot::isLow() const { return plotArea().height() < kTagHeight * 5; }

/// Each other variant is named where its line leaves the plot.
void MemoryPlot::paintSeriesNames(QPainter& painter) {
    const QRectF area = plotArea();
    if (isLow()) return;
    for (const auto& series : m_others) {
        if (m_hiddenOthers.contains(series.name)) continue;
        const auto inSight = std::find_if(series.points.rbegin(), series.points.rend(), [&](const MemoryPoint& p) {
            const QPointF at(xPixel(static_cast<double>(p.x)), yPixel(static_cast<double>(p.process.count)));
            return area.adjusted(-1, -1, 1, 1).contains(at);
        });
        if (inSight == series.points.rend()) continue;
        const QPointF at(xPixel(static_cast<double>(inSight->x)), yPixel(static_cast<double>(inSight->process.count)));
        const bool low = at.y() - area.top() < kTagHeight + 8;
        paintTag(painter, at + QPointF(-6, low ? 8 : -8), Qt::AlignRight | (low ? Qt::AlignTop : Qt::AlignBottom),
                 series.name, seriesColor(series));
    }
}

void MemoryPlot::paintCapacity(QPainter& painter) {
    if (!m_capacity) return;
    const QRectF area = plotArea();
    const double y = yPixel(static_cast<double>(m_capacity->count));
    const QString text = tr("%1: %2").arg(m_capacityLabel, sizeText(*m_capacity, units()));
    if (y < area.top()) {
        paintTag(painter, QPointF(area.right() - 4, area.top() + 2), Qt::AlignRight | Qt::AlignTop,
                 QStringLiteral("↑ ") + text, theme().bad);
        return;
    }
    if (y > area.bottom()) return;
    painter.save();
    painter.setClipRect(area);
    painter.fillRect(QRectF(area.topLeft(), QPointF(area.right(), y)), faded(theme().bad, theme().dark ? 0.10 : 0.07));
    painter.setPen(QPen(theme().bad, 1.6, Qt::DashLine));
    painter.drawLine(QPointF(area.left(), y), QPointF(area.right(), y));
    painter.restore();
    const bool below = y - area.top() < 24;
    // Out of the cursor's way: at the other end where the plot is low, else beside it.
    if (isLow() && m_cursor && xPixel(static_cast<double>(m_cursor->x)) < area.center().x()) {
        paintTag(painter, QPointF(area.right() - 4, below ? y + 4 : y - 4),
                 Qt::AlignRight | (below ? Qt::AlignTop : Qt::AlignBottom), text, theme().bad);
        return;
    }
    const bool taken = m_cursor && xPixel(static_cast<double>(m_cursor->x)) < area.left() + area.width() / 3;
    paintTag(painter, QPointF(taken ? area.left() + area.width() / 3 + 12 : area.left() + 6, below ? y + 4 : y - 4),
             Qt::AlignLeft | (below ? Qt::AlignTop : Qt::AlignBottom), text, theme().bad);
}

void MemoryPlot::paintLargest(QPainter& painter) {
    if (!m_largest || *m_largest < 1) return;
    const QRectF area = plotArea();
    const double x = xPixel(static_cast<double>(*m_largest));
    if (x < area.left() - 0.5 || x > area.right() + 0.5) return;
    painter.setPen(QPen(theme().good, 1.4, Qt::DotLine));
    painter.drawLine(QPointF(x, area.top()), QPointF(x, area.bottom()));
    if (isLow()) return;
    const QString text = tr("largest that fits: %1").arg(countText(*m_largest));
    const bool leftward = x > area.center().x();
    // Not over the card's own words, which lie low where the axis reaches far beyond the card.
    const bool high = m_capacity && area.bottom() - yPixel(static_cast<double>(m_capacity->count)) < kTagHeight * 2;
    paintTag(painter, QPointF(leftward ? x - 4 : x + 4, high ? area.top() + 4 : area.bottom() - 4),
             (leftward ? Qt::AlignRight : Qt::AlignLeft) | (high ? Qt::AlignTop : Qt::AlignBottom), text, theme().good);
}

void MemoryPlot::paintCursor(QPainter& painter) {
    if (!m_cursor) return;
    const QRectF area = plotArea();
    const double x = xPixel(static_cast<double>(m_cursor->x));
    if (x < area.left() - 0.5 || x > area.right() + 0.5) return;
    painter.setPen(QPen(theme().accent, 1.6));
    painter.drawLine(QPointF(x, area.top()), QPointF(x, area.bottom()));
    if (m_cursor->process.count <= 0) return;
    const double y = yPixel(static_cast<double>(m_cursor->process.count));
    if (y >= area.top() && y <= area.bottom()) {
        painter.setPen(QPen(theme().surface, 1.5));
        painter.setBrush(m_cursor->exact ? theme().accent : theme().surface);
        if (!m_cursor->exact) painter.setPen(QPen(theme().accent, 1.6));
        painter.drawEllipse(QPointF(x, y), 5, 5);
    }
    const QString figure =
        m_cursor->exact ? sizeText(m_cursor->process, units()) : tr("≈ %1").arg(sizeText(m_cursor->process, units()));
    const bool leftward = x > area.center().x();
    const double tagY = qBound(area.top() + 20, y - 8, area.bottom() - 24);
    paintTag(painter, QPointF(leftward ? x - 8 : x + 8, tagY),
             (leftward ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignBottom,
             tr("batch %1: %2").arg(countText(m_cursor->x), figure), theme().accent);
}

void MemoryPlot::paintHover(QPainter& painter, const QPointF& at) {
    paintCursor(painter);
    if (mark())
        paintMarkLine(painter, xPixel(*mark()), tr("batch %1").arg(countText(static_cast<qint64>(*mark()))));
    if (!hasMouse() || m_points.empty() || m_draggingCapacity) return;
    const std::int64_t x = snapped(at.x());
    bool exact = false;
    const auto point = this->at(x, &exact);
    if (!point) return;
    const QRectF area = plotArea();
    const double pixel = xPixel(static_cast<double>(x));
    painter.setPen(QPen(theme().mutedText, 1, Qt::DotLine));
    painter.drawLine(QPointF(pixel, area.top()), QPointF(pixel, area.bottom()));

    std::vector<ReadoutLine> lines;
    const auto marked = mark() ? this->at(std::llround(*mark())) : std::nullopt;
    const auto size = [this](Bytes bytes) { return sizeText(bytes, units()); };
    const auto add = [&](const QColor& swatch, const QString& label, Bytes here, Bytes there, bool strong) {
        lines.push_back({swatch, label, size(here), strong, marked ? deltaText(here - there, units()) : QString()});
    };
    const MemoryPoint from = marked.value_or(MemoryPoint());
    add(theme().text, tr("Process"), point->process, from.process, true);
    add(theme().mutedText, tr("Reserved"), point->reserved, from.reserved, false);
    add({}, tr("Allocated"), point->categories.total(), from.categories.total(), true);
    for (auto category = kCategories.rbegin(); category != kCategories.rend(); ++category)
        if (point->categories[*category].count > 0)
            add(categoryColor(*category), categoryLabel(*category), point->categories[*category],
                from.categories[*category], false);
    if (m_capacity) {
        const Bytes spare = *m_capacity - point->process;
        lines.push_back(
            {{}, spare.count >= 0 ? tr("Spare") : tr("Missing"), size(spare.count >= 0 ? spare : -spare), true});
    }
    const QString title = exact ? tr("Batch %1").arg(countText(x)) : tr("Batch %1 (interpolated)").arg(countText(x));
    paintReadout(painter, QPointF(pixel, at.y()), title, lines);
}

std::int64_t MemoryPlot::snapped(double pixel) const {
    const std::int64_t x = std::llround(xAxis->pixelToCoord(pixel));
    return std::clamp(x, m_points.front().x, m_points.back().x);
}

double MemoryPlot::markedAt(double pixel) const {
    return m_points.empty() ? 1.0 : static_cast<double>(snapped(pixel));
}

bool MemoryPlot::isOnCapacity(const QPointF& at) const {
    return m_capacity && plotArea().contains(at) &&
           std::abs(at.y() - yPixel(static_cast<double>(m_capacity->count))) <= kGrip;
}

void MemoryPlot::mousePressEvent(QMouseEvent* event) {
    if (event->button() == Qt::LeftButton && event->modifiers() == Qt::NoModifier && isOnCapacity(event->position())) {
        m_draggingCapacity = true;
        return;
    }
    PlotBase::mousePressEvent(event);
}

void MemoryPlot::mouseMoveEvent(QMouseEvent* event) {
    if (m_draggingCapacity) {
        const QRectF area = plotArea();
        const double y = qBound(area.top(), event->position().y(), area.bottom());
        emit capacityWished({std::llround(yAxis->pixelToCoord(y))});
        return;
    }
    QWidget::setCursor(isOnCapacity(event->position()) ? Qt::SizeVerCursor : Qt::ArrowCursor);
    PlotBase::mouseMoveEvent(event);
}

void MemoryPlot::mouseReleaseEvent(QMouseEvent* event) {
    if (!m_draggingCapacity) {
        PlotBase::mouseReleaseEvent(event);
        return;
    }
    m_draggingCapacity = false;
    dataChanged();
}

void MemoryPlot::clicked(const QPointF& at) {
    if (!m_points.empty()) emit xPicked(snapped(at.x()));
}

}  // namespace tidemark
