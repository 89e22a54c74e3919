// SPDX-License-Identifier: Apache-2.0
#include "widgets/layertreeview.h"

#include "widgets/icons.h"
#include "widgets/text.h"
#include "widgets/theme.h"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPainter>
#include <QRegularExpression>
#include <QStyledItemDelegate>
#include <QToolButton>
#include <QTreeView>
#include <QVBoxLayout>

namespace tidemark {
namespace {

constexpr int kPreferredCharacters = 62;

/// Draws the share of the peak as a bar behind the number, and the marks beside the layer's name.
class LayerDelegate : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
        if (index.column() == LayerTreeModel::ShareOfPeak) paintShare(painter, option, index);
        QStyledItemDelegate::paint(painter, option, index);
        if (index.column() == LayerTreeModel::Layer) paintMarks(painter, option, index);
    }

    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override {
        QSize size = QStyledItemDelegate::sizeHint(option, index);
        size.setHeight(qMax(size.height(), option.fontMetrics.height() + 8));
        return size;
    }

protected:
    void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override {
        QStyledItemDelegate::initStyleOption(option, index);
        const Theme theme = Theme::of(option->palette);
        if (index.column() == LayerTreeModel::Layer && index.data(LayerTreeModel::PeakCauseRole).toBool())
            option->font.setBold(true);
        if (index.column() == LayerTreeModel::Type || index.column() == LayerTreeModel::Output ||
            option->text == QStringLiteral("–"))
            option->palette.setColor(QPalette::Text, theme.mutedText);
        if (option->text == QStringLiteral("–")) option->palette.setColor(QPalette::HighlightedText, theme.mutedText);
    }

private:
    static void paintShare(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) {
        const double share = index.data(LayerTreeModel::RawRole).toDouble();
        if (share <= 0) return;
        const bool cause = index.data(LayerTreeModel::PeakCauseRole).toBool();
        QColor color = cause ? categoryColor(Category::Temporary) : Theme::of(option.palette).accent;
        color.setAlphaF(cause ? 0.45f : 0.22f);
        QRectF bar = QRectF(option.rect).adjusted(2, 3, -2, -3);
        bar.setWidth(qMax(2.0, bar.width() * qMin(1.0, share)));
        painter->save();
        painter->setRenderHint(QPainter::Antialiasing);
        painter->setPen(Qt::NoPen);
        painter->setBrush(color);
        painter->drawRoundedRect(bar, 2, 2);
        painter->restore();
    }

    static void paintMarks(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) {
        const Theme theme = Theme::of(option.palette);
        int right = option.rect.right() - 18;
        const auto mark = [&](const char* name, const QColor& color) {
            const QRect box(right, option.rect.center().y() - 7, 15, 15);
            if (box.left() > option.rect.left() + 40) icon(QLatin1String(name), color).paint(painter, box);
            right -= 18;
        };
        if (index.data(LayerTreeModel::PeakMomentRole).toBool()) mark("peak", categoryColor(Category::Temporary));
        if (index.data(LayerTreeModel::CheckpointedRole).toBool()) mark("reload", theme.mutedText);
    }
};

}  // namespace

LayerFilter::LayerFilter(QObject* parent) : QSortFilterProxyModel(parent) {
    setRecursiveFilteringEnabled(true);
    setSortRole(LayerTreeModel::SortRole);
    setDynamicSortFilter(true);
}

bool LayerFilter::setPattern(const QString& text, bool regex) {
    const QRegularExpression pattern(regex ? text : QRegularExpression::escape(text),
                                     QRegularExpression::CaseInsensitiveOption);
    if (!pattern.isValid()) return false;
    m_pattern = pattern;
    invalidateFilter();
    return true;
}

bool LayerFilter::filterAcceptsRow(int row, const QModelIndex& parent) const {
    if (m_pattern.pattern().isEmpty()) return true;
    const QModelIndex index = sourceModel()->index(row, LayerTreeModel::Layer, parent);
    if (index.data(LayerTreeModel::PathRole).toString().contains(m_pattern)) return true;
    return index.siblingAtColumn(LayerTreeModel::Type).data().toString().contains(m_pattern);
}

bool LayerFilter::lessThan(const QModelIndex& left, const QModelIndex& right) const {
    const QVariant a = left.data(LayerTreeModel::SortRole);
    const QVariant b = right.data(LayerTreeModel::SortRole);
    if (a.metaType().id() == QMetaType::QString) return QString::localeAwareCompare(a.toString(), b.toString()) < 0;
    if (a.metaType().id() == QMetaType::Double) return a.toDouble() < b.toDouble();
    return a.toLongLong() < b.toLongLong();
}

LayerTreeView::LayerTreeView(QWidget* parent)
    : QWidget(parent), m_model(new LayerTreeModel(this)), m_filter(new LayerFilter(this)), m_view(new QTreeView(this)) {
    m_filter->setSourceModel(m_model);
    m_view->setModel(m_filter);
    m_view->setItemDelegate(new LayerDelegate(m_view));
    m_view->setUniformRowHeights(true);
    m_view->setAlternatingRowColors(true);
    m_view->setAllColumnsShowFocus(true);
    m_view->setSelectionMode(QAbstractItemView::ExtendedSelection);
    m_view->setContextMenuPolicy(Qt::CustomContextMenu);
    m_view->setSortingEnabled(true);
    m_view->setIndentation(14);
    m_view->setAccessibleName(tr("Layers"));
    m_view->installEventFilter(this);
    m_view->header()->setContextMenuPolicy(Qt::CustomContextMenu);
    m_view->header()->setSectionsMovable(true);
    m_view->header()->setStretchLastSection(false);
    m_view->header()->setFirstSectionMovable(false);
    m_view->header()->setHighlightSections(false);

    m_nothing = new QLabel(tr("No layer matches the filter"), m_view);
    m_nothing->setAlignment(Qt::AlignCenter);
    m_nothing->setProperty("muted", true);
    m_nothing->hide();
    auto* over = new QVBoxLayout(m_view->viewport());
    over->addWidget(m_nothing);

    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    buildToolbar();
    layout->addWidget(m_view);
    resetColumns();
    refreshIcons();

    connect(m_view->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            [this](const QModelIndex& current) {
                emit layerSelected(current.isValid() ? current.data(LayerTreeModel::LayerIndexRole).toInt() : -1);
            });
    connect(m_view, &QTreeView::activated, this, [this](const QModelIndex& index) {
        emit layerActivated(index.data(LayerTreeModel::LayerIndexRole).toInt());
    });
    connect(m_view->header(), &QWidget::customContextMenuRequested, this, &LayerTreeView::showHeaderMenu);
    connect(m_view, &QWidget::customContextMenuRequested, this, &LayerTreeView::showRowMenu);
    connect(m_model, &QAbstractItemModel::modelReset, this, &LayerTreeView::expandToBlocks);
}

void LayerTreeView::buildToolbar() {
    auto* bar = new QWidget(this);
    auto* row = new QHBoxLayout(bar);
    row->setContentsMargins(6, 5, 6, 5);
    row->setSpacing(3);

    m_filterBox = new QLineEdit(bar);
    m_filterBox->setPlaceholderText(tr("Filter layers"));
    m_filterBox->setAccessibleName(tr("Filter layers"));
    m_filterBox->setToolTip(tr("Part of a layer's path or type"));
    m_filterBox->setClearButtonEnabled(true);
    m_searchIcon = m_filterBox->addAction(QIcon(), QLineEdit::LeadingPosition);
    m_filterBox->installEventFilter(this);

    const auto button = [&](const QString& name, const QString& tip, bool checkable) {
        auto* b = new QToolButton(bar);
        b->setToolTip(tip);
        b->setAccessibleName(name);
        b->setCheckable(checkable);
        b->setAutoRaise(true);
        return b;
    };
    m_regex = button(tr("Regular expression"), tr("Read the filter as a regular expression"), true);
    m_regex->setText(QStringLiteral(".*"));
    m_flat =
        button(tr("Flat list"), tr("List every layer by itself, without sums, to sort across the whole model"), true);
    m_columns = button(tr("Columns"), tr("Choose the columns"), false);
    m_columns->setPopupMode(QToolButton::InstantPopup);
    auto* menu = new QMenu(m_columns);
    connect(menu, &QMenu::aboutToShow, this, [this, menu] { fillColumnMenu(menu); });
    m_columns->setMenu(menu);
    m_export = button(tr("Export layers as CSV"), tr("Save the rows and columns shown as CSV, sizes in bytes"), false);

    row->addWidget(m_filterBox, 1);
    for (auto* b : {m_regex, m_flat, m_columns, m_export}) row->addWidget(b);
    layout()->addWidget(bar);

    connect(m_filterBox, &QLineEdit::textChanged, this, &LayerTreeView::applyFilter);
    connect(m_regex, &QToolButton::toggled, this, &LayerTreeView::applyFilter);
    connect(m_flat, &QToolButton::toggled, this, &LayerTreeView::setFlat);
    connect(m_export, &QToolButton::clicked, this, &LayerTreeView::exportWished);
}

void LayerTreeView::refreshIcons() {
    const Theme theme = Theme::of(palette());
    m_searchIcon->setIcon(icon(QStringLiteral("search"), theme.mutedText));
    m_flat->setIcon(icon(QStringLiteral("flat"), theme.text));
    m_columns->setIcon(icon(QStringLiteral("columns"), theme.text));
    m_export->setIcon(icon(QStringLiteral("csv"), theme.text));
}

void LayerTreeView::changeEvent(QEvent* event) {
    if (event->type() == QEvent::PaletteChange) refreshIcons();
    QWidget::changeEvent(event);
}

void LayerTreeView::applyFilter() {
    const bool valid = m_filter->setPattern(m_filterBox->text(), m_regex->isChecked());
    m_filterBox->setProperty("invalid", !valid);
    m_filterBox->setToolTip(valid ? tr("Part of a layer's path or type") : tr("This is no regular expression"));
    m_filterBox->style()->unpolish(m_filterBox);
    m_filterBox->style()->polish(m_filterBox);
    if (!m_filterBox->text().isEmpty()) m_view->expandAll();
    m_nothing->setVisible(m_filter->rowCount() == 0 && m_model->rowCount() > 0);
}

void LayerTreeView::focusFilter() {
    m_filterBox->setFocus(Qt::ShortcutFocusReason);
    m_filterBox->selectAll();
}

void LayerTreeView::setFlat(bool flat) {
    const int layer = selectedLayer();
    m_flat->setChecked(flat);
    m_model->setFlat(flat);
    m_view->setRootIsDecorated(!flat);
    if (flat)
        m_view->sortByColumn(LayerTreeModel::ShareOfPeak, Qt::DescendingOrder);
    else
        m_view->sortByColumn(LayerTreeModel::Layer, Qt::AscendingOrder);
    selectLayer(layer);
}

void LayerTreeView::expandToBlocks() {
    m_view->expandToDepth(m_model->rowCount() > 0 && m_model->model().layers.size() < 40 ? 3 : 1);
}

void LayerTreeView::selectLayer(int layer) {
    const QModelIndex index = m_filter->mapFromSource(m_model->indexOfLayer(layer));
    if (!index.isValid()) {
        m_view->clearSelection();
        m_view->selectionModel()->clearCurrentIndex();
        return;
    }
    if (m_view->currentIndex().siblingAtColumn(0) == index) return;
    m_view->selectionModel()->setCurrentIndex(index, QItemSelectionModel::ClearAndSelect | QItemSelectionModel::Rows);
    m_view->scrollTo(index);
}

int LayerTreeView::selectedLayer() const {
    const QModelIndex index = m_view->currentIndex();
    return index.isValid() ? index.data(LayerTreeModel::LayerIndexRole).toInt() : -1;
}

void LayerTreeView::setColumnVisible(int column, bool visible) {
    if (column != LayerTreeModel::Layer) m_view->setColumnHidden(column, !visible);
}

void LayerTreeView::resetColumns() {
    using M = LayerTreeModel;
    static constexpr int kOrder[] = {
        M::Layer,  M::ShareOfPeak,        M::Saved,          M::Parameters,       M::Weights,           M::Type,
        M::Output, M::Gradients,          M::OptimizerState, M::ForwardTemporary, M::BackwardTemporary, M::LiveAtPeak,
        M::Calls,  M::MultiplyAccumulates};
    static constexpr int kHidden[] = {M::ForwardTemporary, M::BackwardTemporary, M::LiveAtPeak, M::Calls,
                                      M::MultiplyAccumulates};
    QHeaderView* header = m_view->header();
    for (int i = 0; i < M::ColumnCount; ++i) header->moveSection(header->visualIndex(kOrder[i]), i);
    for (int column = 0; column < M::ColumnCount; ++column)
        m_view->setColumnHidden(column, std::find(std::begin(kHidden), std::end(kHidden), column) != std::end(kHidden));
    const QFontMetrics metrics(m_view->font());
    for (int column = 0; column < M::ColumnCount; ++column) {
        const QString title = m_model->headerData(column, Qt::Horizontal).toString();
        int width =
            qMax(metrics.size(0, title).width() + 24, metrics.horizontalAdvance(QStringLiteral("000,000,000")) + 12);
        if (column == M::Layer) width = metrics.averageCharWidth() * 23;
        if (column == M::Type) width = metrics.averageCharWidth() * 16;
        if (column == M::Output) width = metrics.averageCharWidth() * 26;
        m_view->setColumnWidth(column, width);
    }
    m_view->sortByColumn(M::Layer, Qt::AscendingOrder);
}

QSize LayerTreeView::sizeHint() const { return {fontMetrics().averageCharWidth() * kPreferredCharacters, 600}; }

QByteArray LayerTreeView::saveState() const { return m_view->header()->saveState(); }

void LayerTreeView::restoreState(const QByteArray& state) {
    if (!state.isEmpty() && !m_view->header()->restoreState(state)) resetColumns();
}

void LayerTreeView::fillColumnMenu(QMenu* menu) {
    menu->clear();
    for (int column = LayerTreeModel::Type; column < LayerTreeModel::ColumnCount; ++column) {
        QAction* action = menu->addAction(LayerTreeModel::columnTitle(column));
        action->setCheckable(true);
        action->setChecked(!m_view->isColumnHidden(column));
        action->setToolTip(m_model->headerData(column, Qt::Horizontal, Qt::ToolTipRole).toString());
        connect(action, &QAction::toggled, this, [this, column](bool on) { setColumnVisible(column, on); });
    }
    menu->setToolTipsVisible(true);
    menu->addSeparator();
    connect(menu->addAction(tr("Reset columns")), &QAction::triggered, this, &LayerTreeView::resetColumns);
}

void LayerTreeView::showHeaderMenu(const QPoint& at) {
    QMenu menu(this);
    fillColumnMenu(&menu);
    menu.exec(m_view->header()->mapToGlobal(at));
}

void LayerTreeView::showRowMenu(const QPoint& at) {
    const QModelIndex index = m_view->indexAt(at).siblingAtColumn(0);
    if (!index.isValid()) return;
    const QString path = index.data(LayerTreeModel::PathRole).toString();
    QMenu menu(this);
    connect(menu.addAction(tr("Copy")), &QAction::triggered, this, &LayerTreeView::copySelection);
    connect(menu.addAction(tr("Copy path")), &QAction::triggered, this,
            [path] { QApplication::clipboard()->setText(path); });
    menu.addSeparator();
    QAction* checkpoint = menu.addAction(tr("Checkpoint this layer"));
    checkpoint->setCheckable(true);
    checkpoint->setChecked(index.data(LayerTreeModel::CheckpointedRole).toBool());
    checkpoint->setEnabled(!path.isEmpty());
    connect(checkpoint, &QAction::toggled, this, [this, path](bool on) { emit checkpointWished(path, on); });
    menu.addSeparator();
    connect(menu.addAction(tr("Expand all")), &QAction::triggered, m_view, &QTreeView::expandAll);
    connect(menu.addAction(tr("Collapse all")), &QAction::triggered, m_view, &QTreeView::collapseAll);
    menu.exec(m_view->viewport()->mapToGlobal(at));
}

bool LayerTreeView::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::KeyPress) {
        auto* key = static_cast<QKeyEvent*>(event);
        if (watched == m_view && key->matches(QKeySequence::Copy)) {
            copySelection();
            return true;
        }
        if (watched == m_filterBox && key->key() == Qt::Key_Escape && !m_filterBox->text().isEmpty()) {
            m_filterBox->clear();
            return true;
        }
        if (watched == m_filterBox && key->key() == Qt::Key_Down) {
            m_view->setFocus();
            return true;
        }
    }
    return QWidget::eventFilter(watched, event);
}

std::vector<int> LayerTreeView::visibleColumns() const {
    std::vector<int> columns;
    const QHeaderView* header = m_view->header();
    for (int visual = 0; visual < header->count(); ++visual) {
        const int column = header->logicalIndex(visual);
        if (!m_view->isColumnHidden(column)) columns.push_back(column);
    }
    return columns;
}

void LayerTreeView::visitRows(const std::function<void(const QModelIndex&, int)>& visit) const {
    const auto walk = [&](auto&& self, const QModelIndex& parent, int depth) -> void {
        for (int row = 0; row < m_filter->rowCount(parent); ++row) {
            const QModelIndex index = m_filter->index(row, 0, parent);
            visit(index, depth);
            self(self, index, depth + 1);
        }
    };
    walk(walk, {}, 0);
}

QString LayerTreeView::toCsv() const {
    const std::vector<int> columns = visibleColumns();
    QStringList header;
    for (const int column : columns)
        header << csvField(m_model->headerData(column, Qt::Horizontal, LayerTreeModel::RawHeaderRole).toString());
    QString text = header.join(QLatin1Char(',')) + QLatin1Char('\n');
    visitRows([&](const QModelIndex& index, int) {
        QStringList fields;
        for (const int column : columns)
            fields << csvField(index.siblingAtColumn(column).data(LayerTreeModel::RawRole).toString());
        text += fields.join(QLatin1Char(',')) + QLatin1Char('\n');
    });
    return text;
}

QString LayerTreeView::selectionText() const {
    const std::vector<int> columns = visibleColumns();
    QStringList header;
    for (const int column : columns)
        header << m_model->headerData(column, Qt::Horizontal).toString().replace(QLatin1Char('\n'), QLatin1Char(' '));
    QString text = header.join(QLatin1Char('\t')) + QLatin1Char('\n');
    visitRows([&](const QModelIndex& index, int depth) {
        if (!m_view->selectionModel()->isSelected(index)) return;
        QStringList fields;
        for (const int column : columns) {
            QString field = index.siblingAtColumn(column).data().toString();
            if (column == LayerTreeModel::Layer) field.prepend(QString(depth * 2, QLatin1Char(' ')));
            fields << field;
        }
        text += fields.join(QLatin1Char('\t')) + QLatin1Char('\n');
    });
    return text;
}

void LayerTreeView::copySelection() {
    if (m_view->selectionModel()->hasSelection()) QApplication::clipboard()->setText(selectionText());
}

}  // namespace tidemark
