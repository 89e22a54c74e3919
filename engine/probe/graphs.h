// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <torch/csrc/jit/ir/ir.h>
#include <torch/csrc/jit/runtime/graph_iterator.h>
#include <torch/script.h>

#include <memory>
#include <unordered_set>
#include <vector>

namespace tidemark {

/// All nodes of a graph, also in nested blocks, that satisfy `wanted`: collected first, so that they may be replaced.
template <class Predicate>
std::vector<torch::jit::Node*> nodesWhere(std::shared_ptr<torch::jit::Graph> graph, Predicate wanted) {
    std::vector<torch::jit::Node*> found;
    torch::jit::DepthFirstGraphNodeIterator nodes(graph);
    for (torch::jit::Node* node = nodes.next(); node; node = nodes.next())
        if (wanted(node)) found.push_back(node);
    return found;
}

/// The free function that a node calls; null where it calls none.
inline torch::jit::Function* calledFunction(const torch::jit::Node* node) {
    if (node->kind() != c10::prim::CallFunction) return nullptr;
    const auto type = node->input(0)->type()->cast<c10::FunctionType>();
    return type && type->function()->isGraphFunction() ? type->function() : nullptr;
}

/// Visits every method of every module, and every free function that they call, once, with its graph. Modules of one
/// type share theirs.
template <class Visit>
void forEachFunction(const torch::jit::Module& module, Visit visit) {
    std::unordered_set<torch::jit::Function*> seen;
    std::vector<torch::jit::Function*> waiting;
    const auto add = [&](torch::jit::Function* function) {
        if (function->isGraphFunction() && seen.insert(function).second) waiting.push_back(function);
    };
    for (const torch::jit::Module& m : module.modules())
        for (torch::jit::Function* method : m.type()->methods()) add(method);
    for (std::size_t next = 0; next < waiting.size(); ++next) {
        const auto graph = torch::jit::toGraphFunction(*waiting[next]).graph();
        for (const torch::jit::Node* call : nodesWhere(graph, calledFunction)) add(calledFunction(call));
        visit(*waiting[next], graph);
    }
}

/// The same for those who need the graphs alone.
template <class Visit>
void forEachGraph(const torch::jit::Module& module, Visit visit) {
    forEachFunction(module, [&](torch::jit::Function&, const std::shared_ptr<torch::jit::Graph>& graph) { visit(graph); });
}

}  // namespace tidemark
