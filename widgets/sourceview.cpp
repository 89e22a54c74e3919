// SPDX-License-Identifier: Apache-2.0
#include "widgets/sourceview.h"

#include "widgets/tablecopy.h"
#include "widgets/text.h"
#include "widgets/theme.h"

#include <QComboBox>
#include <QEvent>
#include <QFileInfo>
#include <QFontDatabase>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QStandardItemModel>
#include <QTreeView>
#include <QVBoxLayout>

#include <algorithm>

namespace tidemark {
namespace {

constexpr int kSmallestColumn = 72;

}  // namespace

SourceView::SourceView(QWidget* parent)
    : QWidget(parent),
      m_hint(new QLabel(this)),
      m_files(new QComboBox(this)),
      m_view(new QTreeView(this)),
      m_rows(new QStandardItemModel(this)) {
    auto* title = new QLabel(tr("Memory by source line"), this);
    title->setProperty("heading", true);
    m_hint->setProperty("muted", true);
    m_hint->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    m_files->setAccessibleName(tr("Source file"));
    m_files->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    auto* row = new QHBoxLayout;
    row->setContentsMargins(16, 4, 10, 4);
    row->addWidget(title);
    row->addSpacing(8);
    row->addWidget(m_hint, 1);
    row->addWidget(m_files);
    m_view->setModel(m_rows);
    m_view->setRootIsDecorated(false);
    m_view->setUniformRowHeights(true);
    m_view->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_view->setAllColumnsShowFocus(true);
    m_view->header()->setMinimumSectionSize(kSmallestColumn);
    new TableCopy(m_view);
    m_view->setAccessibleName(tr("Source lines"));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addLayout(row);
    column->addWidget(m_view, 1);
    setAutoFillBackground(true);
    setBackgroundRole(QPalette::Base);
    connect(m_files, &QComboBox::currentIndexChanged, this, &SourceView::fill);
    const auto chosen = [this](const QModelIndex& index) {
        const int layer = index.siblingAtColumn(Number).data(kLayerRole).toInt();
        if (layer >= 0) emit layerPicked(layer);
    };
    for (const auto signal : {&QTreeView::clicked, &QTreeView::activated}) connect(m_view, signal, this, chosen);
    refresh();
}

void SourceView::setUnits(ByteUnits units) {
    m_units = units;
    refresh();
}

void SourceView::setModel(const ModelInfo& model) {
    m_model = model;
    m_highlighted = -1;
    setMeasurement(nullptr, {});
}

void SourceView::setMeasurement(std::shared_ptr<const Measurement> measurement, std::vector<SourceText> sources) {
    m_measurement = std::move(measurement);
    m_sources = std::move(sources);
    refresh();
}

void SourceView::setHighlightedLayer(int layer) {
    if (layer == m_highlighted) return;
    m_highlighted = layer;
    if (!m_stale) mark();
}

void SourceView::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    if (m_stale) fillFiles();
}

void SourceView::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange) refresh();
}

void SourceView::refresh() {
    m_stale = true;
    if (isVisible()) fillFiles();
}

void SourceView::fillFiles() {
    m_stale = false;
    m_uses.clear();
    const QString current = m_files->currentData().toString();
    std::map<QString, Bytes> files;
    if (m_measurement && m_measurement->timeline) {
        const Timeline& timeline = *m_measurement->timeline;
        m_uses = lineUse(timeline);
        for (const LineUse& use : m_uses)
            if (use.line >= 0)
                files[QString::fromStdString(m_sources[timeline.lines[use.line].source].file)] +=
                    use.liveAtPeak + use.saved;
    }
    std::vector<std::pair<QString, Bytes>> sorted(files.begin(), files.end());
    std::stable_sort(sorted.begin(), sorted.end(), [](const auto& a, const auto& b) { return a.second > b.second; });
    const QSignalBlocker quiet(m_files);
    m_files->clear();
    for (const auto& [file, bytes] : sorted) {
        m_files->addItem(QFileInfo(file).fileName(), file);
        m_files->setItemData(m_files->count() - 1, file, Qt::ToolTipRole);
    }
    m_files->setVisible(!sorted.empty());
    if (const int index = m_files->findData(current); index >= 0) m_files->setCurrentIndex(index);
    fill();
}

void SourceView::fill() {
    m_rows->clear();
    m_rows->setHorizontalHeaderLabels(
        {tr("Line"), tr("Allocated"), tr("Saved"), tr("At the peak"), tr("Times"), tr("Code")});
    for (int column = Number; column < Code; ++column)
        m_rows->horizontalHeaderItem(column)->setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
    const QString file = m_files->currentData().toString();
    m_files->setToolTip(file);
    if (file.isEmpty()) {
        m_hint->setText(m_measurement ? tr("This file tells no source lines.") : tr("Nothing is measured yet."));
        return;
    }
    m_hint->setText(tr("of one step; click a line to find its layer"));
    const Timeline& timeline = *m_measurement->timeline;
    std::map<int, QString> code;
    std::map<int, const LineUse*> uses;
    for (std::size_t s = 0; s < m_sources.size(); ++s) {
        if (QString::fromStdString(m_sources[s].file) != file || m_sources[s].text.empty()) continue;
        const QStringList lines = QString::fromStdString(m_sources[s].text).split(QLatin1Char('\n'));
        for (qsizetype i = 0; i < lines.size(); ++i)
            if (!lines[i].isEmpty() || i + 1 < lines.size())
                code.try_emplace(m_sources[s].firstLine + int(i), lines[i]);
    }
    for (const LineUse& use : m_uses) {
        if (use.line < 0 || QString::fromStdString(m_sources[timeline.lines[use.line].source].file) != file) continue;
        uses[timeline.lines[use.line].line] = &use;
        code.try_emplace(timeline.lines[use.line].line, tr("(text not at hand)"));
    }
    int before = code.begin()->first - 1;
    for (const auto& [number, text] : code) {
        if (number > before + 1) addLine(0, QStringLiteral("\u22ef"), nullptr);
        const auto use = uses.find(number);
        addLine(number, text, use == uses.end() ? nullptr : use->second);
        before = number;
    }
    m_view->header()->setStretchLastSection(true);
    for (int column = Number; column < Code; ++column)
        m_view->header()->setSectionResizeMode(column, QHeaderView::ResizeToContents);
    mark();
}

void SourceView::addLine(int number, const QString& code, const LineUse* use) {
    const Theme theme = Theme::of(palette());
    const auto item = [&](const QString& text) {
        auto* made = new QStandardItem(text);
        made->setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
        return made;
    };
    const auto size = [&](Bytes bytes) {
        return item(bytes == Bytes{} ? QStringLiteral("–") : sizeText(bytes, m_units));
    };
    QList<QStandardItem*> items{item(number > 0 ? QString::number(number) : QString())};
    if (use)
        items << size(use->allocated) << size(use->saved) << size(use->liveAtPeak) << item(countText(use->allocations));
    else
        items << item({}) << item({}) << item({}) << item({});
    auto* text = new QStandardItem(code);
    text->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    items << text;
    items[Number]->setForeground(theme.mutedText);
    items[Number]->setData(number, kSortRole);
    items[Number]->setData(use ? use->layer : -1, kLayerRole);
    if (use) {
        items[Allocated]->setData(qint64(use->allocated.count), kSortRole);
        items[Saved]->setData(qint64(use->saved.count), kSortRole);
        items[AtPeak]->setData(qint64(use->liveAtPeak.count), kSortRole);
        QFont bold = font();
        bold.setBold(true);
        if (use->liveAtPeak.count * 10 > m_measurement->steady.allocated.count) items[AtPeak]->setFont(bold);
    } else {
        text->setForeground(theme.mutedText);
    }
    m_rows->appendRow(items);
}

bool SourceView::belongsTo(int layer, int ancestor) const {
    while (layer >= 0 && layer != ancestor)
        layer = layer < static_cast<int>(m_model.layers.size()) ? m_model.layers[static_cast<std::size_t>(layer)].parent
                                                                : -1;
    return layer >= 0;
}

void SourceView::mark() {
    if (!m_measurement || !m_measurement->timeline) return;
    // A line runs for many layers: it is marked when any of its allocations belongs to the chosen one.
    const Timeline& timeline = *m_measurement->timeline;
    const QString file = m_files->currentData().toString();
    std::map<int, bool> chosen;
    if (m_highlighted > 0)
        for (const Allocation& a : timeline.allocations)
            if (a.line >= 0 && belongsTo(a.layer, m_highlighted) &&
                QString::fromStdString(m_sources[timeline.lines[a.line].source].file) == file)
                chosen[timeline.lines[a.line].line] = true;
    const QBrush brush = Theme::of(palette()).selection;
    QModelIndex first;
    for (int row = 0; row < m_rows->rowCount(); ++row) {
        const bool marked = chosen.contains(m_rows->item(row, Number)->data(kSortRole).toInt());
        for (int column = 0; column < ColumnCount; ++column)
            m_rows->item(row, column)->setBackground(marked ? brush : QBrush());
        if (marked && !first.isValid()) first = m_rows->index(row, 0);
    }
    if (first.isValid()) m_view->scrollTo(first, QAbstractItemView::PositionAtCenter);
}

}  // namespace tidemark
