// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QObject>
#include <QString>

class QAbstractItemView;

namespace tidemark {

/// The selected rows of a table or tree with a row of headers, as tab-separated text from top to bottom.
QString selectedRows(const QAbstractItemView& view);

/// Makes the keys of Copy put selectedRows() of the view onto the clipboard. Belongs to the view.
class TableCopy : public QObject {
    Q_OBJECT

public:
    explicit TableCopy(QAbstractItemView* view);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
};

}  // namespace tidemark
