// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <torch/script.h>

namespace tidemark {

/// Takes out the branches that can never run: conditions that depend on attributes which are the same in all modules
/// of a type, and on constant arguments of functions, which are inlined. TorchScript keeps a value that a branch uses
/// until the whole conditional is over, Python only until its last use in the branch that runs.
/// Call after routeModuleCalls(): calls of other modules must not be inlined.
void specialiseGraphs(const torch::jit::Module& module);

}  // namespace tidemark
