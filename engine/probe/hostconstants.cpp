// SPDX-License-Identifier: Apache-2.0
#include "engine/probe/hostconstants.h"

#include <torch/csrc/jit/ir/ir.h>
#include <torch/csrc/jit/runtime/graph_iterator.h>

#include <unordered_set>

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

void rewrite(const std::shared_ptr<Graph>& graph, std::vector<at::Tensor>& moved) {
    std::vector<Node*> constants;
    std::shared_ptr<torch::jit::Graph> walked = graph;
    torch::jit::DepthFirstGraphNodeIterator nodes(walked);
    for (Node* node = nodes.next(); node; node = nodes.next())
        if (node->kind() == c10::prim::Constant) constants.push_back(node);
    for (Node* constant : constants) {
        const auto value = torch::jit::toIValue(constant->output());
        const auto replacement = value ? onDevice(*value) : std::nullopt;
        if (!replacement) continue;
        if (replacement->isTensor()) moved.push_back(replacement->toTensor());
        torch::jit::WithInsertPoint here(constant);
        constant->output()->replaceAllUsesWith(graph->insertConstant(*replacement));
    }
}

}  // namespace

std::vector<at::Tensor> moveConstantsToDevice(const torch::jit::Module& module) {
    std::vector<at::Tensor> moved;
    std::unordered_set<torch::jit::Function*> seen;
    for (const torch::jit::Module& m : module.modules())
        for (torch::jit::Function* method : m.type()->methods())
            if (method->isGraphFunction() && seen.insert(method).second) rewrite(torch::jit::toGraphFunction(*method).graph(), moved);
    return moved;
}

}  // namespace tidemark
