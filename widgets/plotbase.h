// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/base/bytes.h"
#include "engine/plan/measurement.h"
#include "widgets/byteaxis.h"
#include "widgets/theme.h"

#include <qcustomplot.h>

#include <array>
#include <optional>
#include <vector>

namespace tidemark {

/// One line of the box beside the mouse.
struct ReadoutLine {
    QColor swatch;  ///< invalid: none
    QString label;
    QString value;
    bool strong = false;
    QString delta{};  ///< against the mark, where there is one
};

/// What both plots share: colours from the palette, zoom and pan that stay inside the data, a light layer on top for
/// cursors and readouts that follows the mouse without drawing the plot again, and output as vectors.
class PlotBase : public QCustomPlot {
    Q_OBJECT

public:
    explicit PlotBase(QWidget* parent = nullptr);

    void setUnits(ByteUnits units);
    ByteUnits units() const { return m_units; }

    void setCategoryVisible(Category category, bool visible);
    bool isCategoryVisible(Category category) const { return m_visible[static_cast<std::size_t>(category)]; }

    /// Shows all the data there is.
    void fit();
    bool isFitted() const { return m_fitted; }
    /// Factor below 1 comes closer, around the middle of the plot.
    void zoom(double factor);
    void pan(double shareOfWidth);

    /// A second cursor that stays: what is under the mouse is then told with its difference to this place.
    void setMark(std::optional<double> x);
    std::optional<double> mark() const { return m_mark; }
    /// Sets the mark where the mouse is, or in the middle of the plot; takes it away when it is there already.
    void toggleMark();

    /// Draws plot and marks as vectors in the given theme, without cursor and readout.
    void renderTo(QCPPainter* painter, const QRectF& target, const Theme& theme);
    QByteArray toSvg(QSize size);
    bool saveSvg(const QString& file, QSize size);
    bool savePng(const QString& file, QSize size, double scale);

    const Theme& theme() const { return m_theme; }

signals:
    void fittedChanged(bool fitted);
    void markChanged(std::optional<double> x);

protected:
    struct Limits {
        QCPRange x;
        double yMax = 1;
    };

    virtual Limits limits() const = 0;
    /// Fills the graphs for the range in sight.
    virtual void refill() = 0;
    virtual void restyle() = 0;
    /// Marks that belong to the plot, also in print.
    virtual void paintMarks(QPainter& painter, bool print) = 0;
    /// The cursor and what is under the mouse.
    virtual void paintHover(QPainter& painter, const QPointF& mouse) = 0;
    virtual void clicked(const QPointF& at) = 0;
    /// The place on the x axis that a mark at this pixel stands for.
    virtual double markedAt(double pixel) const = 0;

    bool hasMouse() const { return m_hasMouse; }
    QPointF mouse() const { return m_mouse; }
    void updateOverlay();
    void dataChanged();
    QRectF plotArea() const { return axisRect()->rect(); }
    double xPixel(double value) const { return xAxis->coordToPixel(value); }
    double yPixel(double value) const { return yAxis->coordToPixel(value); }
    void paintReadout(QPainter& painter, const QPointF& at, const QString& title,
                      const std::vector<ReadoutLine>& lines) const;
    /// The line of the mark, at this pixel.
    void paintMarkLine(QPainter& painter, double pixel, const QString& text) const;
    void paintTag(QPainter& painter, const QPointF& anchor, Qt::Alignment alignment, const QString& text,
                  const QColor& color) const;

    bool event(QEvent* event) override;
    void changeEvent(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;

private:
    class Overlay;

    void applyTheme(const Theme& theme);
    void rangeMoved();
    void setFitted(bool fitted);

    QWidget* m_overlay;
    Theme m_theme;
    QSharedPointer<ByteTicker> m_byteTicker;
    std::array<bool, kCategoryCount> m_visible;
    ByteUnits m_units = ByteUnits::Binary;
    QPointF m_mouse;
    QPoint m_pressedAt;
    std::optional<double> m_mark;
    bool m_hasMouse = false;
    bool m_pressed = false;
    bool m_fitted = true;
    bool m_moving = false;
    bool m_ready = false;
};

}  // namespace tidemark
