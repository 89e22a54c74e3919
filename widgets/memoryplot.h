// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "widgets/plotbase.h"

#include <map>
#include <optional>
#include <set>

namespace tidemark {

/// What the step takes at one size of the batch (or of another axis). Only exact points are ever given; the plot draws
/// what lies between two of them as interpolated.
struct MemoryPoint {
    std::int64_t x = 1;
    CategoryBytes categories;  ///< sums to allocated
    Bytes reserved;
    Bytes process;  ///< reserved and context: what nvidia-smi shows
    Bytes processLow;
    Bytes processHigh;
};

/// What lies between two points on a straight line.
MemoryPoint interpolated(const MemoryPoint& a, const MemoryPoint& b, std::int64_t x);

/// The process memory of another variant, for comparison.
struct MemorySeries {
    QString name;
    QColor color;
    std::vector<MemoryPoint> points;
};

/// A step that ran on a real card: its process memory, or where it ran out of the card's.
struct MeasuredMark {
    std::int64_t x = 1;
    Bytes process;
    bool outOfMemory = false;
};

/// The figures at the cursor, and whether they are exact or interpolated.
struct MemoryCursor {
    std::int64_t x = 1;
    Bytes allocated;
    Bytes reserved;
    Bytes process;
    bool exact = false;
};

/// Memory against batch size: allocated memory stacked by category, reserved and process memory as lines, the card's
/// capacity, the largest batch that fits and a cursor.
class MemoryPlot : public PlotBase {
    Q_OBJECT

public:
    explicit MemoryPlot(QWidget* parent = nullptr);

    /// Points in ascending order of x. The name is used where several variants are shown.
    void setPoints(std::vector<MemoryPoint> points);
    void setOthers(std::vector<MemorySeries> others);
    void setMainName(const QString& name) { m_name = name; }
    /// Marks beside the plan; they stay until they are set anew.
    void setMeasured(std::vector<MeasuredMark> marks);
    void setCapacity(std::optional<Bytes> capacity, const QString& label);
    void setLargestFitting(std::optional<std::int64_t> x);
    void setCursor(std::optional<MemoryCursor> cursor);
    void setAxisName(const QString& name);
    void setLogarithmic(bool on);
    bool isLogarithmic() const { return m_log; }
    void setReservedVisible(bool visible);
    void setOtherVisible(int index, bool visible);
    void setProcessVisible(bool visible);
    void clear();

    /// Linear between the exact neighbours; nothing outside of them.
    std::optional<MemoryPoint> at(std::int64_t x, bool* exact = nullptr) const;

    QCPGraph* categoryGraph(Category category) const { return m_areas[static_cast<std::size_t>(category)]; }
    QCPGraph* processGraph() const { return m_processExact; }
    QCPGraph* interpolatedGraph() const { return m_processBetween; }
    QCPGraph* otherGraph(int index) const { return m_otherGraphs[static_cast<std::size_t>(index)]; }
    QCPGraph* dotsGraph() const { return m_dots; }
    QCPGraph* measuredGraph() const { return m_measured; }
    QCPGraph* outOfMemoryGraph() const { return m_outOfMemory; }
    QCPGraph* reservedGraph() const { return m_reserved; }
    QCPGraph* lowGraph() const { return m_low; }
    QCPGraph* highGraph() const { return m_high; }
    std::optional<Bytes> capacity() const { return m_capacity; }
    std::optional<std::int64_t> largestFitting() const { return m_largest; }
    const std::optional<MemoryCursor>& cursor() const { return m_cursor; }

signals:
    /// A click or a drag of the cursor asks for this batch.
    void xPicked(qint64 x);
    /// The line of the card is dragged to this capacity.
    void capacityWished(tidemark::Bytes capacity);

protected:
    Limits limits() const override;
    void refill() override;
    void restyle() override;
    void paintMarks(QPainter& painter, bool print) override;
    void paintHover(QPainter& painter, const QPointF& mouse) override;
    void clicked(const QPointF& at) override;
    double markedAt(double pixel) const override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;

private:
    void fillStack();
    void fillLines();
    void fillOthers();
    void fillMeasured();
    void paintOutOfMemory(QPainter& painter);
    void paintCapacity(QPainter& painter);
    void paintLargest(QPainter& painter);
    void paintCursor(QPainter& painter);
    /// No room for all the words beside its lines: those that legend and verdict say as well are left out.
    bool isLow() const;
    void paintSeriesNames(QPainter& painter);
    QColor seriesColor(const MemorySeries& series) const;
    std::int64_t snapped(double pixel) const;
    bool isOnCapacity(const QPointF& at) const;

    std::vector<MemoryPoint> m_points;
    std::vector<MemorySeries> m_others;
    std::vector<MeasuredMark> m_marks;
    std::array<QCPGraph*, kCategoryCount> m_areas{};
    QCPGraph* m_low;
    QCPGraph* m_high;
    QCPGraph* m_reserved;
    QCPGraph* m_processBetween;
    QCPGraph* m_processExact;
    QCPGraph* m_dots;
    QCPGraph* m_measured;
    QCPGraph* m_outOfMemory;
    std::vector<QCPGraph*> m_otherGraphs;
    std::set<QString> m_hiddenOthers;
    QSharedPointer<BatchTicker> m_ticker;
    QString m_name;
    QString m_axisName;
    std::optional<Bytes> m_capacity;
    QString m_capacityLabel;
    std::optional<std::int64_t> m_largest;
    std::optional<MemoryCursor> m_cursor;
    bool m_log = false;
    bool m_draggingCapacity = false;
};

}  // namespace tidemark
