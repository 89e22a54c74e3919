// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <torch/csrc/jit/ir/ir.h>
#include <torch/csrc/jit/runtime/graph_iterator.h>
#include <torch/script.h>

#include <memory>
#include <unordered_set>
#include <vector>

namespace tidemark {

/// Visits the graph of every method of every module once. Modules of one type share their graphs.
template <class Visit>
void forEachGraph(const torch::jit::Module& module, Visit visit) {
    std::unordered_set<torch::jit::Function*> seen;
    for (const torch::jit::Module& m : module.modules())
        for (torch::jit::Function* method : m.type()->methods())
            if (method->isGraphFunction() && seen.insert(method).second) visit(torch::jit::toGraphFunction(*method).graph());
}

/// All nodes of a graph, also in nested blocks, that satisfy `wanted`: collected first, so that they may be replaced.
template <class Predicate>
std::vector<torch::jit::Node*> nodesWhere(std::shared_ptr<torch::jit::Graph> graph, Predicate wanted) {
    std::vector<torch::jit::Node*> found;
    torch::jit::DepthFirstGraphNodeIterator nodes(graph);
    for (torch::jit::Node* node = nodes.next(); node; node = nodes.next())
        if (wanted(node)) found.push_back(node);
    return found;
}

}  // namespace tidemark
