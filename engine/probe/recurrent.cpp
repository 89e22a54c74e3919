// SPDX-License-Identifier: Apache-2.0
#include "engine/probe/recurrent.h"

#include <map>
#include <optional>

namespace tidemark {
namespace {

/// cudnnRNNMode_t; the two kinds of plain RNN have the same weights.
std::optional<std::int64_t> modeOf(const std::string& type) {
    static const std::map<std::string, std::int64_t> kModes{{"RNN", 1}, {"LSTM", 2}, {"GRU", 3}};
    const auto found = kModes.find(type);
    return found == kModes.end() ? std::nullopt : std::optional(found->second);
}

const at::Tensor* find(const NamedTensors& weights, const std::string& name) {
    for (const auto& [known, tensor] : weights)
        if (known == name) return &tensor;
    return nullptr;
}

/// torch.backends.cudnn.is_acceptable(): bfloat16 is not, so that such weights are put together in every call.
bool isAcceptable(at::ScalarType type) { return type == at::kHalf || type == at::kFloat || type == at::kDouble; }

}  // namespace

void flattenRecurrentWeights(const std::string& moduleType, const NamedTensors& weights) {
    const auto mode = modeOf(moduleType);
    const at::Tensor* input = find(weights, "weight_ih_l0");
    const at::Tensor* hidden = find(weights, "weight_hh_l0");
    if (!mode || !input || !hidden || !isAcceptable(input->scalar_type())) return;
    const std::int64_t gates = *mode == 2 ? 4 : *mode == 3 ? 3 : 1;
    const at::Tensor* projection = find(weights, "weight_hr_l0");
    const bool bothWays = find(weights, "weight_ih_l0_reverse") != nullptr;
    std::int64_t layers = 0;
    while (find(weights, "weight_ih_l" + std::to_string(layers))) ++layers;
    const std::int64_t perLayer = (find(weights, "bias_ih_l0") ? 4 : 2) + (projection ? 1 : 0);
    if (static_cast<std::int64_t>(weights.size()) != perLayer * layers * (bothWays ? 2 : 1)) return;

    at::NoGradGuard noGrad;
    std::vector<at::Tensor> tensors;
    for (const auto& [name, tensor] : weights) tensors.push_back(tensor);
    at::_cudnn_rnn_flatten_weight(tensors, perLayer, input->size(1), *mode, hidden->size(0) / gates,
                                  projection ? projection->size(0) : 0, layers, false, bothWays);
}

}  // namespace tidemark
