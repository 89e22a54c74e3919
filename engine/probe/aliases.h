// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/probe/sourceplaces.h"

#include <torch/script.h>

#include <set>
#include <string>

namespace tidemark {

/// Marks where variables are bound that the graph does not show. Of `y = x`, `a, b = b, a` and `del x` TorchScript
/// keeps nothing: they are read from the source of scripted models. Conditionals bind what their branches bound. To be
/// called before branches are taken out: of `y = x if a else b` nothing would be left, and what y held before would
/// seem to live on; and an alias in a branch that never runs must go with it. `names`: variableNames() of the model as
/// loaded.
void markBindings(const torch::jit::Module& module, const std::set<std::string>& names, PythonSources& sources);

}  // namespace tidemark
