// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "widgets/layertreemodel.h"

#include <QSortFilterProxyModel>
#include <QWidget>

class QLabel;
class QLineEdit;
class QMenu;
class QToolButton;
class QTreeView;

namespace tidemark {

/// Keeps the rows whose path or type matches, and their parents.
class LayerFilter : public QSortFilterProxyModel {
    Q_OBJECT

public:
    explicit LayerFilter(QObject* parent = nullptr);
    /// Text is searched as it stands unless `regex`. Returns false when the pattern cannot be read; the filter stays.
    bool setPattern(const QString& text, bool regex);

protected:
    bool filterAcceptsRow(int row, const QModelIndex& parent) const override;
    bool lessThan(const QModelIndex& left, const QModelIndex& right) const override;

private:
    QRegularExpression m_pattern;
};

/// The layer table: filter box, column chooser, tree or flat form, copy and export of what is shown.
class LayerTreeView : public QWidget {
    Q_OBJECT

public:
    explicit LayerTreeView(QWidget* parent = nullptr);

    LayerTreeModel* model() { return m_model; }
    QTreeView* view() { return m_view; }
    QLineEdit* filterBox() { return m_filterBox; }

    /// Shows the layer, opening its parents; −1 clears the selection.
    void selectLayer(int layer);
    int selectedLayer() const;
    void setColumnVisible(int column, bool visible);
    void setFlat(bool flat);
    void expandToBlocks();

    /// The visible columns and rows in their order; exact values, units in the header.
    QString toCsv() const;
    /// The selected rows with a header, separated by tabs, as they are displayed.
    QString selectionText() const;

    QSize sizeHint() const override;
    QByteArray saveState() const;
    void restoreState(const QByteArray& state);
    void resetColumns();

public slots:
    void focusFilter();
    void copySelection();

signals:
    void layerSelected(int layer);
    void layerActivated(int layer);
    void checkpointWished(const QString& path, bool on);
    void exportWished();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void buildToolbar();
    void applyFilter();
    void showHeaderMenu(const QPoint& at);
    void showRowMenu(const QPoint& at);
    void fillColumnMenu(QMenu* menu);
    void refreshIcons();
    std::vector<int> visibleColumns() const;
    void visitRows(const std::function<void(const QModelIndex&, int depth)>& visit) const;

    LayerTreeModel* m_model;
    LayerFilter* m_filter;
    QTreeView* m_view;
    QLineEdit* m_filterBox = nullptr;
    QToolButton* m_regex = nullptr;
    QToolButton* m_flat = nullptr;
    QToolButton* m_columns = nullptr;
    QToolButton* m_export = nullptr;
    QLabel* m_nothing = nullptr;
    QAction* m_searchIcon = nullptr;
};

}  // namespace tidemark
