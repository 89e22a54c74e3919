// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <torch/script.h>

namespace tidemark {

/// Takes out the branches that can never run: conditions on attributes that are the same in all modules of a type, and
/// on arguments that every call passes as the same constant. TorchScript keeps a value that a branch uses until the
/// whole conditional is over, Python only until its last use in the branch that runs.
/// Call after routeModuleCalls(), whose calls it looks at.
void specialiseGraphs(const torch::jit::Module& module);

/// Inlines functions and a module's calls of its own methods, and takes out the branches that their constant arguments
/// decide. Call last: afterwards the variables of different functions can no longer be told apart.
void inlineFunctions(const torch::jit::Module& module);

}  // namespace tidemark
