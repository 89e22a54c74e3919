// SPDX-License-Identifier: Apache-2.0
#include "engine/probe/loss.h"

#include <ATen/ATen.h>

namespace tidemark {
namespace {

void collect(const c10::IValue& value, std::vector<at::Tensor>& tensors) {
    if (value.isTensor()) {
        const at::Tensor& tensor = value.toTensor();
        if (tensor.defined() && tensor.is_floating_point()) tensors.push_back(tensor);
    } else if (value.isTuple()) {
        for (const c10::IValue& item : value.toTupleRef().elements()) collect(item, tensors);
    } else if (value.isList()) {
        for (const c10::IValue& item : value.toListRef()) collect(item, tensors);
    } else if (value.isGenericDict()) {
        for (const auto& entry : value.toGenericDict()) {
            collect(entry.value(), tensors);
            if (!tensors.empty()) return;
        }
    } else if (value.isObject()) {
        for (const c10::IValue& slot : value.toObjectRef().slots()) collect(slot, tensors);
    }
}

/// [B, T, V] of a language model is compared token by token.
bool isTokenLogits(const at::Tensor& output, bool tokens) { return tokens && output.dim() == 3; }

at::Tensor targetFor(LossKind kind, const at::Tensor& output, bool tokens, at::ScalarType type) {
    const auto classes = at::device(at::kCUDA).dtype(at::kLong);
    // The data of a loop under autocast are float32, also where the output is not.
    if (kind != LossKind::CrossEntropy) return at::zeros(output.sizes(), at::device(at::kCUDA).dtype(type));
    if (isTokenLogits(output, tokens)) return at::zeros({output.size(0), output.size(1)}, classes);
    if (output.dim() < 2) return at::zeros({}, classes);
    std::vector<std::int64_t> shape{output.size(0)};
    for (std::int64_t i = 2; i < output.dim(); ++i) shape.push_back(output.size(i));
    return at::zeros(shape, classes);
}

at::Tensor lossOf(LossKind kind, const at::Tensor& output, const at::Tensor& target, bool tokens) {
    switch (kind) {
    case LossKind::CrossEntropy:
        if (isTokenLogits(output, tokens)) return at::cross_entropy_loss(output.view({-1, output.size(2)}), target.view({-1}));
        return at::cross_entropy_loss(output, target);
    case LossKind::BceWithLogits: return at::binary_cross_entropy_with_logits(output, target);
    case LossKind::Mse: return at::mse_loss(output, target);
    case LossKind::Mean: return output.mean();
    case LossKind::Model: return output.dim() == 0 ? output : output.sum();
    }
    return {};
}

}  // namespace

std::vector<at::Tensor> outputTensors(const c10::IValue& output) {
    std::vector<at::Tensor> tensors;
    collect(output, tensors);
    return tensors;
}

at::Tensor makeTarget(LossKind kind, const std::vector<at::Tensor>& outputs, bool tokens, at::ScalarType type) {
    if (outputs.empty() || kind == LossKind::Mean || kind == LossKind::Model) return {};
    return targetFor(kind, outputs.front(), tokens, type);
}

Result<at::Tensor> computeLoss(LossKind kind, const c10::IValue& output, const at::Tensor& target, bool tokens) {
    const std::vector<at::Tensor> outputs = outputTensors(output);
    if (outputs.empty())
        return Error{ErrorCode::SettingInvalid, Message::tr("The model's output holds no floating-point tensor to compute a loss of; plan it in infer mode."), {}};
    return lossOf(kind, outputs.front(), target, tokens);
}

}  // namespace tidemark
