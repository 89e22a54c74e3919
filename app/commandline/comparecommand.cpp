// SPDX-License-Identifier: Apache-2.0
#include "app/commandline/command.h"
#include "app/commandline/options.h"
#include "app/commandline/planner.h"
#include "app/commandline/plantext.h"
#include "app/commandline/texttable.h"
#include "engine/plan/comparison.h"

#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <QFileInfo>

#include <cmath>
#include <memory>
#include <ostream>

namespace tidemark {
namespace {

struct CompareOptions {
    std::string modelA;
    std::string modelB;
    std::vector<std::string> setA;
    std::vector<std::string> setB;
    StepOptions step;
    CardOptions card;
    bool all = false;
    bool json = false;
    bool csv = false;
};

/// The two plans and what tells them apart.
struct Compared {
    PlanResult a;
    PlanResult b;
    Comparison comparison;
};

std::string_view nameOf(RowStatus status) {
    switch (status) {
    case RowStatus::Same: return "same";
    case RowStatus::Renamed: return "renamed";
    case RowStatus::Added: return "added";
    case RowStatus::Removed: return "removed";
    case RowStatus::Outside: return "outside of layers";
    }
    return {};
}

std::string signedSize(Bytes bytes) { return (bytes > Bytes{} ? "+" : "") + formatMebibytes(bytes); }

std::string relative(const BytesPair& pair) {
    if (pair.a == Bytes{}) return pair.b == Bytes{} ? "" : "new";
    if (pair.delta() == Bytes{}) return {};
    const double percent = 100.0 * static_cast<double>(pair.delta().count) / static_cast<double>(pair.a.count);
    return fmt::format("{}{:.1f} %", percent < 0 ? "−" : "+", std::fabs(percent));
}

std::vector<std::string> pairRow(const std::string& title, const BytesPair& pair) {
    return {title, formatMebibytes(pair.a), formatMebibytes(pair.b), signedSize(pair.delta()), relative(pair)};
}

std::string labelOf(const ComparedLayer& row) {
    if (row.status == RowStatus::Outside) return "(no layer)";
    const std::string path = row.path.empty() ? "(the model itself)" : row.path;
    return row.oldPath.empty() ? path : row.oldPath + " → " + path;
}

std::string compareText(const Compared& c, bool all) {
    const auto title = [](const PlanResult& r) {
        return fmt::format("{}: {}", QFileInfo(r.answer.request.model).fileName().toStdString(), describe(r.settings));
    };
    TextTable peaks({{""}, {"A", Align::Right}, {"B", Align::Right}, {"B − A", Align::Right}, {"", Align::Right}});
    peaks.add(pairRow("Allocated", c.comparison.allocated));
    peaks.add(pairRow("Reserved", c.comparison.reserved));
    peaks.add(pairRow("Process", {c.a.fit.process.value, c.b.fit.process.value}));
    for (Category category : kCategories) {
        const BytesPair& pair = c.comparison.categories[static_cast<std::size_t>(category)];
        if (pair != BytesPair{}) peaks.add(pairRow("  " + titleOf(category), pair));
    }
    TextTable layers({{"Layer at the peak"},
                      {"Type"},
                      {"A", Align::Right},
                      {"B", Align::Right},
                      {"B − A", Align::Right},
                      {"", Align::Right},
                      {""}});
    for (const ComparedLayer& row : c.comparison.layers) {
        const BytesPair& live = row.liveAtPeak;
        if (!all && live.delta() == Bytes{} && (row.status == RowStatus::Same || live == BytesPair{})) continue;
        layers.add({labelOf(row), row.type, formatMebibytes(live.a), formatMebibytes(live.b), signedSize(live.delta()),
                    relative(live), row.status == RowStatus::Same ? "" : std::string(nameOf(row.status))});
    }
    return fmt::format("A  {}\nB  {}\n\n{}\n{}\nA: {}\nB: {}\n", title(c.a), title(c.b), peaks.text(), layers.text(),
                       verdictSentence(c.a.fit, c.a.gpu, {}), verdictSentence(c.b.fit, c.b.gpu, {}));
}

std::string compareCsv(const Comparison& c) {
    TextTable table({{"layer"},
                     {"layer in A"},
                     {"type"},
                     {"status"},
                     {"weights A [B]"},
                     {"weights B [B]"},
                     {"saved A [B]"},
                     {"saved B [B]"},
                     {"live at peak A [B]"},
                     {"live at peak B [B]"},
                     {"live at peak B-A [B]"}});
    const auto text = [](Bytes b) { return std::to_string(b.count); };
    for (const ComparedLayer& row : c.layers)
        table.add({row.path, row.oldPath.empty() ? row.path : row.oldPath, row.type, std::string(nameOf(row.status)),
                   text(row.weights.a), text(row.weights.b), text(row.saved.a), text(row.saved.b),
                   text(row.liveAtPeak.a), text(row.liveAtPeak.b), text(row.liveAtPeak.delta())});
    return table.csv();
}

nlohmann::json pairJson(const BytesPair& pair) {
    return {{"a", pair.a.count}, {"b", pair.b.count}, {"delta", pair.delta().count}};
}

nlohmann::json compareJson(const Compared& c) {
    nlohmann::json categories;
    for (Category category : kCategories)
        categories[std::string(keyOf(category))] =
            pairJson(c.comparison.categories[static_cast<std::size_t>(category)]);
    nlohmann::json layers = nlohmann::json::array();
    for (const ComparedLayer& row : c.comparison.layers)
        layers.push_back({{"path", row.path},
                          {"old_path", row.oldPath},
                          {"type", row.type},
                          {"status", nameOf(row.status)},
                          {"weights", pairJson(row.weights)},
                          {"saved", pairJson(row.saved)},
                          {"live_at_peak", pairJson(row.liveAtPeak)}});
    return {{"schema", "tidemark.compare/1"},
            {"a", planJson(c.a)},
            {"b", planJson(c.b)},
            {"allocated", pairJson(c.comparison.allocated)},
            {"reserved", pairJson(c.comparison.reserved)},
            {"categories", std::move(categories)},
            {"layers", std::move(layers)}};
}

Result<Compared> measureBoth(const CompareOptions& options, const CommandContext& context) {
    const auto settingsA = options.step.settings(options.setA);
    if (!settingsA) return settingsA.error();
    const auto settingsB = options.step.settings(options.setB);
    if (!settingsB) return settingsB.error();
    const auto card = context.card(options.card);
    if (!card) return card.error();
    if (options.modelB.empty() && settingsA.value() == settingsB.value())
        return Error{
            ErrorCode::SettingInvalid, "There is nothing to compare; give a second model or --set-b key=value.", {}};
    Planner planner(context.installation);
    const auto run = [&](const std::string& model, const Settings& settings) {
        return planner.plan(QString::fromStdString(model), settings, card.value().gpu, card.value().reserve,
                            {true, false}, 0);
    };
    auto a = run(options.modelA, settingsA.value());
    if (!a) return a.error();
    auto b = run(options.modelB.empty() ? options.modelA : options.modelB, settingsB.value());
    if (!b) return b.error();
    Comparison comparison =
        compare(a.value().model, *a.value().answer.measurement, b.value().model, *b.value().answer.measurement);
    return Compared{std::move(a).value(), std::move(b).value(), std::move(comparison)};
}

ExitCode runCompare(const CompareOptions& options, const CommandContext& context) {
    const auto compared = measureBoth(options, context);
    if (!compared) return context.fail(compared.error());
    if (options.json)
        context.out << compareJson(compared.value()).dump(2) << '\n';
    else if (options.csv)
        context.out << compareCsv(compared.value().comparison);
    else
        context.out << compareText(compared.value(), options.all);
    return ExitCode::Fits;
}

}  // namespace

Action addCompareCommand(CLI::App& app, CommandContext context) {
    const auto options = std::make_shared<CompareOptions>();
    app.add_option("a", options->modelA, "TorchScript file")->required();
    app.add_option("b", options->modelB, "A second TorchScript file; the first one again when left out");
    options->step.addTo(app);
    options->card.addTo(app);
    app.add_option("--set-a", options->setA, "A setting of the first variant alone, as key=value. Repeat for several")
        ->allow_extra_args(false);
    app.add_option("--set-b", options->setB, "A setting of the second variant alone, as key=value. Repeat for several")
        ->allow_extra_args(false);
    app.add_flag("--all", options->all, "Also layers without a difference");
    const auto json = app.add_flag("--json", options->json, "For programs: schema tidemark.compare/1");
    app.add_flag("--csv", options->csv, "The layers in bytes, comma-separated")->excludes(json);
    return [options, context] { return runCompare(*options, context); };
}

}  // namespace tidemark
