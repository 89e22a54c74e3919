// SPDX-License-Identifier: Apache-2.0
#include "widgets/batchslider.h"

#include "widgets/theme.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QSignalBlocker>
#include <QSpinBox>

#include <cmath>

namespace tidemark {
namespace {

constexpr double kKnob = 8;
constexpr int kDefaultMaximum = 1024;
constexpr int kLargestTyped = 1'000'000;

}  // namespace

LogSlider::LogSlider(QWidget* parent) : QAbstractSlider(parent) {
    setOrientation(Qt::Horizontal);
    setRange(1, kDefaultMaximum);
    setFocusPolicy(Qt::StrongFocus);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void LogSlider::setLargestFitting(int value) {
    if (m_fitting == value) return;
    m_fitting = value;
    update();
}

QSize LogSlider::sizeHint() const { return {200, 24 + fontMetrics().height()}; }
QSize LogSlider::minimumSizeHint() const { return {100, 24 + fontMetrics().height()}; }

double LogSlider::left() const { return kKnob + 2; }
double LogSlider::right() const { return width() - kKnob - 2; }

double LogSlider::positionOf(double value) const {
    const double share = std::log2(qMax(1.0, value)) / std::log2(qMax(2.0, static_cast<double>(maximum())));
    return left() + qBound(0.0, share, 1.0) * (right() - left());
}

int LogSlider::valueAt(double x) const {
    const double share = qBound(0.0, (x - left()) / qMax(1.0, right() - left()), 1.0);
    return qBound(
        minimum(),
        static_cast<int>(std::lround(std::pow(2.0, share * std::log2(qMax(2.0, static_cast<double>(maximum())))))),
        maximum());
}

void LogSlider::paintEvent(QPaintEvent*) {
    const Theme theme = Theme::of(palette());
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const double y = 11;
    const double knob = positionOf(value());
    const auto line = [&](double from, double to, const QColor& color) {
        if (to <= from) return;
        painter.setPen(QPen(color, 4, Qt::SolidLine, Qt::RoundCap));
        painter.drawLine(QPointF(from, y), QPointF(to, y));
    };
    const QColor active = isEnabled() ? theme.accent : theme.border;
    line(left(), right(), theme.border);
    if (m_fitting > 0 && isEnabled() && m_fitting < value()) {
        line(left(), knob, theme.bad);
        line(left(), positionOf(m_fitting), active);
    } else
        line(left(), knob, active);

    double free = -1;
    painter.setFont(font());
    for (int mark = 1; mark <= maximum(); mark *= 2) {
        const double x = positionOf(mark);
        painter.setPen(QPen(theme.mutedText, 1));
        painter.drawLine(QPointF(x, y + 7), QPointF(x, y + 10));
        const QString text = mark >= 1024 ? QString::number(mark / 1024) + QLatin1Char('k') : QString::number(mark);
        QRectF box(0, 0, fontMetrics().horizontalAdvance(text), fontMetrics().height());
        box.moveTop(y + 11);
        box.moveLeft(qBound(0.0, x - box.width() / 2, width() - box.width()));
        if (box.left() < free) continue;
        painter.drawText(box, Qt::AlignCenter, text);
        free = box.right() + 5;
        if (mark > maximum() / 2) break;
    }
    if (m_fitting > 0 && m_fitting <= maximum()) {
        const double x = positionOf(m_fitting);
        painter.setPen(QPen(theme.good, 2));
        painter.drawLine(QPointF(x, y - 8), QPointF(x, y + 8));
    }
    painter.setPen(hasFocus() ? QPen(theme.text, 2) : QPen(theme.surface, 1.5));
    painter.setBrush(isEnabled() ? theme.accent : theme.mutedText);
    painter.drawEllipse(QPointF(knob, y), kKnob - 0.5, kKnob - 0.5);
}

void LogSlider::mousePressEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton) return;
    setSliderDown(true);
    setValue(valueAt(event->position().x()));
}

void LogSlider::mouseMoveEvent(QMouseEvent* event) {
    if (isSliderDown()) setValue(valueAt(event->position().x()));
}

void LogSlider::mouseReleaseEvent(QMouseEvent* event) {
    if (event->button() == Qt::LeftButton) setSliderDown(false);
}

void LogSlider::mouseDoubleClickEvent(QMouseEvent*) { emit resetWished(); }

void LogSlider::keyPressEvent(QKeyEvent* event) {
    switch (event->key()) {
    case Qt::Key_Left:
    case Qt::Key_Down: setValue(value() - 1); break;
    case Qt::Key_Right:
    case Qt::Key_Up: setValue(value() + 1); break;
    case Qt::Key_PageUp: setValue(qMin(maximum(), value() * 2)); break;
    case Qt::Key_PageDown: setValue(qMax(1, value() / 2)); break;
    case Qt::Key_Home: setValue(minimum()); break;
    case Qt::Key_End: setValue(maximum()); break;
    default: event->ignore();
    }
}

void LogSlider::wheelEvent(QWheelEvent* event) { event->ignore(); }

void LogSlider::sliderChange(SliderChange change) {
    QAbstractSlider::sliderChange(change);
    update();
}

BatchSlider::BatchSlider(QWidget* parent) : QWidget(parent), m_slider(new LogSlider(this)), m_spin(new QSpinBox(this)) {
    m_spin->setRange(1, kLargestTyped);
    m_spin->setKeyboardTracking(false);
    m_spin->setAlignment(Qt::AlignRight);
    m_spin->setFixedWidth(m_spin->fontMetrics().horizontalAdvance(QStringLiteral("0000000")) + 40);
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(8);
    row->addWidget(m_slider, 1);
    row->addWidget(m_spin, 0, Qt::AlignTop);
    setFocusProxy(m_slider);
    connect(m_slider, &QAbstractSlider::valueChanged, this, [this](int value) {
        const QSignalBlocker quiet(m_spin);
        m_spin->setValue(value);
        emit valueChanged(value);
    });
    connect(m_spin, &QSpinBox::valueChanged, this, [this](int value) {
        const QSignalBlocker quiet(m_slider);
        if (value > m_slider->maximum()) setMaximum(value);
        m_slider->setValue(value);
        emit valueChanged(value);
    });
    connect(m_slider, &LogSlider::resetWished, this, &BatchSlider::resetWished);
}

int BatchSlider::value() const { return m_spin->value(); }

void BatchSlider::setValue(int value) {
    if (value > m_slider->maximum()) setMaximum(value);
    m_spin->setValue(value);
}

void BatchSlider::setMaximum(int maximum) {
    int power = 16;
    while (power < maximum && power < kLargestTyped) power *= 2;
    const QSignalBlocker quiet(m_slider);
    m_slider->setMaximum(qMax(power, 1));
}

void BatchSlider::setLargestFitting(int value) { m_slider->setLargestFitting(value); }

}  // namespace tidemark
