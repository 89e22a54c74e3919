// SPDX-License-Identifier: Apache-2.0
#include "app/commandline/measureadvice.h"

namespace tidemark {

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
        const Fit fit = planner->judged(answer, base.gpu, base.reserve);
        measured.push_back(measuredAdvice(list[i], fit, base.fit.process.value, *answer.measurement));
    }
    return measured;
}

}  // namespace tidemark
