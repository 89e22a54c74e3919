// SPDX-License-Identifier: Apache-2.0
#include "widgets/comparisonview.h"

#include "widgets/text.h"
#include "widgets/theme.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QPainter>
#include <QStandardItemModel>
#include <QStyledItemDelegate>
#include <QTreeView>
#include <QVBoxLayout>

namespace tidemark {
namespace {

constexpr int kSwatch = 10;

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

QString csvField(const QString& text) {
    if (!text.contains(QLatin1Char(',')) && !text.contains(QLatin1Char('"'))) return text;
    return QLatin1Char('"') + QString(text).replace(QLatin1Char('"'), QLatin1String("\"\"")) + QLatin1Char('"');
}

}  // namespace

ComparisonView::ComparisonView(QWidget* parent)
    : QWidget(parent),
      m_hint(new QLabel(this)),
      m_measure(new QComboBox(this)),
      m_view(new QTreeView(this)),
      m_model(new QStandardItemModel(this)) {
    m_hint->setWordWrap(true);
    m_hint->setProperty("muted", true);
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
    m_view->setAccessibleName(tr("Comparison"));
    m_view->header()->setStretchLastSection(false);

    auto* row = new QHBoxLayout;
    row->setContentsMargins(16, 6, 10, 6);
    row->addWidget(m_hint, 1);
    row->addWidget(m_measure, 0, Qt::AlignTop);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addLayout(row);
    column->addWidget(m_view, 1);
    setAutoFillBackground(true);
    setBackgroundRole(QPalette::Base);
    connect(m_measure, &QComboBox::currentIndexChanged, this, &ComparisonView::fill);
    connect(m_view, &QTreeView::clicked, this, [this](const QModelIndex& index) {
        const QVariant layer = index.siblingAtColumn(Name).data(kLayerRole);
        if (layer.isValid() && layer.toInt() >= 0) emit layerPicked(layer.toInt());
    });
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
    m_measure->hide();
}

void ComparisonView::showComparison(const Comparison& comparison, const QString& baseline, const QString& other,
                                    const QStringList& changes) {
    m_comparison = comparison;
    m_baseline = baseline;
    m_other = other;
    m_hint->setText(changes.isEmpty() ? tr("The settings are the same.") : changes.join(QStringLiteral("  ·  ")));
    m_measure->show();
    m_filled = true;
    fill();
}

void ComparisonView::addRow(QStandardItem* group, const QString& name, const BytesPair& pair, const QString& tip,
                            int layer, RowStatus status) {
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
    group->appendRow(items);
}

void ComparisonView::fill() {
    if (!m_filled) return;
    const int sorted = m_view->header()->sortIndicatorSection();
    const Qt::SortOrder order = m_view->header()->sortIndicatorOrder();
    m_view->setSortingEnabled(false);
    m_model->clear();
    const QString unit = m_units == ByteUnits::Binary ? tr("MiB") : tr("MB");
    m_model->setHorizontalHeaderLabels({tr("Name"), tr("%1, %2").arg(m_baseline, unit), tr("%1, %2").arg(m_other, unit),
                                        tr("Δ, %1").arg(unit), tr("Δ %")});
    for (int column = Baseline; column < ColumnCount; ++column)
        m_model->horizontalHeaderItem(column)->setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);

    auto* kinds = new QStandardItem(tr("Memory at the peak"));
    for (const Category category : kCategories) {
        addRow(kinds, categoryLabel(category), m_comparison.categories[static_cast<std::size_t>(category)],
               categoryHint(category), -1, RowStatus::Same);
        kinds->child(kinds->rowCount() - 1)->setIcon(swatch(categoryColor(category)));
    }
    addRow(kinds, tr("Allocated"), m_comparison.allocated, tr("The sum of the kinds above"), -1, RowStatus::Same);
    addRow(kinds, tr("Reserved"), m_comparison.reserved, tr("Segments of the caching allocator"), -1, RowStatus::Same);
    m_model->appendRow(kinds);

    auto* layers = new QStandardItem(m_measure->currentText());
    const auto measure = static_cast<Measure>(m_measure->currentData().toInt());
    for (const ComparedLayer& layer : m_comparison.layers) {
        const BytesPair& pair = measure == Measure::Weights ? layer.weights
                                : measure == Measure::Saved ? layer.saved
                                                            : layer.liveAtPeak;
        QString name = QString::fromStdString(layer.path.empty() ? layer.type : layer.path);
        if (layer.status == RowStatus::Outside) name = tr("Outside of layers");
        QString tip = QString::fromStdString(layer.type);
        if (layer.status == RowStatus::Renamed)
            tip += QLatin1Char('\n') + tr("%1 in %2").arg(QString::fromStdString(layer.oldPath), m_baseline);
        if (layer.status == RowStatus::Added) tip += QLatin1Char('\n') + tr("Only in %1").arg(m_other);
        if (layer.status == RowStatus::Removed) tip += QLatin1Char('\n') + tr("Only in %1").arg(m_baseline);
        addRow(layers, name, pair, tip, layer.indexB, layer.status);
    }
    m_model->appendRow(layers);
    m_view->setSortingEnabled(true);
    layers->sortChildren(sorted == Name || sorted >= ColumnCount ? int(Delta) : sorted,
                         sorted == Name ? Qt::AscendingOrder : order);
    m_view->expandAll();
    m_view->header()->setSectionResizeMode(Name, QHeaderView::Stretch);
    for (int column = Baseline; column < ColumnCount; ++column)
        m_view->header()->setSectionResizeMode(column, QHeaderView::ResizeToContents);
}

QString ComparisonView::toCsv() const {
    QString text = QStringLiteral("%1,%2,%3,%4\n")
                       .arg(csvField(tr("Name")), csvField(tr("%1 (bytes)").arg(m_baseline)),
                            csvField(tr("%1 (bytes)").arg(m_other)), csvField(tr("Δ (bytes)")));
    for (int group = 0; group < m_model->rowCount(); ++group) {
        const QStandardItem* parent = m_model->item(group);
        for (int row = 0; row < parent->rowCount(); ++row) {
            QStringList fields{csvField(parent->child(row, Name)->text())};
            for (int column = Baseline; column <= Delta; ++column)
                fields << QString::number(parent->child(row, column)->data(kBytesRole).toLongLong());
            text += fields.join(QLatin1Char(',')) + QLatin1Char('\n');
        }
    }
    return text;
}

}  // namespace tidemark
