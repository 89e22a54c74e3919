// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/base/bytes.h"

#include <QString>
#include <QWidget>

#include <optional>
#include <utility>
#include <vector>

namespace tidemark {

/// What a step takes at one pair of sizes.
struct HeatCell {
    std::optional<Bytes> value;  ///< empty: not measured
    bool fits = false;
    QString note;                ///< why there is no value
};

/// Memory over two axes as a table of colours, with the line between what fits the card and what does not.
class HeatMap : public QWidget {
    Q_OBJECT

public:
    explicit HeatMap(QWidget* parent = nullptr);

    void setUnits(ByteUnits units);
    void setAxes(const QString& xName, std::vector<std::int64_t> xs, const QString& yName, std::vector<std::int64_t> ys);
    void setCapacity(Bytes capacity, const QString& card);
    void setCell(std::size_t x, std::size_t y, HeatCell cell);
    const HeatCell& cell(std::size_t x, std::size_t y) const { return m_cells[y * m_xs.size() + x]; }
    /// The step that the window shows; marked in the table when it is one of its cells.
    void setCurrent(std::int64_t x, std::int64_t y);

    QSize minimumSizeHint() const override { return {240, 140}; }

signals:
    void picked(qint64 x, qint64 y);

protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;

private:
    QRectF grid() const;
    QRectF cellRect(std::size_t x, std::size_t y) const;
    std::optional<std::pair<std::size_t, std::size_t>> cellAt(const QPointF& at) const;
    QColor colorOf(const HeatCell& cell) const;
    void paintCells(QPainter& painter) const;
    void paintAxes(QPainter& painter) const;
    void paintFitsLine(QPainter& painter) const;

    QString m_xName;
    QString m_yName;
    QString m_card;
    std::vector<std::int64_t> m_xs;
    std::vector<std::int64_t> m_ys;
    std::vector<HeatCell> m_cells;  ///< row by row, from the bottom
    Bytes m_capacity;
    std::pair<std::int64_t, std::int64_t> m_current{0, 0};
    ByteUnits m_units = ByteUnits::Binary;
};

}  // namespace tidemark
