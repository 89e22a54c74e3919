// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/plan/settings.h"

#include <ATen/core/Tensor.h>

#include <optional>
#include <vector>

namespace tidemark {

/// What shapes a model's outputs will have, from the run before: the loss's target is made before the first forward
/// pass, and a pass only to ask for shapes would cost a search a tenth of its time. An expectation is to be checked
/// against the outputs themselves.
class OutputShapes {
public:
    /// Tensors on the meta device; empty when the last run had settings that differ in more than the batch, or when a
    /// batch of another size may not only change the first dimension.
    std::optional<std::vector<at::Tensor>> expected(const Settings& settings) const;
    /// `outputs`: of a run under `settings`, on any device.
    void learn(const Settings& settings, const std::vector<at::Tensor>& outputs);

private:
    std::optional<Settings> m_settings;
    std::vector<at::Tensor> m_outputs;
};

/// Tensors of the same sizes, strides and types on the meta device.
std::vector<at::Tensor> onMeta(const std::vector<at::Tensor>& tensors);

/// Whether sizes, strides and types are equal.
bool sameShapes(const std::vector<at::Tensor>& a, const std::vector<at::Tensor>& b);

}  // namespace tidemark
