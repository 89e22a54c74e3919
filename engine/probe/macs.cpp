// SPDX-License-Identifier: Apache-2.0
#include "engine/probe/macs.h"

#include <ATen/core/Tensor.h>

#include <optional>

namespace tidemark {
namespace {

std::optional<at::Tensor> tensorAt(c10::ArrayRef<const c10::IValue> inputs, std::size_t index) {
    if (index >= inputs.size() || !inputs[index].isTensor() || !inputs[index].toTensor().defined()) return std::nullopt;
    return inputs[index].toTensor();
}

bool isTransposed(std::string_view op, c10::ArrayRef<const c10::IValue> inputs) {
    if (op.find("conv_transpose") != std::string_view::npos) return true;
    // _convolution and convolution take `transposed` as their seventh argument.
    return op.find("convolution") != std::string_view::npos && inputs.size() > 6 && inputs[6].isBool() && inputs[6].toBool();
}

std::int64_t ofConvolution(std::string_view op, c10::ArrayRef<const c10::IValue> inputs, const at::Tensor& output) {
    const auto input = tensorAt(inputs, 0), weight = tensorAt(inputs, 1);
    if (!input || !weight || weight->dim() < 3) return 0;
    const std::int64_t perElement = weight->numel() / weight->size(0);
    return (isTransposed(op, inputs) ? input->numel() : output.numel()) * perElement;
}

/// Rows times columns times the length of the inner products, which is the last dimension of the left factor.
std::int64_t ofProduct(c10::ArrayRef<const c10::IValue> inputs, std::size_t left, const at::Tensor& output) {
    const auto factor = tensorAt(inputs, left);
    return factor && factor->dim() > 0 ? output.numel() * factor->size(-1) : 0;
}

std::int64_t ofAttention(c10::ArrayRef<const c10::IValue> inputs, const at::Tensor& output) {
    const auto query = tensorAt(inputs, 0), key = tensorAt(inputs, 1);
    return query && key && key->dim() >= 2 ? (query->numel() + output.numel()) * key->size(-2) : 0;
}

}  // namespace

std::int64_t multiplyAccumulates(std::string_view op, c10::ArrayRef<const c10::IValue> inputs, const at::Tensor& output) {
    if (op.substr(0, 6) != "aten::") return 0;
    op.remove_prefix(6);
    if (op.find("conv") != std::string_view::npos) return ofConvolution(op, inputs, output);
    if (op == "linear" || op == "matmul" || op == "mm" || op == "bmm") return ofProduct(inputs, 0, output);
    if (op == "addmm" || op == "baddbmm") return ofProduct(inputs, 1, output);
    if (op == "scaled_dot_product_attention") return ofAttention(inputs, output);
    return 0;
}

}  // namespace tidemark
