// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/plan/comparison.h"

#include <QWidget>

class QComboBox;
class QLabel;
class QStandardItem;
class QStandardItemModel;
class QTreeView;

namespace tidemark {

/// Two variants side by side: kinds of memory and layers with value, value, Δ and Δ %. The layers' column of live
/// memory sums to the difference of the peaks exactly.
class ComparisonView : public QWidget {
    Q_OBJECT

public:
    enum Column { Name, Baseline, Other, Delta, DeltaShare, ColumnCount };
    enum class Measure { LiveAtPeak, Saved, Weights };
    static constexpr int kSortRole = Qt::UserRole + 1;
    static constexpr int kBytesRole = Qt::UserRole + 2;  ///< exact bytes as a number
    static constexpr int kLayerRole = Qt::UserRole + 3;  ///< layer of the other variant, −1 for none

    explicit ComparisonView(QWidget* parent = nullptr);

    void setUnits(ByteUnits units);
    void showComparison(const Comparison& comparison, const QString& baseline, const QString& other,
                        const QStringList& changes);
    /// Nothing to compare yet, and why.
    void showHint(const QString& hint);
    QTreeView* view() const { return m_view; }
    QStandardItemModel* model() const { return m_model; }
    QString toCsv() const;

signals:
    void layerPicked(int layer);

private:
    void fill();
    void addRow(QStandardItem* group, const QString& name, const BytesPair& pair, const QString& tip, int layer,
                RowStatus status);

    QLabel* m_hint;
    QComboBox* m_measure;
    QTreeView* m_view;
    QStandardItemModel* m_model;
    Comparison m_comparison;
    QString m_baseline;
    QString m_other;
    bool m_filled = false;
    ByteUnits m_units = ByteUnits::Binary;
};

}  // namespace tidemark
