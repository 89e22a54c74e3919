// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/base/bytes.h"

#include <QColor>
#include <QRectF>
#include <QString>
#include <QWidget>

#include <optional>
#include <vector>

namespace tidemark {

/// One tile of a treemap. A tile with children is a frame around them; its bytes are theirs.
struct TreemapItem {
    QString label;
    QString detail;  ///< what the tooltip says below label and size
    Bytes bytes;
    QColor color;
    std::vector<TreemapItem> children;
};

/// Divides `area` among the values, in proportion and with tiles as square as their order allows (the squarified layout
/// of Bruls, Huizing and van Wijk). The values fall from the first to the last; one rectangle each, empty ones for zero.
std::vector<QRectF> squarified(const std::vector<double>& values, const QRectF& area);

/// Bytes as areas, two levels deep.
class Treemap : public QWidget {
    Q_OBJECT

public:
    explicit Treemap(QWidget* parent = nullptr);

    void setItems(std::vector<TreemapItem> items);
    void setUnits(ByteUnits units);
    const std::vector<TreemapItem>& items() const { return m_items; }
    /// Marks the group with this index; −1 for none.
    void setCurrentGroup(int group);

    QSize minimumSizeHint() const override { return {160, 100}; }
    QSize sizeHint() const override { return {420, 280}; }

signals:
    /// `child` is −1 when the frame itself was clicked.
    void picked(int group, int child);

protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;

private:
    struct Tile {
        int group;
        int child;
        QRectF area;
    };

    void layOut();
    const Tile* tileAt(const QPointF& at) const;
    const TreemapItem& itemOf(const Tile& tile) const;
    void paintTile(QPainter& painter, const Tile& tile) const;
    void paintFrame(QPainter& painter, const Tile& tile) const;

    std::vector<TreemapItem> m_items;
    std::vector<Tile> m_tiles;  ///< frames before what they hold
    ByteUnits m_units = ByteUnits::Binary;
    std::optional<std::size_t> m_hovered;
    int m_current = -1;
};

}  // namespace tidemark
