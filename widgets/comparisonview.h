// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/base/bytes.h"
#include "widgets/variantcomparison.h"

#include <QWidget>

class QComboBox;
class QLabel;
class QStandardItem;
class QStandardItemModel;
class QToolButton;
class QTreeView;

namespace tidemark {

/// Two variants side by side: their verdicts, kinds of memory, and the tree of layers with value, value, Δ and Δ %. A
/// row holds the sum of a layer and all below it; the rows at the top sum to the peaks and their difference exactly.
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
    void showComparison(const VariantComparison& comparison);
    /// Nothing to compare yet, and why.
    void showHint(const QString& hint);
    QTreeView* view() const { return m_view; }
    QStandardItemModel* model() const { return m_model; }
    /// Kinds and layers, each layer by itself, in exact bytes.
    QString toCsv() const;
    /// The selected rows with a header, separated by tabs, as they are displayed.
    QString selectionText() const;

signals:
    void layerPicked(int layer);
    void exportWished();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void fill();
    void fillKinds();
    void fillLayers();
    QStringList headers(const QString& baseline, const QString& other) const;
    QList<QStandardItem*> rowOf(const QString& name, const BytesPair& pair, const QString& tip, int layer,
                                RowStatus status) const;
    QString nameOf(const ComparedLayer& layer) const;
    QString tipOf(const ComparedLayer& layer) const;
    const BytesPair& measured(const ComparedLayer& layer) const;
    void refresh();

    QLabel* m_hint;
    QLabel* m_verdicts;
    QComboBox* m_measure;
    QToolButton* m_export;
    QTreeView* m_view;
    QStandardItemModel* m_model;
    VariantComparison m_shown;
    bool m_filled = false;
    ByteUnits m_units = ByteUnits::Binary;
};

}  // namespace tidemark
