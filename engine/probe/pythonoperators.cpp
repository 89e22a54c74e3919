// SPDX-License-Identifier: Apache-2.0
#include "engine/probe/pythonoperators.h"

#include "engine/probe/graphs.h"

#include <torch/csrc/jit/frontend/source_range.h>

namespace tidemark {
namespace {

using torch::jit::Block;
using torch::jit::Graph;
using torch::jit::Node;
using torch::jit::Value;

/// True for what comes from TorchScript's own definitions of operators with a number on the left, which lie in no file.
bool isBuiltIn(const Node* node) {
    const torch::jit::SourceRange range = node->sourceRange();
    if (!range.source()) return false;
    const auto original = range.findSourceRangeThatGenerated();
    return original && original->source() && original->source()->filename().value_or("<string>") == "<string>";
}

/// Of `1 - x`: -x + 1.
bool subtractsFromNumber(const Node* node) {
    if (node->kind() != c10::aten::add || node->inputs().size() != 3) return false;
    const Node* negated = node->input(0)->node();
    return negated->kind() == c10::aten::neg && negated->output()->uses().size() == 1 && isBuiltIn(negated) &&
           isBuiltIn(node) && node->input(1)->type()->isSubtypeOf(*c10::NumberType::get());
}

void subtractAtOnce(Graph& graph, Node* add) {
    Node* negated = add->input(0)->node();
    Node* subtract = graph.create(c10::aten::rsub, {negated->input(0), add->input(1), add->input(2)}, 1);
    subtract->insertBefore(add);
    subtract->setSourceRange(add->sourceRange());
    subtract->output()->copyMetadata(add->output());
    add->output()->replaceAllUsesWith(subtract->output());
    add->destroy();
    negated->destroy();
}

/// Selects a row by the number of the loop's turn, and was written nowhere: the loop's own place is its place.
bool takesNextRow(const Node* node, const Node* loop, PythonSources& sources) {
    if (node->kind() != c10::aten::select || node->owningBlock()->owningNode() != loop) return false;
    const auto dimension = torch::jit::toIValue(node->input(1));
    if (node->input(2) != node->owningBlock()->inputs()[0] || !dimension || !dimension->isInt() ||
        dimension->toInt() != 0)
        return false;
    if (node->input(0)->node()->owningBlock() == node->owningBlock()) return false;
    const SourcePlace place = sources.placeOf(node->sourceRange());
    const SourcePlace around = sources.placeOf(loop->sourceRange());
    return place.source && place.source == around.source && place.begin == around.begin;
}

void takeApart(Graph& graph, Node* loop, Node* select) {
    Node* parts = graph.create(c10::aten::unbind, {select->input(0), select->input(1)}, 1);
    parts->insertBefore(loop);
    parts->setSourceRange(select->sourceRange());
    parts->output()->setType(c10::ListType::ofTensors());
    if (select->input(1)->node()->owningBlock() == select->owningBlock()) {
        torch::jit::WithInsertPoint here(parts);
        parts->replaceInput(1, graph.insertConstant(std::int64_t{0}));
    }
    Node* row = graph.create(c10::aten::__getitem__, {parts->output(), select->input(2)}, 1);
    row->insertBefore(select);
    row->setSourceRange(select->sourceRange());
    row->output()->copyMetadata(select->output());
    select->output()->replaceAllUsesWith(row->output());
    select->destroy();
}

}  // namespace

void operatorsAsPython(const torch::jit::Module& module, PythonSources& sources) {
    forEachGraph(module, [&](const std::shared_ptr<Graph>& graph) {
        for (Node* add : nodesWhere(graph, subtractsFromNumber)) subtractAtOnce(*graph, add);
        for (Node* loop : nodesWhere(graph, [](const Node* n) { return n->kind() == c10::prim::Loop; })) {
            Block* body = loop->blocks().front();
            const std::vector<Node*> nodes(body->nodes().begin(), body->nodes().end());
            for (Node* node : nodes)
                if (takesNextRow(node, loop, sources)) takeApart(*graph, loop, node);
        }
    });
}

}  // namespace tidemark
