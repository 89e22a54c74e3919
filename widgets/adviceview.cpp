// SPDX-License-Identifier: Apache-2.0
#include "widgets/adviceview.h"

#include "widgets/optionallabel.h"
#include "widgets/pagelayout.h"
#include "widgets/tablecopy.h"
#include "widgets/text.h"

#include <QHeaderView>
#include <QLabel>
#include <QSplitter>
#include <QToolButton>
#include <QTreeWidget>

namespace tidemark {
namespace {

constexpr int kIndexRole = Qt::UserRole + 1;  ///< into the advice; missing for hints about the network
constexpr int kChangeWidth = 210;
constexpr int kSmallestColumn = 72;

}  // namespace

AdviceView::AdviceView(QWidget* parent)
    : QWidget(parent),
      m_hint(new OptionalLabel(this)),
      m_apply(new QToolButton(this)),
      m_splitter(new QSplitter(Qt::Horizontal, this)),
      m_table(new QTreeWidget(m_splitter)),
      m_plot(new CheckpointPlot(m_splitter)) {
    m_apply->setText(tr("Apply"));
    m_apply->setToolTip(tr("Change the settings as the chosen row says; a double click does the same"));
    m_table->setHeaderLabels({tr("Change"), tr("Process"), tr("Saves"), tr("Fits"), tr("Cost"), tr("Also changes")});
    for (const int column : {Process, Saves})
        m_table->headerItem()->setTextAlignment(column, Qt::AlignRight | Qt::AlignVCenter);
    new TableCopy(m_table);
    m_table->setSelectionMode(QAbstractItemView::ExtendedSelection);
    m_table->setRootIsDecorated(false);
    m_table->setUniformRowHeights(true);
    m_table->setAlternatingRowColors(true);
    m_table->setAccessibleName(tr("Changes that would take less"));
    m_table->header()->setMinimumSectionSize(kSmallestColumn);
    m_table->setColumnWidth(Change, kChangeWidth);
    for (int column = Process; column < Consequence; ++column)
        m_table->header()->setSectionResizeMode(column, QHeaderView::ResizeToContents);
    m_splitter->setStretchFactor(0, 3);
    m_splitter->setStretchFactor(1, 2);
    m_splitter->setHandleWidth(1);
    m_splitter->setChildrenCollapsible(false);
    layOutPage(this, tr("What would take less"), m_hint, {m_apply}, m_splitter);
    m_plot->hide();
    connect(m_apply, &QToolButton::clicked, this, &AdviceView::applyCurrent);
    connect(m_table, &QTreeWidget::itemActivated, this, &AdviceView::applyCurrent);
    connect(m_table, &QTreeWidget::currentItemChanged, this, [this](QTreeWidgetItem* item) {
        m_apply->setEnabled(item && item->data(Change, kIndexRole).isValid());
    });
    fill();
}

void AdviceView::setUnits(ByteUnits units) {
    m_units = units;
    m_plot->setUnits(units);
    fill();
}

void AdviceView::setHint(const QString& hint) {
    m_hint->setText(hint);
    m_hint->setToolTip(hint);
}

void AdviceView::setAdvice(std::vector<MeasuredAdvice> advice, std::vector<StructureHint> hints) {
    m_advice = std::move(advice);
    m_hints = std::move(hints);
    fill();
}

void AdviceView::setCurve(std::vector<RecomputePoint> points) {
    m_plot->setVisible(points.size() > 1);
    m_plot->setPoints(std::move(points));
}

void AdviceView::fill() {
    m_table->clear();
    const auto add = [this](const QStringList& texts, const QString& tip) {
        auto* item = new QTreeWidgetItem(m_table, texts);
        for (const int column : {Process, Saves}) item->setTextAlignment(column, Qt::AlignRight | Qt::AlignVCenter);
        for (const int column : {Change, Consequence}) item->setToolTip(column, tip);
        return item;
    };
    for (std::size_t i = 0; i < m_advice.size(); ++i) {
        const MeasuredAdvice& a = m_advice[i];
        QString consequence = localText(a.advice.consequence);
        if (a.recomputed > 0)
            consequence = tr("%1 (%2 more forward operators)").arg(consequence, percentText(a.recomputed));
        QTreeWidgetItem* item =
            add({localText(a.advice.title), sizeText(a.fit.process.value, m_units), sizeText(a.saved, m_units),
                 a.fit.fits() ? tr("yes") : tr("no"), localText(titleOf(a.advice.cost)), consequence},
                localText(a.advice.title) + QLatin1Char('\n') + consequence);
        item->setData(Change, kIndexRole, static_cast<qulonglong>(i));
    }
    for (const StructureHint& hint : m_hints) {
        QStringList layers;
        for (const std::string& layer : hint.layers) layers << QString::fromStdString(layer);
        add({localText(hint.title), QStringLiteral("–"), tr("≈ %1").arg(sizeText(hint.saves, m_units)), QString(),
             tr("another network"), localText(hint.explanation)},
            localText(hint.explanation) + QLatin1Char('\n') + layers.join(QStringLiteral(", ")));
    }
    m_apply->setEnabled(false);
}

void AdviceView::applyCurrent() {
    const QTreeWidgetItem* item = m_table->currentItem();
    if (!item || !item->data(Change, kIndexRole).isValid()) return;
    emit settingsWished(m_advice[item->data(Change, kIndexRole).toULongLong()].advice.settings);
}

}  // namespace tidemark
