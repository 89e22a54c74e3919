// SPDX-License-Identifier: Apache-2.0
#include "engine/probe/fullslices.h"

#include "engine/probe/graphs.h"

#include <limits>
#include <optional>

namespace tidemark {
namespace {

using torch::jit::Node;

bool isConstant(const torch::jit::Value* value, std::int64_t expected, bool orNone) {
    const auto constant = torch::jit::toIValue(value);
    if (!constant) return false;
    return (constant->isInt() && constant->toInt() == expected) || (orNone && constant->isNone());
}

/// aten::slice(Tensor self, int dim, int? start, int? end, int step) over everything.
bool isFullSlice(const Node* node) {
    return node->kind() == c10::aten::slice && node->inputs().size() == 5 &&
           node->input(0)->type()->isSubtypeOf(*c10::TensorType::get()) && isConstant(node->input(2), 0, true) &&
           isConstant(node->input(3), std::numeric_limits<std::int64_t>::max(), true) && isConstant(node->input(4), 1, false);
}

}  // namespace

void removeFullSlices(const torch::jit::Module& module) {
    forEachGraph(module, [](const std::shared_ptr<torch::jit::Graph>& graph) {
        for (Node* slice : nodesWhere(graph, isFullSlice)) {
            slice->output()->replaceAllUsesWith(slice->input(0));
            slice->destroy();
        }
    });
}

}  // namespace tidemark
