// SPDX-License-Identifier: Apache-2.0
#include "widgets/report.h"

#include "widgets/icons.h"
#include "widgets/settingstext.h"
#include "widgets/text.h"
#include "widgets/theme.h"
#include "widgets/timelineplot.h"

#include <QBuffer>
#include <QCoreApplication>
#include <QFileInfo>
#include <QLocale>
#include <QPdfWriter>
#include <QSaveFile>
#include <QSvgRenderer>

#include <algorithm>
#include <functional>

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
constexpr int kLongestLayerTable = 2000;

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

struct Column {
    QString title;
    double width = 0;
    Qt::Alignment alignment = Qt::AlignRight;
};

struct Cell {
    QString text;
    double indent = 0;
    bool strong = false;
    QColor swatch;
    double bar = 0;  ///< share of the cell's width behind the text
};

using Row = std::vector<Cell>;

/// Where each section begins, for the contents.
struct Section {
    QString title;
    int page = 0;
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

private:
    double width() const { return m_pageSize.width() - 2 * kMargin; }
    double bottom() const { return m_pageSize.height() - kMargin - kFooter; }
    QString size(Bytes bytes) const { return sizeText(bytes, m_content.units); }
    QString mebibytes(Bytes bytes) const;

    void beginPage();
    void newPage();
    void need(double height) {
        if (m_y + height > bottom()) newPage();
    }
    void text(const QRectF& box, const QString& words, double points, const QColor& color,
              Qt::Alignment alignment = Qt::AlignLeft, QFont::Weight weight = QFont::Normal);
    double textWidth(const QString& words, double points, QFont::Weight weight = QFont::Normal) const;
    QString elided(const QString& words, double points, double width, QFont::Weight weight) const;
    double paragraph(const QString& words, double points, const QColor& color, double left = 0);
    void heading(const QString& words);
    void tableHeader(const std::vector<Column>& columns);
    void table(const std::vector<Column>& columns, const std::vector<Row>& rows);
    void row(const std::vector<Column>& columns, const Row& cells, bool shaded);

    void writeTitle();
    void writeVerdict();
    void writeFigures();
    void writeSettings();
    void writeMemory();
    void writeLegend(const CategoryBytes& categories);
    void writeTimeline();
    void writeCategories();
    void writeComparison(const ReportComparison& comparison);
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
    writeLayers();
    writeAssumptions();
    return m_painter.end();
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

/// Words broken into lines; returns the height used.
double Writer::paragraph(const QString& words, double points, const QColor& color, double left) {
    const double lineHeight = points * 1.4;
    const double start = m_y;
    QString line;
    const auto flush = [&] {
        need(lineHeight);
        text(QRectF(kMargin + left, m_y, width() - left, lineHeight), line, points, color);
        m_y += lineHeight;
        line.clear();
    };
    for (const QString& word : words.split(QLatin1Char(' '))) {
        const QString longer = line.isEmpty() ? word : line + QLatin1Char(' ') + word;
        if (!line.isEmpty() && textWidth(longer, points) > width() - left) {
            flush();
            line = word;
        } else
            line = longer;
    }
    if (!line.isEmpty()) flush();
    return m_y - start;
}

void Writer::heading(const QString& words) {
    need(60);
    m_y += 14;
    text(QRectF(kMargin, m_y, width(), 18), words, 13, m_theme.text, Qt::AlignLeft, QFont::DemiBold);
    m_y += 22;
    m_sections.push_back({words, m_page});
}

QString Writer::mebibytes(Bytes bytes) const {
    if (bytes.count == 0) return QStringLiteral("–");
    const double value = m_content.units == ByteUnits::Binary ? bytes.mib() : static_cast<double>(bytes.count) / 1e6;
    return QLocale(QLocale::English).toString(value, 'f', 1).replace(QLatin1Char('-'), QChar(0x2212));
}

void Writer::tableHeader(const std::vector<Column>& columns) {
    double x = kMargin;
    for (const Column& column : columns) {
        text(QRectF(x + 3, m_y, column.width - 6, kRowHeight), column.title, 7.5, m_theme.mutedText, column.alignment,
             QFont::DemiBold);
        x += column.width;
    }
    m_y += kRowHeight + 1;
    m_painter.QPainter::setPen(QPen(m_theme.border, 0.6));
    m_painter.drawLine(QPointF(kMargin, m_y), QPointF(kMargin + width(), m_y));
    m_y += 1;
}

void Writer::row(const std::vector<Column>& columns, const Row& cells, bool shaded) {
    if (shaded) m_painter.fillRect(QRectF(kMargin, m_y, width(), kRowHeight), QColor("#f6f7f9"));
    double x = kMargin;
    for (std::size_t i = 0; i < cells.size() && i < columns.size(); ++i) {
        const Cell& cell = cells[i];
        QRectF box(x + 3 + cell.indent, m_y, columns[i].width - 6 - cell.indent, kRowHeight);
        if (cell.bar > 0) {
            QColor color = m_theme.accent;
            color.setAlphaF(0.2f);
            m_painter.fillRect(QRectF(x + 2, m_y + 2, (columns[i].width - 4) * qMin(1.0, cell.bar), kRowHeight - 4),
                               color);
        }
        if (cell.swatch.isValid()) {
            m_painter.fillRect(QRectF(box.left(), box.center().y() - 3.5, 7, 7), cell.swatch);
            box.setLeft(box.left() + 12);
        }
        text(box, cell.text, 8, m_theme.text, columns[i].alignment, cell.strong ? QFont::DemiBold : QFont::Normal);
        x += columns[i].width;
    }
    m_y += kRowHeight;
}

void Writer::table(const std::vector<Column>& columns, const std::vector<Row>& rows) {
    need(4 * kRowHeight);
    tableHeader(columns);
    bool shaded = false;
    for (const Row& cells : rows) {
        if (m_y + kRowHeight > bottom()) {
            newPage();
            tableHeader(columns);
        }
        row(columns, cells, shaded);
        shaded = !shaded;
    }
    m_y += 6;
}

void Writer::writeTitle() {
    QSvgRenderer logo(QStringLiteral(":/icons/tidemark.svg"));
    logo.render(&m_painter, QRectF(kMargin, m_y, 30, 30));
    text(QRectF(kMargin + 40, m_y - 2, width() - 40, 20), m_content.title, 17, m_theme.text, Qt::AlignLeft,
         QFont::DemiBold);
    const QString model =
        Report::tr("%1, %2 parameters")
            .arg(QString::fromStdString(m_content.model.name), countText(m_content.model.parameterCount()));
    text(QRectF(kMargin + 40, m_y + 18, width() - 40, 12),
         Report::tr("%1  ·  %2  ·  Tidemark %3")
             .arg(model, QLocale().toString(m_content.when, QLocale::ShortFormat), m_content.programVersion),
         8.5, m_theme.mutedText);
    m_y += 38;
    QStringList contents;
    for (const Section& section : m_contents) contents << Report::tr("%1 %2").arg(section.title).arg(section.page);
    if (!contents.isEmpty()) {
        paragraph(contents.join(QStringLiteral("  ·  ")), 7.5, m_theme.mutedText);
        m_y += 4;
    }
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
    text(QRectF(box.left() + 42, box.top() + 5, width() - 50, 17), m_content.verdict, 12, m_theme.text, Qt::AlignLeft,
         QFont::DemiBold);
    text(QRectF(box.left() + 42, box.top() + 23, width() - 50, 12), m_content.grounds, 8, m_theme.mutedText);
    m_y += box.height() + 10;
}

void Writer::writeFigures() {
    const PeakFigures& f = m_content.figures;
    QString largest = QStringLiteral("–");
    if (m_content.largest)
        largest = m_content.largest->limitReached ? QStringLiteral("≥ %1").arg(countText(m_content.largest->batch))
                                                  : countText(m_content.largest->batch);
    const std::array<NamedText, 4> tiles{
        {{Report::tr("Process memory, %1 to %2").arg(size(f.processLow), size(f.processHigh)), size(f.process)},
         {Report::tr("Reserved by the allocator"), size(f.reserved)},
         {Report::tr("Allocated in tensors"), size(f.allocated)},
         {Report::tr("Largest batch that fits"), largest}}};
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
    std::vector<NamedText> entries = describeSettings(m_content.settings, m_content.model);
    entries.insert(
        entries.begin(),
        {Report::tr("GPU"),
         Report::tr("%1, %2 usable").arg(QString::fromStdString(m_content.gpu.name), size(m_content.capacity))});
    entries.insert(entries.begin(),
                   {Report::tr("Model file"), QFileInfo(QString::fromStdString(m_content.model.file)).fileName()});
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
    for (const Category category : kCategories) {
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
    heading(Report::tr("What the peak consists of"));
    const CategoryBytes& categories = m_content.figures.categories;
    const double total = static_cast<double>(qMax<std::int64_t>(1, categories.total().count));
    const double w = width();
    std::vector<Row> rows;
    for (const Category category : kCategories) {
        const double share = static_cast<double>(categories[category].count) / total;
        rows.push_back({{categoryLabel(category), 0, false, categoryColor(category), 0},
                        {size(categories[category]), 0, false, {}, 0},
                        {countText(categories[category].count), 0, false, {}, 0},
                        {percentText(share), 0, false, {}, share},
                        {categoryHint(category), 0, false, {}, 0}});
    }
    rows.push_back({{Report::tr("Allocated"), 12, true, {}, 0},
                    {size(categories.total()), 0, true, {}, 0},
                    {countText(categories.total().count), 0, true, {}, 0},
                    {percentText(1), 0, true, {}, 0},
                    {}});
    table({{Report::tr("Kind"), w * 0.17, Qt::AlignLeft},
           {Report::tr("Size"), w * 0.1},
           {Report::tr("Bytes"), w * 0.14},
           {Report::tr("Share"), w * 0.09},
           {Report::tr("Meaning"), w * 0.5, Qt::AlignLeft}},
          rows);
}

void Writer::writeComparison(const ReportComparison& c) {
    heading(Report::tr("%1 compared with %2").arg(c.other, c.baseline));
    for (const QString& change : c.changes) paragraph(change, 8, m_theme.text);
    paragraph(Report::tr("%1: %2").arg(c.baseline, c.baselineVerdict), 8, m_theme.text);
    paragraph(Report::tr("%1: %2").arg(c.other, c.otherVerdict), 8, m_theme.text);
    m_y += 4;
    const double w = width();
    const auto line = [&](const Cell& name, const BytesPair& pair, bool strong) {
        const QString change =
            pair.a.count == 0
                ? QString()
                : percentText(static_cast<double>(pair.delta().count) / static_cast<double>(pair.a.count));
        return Row{name,
                   {mebibytes(pair.a), 0, strong, {}, 0},
                   {mebibytes(pair.b), 0, strong, {}, 0},
                   {mebibytes(pair.delta()), 0, strong, {}, 0},
                   {change, 0, strong, {}, 0}};
    };
    const QString unit = m_content.units == ByteUnits::Binary ? Report::tr("MiB") : Report::tr("MB");
    const std::vector<Column> columns{{QString(), w * 0.4, Qt::AlignLeft},
                                      {Report::tr("%1, %2").arg(c.baseline, unit), w * 0.17},
                                      {Report::tr("%1, %2").arg(c.other, unit), w * 0.17},
                                      {Report::tr("Δ, %1").arg(unit), w * 0.14},
                                      {Report::tr("Δ %"), w * 0.12}};
    std::vector<Row> rows;
    for (const Category category : kCategories)
        rows.push_back(line({categoryLabel(category), 0, false, categoryColor(category), 0},
                            c.comparison.categories[static_cast<std::size_t>(category)], false));
    rows.push_back(line({Report::tr("Allocated"), 12, true, {}, 0}, c.comparison.allocated, true));
    rows.push_back(line({Report::tr("Reserved"), 12, true, {}, 0}, c.comparison.reserved, true));
    std::vector<const ComparedLayer*> largest;
    for (const ComparedLayer& layer : c.comparison.layers)
        if (layer.liveAtPeak.delta().count != 0) largest.push_back(&layer);
    std::stable_sort(largest.begin(), largest.end(), [](const ComparedLayer* a, const ComparedLayer* b) {
        return std::abs(a->liveAtPeak.delta().count) > std::abs(b->liveAtPeak.delta().count);
    });
    largest.resize(std::min<std::size_t>(largest.size(), 15));
    table(columns, rows);
    if (largest.empty()) return;
    paragraph(Report::tr("Layers with the largest difference at the peak:"), 8, m_theme.mutedText);
    rows.clear();
    for (const ComparedLayer* layer : largest)
        rows.push_back(line({QString::fromStdString(layer->path.empty() ? layer->type : layer->path), 0, false, {}, 0},
                            layer->liveAtPeak, false));
    table(columns, rows);
}

void Writer::writeLayers() {
    const auto& layers = m_content.model.layers;
    if (!m_content.detail || m_content.detail->layers.size() != layers.size()) return;
    heading(Report::tr("Layers"));
    std::vector<LayerUse> total = m_content.detail->layers;
    std::vector<Bytes> weights(layers.size());
    std::vector<std::int64_t> parameters(layers.size());
    for (std::size_t i = layers.size(); i-- > 0;) {
        weights[i] += layers[i].weights;
        parameters[i] += layers[i].parameters;
        const int parent = layers[i].parent;
        if (parent < 0) continue;
        weights[parent] += weights[i];
        parameters[parent] += parameters[i];
        total[parent].saved += total[i].saved;
        total[parent].gradients += total[i].gradients;
        total[parent].optimizerState += total[i].optimizerState;
        total[parent].liveAtPeak += total[i].liveAtPeak;
    }
    const double peak = static_cast<double>(qMax<std::int64_t>(1, m_content.detail->steady.allocated.count));
    std::vector<Row> rows;
    std::vector<int> depth(layers.size(), 0);
    for (std::size_t i = 0; i < layers.size() && rows.size() < kLongestLayerTable; ++i) {
        if (layers[i].parent >= 0) depth[i] = depth[layers[i].parent] + 1;
        const double share = static_cast<double>(total[i].liveAtPeak.count) / peak;
        rows.push_back({{QString::fromStdString(layers[i].name), depth[i] * 7.0, depth[i] == 0, {}, 0},
                        {QString::fromStdString(layers[i].type), 0, false, {}, 0},
                        {QString::fromStdString(total[i].output), 0, false, {}, 0},
                        {parameters[i] == 0 ? QStringLiteral("–") : countText(parameters[i]), 0, false, {}, 0},
                        {mebibytes(weights[i]), 0, false, {}, 0},
                        {mebibytes(total[i].saved), 0, false, {}, 0},
                        {mebibytes(total[i].liveAtPeak), 0, false, {}, 0},
                        {QString::number(share * 100, 'f', 1), 0, false, {}, share}});
    }
    const QString unit = m_content.units == ByteUnits::Binary ? Report::tr("MiB") : Report::tr("MB");
    paragraph(Report::tr("Sizes in %1. A row holds the sum of the layer and all below it.").arg(unit), 8,
              m_theme.mutedText);
    m_y += 2;
    const double w = width();
    table({{Report::tr("Layer"), w * 0.21, Qt::AlignLeft},
           {Report::tr("Type"), w * 0.15, Qt::AlignLeft},
           {Report::tr("Output"), w * 0.19, Qt::AlignLeft},
           {Report::tr("Params"), w * 0.11},
           {Report::tr("Weights"), w * 0.08},
           {Report::tr("Saved"), w * 0.09},
           {Report::tr("At peak"), w * 0.09},
           {Report::tr("Share, %"), w * 0.08}},
          rows);
    if (rows.size() < layers.size())
        paragraph(Report::tr("%1 more layers are left out; export the table as CSV for all.")
                      .arg(layers.size() - rows.size()),
                  8, m_theme.mutedText);
}

void Writer::writeAssumptions() {
    heading(Report::tr("What the figures rest on"));
    QStringList lines;
    lines << Report::tr(
                 "Allocated and reserved memory come from LibTorch %1 itself, which ran this training step on a "
                 "described GPU: its operators, autograd, optimizer and caching allocator decided every allocation. "
                 "They are exact for this version and these settings.")
                 .arg(m_content.torchVersion.isEmpty() ? Report::tr("of this machine") : m_content.torchVersion);
    lines << Report::tr(
                 "Process memory adds the CUDA context of %1 to %2 (%3). It depends on the driver, hence the band. "
                 "Whether the step fits is decided on process memory.")
                 .arg(size(m_content.gpu.context.low), size(m_content.gpu.context.high),
                      QString::fromStdString(m_content.gpu.context.source));
    if (m_content.workspace.startsWith(QLatin1String("cudnn")))
        lines << Report::tr("Convolution workspaces are those that the installed cuDNN reports for this card (%1).")
                     .arg(m_content.workspace);
    else if (m_content.workspace.startsWith(QLatin1String("estimate")))
        lines << Report::tr("Convolution workspaces are estimated, because cuDNN was not asked: they widen the band.");
    else
        lines << Report::tr("Convolution workspaces are left out.");
    lines << Report::tr(
        "Data is zero on the described GPU. Models that branch on their data take the branch of zeros.");
    if (m_content.detail && m_content.detail->deviceReads > 0)
        lines << Report::tr("This step read %1 values back from the device, all zero.")
                     .arg(countText(m_content.detail->deviceReads));
    if (m_content.detail)
        for (const auto& warning : m_content.detail->warnings) lines << QString::fromStdString(warning);
    for (const QString& line : lines) {
        need(14);
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

}  // namespace

Result<bool> writeReport(const ReportContent& content, const QString& file, QPageSize::PageSizeId size) {
    // Page count and contents are known after a first, discarded run.
    QBuffer discarded;
    discarded.open(QIODevice::WriteOnly);
    QPdfWriter draft(&discarded);
    prepareDevice(draft, content, size);
    std::vector<Section> contents(5, Section{Report::tr("Section"), 1});
    Writer first(content, draft, 0, contents);
    if (!first.write()) return Error{ErrorCode::Internal, Report::tr("The report cannot be drawn.").toStdString(), {}};

    QSaveFile target(file);
    if (target.open(QIODevice::WriteOnly)) {
        QPdfWriter device(&target);
        prepareDevice(device, content, size);
        Writer final(content, device, first.page(), first.sections());
        if (final.write() && target.commit()) return true;
    }
    return Error{ErrorCode::FileUnreadable,
                 Report::tr("%1 cannot be written: %2").arg(file, target.errorString()).toStdString(),
                 {}};
}

}  // namespace tidemark
