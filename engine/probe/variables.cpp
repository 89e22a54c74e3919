// SPDX-License-Identifier: Apache-2.0
#include "engine/probe/variables.h"

#include <torch/csrc/jit/runtime/custom_operator.h>
#include <torch/csrc/jit/runtime/graph_iterator.h>

#include <algorithm>
#include <cctype>

namespace tidemark {
namespace {

using torch::jit::Block;
using torch::jit::Graph;
using torch::jit::Node;
using torch::jit::Value;

/// The value itself: the place where a variable is bound to it.
torch::jit::RegisterOperators registerBind({torch::jit::Operator(
    "tidemark::bind(...) -> Any", [](torch::jit::Stack& stack) { torch::jit::pop(stack); },
    c10::AliasAnalysisKind::CONSERVATIVE)});

c10::Symbol bindSymbol() {
    static const auto kBind = c10::Symbol::fromQualString("tidemark::bind");
    return kBind;
}

bool isBound(const Value* value) {
    return std::any_of(value->uses().begin(), value->uses().end(),
                       [](const torch::jit::Use& use) { return use.user->kind() == bindSymbol(); });
}

}  // namespace

std::string variableName(const Value* value) {
    if (!value->hasDebugName()) return "";
    const std::string name = value->debugNameBase();
    return name.empty() || name.front() == '_' || std::isdigit(static_cast<unsigned char>(name.front())) ? "" : name;
}

bool holdsTensors(const c10::TypePtr& type) {
    if (type->kind() == c10::TypeKind::TensorType) return true;
    if (type->kind() == c10::TypeKind::ClassType || type->kind() == c10::TypeKind::FunctionType) return false;
    for (const c10::TypePtr& part : type->containedTypes())
        if (holdsTensors(part)) return true;
    return false;
}

bool isUnnamedList(const Node* node, PythonSources& sources) {
    if (node->kind() != c10::prim::ListConstruct || !node->inputs().empty()) return false;
    const auto type = node->output()->type()->cast<c10::ListType>();
    if (!type || !type->getElementType()->isSubtypeOf(*c10::TensorType::get())) return false;
    const auto& uses = node->output()->uses();
    return variableName(node->output()).empty() &&
           std::none_of(uses.begin(), uses.end(), [&](const torch::jit::Use& use) {
               return use.user->kind() == c10::aten::append && sources.isOfComprehension(use.user->sourceRange());
           });
}

const PythonSource* sourceOf(std::shared_ptr<Graph> graph, PythonSources& sources) {
    std::map<const PythonSource*, int> found;
    torch::jit::DepthFirstGraphNodeIterator nodes(graph);
    for (const Node* node = nodes.next(); node; node = nodes.next())
        if (const PythonSource* source = sources.placeOf(node->sourceRange()).source) ++found[source];
    const auto most =
        std::max_element(found.begin(), found.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
    return most == found.end() ? nullptr : most->first;
}

Node* makeBind(Graph& graph, Value* value, const std::string& variable) {
    if (!value) value = graph.insertConstant(c10::IValue());
    Node* bind = graph.create(bindSymbol(), {value}, 1);
    bind->s_(c10::attr::name, variable);
    bind->output()->setType(value->type());
    return bind;
}

std::string Variables::bindingOf(const Value* value) {
    if (value->node()->kind() == bindSymbol()) {
        bindingOf(value->node()->input());  // its number counts
        return value->node()->s(c10::attr::name);
    }
    if (isUnnamedList(value->node(), m_sources))
        return isBound(value) ? "" : std::string("%").append(value->debugName());
    const std::string name = variableName(value);
    if (name.empty()) return name;
    const auto known = m_variables.find(name);
    return known == m_variables.end() ? m_variables[name] = newBindingOf(name, value) : known->second;
}

std::string Variables::newBindingOf(const std::string& name, const Value* value) {
    const auto last = name.find_last_not_of("0123456789");
    if (last == std::string::npos || last + 1 == name.size()) return name;
    std::string variable = inSource(name, value);
    if (variable.empty()) variable = byNumber(name, last + 1);
    if (const std::string number = name.substr(variable.size()); !number.empty() && number.size() < 8)
        m_numbers[variable] = std::stoi(number);
    return variable;
}

/// The variables of the source that a value may be bound to: those of the statement that it comes from. What a
/// conditional binds was bound in one of its branches.
std::vector<std::string> Variables::boundInSource(const Value* value) {
    const Node* node = value->node();
    const bool unpacks = node->kind() == c10::prim::TupleUnpack || node->kind() == c10::prim::ListUnpack;
    std::vector<std::string> names = m_sources.namesBoundAround(node->sourceRange());
    if (names.empty() && unpacks) return boundInSource(node->input());
    if (node->kind() != c10::prim::If) return names;
    names.clear();
    for (const Block* branch : node->blocks()) {
        const auto inner = boundInSource(branch->outputs()[value->offset()]);
        names.insert(names.end(), inner.begin(), inner.end());
    }
    return names;
}

/// The longest variable of the source's statement that the name can be a numbered binding of; empty where there is
/// none.
std::string Variables::inSource(const std::string& name, const Value* value) {
    std::string found;
    for (const std::string& variable : boundInSource(value)) {
        const bool fits = name.compare(0, variable.size(), variable) == 0 &&
                          name.find_first_not_of("0123456789", variable.size()) == std::string::npos;
        if (fits && variable.size() > found.size()) found = variable;
    }
    return found;
}

/// Where the source is not known: a binding of the stem when its number is above that of the latest.
std::string Variables::byNumber(const std::string& name, std::size_t stemSize) const {
    if (name.size() - stemSize > 7) return name;
    const std::string stem = name.substr(0, stemSize);
    const auto previous = m_numbers.find(stem);
    const bool continues =
        previous != m_numbers.end() ? std::stoi(name.substr(stemSize)) > previous->second : m_names.count(stem) > 0;
    return continues ? stem : name;
}

}  // namespace tidemark
