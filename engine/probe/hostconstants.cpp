// SPDX-License-Identifier: Apache-2.0
#include "engine/probe/hostconstants.h"

#include "engine/probe/graphs.h"

#include <torch/csrc/jit/runtime/custom_operator.h>

namespace tidemark {
namespace {

using torch::jit::Graph;
using torch::jit::Node;
using torch::jit::Value;

/// The constant on the device, nullopt where it needs no change.
std::optional<c10::IValue> onDevice(const c10::IValue& value) {
    if (value.isDevice() && value.toDevice().is_cpu()) return c10::Device(c10::kCUDA, 0);
    if (value.isTensor() && value.toTensor().defined() && value.toTensor().is_cpu() && value.toTensor().dim() > 0)
        return value.toTensor().to(at::kCUDA);
    return std::nullopt;
}

torch::jit::RegisterOperators registerTyped({torch::jit::Operator(
    "tidemark::typed_as(Tensor self, Tensor other) -> Tensor",
    [](torch::jit::Stack& stack) {
        const at::Tensor other = torch::jit::pop(stack).toTensor();
        const at::Tensor self = torch::jit::pop(stack).toTensor();
        stack.emplace_back(self.to(other.scalar_type()));
    },
    c10::AliasAnalysisKind::CONSERVATIVE)});

bool isEmptyConstant(const Value* value) {
    const Node* node = value->node();
    if (node->kind() == c10::aten::to || node->kind() == c10::aten::detach) return isEmptyConstant(node->input(0));
    const auto constant = torch::jit::toIValue(value);
    return constant && constant->isTensor() && constant->toTensor().defined() && constant->toTensor().numel() == 0;
}

bool beginsEmpty(const Node* node) {
    if (node->kind() != c10::aten::cat) return false;
    const Node* parts = node->input(0)->node();
    return parts->kind() == c10::prim::ListConstruct && parts->inputs().size() > 1 && isEmptyConstant(parts->input(0));
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

void typeEmptyConstants(const torch::jit::Module& module) {
    static const auto kTypedAs = c10::Symbol::fromQualString("tidemark::typed_as");
    forEachGraph(module, [](const std::shared_ptr<Graph>& graph) {
        for (Node* cat : nodesWhere(graph, beginsEmpty)) {
            Node* parts = cat->input(0)->node();
            Node* typed = graph->create(kTypedAs, {parts->input(0), parts->input(1)}, 1)->insertBefore(parts);
            parts->replaceInput(0, typed->output());
        }
    });
}

}  // namespace tidemark
