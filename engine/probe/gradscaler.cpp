// SPDX-License-Identifier: Apache-2.0
#include "engine/probe/gradscaler.h"

#include <ATen/Functions.h>

#include <map>

namespace tidemark {
namespace {

constexpr double kInitialScale = 65536.0;
constexpr double kGrowthFactor = 2.0;
constexpr double kBackoffFactor = 0.5;
constexpr std::int64_t kGrowthInterval = 2000;

at::TensorOptions deviceOptions(at::ScalarType type) { return at::device(at::kCUDA).dtype(type); }

/// _unscale_grads_: one operator per gradient dtype. Works on copies, as _MultiDeviceReplicator hands out, and returns
/// that of the inf flag.
at::Tensor unscaleGradients(Optimizer& optimizer, const at::Tensor& masterInf, const at::Tensor& masterInverse) {
    at::NoGradGuard noGrad;
    const auto copyOf = [](const at::Tensor& master) { return master.to(master.options(), /*non_blocking=*/true, /*copy=*/true); };
    at::Tensor foundInf, inverseScale;
    std::map<at::ScalarType, std::vector<at::Tensor>> byType;
    for (const at::Tensor& parameter : optimizer.parameters())
        if (parameter.grad().defined()) byType[parameter.grad().scalar_type()].push_back(parameter.grad());
    for (auto& [type, gradients] : byType) {
        TORCH_CHECK(type != at::kHalf || optimizer.unscalesByItself(), "Attempting to unscale FP16 gradients.");
        if (!foundInf.defined()) {
            foundInf = copyOf(masterInf);
            inverseScale = copyOf(masterInverse);
        }
        at::_amp_foreach_non_finite_check_and_unscale_(gradients, foundInf, inverseScale);
    }
    return foundInf;
}

}  // namespace

at::Tensor GradScaler::scale(const at::Tensor& loss) {
    if (!m_scale.defined()) {
        m_scale = at::full({}, kInitialScale, deviceOptions(at::kFloat));
        m_growthTracker = at::full({}, 0, deviceOptions(at::kInt));
    }
    return loss * m_scale;
}

void GradScaler::unscale(Optimizer& optimizer) {
    at::Tensor inverse = m_scale.to(at::kDouble);
    inverse = inverse.reciprocal();
    inverse = inverse.to(at::kFloat);
    const at::Tensor found = at::full({}, 0.0, deviceOptions(at::kFloat));
    m_foundInf = unscaleGradients(optimizer, found, inverse);
    m_unscaled = true;
}

void GradScaler::checkInf(Optimizer& optimizer) {
    const at::Tensor one = at::full({}, 1.0, deviceOptions(at::kFloat));
    const at::Tensor found = at::full({}, 0.0, deviceOptions(at::kFloat));
    m_foundInf = unscaleGradients(optimizer, found, one);
}

void GradScaler::step(Optimizer& optimizer) {
    if (optimizer.unscalesByItself()) {
        if (!m_unscaled) checkInf(optimizer);
        // Python's sum() starts from 0 and its scale is multiplied by 1: both make a new tensor.
        const at::Tensor found = m_foundInf + 0;
        const at::Tensor scale = m_unscaled ? at::Tensor() : m_scale * 1;
        optimizer.step(ScaledUpdate{scale, found});
        return;
    }
    if (!m_unscaled) unscale(optimizer);
    // Python reads this value and leaves the step out after an overflow. On a real GPU our values mean nothing, and an
    // optimizer that never stepped would have no state to measure.
    m_foundInf.item<float>();
    optimizer.step(std::nullopt);
}

void GradScaler::update() {
    at::_amp_update_scale_(m_scale, m_growthTracker, m_foundInf, kGrowthFactor, kBackoffFactor, kGrowthInterval);
    m_foundInf.reset();
    m_unscaled = false;
}

std::vector<at::Tensor> GradScaler::state() const {
    std::vector<at::Tensor> tensors;
    for (const at::Tensor& tensor : {m_scale, m_growthTracker, m_foundInf})
        if (tensor.defined()) tensors.push_back(tensor);
    return tensors;
}

}  // namespace tidemark
