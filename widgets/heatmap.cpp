// SPDX-License-Identifier: Apache-2.0
#include "widgets/heatmap.h"

#include "widgets/text.h"
#include "widgets/theme.h"

#include <QHelpEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>

namespace tidemark {
namespace {

constexpr double kGap = 2;

QColor blend(const QColor& a, const QColor& b, double share) {
    const auto part = [&](int x, int y) { return static_cast<int>(x + (y - x) * share); };
    return {part(a.red(), b.red()), part(a.green(), b.green()), part(a.blue(), b.blue())};
}

}  // namespace

HeatMap::HeatMap(QWidget* parent) : QWidget(parent) {
    setMouseTracking(true);
    setAccessibleName(tr("Memory over two axes"));
}

void HeatMap::setUnits(ByteUnits units) {
    m_units = units;
    update();
}

void HeatMap::setAxes(const QString& xName, std::vector<std::int64_t> xs, const QString& yName,
                      std::vector<std::int64_t> ys) {
    m_xName = xName;
    m_yName = yName;
    m_xs = std::move(xs);
    m_ys = std::move(ys);
    m_cells.assign(m_xs.size() * m_ys.size(), {});
    update();
}

void HeatMap::setCapacity(Bytes capacity, const QString& card) {
    m_capacity = capacity;
    m_card = card;
    update();
}

void HeatMap::setCell(std::size_t x, std::size_t y, HeatCell cell) {
    if (x >= m_xs.size() || y >= m_ys.size()) return;
    m_cells[y * m_xs.size() + x] = std::move(cell);
    update();
}

void HeatMap::setCurrent(std::int64_t x, std::int64_t y) {
    m_current = {x, y};
    update();
}

QRectF HeatMap::grid() const {
    const QFontMetricsF metrics(font());
    double labels = metrics.horizontalAdvance(m_yName);
    for (const std::int64_t y : m_ys) labels = std::max(labels, metrics.horizontalAdvance(countText(y)));
    return QRectF(rect()).adjusted(labels + 22, metrics.height() + 10, -14, -2 * metrics.height() - 12);
}

QRectF HeatMap::cellRect(std::size_t x, std::size_t y) const {
    const QRectF area = grid();
    const double width = area.width() / static_cast<double>(m_xs.size());
    const double height = area.height() / static_cast<double>(m_ys.size());
    return {area.left() + width * static_cast<double>(x), area.bottom() - height * static_cast<double>(y + 1), width,
            height};
}

std::optional<std::pair<std::size_t, std::size_t>> HeatMap::cellAt(const QPointF& at) const {
    for (std::size_t y = 0; y < m_ys.size(); ++y)
        for (std::size_t x = 0; x < m_xs.size(); ++x)
            if (cellRect(x, y).contains(at)) return std::pair{x, y};
    return {};
}

QColor HeatMap::colorOf(const HeatCell& cell) const {
    const Theme theme = Theme::of(palette());
    if (!cell.value) return theme.window;
    const double share =
        m_capacity.count > 0 ? static_cast<double>(cell.value->count) / static_cast<double>(m_capacity.count) : 0;
    if (cell.fits) return blend(theme.surface, theme.accent, 0.12 + 0.5 * std::min(1.0, share));
    return blend(theme.surface, theme.bad, 0.3 + 0.3 * std::min(1.0, (share - 1) / 3));
}

void HeatMap::paintCells(QPainter& painter) const {
    const QFontMetricsF metrics(font());
    for (std::size_t y = 0; y < m_ys.size(); ++y) {
        for (std::size_t x = 0; x < m_xs.size(); ++x) {
            const HeatCell& one = cell(x, y);
            const QRectF area = cellRect(x, y).adjusted(0, 0, -kGap, -kGap);
            painter.fillRect(area, colorOf(one));
            const QString text = one.value            ? sizeText(*one.value, m_units)
                                 : one.note.isEmpty() ? QString()
                                                      : QStringLiteral("–");
            const QColor ink = inkOn(colorOf(one));
            painter.setPen(ink);
            if (metrics.horizontalAdvance(text) + 4 <= area.width() && metrics.height() <= area.height())
                painter.drawText(area, Qt::AlignCenter, text);
            if (m_current == std::pair{m_xs[x], m_ys[y]}) {
                painter.setPen(QPen(ink, 1.5, Qt::DotLine));
                painter.drawRect(area.adjusted(3, 3, -3, -3));
            }
        }
    }
}

void HeatMap::paintAxes(QPainter& painter) const {
    painter.setPen(Theme::of(palette()).mutedText);
    const QRectF area = grid();
    const double height = QFontMetricsF(font()).height();
    for (std::size_t x = 0; x < m_xs.size(); ++x) {
        const QRectF column = cellRect(x, 0);
        painter.drawText(QRectF(column.left(), area.bottom() + 4, column.width(), height), Qt::AlignCenter,
                         countText(m_xs[x]));
    }
    for (std::size_t y = 0; y < m_ys.size(); ++y) {
        const QRectF row = cellRect(0, y);
        painter.drawText(QRectF(0, row.top(), area.left() - 8, row.height()), Qt::AlignRight | Qt::AlignVCenter,
                         countText(m_ys[y]));
    }
    painter.drawText(QRectF(area.left(), area.bottom() + height + 4, area.width(), height + 4), Qt::AlignCenter,
                     m_xName);
    painter.drawText(QRectF(0, area.top() - height - 6, area.left() - 8, height), Qt::AlignRight, m_yName);
    const QString line = m_card.isEmpty() ? QString() : tr("the line is where the %1 is full").arg(m_card);
    painter.drawText(QRectF(area.left(), area.top() - height - 6, area.width(), height), Qt::AlignRight, line);
}

void HeatMap::paintFitsLine(QPainter& painter) const {
    painter.setPen(QPen(Theme::of(palette()).text, 2.5, Qt::SolidLine, Qt::FlatCap));
    const QPointF half(kGap / 2, kGap / 2);
    const auto differ = [](const HeatCell& a, const HeatCell& b) { return a.value && b.value && a.fits != b.fits; };
    for (std::size_t y = 0; y < m_ys.size(); ++y) {
        for (std::size_t x = 0; x < m_xs.size(); ++x) {
            const QRectF area = cellRect(x, y);
            if (x + 1 < m_xs.size() && differ(cell(x, y), cell(x + 1, y)))
                painter.drawLine(area.topRight() - half, area.bottomRight() - half);
            if (y + 1 < m_ys.size() && differ(cell(x, y), cell(x, y + 1)))
                painter.drawLine(area.topLeft() - half, area.topRight() - half);
        }
    }
}

void HeatMap::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.fillRect(rect(), Theme::of(palette()).surface);
    if (m_cells.empty()) return;
    paintCells(painter);
    paintAxes(painter);
    paintFitsLine(painter);
}

void HeatMap::mousePressEvent(QMouseEvent* event) {
    const auto at = cellAt(event->position());
    if (at && event->button() == Qt::LeftButton) emit picked(m_xs[at->first], m_ys[at->second]);
}

bool HeatMap::event(QEvent* event) {
    if (event->type() != QEvent::ToolTip) return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    const auto at = cellAt(help->pos());
    if (!at) {
        QToolTip::hideText();
        return true;
    }
    const HeatCell& one = cell(at->first, at->second);
    QString text = tr("%1 %2, %3 %4").arg(m_xName, countText(m_xs[at->first]), m_yName, countText(m_ys[at->second]));
    if (one.value)
        text +=
            QStringLiteral("\n%1, %2").arg(sizeText(*one.value, m_units), one.fits ? tr("fits") : tr("does not fit"));
    else
        text += QLatin1Char('\n') + (one.note.isEmpty() ? tr("not measured yet") : one.note);
    QToolTip::showText(help->globalPos(), text, this);
    return true;
}

}  // namespace tidemark
