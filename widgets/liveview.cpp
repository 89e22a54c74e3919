// SPDX-License-Identifier: Apache-2.0
#include "widgets/liveview.h"

#include "widgets/tablecopy.h"
#include "widgets/text.h"
#include "widgets/theme.h"
#include "widgets/treemap.h"

#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QSplitter>
#include <QStandardItemModel>
#include <QToolButton>
#include <QTreeView>
#include <QVBoxLayout>

#include <algorithm>

namespace tidemark {
namespace {

/// Allocations named below a group; the others follow as one row.
constexpr std::size_t kNamedRows = 30;
constexpr std::size_t kNamedTiles = 120;
/// Room for the names beside the three columns of figures.
constexpr int kSmallestTable = 270;

Category mainCategory(const CategoryBytes& categories) {
    return *std::max_element(kCategories.begin(), kCategories.end(),
                             [&](Category a, Category b) { return categories[a] < categories[b]; });
}

}  // namespace

LiveView::LiveView(QWidget* parent)
    : QWidget(parent),
      m_title(new QLabel(tr("What fills the peak"), this)),
      m_hint(new QLabel(this)),
      m_grouping(new QComboBox(this)),
      m_toPeak(new QToolButton(this)),
      m_copy(new QToolButton(this)),
      m_view(new QTreeView(this)),
      m_rows(new QStandardItemModel(this)),
      m_treemap(new Treemap(this)) {
    m_title->setProperty("heading", true);
    m_hint->setProperty("muted", true);
    m_hint->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    m_grouping->addItem(tr("by category"), int(Grouping::Category));
    m_grouping->addItem(tr("by layer"), int(Grouping::Layer));
    m_grouping->addItem(tr("by operator"), int(Grouping::Operator));
    m_grouping->addItem(tr("by size"), int(Grouping::Size));
    m_grouping->addItem(tr("by source line"), int(Grouping::SourceLine));
    m_grouping->setAccessibleName(tr("Grouping of live memory"));
    m_toPeak->setText(tr("Back to the peak"));
    m_copy->setText(tr("Copy"));
    m_copy->setToolTip(tr("Copy the table as CSV, sizes in bytes"));
    auto* row = new QHBoxLayout;
    row->setContentsMargins(16, 4, 10, 4);
    row->addWidget(m_title);
    row->addSpacing(8);
    row->addWidget(m_hint, 1);
    row->addWidget(m_toPeak);
    row->addWidget(m_copy);
    row->addWidget(m_grouping);
    m_rows->setSortRole(kSortRole);
    m_view->setModel(m_rows);
    m_view->setUniformRowHeights(true);
    m_view->setAlternatingRowColors(true);
    m_view->setEditTriggers(QAbstractItemView::NoEditTriggers);
    new TableCopy(m_view);
    m_view->setAccessibleName(tr("Live memory"));
    m_view->header()->setSectionsMovable(false);
    m_view->header()->setStretchLastSection(false);
    m_view->setSortingEnabled(true);
    m_view->setTextElideMode(Qt::ElideMiddle);
    m_view->setMinimumWidth(kSmallestTable);
    auto* splitter = new QSplitter(Qt::Horizontal, this);
    splitter->addWidget(m_view);
    splitter->addWidget(m_treemap);
    splitter->setStretchFactor(0, 4);
    splitter->setStretchFactor(1, 3);
    splitter->setSizes({400, 300});
    splitter->setHandleWidth(1);
    splitter->setChildrenCollapsible(false);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addLayout(row);
    column->addWidget(splitter, 1);
    setAutoFillBackground(true);
    setBackgroundRole(QPalette::Base);
    connect(m_grouping, &QComboBox::currentIndexChanged, this, &LiveView::refresh);
    connect(m_toPeak, &QToolButton::clicked, this, &LiveView::showPeak);
    connect(m_copy, &QToolButton::clicked, this, [this] { QApplication::clipboard()->setText(toCsv()); });
    const auto chosen = [this](const QModelIndex& index) {
        const int layer = index.siblingAtColumn(Name).data(kLayerRole).toInt();
        if (layer >= 0) emit layerPicked(layer);
    };
    for (const auto signal : {&QTreeView::clicked, &QTreeView::activated}) connect(m_view, signal, this, chosen);
    connect(m_treemap, &Treemap::picked, this, [this](int group, int child) {
        m_treemap->setCurrentGroup(group);
        const LiveGroup& picked = m_groups[static_cast<std::size_t>(group)];
        int layer = layerOf(picked);
        if (child >= 0 && child < static_cast<int>(std::min(kNamedTiles, picked.allocations.size())))
            layer = timeline().allocations[picked.allocations[child]].layer;
        if (layer >= 0) emit layerPicked(layer);
    });
    setMeasurement(nullptr);
}

void LiveView::setUnits(ByteUnits units) {
    m_units = units;
    m_treemap->setUnits(units);
    refresh();
}

void LiveView::setModel(const ModelInfo& model) {
    m_model = model;
    setMeasurement(nullptr);
}

void LiveView::setMeasurement(std::shared_ptr<const Measurement> measurement) {
    m_measurement = std::move(measurement);
    m_moment = hasTimeline() ? timeline().peakEvent : -1;
    refresh();
}

void LiveView::setGrouping(Grouping grouping) { m_grouping->setCurrentIndex(m_grouping->findData(int(grouping))); }

Grouping LiveView::grouping() const { return static_cast<Grouping>(m_grouping->currentData().toInt()); }

void LiveView::showMoment(int event) {
    if (!hasTimeline() || event == m_moment) return;
    m_moment = event;
    refresh();
}

void LiveView::showPeak() {
    if (hasTimeline()) showMoment(timeline().peakEvent);
}

void LiveView::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    if (m_stale) fill();
}

void LiveView::refresh() {
    m_stale = true;
    if (isVisible()) fill();
}

QString LiveView::momentText() const {
    const auto& phases = timeline().phases;
    const auto phase = std::find_if(phases.begin(), phases.end(),
                                    [this](const Phase& p) { return m_moment >= p.begin && m_moment < p.end; });
    const QString where =
        phase == phases.end() ? QString() : QStringLiteral(" · ") + phaseText(phase->name);
    return tr("event %1%2 · %3 alive").arg(countText(m_moment), where, sizeText(m_total, m_units));
}

void LiveView::fill() {
    m_stale = false;
    m_groups.clear();
    m_total = {};
    if (hasTimeline()) m_groups = liveSet(timeline(), m_moment, grouping());
    for (const LiveGroup& group : m_groups) m_total += group.bytes;
    const bool atPeak = !hasTimeline() || m_moment == timeline().peakEvent;
    m_title->setText(atPeak ? tr("What fills the peak") : tr("What is alive at this moment"));
    m_hint->setText(hasTimeline() ? momentText() : tr("Nothing is measured yet."));
    m_toPeak->setVisible(!atPeak);
    fillTree();
    fillTreemap();
}

QString LiveView::groupName(const LiveGroup& group) const {
    if (grouping() == Grouping::Category) return categoryLabel(kCategories[static_cast<std::size_t>(group.key)]);
    if (grouping() == Grouping::Size)
        return tr("%1 to %2").arg(sizeText(Bytes{std::int64_t{1} << group.key}, m_units),
                                  sizeText(Bytes{std::int64_t{2} << group.key}, m_units));
    const QString name = QString::fromStdString(nameOfGroup(timeline(), m_model, grouping(), group.key));
    if (!name.isEmpty()) return name;
    switch (grouping()) {
    case Grouping::Layer: return tr("Outside of layers");
    case Grouping::Operator: return tr("There before the step");
    default: return tr("No line of the model");
    }
}

QString LiveView::allocationName(const Allocation& a) const {
    QStringList parts;
    if (grouping() != Grouping::Layer && a.layer >= 0)
        parts << QString::fromStdString(nameOfGroup(timeline(), m_model, Grouping::Layer, a.layer));
    if (grouping() != Grouping::Operator && a.op >= 0) parts << QString::fromStdString(timeline().ops[a.op]);
    if (a.shape >= 0) parts << QString::fromStdString(timeline().shapes[a.shape]);
    if (parts.size() < 2 && grouping() != Grouping::Category) parts << categoryLabel(a.category);
    if (parts.isEmpty()) parts << tr("There before the step");
    return parts.join(QStringLiteral("  "));
}

int LiveView::layerOf(const LiveGroup& group) const {
    if (grouping() == Grouping::Layer) return group.key;
    return group.allocations.empty() ? -1 : timeline().allocations[group.allocations.front()].layer;
}

QList<QStandardItem*> LiveView::row(const QString& name, Bytes bytes, qint64 count, int layer) const {
    const auto item = [](const QString& text, const QVariant& sort) {
        auto* made = new QStandardItem(text);
        made->setData(sort, kSortRole);
        return made;
    };
    const double share = m_total.count == 0 ? 0 : static_cast<double>(bytes.count) / static_cast<double>(m_total.count);
    QList<QStandardItem*> items{item(name, name), item(sizeText(bytes, m_units), qint64(bytes.count)),
                                item(percentText(share), share), item(count > 0 ? countText(count) : QString(), count)};
    items[Name]->setData(layer, kLayerRole);
    items[Name]->setToolTip(name);
    items[Size]->setToolTip(exactText(bytes));
    for (int column = Size; column < ColumnCount; ++column)
        items[column]->setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
    return items;
}

void LiveView::fillTree() {
    const int sorted = m_view->header()->sortIndicatorSection();
    const Qt::SortOrder order = m_view->header()->sortIndicatorOrder();
    m_view->setSortingEnabled(false);
    m_rows->clear();
    m_rows->setHorizontalHeaderLabels({m_grouping->currentText(), tr("Alive"), tr("Share"), tr("Blocks")});
    for (int column = Size; column < ColumnCount; ++column)
        m_rows->horizontalHeaderItem(column)->setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
    for (const LiveGroup& group : m_groups) {
        const auto items = row(groupName(group), group.bytes, qint64(group.allocations.size()), layerOf(group));
        QPixmap swatch(10, 10);
        swatch.fill(categoryColor(mainCategory(group.categories)));
        items[Name]->setIcon(QIcon(swatch));
        Bytes rest = group.bytes;
        const std::size_t named = std::min(kNamedRows, group.allocations.size());
        for (std::size_t i = 0; i < named; ++i) {
            const Allocation& a = timeline().allocations[group.allocations[i]];
            items[Name]->appendRow(row(allocationName(a), a.bytes, 0, a.layer));
            rest -= a.bytes;
        }
        if (const auto more = qint64(group.allocations.size() - named); more > 0)
            items[Name]->appendRow(row(tr("%1 smaller ones").arg(countText(more)), rest, more, -1));
        m_rows->appendRow(items);
    }
    m_view->setSortingEnabled(true);
    m_view->sortByColumn(sorted < 0 || sorted >= ColumnCount || sorted == Name ? int(Size) : sorted,
                         sorted == Name || sorted >= ColumnCount ? Qt::DescendingOrder : order);
    m_view->header()->setSectionResizeMode(Name, QHeaderView::Stretch);
    for (int column = Size; column < ColumnCount; ++column)
        m_view->header()->setSectionResizeMode(column, QHeaderView::ResizeToContents);
}

void LiveView::fillTreemap() {
    std::vector<TreemapItem> items;
    for (const LiveGroup& group : m_groups) {
        TreemapItem item{groupName(group),
                         tr("%1 blocks").arg(countText(qint64(group.allocations.size()))),
                         group.bytes,
                         categoryColor(mainCategory(group.categories)),
                         {}};
        Bytes rest = group.bytes;
        for (std::size_t i = 0; i < std::min(kNamedTiles, group.allocations.size()); ++i) {
            const Allocation& a = timeline().allocations[group.allocations[i]];
            item.children.push_back(
                {allocationName(a), categoryLabel(a.category), a.bytes, categoryColor(a.category), {}});
            rest -= a.bytes;
        }
        if (rest > Bytes{}) item.children.push_back({tr("smaller ones"), {}, rest, item.color, {}});
        std::stable_sort(item.children.begin(), item.children.end(),
                         [](const TreemapItem& a, const TreemapItem& b) { return a.bytes > b.bytes; });
        items.push_back(std::move(item));
    }
    m_treemap->setItems(std::move(items));
}

QString LiveView::toCsv() const {
    QString text = QStringLiteral("%1,%2,%3\n")
                       .arg(csvField(m_grouping->currentText()), csvField(tr("alive [B]")), csvField(tr("blocks")));
    for (const LiveGroup& group : m_groups)
        text += QStringLiteral("%1,%2,%3\n")
                    .arg(csvField(groupName(group)))
                    .arg(group.bytes.count)
                    .arg(group.allocations.size());
    return text;
}

}  // namespace tidemark
