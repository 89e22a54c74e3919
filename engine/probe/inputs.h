// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/base/result.h"
#include "engine/plan/settings.h"
#include "engine/probe/model.h"

#include <string>
#include <unordered_map>
#include <vector>

namespace tidemark {

/// The arguments of one forward call, on the device.
struct Inputs {
    std::vector<c10::IValue> positional;
    std::unordered_map<std::string, c10::IValue> named;
    std::vector<at::Tensor> tensors;  ///< all of them
    bool tokens = false;              ///< the first one holds integers of shape [B, T]
};

/// The input description in force: the settings' own, else the model's. Error: InputNeeded with the question to ask,
/// InputInvalid for an unknown dtype or an axis without a size.
Result<std::vector<InputSpec>> inputSpecs(const ModelInfo& model, const Settings& settings);

/// Allocates the inputs; zeros. Floating-point ones take the model's dtype under a pure precision. Call only when
/// inputSpecs() is ok.
Inputs makeInputs(const Model& model, const Settings& settings);

}  // namespace tidemark
