// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <torch/script.h>

#include <vector>

namespace tidemark {

/// A model exported on the CPU says `device('cpu')` wherever it makes a tensor, and carries its constant tensors
/// there. Rewrites both in all graphs of `module` to the CUDA device; scalars stay on the host, where operators
/// take them from either side. Returns the tensors that are on the device now.
std::vector<at::Tensor> moveConstantsToDevice(const torch::jit::Module& module);

/// `torch.tensor([], dtype=keys.dtype)`, the start of a cache, has become a constant of no elements with the dtype of the
/// trace: under autocast, concatenating it would make everything float32. Gives it the dtype of what follows it.
void typeEmptyConstants(const torch::jit::Module& module);

}  // namespace tidemark
