// SPDX-License-Identifier: Apache-2.0
#include "app/commandline/command.h"
#include "app/commandline/options.h"
#include "app/commandline/planner.h"
#include "app/commandline/plantext.h"
#include "app/commandline/texttable.h"
#include "engine/plan/advice.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <memory>
#include <ostream>

namespace tidemark {
namespace {

struct AdviseOptions {
    std::string model;
    StepOptions step;
    CardOptions card;
    bool json = false;
};

MeasureRequest requestFor(const PlanResult& base, const Settings& settings) {
    MeasureRequest request = base.answer.request;
    request.settings = settings;
    return request;
}

/// The exact runs of all changes. A change that the model refuses is left out.
std::vector<MeasuredAdvice> measureAll(Planner* planner, const PlanResult& base, const std::vector<Advice>& list) {
    std::vector<MeasureRequest> requests;
    for (const Advice& advice : list) requests.push_back(requestFor(base, advice.settings));
    const auto answers = planner->session().measureAll(requests);
    std::vector<MeasuredAdvice> measured;
    for (std::size_t i = 0; i < answers.size(); ++i) {
        if (!answers[i] || answers[i].value().measurement->outOfMemory) continue;
        const Measured& answer = answers[i].value();
        const Fit fit = judge(*answer.measurement, nullptr, base.gpu, base.reserve, isEstimated(answer));
        measured.push_back({list[i], fit, base.fit.process.value - fit.process.value, answer.measurement->recomputedOperators});
    }
    return measured;
}

/// Applies the cheapest change that saves most again and again until the step fits; each step is an exact run.
std::vector<MeasuredAdvice> combine(Planner* planner, const PlanResult& base) {
    constexpr int kMostSteps = 6;
    std::vector<MeasuredAdvice> steps;
    PlanResult now = base;
    while (!now.fit.fits() && static_cast<int>(steps.size()) < kMostSteps) {
        const auto options = ranked(measureAll(planner, now, adviceFor(now.model, now.settings)));
        if (options.empty()) break;
        steps.push_back(options.front());
        now.settings = options.front().advice.settings;
        now.fit = options.front().fit;
    }
    return steps;
}

std::string tableOf(const std::vector<MeasuredAdvice>& list) {
    TextTable table({{"Change"}, {"Process", Align::Right}, {"Saved", Align::Right}, {"Fits"}, {"Cost"}, {""}});
    for (const MeasuredAdvice& a : list) {
        std::string consequence = a.advice.consequence;
        if (a.recomputed > 0) consequence += fmt::format(" ({:.0f} % more forward operators)", 100 * a.recomputed);
        table.add({a.advice.title, formatBytes(a.fit.process.value), formatBytes(a.saved), a.fit.fits() ? "yes" : "no",
                   std::string(titleOf(a.advice.cost)), consequence});
    }
    return table.text("  ");
}

nlohmann::json listJson(const std::vector<MeasuredAdvice>& list) {
    nlohmann::json array = nlohmann::json::array();
    for (const MeasuredAdvice& a : list)
        array.push_back({{"title", a.advice.title}, {"consequence", a.advice.consequence}, {"cost", titleOf(a.advice.cost)},
                         {"settings", toJson(a.advice.settings)}, {"process", a.fit.process.value.count}, {"saved", a.saved.count},
                         {"fits", a.fit.fits()}, {"recomputed_operators", a.recomputed}});
    return array;
}

ExitCode runAdvise(const AdviseOptions& options, const CommandContext& context) {
    const auto settings = options.step.settings();
    if (!settings) return context.fail(settings.error());
    const auto card = context.card(options.card);
    if (!card) return context.fail(card.error());
    Planner planner(context.installation);
    const auto base = planner.plan(QString::fromStdString(options.model), settings.value(), card.value().gpu, card.value().reserve, {}, 0);
    if (!base) return context.fail(base.error());

    const auto single = ranked(measureAll(&planner, base.value(), adviceFor(base.value().model, settings.value())));
    const bool enough = base.value().fit.fits() || (!single.empty() && single.front().fit.fits());
    const auto together = enough ? std::vector<MeasuredAdvice>{} : combine(&planner, base.value());
    const bool fits = enough || (!together.empty() && together.back().fit.fits());
    if (options.json) {
        context.out << nlohmann::json{{"schema", "tidemark.advice/1"}, {"plan", planJson(base.value())}, {"single", listJson(single)},
                                      {"together", listJson(together)}}.dump(2) << '\n';
    } else {
        context.out << describe(settings.value()) << '\n' << verdictSentence(base.value().fit, card.value().gpu, {}) << '\n';
        context.out << (single.empty() ? "\nNo change of the settings takes less memory.\n" : "\nOne change\n" + tableOf(single));
        if (!together.empty())
            context.out << (fits ? "\nChanges that fit together, one after the other\n" : "\nNot even together do these fit\n") << tableOf(together);
    }
    return fits ? ExitCode::Fits : ExitCode::DoesNotFit;
}

}  // namespace

Action addAdviseCommand(CLI::App& app, CommandContext context) {
    const auto options = std::make_shared<AdviseOptions>();
    app.add_option("model", options->model, "TorchScript file")->required();
    options->step.addTo(app);
    options->card.addTo(app);
    app.add_flag("--json", options->json, "For programs: schema tidemark.advice/1");
    return [options, context] { return runAdvise(*options, context); };
}

}  // namespace tidemark
