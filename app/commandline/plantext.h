// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/commandline/planner.h"

#include <nlohmann/json_fwd.hpp>

#include <string>

namespace tidemark {

/// "training, batch 32, fp32, sgd with momentum, …": the settings in one line.
std::string describe(const Settings& settings);
/// The card in one line.
std::string describe(const Gpu& gpu);

/// What `tidemark plan` prints for people.
std::string planText(const PlanResult& result);
/// Schema "tidemark.plan/1".
nlohmann::json planJson(const PlanResult& result);

nlohmann::json modelJson(const ModelInfo& model, const Settings& settings);
nlohmann::json gpuJson(const Gpu& gpu);
nlohmann::json categoriesJson(const CategoryBytes& categories);
/// "optimizer state" for people.
std::string titleOf(Category category);

}  // namespace tidemark
