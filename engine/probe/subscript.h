// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <torch/script.h>

namespace tidemark {

/// Makes slices among several indices behave as in Python's x[:, a:b]: TorchScript slices one dimension after the other,
/// Python leaves out what takes in a whole dimension, and with it a gradient buffer of the size of x in backward. A
/// single slice, x[a:b], is a slice in both.
void subscriptAsPython(const torch::jit::Module& module);

}  // namespace tidemark
