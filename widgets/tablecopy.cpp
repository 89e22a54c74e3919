// SPDX-License-Identifier: Apache-2.0
#include "widgets/tablecopy.h"

#include <QAbstractItemView>
#include <QApplication>
#include <QClipboard>
#include <QKeyEvent>

#include <algorithm>

namespace tidemark {
namespace {

/// The first cells of the selected rows, in the order in which the view shows them.
QModelIndexList firstCells(const QAbstractItemView& view) {
    QModelIndexList cells;
    for (const QModelIndex& index : view.selectionModel()->selectedIndexes())
        if (const QModelIndex first = index.siblingAtColumn(0); !cells.contains(first)) cells << first;
    std::sort(cells.begin(), cells.end(), [&](const QModelIndex& a, const QModelIndex& b) {
        return view.visualRect(a).top() < view.visualRect(b).top();
    });
    return cells;
}

QString oneLine(const QVariant& cell) {
    return cell.toString().replace(QLatin1Char('\n'), QLatin1Char(' ')).replace(QLatin1Char('\t'), QLatin1Char(' '));
}

}  // namespace

QString selectedRows(const QAbstractItemView& view) {
    const QAbstractItemModel* model = view.model();
    const auto line = [&](auto&& field) {
        QStringList fields;
        for (int column = 0; column < model->columnCount(); ++column) fields << oneLine(field(column));
        return fields.join(QLatin1Char('\t')) + QLatin1Char('\n');
    };
    QString text = line([&](int column) { return model->headerData(column, Qt::Horizontal); });
    for (const QModelIndex& first : firstCells(view))
        text += line([&](int column) { return first.siblingAtColumn(column).data(); });
    return text;
}

TableCopy::TableCopy(QAbstractItemView* view) : QObject(view) { view->installEventFilter(this); }

bool TableCopy::eventFilter(QObject* watched, QEvent* event) {
    const auto* view = static_cast<QAbstractItemView*>(watched);
    if (event->type() != QEvent::KeyPress || !static_cast<QKeyEvent*>(event)->matches(QKeySequence::Copy))
        return QObject::eventFilter(watched, event);
    if (view->selectionModel()->hasSelection()) QApplication::clipboard()->setText(selectedRows(*view));
    return true;
}

}  // namespace tidemark
