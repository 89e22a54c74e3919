// SPDX-License-Identifier: Apache-2.0
#include "app/commandline/command.h"
#include "app/commandline/measureadvice.h"
#include "app/commandline/options.h"
#include "app/commandline/plantext.h"
#include "app/commandline/texttable.h"
#include "engine/plan/structurehints.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <memory>
#include <ostream>

namespace tidemark {
namespace {

struct AdviseOptions {
    std::string model;
    StepOptions step;
    CardOptions card;
    bool curve = false;
    bool json = false;
};

MeasureRequest requestFor(const PlanResult& base, const Settings& settings) {
    MeasureRequest request = base.answer.request;
    request.settings = settings;
    return request;
}

/// Applies the cheapest change that saves most again and again until the step fits; each step is an exact run.
std::vector<MeasuredAdvice> combine(Planner* planner, const PlanResult& base) {
    constexpr int kMostSteps = 6;
    std::vector<MeasuredAdvice> steps;
    PlanResult now = base;
    while (!now.fit.fits() && static_cast<int>(steps.size()) < kMostSteps) {
        const auto options = ranked(measureAdvice(planner, now, adviceFor(now.model, now.settings)));
        if (options.empty()) break;
        steps.push_back(options.front());
        now.settings = options.front().advice.settings;
        now.fit = options.front().fit;
    }
    return steps;
}

/// Memory against recomputation: the step with ever more of its blocks checkpointed.
std::vector<RecomputePoint> checkpointCurve(Planner* planner, const PlanResult& base) {
    const auto steps = checkpointSteps(base.model, base.settings);
    std::vector<MeasureRequest> requests;
    for (const Settings& settings : steps) {
        requests.push_back(requestFor(base, settings));
        requests.back().detail = {};
    }
    const auto answers = planner->session().measureAll(requests);
    std::vector<RecomputePoint> curve;
    for (std::size_t i = 0; i < answers.size(); ++i) {
        if (!answers[i] || answers[i].value().measurement->outOfMemory) continue;
        const Measurement& m = *answers[i].value().measurement;
        const Fit fit = judge(m, nullptr, base.gpu, base.reserve, isEstimated(answers[i].value()));
        curve.push_back(recomputePoint(steps[i], fit, m));
    }
    return curve;
}

std::string tableOf(const std::vector<RecomputePoint>& curve) {
    TextTable table({{"Blocks", Align::Right}, {"Allocated", Align::Right}, {"Reserved", Align::Right}, {"Recomputed", Align::Right}});
    for (const RecomputePoint& point : curve)
        table.add({std::to_string(point.blocks), formatBytes(point.allocated), formatBytes(point.reserved),
                   percentOf(point.recomputed, 1)});
    return table.text("  ");
}

nlohmann::json listJson(const std::vector<RecomputePoint>& curve) {
    nlohmann::json array = nlohmann::json::array();
    for (const RecomputePoint& point : curve)
        array.push_back({{"blocks", point.blocks},
                         {"allocated", point.allocated.count},
                         {"reserved", point.reserved.count},
                         {"recomputed_operators", point.recomputed}});
    return array;
}

std::string tableOf(const std::vector<StructureHint>& hints) {
    TextTable table({{"Change of the network"}, {"Saves about", Align::Right}, {"Layers"}});
    std::string reasons;
    for (const StructureHint& hint : hints) {
        table.add({hint.title.english(), formatBytes(hint.saves), fmt::format("{}", fmt::join(hint.layers, ", "))});
        reasons += fmt::format("  • {}: {}\n", hint.title.english(), hint.explanation.english());
    }
    return table.text("  ") + reasons;
}

nlohmann::json listJson(const std::vector<StructureHint>& hints) {
    nlohmann::json array = nlohmann::json::array();
    for (const StructureHint& hint : hints)
        array.push_back({{"kind", keyOf(hint.kind)},
                         {"title", hint.title.english()},
                         {"explanation", hint.explanation.english()},
                         {"layers", hint.layers},
                         {"share", hint.share},
                         {"saves", hint.saves.count}});
    return array;
}

std::string tableOf(const std::vector<MeasuredAdvice>& list) {
    TextTable table({{"Change"}, {"Process", Align::Right}, {"Saved", Align::Right}, {"Fits"}, {"Cost"}, {""}});
    for (const MeasuredAdvice& a : list) {
        std::string consequence = a.advice.consequence.english();
        if (a.recomputed > 0) consequence += fmt::format(" ({:.0f} % more forward operators)", 100 * a.recomputed);
        table.add({a.advice.title.english(), formatBytes(a.fit.process.value), formatBytes(a.saved), a.fit.fits() ? "yes" : "no",
                   titleOf(a.advice.cost).english(), consequence});
    }
    return table.text("  ");
}

nlohmann::json listJson(const std::vector<MeasuredAdvice>& list) {
    nlohmann::json array = nlohmann::json::array();
    for (const MeasuredAdvice& a : list)
        array.push_back({{"title", a.advice.title.english()},
                         {"consequence", a.advice.consequence.english()},
                         {"cost", titleOf(a.advice.cost).english()},
                         {"settings", toJson(a.advice.settings)},
                         {"process", a.fit.process.value.count},
                         {"saved", a.saved.count},
                         {"fits", a.fit.fits()},
                         {"recomputed_operators", a.recomputed}});
    return array;
}

ExitCode runAdvise(const AdviseOptions& options, const CommandContext& context) {
    const auto settings = options.step.settings();
    if (!settings) return context.fail(settings.error());
    const auto card = context.card(options.card);
    if (!card) return context.fail(card.error());
    Planner planner(context.installation);
    auto base = planner.plan(QString::fromStdString(options.model), settings.value(), card.value().gpu,
                             card.value().reserve, {.layers = true}, 0);
    if (!base) return context.fail(base.error());
    const auto hints = structureHints(base.value().model, settings.value(), *base.value().answer.measurement);
    base.value().answer.request.detail = {};

    const auto single = ranked(measureAdvice(&planner, base.value(), adviceFor(base.value().model, settings.value())));
    const bool enough = base.value().fit.fits() || (!single.empty() && single.front().fit.fits());
    const auto together = enough ? std::vector<MeasuredAdvice>{} : combine(&planner, base.value());
    const bool fits = enough || (!together.empty() && together.back().fit.fits());
    const auto curve = options.curve ? checkpointCurve(&planner, base.value()) : std::vector<RecomputePoint>{};
    if (options.json) {
        context.out << nlohmann::json{{"schema", "tidemark.advice/1"},
                                      {"plan", planJson(base.value())},
                                      {"single", listJson(single)},
                                      {"together", listJson(together)},
                                      {"checkpoint_curve", listJson(curve)},
                                      {"structure", listJson(hints)}}
                           .dump(2)
                    << '\n';
    } else {
        context.out << describe(settings.value()) << '\n' << verdictSentence(base.value().fit, card.value().gpu, {}) << '\n';
        context.out << (single.empty() ? "\nNo change of the settings takes less memory.\n" : "\nOne change\n" + tableOf(single));
        if (!together.empty())
            context.out << (fits ? "\nChanges that fit together, one after the other\n" : "\nNot even together do these fit\n")
                        << tableOf(together);
        if (!curve.empty()) context.out << "\nMemory against recomputation\n" << tableOf(curve);
        if (!hints.empty()) context.out << "\nThe network itself, computed rather than measured\n" << tableOf(hints);
    }
    return fits ? ExitCode::Fits : ExitCode::DoesNotFit;
}

}  // namespace

Action addAdviseCommand(CLI::App& app, CommandContext context) {
    const auto options = std::make_shared<AdviseOptions>();
    app.add_option("model", options->model, "TorchScript file")->required();
    options->step.addTo(app);
    options->card.addTo(app);
    app.add_flag("--checkpoint-curve", options->curve, "Memory against the number of checkpointed blocks as well");
    app.add_flag("--json", options->json, "For programs: schema tidemark.advice/1");
    return [options, context] { return runAdvise(*options, context); };
}

}  // namespace tidemark
