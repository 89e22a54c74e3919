// SPDX-License-Identifier: Apache-2.0
#include "widgets/checkpointplot.h"

#include "widgets/text.h"

#include <algorithm>
#include <cmath>

namespace tidemark {
namespace {

constexpr double kHeadroom = 1.2;
constexpr double kLabelSpacing = 22;

double percentOf(const RecomputePoint& point) { return 100 * point.recomputed; }

}  // namespace

CheckpointPlot::CheckpointPlot(QWidget* parent) : PlotBase(parent), m_allocated(addGraph()), m_process(addGraph()) {
    setAccessibleName(tr("Memory against recomputation"));
    m_allocated->setName(tr("Allocated"));
    m_process->setName(tr("Process"));
    xAxis->setLabel(tr("Operators that run twice, %"));
}

void CheckpointPlot::setPoints(std::vector<RecomputePoint> points) {
    m_points = std::move(points);
    dataChanged();
}

void CheckpointPlot::setCapacity(std::optional<Bytes> capacity, const QString& label) {
    m_capacity = capacity;
    m_capacityLabel = label;
    updateOverlay();
}

void CheckpointPlot::setCurrent(int blocks) {
    m_current = blocks;
    updateOverlay();
}

PlotBase::Limits CheckpointPlot::limits() const {
    Limits all;
    double right = 1;
    double top = 1;
    for (const RecomputePoint& point : m_points) {
        right = std::max(right, percentOf(point));
        top = std::max(top, static_cast<double>(point.process.count));
    }
    all.x = QCPRange(-0.04 * right, 1.06 * right);
    all.yMax = top * kHeadroom;
    return all;
}

void CheckpointPlot::refill() {
    QVector<QCPGraphData> allocated, process;
    for (const RecomputePoint& point : m_points) {
        allocated.append({percentOf(point), static_cast<double>(point.allocated.count)});
        process.append({percentOf(point), static_cast<double>(point.process.count)});
    }
    m_allocated->data()->set(allocated);
    m_process->data()->set(process);
}

void CheckpointPlot::restyle() {
    const QColor activations = categoryColor(Category::Activations);
    m_allocated->setPen(QPen(activations, 1.6));
    m_process->setPen(QPen(theme().text, 2));
    for (QCPGraph* graph : {m_allocated, m_process})
        graph->setScatterStyle(
            QCPScatterStyle(QCPScatterStyle::ssCircle, graph->pen(), QBrush(theme().surface), 6));
}

void CheckpointPlot::paintMarks(QPainter& painter, bool) {
    if (m_points.empty()) return;
    const QRectF area = plotArea();
    if (m_capacity) {
        const double y = yPixel(static_cast<double>(m_capacity->count));
        if (y >= area.top() && y <= area.bottom()) {
            painter.setPen(QPen(theme().bad, 1.6, Qt::DashLine));
            painter.drawLine(QPointF(area.left(), y), QPointF(area.right(), y));
            paintTag(painter, QPointF(area.right() - 4, y - 4), Qt::AlignRight | Qt::AlignBottom,
                     tr("%1: %2").arg(m_capacityLabel, sizeText(*m_capacity, units())), theme().bad);
        }
    }
    double free = -std::numeric_limits<double>::infinity();
    for (const RecomputePoint& point : m_points) {
        const QPointF at(xPixel(percentOf(point)), yPixel(static_cast<double>(point.process.count)));
        if (at.x() < free || !area.contains(at)) continue;
        const bool current = point.blocks == m_current;
        paintTag(painter, at + QPointF(0, -7), Qt::AlignHCenter | Qt::AlignBottom, countText(point.blocks),
                 current ? theme().accent : theme().mutedText);
        free = at.x() + kLabelSpacing;
    }
    // Names stand where no line comes: the memory axis begins at zero.
    double bottom = area.bottom() - 4;
    for (const QCPGraph* graph : {m_allocated, m_process}) {
        paintTag(painter, QPointF(area.left() + 6, bottom), Qt::AlignLeft | Qt::AlignBottom, graph->name(),
                 graph->pen().color());
        bottom -= QFontMetricsF(font()).height() + 4;
    }
}

const RecomputePoint* CheckpointPlot::nearest(double pixel) const {
    const auto distance = [&](const RecomputePoint& point) { return std::abs(xPixel(percentOf(point)) - pixel); };
    const auto found =
        std::min_element(m_points.begin(), m_points.end(),
                         [&](const RecomputePoint& a, const RecomputePoint& b) { return distance(a) < distance(b); });
    return found == m_points.end() ? nullptr : &*found;
}

void CheckpointPlot::paintHover(QPainter& painter, const QPointF& at) {
    const RecomputePoint* marked = mark() ? nearest(xPixel(*mark())) : nullptr;
    if (marked) paintMarkLine(painter, xPixel(percentOf(*marked)), tr("%n block(s)", nullptr, marked->blocks));
    const RecomputePoint* point = hasMouse() ? nearest(at.x()) : nullptr;
    if (!point) return;
    const QRectF area = plotArea();
    const double x = xPixel(percentOf(*point));
    painter.setPen(QPen(theme().mutedText, 1, Qt::DotLine));
    painter.drawLine(QPointF(x, area.top()), QPointF(x, area.bottom()));
    const auto line = [&](const QColor& swatch, const QString& name, Bytes RecomputePoint::*size, bool strong) {
        return ReadoutLine{swatch, name, sizeText(point->*size, units()), strong,
                           marked ? deltaText(point->*size - marked->*size, units()) : QString()};
    };
    paintReadout(painter, QPointF(x, at.y()), tr("%n block(s) checkpointed", nullptr, point->blocks),
                 {line(theme().text, tr("Process"), &RecomputePoint::process, true),
                  line({}, tr("Reserved"), &RecomputePoint::reserved, false),
                  line(m_allocated->pen().color(), tr("Allocated"), &RecomputePoint::allocated, false),
                  {{}, tr("Runs twice"), percentText(point->recomputed), false}});
}

void CheckpointPlot::clicked(const QPointF& at) {
    if (const RecomputePoint* point = nearest(at.x())) emit blocksPicked(point->blocks);
}

double CheckpointPlot::markedAt(double pixel) const {
    const RecomputePoint* point = nearest(pixel);
    return point ? percentOf(*point) : 0;
}

}  // namespace tidemark
