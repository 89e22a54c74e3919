// SPDX-License-Identifier: Apache-2.0
#include "app/commandline/command.h"
#include "app/commandline/options.h"
#include "app/commandline/planner.h"
#include "app/commandline/plantext.h"
#include "app/commandline/texttable.h"
#ifdef TIDEMARK_HAS_WINDOW
#include "app/window/planfile.h"
#endif

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <QFileInfo>

#include <algorithm>
#include <map>
#include <memory>
#include <ostream>

namespace tidemark {
namespace {

constexpr std::int64_t kLargestBatch = 1 << 16;

struct PlanOptions {
    std::string model;
    StepOptions step;
    CardOptions card;
    std::int64_t largestBatch = kLargestBatch;
    bool withoutSearch = false;
    bool allGpus = false;
    bool json = false;
};

/// The step on every supported card: one exact run for each compute capability, because what LibTorch allocates
/// follows the capability, and the verdict for each card of that capability.
class AllGpus {
public:
    AllGpus(const PlanOptions& options, const Settings& settings, const Reserve& reserve, CommandContext context)
        : m_options(options), m_settings(settings), m_reserve(reserve), m_context(context), m_planner(context.installation) {}

    ExitCode run(const Catalogue& catalogue) {
        const QString model = QString::fromStdString(m_options.model);
        const std::vector<Gpu> cards = sorted(catalogue);
        std::map<std::pair<int, int>, std::size_t> runOf;
        std::vector<MeasureRequest> requests;
        for (const Gpu& gpu : cards) {
            if (!runOf.emplace(std::pair{gpu.capabilityMajor, gpu.capabilityMinor}, requests.size()).second) continue;
            MeasureRequest request;
            request.model = model;
            request.gpu = gpu;
            request.settings = m_settings;
            requests.push_back(request);
        }
        const auto answers = m_planner.session().measureAll(requests);
        for (const auto& answer : answers)
            if (!answer) return m_context.fail(answer.error());
        bool any = false;
        TextTable table({{"Card"}, {"Memory", Align::Right}, {"Process", Align::Right}, {"Spare", Align::Right}, {"Fits"}});
        nlohmann::json list = nlohmann::json::array();
        for (const Gpu& gpu : cards) {
            const Measured& answer = answers[runOf.at({gpu.capabilityMajor, gpu.capabilityMinor})].value();
            const Fit fit = judge(*answer.measurement, nullptr, gpu, m_reserve, isEstimated(answer));
            any |= fit.fits();
            table.add({gpu.label, formatBytes(gpu.memory), formatBytes(fit.process.value), formatBytes(fit.spare),
                       fit.level == FitLevel::Fits ? "yes" : fit.level == FitLevel::Tight ? "probably" : "no"});
            list.push_back({{"gpu", gpuJson(gpu)}, {"fits", fit.fits()}, {"spare", fit.spare.count},
                            {"process", {{"value", fit.process.value.count}, {"low", fit.process.low.count}, {"high", fit.process.high.count}}}});
        }
        if (m_options.json)
            m_context.out << nlohmann::json{{"schema", "tidemark.cards/1"}, {"settings", toJson(m_settings)}, {"cards", list}}.dump(2) << '\n';
        else
            m_context.out << describe(m_settings) << "\n\n" << table.text();
        return any ? ExitCode::Fits : ExitCode::DoesNotFit;
    }

private:
    static std::vector<Gpu> sorted(const Catalogue& catalogue) {
        std::vector<Gpu> cards;
        for (const Gpu& gpu : catalogue.all())
            if (gpu.supported) cards.push_back(gpu);
        std::stable_sort(cards.begin(), cards.end(), [](const Gpu& a, const Gpu& b) { return a.memory < b.memory; });
        return cards;
    }

    const PlanOptions& m_options;
    const Settings& m_settings;
    const Reserve& m_reserve;
    CommandContext m_context;
    Planner m_planner;
};

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
    const auto gpu = options.card.gpuGiven() ? options.card.gpu(catalogue.value()) : catalogue.value().find(plan.value().gpu);
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
    if (options.allGpus) return AllGpus(options, settings.value(), reserve.value(), context).run(catalogue.value());
    const auto gpu = options.card.gpu(catalogue.value());
    if (!gpu) return context.fail(gpu.error());

    Planner planner(context.installation);
    const auto result = planner.plan(QString::fromStdString(options.model), settings.value(), gpu.value(), reserve.value(), {},
                                     options.withoutSearch ? 0 : options.largestBatch);
    if (!result) return context.fail(result.error());
    if (options.json)
        context.out << planJson(result.value()).dump(2) << '\n';
    else
        context.out << planText(result.value());
    return result.value().fit.fits() ? ExitCode::Fits : ExitCode::DoesNotFit;
}

}  // namespace

Action addPlanCommand(CLI::App& app, CommandContext context) {
    const auto options = std::make_shared<PlanOptions>();
    app.add_option("model", options->model, "TorchScript file, or a plan saved by the window")->required();
    options->step.addTo(app);
    options->card.addTo(app);
    app.add_option("--largest-up-to", options->largestBatch, "Where the search for the largest batch ends")
        ->check(CLI::PositiveNumber)->capture_default_str();
    app.add_flag("--no-largest", options->withoutSearch, "Do not search for the largest batch");
    app.add_flag("--all-gpus", options->allGpus, "A table of this step on every card");
    app.add_flag("--json", options->json, "For programs: schema tidemark.plan/1");
    return [options, context] { return runPlan(*options, context); };
}

}  // namespace tidemark
