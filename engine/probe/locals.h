// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/probe/sourceplaces.h"

#include <torch/script.h>

#include <set>
#include <string>

namespace tidemark {

/// Keeps values as long as the exporter saw Python keep them while it traced the model: it leaves calls of an empty
/// function, tidemark_kept_until_here(Tensor) -> Tensor, where a tensor died. False where the file has no such marks.
bool keepAsMarked(const torch::jit::Module& module);

/// The names of all values, as the source calls them. To be read before branches are taken out.
std::set<std::string> variableNames(const torch::jit::Module& module);

/// Makes the variables of a scripted model live as long as Python's: until the name is bound again or the function
/// returns, through the turns of a loop and behind it. TorchScript drops a value after its last use, which would make
/// evaluation look cheaper than it is.
/// Values keep the names of the source; where two variables cannot be told from two bindings of one ("x1", "x2"
/// beside "x"), the shorter life is assumed. `names`: variableNames() of the model as loaded.
void keepLocalsAlive(const torch::jit::Module& module, const std::set<std::string>& names, PythonSources& sources);

}  // namespace tidemark
