// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/session/cardtable.h"

#include <QDialog>

#include <thread>

class QLabel;
class QLineEdit;
class QStandardItemModel;
class QTableView;

namespace tidemark {

/// The shown plan on every card: whether it fits, what is spare, the largest batch. Rows appear as they are measured,
/// on workers of the dialog's own, which end with it.
class CardsDialog : public QDialog {
    Q_OBJECT

public:
    enum Column { Card, Memory, Process, Spare, Verdict, Largest, ColumnCount };
    static constexpr int kSortRole = Qt::UserRole + 1;
    static constexpr int kIdRole = Qt::UserRole + 2;

    CardsDialog(const Installation& installation, CardTableRequest request, ByteUnits units, QWidget* parent = nullptr);
    ~CardsDialog() override;

    QTableView* view() const { return m_view; }
    QLineEdit* filter() const { return m_filter; }
    /// All rows are there, or an error says why not.
    bool isComplete() const { return m_complete; }

signals:
    /// A card was picked for the plan.
    void cardChosen(const QString& id);

private:
    void buildView();
    void addRow(const CardRow& row);
    void finish(const std::optional<Error>& error);
    void showProgress();
    void choose(const QModelIndex& index);

    CardTableRequest m_request;
    ByteUnits m_units;
    int m_expected = 0;
    bool m_complete = false;
    QLineEdit* m_filter;
    QStandardItemModel* m_model;
    QTableView* m_view;
    QLabel* m_progress;
    std::jthread m_thread;  ///< last: ends before what it reports to
};

}  // namespace tidemark
