// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/plan/liveset.h"

#include <QWidget>

#include <memory>

class QComboBox;
class QLabel;
class QStandardItem;
class QStandardItemModel;
class QToolButton;
class QTreeView;

namespace tidemark {

class Treemap;

/// What fills the peak, or any other moment of the step: the live set as table and treemap, grouped by category, layer,
/// operator, size or source line.
class LiveView : public QWidget {
    Q_OBJECT

public:
    enum Column { Name, Size, Share, Count, ColumnCount };
    static constexpr int kSortRole = Qt::UserRole + 1;
    static constexpr int kLayerRole = Qt::UserRole + 2;  ///< layer of the row, −1 for none

    explicit LiveView(QWidget* parent = nullptr);

    void setUnits(ByteUnits units);
    void setModel(const ModelInfo& model);
    /// Shows the peak of the measurement; null or one without a timeline empties the view.
    void setMeasurement(std::shared_ptr<const Measurement> measurement);
    void setGrouping(Grouping grouping);
    int moment() const { return m_moment; }
    const std::vector<LiveGroup>& groups() const { return m_groups; }
    QTreeView* view() const { return m_view; }
    Treemap* treemap() const { return m_treemap; }
    /// Groups and what they hold, sizes in bytes.
    QString toCsv() const;

public slots:
    /// Right after this event of the step.
    void showMoment(int event);
    void showPeak();

signals:
    void layerPicked(int layer);

protected:
    void showEvent(QShowEvent* event) override;

private:
    const Timeline& timeline() const { return *m_measurement->timeline; }
    bool hasTimeline() const { return m_measurement && m_measurement->timeline; }
    Grouping grouping() const;
    /// Fills the view now when it can be seen, else when it is shown.
    void refresh();
    void fill();
    void fillTree();
    void fillTreemap();
    QList<QStandardItem*> row(const QString& name, Bytes bytes, qint64 count, int layer) const;
    QString groupName(const LiveGroup& group) const;
    QString allocationName(const Allocation& allocation) const;
    int layerOf(const LiveGroup& group) const;
    QString momentText() const;

    std::shared_ptr<const Measurement> m_measurement;
    ModelInfo m_model;
    std::vector<LiveGroup> m_groups;
    Bytes m_total;
    int m_moment = -1;
    bool m_stale = true;
    ByteUnits m_units = ByteUnits::Binary;
    QLabel* m_title;
    QLabel* m_hint;
    QComboBox* m_grouping;
    QToolButton* m_toPeak;
    QToolButton* m_copy;
    QTreeView* m_view;
    QStandardItemModel* m_rows;
    Treemap* m_treemap;
};

}  // namespace tidemark
