// SPDX-License-Identifier: Apache-2.0
#include "engine/probe/checkpoint.h"

#include "engine/probe/autocast.h"

#include <ATen/ATen.h>
#include <torch/csrc/autograd/engine.h>
#include <torch/csrc/autograd/saved_variable.h>
#include <torch/csrc/autograd/saved_variable_hooks.h>
#include <torch/csrc/jit/runtime/graph_executor.h>

#include <memory>
#include <stdexcept>
#include <string>
#include <variant>

namespace tidemark {
namespace {

using torch::autograd::SavedVariable;
using torch::autograd::SavedVariableHooks;

bool& endingRecomputation() {
    thread_local bool ending = false;
    return ending;
}

/// Ends a recomputation as soon as nothing more is needed of it.
struct RecomputationDone : std::exception {
    RecomputationDone() { endingRecomputation() = true; }
    const char* what() const noexcept override { return "recomputation done"; }
};

/// The place of one saved tensor: gone with the SavedVariable, filled by the recomputation.
struct Holder {
    at::Tensor recomputed;
};

/// One run of a checkpointed function.
struct Frame {
    CheckpointedFunction function;
    std::vector<std::variant<c10::IValue, SavedVariable>> inputs;
    std::vector<std::weak_ptr<Holder>> holders;
    std::size_t recomputedCount = 0;
    bool recomputed = false;
    AutocastState autocast;  ///< as it was in the first run
};

/// How a tensor that is saved right now is kept.
class SavedTensorRule {
public:
    virtual ~SavedTensorRule() = default;
    virtual std::unique_ptr<SavedVariableHooks> hooks() = 0;
};

std::vector<SavedTensorRule*>& rules() {
    thread_local std::vector<SavedTensorRule*> stack;
    return stack;
}

class RuleScope {
public:
    explicit RuleScope(SavedTensorRule* rule) { rules().push_back(rule); }
    ~RuleScope() { rules().pop_back(); }
    RuleScope(const RuleScope&) = delete;
    RuleScope& operator=(const RuleScope&) = delete;
};

/// Keeps nothing but the order number of a tensor, and recomputes when it is asked for.
class DroppedTensor : public SavedVariableHooks {
public:
    explicit DroppedTensor(std::shared_ptr<Frame> frame) : m_frame(std::move(frame)) {}

    void call_pack_hook(const at::Tensor&) override {
        m_holder = std::make_shared<Holder>();
        m_frame->holders.push_back(m_holder);
    }
    at::Tensor call_unpack_hook() override;

private:
    std::shared_ptr<Frame> m_frame;
    std::shared_ptr<Holder> m_holder;
};

/// During recomputation: hands the tensor to the holder of the same order number, and keeps it as usual.
class RefilledTensor : public SavedVariableHooks {
public:
    explicit RefilledTensor(Frame* frame) : m_frame(frame) {}

    void call_pack_hook(const at::Tensor& tensor) override {
        const at::Tensor kept = tensor.requires_grad() ? tensor.detach() : tensor;
        const std::size_t index = m_frame->recomputedCount++;
        if (index >= m_frame->holders.size()) throw RecomputationDone();
        if (const auto holder = m_frame->holders[index].lock()) holder->recomputed = kept;
        if (m_frame->recomputedCount == m_frame->holders.size()) throw RecomputationDone();
        m_kept = kept;
    }
    at::Tensor call_unpack_hook() override { return m_kept; }

private:
    Frame* m_frame;
    at::Tensor m_kept;
};

class DropRule : public SavedTensorRule {
public:
    explicit DropRule(std::shared_ptr<Frame> frame) : m_frame(std::move(frame)) {}
    std::unique_ptr<SavedVariableHooks> hooks() override { return std::make_unique<DroppedTensor>(m_frame); }

private:
    std::shared_ptr<Frame> m_frame;
};

class RefillRule : public SavedTensorRule {
public:
    explicit RefillRule(Frame* frame) : m_frame(frame) {}
    std::unique_ptr<SavedVariableHooks> hooks() override { return std::make_unique<RefilledTensor>(m_frame); }

private:
    Frame* m_frame;
};

void recompute(Frame& frame) {
    std::vector<c10::IValue> inputs;
    for (const auto& input : frame.inputs) {
        if (const auto* saved = std::get_if<SavedVariable>(&input)) inputs.emplace_back(saved->unpack());
        else inputs.push_back(std::get<c10::IValue>(input));
    }
    try {
        RefillRule rule(&frame);
        RuleScope scope(&rule);
        at::AutoGradMode grad(true);
        AutocastScope autocast(frame.autocast);
        // A setting of the thread: an optimised graph would save other tensors than the first run did.
        torch::jit::GraphOptimizerEnabledGuard asWritten(false);
        frame.function(std::move(inputs), true);
    } catch (const std::exception&) {
        // TorchScript wraps what operators throw, so that the type is lost; the count tells the early stop.
        if (frame.recomputedCount < frame.holders.size()) throw;
        endingRecomputation() = false;
    }
    frame.recomputed = true;
}

at::Tensor DroppedTensor::call_unpack_hook() {
    if (!m_frame->recomputed) recompute(*m_frame);
    TORCH_CHECK(m_holder->recomputed.defined(), "a checkpointed block saved other tensors when it was run again");
    return std::move(m_holder->recomputed);
}

/// The value as it is now: lists and dictionaries go on being filled after the call, as DenseNet's list of features is.
c10::IValue snapshotOf(const c10::IValue& value) {
    if (value.isList()) return value.toList().copy();
    if (value.isGenericDict()) return value.toGenericDict().copy();
    return value;
}

class CheckpointEngine : public torch::autograd::Engine {
public:
    static Engine& instance() {
        // Never destroyed: autograd's threads outlive static destruction.
        static auto* engine = new CheckpointEngine;
        return *engine;
    }
    std::unique_ptr<SavedVariableHooks> get_default_saved_variable_hooks() override {
        return rules().empty() ? nullptr : rules().back()->hooks();
    }

private:
    CheckpointEngine() = default;
};

}  // namespace

c10::IValue runCheckpointed(CheckpointedFunction function, const std::vector<c10::IValue>& inputs) {
    auto frame = std::make_shared<Frame>();
    frame->function = std::move(function);
    // Kept as saved tensors, so that an enclosing checkpoint drops them in its turn.
    for (const c10::IValue& input : inputs) {
        if (input.isTensor() && input.toTensor().defined()) frame->inputs.emplace_back(SavedVariable(input.toTensor(), false));
        else frame->inputs.emplace_back(snapshotOf(input));
    }
    DropRule rule(frame);
    RuleScope scope(&rule);
    return frame->function(inputs, false);
}

bool isEndingRecomputation() { return endingRecomputation(); }

void installCheckpointEngine() {
    torch::autograd::set_default_engine_stub(&CheckpointEngine::instance);
}

}  // namespace tidemark
