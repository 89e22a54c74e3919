// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <torch/script.h>

namespace tidemark {

/// Makes the variables of a scripted model live as long as Python's: until the name is bound again or the function
/// returns. TorchScript drops a value after its last use, which would make evaluation look cheaper than it is.
/// Values keep the names of the source; where two variables cannot be told from two bindings of one ("x1", "x2"
/// beside "x"), the shorter life is assumed.
void keepLocalsAlive(const torch::jit::Module& module);

}  // namespace tidemark
