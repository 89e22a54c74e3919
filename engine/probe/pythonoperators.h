// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/probe/sourceplaces.h"

#include <torch/script.h>

namespace tidemark {

/// Makes what TorchScript compiles to other operators than Python's run Python's.
/// - 1 - x: TorchScript negates and adds, Python subtracts at once, without a tensor between.
/// - for row in x: TorchScript selects a row a turn, each with a gradient of the size of x; Python takes x apart once.
void operatorsAsPython(const torch::jit::Module& module, PythonSources& sources);

}  // namespace tidemark
