// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/commandline/planner.h"
#include "engine/plan/advice.h"

#include <vector>

namespace tidemark {

/// The exact runs of changes to a plan, in their order. A change that the model refuses is left out.
std::vector<MeasuredAdvice> measureAdvice(Planner* planner, const PlanResult& base, const std::vector<Advice>& list);

}  // namespace tidemark
