// SPDX-License-Identifier: Apache-2.0
#include "engine/probe/subscript.h"

#include "engine/probe/graphs.h"

#include <torch/csrc/jit/runtime/custom_operator.h>

#include <limits>
#include <set>

namespace tidemark {
namespace {

using torch::jit::Node;
using torch::jit::Value;

/// torch::indexing's rule: nothing is sliced when the range starts at 0 and reaches the end in steps of one.
bool isWhole(const at::Tensor& tensor, std::int64_t dim, std::int64_t start, std::int64_t end, std::int64_t step) {
    const std::int64_t wrapped = dim < 0 ? dim + tensor.dim() : dim;
    return wrapped >= 0 && wrapped < tensor.dim() && start == 0 && step == 1 && end >= tensor.size(wrapped);
}

void subscript(torch::jit::Stack& stack) {
    const std::int64_t step = torch::jit::pop(stack).toInt();
    const auto end = torch::jit::pop(stack).toOptional<std::int64_t>();
    const auto start = torch::jit::pop(stack).toOptional<std::int64_t>();
    const std::int64_t dim = torch::jit::pop(stack).toInt();
    const at::Tensor tensor = torch::jit::pop(stack).toTensor();
    // Python answers a view of its own also where nothing was sliced: writing to it differentiates as writing to a
    // view.
    const bool whole =
        isWhole(tensor, dim, start.value_or(0), end.value_or(std::numeric_limits<std::int64_t>::max()), step);
    stack.emplace_back(whole ? at::alias(tensor) : tensor.slice(dim, start, end, step));
}

torch::jit::RegisterOperators registerSubscript(
    {torch::jit::Operator("tidemark::subscript(Tensor(a) self, int dim, int? start, int? end, int step) -> Tensor(a)",
                          subscript, c10::AliasAnalysisKind::FROM_SCHEMA)});

c10::Symbol subscriptSymbol() {
    static const auto kSubscript = c10::Symbol::fromQualString("tidemark::subscript");
    return kSubscript;
}

/// aten::slice(Tensor self, int dim, int? start, int? end, int step), not the slice of a list.
bool isTensorSlice(const Node* node) {
    return node->kind() == c10::aten::slice && node->inputs().size() == 5 &&
           node->input(0)->type()->isSubtypeOf(*c10::TensorType::get());
}

bool isFirstDimension(const Node* node) {
    const auto dim = torch::jit::toIValue(node->input(1));
    return !dim || !dim->isInt() || dim->toInt() == 0;
}

/// The next index of a tuple is applied to the result of this one.
bool isOneIndexOfSeveral(const Node* slice) {
    if (!isFirstDimension(slice)) return true;
    if (slice->output()->uses().size() != 1) return false;
    const Node* next = slice->output()->uses().front().user;
    if (next->kind() == c10::aten::index) return true;
    const bool indexes =
        next->kind() == c10::aten::slice || next->kind() == c10::aten::select || next->kind() == c10::aten::unsqueeze;
    return indexes && next->input(0) == slice->output() && !isFirstDimension(next);
}

/// `x[…] = 3` as TorchScript compiles it: a tensor of the number is made on x's device and copied.
bool assignsNumber(const Node* node) {
    if (node->kind() != c10::aten::copy_ || node->input(1)->uses().size() != 1) return false;
    const Node* made = node->input(1)->node();
    return made->kind() == c10::aten::tensor && made->owningBlock() == node->owningBlock() &&
           made->input(0)->type()->isSubtypeOf(*c10::NumberType::get());
}

/// Python fills the view and makes no tensor.
void fillWithNumber(torch::jit::Graph& graph, Node* copy) {
    Node* made = copy->input(1)->node();
    Node* fill = graph.create(c10::aten::fill_, {copy->input(0), made->input(0)}, 1);
    fill->insertBefore(copy);
    fill->setSourceRange(copy->sourceRange());
    copy->output()->replaceAllUsesWith(fill->output());
    copy->destroy();
    made->destroy();
}

bool isView(const Node* node) {
    const auto kind = node->kind();
    return kind == subscriptSymbol() || isTensorSlice(node) || kind == c10::aten::select ||
           kind == c10::aten::unsqueeze;
}

/// `x[1:] += y`: the operator of a view that has no other use and no name.
bool changesUnnamedView(const Node* node, PythonSources& sources) {
    static const std::set<c10::Symbol> kOperators{c10::aten::add_, c10::aten::sub_, c10::aten::mul_, c10::aten::div_};
    if (!kOperators.count(node->kind()) || !isView(node->input(0)->node()) || node->input(0)->hasDebugName())
        return false;
    const Statement* statement = sources.placeOf(node->sourceRange()).statement();
    return statement && statement->changesSubscript;
}

/// The views of a subscript once more, behind `place`.
Value* viewAgain(torch::jit::Graph& graph, Value* view, Node* place) {
    Node* node = view->node();
    if (!isView(node) || view->hasDebugName()) return view;
    Value* base = viewAgain(graph, node->input(0), place);
    Node* again = graph.createClone(node, [](Value* v) { return v; });
    again->replaceInput(0, base);
    return again->insertBefore(place)->output();
}

/// In Python the changed view is assigned to the subscript afterwards: a copy onto itself that autograd records.
void assignToSubscript(torch::jit::Graph& graph, Node* change) {
    Node* behind = change->next();
    torch::jit::WithInsertPoint here(behind);
    Node* copy = graph.create(c10::aten::copy_, {change->input(0), change->output(), graph.insertConstant(false)}, 1);
    copy->insertBefore(behind);
    copy->setSourceRange(change->sourceRange());
    copy->replaceInput(0, viewAgain(graph, change->input(0), copy));
}

}  // namespace

void subscriptAsPython(const torch::jit::Module& module, PythonSources& sources) {
    forEachGraph(module, [&](const std::shared_ptr<torch::jit::Graph>& graph) {
        for (Node* slice :
             nodesWhere(graph, [](const Node* n) { return isTensorSlice(n) && isOneIndexOfSeveral(n); })) {
            Node* made = graph->create(subscriptSymbol(), slice->inputs(), 1);
            made->insertBefore(slice);
            made->setSourceRange(slice->sourceRange());
            made->output()->copyMetadata(slice->output());
            slice->output()->replaceAllUsesWith(made->output());
            slice->destroy();
        }
        for (Node* copy : nodesWhere(graph, assignsNumber)) fillWithNumber(*graph, copy);
        for (Node* change : nodesWhere(graph, [&](const Node* n) { return changesUnnamedView(n, sources); }))
            assignToSubscript(*graph, change);
    });
}

}  // namespace tidemark
