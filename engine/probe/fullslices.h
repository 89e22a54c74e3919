// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <torch/script.h>

namespace tidemark {

/// Removes slices of the whole dimension, x[:, 0] being a slice and a select in TorchScript. Python's indexing leaves
/// them out, and with them a gradient buffer of the size of x in backward.
void removeFullSlices(const torch::jit::Module& module);

}  // namespace tidemark
