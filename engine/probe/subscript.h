// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/probe/sourceplaces.h"

#include <torch/script.h>

namespace tidemark {

/// Makes subscripts behave as in Python.
/// - Slices among several indices, x[:, a:b]: TorchScript slices one dimension after the other, Python leaves out what
///   takes in a whole dimension, and with it a gradient buffer of the size of x in backward. A single slice, x[a:b], is
///   a slice in both.
/// - x[a:b] = 3: TorchScript makes a tensor of the number on x's device, Python fills the view.
/// - x[a:b] += y: TorchScript changes the view, Python then assigns it to the subscript, which autograd records.
void subscriptAsPython(const torch::jit::Module& module, PythonSources& sources);

}  // namespace tidemark
