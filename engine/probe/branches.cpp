// SPDX-License-Identifier: Apache-2.0
#include "engine/probe/branches.h"

#include "engine/probe/graphs.h"

#include <ATen/core/List.h>
#include <torch/csrc/jit/runtime/custom_operator.h>

#include <algorithm>

namespace tidemark {
namespace {

using torch::jit::Block;
using torch::jit::Graph;
using torch::jit::Node;
using torch::jit::Value;

/// A value goes into a box in front of the conditional, and a branch that reads it takes it out, so that the branch
/// alone has it. Both hand on the value itself; autograd sees nothing of it.
torch::jit::RegisterOperators registerBoxes({
    torch::jit::Operator(
        "tidemark::box(...) -> Any[]",
        [](torch::jit::Stack& stack) {
            torch::jit::pop(stack);  // how many: one
            c10::impl::GenericList box(c10::AnyType::get());
            box.push_back(torch::jit::pop(stack));
            stack.emplace_back(std::move(box));
        },
        c10::AliasAnalysisKind::CONSERVATIVE),
    torch::jit::Operator(
        "tidemark::unbox(...) -> Any",
        [](torch::jit::Stack& stack) {
            torch::jit::pop(stack);
            const c10::List<c10::IValue> box = torch::jit::pop(stack).toList();
            stack.push_back(box.extract(0));
        },
        c10::AliasAnalysisKind::CONSERVATIVE),
});

/// The node of `block` that a user lies in or is; null where it lies elsewhere.
const Node* ancestorIn(const Block* block, const Node* user) {
    while (user && user->owningBlock() != block)
        user = user->owningBlock() ? user->owningBlock()->owningNode() : nullptr;
    return user;
}

/// A tensor, or what a variable holds of which nothing more is known.
bool mayBeTensor(const Value* value) {
    if (value->type()->kind() == c10::TypeKind::AnyType) return true;
    return value->type()->isSubtypeOf(*c10::OptionalType::create(c10::TensorType::get())) &&
           !value->type()->isSubtypeOf(*c10::NoneType::get());
}

bool isReadLastIn(const Node* conditional, const Value* value) {
    return std::all_of(value->uses().begin(), value->uses().end(), [&](const torch::jit::Use& use) {
        const Node* user = ancestorIn(conditional->owningBlock(), use.user);
        return user && (user == conditional || user->isBefore(conditional));
    });
}

void collectReads(Block* block, std::vector<Value*>& values) {
    const auto add = [&](Node* node) { values.insert(values.end(), node->inputs().begin(), node->inputs().end()); };
    for (Node* node : block->nodes()) {
        add(node);
        for (Block* inner : node->blocks()) collectReads(inner, values);
    }
    add(block->return_node());
}

/// Made in the conditional's own block and read in a branch, in the order of the reads.
std::vector<Value*> readLastIn(Node* conditional) {
    std::vector<Value*> reads;
    for (Block* branch : conditional->blocks()) collectReads(branch, reads);
    std::vector<Value*> found;
    for (Value* value : reads) {
        const bool isOwn =
            value->node()->owningBlock() == conditional->owningBlock() && value->node()->kind() != c10::prim::Constant;
        const bool isKnown = std::find(found.begin(), found.end(), value) != found.end();
        if (isOwn && !isKnown && mayBeTensor(value) && isReadLastIn(conditional, value)) found.push_back(value);
    }
    return found;
}

void handInto(Graph& graph, Node* conditional, Value* value) {
    static const auto kBox = c10::Symbol::fromQualString("tidemark::box");
    static const auto kUnbox = c10::Symbol::fromQualString("tidemark::unbox");
    const auto uses = value->uses();
    Node* box = graph.create(kBox, {value}, 1)->insertBefore(conditional);
    box->output()->setType(c10::ListType::create(c10::AnyType::get()));
    for (Block* branch : conditional->blocks()) {
        Node* unbox = nullptr;
        for (const torch::jit::Use& use : uses) {
            const bool inside = use.user == branch->return_node() || ancestorIn(branch, use.user);
            if (!inside) continue;
            if (!unbox) unbox = graph.create(kUnbox, {box->output()}, 1)->insertAfter(branch->param_node());
            use.user->replaceInput(use.offset, unbox->output());
        }
        if (unbox) unbox->output()->copyMetadata(value);
    }
}

void releaseInside(Graph& graph, Block* block) {
    const std::vector<Node*> nodes(block->nodes().begin(), block->nodes().end());
    for (Node* node : nodes) {
        if (node->kind() == c10::prim::If)
            for (Value* value : readLastIn(node)) handInto(graph, node, value);
        for (Block* inner : node->blocks()) releaseInside(graph, inner);
    }
}

}  // namespace

void releaseInsideBranches(const torch::jit::Module& module) {
    forEachGraph(module, [](const std::shared_ptr<Graph>& graph) { releaseInside(*graph, graph->block()); });
}

}  // namespace tidemark
