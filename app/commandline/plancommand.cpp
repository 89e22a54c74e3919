// SPDX-License-Identifier: Apache-2.0
#include "app/commandline/command.h"
#include "app/commandline/options.h"
#include "app/commandline/planner.h"
#include "app/commandline/plantext.h"
#include "app/commandline/texttable.h"
#include "app/commandline/wholenumber.h"
#include "engine/plan/dataparallel.h"
#include "engine/session/cardtable.h"
#ifdef TIDEMARK_HAS_WINDOW
#include "app/window/planfile.h"
#endif

#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <QFileInfo>

#include <algorithm>
#include <array>
#include <memory>
#include <ostream>
#include <tuple>

namespace tidemark {
namespace {

constexpr std::int64_t kLargestBatch = 1 << 16;

struct PlanOptions {
    std::string model;
    StepOptions step;
    CardOptions card;
    std::int64_t largestBatch = kLargestBatch;
    std::string largestAxis;
    bool withoutSearch = false;
    bool allGpus = false;
    bool json = false;
};

const char* fitText(FitLevel level) {
    return level == FitLevel::Fits ? "yes" : level == FitLevel::Tight ? "probably" : "no";
}

std::string largestText(const CardRow& row) {
    if (!row.largest) return {};
    return fmt::format("{}{}", row.largest->limitReached ? "≥ " : "", row.largest->batch);
}

nlohmann::json cardJson(const CardRow& row) {
    const ProcessMemory& process = row.fit.process;
    nlohmann::json json{
        {"gpu", gpuJson(row.gpu)},
        {"fits", row.fit.fits()},
        {"spare", row.fit.spare.count},
        {"process", {{"value", process.value.count}, {"low", process.low.count}, {"high", process.high.count}}},
        {"measured_as", row.measuredAs},
        {"largest_batch", nullptr}};
    if (row.largest) json["largest_batch"] = row.largest->batch;
    return json;
}

/// The step on every supported card, the smallest card first.
ExitCode runAllGpus(const PlanOptions& options, const Settings& settings, const Reserve& reserve,
                    const Catalogue& catalogue, const CommandContext& context) {
    std::vector<CardRow> rows;
    CardTableRequest request{QString::fromStdString(options.model), settings, catalogue.all(), reserve,
                             options.withoutSearch ? 0 : options.largestBatch};
    const auto error = planCards(context.installation, request, [&](const CardRow& row) { rows.push_back(row); });
    if (error) return context.fail(*error);
    std::sort(rows.begin(), rows.end(), [](const CardRow& a, const CardRow& b) {
        return std::tie(a.gpu.memory, a.gpu.label) < std::tie(b.gpu.memory, b.gpu.label);
    });
    TextTable table({{"Card"},
                     {"Memory", Align::Right},
                     {"Process", Align::Right},
                     {"Spare", Align::Right},
                     {"Fits"},
                     {options.withoutSearch ? "" : "Largest batch", Align::Right}});
    nlohmann::json list = nlohmann::json::array();
    for (const CardRow& row : rows) {
        table.add({row.gpu.label, formatBytes(row.gpu.memory), formatBytes(row.fit.process.value),
                   formatBytes(row.fit.spare), fitText(row.fit.level), largestText(row)});
        list.push_back(cardJson(row));
    }
    if (options.json)
        context.out
            << nlohmann::json{{"schema", "tidemark.cards/1"}, {"settings", toJson(settings)}, {"cards", list}}.dump(2)
            << '\n';
    else
        context.out << describe(settings) << "\n\n" << table.text();
    const bool any = std::any_of(rows.begin(), rows.end(), [](const CardRow& row) { return row.fit.fits(); });
    return any ? ExitCode::Fits : ExitCode::DoesNotFit;
}

#ifdef TIDEMARK_HAS_WINDOW
/// JSON that does not call itself a model.
bool isPlanFile(const QString& file) {
    const QString suffix = QFileInfo(file).suffix();
    return suffix != "pt" && suffix != "pth" && suffix != "ts" && looksLikePlan(file);
}

/// A plan file of the window: each variant as it is saved there; a card or reserve given by hand replaces the plan's.
ExitCode runPlanFile(const PlanOptions& options, const CommandContext& context) {
    const auto plan = loadPlan(QString::fromStdString(options.model));
    if (!plan) return context.fail(plan.error());
    const auto given = options.card.reserve();
    if (!given) return context.fail(given.error());
    const Reserve reserve = given.value() == Reserve{} ? plan.value().reserve : given.value();
    const auto catalogue = context.catalogue();
    if (!catalogue) return context.fail(catalogue.error());
    const auto gpu =
        options.card.gpuGiven() ? options.card.gpu(catalogue.value()) : catalogue.value().find(plan.value().gpu);
    if (!gpu) return context.fail(gpu.error());
    Planner planner(context.installation);
    bool fits = true;
    nlohmann::json list = nlohmann::json::array();
    std::string text;
    for (const Variant& variant : plan.value().variants) {
        const auto result = planner.plan(variant.model, variant.settings, gpu.value(), reserve, {},
                                         options.withoutSearch ? 0 : options.largestBatch);
        if (!result) return context.fail(result.error());
        fits &= result.value().fit.fits();
        list.push_back(planJson(result.value()));
        list.back()["variant"] = variant.name.toStdString();
        text += fmt::format("{}{}: {}", text.empty() ? "" : "\n", variant.name.toStdString(), planText(result.value()));
    }
    if (options.json)
        context.out << nlohmann::json{{"schema", "tidemark.plans/1"}, {"variants", std::move(list)}}.dump(2) << '\n';
    else
        context.out << text;
    return fits ? ExitCode::Fits : ExitCode::DoesNotFit;
}
#endif

nlohmann::json parallelJson(const std::vector<DataParallelRow>& rows, int cards) {
    nlohmann::json list = nlohmann::json::array();
    for (const DataParallelRow& row : rows)
        list.push_back({{"name", row.name.english()},
                        {"assumption", row.assumption.english()},
                        {"allocated", row.allocated.count},
                        {"high", row.high.count},
                        {"measured", row.measured}});
    return {{"cards", cards}, {"rows", list}};
}

std::string parallelText(const std::vector<DataParallelRow>& rows, int cards) {
    TextTable table({{""}, {"", Align::Right}, {""}});
    for (const DataParallelRow& row : rows) {
        std::string size = formatMebibytes(row.allocated);
        if (row.high != row.allocated) size += " to " + formatMebibytes(row.high);
        table.add({row.name.english(), size, row.assumption.english()});
    }
    return fmt::format("\nAllocated on each of {} cards\n{}", cards, table.text("  "));
}

/// The table of data-parallel ways to run the planned step. Empty on one card.
Result<std::vector<DataParallelRow>> parallelRows(Planner& planner, const PlanResult& plan) {
    if (!plan.settings.usesDataParallel()) return std::vector<DataParallelRow>{};
    std::vector<MeasureRequest> requests;
    for (const Settings& step : dataParallelSteps(plan.settings)) {
        requests.push_back(plan.answer.request);
        requests.back().settings = step;
    }
    std::array<Measurement, 3> steps;
    const auto answers = planner.session().measureAll(requests);
    for (std::size_t i = 0; i < steps.size(); ++i) {
        if (!answers[i]) return answers[i].error();
        steps[i] = *answers[i].value().measurement;
    }
    return dataParallelTable(plan.model, plan.settings, steps);
}

ExitCode runPlan(const PlanOptions& options, const CommandContext& context) {
#ifdef TIDEMARK_HAS_WINDOW
    if (isPlanFile(QString::fromStdString(options.model))) return runPlanFile(options, context);
#endif
    const auto settings = options.step.settings();
    if (!settings) return context.fail(settings.error());
    const auto reserve = options.card.reserve();
    if (!reserve) return context.fail(reserve.error());
    const auto catalogue = context.catalogue();
    if (!catalogue) return context.fail(catalogue.error());
    if (options.allGpus) return runAllGpus(options, settings.value(), reserve.value(), catalogue.value(), context);
    const auto card = context.card(options.card);
    if (!card) return context.fail(card.error());

    Planner planner(context.installation);
    const bool searchAxis = !options.largestAxis.empty() && options.largestAxis != "B";
    const bool searchBatch = !options.withoutSearch && !searchAxis;
    auto result = planner.plan(QString::fromStdString(options.model), settings.value(), card.value().gpu,
                               card.value().reserve, {}, searchBatch ? options.largestBatch : 0);
    if (!result) return context.fail(result.error());
    if (searchAxis)
        if (const auto error = planner.findLargest(options.largestAxis, &result.value())) return context.fail(*error);
    const auto parallel = parallelRows(planner, result.value());
    if (!parallel) return context.fail(parallel.error());
    const int cards = settings.value().dataParallel.cards;
    if (options.json) {
        nlohmann::json json = planJson(result.value());
        if (!parallel.value().empty()) json["data_parallel"] = parallelJson(parallel.value(), cards);
        context.out << json.dump(2) << '\n';
    } else {
        context.out << planText(result.value());
        if (!parallel.value().empty()) context.out << parallelText(parallel.value(), cards);
    }
    return result.value().fit.fits() ? ExitCode::Fits : ExitCode::DoesNotFit;
}

}  // namespace

Action addPlanCommand(CLI::App& app, CommandContext context) {
    const auto options = std::make_shared<PlanOptions>();
    app.add_option("model", options->model, "TorchScript file, or a plan saved by the window")->required();
    options->step.addTo(app);
    options->card.addTo(app);
    app.add_option("--largest-up-to", options->largestBatch, "Where the search for the largest batch ends")
        ->check(wholeNumber<std::int64_t>(1))
        ->capture_default_str();
    const auto largest = app.add_option(
        "--largest", options->largestAxis,
        "Search for the largest size of this axis of the inputs (S of int64[B,S=128]) instead of the batch");
    app.add_flag("--no-largest", options->withoutSearch, "Do not search for the largest batch")->excludes(largest);
    app.add_flag("--all-gpus", options->allGpus, "A table of this step on every card")
        ->excludes(largest)
        ->excludes(app.get_option("--gpu"));
    app.add_flag("--json", options->json, "For programs: schema tidemark.plan/1");
    return [options, context] { return runPlan(*options, context); };
}

}  // namespace tidemark
