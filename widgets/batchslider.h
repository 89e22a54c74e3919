// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QAbstractSlider>

class QSpinBox;

namespace tidemark {

/// A slider over 1 … maximum on a logarithmic scale, so that 1, 2, 4 and 512 are equally easy to reach. Marks stand at
/// the powers of two and, when known, at the largest value that fits. Arrow keys step by one, page keys double and
/// halve.
class LogSlider : public QAbstractSlider {
    Q_OBJECT

public:
    explicit LogSlider(QWidget* parent = nullptr);

    /// 0: not known.
    void setLargestFitting(int value);
    int largestFitting() const { return m_fitting; }

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void sliderChange(SliderChange change) override;

signals:
    void resetWished();

private:
    double positionOf(double value) const;
    int valueAt(double x) const;
    double left() const;
    double right() const;

    int m_fitting = 0;
};

/// The slider with its number field.
class BatchSlider : public QWidget {
    Q_OBJECT

public:
    explicit BatchSlider(QWidget* parent = nullptr);

    int value() const;
    void setValue(int value);
    void setMaximum(int maximum);
    void setLargestFitting(int value);
    LogSlider* slider() const { return m_slider; }
    QSpinBox* spinBox() const { return m_spin; }

signals:
    void valueChanged(int value);
    void resetWished();

private:
    LogSlider* m_slider;
    QSpinBox* m_spin;
};

}  // namespace tidemark
