// SPDX-License-Identifier: Apache-2.0
#include "engine/probe/recorder.h"

#include "engine/probe/macs.h"
#include "engine/probe/nullcontrol.h"
#include "engine/probe/tensortypes.h"

#include <ATen/SequenceNumber.h>
#include <c10/cuda/CUDACachingAllocator.h>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <atomic>
#include <mutex>

namespace tidemark {
namespace {

namespace Allocator = c10::cuda::CUDACachingAllocator;
using TraceEntry = c10::CachingDeviceAllocator::TraceEntry;

/// What a thread is doing: LibTorch calls us back on its own threads and hands us no context.
struct ThreadState {
    /// A module call in progress. Operators inside count from depth 0 again, so that those of a recomputation,
    /// which runs inside a backward operator, are seen.
    struct Call {
        int layer;
        int outerDepth;
        int outerOp;
        int line;  ///< source line of the call
    };
    std::vector<Call> calls;
    int backwardLayer = -1;  ///< layer of the autograd node that runs
    int operatorDepth = 0;
    int op = -1;
    int line = -1;  ///< source line of the operator that runs
};

ThreadState& threadState() {
    thread_local ThreadState state;
    return state;
}

int currentLayer() {
    const ThreadState& state = threadState();
    return state.calls.empty() ? state.backwardLayer : state.calls.back().layer;
}

/// The allocator keeps its trackers for ever; they all lead here.
std::atomic<Recorder*> activeRecorder{nullptr};

const NullControl& nullControl() {
    static const NullControl control;
    return control;
}

std::uint64_t libraryCalls() {
    const TidemarkNullCounters counters = nullControl().counters();
    return counters.gemms + counters.convolutions;
}

/// A short text for a module's result; containers show their first tensor.
std::string describeResult(const c10::IValue& value) {
    if (value.isTensor()) return value.toTensor().defined() ? describeTensor(value.toTensor()) : "";
    if (value.isTuple() && !value.toTupleRef().elements().empty()) return describeResult(value.toTupleRef().elements()[0]);
    if (value.isList() && !value.toListRef().empty()) return describeResult(value.toListRef()[0]);
    if (value.isGenericDict() && !value.toGenericDict().empty()) return describeResult(value.toGenericDict().begin()->value());
    return "";
}

}  // namespace

std::string describeTensor(const at::Tensor& tensor) {
    return fmt::format("{}[{}]", dtypeName(tensor.scalar_type()), fmt::join(tensor.sizes(), ", "));
}

CategoryBytes categoriesAt(const Timeline& timeline, int event) {
    CategoryBytes sums;
    for (const Allocation& a : timeline.allocations)
        if (a.born <= event && (a.freed < 0 || a.freed > event)) sums[a.category] += a.bytes;
    return sums;
}

Recorder::Recorder(std::size_t layerCount, bool detailed)
    : m_detailed(detailed), m_outputs(layerCount), m_calls(layerCount), m_macs(layerCount), m_deviceReads(layerCount + 1) {}

Recorder::~Recorder() {
    stop();
}

void Recorder::declare(const at::Tensor& tensor, Category category, int layer) {
    if (tensor.defined() && tensor.is_cuda() && tensor.has_storage())
        m_declared.try_emplace(reinterpret_cast<std::size_t>(tensor.storage().data()), category, layer);
}

void Recorder::adoptExisting() {
    for (const auto& segment : Allocator::snapshot().segments) {
        std::size_t address = reinterpret_cast<std::size_t>(segment.address);
        m_segments.push_back({-1, -1, static_cast<std::int64_t>(address), Bytes{static_cast<std::int64_t>(segment.total_size)}});
        for (const auto& block : segment.blocks) {
            if (block.allocated) {
                Allocation allocation;
                allocation.bytes = Bytes{static_cast<std::int64_t>(block.size)};
                allocation.category = Category::Workspace;
                allocation.address = static_cast<std::int64_t>(address);
                if (const auto found = m_declared.find(address); found != m_declared.end())
                    std::tie(allocation.category, allocation.layer) = found->second;
                m_live[address] = m_allocations.size();
                m_allocations.push_back(allocation);
                m_workAtBirth.push_back(0);
            }
            address += block.size;
        }
    }
}

void Recorder::watchFailures() {
    static std::once_flag attached;
    std::call_once(attached, [] {
        Allocator::attachAllocatorTraceTracker([](const TraceEntry& entry) {
            if (Recorder* recorder = activeRecorder.load()) recorder->onTrace(entry);
        });
    });
    activeRecorder = this;
}

void Recorder::start() {
    watchFailures();
    adoptExisting();
    m_forwardThread = std::this_thread::get_id();
    m_everAllocated = Allocator::getDeviceStats(0).allocated_bytes[0].allocated;
    m_callback = at::addGlobalCallback(at::RecordFunctionCallback(&Recorder::onOperatorStart, &Recorder::onOperatorEnd)
                                           .scopes({at::RecordScope::FUNCTION, at::RecordScope::BACKWARD_FUNCTION})
                                           .needsInputs(m_detailed)
                                           .needsOutputs(m_detailed));
    nullControl().onDeviceRead([](std::uint64_t, void* self) { static_cast<Recorder*>(self)->noteDeviceRead(); }, this);
    threadState() = ThreadState{};
    m_running = true;
}

void Recorder::stop() {
    if (activeRecorder == this) activeRecorder = nullptr;
    if (!m_running) return;
    m_running = false;
    nullControl().onDeviceRead(nullptr, nullptr);
    at::removeCallback(m_callback);
    settle();
    if (!m_phases.empty() && m_phases.back().end < 0) endPhase();
}

void Recorder::settle() {
    const std::int64_t ever = Allocator::getDeviceStats(0).allocated_bytes[0].allocated;
    if (m_newest) m_allocations[*m_newest].bytes = Bytes{ever - m_everAllocated};
    m_newest.reset();
    m_everAllocated = ever;
}

void Recorder::recordMoment() {
    m_reservedAfter.push_back(Bytes{Allocator::getDeviceStats(0).reserved_bytes[0].current});
}

void Recorder::onTrace(const TraceEntry& entry) {
    if (!m_running && entry.action_ != TraceEntry::OOM) return;
    switch (entry.action_) {
    case TraceEntry::ALLOC: onAllocate(entry.addr_); break;
    case TraceEntry::FREE_REQUESTED: onFree(entry.addr_); break;
    case TraceEntry::SEGMENT_ALLOC:
    case TraceEntry::SEGMENT_MAP:
        m_segments.push_back({now(), -1, static_cast<std::int64_t>(entry.addr_), Bytes{static_cast<std::int64_t>(entry.size_)}});
        break;
    case TraceEntry::SEGMENT_FREE:
    case TraceEntry::SEGMENT_UNMAP: onSegmentFree(entry.addr_); break;
    case TraceEntry::OOM:
        m_failedRequest = Bytes{static_cast<std::int64_t>(entry.size_)};
        m_failedLayer = currentLayer();
        // What the forward pass holds now would have been held for backward.
        if (!m_phases.empty() && m_phases.back().name.rfind("forward", 0) == 0) markActivations();
        break;
    default: break;
    }
}

void Recorder::onAllocate(std::size_t address) {
    settle();
    Allocation allocation;
    allocation.born = now();
    allocation.layer = currentLayer();
    allocation.op = threadState().op;
    allocation.line = threadState().line;
    allocation.address = static_cast<std::int64_t>(address);
    m_newest = m_allocations.size();
    m_live[address] = m_allocations.size();
    m_allocations.push_back(allocation);
    m_workAtBirth.push_back(libraryCalls());
    recordMoment();
}

void Recorder::onFree(std::size_t address) {
    settle();
    const auto found = m_live.find(address);
    if (found == m_live.end()) return;
    Allocation& allocation = m_allocations[found->second];
    allocation.freed = now();
    // Scratch of a library: made right before its call and given back right after.
    const bool brief = allocation.born >= 0 && allocation.freed == allocation.born + 1;
    if (brief && libraryCalls() > m_workAtBirth[found->second]) allocation.category = Category::Workspace;
    m_live.erase(found);
    recordMoment();
}

void Recorder::onSegmentFree(std::size_t address) {
    for (Segment& segment : m_segments)
        if (segment.freed < 0 && segment.address == static_cast<std::int64_t>(address)) segment.freed = now();
}

void Recorder::beginPhase(std::string name) {
    m_phases.push_back({std::move(name), static_cast<int>(m_reservedAfter.size()), -1});
}

void Recorder::endPhase() { m_phases.back().end = static_cast<int>(m_reservedAfter.size()); }

void Recorder::markActivations() {
    const int begin = m_phases.back().begin;
    for (const auto& [address, index] : m_live) {
        Allocation& allocation = m_allocations[index];
        if (allocation.born >= begin && allocation.category == Category::Temporary) allocation.category = Category::Activations;
    }
}

void Recorder::mark(const at::Tensor& tensor, Category category, int layer) {
    const auto found = m_live.find(reinterpret_cast<std::size_t>(tensor.storage().data()));
    if (found == m_live.end()) return;
    Allocation& allocation = m_allocations[found->second];
    if (allocation.category == Category::GradientBuckets) return;
    allocation.category = category;
    allocation.layer = layer;
}

void Recorder::enterModule(int layer) {
    ThreadState& state = threadState();
    const int line = m_detailed ? m_sourceLines.current(state.calls.empty() ? -1 : state.calls.back().line) : -1;
    state.calls.push_back({layer, state.operatorDepth, state.op, line});
    state.operatorDepth = 0;
    state.op = -1;
    if (!onForwardThread()) return;
    ++m_calls[static_cast<std::size_t>(layer)];
    m_sequenceLayers.emplace_back(static_cast<std::int64_t>(at::sequence_number::peek()), layer);
}

void Recorder::leaveModule(int layer, const c10::IValue& result) {
    ThreadState& state = threadState();
    state.operatorDepth = state.calls.back().outerDepth;
    state.op = state.calls.back().outerOp;
    state.calls.pop_back();
    if (!onForwardThread()) return;
    if (state.calls.empty()) m_sequenceLines.emplace_back(static_cast<std::int64_t>(at::sequence_number::peek()), -1);
    m_sequenceLayers.emplace_back(static_cast<std::int64_t>(at::sequence_number::peek()), state.calls.empty() ? 0 : state.calls.back().layer);
    std::string& output = m_outputs[static_cast<std::size_t>(layer)];
    output = describeResult(result);
    const bool firstForward = m_phases.size() == 1;
    if (firstForward) m_moduleCalls.push_back({layer, output});
}

/// The last change at or before this number is what was in force when the node was made.
int inForceAt(const std::vector<std::pair<std::int64_t, int>>& changes, std::int64_t sequence) {
    const auto after = std::upper_bound(changes.begin(), changes.end(), sequence,
                                        [](std::int64_t s, const auto& change) { return s < change.first; });
    return after == changes.begin() ? -1 : std::prev(after)->second;
}

int Recorder::layerOfSequence(std::int64_t sequence) const { return inForceAt(m_sequenceLayers, sequence); }

int Recorder::lineOfSequence(std::int64_t sequence) const { return inForceAt(m_sequenceLines, sequence); }

int Recorder::operatorIndex(const std::string& name) {
    const auto [entry, added] = m_opIndex.try_emplace(name, static_cast<int>(m_ops.size()));
    if (added) m_ops.push_back(name);
    return entry->second;
}

/// The engine wraps every node's evaluation in one of these; the node itself follows inside.
bool isEngineWrapper(const at::RecordFunction& function) {
    return std::string_view(function.name()).substr(0, 18) == "autograd::engine::";
}

std::unique_ptr<at::ObserverContext> Recorder::onOperatorStart(const at::RecordFunction& function) {
    Recorder* recorder = activeRecorder.load();
    ThreadState& state = threadState();
    if (!recorder || isEngineWrapper(function) || state.operatorDepth++ > 0) return nullptr;
    // The autograd thread and the forward thread never run at the same time here, so that this needs no lock.
    const bool recomputes = !recorder->onForwardThread() && !state.calls.empty();
    state.op = recorder->operatorIndex(function.name() + std::string(recomputes ? " (recomputed)" : ""));
    if (function.scope() == at::RecordScope::BACKWARD_FUNCTION) {
        state.backwardLayer = recorder->layerOfSequence(function.seqNr());
        state.line = recorder->lineOfSequence(function.seqNr());
    } else if (!state.calls.empty()) {
        if (recorder->m_detailed) state.line = recorder->m_sourceLines.current(state.calls.back().line);
        if (recorder->m_detailed && recorder->onForwardThread())
            recorder->m_sequenceLines.emplace_back(static_cast<std::int64_t>(at::sequence_number::peek()), state.line);
        ++(recorder->onForwardThread() ? recorder->m_forwardOperators : recorder->m_recomputedOperators);
    }
    return nullptr;
}

void Recorder::onOperatorEnd(const at::RecordFunction& function, at::ObserverContext*) {
    ThreadState& state = threadState();
    if (isEngineWrapper(function) || state.operatorDepth == 0 || --state.operatorDepth > 0) return;
    state.op = -1;
    state.line = -1;
    if (function.scope() == at::RecordScope::BACKWARD_FUNCTION) state.backwardLayer = -1;
    Recorder* recorder = activeRecorder.load();
    if (recorder && recorder->m_detailed) recorder->describeOutputs(function);
}

void Recorder::describeOutputs(const at::RecordFunction& function) {
    for (const c10::IValue& output : function.outputs()) {
        if (!output.isTensor() || !output.toTensor().defined() || !output.toTensor().has_storage()) continue;
        const at::Tensor& tensor = output.toTensor();
        if (onForwardThread() && !threadState().calls.empty())
            m_macs[static_cast<std::size_t>(currentLayer())] += tidemark::multiplyAccumulates(function.name(), function.inputs(), tensor);
        const auto found = m_live.find(reinterpret_cast<std::size_t>(tensor.storage().data()));
        if (found == m_live.end() || m_allocations[found->second].shape >= 0) continue;
        m_allocations[found->second].shape = shapeIndex(describeTensor(tensor));
    }
}

int Recorder::shapeIndex(const std::string& shape) {
    const auto [entry, added] = m_shapeIndex.try_emplace(shape, static_cast<int>(m_shapes.size()));
    if (added) m_shapes.push_back(shape);
    return entry->second;
}

bool Recorder::onForwardThread() const { return std::this_thread::get_id() == m_forwardThread; }

void Recorder::noteDeviceRead() { ++m_deviceReads[static_cast<std::size_t>(currentLayer() + 1)]; }

Timeline Recorder::timeline() const {
    Timeline timeline;
    timeline.events = static_cast<int>(m_reservedAfter.size());
    timeline.allocations = m_allocations;
    timeline.segments = m_segments;
    timeline.phases = m_phases;
    timeline.ops = m_ops;
    timeline.shapes = m_shapes;
    timeline.sources = m_sourceLines.sources();
    timeline.lines = m_sourceLines.lines();
    timeline.reserved = m_reservedAfter;
    std::vector<std::int64_t> change(m_reservedAfter.size() + 1);  // [0]: before the first event
    for (const Allocation& a : m_allocations) {
        change[static_cast<std::size_t>(a.born + 1)] += a.bytes.count;
        if (a.freed >= 0) change[static_cast<std::size_t>(a.freed + 1)] -= a.bytes.count;
    }
    std::int64_t now = 0, highest = -1;
    for (std::size_t i = 0; i < change.size(); ++i) {
        now += change[i];
        if (now <= highest) continue;
        highest = now;
        timeline.peakEvent = static_cast<int>(i) - 1;
    }
    return timeline;
}

}  // namespace tidemark
