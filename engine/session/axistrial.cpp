// SPDX-License-Identifier: Apache-2.0
#include "engine/session/axistrial.h"

#include "engine/plan/axissweep.h"

namespace tidemark {

MeasureRequest requestFor(const AxisSearch::Trial& trial, const std::string& axis, MeasureRequest step,
                          Bytes cardLimit) {
    step.settings = withAxis(std::move(step.settings), axis, trial.size);
    step.memoryLimit = trial.withinCard ? cardLimit : kUnlimited;
    step.detail = {};
    return step;
}

TrialOutcome outcomeOf(const Measurement& measurement) {
    return measurement.outOfMemory ? TrialOutcome::OutOfMemory : TrialOutcome::Fits;
}

std::optional<TrialOutcome> outcomeOf(const Error& error) {
    if (error.code == ErrorCode::StepFailed) return TrialOutcome::Fails;
    return std::nullopt;
}

}  // namespace tidemark
