// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/plan/settings.h"

#include <ATen/ATen.h>
#include <ATen/core/grad_mode.h>

#include <memory>
#include <optional>
#include <vector>

namespace tidemark {

/// What a GradScaler hands to an optimizer that unscales by itself (the fused ones).
struct ScaledUpdate {
    at::Tensor gradScale;
    at::Tensor foundInf;
};

/// An optimizer that issues, operator for operator, what torch.optim issues with capturable=False.
/// Source: torch/optim/*.py of PyTorch 2.15 (`_multi_tensor_*`, `_single_tensor_*`, `_fused_*`).
class Optimizer {
public:
    virtual ~Optimizer() = default;

    /// One update of all parameters that have a gradient. `scaled` only when unscalesByItself().
    virtual void step(const std::optional<ScaledUpdate>& scaled) = 0;
    virtual bool unscalesByItself() const { return false; }

    /// optimizer.zero_grad(): the gradients are dropped, or kept and zeroed with one foreach operator.
    void zeroGrad(bool toNone);

    /// A device tensor kept between steps, and the parameter it belongs to.
    struct State {
        std::size_t parameter;
        at::Tensor tensor;
    };
    virtual std::vector<State> state() const = 0;
    const std::vector<at::Tensor>& parameters() const { return m_parameters; }

protected:
    explicit Optimizer(std::vector<at::Tensor> parameters) : m_parameters(std::move(parameters)) {}

private:
    std::vector<at::Tensor> m_parameters;
};

/// nullptr for OptimizerKind::None. Error: SettingInvalid for a combination that torch.optim does not have.
Result<std::unique_ptr<Optimizer>> makeOptimizer(const OptimizerSettings& settings, std::vector<at::Tensor> parameters);

}  // namespace tidemark
