// SPDX-License-Identifier: Apache-2.0
#include "widgets/comparisonview.h"

#include "widgets/icons.h"
#include "widgets/text.h"
#include "widgets/theme.h"

#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLabel>
#include <QPainter>
#include <QStandardItemModel>
#include <QStyledItemDelegate>
#include <QToolButton>
#include <QTreeView>
#include <QVBoxLayout>

namespace tidemark {
namespace {

constexpr int kSwatch = 10;
constexpr int kNameInHeader = 16;  ///< characters of a variant's name, so that the names of layers keep their room
/// The groups, the model and its parts are open at first.
constexpr int kOpenLevels = 1;

/// Colours differences by their sign; the sign itself is in the text.
class DeltaDelegate : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;

protected:
    void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override {
        QStyledItemDelegate::initStyleOption(option, index);
        if (index.column() < ComparisonView::Delta) return;
        const qint64 delta = index.siblingAtColumn(ComparisonView::Delta).data(ComparisonView::kBytesRole).toLongLong();
        const Theme theme = Theme::of(option->palette);
        option->palette.setColor(QPalette::Text, delta < 0 ? theme.good : delta > 0 ? theme.bad : theme.mutedText);
    }
};

QIcon swatch(const QColor& color) {
    QPixmap picture(kSwatch, kSwatch);
    picture.fill(color);
    return QIcon(picture);
}

QString signedNumber(Bytes bytes, ByteUnits units) {
    const double value = units == ByteUnits::Binary ? bytes.mib() : static_cast<double>(bytes.count) / 1e6;
    const QString number = QString::number(std::abs(value), 'f', 1);
    if (bytes.count == 0) return QStringLiteral("–");
    return (bytes.count < 0 ? QStringLiteral("\u2212") : QStringLiteral("+")) + number;
}

QString number(Bytes bytes, ByteUnits units) {
    if (bytes.count == 0) return QStringLiteral("–");
    return QString::number(units == ByteUnits::Binary ? bytes.mib() : static_cast<double>(bytes.count) / 1e6, 'f', 1);
}

}  // namespace

ComparisonView::ComparisonView(QWidget* parent)
    : QWidget(parent),
      m_hint(new QLabel(this)),
      m_verdicts(new QLabel(this)),
      m_measure(new QComboBox(this)),
      m_export(new QToolButton(this)),
      m_view(new QTreeView(this)),
      m_model(new QStandardItemModel(this)) {
    m_hint->setWordWrap(true);
    m_hint->setProperty("muted", true);
    m_verdicts->setWordWrap(true);
    m_verdicts->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_verdicts->setContentsMargins(16, 0, 10, 6);
    m_export->setAutoRaise(true);
    m_export->setToolTip(tr("Save the comparison as CSV, sizes in bytes"));
    m_export->setAccessibleName(tr("Export comparison as CSV"));
    m_measure->addItem(tr("Layers at the peak"), int(Measure::LiveAtPeak));
    m_measure->addItem(tr("Layers' saved activations"), int(Measure::Saved));
    m_measure->addItem(tr("Layers' weights"), int(Measure::Weights));
    m_measure->setAccessibleName(tr("What is compared of each layer"));
    m_measure->setToolTip(tr("What is compared of each layer"));
    m_model->setSortRole(kSortRole);
    m_view->setModel(m_model);
    m_view->setItemDelegate(new DeltaDelegate(m_view));
    m_view->setAlternatingRowColors(true);
    m_view->setUniformRowHeights(true);
    m_view->setSortingEnabled(true);
    m_view->setIndentation(14);
    m_view->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_view->setAllColumnsShowFocus(true);
    m_view->setSelectionMode(QAbstractItemView::ExtendedSelection);
    m_view->installEventFilter(this);
    m_view->setAccessibleName(tr("Comparison"));
    m_view->header()->setStretchLastSection(false);

    auto* row = new QHBoxLayout;
    row->setContentsMargins(16, 6, 10, 6);
    row->setSpacing(12);
    row->addWidget(m_hint, 1);
    row->addWidget(m_measure, 0, Qt::AlignTop);
    row->addWidget(m_export, 0, Qt::AlignTop);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addLayout(row);
    column->addWidget(m_verdicts);
    column->addWidget(m_view, 1);
    setAutoFillBackground(true);
    setBackgroundRole(QPalette::Base);
    connect(m_measure, &QComboBox::currentIndexChanged, this, &ComparisonView::fill);
    const auto chosen = [this](const QModelIndex& index) {
        const QVariant layer = index.siblingAtColumn(Name).data(kLayerRole);
        if (layer.isValid() && layer.toInt() >= 0) emit layerPicked(layer.toInt());
    };
    for (const auto signal : {&QTreeView::clicked, &QTreeView::activated}) connect(m_view, signal, this, chosen);
    connect(m_export, &QToolButton::clicked, this, &ComparisonView::exportWished);
    refresh();
    showHint({});
}

void ComparisonView::setUnits(ByteUnits units) {
    m_units = units;
    if (m_filled) fill();
}

void ComparisonView::showHint(const QString& hint) {
    m_filled = false;
    m_model->clear();
    m_hint->setText(hint);
    m_verdicts->hide();
    m_measure->hide();
    m_export->hide();
}

void ComparisonView::showComparison(const VariantComparison& comparison) {
    m_shown = comparison;
    m_hint->setText(comparison.changes.isEmpty() ? tr("The settings are the same.")
                                                 : comparison.changes.join(QStringLiteral("  ·  ")));
    const auto line = [](const QString& name, const QString& verdict) {
        return QStringLiteral("<tr><td style='padding-right:12px'><b>%1</b></td><td>%2</td></tr>")
            .arg(name.toHtmlEscaped(), verdict.toHtmlEscaped());
    };
    m_verdicts->setText(QStringLiteral("<table cellspacing='0'>%1%2</table>")
                            .arg(line(tr("%1 (baseline)").arg(comparison.baseline), comparison.baselineVerdict),
                                 line(comparison.other, comparison.otherVerdict)));
    m_verdicts->setVisible(!comparison.baselineVerdict.isEmpty());
    m_measure->show();
    m_export->show();
    m_filled = true;
    fill();
}

QList<QStandardItem*> ComparisonView::rowOf(const QString& name, const BytesPair& pair, const QString& tip, int layer,
                                            RowStatus status) const {
    auto* first = new QStandardItem(name);
    first->setData(name, kSortRole);
    first->setData(layer, kLayerRole);
    first->setToolTip(tip);
    QList<QStandardItem*> items{first};
    const auto add = [&](const QString& text, double sort, Bytes bytes) {
        auto* item = new QStandardItem(text);
        item->setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
        item->setData(sort, kSortRole);
        item->setData(qint64(bytes.count), kBytesRole);
        item->setToolTip(exactText(bytes));
        items << item;
    };
    const double share =
        pair.a.count == 0 ? 0 : static_cast<double>(pair.delta().count) / static_cast<double>(pair.a.count);
    add(status == RowStatus::Added ? tr("absent") : number(pair.a, m_units), static_cast<double>(pair.a.count), pair.a);
    add(status == RowStatus::Removed ? tr("absent") : number(pair.b, m_units), static_cast<double>(pair.b.count),
        pair.b);
    add(signedNumber(pair.delta(), m_units), static_cast<double>(pair.delta().count), pair.delta());
    add(pair.a.count == 0 || pair.delta().count == 0
            ? QString()
            : (share < 0 ? QStringLiteral("\u2212") : QStringLiteral("+")) + percentText(std::abs(share)),
        share, pair.delta());
    return items;
}

const BytesPair& ComparisonView::measured(const ComparedLayer& layer) const {
    switch (static_cast<Measure>(m_measure->currentData().toInt())) {
    case Measure::Weights: return layer.weights;
    case Measure::Saved: return layer.saved;
    case Measure::LiveAtPeak: break;
    }
    return layer.liveAtPeak;
}

QString ComparisonView::nameOf(const ComparedLayer& layer) const {
    if (layer.status == RowStatus::Outside) return tr("Outside of layers");
    if (layer.path.empty()) return QString::fromStdString(layer.type);
    const QString path = QString::fromStdString(layer.path);
    const QString last = path.section(QLatin1Char('.'), -1);
    switch (layer.status) {
    case RowStatus::Added: return tr("%1  (added)").arg(last);
    case RowStatus::Removed: return tr("%1  (removed)").arg(last);
    case RowStatus::Renamed:
        return tr("%1  (was %2)").arg(last, QString::fromStdString(layer.oldPath).section(QLatin1Char('.'), -1));
    default: return last;
    }
}

QString ComparisonView::tipOf(const ComparedLayer& layer) const {
    if (layer.status == RowStatus::Outside) return tr("Memory at the peak that belongs to no layer");
    QString tip = QString::fromStdString(layer.path.empty() ? layer.type : layer.path + ": " + layer.type);
    if (layer.status == RowStatus::Renamed)
        tip += QLatin1Char('\n') + tr("%1 in %2").arg(QString::fromStdString(layer.oldPath), m_shown.baseline);
    if (layer.status == RowStatus::Added) tip += QLatin1Char('\n') + tr("Only in %1").arg(m_shown.other);
    if (layer.status == RowStatus::Removed) tip += QLatin1Char('\n') + tr("Only in %1").arg(m_shown.baseline);
    return tip;
}

void ComparisonView::fillKinds() {
    const Comparison& c = m_shown.comparison;
    QList<QStandardItem*> kinds = rowOf(tr("Memory at the peak"), c.allocated, {}, -1, RowStatus::Same);
    for (const Category category : kCategories) {
        const BytesPair& pair = c.categories[static_cast<std::size_t>(category)];
        if (category == Category::GradientBuckets && pair == BytesPair{}) continue;
        kinds.first()->appendRow(rowOf(categoryLabel(category), pair, categoryHint(category), -1, RowStatus::Same));
        kinds.first()->child(kinds.first()->rowCount() - 1)->setIcon(swatch(categoryColor(category)));
    }
    const auto add = [&](const QString& name, const BytesPair& pair, const QString& tip) {
        kinds.first()->appendRow(rowOf(name, pair, tip, -1, RowStatus::Same));
    };
    add(tr("Allocated"), c.allocated, tr("The sum of the kinds above"));
    add(tr("Reserved"), c.reserved, tr("Segments of the caching allocator"));
    if (m_shown.process != BytesPair{}) add(tr("Process"), m_shown.process, tr("Reserved memory and the CUDA context"));
    m_model->appendRow(kinds);
}

void ComparisonView::fillLayers() {
    const auto& layers = m_shown.comparison.layers;
    std::vector<BytesPair> sums(layers.size());
    BytesPair all;
    const auto addTo = [](BytesPair& sum, const BytesPair& pair) {
        sum.a += pair.a;
        sum.b += pair.b;
    };
    for (std::size_t i = 0; i < layers.size(); ++i) {
        addTo(all, measured(layers[i]));
        for (int row = static_cast<int>(i); row >= 0; row = layers[static_cast<std::size_t>(row)].parent)
            addTo(sums[static_cast<std::size_t>(row)], measured(layers[i]));
    }
    const QList<QStandardItem*> group = rowOf(m_measure->currentText(), all, {}, -1, RowStatus::Same);
    std::vector<QList<QStandardItem*>> rows;
    for (std::size_t i = 0; i < layers.size(); ++i)
        rows.push_back(rowOf(nameOf(layers[i]), sums[i], tipOf(layers[i]), layers[i].indexB, layers[i].status));
    for (std::size_t i = 0; i < layers.size(); ++i) {
        const int parent = layers[i].parent;
        (parent >= 0 ? rows[static_cast<std::size_t>(parent)].first() : group.first())->appendRow(rows[i]);
    }
    m_model->appendRow(group);
}

QStringList ComparisonView::headers(const QString& baseline, const QString& other) const {
    const QString unit = m_units == ByteUnits::Binary ? tr("MiB") : tr("MB");
    return {tr("Name"), tr("%1, %2").arg(baseline, unit), tr("%1, %2").arg(other, unit), tr("Δ, %1").arg(unit),
            tr("Δ %")};
}

void ComparisonView::fill() {
    if (!m_filled) return;
    const int sorted = m_view->header()->sortIndicatorSection();
    const Qt::SortOrder order = m_view->header()->sortIndicatorOrder();
    m_view->setSortingEnabled(false);
    m_model->clear();
    const auto shortened = [this](const QString& name) {
        return fontMetrics().elidedText(name, Qt::ElideMiddle, fontMetrics().averageCharWidth() * kNameInHeader);
    };
    m_model->setHorizontalHeaderLabels(headers(shortened(m_shown.baseline), shortened(m_shown.other)));
    for (int column = Baseline; column < ColumnCount; ++column)
        m_model->horizontalHeaderItem(column)->setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
    m_model->horizontalHeaderItem(Baseline)->setToolTip(m_shown.baseline);
    m_model->horizontalHeaderItem(Other)->setToolTip(m_shown.other);
    fillKinds();
    fillLayers();
    m_view->setSortingEnabled(true);
    m_model->item(1)->sortChildren(sorted == Name || sorted >= ColumnCount ? int(Delta) : sorted,
                                   sorted == Name ? Qt::AscendingOrder : order);
    m_view->expandToDepth(kOpenLevels);
    m_view->header()->setSectionResizeMode(Name, QHeaderView::Stretch);
    for (int column = Baseline; column < ColumnCount; ++column)
        m_view->header()->setSectionResizeMode(column, QHeaderView::ResizeToContents);
}

QString ComparisonView::toCsv() const {
    QString text = QStringLiteral("%1,%2,%3,%4\n")
                       .arg(csvField(tr("Name")), csvField(tr("%1 (bytes)").arg(m_shown.baseline)),
                            csvField(tr("%1 (bytes)").arg(m_shown.other)), csvField(tr("Δ (bytes)")));
    const auto add = [&](const QString& name, const BytesPair& pair) {
        text += QStringLiteral("%1,%2,%3,%4\n")
                    .arg(csvField(name))
                    .arg(pair.a.count)
                    .arg(pair.b.count)
                    .arg(pair.delta().count);
    };
    const Comparison& c = m_shown.comparison;
    for (const Category category : kCategories)
        add(categoryLabel(category), c.categories[static_cast<std::size_t>(category)]);
    add(tr("Allocated"), c.allocated);
    add(tr("Reserved"), c.reserved);
    if (m_shown.process != BytesPair{}) add(tr("Process"), m_shown.process);
    for (const ComparedLayer& layer : c.layers)
        add(layer.path.empty() ? nameOf(layer) : QString::fromStdString(layer.path), measured(layer));
    return text;
}

QString ComparisonView::selectionText() const {
    const auto line = [](const QStringList& fields) { return fields.join(QLatin1Char('\t')) + QLatin1Char('\n'); };
    QString text = line(headers(m_shown.baseline, m_shown.other));
    // In the order of the view, from top to bottom.
    for (QModelIndex index = m_model->index(0, 0); index.isValid(); index = m_view->indexBelow(index))
        if (m_view->selectionModel()->isSelected(index)) {
            QStringList fields;
            for (int column = 0; column < ColumnCount; ++column)
                fields << index.siblingAtColumn(column).data().toString();
            text += line(fields);
        }
    return text;
}

bool ComparisonView::eventFilter(QObject* watched, QEvent* event) {
    if (watched == m_view && event->type() == QEvent::KeyPress &&
        static_cast<QKeyEvent*>(event)->matches(QKeySequence::Copy)) {
        if (m_filled) QApplication::clipboard()->setText(selectionText());
        return true;
    }
    return QWidget::eventFilter(watched, event);
}

void ComparisonView::refresh() { m_export->setIcon(icon(QStringLiteral("csv"), Theme::of(palette()).text)); }

void ComparisonView::changeEvent(QEvent* event) {
    if (event->type() == QEvent::PaletteChange) refresh();
    QWidget::changeEvent(event);
}

}  // namespace tidemark
