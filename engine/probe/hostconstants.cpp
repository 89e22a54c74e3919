// SPDX-License-Identifier: Apache-2.0
#include "engine/probe/hostconstants.h"

#include "engine/probe/graphs.h"

namespace tidemark {
namespace {

using torch::jit::Graph;
using torch::jit::Node;

/// The constant on the device, nullopt where it needs no change.
std::optional<c10::IValue> onDevice(const c10::IValue& value) {
    if (value.isDevice() && value.toDevice().is_cpu()) return c10::Device(c10::kCUDA, 0);
    if (value.isTensor() && value.toTensor().defined() && value.toTensor().is_cpu() && value.toTensor().dim() > 0)
        return value.toTensor().to(at::kCUDA);
    return std::nullopt;
}

}  // namespace

std::vector<at::Tensor> moveConstantsToDevice(const torch::jit::Module& module) {
    std::vector<at::Tensor> moved;
    const auto isConstant = [](const Node* node) { return node->kind() == c10::prim::Constant; };
    forEachGraph(module, [&](const std::shared_ptr<Graph>& graph) {
        for (Node* constant : nodesWhere(graph, isConstant)) {
            const auto value = torch::jit::toIValue(constant->output());
            const auto replacement = value ? onDevice(*value) : std::nullopt;
            if (!replacement) continue;
            if (replacement->isTensor()) moved.push_back(replacement->toTensor());
            torch::jit::WithInsertPoint here(constant);
            constant->output()->replaceAllUsesWith(graph->insertConstant(*replacement));
        }
    });
    return moved;
}

}  // namespace tidemark
