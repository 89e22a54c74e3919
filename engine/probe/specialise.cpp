// SPDX-License-Identifier: Apache-2.0
#include "engine/probe/specialise.h"

#include "engine/probe/graphs.h"

#include <torch/csrc/jit/passes/constant_propagation.h>
#include <torch/csrc/jit/passes/inliner.h>
#include <torch/csrc/jit/passes/peephole.h>

#include <map>
#include <optional>
#include <set>
#include <string>

namespace tidemark {
namespace {

using torch::jit::Graph;
using torch::jit::Node;

/// The values of one attribute over all modules of a type: the common one, or nullopt where they differ.
using CommonValues = std::map<std::string, std::optional<c10::IValue>>;

bool isFoldable(const c10::IValue& value) { return value.isBool() || value.isNone(); }

bool sameConstant(const c10::IValue& a, const c10::IValue& b) {
    return (a.isNone() && b.isNone()) || (a.isBool() && b.isBool() && a.toBool() == b.toBool());
}

/// Attributes that a method assigns, or that train() and eval() change, are no constants.
std::set<std::string> assignedAttributes(const torch::jit::Module& module) {
    std::set<std::string> names{"training"};
    forEachGraph(module, [&](const std::shared_ptr<Graph>& graph) {
        for (const Node* node : nodesWhere(graph, [](const Node* n) { return n->kind() == c10::prim::SetAttr; }))
            names.insert(node->s(c10::attr::name));
    });
    return names;
}

std::map<const c10::ClassType*, CommonValues> commonValues(const torch::jit::Module& module) {
    std::map<const c10::ClassType*, CommonValues> common;
    for (const torch::jit::Module& m : module.modules()) {
        const auto type = m.type();
        CommonValues& values = common[type.get()];
        for (std::size_t i = 0; i < type->numAttributes(); ++i) {
            const c10::IValue value = m._ivalue()->getSlot(i);
            const auto [entry, added] = values.try_emplace(type->getAttributeName(i), std::nullopt);
            if (added && isFoldable(value)) entry->second = value;
            else if (!entry->second || !isFoldable(value) || !sameConstant(*entry->second, value)) entry->second.reset();
        }
    }
    return common;
}

void foldAttributes(Graph& graph, const std::vector<Node*>& reads, const CommonValues& values, const std::set<std::string>& assigned) {
    for (Node* read : reads) {
        const std::string& name = read->s(c10::attr::name);
        const auto value = values.find(name);
        if (read->input() != graph.inputs()[0] || value == values.end() || !value->second || assigned.count(name)) continue;
        torch::jit::WithInsertPoint here(read);
        read->output()->replaceAllUsesWith(graph.insertConstant(*value->second));
        read->destroy();
    }
}

/// By position among a function's inputs: the constant that every call passes, nullopt where they differ.
using CommonArguments = std::vector<std::optional<c10::IValue>>;

/// What a node calls, and with which arguments: function is null where it calls nothing that can be looked into.
struct Call {
    torch::jit::Function* function = nullptr;
    c10::ArrayRef<const torch::jit::Value*> arguments;
};

/// Calls of modules went through routeModuleCalls(): their inputs are the method's name, the module and the arguments.
Call callOf(const Node* node) {
    static const auto kCallModule = c10::Symbol::fromQualString("tidemark::call_module");
    if (torch::jit::Function* function = calledFunction(node)) return {function, node->inputs().slice(1)};
    const bool routed = node->kind() == kCallModule;
    if (!routed && node->kind() != c10::prim::CallMethod) return {};
    const auto inputs = routed ? node->inputs().slice(1) : node->inputs();
    const auto type = inputs[0]->type()->cast<c10::ClassType>();
    const auto name = routed ? torch::jit::toIValue(node->input(0)) : std::optional<c10::IValue>(node->s(c10::attr::name));
    if (!type || !name) return {};
    return {type->findMethod(name->toStringRef()), inputs};
}

std::map<torch::jit::Function*, CommonArguments> commonArguments(const torch::jit::Module& module) {
    std::map<torch::jit::Function*, CommonArguments> common;
    const auto isCall = [](const Node* node) { return callOf(node).function != nullptr; };
    forEachGraph(module, [&](const std::shared_ptr<Graph>& graph) {
        for (const Node* node : nodesWhere(graph, isCall)) {
            const Call call = callOf(node);
            const auto [entry, added] = common.try_emplace(call.function, call.arguments.size());
            CommonArguments& arguments = entry->second;
            for (std::size_t i = 0; i < arguments.size() && i < call.arguments.size(); ++i) {
                const auto value = torch::jit::toIValue(call.arguments[i]);
                const bool foldable = value && isFoldable(*value);
                if (added && foldable) arguments[i] = value;
                else if (!foldable || !arguments[i] || !sameConstant(*arguments[i], *value)) arguments[i].reset();
            }
        }
    });
    return common;
}

void foldArguments(const torch::jit::Module& module) {
    for (const auto& [function, arguments] : commonArguments(module)) {
        if (!function->isGraphFunction()) continue;
        const auto graph = torch::jit::toGraphFunction(*function).graph();
        torch::jit::WithInsertPoint here(graph->block()->nodes().front());
        for (std::size_t i = 0; i < arguments.size() && i < graph->inputs().size(); ++i)
            if (arguments[i]) graph->inputs()[i]->replaceAllUsesWith(graph->insertConstant(*arguments[i]));
    }
}

void simplify(const torch::jit::Module& module) {
    forEachGraph(module, [](const std::shared_ptr<Graph>& shared) {
        std::shared_ptr<Graph> graph = shared;
        torch::jit::PeepholeOptimize(graph, true);
        torch::jit::ConstantPropagationImmutableTypes(graph);
    });
}

}  // namespace

void specialiseGraphs(const torch::jit::Module& module) {
    const std::set<std::string> assigned = assignedAttributes(module);
    const auto common = commonValues(module);
    forEachGraph(module, [&](const std::shared_ptr<Graph>& graph) {
        const auto self = graph->inputs().empty() ? nullptr : graph->inputs()[0]->type()->cast<c10::ClassType>();
        const auto values = self ? common.find(self.get()) : common.end();
        if (values != common.end())
            foldAttributes(*graph, nodesWhere(graph, [](const Node* n) { return n->kind() == c10::prim::GetAttr; }), values->second, assigned);
    });
    foldArguments(module);
    simplify(module);
}

void inlineFunctions(const torch::jit::Module& module) {
    forEachGraph(module, [](const std::shared_ptr<Graph>& graph) { torch::jit::Inline(*graph); });
    simplify(module);
}

}  // namespace tidemark
