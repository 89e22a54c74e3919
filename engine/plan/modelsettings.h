// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/base/result.h"
#include "engine/plan/modelinfo.h"
#include "engine/plan/settings.h"

#include <optional>

namespace tidemark {

/// What is wrong with settings for one model, beyond validated(): a path, among the frozen and the checkpointed ones, that
/// no layer has. SettingInvalid, with the names that would do; empty when all is well.
std::optional<Error> problemWith(const ModelInfo& model, const Settings& settings);

}  // namespace tidemark
