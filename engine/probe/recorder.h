// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/plan/measurement.h"
#include "engine/probe/modulecall.h"
#include "engine/probe/sourcelines.h"

#include <ATen/ATen.h>
#include <ATen/record_function.h>

#include <c10/core/CachingDeviceAllocator.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <unordered_map>
#include <vector>

namespace tidemark {

/// Listens to LibTorch's caching allocator for one iteration of the step and says afterwards who holds what.
///
/// Every allocation and free arrives through the allocator's trace tracker, on the thread that makes it. The layer of
/// a forward allocation is the innermost module call; that of a backward one is found through the autograd sequence
/// number of the node that runs. Sizes are the allocator's blocks, so that their sum is memory_allocated() exactly.
class Recorder : public ModuleCallObserver {
public:
    /// `detailed`: also shapes, source lines and multiply-accumulates, which makes every operator slower.
    Recorder(std::size_t layerCount, bool detailed);
    ~Recorder() override;
    Recorder(const Recorder&) = delete;
    Recorder& operator=(const Recorder&) = delete;

    /// Listens for failed allocations only, until start().
    void watchFailures();
    /// What is known to be on the device before the iteration: by address of the storage.
    void declare(const at::Tensor& tensor, Category category, int layer = -1);

    void start();
    void stop();
    bool running() const { return m_running; }

    void beginPhase(std::string name);
    void endPhase();
    /// Everything born in the running phase and alive now is held for backward.
    void markActivations();
    /// What the allocation behind a tensor holds. Buckets stay buckets: gradients may be views of them.
    void mark(const at::Tensor& tensor, Category category, int layer = -1);

    void enterModule(int layer) override;
    void leaveModule(int layer, const c10::IValue& result) override;

    /// Size of the failed request after an out-of-memory error, 0 when there was none.
    Bytes failedRequest() const { return m_failedRequest; }
    int failedLayer() const { return m_failedLayer; }

    /// The recorded iteration. Call after stop().
    Timeline timeline() const;
    std::int64_t forwardOperators() const { return m_forwardOperators; }
    std::int64_t recomputedOperators() const { return m_recomputedOperators; }

    const std::vector<std::string>& outputs() const { return m_outputs; }
    /// The module calls of the first micro-batch's forward pass in the order in which they ended.
    const std::vector<ModuleCall>& moduleCalls() const { return m_moduleCalls; }
    const std::vector<int>& calls() const { return m_calls; }
    const std::vector<std::int64_t>& multiplyAccumulates() const { return m_macs; }
    const std::vector<std::int64_t>& deviceReads() const { return m_deviceReads; }
    void noteDeviceRead();

private:
    static std::unique_ptr<at::ObserverContext> onOperatorStart(const at::RecordFunction& function);
    static void onOperatorEnd(const at::RecordFunction& function, at::ObserverContext* context);

    void onTrace(const c10::CachingDeviceAllocator::TraceEntry& entry);
    void onAllocate(std::size_t address);
    void onFree(std::size_t address);
    void onSegmentFree(std::size_t address);
    int now() const { return static_cast<int>(m_reservedAfter.size()); }
    void settle();
    void adoptExisting();
    int operatorIndex(const std::string& name);
    int layerOfSequence(std::int64_t sequence) const;
    int lineOfSequence(std::int64_t sequence) const;
    void recordMoment();
    void describeOutputs(const at::RecordFunction& function);
    int shapeIndex(const std::string& shape);
    bool onForwardThread() const;

    bool m_detailed;
    bool m_running = false;
    std::thread::id m_forwardThread;
    at::CallbackHandle m_callback = at::INVALID_CALLBACK_HANDLE;

    std::int64_t m_everAllocated = 0;     ///< the allocator's cumulative count at the last event
    std::optional<std::size_t> m_newest;  ///< allocation whose block size the next event will tell
    std::vector<Allocation> m_allocations;
    std::vector<std::uint64_t> m_workAtBirth;             ///< by allocation: library calls made until then
    std::unordered_map<std::size_t, std::size_t> m_live;  ///< address → allocation
    std::unordered_map<std::size_t, std::pair<Category, int>> m_declared;
    std::vector<Bytes> m_reservedAfter;                   ///< by event
    std::vector<Segment> m_segments;
    std::vector<Phase> m_phases;

    std::vector<std::string> m_ops;
    std::unordered_map<std::string, int> m_opIndex;
    std::vector<std::pair<std::int64_t, int>> m_sequenceLayers;  ///< from this sequence number on, this layer
    std::vector<std::pair<std::int64_t, int>> m_sequenceLines;   ///< the same for source lines
    SourceLines m_sourceLines;
    std::vector<std::string> m_outputs;
    std::vector<ModuleCall> m_moduleCalls;
    std::vector<std::string> m_shapes;
    std::unordered_map<std::string, int> m_shapeIndex;
    std::vector<int> m_calls;
    std::vector<std::int64_t> m_macs;         ///< by layer
    std::vector<std::int64_t> m_deviceReads;  ///< by layer + 1; the first is outside any layer
    std::int64_t m_forwardOperators = 0;
    std::int64_t m_recomputedOperators = 0;
    Bytes m_failedRequest;
    int m_failedLayer = -1;
};

/// Live bytes by category right after `event` (−1: before the first).
CategoryBytes categoriesAt(const Timeline& timeline, int event);

/// dtype and shape as people write them: "float32[32, 64, 112, 112]".
std::string describeTensor(const at::Tensor& tensor);

}  // namespace tidemark
