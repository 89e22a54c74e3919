// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/probe/optimizer.h"

#include <ATen/ATen.h>

namespace tidemark {

/// torch.amp.GradScaler("cuda") with its defaults, operator for operator.
/// Source: torch/amp/grad_scaler.py of PyTorch 2.15.
class GradScaler {
public:
    at::Tensor scale(const at::Tensor& loss);
    /// scaler.unscale_(optimizer): for gradient clipping between backward and step.
    void unscale(Optimizer& optimizer);
    /// scaler.step(optimizer): reads the inf flag back from the device unless the optimizer unscales by itself.
    void step(Optimizer& optimizer);
    void update();

    /// Its tensors on the device, for attribution.
    std::vector<at::Tensor> state() const;

private:
    void checkInf(Optimizer& optimizer);

    at::Tensor m_scale;
    at::Tensor m_growthTracker;
    at::Tensor m_foundInf;
    bool m_unscaled = false;
};

}  // namespace tidemark
