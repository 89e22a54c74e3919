// SPDX-License-Identifier: Apache-2.0
#include "widgets/reporttables.h"

#include "widgets/text.h"
#include "widgets/theme.h"

#include <QCoreApplication>
#include <QFileInfo>
#include <QLocale>

#include <algorithm>

namespace tidemark {
namespace {

struct Report {
    Q_DECLARE_TR_FUNCTIONS(Report)
};

constexpr std::size_t kLongestLayerTable = 2000;
constexpr std::size_t kComparedLayers = 15;

QString unitText(ByteUnits units) { return units == ByteUnits::Binary ? Report::tr("MiB") : Report::tr("MB"); }

std::vector<ReportCell> comparedRow(const ReportCell& name, const BytesPair& pair, ByteUnits units) {
    const Bytes delta = pair.delta();
    QString change;
    const QString sign = delta.count > 0 ? QStringLiteral("+") : QString();
    if (pair.a.count != 0 && delta.count != 0)
        change = sign + percentText(static_cast<double>(delta.count) / static_cast<double>(pair.a.count))
                            .replace(QLatin1Char('-'), QChar(0x2212));
    return {name,
            {mebibytesNumber(pair.a, units), 0, name.strong},
            {mebibytesNumber(pair.b, units), 0, name.strong},
            {sign + mebibytesNumber(delta, units), 0, name.strong},
            {change, 0, name.strong}};
}

std::vector<ReportColumn> comparedColumns(const VariantComparison& c, ByteUnits units) {
    const QString unit = unitText(units);
    return {{QString(), 0.4, false},
            {Report::tr("%1, %2").arg(c.baseline, unit), 0.17},
            {Report::tr("%1, %2").arg(c.other, unit), 0.17},
            {Report::tr("Δ, %1").arg(unit), 0.14},
            {Report::tr("Δ %"), 0.12}};
}

QString nameOf(const ComparedLayer& layer) {
    const QString path = QString::fromStdString(layer.path.empty() ? layer.type : layer.path);
    switch (layer.status) {
    case RowStatus::Outside: return Report::tr("Outside of layers");
    case RowStatus::Added: return Report::tr("%1  (added)").arg(path);
    case RowStatus::Removed: return Report::tr("%1  (removed)").arg(path);
    case RowStatus::Renamed: return Report::tr("%1  (was %2)").arg(path, QString::fromStdString(layer.oldPath));
    case RowStatus::Same: break;
    }
    return path;
}

/// What a row of the layer table shows: a layer with all below it.
struct Subtree {
    LayerUse use;
    Bytes weights;
    std::int64_t parameters = 0;
};

std::vector<Subtree> subtreesOf(const ModelInfo& model, const std::vector<LayerUse>& uses) {
    std::vector<Subtree> sums(model.layers.size());
    for (std::size_t i = sums.size(); i-- > 0;) {
        const LayerUse below = sums[i].use;
        sums[i].use = uses[i];
        sums[i].use.saved += below.saved;
        sums[i].use.liveAtPeak += below.liveAtPeak;
        sums[i].weights += model.layers[i].weights;
        sums[i].parameters += model.layers[i].parameters;
        if (model.layers[i].parent < 0) continue;
        Subtree& parent = sums[static_cast<std::size_t>(model.layers[i].parent)];
        parent.use.saved += sums[i].use.saved;
        parent.use.liveAtPeak += sums[i].use.liveAtPeak;
        parent.weights += sums[i].weights;
        parent.parameters += sums[i].parameters;
    }
    return sums;
}

}  // namespace

QString mebibytesNumber(Bytes bytes, ByteUnits units) {
    if (bytes.count == 0) return QStringLiteral("–");
    const double value = units == ByteUnits::Binary ? bytes.mib() : static_cast<double>(bytes.count) / 1e6;
    return QLocale(QLocale::English).toString(value, 'f', 1).replace(QLatin1Char('-'), QChar(0x2212));
}

std::vector<NamedText> reportSettings(const ReportContent& content) {
    std::vector<NamedText> entries{
        {Report::tr("Model file"), QFileInfo(QString::fromStdString(content.model.file)).fileName()},
        {Report::tr("GPU"),
         Report::tr("%1, %2 usable")
             .arg(QString::fromStdString(content.gpu.name), sizeText(content.capacity, content.units))}};
    for (NamedText& entry : describeSettings(content.settings, content.model)) entries.push_back(std::move(entry));
    return entries;
}

std::vector<NamedText> reportFigures(const ReportContent& content) {
    const auto size = [&](Bytes bytes) { return sizeText(bytes, content.units); };
    const PeakFigures& f = content.figures;
    QString largest = QStringLiteral("–");
    if (content.largest)
        largest = content.largest->limitReached ? QStringLiteral("≥ %1").arg(countText(content.largest->batch))
                                                : countText(content.largest->batch);
    return {{Report::tr("Process memory, %1 to %2").arg(size(f.processLow), size(f.processHigh)), size(f.process)},
            {Report::tr("Reserved by the allocator"), size(f.reserved)},
            {Report::tr("Allocated in tensors"), size(f.allocated)},
            {Report::tr("Largest batch that fits"), largest}};
}

std::vector<Category> kindsOf(const CategoryBytes& categories) {
    std::vector<Category> kinds(kCategories.begin(), kCategories.end());
    if (categories[Category::GradientBuckets] == Bytes{}) std::erase(kinds, Category::GradientBuckets);
    return kinds;
}

ReportTable kindsTable(const ReportContent& content) {
    const CategoryBytes& categories = content.figures.categories;
    const double total = static_cast<double>(qMax<std::int64_t>(1, categories.total().count));
    ReportTable table{{{Report::tr("Kind"), 0.17, false},
                       {Report::tr("Size"), 0.1},
                       {Report::tr("Bytes"), 0.14},
                       {Report::tr("Share"), 0.09},
                       {Report::tr("Meaning"), 0.5, false}},
                      {},
                      {}};
    for (const Category category : kindsOf(categories)) {
        const double share = static_cast<double>(categories[category].count) / total;
        table.rows.push_back({{categoryLabel(category), 0, false, categoryColor(category)},
                              {sizeText(categories[category], content.units)},
                              {countText(categories[category].count)},
                              {percentText(share), 0, false, {}, share},
                              {categoryHint(category)}});
    }
    table.rows.push_back({{Report::tr("Allocated"), 0, true},
                          {sizeText(categories.total(), content.units), 0, true},
                          {countText(categories.total().count), 0, true},
                          {percentText(1), 0, true},
                          {}});
    return table;
}

ReportTable comparedKindsTable(const VariantComparison& c, ByteUnits units) {
    ReportTable table{comparedColumns(c, units), {}, {}};
    for (const Category category : kCategories) {
        const BytesPair& pair = c.comparison.categories[static_cast<std::size_t>(category)];
        if (category == Category::GradientBuckets && pair == BytesPair{}) continue;
        table.rows.push_back(comparedRow({categoryLabel(category), 0, false, categoryColor(category)}, pair, units));
    }
    table.rows.push_back(comparedRow({Report::tr("Allocated"), 0, true}, c.comparison.allocated, units));
    table.rows.push_back(comparedRow({Report::tr("Reserved"), 0, true}, c.comparison.reserved, units));
    if (c.process != BytesPair{}) table.rows.push_back(comparedRow({Report::tr("Process"), 0, true}, c.process, units));
    return table;
}

ReportTable comparedLayersTable(const VariantComparison& c, ByteUnits units) {
    std::vector<const ComparedLayer*> largest;
    for (const ComparedLayer& layer : c.comparison.layers)
        if (layer.liveAtPeak.delta().count != 0) largest.push_back(&layer);
    std::stable_sort(largest.begin(), largest.end(), [](const ComparedLayer* a, const ComparedLayer* b) {
        return std::abs(a->liveAtPeak.delta().count) > std::abs(b->liveAtPeak.delta().count);
    });
    largest.resize(std::min(largest.size(), kComparedLayers));
    ReportTable table{comparedColumns(c, units), {}, {}};
    for (const ComparedLayer* layer : largest)
        table.rows.push_back(comparedRow({nameOf(*layer)}, layer->liveAtPeak, units));
    table.note = Report::tr("Layers with the largest difference at the peak:");
    return table;
}

ReportTable adviceTable(const ReportContent& content) {
    ReportTable table{{{Report::tr("Change"), 0.3, false},
                       {Report::tr("Process"), 0.12},
                       {Report::tr("Saves"), 0.12},
                       {Report::tr("Fits"), 0.08, false},
                       {Report::tr("What else changes"), 0.38, false}},
                      {},
                      Report::tr("Each change by itself was measured as an exact run.")};
    for (const MeasuredAdvice& advice : content.advice)
        table.rows.push_back({{localText(advice.advice.title)},
                              {sizeText(advice.fit.process.value, content.units)},
                              {sizeText(advice.saved, content.units)},
                              {advice.fit.fits() ? Report::tr("yes") : Report::tr("no")},
                              {localText(advice.advice.consequence)}});
    return table;
}

ReportTable layersTable(const ReportContent& content) {
    const auto& layers = content.model.layers;
    ReportTable table{{{Report::tr("Layer"), 0.19, false},
                       {Report::tr("Type"), 0.165, false},
                       {Report::tr("Output"), 0.22, false},
                       {Report::tr("Params"), 0.105},
                       {Report::tr("Weights"), 0.075},
                       {Report::tr("Saved"), 0.085},
                       {Report::tr("At peak"), 0.085},
                       {Report::tr("Share, %"), 0.075}},
                      {},
                      {}};
    if (!content.detail || content.detail->layers.size() != layers.size()) return table;
    const std::vector<Subtree> sums = subtreesOf(content.model, content.detail->layers);
    const double peak = static_cast<double>(qMax<std::int64_t>(1, content.detail->steady.allocated.count));
    const std::size_t shown = std::min(layers.size(), kLongestLayerTable);
    std::vector<int> depth(layers.size(), 0);
    for (std::size_t i = 0; i < shown; ++i) {
        if (layers[i].parent >= 0) depth[i] = depth[static_cast<std::size_t>(layers[i].parent)] + 1;
        const Subtree& s = sums[i];
        const double share = static_cast<double>(s.use.liveAtPeak.count) / peak;
        table.rows.push_back({{QString::fromStdString(layers[i].name), depth[i], depth[i] == 0},
                              {QString::fromStdString(layers[i].type)},
                              {QString::fromStdString(s.use.output)},
                              {s.parameters == 0 ? QStringLiteral("–") : countText(s.parameters)},
                              {mebibytesNumber(s.weights, content.units)},
                              {mebibytesNumber(s.use.saved, content.units)},
                              {mebibytesNumber(s.use.liveAtPeak, content.units)},
                              {QString::number(share * 100, 'f', 1), 0, false, {}, share}});
    }
    table.note =
        Report::tr("Sizes in %1. A row holds the sum of the layer and all below it.").arg(unitText(content.units));
    if (shown < layers.size())
        table.note +=
            QLatin1Char(' ') +
            Report::tr("%1 more layers are left out; export the table as CSV for all.").arg(layers.size() - shown);
    return table;
}

QStringList reportAssumptions(const ReportContent& content) {
    const auto size = [&](Bytes bytes) { return sizeText(bytes, content.units); };
    QStringList lines;
    lines << Report::tr(
                 "Allocated and reserved memory come from LibTorch %1 itself, which ran this training step on a "
                 "described GPU: its operators, autograd, optimizer and caching allocator decided every allocation. "
                 "They are exact for this version and these settings.")
                 .arg(content.torchVersion.isEmpty() ? Report::tr("of this machine") : content.torchVersion);
    lines << Report::tr(
                 "Process memory adds the CUDA context of %1 to %2 (%3). It depends on the driver, hence the band. "
                 "Whether the step fits is decided on process memory.")
                 .arg(size(content.gpu.context.low), size(content.gpu.context.high),
                      localText(content.gpu.context.source));
    if (content.workspace.startsWith(QLatin1String("cudnn")))
        lines << Report::tr("Convolution workspaces are those that the installed cuDNN reports for this card (%1).")
                     .arg(content.workspace);
    else if (content.workspace.startsWith(QLatin1String("estimate")))
        lines << (content.workspaceProblem.isEmpty()
                      ? Report::tr("Convolution workspaces are estimated, because cuDNN was not asked: they widen the "
                                   "band.")
                      : Report::tr("Convolution workspaces are estimated, because cuDNN was not asked (%1): they widen "
                                   "the band.")
                            .arg(content.workspaceProblem));
    else
        lines << Report::tr("Convolution workspaces are left out.");
    lines << Report::tr(
        "Data is zero on the described GPU. Models that branch on their data take the branch of zeros.");
    if (content.detail && content.detail->deviceReads > 0)
        lines << Report::tr("This step read %1 values back from the device, all zero.")
                     .arg(countText(content.detail->deviceReads));
    if (content.detail)
        for (const auto& warning : content.detail->warnings) lines << localText(warning);
    return lines;
}

}  // namespace tidemark
