// SPDX-License-Identifier: Apache-2.0
#include "widgets/summaryview.h"

#include "widgets/tablecopy.h"
#include "widgets/text.h"
#include "widgets/theme.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QSplitter>
#include <QStandardItemModel>
#include <QTextBrowser>
#include <QTreeView>

#include <cmath>

namespace tidemark {
namespace {

constexpr int kSmallestTable = 300;
/// Of the first columns, which the layout would else break between any two Chinese characters.
constexpr int kNameWidth = 84;
constexpr int kRuleWidth = 168;

/// torchsummary's megabytes are mebibytes with two decimals.
QString megabytes(Bytes bytes) { return QString::number(bytes.mib(), 'f', 2); }

}  // namespace

SummaryView::SummaryView(QWidget* parent)
    : QWidget(parent),
      m_table(new QTreeView(this)),
      m_rows(new QStandardItemModel(this)),
      m_figures(new QTextBrowser(this)) {
    m_table->setModel(m_rows);
    m_table->setRootIsDecorated(false);
    m_table->setUniformRowHeights(true);
    m_table->setAlternatingRowColors(true);
    m_table->setEditTriggers(QAbstractItemView::NoEditTriggers);
    new TableCopy(m_table);
    m_table->setSelectionMode(QAbstractItemView::ExtendedSelection);
    m_table->setAccessibleName(tr("Table of torchsummary"));
    m_figures->setOpenLinks(false);
    m_figures->setAccessibleName(tr("Figures and rules of thumb"));
    m_figures->document()->setDocumentMargin(10);
    m_figures->setWordWrapMode(QTextOption::WordWrap);  // never within a word, as it would in narrow columns
    auto* splitter = new QSplitter(Qt::Horizontal, this);
    splitter->addWidget(m_table);
    splitter->addWidget(m_figures);
    splitter->setStretchFactor(0, 2);
    splitter->setStretchFactor(1, 3);
    m_table->setMinimumWidth(kSmallestTable);
    splitter->setHandleWidth(1);
    splitter->setChildrenCollapsible(false);
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->addWidget(splitter);
    clear();
}

void SummaryView::setUnits(ByteUnits units) {
    m_units = units;
    fillFigures();
}

void SummaryView::clear() {
    m_measurement.reset();
    m_truth = {};
    fillTable();
    fillFigures();
}

void SummaryView::showMeasurement(const ModelInfo& model, const Settings& settings,
                                  std::shared_ptr<const Measurement> measurement) {
    m_model = model;
    m_settings = settings;
    m_measurement = std::move(measurement);
    fillTable();
    fillFigures();
}

void SummaryView::setTruth(const SummaryTruth& truth) {
    m_truth = truth;
    fillFigures();
}

void SummaryView::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange) fillFigures();
}

void SummaryView::fillTable() {
    m_rows->clear();
    m_rows->setHorizontalHeaderLabels({tr("Layer (type)"), tr("Output shape"), tr("Param #")});
    m_rows->horizontalHeaderItem(2)->setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
    if (m_measurement) {
        for (const SummaryRow& row : torchsummaryRows(m_model, *m_measurement)) {
            auto* parameters = new QStandardItem(countText(row.parameters));
            parameters->setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
            m_rows->appendRow({new QStandardItem(QString::fromStdString(row.name)),
                               new QStandardItem(QString::fromStdString(row.output)), parameters});
        }
    }
    m_table->header()->setStretchLastSection(false);
    m_table->header()->setSectionResizeMode(0, QHeaderView::Stretch);
    m_table->header()->setSectionResizeMode(1, QHeaderView::ResizeToContents);
    m_table->header()->setSectionResizeMode(2, QHeaderView::ResizeToContents);
}

QString SummaryView::tableHtml(const QStringList& titles, const QList<QStringList>& rows, int firstWidth) const {
    const Theme theme = Theme::of(palette());
    QString html = QStringLiteral("<table width='100%' cellspacing='0' cellpadding='2'><tr>");
    const auto cell = [&](const QString& text, int column, const QString& tag, const QString& color) {
        return QStringLiteral(
                   "<%1 align='%2' %5 style='font-weight: normal; color: %3; border-bottom: 1px solid %4;'>%6</%1>")
            .arg(tag, column == 0 ? QStringLiteral("left") : QStringLiteral("right"), color, theme.border.name(),
                 column == 0 ? QStringLiteral("width='%1'").arg(firstWidth) : QString(), text);
    };
    for (qsizetype i = 0; i < titles.size(); ++i)
        html += cell(titles[i], int(i), QStringLiteral("th"), theme.mutedText.name());
    html += QStringLiteral("</tr>");
    for (const QStringList& row : rows) {
        html += QStringLiteral("<tr>");
        for (qsizetype i = 0; i < row.size(); ++i)
            html += cell(row[i], int(i), QStringLiteral("td"), theme.text.name());
        html += QStringLiteral("</tr>");
    }
    return html + QStringLiteral("</table>");
}

QString SummaryView::errorHtml(Bytes says, Bytes truth) const {
    if (truth.count == 0) return says.count == 0 ? QStringLiteral("0 %") : tr("not there");
    const Theme theme = Theme::of(palette());
    const double error = static_cast<double>((says - truth).count) / static_cast<double>(truth.count);
    const QColor color = std::abs(error) <= 0.05 ? theme.good : std::abs(error) <= 0.25 ? theme.caution : theme.bad;
    const QString sign = std::abs(error) < 0.005 ? QString()
                         : error < 0             ? QStringLiteral("\u2212")
                                                 : QStringLiteral("+");
    return QStringLiteral("<span style='color: %1'>%2%3 %</span>")
        .arg(color.name(), sign, QString::number(std::abs(100 * error), 'f', 0));
}

QString SummaryView::figuresHtml() const {
    const SummaryFigures one = torchsummaryFigures(m_model, m_settings, *m_measurement);
    const SummaryFigures info = torchinfoFigures(m_model, m_settings, *m_measurement);
    const CategoryBytes& c = m_measurement->categories;
    struct Figure {
        QString name;
        Bytes summary, info, truth;
    };
    const Bytes all = c.total();
    const Figure figures[] = {
        {tr("Input"), one.input, info.input, c[Category::Input]},
        {tr("Forward/backward pass"), one.pass, info.pass,
         c[Category::Activations] + c[Category::Temporary] + c[Category::Workspace]},
        {tr("Params"), one.parameters, info.parameters, c[Category::Weights] + c[Category::Buffers]},
        {tr("Estimated total"), one.total(), info.total(), all}};
    const auto withError = [&](Bytes says, Bytes truth) {
        return QStringLiteral("%1<br>%2").arg(megabytes(says), errorHtml(says, truth));
    };
    QList<QStringList> rows;
    for (const Figure& f : figures) {
        Bytes atBatch = f.summary * m_settings.batch;
        if (&f == &figures[2]) atBatch = one.parameters;
        if (&f == &figures[3]) atBatch = (one.input + one.pass) * m_settings.batch + one.parameters;
        rows << QStringList{f.name, megabytes(f.summary), withError(atBatch, f.truth), withError(f.info, f.truth),
                            megabytes(f.truth)};
    }
    QString html = tableHtml({tr("Size (MB)"), tr("torchsummary"), tr("at batch %1").arg(countText(m_settings.batch)),
                              tr("torchinfo"), tr("measured")},
                             rows, kNameWidth);
    html +=
        QStringLiteral("<p style='color: %1'>%2</p>")
            .arg(Theme::of(palette()).mutedText.name(),
                 tr("Total params: %1 · trainable: %2 · not trainable: %3. Measured is the steady peak of this step; "
                    "no summary "
                    "counts gradients (%4) and optimizer state (%5).")
                     .arg(countText(one.parameterCount), countText(one.trainableCount),
                          countText(one.parameterCount - one.trainableCount), sizeText(c[Category::Gradients], m_units),
                          sizeText(c[Category::OptimizerState], m_units)));
    if (m_truth.forward)
        html += QStringLiteral("<p>%1</p>")
                    .arg(tr("One forward pass of one example, measured: %1, as max_memory_allocated would print it.")
                             .arg(mebibytesText(m_truth.forward->highest().allocated, m_units)));
    return html;
}

QString SummaryView::rulesHtml() const {
    QList<QStringList> rows;
    for (const RuleOfThumb& rule :
         rulesOfThumb(m_model, m_settings, *m_measurement, m_truth.process, m_truth.mixed.get()))
        rows << QStringList{QStringLiteral("%1<br><span style='color: %2'>%3</span>")
                                .arg(localText(rule.name), Theme::of(palette()).mutedText.name(),
                                     localText(rule.formula)),
                            sizeText(rule.says, m_units),
                            QStringLiteral("%1<br><span style='color: %2'>%3</span>")
                                .arg(sizeText(rule.truth, m_units), Theme::of(palette()).mutedText.name(),
                                     localText(rule.truthName)),
                            errorHtml(rule.says, rule.truth)};
    return tableHtml({tr("Rule of thumb"), tr("says"), tr("true"), tr("error")}, rows, kRuleWidth);
}

QString SummaryView::formulaHtml() const {
    QList<QStringList> rows;
    Bytes says;
    Bytes measured;
    for (const FormulaTerm& term : formulaTerms(m_model, m_settings, *m_measurement)) {
        QStringList stands;
        for (const Category category : term.stands) stands << categoryLabel(category);
        rows << QStringList{localText(term.term), sizeText(term.says, m_units),
                            stands.join(QStringLiteral(", ")), sizeText(term.measured, m_units),
                            errorHtml(term.says, term.measured)};
        says += term.says;
        measured += term.measured;
    }
    rows << QStringList{tr("together"), sizeText(says, m_units), tr("Allocated"), sizeText(measured, m_units),
                        errorHtml(says, measured)};
    return tableHtml({tr("batch × (input + forward) + parameters + batch × forward"), tr("says"), tr("stands for"),
                      tr("measured"), tr("error")},
                     rows, kNameWidth);
}

void SummaryView::fillFigures() {
    if (!m_measurement) {
        m_figures->setHtml(QStringLiteral("<p style='color: %1'>%2</p>")
                               .arg(Theme::of(palette()).mutedText.name(), tr("Nothing is measured yet.")));
        return;
    }
    const auto heading = [](const QString& text) {
        return QStringLiteral("<p style='font-weight: 600'>%1</p>").arg(text);
    };
    m_figures->setHtml(heading(tr("What the summaries print")) + figuresHtml() +
                       heading(tr("What rules of thumb make of it")) + rulesHtml() +
                       heading(tr("The formula, term by term")) + formulaHtml());
}

QString SummaryView::figuresText() const { return m_figures->toPlainText(); }

}  // namespace tidemark
