// SPDX-License-Identifier: Apache-2.0
#include "widgets/htmlreport.h"

#include "widgets/memoryplot.h"
#include "widgets/reporttables.h"
#include "widgets/text.h"
#include "widgets/theme.h"
#include "widgets/timelineplot.h"

#include <QCoreApplication>
#include <QFile>
#include <QSaveFile>

namespace tidemark {
namespace {

struct Report {
    Q_DECLARE_TR_FUNCTIONS(Report)
};

constexpr QSize kMemorySize(940, 340);
constexpr QSize kStepSize(940, 280);

QString escaped(const QString& text) { return text.toHtmlEscaped(); }

QString tag(const char* name, const QString& content, const QString& attributes = {}) {
    const QLatin1String word(name);
    return QStringLiteral("<%1%2>%3</%1>\n")
        .arg(word, attributes.isEmpty() ? QString() : QLatin1Char(' ') + attributes, content);
}

QString cellOf(const ReportCell& cell, const ReportColumn& column) {
    QString style;
    if (cell.depth > 0) style += QStringLiteral("padding-left:%1em;").arg(0.5 + cell.depth * 0.9);
    if (cell.bar > 0)
        style += QStringLiteral("background:linear-gradient(90deg,var(--bar) %1%,transparent 0);")
                     .arg(qMin(1.0, cell.bar) * 100, 0, 'f', 1);
    QString content = escaped(cell.text);
    if (cell.swatch.isValid())
        content.prepend(QStringLiteral("<i style=\"background:%1\"></i>").arg(cell.swatch.name()));
    if (cell.strong) content = QStringLiteral("<b>%1</b>").arg(content);
    QString attributes = column.isNumber ? QStringLiteral("class=\"n\"") : QString();
    if (!style.isEmpty()) attributes += QStringLiteral(" style=\"%1\"").arg(style);
    return tag("td", content, attributes.trimmed());
}

QString tableOf(const ReportTable& table) {
    QString head;
    for (const ReportColumn& column : table.columns)
        head += tag("th", escaped(column.title), column.isNumber ? QStringLiteral("class=\"n\"") : QString());
    QString body;
    for (const auto& cells : table.rows) {
        QString row;
        for (std::size_t i = 0; i < qMin(cells.size(), table.columns.size()); ++i)
            row += cellOf(cells[i], table.columns[i]);
        body += tag("tr", row);
    }
    return (table.note.isEmpty() ? QString() : tag("p", escaped(table.note), QStringLiteral("class=\"m\""))) +
           tag("table", tag("thead", tag("tr", head)) + tag("tbody", body));
}

template <class Plot>
QString drawing(Plot& plot, QSize size, ByteUnits units) {
    QFont font;
    font.setPixelSize(12);
    plot.setFont(font);
    plot.setUnits(units);
    QByteArray svg = plot.toSvg(size);
    // Without the XML prologue it can stand inside of HTML.
    svg = svg.mid(qMax<qsizetype>(0, svg.indexOf("<svg")));
    return tag("figure", QString::fromUtf8(svg));
}

/// Collects the sections and the list of links to them.
class Page {
public:
    void add(const QString& title, const QString& content) {
        const QString id = QStringLiteral("s%1").arg(++m_count);
        m_links += tag("a", escaped(title), QStringLiteral("href=\"#%1\"").arg(id));
        m_sections += tag("section", tag("h2", escaped(title)) + content, QStringLiteral("id=\"%1\"").arg(id));
    }
    QString links() const { return tag("nav", m_links); }
    QString sections() const { return m_sections; }

private:
    int m_count = 0;
    QString m_links;
    QString m_sections;
};

QString memorySection(const ReportContent& content) {
    MemoryPlot plot;
    plot.setCapacity(content.capacity, QString::fromStdString(content.gpu.label));
    plot.setOthers(content.others);
    plot.setPoints(content.points);
    if (content.largest && !content.largest->limitReached) plot.setLargestFitting(content.largest->batch);
    QString legend;
    for (const Category category : kindsOf(content.figures.categories))
        legend += tag("span", QStringLiteral("<i style=\"background:%1\"></i>%2")
                                  .arg(categoryColor(category).name(), escaped(categoryLabel(category))));
    return tag("p", legend, QStringLiteral("class=\"l\"")) + drawing(plot, kMemorySize, content.units);
}

QString stepSection(const ReportContent& content) {
    TimelinePlot plot;
    plot.setModel(content.model);
    plot.setTimeline(content.detail);
    return drawing(plot, kStepSize, content.units);
}

QString comparisonSection(const VariantComparison& c, ByteUnits units) {
    QString words;
    for (const QString& change : c.changes) words += tag("li", escaped(change));
    words += tag("li", escaped(Report::tr("%1: %2").arg(c.baseline, c.baselineVerdict)));
    words += tag("li", escaped(Report::tr("%1: %2").arg(c.other, c.otherVerdict)));
    const ReportTable layers = comparedLayersTable(c, units);
    return tag("ul", words) + tableOf(comparedKindsTable(c, units)) +
           (layers.rows.empty() ? QString() : tableOf(layers));
}

QString settingsSection(const ReportContent& content) {
    QString entries;
    for (const NamedText& entry : reportSettings(content))
        entries += tag("dt", escaped(entry.name)) + tag("dd", escaped(entry.text));
    return tag("dl", entries);
}

QString header(const ReportContent& content) {
    QString tiles;
    for (const NamedText& figure : reportFigures(content))
        tiles += tag("div", tag("b", escaped(figure.text)) + tag("span", escaped(figure.name)));
    const char* level = content.level == FitLevel::Fits    ? "fits"
                        : content.level == FitLevel::Tight ? "tight"
                                                           : "misfit";
    const QString model =
        Report::tr("%1, %2 parameters")
            .arg(QString::fromStdString(content.model.name), countText(content.model.parameterCount()));
    return tag("h1", escaped(content.title)) +
           tag("p",
               escaped(Report::tr("%1  ·  %2  ·  Tidemark %3")
                           .arg(model, content.when.toString(QStringLiteral("yyyy-MM-dd hh:mm")), content.programVersion)),
               QStringLiteral("class=\"m\"")) +
           tag("div", tag("b", escaped(content.verdict)) + tag("span", escaped(content.grounds)),
               QStringLiteral("class=\"verdict %1\"").arg(QLatin1String(level))) +
           tag("div", tiles, QStringLiteral("class=\"tiles\""));
}

QString styleSheet() {
    QFile file(QStringLiteral(":/report.css"));
    return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
}

}  // namespace

QByteArray htmlReport(const ReportContent& content) {
    Page page;
    page.add(Report::tr("Settings"), settingsSection(content));
    page.add(Report::tr("Memory against batch size"), memorySection(content));
    if (content.detail && content.detail->timeline) page.add(Report::tr("One training step"), stepSection(content));
    page.add(Report::tr("What the peak consists of"), tableOf(kindsTable(content)));
    for (const VariantComparison& c : content.comparisons)
        page.add(Report::tr("%1 compared with %2").arg(c.other, c.baseline), comparisonSection(c, content.units));
    if (!content.advice.empty()) page.add(Report::tr("What would take less"), tableOf(adviceTable(content)));
    const ReportTable layers = layersTable(content);
    if (!layers.rows.empty()) page.add(Report::tr("Layers"), tableOf(layers));
    QString grounds;
    for (const QString& line : reportAssumptions(content)) grounds += tag("li", escaped(line));
    page.add(Report::tr("What the figures rest on"), tag("ul", grounds));

    const QString head = QStringLiteral(
                             "<meta charset=\"utf-8\">\n"
                             "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n"
                             "<meta name=\"generator\" content=\"Tidemark %1\">\n")
                             .arg(escaped(content.programVersion)) +
                         tag("title", escaped(content.title)) + tag("style", styleSheet());
    const QString body = tag("main", header(content) + page.links() + page.sections());
    return ("<!DOCTYPE html>\n" + tag("html", tag("head", head) + tag("body", body))).toUtf8();
}

Result<bool> writeHtmlReport(const ReportContent& content, const QString& file) {
    QSaveFile target(file);
    if (target.open(QIODevice::WriteOnly)) {
        target.write(htmlReport(content));
        if (target.commit()) return true;
    }
    return Error{ErrorCode::FileUnreadable,
                 Report::tr("%1 cannot be written: %2").arg(file, target.errorString()).toStdString(),
                 {}};
}

}  // namespace tidemark
