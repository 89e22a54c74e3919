// SPDX-License-Identifier: Apache-2.0
#include "widgets/report.h"

#include "widgets/icons.h"
#include "widgets/pdflinks.h"
#include "widgets/reporttables.h"
#include "widgets/text.h"
#include "widgets/theme.h"
#include "widgets/timelineplot.h"

#include <QBuffer>
#include <QCoreApplication>
#include <QPdfWriter>
#include <QRegularExpression>
#include <QSaveFile>
#include <QSvgRenderer>
#include <QTextBoundaryFinder>

#include <algorithm>
#include <array>

namespace tidemark {
namespace {

struct Report {
    Q_DECLARE_TR_FUNCTIONS(Report)
};

// All lengths are points of 1/72 inch.
constexpr int kResolution = 1200;
constexpr double kMargin = 42;
constexpr double kFooter = 22;
constexpr double kRowHeight = 12.5;
constexpr double kPlotHeight = 176;
constexpr double kTimelineHeight = 138;
constexpr double kIndent = 7;
constexpr double kCellPoints = 8;
constexpr double kLeading = 1.4;
constexpr double kHeadingHeight = 36;
constexpr double kSmallestHeading = 9;
constexpr int kMostRuns = 5;          ///< until the contents name the pages on which their sections are
constexpr double kLongestKept = 300;  ///< what is kept together on a page; longer tables may be divided

Qt::Alignment alignmentOf(const ReportColumn& column) { return column.isNumber ? Qt::AlignRight : Qt::AlignLeft; }

/// The font at a thousand units: text is laid out large and scaled down, so that spacing knows no whole pixels.
QFont outlineFont(QFont::Weight weight) {
    QFont font;
    font.setPixelSize(1000);
    font.setWeight(weight);
    font.setHintingPreference(QFont::PreferNoHinting);
    // Any letter spacing turns ligatures off: a reader who searches for "fits" must find it.
    font.setLetterSpacing(QFont::AbsoluteSpacing, 0.1);
    return font;
}

/// Where each section begins, for the contents.
struct Section {
    QString title;
    int page = 0;
    double top = 0;  ///< of the heading, from the top of the page
};

/// Writes one report onto one device, from top to bottom.
class Writer {
public:
    Writer(const ReportContent& content, QPdfWriter& device, int pages, std::vector<Section> contents)
        : m_content(content),
          m_device(device),
          m_pages(pages),
          m_contents(std::move(contents)),
          m_theme(Theme::light()) {}

    bool write();
    int page() const { return m_page; }
    const std::vector<Section>& sections() const { return m_sections; }
    /// Outline and links for what was written.
    std::vector<PdfSection> outline() const;

private:
    double width() const { return m_pageSize.width() - 2 * kMargin; }
    double bottom() const { return m_pageSize.height() - kMargin - kFooter; }
    QString size(Bytes bytes) const { return sizeText(bytes, m_content.units); }

    void beginPage();
    void newPage();
    void need(double height) {
        if (m_y + height > bottom()) newPage();
    }
    void text(const QRectF& box, const QString& words, double points, const QColor& color,
              Qt::Alignment alignment = Qt::AlignLeft, QFont::Weight weight = QFont::Normal);
    double textWidth(const QString& words, double points, QFont::Weight weight = QFont::Normal) const;
    /// A size at which the words fit: this one, or a smaller one.
    double fittingPoints(const QString& words, double points, double width, QFont::Weight weight = QFont::Normal) const {
        return qMin(points, 0.995 * points * width / qMax(1.0, textWidth(words, points, weight)));
    }
    QString elided(const QString& words, double points, double width, QFont::Weight weight) const;
    /// What stays together on a line; a name that is too long for any is divided.
    QStringList piecesOf(const QString& words, double points, double width, QFont::Weight weight) const;
    /// Broken where the language allows it, Chinese between most characters.
    QStringList linesOf(const QString& words, double points, double width, QFont::Weight weight = QFont::Normal) const;
    double paragraphHeight(const QString& words, double points, double left = 0) const;
    double paragraph(const QString& words, double points, const QColor& color, double left = 0);
    /// `room`: what must stand below it on the same page.
    void heading(const QString& words, double room = 38);
    double tableHeight(const ReportTable& table) const;
    double rowHeight(const std::vector<ReportColumn>& columns, const std::vector<ReportCell>& cells) const;
    QStringList cellLines(const ReportColumn& column, const ReportCell& cell) const;
    void tableHeader(const std::vector<ReportColumn>& columns);
    void table(const ReportTable& table);
    void row(const std::vector<ReportColumn>& columns, const std::vector<ReportCell>& cells, bool shaded);

    void writeTitle();
    void writeContents();
    void writeVerdict();
    void writeFigures();
    void writeSettings();
    void writeMemory();
    void writeLegend(const CategoryBytes& categories);
    void writeTimeline();
    void writeCategories();
    void writeComparison(const VariantComparison& comparison);
    void writeAdvice();
    void writeLayers();
    void writeAssumptions();

    const ReportContent& m_content;
    QPdfWriter& m_device;
    QCPPainter m_painter;
    QSizeF m_pageSize;
    int m_pages;
    int m_page = 0;
    double m_y = 0;
    std::vector<Section> m_contents;
    std::vector<Section> m_sections;
    std::vector<std::pair<QRectF, std::size_t>> m_links;  ///< on the first page, with the section they lead to
    Theme m_theme;
};

bool Writer::write() {
    m_pageSize = m_device.pageLayout().fullRect(QPageLayout::Point).size();
    if (!m_painter.begin(&m_device)) return false;
    m_painter.setRenderHint(QPainter::Antialiasing);
    m_painter.scale(kResolution / 72.0, kResolution / 72.0);
    beginPage();
    writeTitle();
    writeVerdict();
    writeFigures();
    writeSettings();
    writeMemory();
    writeTimeline();
    writeCategories();
    for (const auto& comparison : m_content.comparisons) writeComparison(comparison);
    writeAdvice();
    writeLayers();
    writeAssumptions();
    return m_painter.end();
}

std::vector<PdfSection> Writer::outline() const {
    std::vector<PdfSection> outline;
    for (const Section& section : m_sections)
        outline.push_back({section.title, section.page - 1, m_pageSize.height() - section.top, {}});
    for (const auto& [box, section] : m_links) {
        if (section >= outline.size()) continue;
        outline[section].link = QRectF(box.left(), m_pageSize.height() - box.bottom(), box.width(), box.height());
    }
    return outline;
}

void Writer::beginPage() {
    ++m_page;
    m_y = kMargin;
    const QRectF foot(kMargin, m_pageSize.height() - kMargin - 6, width(), 12);
    text(foot, m_content.title, 8, m_theme.mutedText);
    text(foot, Report::tr("Page %1 of %2").arg(m_page).arg(qMax(m_pages, m_page)), 8, m_theme.mutedText,
         Qt::AlignRight);
}

void Writer::newPage() {
    m_device.newPage();
    beginPage();
}

double Writer::textWidth(const QString& words, double points, QFont::Weight weight) const {
    return QFontMetricsF(outlineFont(weight), &m_device).horizontalAdvance(words) * points / 1000;
}

QString Writer::elided(const QString& words, double points, double width, QFont::Weight weight) const {
    if (textWidth(words, points, weight) <= width) return words;
    return QFontMetricsF(outlineFont(weight), &m_device).elidedText(words, Qt::ElideMiddle, width * 1000 / points);
}

/// One line, elided where it is too long for the box.
void Writer::text(const QRectF& box, const QString& words, double points, const QColor& color, Qt::Alignment alignment,
                  QFont::Weight weight) {
    if (words.isEmpty()) return;
    const QFont font = outlineFont(weight);
    const QFontMetricsF metrics(font, &m_device);
    const double scale = points / 1000;
    const QString shown = elided(words, points, box.width(), weight);
    const double advance = metrics.horizontalAdvance(shown) * scale;
    double x = box.left();
    if (alignment & Qt::AlignRight) x = box.right() - advance;
    if (alignment & Qt::AlignHCenter) x = box.center().x() - advance / 2;
    const double baseline = box.center().y() + (metrics.ascent() - metrics.descent()) * scale / 2;
    m_painter.save();
    m_painter.translate(x, baseline);
    m_painter.scale(scale, scale);
    m_painter.setFont(font);
    m_painter.QPainter::setPen(color);
    m_painter.drawText(QPointF(0, 0), shown);
    m_painter.restore();
}

QStringList Writer::piecesOf(const QString& words, double points, double width, QFont::Weight weight) const {
    QStringList pieces;
    QTextBoundaryFinder finder(QTextBoundaryFinder::Line, words);
    for (qsizetype begin = 0, end = finder.toNextBoundary(); end >= 0; begin = end, end = finder.toNextBoundary()) {
        QString piece = words.mid(begin, end - begin);
        while (textWidth(piece.trimmed(), points, weight) > width && piece.size() > 1) {
            // No letter is narrower than a sixth of its height.
            qsizetype fitting = qMin(piece.size() - 1, qMax(qsizetype(1), qsizetype(6 * width / points)));
            while (fitting > 1 && textWidth(piece.left(fitting), points, weight) > width) --fitting;
            // After a sign that names are joined with, where there is one.
            qsizetype joint = piece.lastIndexOf(QRegularExpression(QStringLiteral("[=,/]")), fitting - 1);
            if (joint <= 0)
                joint = piece.lastIndexOf(QRegularExpression(QStringLiteral("[._:-]|[a-z](?=[A-Z])")), fitting - 1);
            const qsizetype length = joint > 0 ? joint + 1 : fitting;
            pieces << piece.left(length);
            piece.remove(0, length);
        }
        pieces << piece;
    }
    return pieces;
}

QStringList Writer::linesOf(const QString& words, double points, double width, QFont::Weight weight) const {
    QStringList lines{QString()};
    for (const QString& piece : piecesOf(words, points, width, weight)) {
        if (!lines.last().isEmpty() && textWidth((lines.last() + piece).trimmed(), points, weight) > width)
            lines << piece;
        else
            lines.last() += piece;
    }
    for (QString& line : lines) line = line.trimmed();
    return lines;
}

double Writer::paragraphHeight(const QString& words, double points, double left) const {
    return double(linesOf(words, points, width() - left).size()) * points * kLeading;
}

/// Words broken into lines; returns the height used.
double Writer::paragraph(const QString& words, double points, const QColor& color, double left) {
    const double start = m_y;
    for (const QString& line : linesOf(words, points, width() - left)) {
        need(points * kLeading);
        text(QRectF(kMargin + left, m_y, width() - left, points * kLeading), line, points, color);
        m_y += points * kLeading;
    }
    return m_y - start;
}

void Writer::heading(const QString& words, double room) {
    need(kHeadingHeight + room);
    m_sections.push_back({words, m_page, m_y});
    m_y += 14;
    const double points = qMax(kSmallestHeading, fittingPoints(words, 13, width(), QFont::DemiBold));
    text(QRectF(kMargin, m_y, width(), 18), words, points, m_theme.text, Qt::AlignLeft, QFont::DemiBold);
    m_y += 22;
}

/// Numbers stay on a line; other cells are broken where they are too long.
QStringList Writer::cellLines(const ReportColumn& column, const ReportCell& cell) const {
    if (column.isNumber) return {cell.text};
    const double room = column.share * width() - 6 - cell.depth * kIndent - (cell.swatch.isValid() ? 12 : 0);
    return linesOf(cell.text, kCellPoints, room, cell.strong ? QFont::DemiBold : QFont::Normal);
}

double Writer::rowHeight(const std::vector<ReportColumn>& columns, const std::vector<ReportCell>& cells) const {
    qsizetype lines = 1;
    for (std::size_t i = 0; i < cells.size() && i < columns.size(); ++i)
        lines = qMax(lines, cellLines(columns[i], cells[i]).size());
    return kRowHeight + double(lines - 1) * kCellPoints * kLeading;
}

double Writer::tableHeight(const ReportTable& table) const {
    double height = kRowHeight + 8;
    for (const auto& cells : table.rows) height += rowHeight(table.columns, cells);
    return height;
}

void Writer::tableHeader(const std::vector<ReportColumn>& columns) {
    double x = kMargin;
    for (const ReportColumn& column : columns) {
        const double w = column.share * width();
        text(QRectF(x + 3, m_y, w - 6, kRowHeight), column.title, 7.5, m_theme.mutedText, alignmentOf(column),
             QFont::DemiBold);
        x += w;
    }
    m_y += kRowHeight + 1;
    m_painter.QPainter::setPen(QPen(m_theme.border, 0.6));
    m_painter.drawLine(QPointF(kMargin, m_y), QPointF(kMargin + width(), m_y));
    m_y += 1;
}

void Writer::row(const std::vector<ReportColumn>& columns, const std::vector<ReportCell>& cells, bool shaded) {
    const double height = rowHeight(columns, cells);
    if (shaded) m_painter.fillRect(QRectF(kMargin, m_y, width(), height), QColor("#f6f7f9"));
    double x = kMargin;
    for (std::size_t i = 0; i < cells.size() && i < columns.size(); ++i) {
        const ReportCell& cell = cells[i];
        const double w = columns[i].share * width();
        QRectF box = QRectF(x + 3, m_y, w - 6, kRowHeight).adjusted(cell.depth * kIndent, 0, 0, 0);
        if (cell.bar > 0) {
            QColor color = m_theme.accent;
            color.setAlphaF(0.2f);
            m_painter.fillRect(QRectF(x + 2, m_y + 2, (w - 4) * qMin(1.0, cell.bar), kRowHeight - 4), color);
        }
        if (cell.swatch.isValid()) {
            m_painter.fillRect(QRectF(box.left(), box.center().y() - 3.5, 7, 7), cell.swatch);
            box.setLeft(box.left() + 12);
        }
        for (const QString& line : cellLines(columns[i], cell)) {
            text(box, line, kCellPoints, m_theme.text, alignmentOf(columns[i]),
                 cell.strong ? QFont::DemiBold : QFont::Normal);
            box.translate(0, kCellPoints * kLeading);
        }
        x += w;
    }
    m_y += height;
}

void Writer::table(const ReportTable& table) {
    need(4 * kRowHeight);
    tableHeader(table.columns);
    bool shaded = false;
    for (const auto& cells : table.rows) {
        if (m_y + rowHeight(table.columns, cells) > bottom()) {
            newPage();
            tableHeader(table.columns);
        }
        row(table.columns, cells, shaded);
        shaded = !shaded;
    }
    m_y += 6;
}

void Writer::writeTitle() {
    QSvgRenderer logo(QStringLiteral(":/icons/tidemark.svg"));
    logo.render(&m_painter, QRectF(kMargin, m_y, 30, 30));
    const QRectF title(kMargin + 40, m_y - 2, width() - 40, 20);
    text(title, m_content.title, fittingPoints(m_content.title, 17, title.width(), QFont::DemiBold), m_theme.text,
         Qt::AlignLeft, QFont::DemiBold);
    const QString model =
        Report::tr("%1, %2 parameters")
            .arg(QString::fromStdString(m_content.model.name), countText(m_content.model.parameterCount()));
    text(QRectF(kMargin + 40, m_y + 18, width() - 40, 12),
         Report::tr("%1  ·  %2  ·  Tidemark %3")
             .arg(model, m_content.when.toString(QStringLiteral("yyyy-MM-dd hh:mm")), m_content.programVersion),
         8.5, m_theme.mutedText);
    m_y += 38;
    if (!m_contents.empty()) writeContents();
}

/// The sections with their pages, as links.
void Writer::writeContents() {
    const double points = 7.5;
    const double lineHeight = 11;
    double x = kMargin;
    for (std::size_t i = 0; i < m_contents.size(); ++i) {
        const QString words = Report::tr("%1 (%2)").arg(m_contents[i].title).arg(m_contents[i].page);
        const double needed = textWidth(words, points);
        if (x > kMargin && x + needed > kMargin + width()) {
            x = kMargin;
            m_y += lineHeight;
        }
        const QRectF box(x, m_y, qMin(needed + 1, width()), lineHeight);
        text(box, words, points, m_theme.accent);
        m_links.push_back({box, i});
        x += needed + 7;
        if (i + 1 < m_contents.size())
            text(QRectF(x, m_y, 6, lineHeight), QStringLiteral("·"), points, m_theme.mutedText);
        x += 9;
    }
    m_y += lineHeight + 4;
}

void Writer::writeVerdict() {
    const QColor color = m_content.level == FitLevel::Fits    ? m_theme.good
                         : m_content.level == FitLevel::Tight ? m_theme.caution
                                                              : m_theme.bad;
    QColor tint = color;
    tint.setAlphaF(0.09f);
    const QRectF box(kMargin, m_y, width(), 42);
    m_painter.fillRect(box, tint);
    m_painter.fillRect(QRectF(box.topLeft(), QSizeF(3, box.height())), color);
    const QString name = m_content.level == FitLevel::Fits    ? QStringLiteral("check")
                         : m_content.level == FitLevel::Tight ? QStringLiteral("warning")
                                                              : QStringLiteral("cross");
    QFile file(QStringLiteral(":/icons/%1.svg").arg(name));
    if (file.open(QIODevice::ReadOnly))
        QSvgRenderer(file.readAll().replace("currentColor", color.name().toLatin1()))
            .render(&m_painter, QRectF(box.left() + 12, box.top() + 11, 20, 20));
    const QRectF words(box.left() + 42, box.top() + 5, width() - 50, 17);
    text(words, m_content.verdict, fittingPoints(m_content.verdict, 12, words.width(), QFont::DemiBold), m_theme.text,
         Qt::AlignLeft, QFont::DemiBold);
    text(words.translated(0, 17), m_content.grounds, fittingPoints(m_content.grounds, 8, words.width()),
         m_theme.mutedText);
    m_y += box.height() + 10;
}

void Writer::writeFigures() {
    const std::vector<NamedText> tiles = reportFigures(m_content);
    const std::array<double, 4> shares{0.34, 0.22, 0.22, 0.22};
    double x = kMargin;
    for (std::size_t i = 0; i < tiles.size(); ++i) {
        const double tile = width() * shares[i];
        text(QRectF(x, m_y, tile - 6, 20), tiles[i].text, 15, m_theme.text, Qt::AlignLeft, QFont::DemiBold);
        text(QRectF(x, m_y + 20, tile - 6, 12), tiles[i].name, 8, m_theme.mutedText);
        x += tile;
    }
    m_y += 38;
}

void Writer::writeSettings() {
    heading(Report::tr("Settings"));
    const std::vector<NamedText> entries = reportSettings(m_content);
    const double half = width() / 2;
    for (std::size_t i = 0; i < entries.size(); i += 2) {
        need(kRowHeight);
        for (std::size_t k = i; k < i + 2 && k < entries.size(); ++k) {
            const double x = kMargin + (k == i ? 0 : half);
            text(QRectF(x, m_y, 86, kRowHeight), entries[k].name, 8, m_theme.mutedText);
            text(QRectF(x + 88, m_y, half - 96, kRowHeight), entries[k].text, 8, m_theme.text);
        }
        m_y += kRowHeight;
    }
}

void Writer::writeLegend(const CategoryBytes& categories) {
    double x = kMargin;
    for (const Category category : kindsOf(categories)) {
        const QString words = categoryLabel(category) + QLatin1Char(' ') + size(categories[category]);
        const double needed = textWidth(words, 7.5) + 24;
        if (x + needed > kMargin + width()) {
            x = kMargin;
            m_y += 12;
        }
        m_painter.fillRect(QRectF(x, m_y + 2.5, 7, 7), categoryColor(category));
        text(QRectF(x + 11, m_y, needed, 12), words, 7.5, m_theme.text);
        x += needed;
    }
    m_y += 16;
}

template <class Plot>
void prepare(Plot& plot, ByteUnits units) {
    QFont font;
    font.setPixelSize(8);
    plot.setFont(font);
    plot.setUnits(units);
}

void Writer::writeMemory() {
    need(kPlotHeight + 60);
    heading(Report::tr("Memory against batch size"));
    writeLegend(m_content.figures.categories);
    MemoryPlot plot;
    prepare(plot, m_content.units);
    plot.setCapacity(m_content.capacity, QString::fromStdString(m_content.gpu.label));
    plot.setOthers(m_content.others);
    plot.setPoints(m_content.points);
    if (m_content.largest && !m_content.largest->limitReached) plot.setLargestFitting(m_content.largest->batch);
    plot.renderTo(&m_painter, QRectF(kMargin, m_y, width(), kPlotHeight), m_theme);
    m_y += kPlotHeight + 4;
    paragraph(Report::tr("Areas: allocated memory by kind. Thin line: reserved. Thick line with its band: process "
                         "memory; dots are exact runs, dashed parts lie between them."),
              7.5, m_theme.mutedText);
}

void Writer::writeTimeline() {
    if (!m_content.detail || !m_content.detail->timeline) return;
    need(kTimelineHeight + 50);
    heading(Report::tr("One training step"));
    TimelinePlot plot;
    prepare(plot, m_content.units);
    plot.setModel(m_content.model);
    plot.setTimeline(m_content.detail);
    plot.renderTo(&m_painter, QRectF(kMargin, m_y, width(), kTimelineHeight), m_theme);
    m_y += kTimelineHeight + 4;
    paragraph(
        Report::tr("Allocated memory after each event of the caching allocator in the steady iteration, at batch %1.")
            .arg(countText(m_content.settings.batch)),
        7.5, m_theme.mutedText);
}

void Writer::writeCategories() {
    const ReportTable kinds = kindsTable(m_content);
    heading(Report::tr("What the peak consists of"), tableHeight(kinds));
    table(kinds);
}

void Writer::writeComparison(const VariantComparison& c) {
    const ReportTable kinds = comparedKindsTable(c, m_content.units);
    heading(Report::tr("%1 compared with %2").arg(c.other, c.baseline),
            tableHeight(kinds) + double(c.changes.size() + 2) * 8 * kLeading);
    for (const QString& change : c.changes) paragraph(change, 8, m_theme.text);
    paragraph(Report::tr("%1: %2").arg(c.baseline, c.baselineVerdict), 8, m_theme.text);
    paragraph(Report::tr("%1: %2").arg(c.other, c.otherVerdict), 8, m_theme.text);
    m_y += 4;
    table(kinds);
    const ReportTable layers = comparedLayersTable(c, m_content.units);
    if (layers.rows.empty()) return;
    paragraph(layers.note, 8, m_theme.mutedText);
    table(layers);
}

void Writer::writeAdvice() {
    if (m_content.advice.empty()) return;
    const ReportTable advice = adviceTable(m_content);
    heading(Report::tr("What would take less"), qMin(tableHeight(advice) + 14, kLongestKept));
    paragraph(advice.note, 8, m_theme.mutedText);
    m_y += 2;
    table(advice);
}

void Writer::writeLayers() {
    const ReportTable layers = layersTable(m_content);
    if (layers.rows.empty()) return;
    heading(Report::tr("Layers"));
    paragraph(layers.note, 8, m_theme.mutedText);
    m_y += 2;
    table(layers);
}

void Writer::writeAssumptions() {
    const QStringList lines = reportAssumptions(m_content);
    double height = 0;
    for (const QString& line : lines) height += paragraphHeight(line, 8.5, 10) + 3;
    heading(Report::tr("What the figures rest on"), qMin(height, kLongestKept));
    for (const QString& line : lines) {
        need(paragraphHeight(line, 8.5, 10));
        text(QRectF(kMargin, m_y, 8, 11.9), QStringLiteral("•"), 8.5, m_theme.mutedText);
        paragraph(line, 8.5, m_theme.text, 10);
        m_y += 3;
    }
}

void prepareDevice(QPdfWriter& device, const ReportContent& content, QPageSize::PageSizeId size) {
    device.setResolution(kResolution);
    device.setPageSize(QPageSize(size));
    device.setPageMargins(QMarginsF(0, 0, 0, 0));
    device.setTitle(content.title);
    device.setCreator(Report::tr("Tidemark %1").arg(content.programVersion));
}

bool samePages(const std::vector<Section>& a, const std::vector<Section>& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                      [](const Section& one, const Section& other) { return one.page == other.page; });
}

}  // namespace

Result<bool> writeReport(const ReportContent& content, const QString& file, QPageSize::PageSizeId size) {
    std::vector<Section> contents;
    int pages = 0;
    QByteArray pdf;
    std::vector<PdfSection> outline;
    // Pages and contents are known after a run; with its contents on the first page the next may have other pages.
    for (int run = 0; run < kMostRuns; ++run) {
        QBuffer written;
        written.open(QIODevice::WriteOnly);
        bool settled = false;
        {
            QPdfWriter device(&written);
            prepareDevice(device, content, size);
            Writer writer(content, device, pages, contents);
            if (!writer.write())
                return Error{ErrorCode::Internal, Report::tr("The report cannot be drawn.").toStdString(), {}};
            settled = writer.page() == pages && samePages(writer.sections(), contents);
            pages = writer.page();
            contents = writer.sections();
            outline = writer.outline();
        }
        pdf = written.data();
        if (settled) break;
    }
    QSaveFile target(file);
    if (target.open(QIODevice::WriteOnly)) {
        target.write(withOutline(pdf, outline));
        if (target.commit()) return true;
    }
    return Error{ErrorCode::FileUnreadable,
                 Report::tr("%1 cannot be written: %2").arg(file, target.errorString()).toStdString(),
                 {}};
}

}  // namespace tidemark
