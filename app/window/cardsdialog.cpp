// SPDX-License-Identifier: Apache-2.0
#include "app/window/cardsdialog.h"

#include "widgets/tablecopy.h"
#include "widgets/text.h"

#include <QDialogButtonBox>
#include <QFontMetrics>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSortFilterProxyModel>
#include <QStandardItemModel>
#include <QTableView>
#include <QVBoxLayout>

#include <algorithm>

namespace tidemark {
namespace {

constexpr int kArrowWidth = 16;
constexpr int kCellMargin = 16;

QStandardItem* itemOf(const QString& text, const QVariant& sort, bool number) {
    auto* item = new QStandardItem(text);
    item->setData(sort, CardsDialog::kSortRole);
    item->setEditable(false);
    item->setTextAlignment(Qt::AlignVCenter | (number ? Qt::AlignRight : Qt::AlignLeft));
    return item;
}

}  // namespace

CardsDialog::CardsDialog(const Installation& installation, CardTableRequest request, ByteUnits units, QWidget* parent)
    : QDialog(parent),
      m_request(std::move(request)),
      m_units(units),
      m_filter(new QLineEdit(this)),
      m_model(new QStandardItemModel(0, ColumnCount, this)),
      m_view(new QTableView(this)),
      m_progress(new QLabel(this)) {
    setWindowTitle(tr("This plan on every card"));
    std::erase_if(m_request.cards, [](const Gpu& gpu) { return !gpu.supported; });
    m_expected = static_cast<int>(m_request.cards.size());
    buildView();
    m_filter->setPlaceholderText(tr("Filter cards"));
    m_filter->setClearButtonEnabled(true);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
    QPushButton* use = buttons->addButton(tr("Plan for this card"), QDialogButtonBox::ActionRole);
    use->setEnabled(false);
    connect(m_view->selectionModel(), &QItemSelectionModel::selectionChanged, use,
            [this, use] { use->setEnabled(m_view->selectionModel()->hasSelection()); });
    connect(use, &QPushButton::clicked, this, [this] { choose(m_view->currentIndex()); });
    connect(m_view, &QTableView::doubleClicked, this, &CardsDialog::choose);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    auto* layout = new QVBoxLayout(this);
    layout->addWidget(m_filter);
    layout->addWidget(m_view);
    layout->addWidget(m_progress);
    layout->addWidget(buttons);
    resize(720, 640);
    showProgress();
    m_thread = std::jthread([this, installation](std::stop_token stop) {
        const auto error = planCards(
            installation, m_request,
            [this](const CardRow& row) {
                QMetaObject::invokeMethod(
                    this, [this, row] { addRow(row); }, Qt::QueuedConnection);
            },
            stop);
        if (!stop.stop_requested())
            QMetaObject::invokeMethod(
                this, [this, error] { finish(error); }, Qt::QueuedConnection);
    });
}

CardsDialog::~CardsDialog() = default;

void CardsDialog::buildView() {
    m_model->setHorizontalHeaderLabels(
        {tr("Card"), tr("Memory"), tr("Process"), tr("Spare"), tr("Fits"), tr("Largest batch")});
    for (int column = Memory; column < ColumnCount; ++column)
        if (column != Verdict)
            m_model->setHeaderData(column, Qt::Horizontal, int(Qt::AlignRight | Qt::AlignVCenter),
                                   Qt::TextAlignmentRole);
    m_model->setHeaderData(Verdict, Qt::Horizontal, int(Qt::AlignLeft | Qt::AlignVCenter), Qt::TextAlignmentRole);
    m_model->setHeaderData(Card, Qt::Horizontal, int(Qt::AlignLeft | Qt::AlignVCenter), Qt::TextAlignmentRole);
    auto* sorted = new QSortFilterProxyModel(this);
    sorted->setSourceModel(m_model);
    sorted->setSortRole(kSortRole);
    sorted->setFilterCaseSensitivity(Qt::CaseInsensitive);
    connect(m_filter, &QLineEdit::textChanged, sorted, &QSortFilterProxyModel::setFilterFixedString);
    m_view->setModel(sorted);
    m_view->setSortingEnabled(true);
    m_view->sortByColumn(Memory, Qt::AscendingOrder);
    m_view->setSelectionBehavior(QAbstractItemView::SelectRows);
    new TableCopy(m_view);
    m_view->setSelectionMode(QAbstractItemView::SingleSelection);
    m_view->setAlternatingRowColors(true);
    m_view->setShowGrid(false);
    m_view->verticalHeader()->hide();
    m_view->horizontalHeader()->setSectionResizeMode(Card, QHeaderView::Stretch);
    // Rows come later: wide enough for any size and for the header with its arrow.
    const QFontMetrics metrics = m_view->fontMetrics();
    for (int column = Memory; column < ColumnCount; ++column) {
        const QString title = m_model->headerData(column, Qt::Horizontal).toString();
        const QString widest = column == Verdict ? tr("probably") : QStringLiteral("−1000.0 MiB");
        const int width = std::max(metrics.horizontalAdvance(title) + kArrowWidth, metrics.horizontalAdvance(widest));
        m_view->horizontalHeader()->resizeSection(column, width + kCellMargin);
    }
}

void CardsDialog::addRow(const CardRow& row) {
    const auto size = [this](Bytes bytes) { return itemOf(sizeText(bytes, m_units), qint64(bytes.count), true); };
    const FitLevel level = row.fit.level;
    QStandardItem* name = itemOf(QString::fromStdString(row.gpu.label), QString::fromStdString(row.gpu.label), false);
    name->setData(QString::fromStdString(row.gpu.id), kIdRole);
    name->setToolTip(QString::fromStdString(row.gpu.name));
    const QString verdict = level == FitLevel::Fits ? tr("yes") : level == FitLevel::Tight ? tr("probably") : tr("no");
    QString largest;
    if (row.largest) largest = (row.largest->limitReached ? tr("≥ %1") : QStringLiteral("%1")).arg(row.largest->batch);
    m_model->appendRow({name, size(row.gpu.memory), size(row.fit.process.value), size(row.fit.spare),
                        itemOf(verdict, int(level), false),
                        itemOf(largest, qint64(row.largest ? row.largest->batch : -1), true)});
    showProgress();
}

void CardsDialog::finish(const std::optional<Error>& error) {
    m_complete = true;
    if (error)
        m_progress->setText(localText(error->message));
    else
        showProgress();
}

void CardsDialog::showProgress() {
    const int known = m_model->rowCount();
    int fitting = 0;
    for (int row = 0; row < known; ++row)
        fitting += m_model->item(row, Verdict)->data(kSortRole).toInt() != int(FitLevel::DoesNotFit);
    m_progress->setText(known < m_expected ? tr("%1 of %2 cards planned").arg(known).arg(m_expected)
                                           : tr("Fits %1 of %2 cards").arg(fitting).arg(known));
}

void CardsDialog::choose(const QModelIndex& index) {
    if (!index.isValid()) return;
    emit cardChosen(index.siblingAtColumn(Card).data(kIdRole).toString());
    accept();
}

}  // namespace tidemark
