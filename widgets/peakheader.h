// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/plan/measurement.h"

#include <QAbstractButton>
#include <QWidget>

#include <array>
#include <optional>

class QLabel;

namespace tidemark {

/// The three figures that must not be mixed up, at one batch size.
struct PeakFigures {
    std::int64_t batch = 1;
    Bytes allocated;
    Bytes reserved;
    Bytes process;
    Bytes processLow;
    Bytes processHigh;
    CategoryBytes categories;
    bool exact = false;
};

/// An entry of the legend that is also a switch: swatch, name and figure.
class LegendChip : public QAbstractButton {
    Q_OBJECT

public:
    enum class Mark { Area, Line };

    LegendChip(const QString& name, const QColor& color, Mark mark, QWidget* parent);
    void setValue(const QString& value);
    QString value() const { return m_value; }
    void setColor(const QColor& color);
    QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    QColor m_color;
    Mark m_mark;
    QString m_value;
};

/// What the step takes at the chosen batch: process, reserved and allocated memory in large figures, the parts of the
/// peak as a bar, and the legend of both plots.
class PeakHeader : public QWidget {
    Q_OBJECT

public:
    explicit PeakHeader(QWidget* parent = nullptr);

    void setFigures(const std::optional<PeakFigures>& figures);
    void setUnits(ByteUnits units);
    /// Switches for the two lines; they belong beside the plot that draws them.
    LegendChip* reservedChip() const { return m_reservedChip; }
    LegendChip* processChip() const { return m_processChip; }
    LegendChip* chip(Category category) const { return m_chips[static_cast<std::size_t>(category)]; }
    QString processText() const;
    QString allocatedText() const;
    QString reservedText() const;

signals:
    void categoryToggled(tidemark::Category category, bool visible);
    void reservedToggled(bool visible);
    void processToggled(bool visible);

protected:
    void changeEvent(QEvent* event) override;

private:
    class Composition;
    struct Figure {
        QLabel* value;
        QLabel* caption;
    };

    Figure makeFigure(const QString& name, const QString& hint, bool main, QLayout* row);
    void refresh();

    std::optional<PeakFigures> m_figures;
    ByteUnits m_units = ByteUnits::Binary;
    Figure m_process;
    Figure m_reserved;
    Figure m_allocated;
    QLabel* m_title;
    Composition* m_composition;
    std::array<LegendChip*, kCategoryCount> m_chips{};
    LegendChip* m_reservedChip;
    LegendChip* m_processChip;
};

}  // namespace tidemark
