// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <torch/script.h>

namespace tidemark {

/// Lets a branch let go of what it uses last. TorchScript keeps a value that was made before a conditional and is read
/// in one of its branches until the conditional is over; in Python, `x = x + mask` inside of the branch already frees
/// what x held. To be called last: lifetimes are then those of keepLocalsAlive(), in branches too.
void releaseInsideBranches(const torch::jit::Module& module);

}  // namespace tidemark
