// SPDX-License-Identifier: Apache-2.0
#include "engine/probe/locals.h"

#include "engine/probe/boundnames.h"
#include "engine/probe/graphs.h"

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
        for (auto value = stack.end() - static_cast<std::ptrdiff_t>(count); value != stack.end(); ++value)
            if (value->isTensorList() && value->use_count() == 1) emptyFromTheBack(std::move(*value).toTensorList());
        torch::jit::drop(stack, count);
    },
    c10::AliasAnalysisKind::CONSERVATIVE)});

/// The value itself: the place where a variable is bound to it.
torch::jit::RegisterOperators registerBind(
    {torch::jit::Operator("tidemark::bind(...) -> Any", [](torch::jit::Stack& stack) { torch::jit::pop(stack); }, c10::AliasAnalysisKind::CONSERVATIVE)});

bool holdsTensors(const c10::TypePtr& type) {
    if (type->kind() == c10::TypeKind::TensorType) return true;
    if (type->kind() == c10::TypeKind::ClassType || type->kind() == c10::TypeKind::FunctionType) return false;
    for (const c10::TypePtr& part : type->containedTypes())
        if (holdsTensors(part)) return true;
    return false;
}

/// The source's name of a value, empty for what the source does not name.
std::string variableName(const Value* value) {
    if (!value->hasDebugName()) return "";
    const std::string name = value->debugNameBase();
    return name.empty() || name.front() == '_' || std::isdigit(static_cast<unsigned char>(name.front())) ? "" : name;
}

void collectNames(const Block* block, std::set<std::string>& names) {
    for (const Value* input : block->inputs()) names.insert(variableName(input));
    for (const Node* node : block->nodes()) {
        for (const Value* output : node->outputs()) names.insert(variableName(output));
        for (const Block* inner : node->blocks()) collectNames(inner, names);
    }
}

/// The variables of the source that a value may be bound to: those of the statement that it comes from. What a conditional
/// binds was bound in one of its branches.
std::vector<std::string> boundInSource(const Value* value) {
    static const auto kBind = c10::Symbol::fromQualString("tidemark::bind");
    const Node* node = value->node();
    if (node->kind() == kBind) return boundInSource(node->input(0));
    if (node->kind() != c10::prim::If) return namesBoundAround(node->sourceRange());
    std::vector<std::string> names;
    for (const Block* branch : node->blocks()) {
        const auto inner = boundInSource(branch->outputs()[value->offset()]);
        names.insert(names.end(), inner.begin(), inner.end());
    }
    return names;
}

/// Tells the bindings of one variable from several variables. Saving numbers the bindings of "out" as "out", "out0",
/// "out1", …, upwards through a file; a variable of the source may itself be called "x1".
class Variables {
public:
    explicit Variables(const std::set<std::string>& names) : m_names(names) {}

    /// The variable that the value is bound to, by the value's name. To be asked in the order in which saving gave the
    /// names: what a conditional or a loop binds comes before what its blocks bind.
    std::string bindingOf(const Value* value) {
        const std::string name = variableName(value);
        const auto known = m_variables.find(name);
        return known == m_variables.end() ? m_variables[name] = newBindingOf(name, value) : known->second;
    }

private:
    std::string newBindingOf(const std::string& name, const Value* value) {
        const auto last = name.find_last_not_of("0123456789");
        if (last == std::string::npos || last + 1 == name.size()) return name;
        std::string variable = inSource(name, value);
        if (variable.empty()) variable = byNumber(name, last + 1);
        if (const std::string number = name.substr(variable.size()); !number.empty() && number.size() < 8) m_numbers[variable] = std::stoi(number);
        return variable;
    }

    /// The longest variable of the source's statement that the name can be a numbered binding of; empty where there is none.
    static std::string inSource(const std::string& name, const Value* value) {
        std::string found;
        for (const std::string& variable : boundInSource(value)) {
            const bool fits = name.compare(0, variable.size(), variable) == 0 &&
                              name.find_first_not_of("0123456789", variable.size()) == std::string::npos;
            if (fits && variable.size() > found.size()) found = variable;
        }
        return found;
    }

    /// Where the source is not known: a binding of the stem when its number is above that of the latest.
    std::string byNumber(const std::string& name, std::size_t stemSize) const {
        if (name.size() - stemSize > 7) return name;
        const std::string stem = name.substr(0, stemSize);
        const auto previous = m_numbers.find(stem);
        const bool continues = previous != m_numbers.end() ? std::stoi(name.substr(stemSize)) > previous->second : m_names.count(stem) > 0;
        return continues ? stem : name;
    }

    const std::set<std::string>& m_names;
    std::map<std::string, std::string> m_variables;  ///< by the name of a binding
    std::map<std::string, int> m_numbers;            ///< of the latest binding, by variable
};

Node* makeHold(Graph& graph, const std::vector<Value*>& values) {
    static const auto kHold = c10::Symbol::fromQualString("tidemark::hold");
    return graph.create(kHold, values, 0);
}

/// The variables that are bound at one place of a block, with what they hold.
class Bindings {
public:
    using Held = std::map<std::string, Value*>;

    /// `outer`: what the enclosing block holds while this one runs.
    Bindings(Graph& graph, Variables& variables, Held outer) : m_graph(graph), m_variables(variables), m_bound(std::move(outer)) {}

    /// `value` is bound by `binder`; what the variable held before lives until then.
    void bind(Value* value, Node* binder) {
        if (variableName(value).empty()) return;
        // A module counts its name on: of `kv = self.kv(x)`, saving makes "kv" and "kv0".
        const std::string variable = m_variables.bindingOf(value);
        if (!holdsTensors(value->type())) return;
        Value*& current = add(variable);
        if (current && current->node() != binder) makeHold(m_graph, {current})->insertAfter(binder);
        current = value;
    }

    /// A nested block bound the variable and let go of what it held before.
    void bindInside(const std::string& variable, Value* value) { add(variable) = value; }

    /// A variable whose name saving left out lives to the end.
    void keep(Value* value) {
        add(std::string("%").append(value->debugName())) = value;
    }

    /// A nested block bound the variable, and let go of what it held.
    void forget(const std::string& variable) { m_bound.erase(variable); }

    /// In the order of their first binding, in which a returning Python function lets go of its locals.
    std::vector<Value*> alive() const {
        std::vector<Value*> values;
        for (const std::string& variable : m_order)
            if (const auto held = m_bound.find(variable); held != m_bound.end()) values.push_back(held->second);
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
    Value*& add(const std::string& variable) {
        if (m_everBound.insert(variable).second) m_order.push_back(variable);
        return m_bound[variable];
    }

    Graph& m_graph;
    Variables& m_variables;
    Held m_bound;
    std::vector<std::string> m_order;
    std::set<std::string> m_everBound;
};

/// `features = []` is saved without its name; nothing else makes an empty list of tensors.
bool isEmptyTensorList(const Node* node) {
    if (node->kind() != c10::prim::ListConstruct || !node->inputs().empty()) return false;
    const auto type = node->output()->type()->cast<c10::ListType>();
    return type && type->getElementType()->isSubtypeOf(*c10::TensorType::get()) && variableName(node->output()).empty();
}

void holdToEnd(Graph& graph, Block* block, const Bindings& bindings) {
    if (const std::vector<Value*> alive = bindings.alive(); !alive.empty()) makeHold(graph, alive)->insertBefore(block->return_node());
}

/// What a block leaves behind for the enclosing one.
Bindings keepLocalsOf(Graph& graph, Block* block, Variables& variables, const Bindings::Held& outer);

/// What a variable holds at the end of a branch, None where it is not bound.
Value* heldAtEnd(Graph& graph, Block* branch, const Bindings& bindings, const std::string& variable) {
    if (Value* value = bindings.heldBy(variable)) return value;
    torch::jit::WithInsertPoint here(branch->return_node());
    return graph.insertConstant(c10::IValue());
}

/// What is bound in a branch and not read behind it lives on in Python: it becomes a result of the conditional.
void keepLocalsOfConditional(Graph& graph, Node* conditional, Variables& variables, Bindings& bindings) {
    std::vector<Bindings> branches;
    std::vector<std::string> bound;
    for (Block* branch : conditional->blocks()) {
        branches.push_back(keepLocalsOf(graph, branch, variables, bindings.held()));
        const auto& ever = branches.back().everBound();
        std::copy_if(ever.begin(), ever.end(), std::back_inserter(bound),
                     [&](const auto& name) { return std::find(bound.begin(), bound.end(), name) == bound.end(); });
    }
    std::set<std::string> results;
    for (const Value* output : conditional->outputs()) results.insert(variables.bindingOf(output));
    for (const std::string& variable : bound) {
        bindings.forget(variable);
        if (results.count(variable)) continue;
        for (std::size_t i = 0; i < branches.size(); ++i)
            conditional->blocks()[i]->registerOutput(heldAtEnd(graph, conditional->blocks()[i], branches[i], variable));
        bindings.bindInside(variable, conditional->addOutput()->setType(c10::AnyType::get()));
    }
}

/// The body of a loop, whose variables are taken to end with each turn.
void keepLocalsOfLoop(Graph& graph, Node* loop, Variables& variables, Bindings& bindings) {
    for (Block* body : loop->blocks()) {
        // It begins with what the loop carries: its own inputs.
        const Bindings inside = keepLocalsOf(graph, body, variables, {});
        for (const std::string& rebound : inside.everBound()) bindings.forget(rebound);
        holdToEnd(graph, body, inside);
    }
}

Bindings keepLocalsOf(Graph& graph, Block* block, Variables& variables, const Bindings::Held& outer) {
    Bindings bindings(graph, variables, outer);
    for (Value* input : block->inputs()) bindings.bind(input, block->param_node());
    const std::vector<Node*> nodes(block->nodes().begin(), block->nodes().end());
    for (Node* node : nodes) {
        if (node->kind() == c10::prim::Constant) continue;
        for (const Value* output : node->outputs())
            if (!variableName(output).empty()) variables.bindingOf(output);
        const std::vector<Value*> results(node->outputs().begin(), node->outputs().end());
        if (node->kind() == c10::prim::If) keepLocalsOfConditional(graph, node, variables, bindings);
        else keepLocalsOfLoop(graph, node, variables, bindings);
        for (Value* output : results) bindings.bind(output, node);
        if (isEmptyTensorList(node)) bindings.keep(node->output());
    }
    return bindings;
}

void markBindingsOf(Graph& graph, Node* conditional) {
    static const auto kBind = c10::Symbol::fromQualString("tidemark::bind");
    for (Value* output : conditional->outputs()) {
        if (variableName(output).empty() || !holdsTensors(output->type())) continue;
        Node* bind = graph.create(kBind, {output}, 1);
        bind->insertAfter(conditional);
        bind->output()->copyMetadata(output);
        output->replaceAllUsesAfterNodeWith(bind, bind->output());
    }
}

/// `if not torch.jit.is_scripting(): del q, k, v`: Python lets go as early as TorchScript does.
bool deletesItsVariables(const torch::jit::Function& function) { return function.name() == "multi_head_attention_forward"; }

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

void markConditionalBindings(const torch::jit::Module& module) {
    const auto isConditional = [](const Node* node) { return node->kind() == c10::prim::If; };
    forEachGraph(module, [&](const std::shared_ptr<Graph>& graph) {
        for (Node* conditional : nodesWhere(graph, isConditional)) markBindingsOf(*graph, conditional);
    });
}

void keepLocalsAlive(const torch::jit::Module& module, const std::set<std::string>& names) {
    forEachFunction(module, [&](const torch::jit::Function& function, const std::shared_ptr<Graph>& graph) {
        if (deletesItsVariables(function)) return;
        Variables variables(names);
        holdToEnd(*graph, graph->block(), keepLocalsOf(*graph, graph->block(), variables, {}));
    });
}

}  // namespace tidemark
