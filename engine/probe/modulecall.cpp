// SPDX-License-Identifier: Apache-2.0
#include "engine/probe/modulecall.h"

#include "engine/probe/checkpoint.h"
#include "engine/probe/graphs.h"

#include <torch/csrc/jit/runtime/custom_operator.h>

#include <atomic>
#include <exception>

namespace tidemark {
namespace {

using torch::jit::Stack;

std::atomic<const ModuleCallPolicy*> activePolicy{nullptr};
std::atomic<int> failedLayerNow{-1};

void noteFailure(int layer) {
    int none = -1;
    if (!isEndingRecomputation()) failedLayerNow.compare_exchange_strong(none, layer);
}

/// enterModule and leaveModule in pairs, also when the module throws.
class CallScope {
public:
    CallScope(ModuleCallObserver* observer, int layer) : m_observer(observer), m_layer(layer) {
        if (m_observer) m_observer->enterModule(m_layer);
    }
    ~CallScope() {
        if (std::uncaught_exceptions() > 0 && m_layer >= 0) noteFailure(m_layer);
        if (m_observer) m_observer->leaveModule(m_layer, m_result);
    }
    void setResult(const c10::IValue& result) { m_result = result; }
    CallScope(const CallScope&) = delete;
    CallScope& operator=(const CallScope&) = delete;

private:
    ModuleCallObserver* m_observer;
    int m_layer;
    c10::IValue m_result;
};

c10::IValue runMethod(torch::jit::Function& method, std::vector<c10::IValue> arguments) {
    Stack stack(std::make_move_iterator(arguments.begin()), std::make_move_iterator(arguments.end()));
    arguments.clear();
    method.run(stack);
    return stack.empty() ? c10::IValue() : std::move(stack.back());
}

/// Stack: method name, module, arguments…, count (pushed by the interpreter for variadic operators).
void callModule(Stack& stack) {
    const auto count = static_cast<std::size_t>(torch::jit::pop(stack).toInt());
    const auto first = stack.end() - static_cast<std::ptrdiff_t>(count);
    const std::string& name = first->toStringRef();
    // Python's module call keeps its positional arguments alive until it returns; so does this copy.
    const std::vector<c10::IValue> arguments(first + 1, stack.end());
    const auto object = arguments.front().toObject();
    torch::jit::Function& method = object->type()->getMethod(name);
    stack.erase(first, stack.end());

    const ModuleCallPolicy* policy = activePolicy.load();
    int layer = -1;
    if (policy) {
        const auto found = policy->layerOf.find(object.get());
        if (found != policy->layerOf.end()) layer = found->second;
    }
    CallScope scope(layer >= 0 ? policy->observer : nullptr, layer);
    const bool checkpointed = layer >= 0 && static_cast<std::size_t>(layer) < policy->checkpointed.size() &&
                              policy->checkpointed[static_cast<std::size_t>(layer)] && at::GradMode::is_enabled();
    c10::IValue result;
    if (checkpointed) {
        ModuleCallObserver* observer = policy->observer;
        result = runCheckpointed(
            [&method, observer, layer](std::vector<c10::IValue> inputs, bool recomputing) {
                // The first run happens inside `scope`; a recomputation later, on an autograd thread.
                CallScope again(recomputing ? observer : nullptr, layer);
                return runMethod(method, std::move(inputs));
            },
            arguments);
    } else {
        result = runMethod(method, arguments);
    }
    scope.setResult(result);
    stack.push_back(std::move(result));
}

torch::jit::RegisterOperators registerCallModule({torch::jit::Operator(
    "tidemark::call_module(...) -> Any", [](Stack& stack) { callModule(stack); }, c10::AliasAnalysisKind::CONSERVATIVE)});

/// A call of another module's method; a module's calls of its own methods stay as they are.
bool isModuleCall(const torch::jit::Node* node) {
    if (node->kind() != c10::prim::CallMethod) return false;
    const auto type = node->input(0)->type()->cast<c10::ClassType>();
    const auto& inputs = node->owningGraph()->inputs();
    return type && type->is_module() && (inputs.empty() || node->input(0) != inputs[0]);
}

void routeCall(torch::jit::Graph& graph, torch::jit::Node* call) {
    static const auto kCallModule = c10::Symbol::fromQualString("tidemark::call_module");
    torch::jit::WithInsertPoint here(call);
    torch::jit::Value* name = graph.insertConstant(call->s(c10::attr::name));
    torch::jit::Node* routed = graph.create(kCallModule, 1);
    routed->addInput(name);
    for (torch::jit::Value* input : call->inputs()) routed->addInput(input);
    routed->output()->setType(call->output()->type());
    routed->setSourceRange(call->sourceRange());
    graph.insertNode(routed);
    if (call->output()->hasDebugName()) routed->output()->copyMetadata(call->output());
    call->output()->replaceAllUsesWith(routed->output());
    call->destroy();
}

}  // namespace

void routeModuleCalls(const torch::jit::Module& module) {
    forEachGraph(module, [](const std::shared_ptr<torch::jit::Graph>& graph) {
        for (torch::jit::Node* call : nodesWhere(graph, isModuleCall)) routeCall(*graph, call);
    });
}

ActiveModuleCallPolicy::ActiveModuleCallPolicy(const ModuleCallPolicy& policy) {
    failedLayerNow = -1;
    activePolicy = &policy;
}

ActiveModuleCallPolicy::~ActiveModuleCallPolicy() { activePolicy = nullptr; }

int ActiveModuleCallPolicy::failedLayer() const { return failedLayerNow; }

}  // namespace tidemark
