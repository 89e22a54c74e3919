// SPDX-License-Identifier: Apache-2.0
#include "widgets/plotbase.h"

#include <QBuffer>
#include <QFileInfo>
#include <QMenu>
#include <QSaveFile>
#include <QSvgGenerator>

namespace tidemark {
namespace {

constexpr int kClickSlack = 4;
constexpr int kReadoutPadding = 8;

}  // namespace

class PlotBase::Overlay : public QWidget {
public:
    explicit Overlay(PlotBase* plot) : QWidget(plot), m_plot(plot) {
        setAttribute(Qt::WA_TransparentForMouseEvents);
        setAttribute(Qt::WA_NoSystemBackground);
    }

protected:
    void paintEvent(QPaintEvent*) override {
        QPainter painter(this);
        painter.setRenderHint(QPainter::Antialiasing);
        m_plot->paintMarks(painter, false);
        m_plot->paintHover(painter, m_plot->mouse());
    }

private:
    PlotBase* m_plot;
};

PlotBase::PlotBase(QWidget* parent) : QCustomPlot(parent), m_overlay(new Overlay(this)), m_byteTicker(new ByteTicker) {
    m_visible.fill(true);
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    setMinimumSize(240, 120);
    setInteractions(QCP::iRangeDrag | QCP::iRangeZoom);
    setNoAntialiasingOnDrag(false);
    // Lines run along the edges of all fills: smoothing the fills as well only costs time.
    setNotAntialiasedElements(QCP::aeFills);
    setAutoAddPlottableToLegend(false);
    axisRect()->setRangeDrag(Qt::Horizontal | Qt::Vertical);
    axisRect()->setRangeZoom(Qt::Horizontal);
    axisRect()->setRangeZoomFactor(0.8);
    axisRect()->setMinimumMargins(QMargins(8, 8, 14, 4));
    axisRect()->setAutoMargins(QCP::msRight | QCP::msTop | QCP::msBottom);
    plotLayout()->setRowSpacing(0);
    yAxis->setTicker(m_byteTicker);
    m_byteTicker->setTickCount(5);
    yAxis->grid()->setSubGridVisible(false);
    xAxis->grid()->setVisible(false);
    for (QCPAxis* axis : {xAxis, yAxis}) {
        axis->setTickLengthIn(0);
        axis->setTickLabelPadding(6);
        axis->setSubTicks(false);
    }
    xAxis->setTickLengthOut(4);
    yAxis->setTickLengthOut(0);
    connect(xAxis, qOverload<const QCPRange&>(&QCPAxis::rangeChanged), this, [this] { rangeMoved(); });
    connect(yAxis, qOverload<const QCPRange&>(&QCPAxis::rangeChanged), this, [this] { rangeMoved(); });
    connect(this, &QCustomPlot::afterReplot, this, &PlotBase::updateOverlay);
}

void PlotBase::setUnits(ByteUnits units) {
    m_units = units;
    m_byteTicker->setUnits(units);
    replot(rpQueuedReplot);
}

void PlotBase::setCategoryVisible(Category category, bool visible) {
    bool& current = m_visible[static_cast<std::size_t>(category)];
    if (current == visible) return;
    current = visible;
    dataChanged();
}

void PlotBase::dataChanged() {
    m_ready = true;
    if (m_fitted) {
        fit();
        return;
    }
    refill();
    replot(rpQueuedReplot);
}

void PlotBase::fit() {
    const Limits all = limits();
    m_moving = true;
    xAxis->setRange(all.x);
    yAxis->setRange(0, all.yMax);
    m_moving = false;
    setFitted(true);
    if (m_ready) refill();
    replot(rpQueuedReplot);
}

void PlotBase::setFitted(bool fitted) {
    if (m_fitted == fitted) return;
    m_fitted = fitted;
    emit fittedChanged(fitted);
}

void PlotBase::rangeMoved() {
    if (m_moving) return;
    m_moving = true;
    const Limits all = limits();
    QCPRange x = xAxis->range();
    if (x.size() >= all.x.size() ||
        (xAxis->scaleType() == QCPAxis::stLogarithmic && x.upper / x.lower >= all.x.upper / all.x.lower))
        x = all.x;
    else if (xAxis->scaleType() == QCPAxis::stLogarithmic) {
        if (x.lower < all.x.lower) x = QCPRange(all.x.lower, all.x.lower * x.upper / x.lower);
        if (x.upper > all.x.upper) x = QCPRange(all.x.upper * x.lower / x.upper, all.x.upper);
    } else
        x = x.bounded(all.x.lower, all.x.upper);
    xAxis->setRange(x);
    QCPRange y = yAxis->range();
    y = y.size() >= all.yMax ? QCPRange(0, all.yMax) : y.bounded(0, all.yMax);
    yAxis->setRange(y);
    m_moving = false;
    setFitted(x.lower <= all.x.lower && x.upper >= all.x.upper && y.lower <= 0 && y.upper >= all.yMax);
    if (m_ready) refill();
    replot(rpQueuedReplot);
}

void PlotBase::zoom(double factor) {
    const QPointF middle = plotArea().center();
    xAxis->scaleRange(factor, xAxis->pixelToCoord(middle.x()));
}

void PlotBase::pan(double shareOfWidth) {
    const double pixels = plotArea().width() * shareOfWidth;
    const QRectF area = plotArea();
    xAxis->setRange(xAxis->pixelToCoord(area.left() + pixels), xAxis->pixelToCoord(area.right() + pixels));
}

void PlotBase::setMark(std::optional<double> x) {
    if (m_mark == x) return;
    m_mark = x;
    updateOverlay();
    emit markChanged(x);
}

void PlotBase::toggleMark() {
    const double x = markedAt(m_hasMouse ? m_mouse.x() : plotArea().center().x());
    setMark(m_mark == x ? std::nullopt : std::optional(x));
}

void PlotBase::applyTheme(const Theme& theme) {
    m_theme = theme;
    setBackground(theme.surface);
    for (QCPAxis* axis : {xAxis, yAxis}) {
        axis->setTickLabelColor(theme.mutedText);
        axis->setLabelColor(theme.mutedText);
        axis->setTickPen(QPen(theme.border, 1));
        axis->setBasePen(QPen(theme.border, 1));
        axis->setTickLabelFont(font());
        axis->setLabelFont(font());
        axis->grid()->setPen(QPen(theme.grid, 1));
        axis->grid()->setZeroLinePen(QPen(theme.grid, 1));
    }
    yAxis->setBasePen(Qt::NoPen);
    // A fixed margin, so that plots under each other line up.
    QMargins margins = axisRect()->margins();
    margins.setLeft(fontMetrics().horizontalAdvance(QStringLiteral("0000 MiB")) + 14);
    axisRect()->setMargins(margins);
    restyle();
}

void PlotBase::renderTo(QCPPainter* painter, const QRectF& target, const Theme& theme) {
    const Theme own = m_theme;
    const QRect before = viewport();
    applyTheme(theme);
    setBackground(QBrush(Qt::NoBrush));
    painter->save();
    painter->translate(target.topLeft());
    setViewport(QRect(QPoint(0, 0), target.size().toSize()));
    if (m_ready) refill();
    painter->setMode(QCPPainter::pmVectorized);
    painter->setMode(QCPPainter::pmNoCaching);
    draw(painter);
    painter->setClipping(false);
    painter->setRenderHint(QPainter::Antialiasing);
    paintMarks(*painter, true);
    painter->restore();
    setViewport(before);
    applyTheme(own);
    if (m_ready) refill();
    replot(rpQueuedReplot);
}

QByteArray PlotBase::toSvg(QSize size) {
    QByteArray svg;
    QBuffer buffer(&svg);
    QSvgGenerator generator;
    generator.setOutputDevice(&buffer);
    generator.setSize(size);
    generator.setViewBox(QRect(QPoint(0, 0), size));
    generator.setTitle(accessibleName());
    QCPPainter painter;
    if (!painter.begin(&generator)) return {};
    renderTo(&painter, QRectF(QPointF(0, 0), size), Theme::light());
    painter.end();
    return svg;
}

bool PlotBase::saveSvg(const QString& file, QSize size) {
    const QByteArray svg = toSvg(size);
    QSaveFile target(file);
    return !svg.isEmpty() && target.open(QIODevice::WriteOnly) && target.write(svg) == svg.size() && target.commit();
}

bool PlotBase::savePng(const QString& file, QSize size, double scale) {
    QImage image(size * scale, QImage::Format_ARGB32_Premultiplied);
    image.setDevicePixelRatio(scale);
    image.fill(m_theme.surface);
    QCPPainter painter(&image);
    painter.setRenderHint(QPainter::Antialiasing);
    renderTo(&painter, QRectF(QPointF(0, 0), size), m_theme);
    painter.end();
    return image.save(file, "PNG");
}

void PlotBase::updateOverlay() { m_overlay->update(); }

void PlotBase::paintReadout(QPainter& painter, const QPointF& at, const QString& title,
                            const std::vector<ReadoutLine>& lines) const {
    QFont bold = font();
    bold.setBold(true);
    const QFontMetricsF metrics(font());
    const QFontMetricsF boldMetrics(bold);
    const double lineHeight = metrics.height() + 3;
    double labels = 0;
    double values = 0;
    double deltas = 0;
    for (const auto& line : lines) {
        const auto& used = line.strong ? boldMetrics : metrics;
        labels = qMax(labels, used.horizontalAdvance(line.label) + (line.swatch.isValid() ? 16 : 0));
        values = qMax(values, used.horizontalAdvance(line.value));
        if (!line.delta.isEmpty()) deltas = qMax(deltas, used.horizontalAdvance(line.delta) + 14);
    }
    const double inner = qMax(boldMetrics.horizontalAdvance(title), labels + 18 + values + deltas);
    QRectF box(0, 0, inner + 2 * kReadoutPadding,
               lineHeight * (static_cast<double>(lines.size()) + 1) + 2 * kReadoutPadding - 2);
    box.moveTopLeft(at + QPointF(16, -box.height() / 2));
    if (box.right() > width() - 4) box.moveRight(at.x() - 16);
    if (box.left() < 4) box.moveLeft(4);
    box.moveTop(qBound(4.0, box.top(), qMax(4.0, height() - box.height() - 4)));

    QColor ground = m_theme.raised;
    ground.setAlphaF(0.96f);
    painter.setPen(QPen(m_theme.border, 1));
    painter.setBrush(ground);
    painter.drawRoundedRect(box.adjusted(0.5, 0.5, -0.5, -0.5), 5, 5);
    painter.setPen(m_theme.text);
    painter.setFont(bold);
    double y = box.top() + kReadoutPadding;
    painter.drawText(QRectF(box.left() + kReadoutPadding, y, inner, lineHeight), Qt::AlignLeft | Qt::AlignVCenter,
                     title);
    for (const auto& line : lines) {
        y += lineHeight;
        const QRectF row(box.left() + kReadoutPadding, y, inner, lineHeight);
        double left = row.left();
        if (line.swatch.isValid()) {
            painter.fillRect(QRectF(left, row.center().y() - 5, 10, 10), line.swatch);
            left += 16;
        }
        painter.setFont(line.strong ? bold : font());
        painter.setPen(line.strong ? m_theme.text : m_theme.mutedText);
        painter.drawText(QRectF(left, y, inner, lineHeight), Qt::AlignLeft | Qt::AlignVCenter, line.label);
        painter.setPen(m_theme.text);
        painter.drawText(row.adjusted(0, 0, -deltas, 0), Qt::AlignRight | Qt::AlignVCenter, line.value);
        painter.setPen(m_theme.accent);
        painter.drawText(row, Qt::AlignRight | Qt::AlignVCenter, line.delta);
    }
    painter.setFont(font());
}

void PlotBase::paintMarkLine(QPainter& painter, double pixel, const QString& text) const {
    const QRectF area = plotArea();
    if (pixel < area.left() - 0.5 || pixel > area.right() + 0.5) return;
    painter.setPen(QPen(m_theme.accent, 1.2, Qt::DashLine));
    painter.drawLine(QPointF(pixel, area.top()), QPointF(pixel, area.bottom()));
    paintTag(painter, QPointF(pixel, area.top() + 2), Qt::AlignHCenter | Qt::AlignTop, text, m_theme.accent);
}

void PlotBase::paintTag(QPainter& painter, const QPointF& anchor, Qt::Alignment alignment, const QString& text,
                        const QColor& color) const {
    const QFontMetricsF metrics(font());
    QRectF box(0, 0, metrics.horizontalAdvance(text) + 10, metrics.height() + 3);
    const QRectF area = plotArea();
    box.moveCenter(anchor);
    if (alignment & Qt::AlignLeft) box.moveLeft(anchor.x());
    if (alignment & Qt::AlignRight) box.moveRight(anchor.x());
    if (alignment & Qt::AlignTop) box.moveTop(anchor.y());
    if (alignment & Qt::AlignBottom) box.moveBottom(anchor.y());
    if (box.right() > area.right()) box.moveRight(area.right());
    if (box.left() < area.left()) box.moveLeft(area.left());
    QColor ground = m_theme.surface;
    ground.setAlphaF(0.94f);
    painter.setPen(Qt::NoPen);
    painter.setBrush(ground);
    painter.drawRoundedRect(box, 3, 3);
    painter.setPen(color);
    painter.setFont(font());
    painter.drawText(box, Qt::AlignCenter, text);
}

bool PlotBase::event(QEvent* event) {
    if (event->type() == QEvent::Polish) applyTheme(Theme::of(palette()));
    return QCustomPlot::event(event);
}

void PlotBase::changeEvent(QEvent* event) {
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange) {
        applyTheme(Theme::of(palette()));
        if (m_ready) refill();
        replot(rpQueuedReplot);
    }
    QCustomPlot::changeEvent(event);
}

void PlotBase::resizeEvent(QResizeEvent* event) {
    m_overlay->setGeometry(rect());
    QCustomPlot::resizeEvent(event);
    if (m_ready) refill();
}

void PlotBase::mousePressEvent(QMouseEvent* event) {
    m_pressed = event->button() == Qt::LeftButton;
    m_pressedAt = event->pos();
    setSelectionRectMode(event->modifiers() & Qt::ShiftModifier ? QCP::srmZoom : QCP::srmNone);
    QCustomPlot::mousePressEvent(event);
}

void PlotBase::mouseReleaseEvent(QMouseEvent* event) {
    const bool still = (event->pos() - m_pressedAt).manhattanLength() <= kClickSlack;
    QCustomPlot::mouseReleaseEvent(event);
    if (m_pressed && still && plotArea().contains(event->pos())) {
        if (event->modifiers() & Qt::ControlModifier)
            toggleMark();
        else
            clicked(event->pos());
    }
    m_pressed = false;
}

void PlotBase::mouseMoveEvent(QMouseEvent* event) {
    m_mouse = event->position();
    m_hasMouse = plotArea().contains(m_mouse);
    QCustomPlot::mouseMoveEvent(event);
    updateOverlay();
}

void PlotBase::mouseDoubleClickEvent(QMouseEvent* event) {
    QCustomPlot::mouseDoubleClickEvent(event);
    m_pressed = false;
    fit();
}

void PlotBase::leaveEvent(QEvent* event) {
    m_hasMouse = false;
    updateOverlay();
    QCustomPlot::leaveEvent(event);
}

void PlotBase::wheelEvent(QWheelEvent* event) {
    axisRect()->setRangeZoom(event->modifiers() & Qt::ControlModifier ? Qt::Vertical : Qt::Horizontal);
    QCustomPlot::wheelEvent(event);
}

void PlotBase::keyPressEvent(QKeyEvent* event) {
    switch (event->key()) {
    case Qt::Key_Plus:
    case Qt::Key_Equal: zoom(0.8); return;
    case Qt::Key_Minus: zoom(1.25); return;
    case Qt::Key_Left: pan(-0.1); return;
    case Qt::Key_Right: pan(0.1); return;
    case Qt::Key_Home: fit(); return;
    case Qt::Key_M: toggleMark(); return;
    case Qt::Key_Escape:
        if (m_mark)
            setMark({});
        else
            QCustomPlot::keyPressEvent(event);
        return;
    default: QCustomPlot::keyPressEvent(event);
    }
}

void PlotBase::contextMenuEvent(QContextMenuEvent* event) {
    QMenu menu(this);
    if (plotArea().contains(event->pos())) {
        const double x = markedAt(event->pos().x());
        connect(menu.addAction(tr("Mark this place")), &QAction::triggered, this, [this, x] { setMark(x); });
    }
    QAction* clear = menu.addAction(tr("Take the mark away"));
    clear->setEnabled(m_mark.has_value());
    connect(clear, &QAction::triggered, this, [this] { setMark({}); });
    QAction* all = menu.addAction(tr("Show all"));
    all->setEnabled(!m_fitted);
    connect(all, &QAction::triggered, this, &PlotBase::fit);
    menu.addSeparator();
    menu.addActions(actions());
    menu.exec(event->globalPos());
}

}  // namespace tidemark
