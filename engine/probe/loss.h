// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/base/result.h"
#include "engine/plan/settings.h"

#include <ATen/core/ivalue.h>
#include <c10/core/ScalarType.h>

#include <vector>

namespace tidemark {

/// The floating-point tensors in a model's output that a loss can be made of: the tensor itself, the parts of a tuple
/// or list, or the first of a dictionary.
std::vector<at::Tensor> outputTensors(const c10::IValue& output);

/// Allocates what the loss compares the first output with: class numbers (int64) for cross entropy, a tensor of the
/// output's shape and of the data's `type` for BCE and MSE; undefined for the losses that need none. Shapes follow the output: [B, C] → [B];
/// [B, C, d1, …] → [B, d1, …]; a language model's [B, T, V] → [B, T].
at::Tensor makeTarget(LossKind kind, const std::vector<at::Tensor>& outputs, bool tokens, at::ScalarType type);

/// The scalar loss of the first output, as most loops take it: auxiliary ones are left aside.
/// Error: SettingInvalid when the output has no floating-point tensor.
Result<at::Tensor> computeLoss(LossKind kind, const c10::IValue& output, const at::Tensor& target, bool tokens);

}  // namespace tidemark
