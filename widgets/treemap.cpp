// SPDX-License-Identifier: Apache-2.0
#include "widgets/treemap.h"

#include "widgets/text.h"
#include "widgets/theme.h"

#include <QHelpEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>
#include <numeric>

namespace tidemark {
namespace {

constexpr double kGap = 1;
constexpr double kPadding = 4;
constexpr double kSmallestFrame = 46;
constexpr double kSmallestTile = 1.5;

/// How far from square the worst tile of a row is that holds `sum` along a side.
double worstRatio(double smallest, double largest, double sum, double side) {
    const double square = sum * sum;
    return std::max(side * side * largest / square, square / (side * side * smallest));
}

/// The label without the outer parts of its path where there is no room for them: "layer1.0.conv3" ends as "conv3".
QString fittingLabel(QString label, const QFontMetricsF& metrics, double width) {
    const qsizetype end = label.indexOf(QLatin1String("  "));
    const QString path = label.left(end < 0 ? label.size() : end);
    for (qsizetype dot = -1; metrics.horizontalAdvance(path.mid(dot + 1)) > width;) {
        const qsizetype next = path.indexOf(QLatin1Char('.'), dot + 1);
        if (next < 0) break;
        dot = next;
        label = path.mid(dot + 1);
    }
    return metrics.elidedText(label, Qt::ElideRight, width);
}

}  // namespace

std::vector<QRectF> squarified(const std::vector<double>& values, const QRectF& area) {
    std::vector<QRectF> rects(values.size());
    const double total = std::accumulate(values.begin(), values.end(), 0.0);
    if (total <= 0 || area.isEmpty()) return rects;
    const double scale = area.width() * area.height() / total;
    QRectF rest = area;
    for (std::size_t begin = 0; begin < values.size() && values[begin] > 0;) {
        const double side = std::min(rest.width(), rest.height());
        const double largest = values[begin] * scale;
        double sum = largest, worst = worstRatio(largest, largest, sum, side);
        std::size_t end = begin + 1;
        for (; end < values.size() && values[end] > 0; ++end) {
            const double next = values[end] * scale;
            const double ratio = worstRatio(next, largest, sum + next, side);
            if (ratio > worst) break;
            worst = ratio;
            sum += next;
        }
        const bool upright = rest.width() >= rest.height();
        const double thickness = sum / side;
        double along = upright ? rest.top() : rest.left();
        for (std::size_t i = begin; i < end; ++i) {
            const double length = values[i] * scale / thickness;
            rects[i] =
                upright ? QRectF(rest.left(), along, thickness, length) : QRectF(along, rest.top(), length, thickness);
            along += length;
        }
        if (upright)
            rest.setLeft(rest.left() + thickness);
        else
            rest.setTop(rest.top() + thickness);
        begin = end;
    }
    return rects;
}

Treemap::Treemap(QWidget* parent) : QWidget(parent) {
    setMouseTracking(true);
    setAccessibleName(tr("Live memory as areas"));
}

void Treemap::setItems(std::vector<TreemapItem> items) {
    m_items = std::move(items);
    m_current = -1;
    layOut();
}

void Treemap::setUnits(ByteUnits units) {
    m_units = units;
    update();
}

void Treemap::setCurrentGroup(int group) {
    m_current = group;
    update();
}

void Treemap::layOut() {
    m_tiles.clear();
    m_hovered.reset();
    const auto values = [](const std::vector<TreemapItem>& items) {
        std::vector<double> sizes;
        for (const TreemapItem& item : items) sizes.push_back(static_cast<double>(item.bytes.count));
        return sizes;
    };
    const double title = QFontMetricsF(font()).height() + 4;
    const auto groups = squarified(values(m_items), QRectF(rect()));
    for (std::size_t g = 0; g < groups.size(); ++g) {
        if (groups[g].width() < kSmallestTile || groups[g].height() < kSmallestTile) continue;
        m_tiles.push_back({static_cast<int>(g), -1, groups[g]});
        QRectF inner = groups[g].adjusted(kGap, kGap, -kGap, -kGap);
        if (groups[g].width() > kSmallestFrame && groups[g].height() > kSmallestFrame)
            inner.setTop(inner.top() + title);
        const auto tiles = squarified(values(m_items[g].children), inner);
        for (std::size_t c = 0; c < tiles.size(); ++c)
            if (tiles[c].width() >= kSmallestTile && tiles[c].height() >= kSmallestTile)
                m_tiles.push_back({static_cast<int>(g), static_cast<int>(c), tiles[c]});
    }
    update();
}

const TreemapItem& Treemap::itemOf(const Tile& tile) const {
    const TreemapItem& group = m_items[static_cast<std::size_t>(tile.group)];
    return tile.child < 0 ? group : group.children[static_cast<std::size_t>(tile.child)];
}

const Treemap::Tile* Treemap::tileAt(const QPointF& at) const {
    for (auto tile = m_tiles.rbegin(); tile != m_tiles.rend(); ++tile)
        if (tile->area.contains(at)) return &*tile;
    return nullptr;
}

void Treemap::paintFrame(QPainter& painter, const Tile& tile) const {
    const Theme theme = Theme::of(palette());
    const TreemapItem& item = itemOf(tile);
    painter.fillRect(tile.area.adjusted(0, 0, -kGap, -kGap), tile.group == m_current ? theme.selection : theme.raised);
    if (tile.area.width() <= kSmallestFrame || tile.area.height() <= kSmallestFrame) return;
    const QRectF line = tile.area.adjusted(kPadding, 2, -kPadding, 0);
    const QFontMetricsF metrics(font());
    const QString size = sizeText(item.bytes, m_units);
    const double sizeWidth = metrics.horizontalAdvance(size);
    const bool both = line.width() > sizeWidth + 60;
    painter.setPen(theme.text);
    painter.drawText(line, Qt::AlignLeft | Qt::AlignTop,
                     metrics.elidedText(item.label, Qt::ElideMiddle, line.width() - (both ? sizeWidth + 8 : 0)));
    painter.setPen(theme.mutedText);
    if (both) painter.drawText(line, Qt::AlignRight | Qt::AlignTop, size);
}

void Treemap::paintTile(QPainter& painter, const Tile& tile) const {
    const TreemapItem& item = itemOf(tile);
    const QRectF area = tile.area.adjusted(0, 0, -kGap, -kGap);
    painter.fillRect(area, item.color);
    const QFontMetricsF metrics(font());
    const QRectF inner = area.adjusted(kPadding, 2, -kPadding, -2);
    if (inner.height() < metrics.height() || inner.width() < 34) return;
    painter.setPen(inkOn(item.color));
    painter.drawText(inner, Qt::AlignLeft | Qt::AlignTop, fittingLabel(item.label, metrics, inner.width()));
    const QString size = sizeText(item.bytes, m_units);
    if (inner.height() < 2 * metrics.height() || inner.width() < metrics.horizontalAdvance(size)) return;
    painter.drawText(inner.adjusted(0, metrics.height(), 0, 0), Qt::AlignLeft | Qt::AlignTop, size);
}

void Treemap::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    const Theme theme = Theme::of(palette());
    painter.fillRect(rect(), theme.surface);
    for (const Tile& tile : m_tiles) {
        if (tile.child < 0)
            paintFrame(painter, tile);
        else
            paintTile(painter, tile);
    }
    if (!m_hovered) return;
    painter.setPen(QPen(theme.text, 2));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(m_tiles[*m_hovered].area.adjusted(1, 1, -2, -2));
}

void Treemap::resizeEvent(QResizeEvent*) { layOut(); }

void Treemap::mousePressEvent(QMouseEvent* event) {
    const Tile* tile = tileAt(event->position());
    if (tile && event->button() == Qt::LeftButton) emit picked(tile->group, tile->child);
}

void Treemap::mouseMoveEvent(QMouseEvent* event) {
    const Tile* tile = tileAt(event->position());
    const std::optional<std::size_t> hovered =
        tile ? std::optional(static_cast<std::size_t>(tile - m_tiles.data())) : std::nullopt;
    if (hovered == m_hovered) return;
    m_hovered = hovered;
    update();
}

void Treemap::leaveEvent(QEvent*) {
    m_hovered.reset();
    update();
}

bool Treemap::event(QEvent* event) {
    if (event->type() == QEvent::FontChange) layOut();
    if (event->type() != QEvent::ToolTip) return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    const Tile* tile = tileAt(help->pos());
    if (!tile) {
        QToolTip::hideText();
        return true;
    }
    const TreemapItem& item = itemOf(*tile);
    QString text = QStringLiteral("%1: %2").arg(item.label, sizeText(item.bytes, m_units));
    if (!item.detail.isEmpty()) text += QLatin1Char('\n') + item.detail;
    QToolTip::showText(help->globalPos(), text, this, tile->area.toRect());
    return true;
}

}  // namespace tidemark
