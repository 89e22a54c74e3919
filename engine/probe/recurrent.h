// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/ATen.h>

#include <string>
#include <utility>
#include <vector>

namespace tidemark {

/// The parameters of one module by name, in the order of registration.
using NamedTensors = std::vector<std::pair<std::string, at::Tensor>>;

/// What torch.nn.LSTM, GRU and RNN do when they are moved to a CUDA device: all weights become views of one buffer as
/// cuDNN wants it. Nothing happens for modules of other types. `weights` lie on the device and keep their identity.
void flattenRecurrentWeights(const std::string& moduleType, const NamedTensors& weights);

}  // namespace tidemark
