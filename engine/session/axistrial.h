// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/plan/axissearch.h"
#include "engine/session/request.h"

namespace tidemark {

/// The run that an AxisSearch wants: `step` with this size of the axis, within `cardLimit` (allocatorLimit()) or
/// without a limit.
MeasureRequest requestFor(const AxisSearch::Trial& trial, const std::string& axis, MeasureRequest step,
                          Bytes cardLimit);

TrialOutcome outcomeOf(const Measurement& measurement);
/// Empty when the run could not be made, so that nothing is known of the size.
std::optional<TrialOutcome> outcomeOf(const Error& error);

}  // namespace tidemark
