// SPDX-License-Identifier: Apache-2.0
#include "app/commandline/measureadvice.h"

namespace tidemark {
namespace {

/// Decided by a run within the card where only that can tell.
Fit fitOf(Planner* planner, const PlanResult& base, const Measured& answer) {
    const Measurement& unlimited = *answer.measurement;
    if (!needsLimitedRun(unlimited, base.gpu, base.reserve))
        return judge(unlimited, nullptr, base.gpu, base.reserve, isEstimated(answer));
    MeasureRequest limited = answer.request;
    limited.memoryLimit = allocatorLimit(base.gpu, base.reserve);
    const auto within = planner->session().measure(limited);
    return judge(unlimited, within ? within.value().measurement.get() : nullptr, base.gpu, base.reserve,
                 isEstimated(answer));
}

}  // namespace

std::vector<MeasuredAdvice> measureAdvice(Planner* planner, const PlanResult& base, const std::vector<Advice>& list) {
    std::vector<MeasureRequest> requests(list.size(), base.answer.request);
    for (std::size_t i = 0; i < list.size(); ++i) {
        requests[i].settings = list[i].settings;
        requests[i].detail = {};
    }
    const auto answers = planner->session().measureAll(requests);
    std::vector<MeasuredAdvice> measured;
    for (std::size_t i = 0; i < answers.size(); ++i) {
        if (!answers[i] || answers[i].value().measurement->outOfMemory) continue;
        const Measured& answer = answers[i].value();
        const Fit fit = fitOf(planner, base, answer);
        measured.push_back(measuredAdvice(list[i], fit, base.fit.process.value, *answer.measurement));
    }
    return measured;
}

}  // namespace tidemark
