// SPDX-License-Identifier: Apache-2.0
#include "engine/probe/locals.h"

#include "engine/probe/graphs.h"
#include "engine/probe/variables.h"

#include <torch/csrc/jit/runtime/custom_operator.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace tidemark {
namespace {

using torch::jit::Block;
using torch::jit::Graph;
using torch::jit::Node;
using torch::jit::Value;

/// A Python list that nobody refers to any more lets go of its last element first.
void emptyFromTheBack(c10::List<at::Tensor> list) {
    while (!list.empty()) list.pop_back();
}

torch::jit::RegisterOperators registerHold({torch::jit::Operator(
    "tidemark::hold(...) -> ()",
    [](torch::jit::Stack& stack) {
        const auto count = static_cast<std::size_t>(torch::jit::pop(stack).toInt());
        for (auto value = stack.end() - static_cast<std::ptrdiff_t>(count); value != stack.end(); ++value) {
            if (value->isTensorList() && value->use_count() == 1) emptyFromTheBack(std::move(*value).toTensorList());
            *value = c10::IValue();
        }
        torch::jit::drop(stack, count);
    },
    c10::AliasAnalysisKind::CONSERVATIVE)});

void collectNames(const Block* block, std::set<std::string>& names) {
    for (const Value* input : block->inputs()) names.insert(variableName(input));
    for (const Node* node : block->nodes()) {
        for (const Value* output : node->outputs()) names.insert(variableName(output));
        for (const Block* inner : node->blocks()) collectNames(inner, names);
    }
}

c10::Symbol holdSymbol() {
    static const auto kHold = c10::Symbol::fromQualString("tidemark::hold");
    return kHold;
}

Node* makeHold(Graph& graph, const std::vector<Value*>& values) { return graph.create(holdSymbol(), values, 0); }

/// What one function knows while its graph is gone through.
struct Function {
    Graph& graph;
    Variables& variables;
    PythonSources& sources;
    const PythonSource* source;  ///< null where the file kept none
};

/// The variables that are bound at one place of a block, with what they hold.
class Bindings {
public:
    using Held = std::map<std::string, Value*>;

    /// `outer`: what the enclosing block holds while this one runs.
    Bindings(Function& function, Held outer) : m_function(function), m_bound(std::move(outer)) {}

    /// `value` is bound by `binder`; what the variable held before lives until then.
    void bind(Value* value, Node* binder) {
        // A module counts its name on: of `kv = self.kv(x)`, saving makes "kv" and "kv0".
        const std::string variable = m_function.variables.bindingOf(value);
        if (variable.empty()) return;
        Value* before = heldBy(variable);
        const bool tensors = holdsTensors(value->type());
        if (!tensors && !before) return;
        if (before && before->node() != binder) makeHold(m_function.graph, {before})->insertAfter(releaseOf(binder));
        noteBinding(variable);
        if (tensors)
            m_bound[variable] = value;
        else
            m_bound.erase(variable);
    }

    /// A nested block bound the variable, and let go of what it held before.
    void bindInside(const std::string& variable, Value* value) {
        noteBinding(variable);
        m_bound[variable] = value;
    }
    /// The same where what it holds now is not known yet.
    void forget(const std::string& variable) {
        noteBinding(variable);
        m_bound.erase(variable);
    }

    /// In the order in which a returning Python function lets go of its variables.
    std::vector<Value*> alive() const {
        std::vector<std::string> variables;
        std::copy_if(m_order.begin(), m_order.end(), std::back_inserter(variables),
                     [&](const auto& name) { return m_bound.count(name) > 0; });
        const PythonSource* source = m_function.source;
        const auto order = [&](const std::string& name) {
            return source ? source->orderOf(name).value_or(std::string::npos) : 0;
        };
        std::stable_sort(variables.begin(), variables.end(),
                         [&](const auto& a, const auto& b) { return order(a) < order(b); });
        std::vector<Value*> values;
        for (const std::string& variable : variables) values.push_back(m_bound.at(variable));
        return values;
    }

    const Held& held() const { return m_bound; }
    /// What the variable holds; null where it is not bound.
    Value* heldBy(const std::string& variable) const {
        const auto found = m_bound.find(variable);
        return found == m_bound.end() ? nullptr : found->second;
    }
    /// Bound in this block or in those nested in it, in the order of their first binding.
    const std::vector<std::string>& everBound() const { return m_order; }

private:
    const Statement* statementOf(const Node* node) const {
        return m_function.sources.placeOf(node->sourceRange()).statement();
    }

    bool binds(const Node* node, const std::string& variable) const {
        return std::any_of(node->outputs().begin(), node->outputs().end(),
                           [&](const Value* output) { return m_function.variables.bindingOf(output) == variable; });
    }

    /// Behind which node a variable lets go of what it held before `binder`: of `x, y = f(x), g(y)` when all of it is
    /// computed, and then in the order in which Python stores.
    Node* releaseOf(Node* binder) const {
        Node* place = binder;
        const Statement* statement = statementOf(binder);
        const bool several = statement && statement->kind == Statement::Kind::Simple && statement->targets.size() > 1;
        for (Node* node = binder; several && node->kind() != c10::prim::Return; node = node->next()) {
            const bool isBetween = node->kind() == c10::prim::Constant || !node->sourceRange().source();
            if (!isBetween && statementOf(node) != statement) break;
            if (!binds(node, statement->targets.back())) continue;
            place = node;
            break;
        }
        const bool first = statement && statement->bindsBackwards;
        while (!first && place->next()->kind() == holdSymbol()) place = place->next();
        return place;
    }

    void noteBinding(const std::string& variable) {
        if (m_everBound.insert(variable).second) m_order.push_back(variable);
    }

    Function& m_function;
    Held m_bound;
    std::vector<std::string> m_order;
    std::set<std::string> m_everBound;
};

void holdToEnd(Graph& graph, Block* block, const Bindings& bindings) {
    if (const std::vector<Value*> alive = bindings.alive(); !alive.empty())
        makeHold(graph, alive)->insertBefore(block->return_node());
}

/// What a block leaves behind for the enclosing one.
Bindings keepLocalsOf(Function& function, Block* block, const Bindings::Held& outer);

Value* insertNone(Graph& graph, Node* place) {
    torch::jit::WithInsertPoint here(place);
    return graph.insertConstant(c10::IValue());
}

/// What a variable holds at the end of a block, None where it is not bound.
Value* heldAtEnd(Graph& graph, Block* block, const Bindings& bindings, const std::string& variable) {
    Value* value = bindings.heldBy(variable);
    return value ? value : insertNone(graph, block->return_node());
}

/// What is bound in a branch and not read behind it lives on in Python: it becomes a result of the conditional.
void keepLocalsOfConditional(Function& function, Node* conditional, Bindings& bindings) {
    std::vector<Bindings> branches;
    std::vector<std::string> bound;
    for (Block* branch : conditional->blocks()) {
        branches.push_back(keepLocalsOf(function, branch, bindings.held()));
        const auto& ever = branches.back().everBound();
        std::copy_if(ever.begin(), ever.end(), std::back_inserter(bound),
                     [&](const auto& name) { return std::find(bound.begin(), bound.end(), name) == bound.end(); });
    }
    std::set<std::string> results;
    for (const Value* output : conditional->outputs()) results.insert(function.variables.bindingOf(output));
    for (const std::string& variable : bound) {
        bindings.forget(variable);
        if (results.count(variable)) continue;
        for (std::size_t i = 0; i < branches.size(); ++i)
            conditional->blocks()[i]->registerOutput(
                heldAtEnd(function.graph, conditional->blocks()[i], branches[i], variable));
        bindings.bindInside(variable, conditional->addOutput()->setType(c10::AnyType::get()));
    }
}

void collectBound(Function& function, const Block* block, std::vector<std::string>& bound) {
    const auto add = [&](const Value* value) {
        const std::string variable = function.variables.bindingOf(value);
        const bool matters = holdsTensors(value->type()) || value->type()->kind() == c10::TypeKind::NoneType;
        if (matters && !variable.empty() && std::find(bound.begin(), bound.end(), variable) == bound.end())
            bound.push_back(variable);
    };
    for (const Value* input : block->inputs()) add(input);
    for (const Node* node : block->nodes()) {
        if (node->kind() == c10::prim::Constant) continue;
        for (const Value* output : node->outputs()) add(output);
        for (const Block* inner : node->blocks()) collectBound(function, inner, bound);
    }
}

/// A list comprehension has its variables for itself.
bool isComprehension(Function& function, const Node* loop) {
    const SourcePlace place = function.sources.placeOf(loop->sourceRange());
    const Statement* statement = place.statement();
    return statement && (statement->kind != Statement::Kind::Loop || statement->begin != place.begin);
}

/// What a turn binds lives until the next one binds it again, and behind the loop: the loop carries it.
void keepLocalsOfLoop(Function& function, Node* loop, Bindings& bindings) {
    Block* body = loop->blocks().front();
    const bool comprehension = isComprehension(function, loop);
    std::vector<std::string> bound;
    collectBound(function, body, bound);
    Bindings::Held held = comprehension ? Bindings::Held() : bindings.held();
    for (const Value* input : body->inputs()) {
        // The loop hands it on already.
        const std::string variable = function.variables.bindingOf(input);
        held.erase(variable);
        std::erase(bound, variable);
        if (!comprehension && !variable.empty()) bindings.forget(variable);
    }
    for (const std::string& variable : bound) {
        Value* before = comprehension ? nullptr : bindings.heldBy(variable);
        loop->addInput(before ? before : insertNone(function.graph, loop));
        held[variable] = body->addInput()->setType(c10::AnyType::get());
    }
    const Bindings inside = keepLocalsOf(function, body, held);
    for (const std::string& variable : bound) {
        body->registerOutput(heldAtEnd(function.graph, body, inside, variable));
        Value* behind = loop->addOutput()->setType(c10::AnyType::get());
        if (!comprehension) bindings.bindInside(variable, behind);
    }
}

Bindings keepLocalsOf(Function& function, Block* block, const Bindings::Held& outer) {
    Bindings bindings(function, outer);
    for (Value* input : block->inputs()) bindings.bind(input, block->param_node());
    const std::vector<Node*> nodes(block->nodes().begin(), block->nodes().end());
    for (Node* node : nodes) {
        if (node->kind() == c10::prim::Constant) continue;
        for (const Value* output : node->outputs()) function.variables.bindingOf(output);
        const std::vector<Value*> results(node->outputs().begin(), node->outputs().end());
        if (node->kind() == c10::prim::If) keepLocalsOfConditional(function, node, bindings);
        if (node->kind() == c10::prim::Loop) keepLocalsOfLoop(function, node, bindings);
        for (Value* output : results) bindings.bind(output, node);
    }
    return bindings;
}

/// `if not torch.jit.is_scripting(): del q, k, v`: Python lets go as early as TorchScript does.
bool deletesItsVariables(const torch::jit::Function& function) {
    return function.name() == "multi_head_attention_forward";
}

bool isMark(const Node* node) {
    const torch::jit::Function* function = calledFunction(node);
    return function && function->name() == "tidemark_kept_until_here";
}

}  // namespace

bool keepAsMarked(const torch::jit::Module& module) {
    bool marked = false;
    forEachGraph(module, [&](const std::shared_ptr<Graph>& graph) {
        for (Node* mark : nodesWhere(graph, isMark)) {
            makeHold(*graph, {mark->input(1)})->insertBefore(mark);
            mark->output()->replaceAllUsesWith(mark->input(1));
            mark->destroy();
            marked = true;
        }
    });
    return marked;
}

std::set<std::string> variableNames(const torch::jit::Module& module) {
    std::set<std::string> names;
    forEachGraph(module, [&](const std::shared_ptr<Graph>& graph) { collectNames(graph->block(), names); });
    return names;
}

void keepLocalsAlive(const torch::jit::Module& module, const std::set<std::string>& names, PythonSources& sources) {
    forEachFunction(module, [&](const torch::jit::Function& called, const std::shared_ptr<Graph>& graph) {
        if (deletesItsVariables(called)) return;
        Variables variables(names, sources);
        Function function{*graph, variables, sources, sourceOf(graph, sources)};
        holdToEnd(*graph, graph->block(), keepLocalsOf(function, graph->block(), {}));
    });
}

}  // namespace tidemark
