// SPDX-License-Identifier: Apache-2.0
#include "engine/probe/outputshapes.h"

#include <ATen/Functions.h>

#include <algorithm>
#include <utility>

namespace tidemark {
namespace {

/// Beyond, a tensor's size in bytes has no number.
constexpr std::int64_t kMostElements = std::int64_t{1} << 56;

bool beginsWithBatch(const at::Tensor& tensor, std::int64_t batch) {
    return tensor.dim() > 0 && tensor.size(0) == batch && tensor.is_contiguous();
}

at::Tensor withBatch(const at::Tensor& tensor, std::int64_t batch) {
    std::vector<std::int64_t> sizes = tensor.sizes().vec();
    sizes.front() = batch;
    return at::empty(sizes, tensor.options());
}

}  // namespace

std::optional<std::vector<at::Tensor>> OutputShapes::expected(const Settings& settings) const {
    if (!m_settings || m_outputs.empty()) return std::nullopt;
    Settings before = *m_settings;
    const std::int64_t batch = std::exchange(before.batch, settings.batch);
    if (before != settings) return std::nullopt;
    if (batch == settings.batch) return m_outputs;
    std::vector<at::Tensor> outputs;
    for (const at::Tensor& tensor : m_outputs) {
        if (!beginsWithBatch(tensor, batch) ||
            settings.batch > kMostElements / std::max<std::int64_t>(tensor.numel(), 1))
            return std::nullopt;
        outputs.push_back(withBatch(tensor, settings.batch));
    }
    return outputs;
}

void OutputShapes::learn(const Settings& settings, const std::vector<at::Tensor>& outputs) {
    m_settings = settings;
    m_outputs = onMeta(outputs);
}

std::vector<at::Tensor> onMeta(const std::vector<at::Tensor>& tensors) {
    std::vector<at::Tensor> shapes;
    for (const at::Tensor& tensor : tensors)
        shapes.push_back(at::empty_strided(tensor.sizes(), tensor.strides(), tensor.options().device(at::kMeta)));
    return shapes;
}

bool sameShapes(const std::vector<at::Tensor>& a, const std::vector<at::Tensor>& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const at::Tensor& one, const at::Tensor& other) {
        return one.sizes() == other.sizes() && one.strides() == other.strides() &&
               one.scalar_type() == other.scalar_type();
    });
}

}  // namespace tidemark
