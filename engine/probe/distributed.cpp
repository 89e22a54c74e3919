// SPDX-License-Identifier: Apache-2.0
#include "engine/probe/distributed.h"

#include "engine/probe/nullcontrol.h"

#include <torch/csrc/autograd/custom_function.h>
#include <torch/csrc/autograd/engine.h>
#include <torch/csrc/distributed/c10d/Backend.hpp>
#include <torch/csrc/distributed/c10d/HashStore.hpp>
#include <torch/csrc/distributed/c10d/ProcessGroup.hpp>
#include <torch/csrc/distributed/c10d/comm.hpp>
#include <torch/csrc/distributed/c10d/reducer.hpp>

#include <chrono>
#include <functional>
#include <limits>
#include <string>
#include <type_traits>
#include <unordered_map>

namespace tidemark {
namespace {

/// DistributedDataParallel.broadcast_bucket_size
constexpr std::size_t kBroadcastBytes = std::size_t{250} << 20;

/// Shapes and bucket indices go through the device to the host again, and have to arrive.
class KeptCopies {
public:
    KeptCopies() { m_control.keepCopies(true); }
    ~KeptCopies() { m_control.keepCopies(false); }
    KeptCopies(const KeptCopies&) = delete;
    KeptCopies& operator=(const KeptCopies&) = delete;

private:
    NullControl m_control;
};

/// A collective that is over as soon as it begins.
class FinishedWork : public c10d::Work {
public:
    explicit FinishedWork(std::vector<at::Tensor> tensors) : m_tensors(std::move(tensors)) {}

    bool isCompleted() override { return true; }
    bool wait(std::chrono::milliseconds) override { return true; }
    std::vector<at::Tensor> result() override { return m_tensors; }
    c10::intrusive_ptr<c10::ivalue::Future> getFuture() override {
        auto future = c10::make_intrusive<c10::ivalue::Future>(c10::ListType::create(c10::TensorType::get()));
        future->markCompleted(m_tensors);
        return future;
    }

private:
    std::vector<at::Tensor> m_tensors;
};

/// One of several cards that all hold the same, so that nothing has to move. LibTorch's own FakeProcessGroup in its
/// mode `simulate_uniform_ranks` does likewise, but its header needs Python's.
class UniformBackend : public c10d::Backend {
public:
    explicit UniformBackend(int cards) : Backend(0, cards) {}

    const std::string getBackendName() const override { return "uniform"; }
    c10::intrusive_ptr<c10d::Work> broadcast(std::vector<at::Tensor>& tensors, const c10d::BroadcastOptions&) override {
        return c10::make_intrusive<FinishedWork>(tensors);
    }
    c10::intrusive_ptr<c10d::Work> allreduce(std::vector<at::Tensor>& tensors, const c10d::AllreduceOptions&) override {
        return c10::make_intrusive<FinishedWork>(tensors);
    }
    c10::intrusive_ptr<c10d::Work> allgather(std::vector<std::vector<at::Tensor>>& outputs,
                                             std::vector<at::Tensor>& inputs, const c10d::AllgatherOptions&) override {
        for (at::Tensor& output : outputs[0]) output.copy_(inputs[0]);
        return c10::make_intrusive<FinishedWork>(outputs[0]);
    }
};

c10::intrusive_ptr<c10d::ProcessGroup> makeProcessGroup(int cards) {
    auto group = c10::make_intrusive<c10d::ProcessGroup>(c10::make_intrusive<c10d::HashStore>(), 0, cards);
    group->setBackend(c10::DeviceType::CUDA, c10d::ProcessGroup::BackendType::CUSTOM,
                      c10::make_intrusive<UniformBackend>(cards));
    group->setDefaultBackend(c10d::ProcessGroup::BackendType::CUSTOM);
    return group;
}

struct BucketSizes {
    std::int64_t first;
    std::int64_t others;
};

/// The first bucket is a small one unless a size is asked for.
BucketSizes bucketSizes(const DataParallelSettings& settings) {
    if (settings.bucketCapMiB == 0) return {c10d::kDefaultFirstBucketBytes, c10d::kDefaultBucketBytesCap};
    const std::int64_t bytes = std::int64_t{settings.bucketCapMiB} << 20;
    return {bytes, bytes};
}

/// Until the order in which gradients arrive is known, all parameters share a bucket, unless some may stay without.
std::vector<std::size_t> firstLimits(const DataParallelSettings& settings) {
    if (settings.staticGraph || !settings.findUnusedParameters)
        return {static_cast<std::size_t>(std::numeric_limits<std::int64_t>::max())};
    const BucketSizes sizes = bucketSizes(settings);
    if (sizes.first < sizes.others)
        return {static_cast<std::size_t>(sizes.first), static_cast<std::size_t>(sizes.others)};
    return {static_cast<std::size_t>(sizes.others)};
}

/// LibTorch's versions differ in what follows the size of the first bucket; it stays at its defaults here.
template <class Reducer, class... Known>
std::shared_ptr<Reducer> construct(const Known&... known) {
    using Caps = std::vector<std::int64_t>;
    if constexpr (std::is_constructible_v<Reducer, Known..., bool, bool, Caps>)
        return std::make_shared<Reducer>(known..., false, false, Caps{});
    else if constexpr (std::is_constructible_v<Reducer, Known..., bool, bool>)
        return std::make_shared<Reducer>(known..., false, false);
    else
        return std::make_shared<Reducer>(known...);
}

std::shared_ptr<c10d::Reducer> makeReducer(const DataParallelSettings& settings,
                                           const std::vector<at::Tensor>& parameters,
                                           const c10::intrusive_ptr<c10d::ProcessGroup>& group) {
    const std::vector<bool> sparse(parameters.size(), false);
    auto [indices, limits] = c10d::compute_bucket_assignment_by_size(parameters, firstLimits(settings), sparse);
    const std::vector<std::vector<std::size_t>> buckets(indices.rbegin(), indices.rend());
    const BucketSizes sizes = bucketSizes(settings);
    const std::unordered_map<std::size_t, std::string> names;
    return construct<c10d::Reducer>(parameters, buckets, group, sparse, sizes.others, settings.findUnusedParameters,
                                    settings.gradientAsBucketView, names, sizes.first);
}

/// Calls `visit` for every tensor inside, in order, and puts back what it returns.
template <class Visit>
c10::IValue withTensors(const c10::IValue& value, const Visit& visit) {
    if (value.isTensor()) return value.toTensor().defined() ? c10::IValue(visit(value.toTensor())) : value;
    if (value.isTuple()) {
        std::vector<c10::IValue> elements;
        for (const c10::IValue& element : value.toTupleRef().elements())
            elements.push_back(withTensors(element, visit));
        return c10::ivalue::Tuple::createNamed(std::move(elements), value.type()->cast<c10::TupleType>());
    }
    if (value.isList()) {
        auto list = value.toList();
        auto changed = c10::impl::GenericList(list.elementType());
        for (const c10::IValue& element : value.toListRef()) changed.push_back(withTensors(element, visit));
        return changed;
    }
    if (value.isGenericDict()) {
        auto dict = value.toGenericDict();
        c10::impl::GenericDict changed(dict.keyType(), dict.valueType());
        for (const auto& entry : dict) changed.insert(entry.key(), withTensors(entry.value(), visit));
        return changed;
    }
    return value;
}

/// What happens when the backward pass begins.
using BackwardStart = std::function<void()>;

/// `_DDPSink`: the outputs of the model, cloned, with a node behind them that runs before any other of the backward
/// pass.
struct Sink : torch::autograd::Function<Sink> {
    static torch::autograd::variable_list forward(torch::autograd::AutogradContext* context, at::TensorList inputs,
                                                  BackwardStart* start) {
        context->set_materialize_grads(false);
        context->saved_data["start"] = reinterpret_cast<std::int64_t>(start);
        torch::autograd::variable_list clones;
        for (const at::Tensor& input : inputs) clones.push_back(input.clone());
        return clones;
    }

    static torch::autograd::variable_list backward(torch::autograd::AutogradContext* context,
                                                   const torch::autograd::variable_list& gradients) {
        (*reinterpret_cast<BackwardStart*>(context->saved_data["start"].toInt()))();
        torch::autograd::variable_list passed = gradients;
        passed.emplace_back();  // for `start`
        return passed;
    }
};

}  // namespace

struct DistributedModel::State {
    DataParallelSettings settings;
    std::vector<at::Tensor> buffers;
    c10::intrusive_ptr<c10d::ProcessGroup> group;
    std::shared_ptr<c10d::Reducer> reducer;
    bool synchroniseBuffers = true;  ///< require_forward_param_sync
    bool delayed = false;            ///< _static_graph_delay_allreduce_enqueued
    BackwardStart backwardStart;

    bool needsSink() const { return settings.staticGraph ? !delayed : settings.findUnusedParameters; }
    void passThroughSink(c10::IValue& output);
};

void DistributedModel::State::passThroughSink(c10::IValue& output) {
    torch::autograd::variable_list tensors;
    withTensors(output, [&](const at::Tensor& tensor) {
        tensors.push_back(tensor);
        return tensor;
    });
    if (tensors.empty()) return;
    const torch::autograd::variable_list clones = Sink::apply(at::TensorList(tensors), &backwardStart);
    std::size_t next = 0;
    // A tensor without a gradient function stays itself.
    output = withTensors(output, [&](const at::Tensor& tensor) {
        const at::Tensor& clone = clones[next++];
        return tensor.grad_fn() ? clone : tensor;
    });
}

DistributedModel::DistributedModel(const DataParallelSettings& settings, const std::vector<at::Tensor>& parameters,
                                   std::vector<at::Tensor> buffers)
    : m_state(std::make_unique<State>()) {
    const KeptCopies kept;
    m_state->settings = settings;
    m_state->buffers = std::move(buffers);
    m_state->group = makeProcessGroup(settings.cards);
    std::vector<at::Tensor> trained;
    std::vector<at::Tensor> states;
    for (const at::Tensor& parameter : parameters) {
        if (parameter.requires_grad()) trained.push_back(parameter);
        states.push_back(parameter.detach());
    }
    c10d::verify_params_across_processes(m_state->group, trained, std::nullopt);
    if (settings.broadcastBuffers)
        for (const at::Tensor& buffer : m_state->buffers) states.push_back(buffer.detach());
    c10d::broadcast_coalesced(m_state->group, states, kBroadcastBytes, 0);
    states.clear();
    m_state->reducer = makeReducer(settings, trained, m_state->group);
    if (settings.staticGraph) m_state->reducer->set_static_graph();
    m_state->backwardStart = [state = m_state.get()] {
        if (!state->settings.staticGraph || state->delayed) return;
        torch::autograd::Engine::get_default_engine().queue_callback([state] { state->reducer->delay_all_reduce(); });
        state->delayed = true;
    };
}

DistributedModel::~DistributedModel() = default;

void DistributedModel::beforeForward(bool synchronise) {
    const KeptCopies kept;
    State& state = *m_state;
    const bool trains = at::GradMode::is_enabled();
    if (trains && synchronise) state.reducer->prepare_for_forward();
    if (trains) state.reducer->rebuild_buckets();
    if (!state.synchroniseBuffers || !state.settings.broadcastBuffers || state.buffers.empty()) return;
    at::NoGradGuard noGrad;
    c10d::broadcast_coalesced(state.group, state.buffers, kBroadcastBytes, 0);
}

void DistributedModel::afterForward(c10::IValue& output, bool synchronise) {
    State& state = *m_state;
    state.synchroniseBuffers = at::GradMode::is_enabled() && synchronise;
    if (state.synchroniseBuffers) {
        std::vector<at::Tensor> outputs;
        if (state.settings.findUnusedParameters && !state.settings.staticGraph)
            withTensors(output, [&](const at::Tensor& tensor) {
                outputs.push_back(tensor);
                return tensor;
            });
        state.reducer->prepare_for_backward(outputs);
    }
    if (state.needsSink()) state.passThroughSink(output);
}

std::vector<at::Tensor> DistributedModel::buckets() const {
    std::vector<at::Tensor> tensors;
    for (const c10d::GradBucket& bucket : m_state->reducer->get_grad_buckets(false))
        tensors.push_back(bucket.getBuffer());
    return tensors;
}

}  // namespace tidemark
