// SPDX-License-Identifier: Apache-2.0
#include "engine/nullgpu/control.h"
#include "engine/nullgpu/core.h"
#include "engine/nullgpu/stub.h"

#include <array>
#include <atomic>
#include <mutex>

namespace tidemark::nullgpu {

namespace {

struct Counters {
    std::array<std::atomic<std::uint64_t>, 3> work{};
    std::atomic<std::uint64_t> reads{0};
    std::atomic<std::uint64_t> readBytes{0};
    std::mutex mutex;
    void (*onRead)(std::uint64_t, void*) = nullptr;
    void* onReadContext = nullptr;
    TidemarkNullStub* stubs = nullptr;
    const WorkspaceState& (*resolveWorkspace)() = nullptr;
};

Counters& counters() {
    static Counters* const state = new Counters;
    return *state;
}

const WorkspaceState& workspaceState() {
    static const WorkspaceState unknown;
    const auto resolve = counters().resolveWorkspace;
    return resolve ? resolve() : unknown;
}

}  // namespace

void count(Work work) {
    counters().work[static_cast<std::size_t>(work)].fetch_add(1, std::memory_order_relaxed);
}

void countRead(std::uint64_t bytes) {
    Counters& state = counters();
    state.reads.fetch_add(1, std::memory_order_relaxed);
    state.readBytes.fetch_add(bytes, std::memory_order_relaxed);
    std::unique_lock lock(state.mutex);
    const auto callback = state.onRead;
    void* const context = state.onReadContext;
    lock.unlock();
    if (callback)
        callback(bytes, context);
}

void setWorkspaceResolver(const WorkspaceState& (*resolve)()) {
    counters().resolveWorkspace = resolve;
}

}  // namespace tidemark::nullgpu

using namespace tidemark::nullgpu;

extern "C" {

void tidemarkNullCountStub(TidemarkNullStub* stub) {
    if (stub->count.fetch_add(1, std::memory_order_relaxed) > 0)
        return;
    Counters& state = counters();
    const std::lock_guard lock(state.mutex);
    for (const TidemarkNullStub* known = state.stubs; known; known = known->next)
        if (known == stub)
            return;
    stub->next = state.stubs;
    state.stubs = stub;
}

void tidemarkNullCounters(TidemarkNullCounters* result) {
    const Counters& state = counters();
    const auto work = [&](Work kind) { return state.work[static_cast<std::size_t>(kind)].load(); };
    *result = {state.reads, state.readBytes, work(Work::Launch), work(Work::Gemm), work(Work::Convolution)};
}

void tidemarkNullResetCounters(void) {
    Counters& state = counters();
    for (auto& work : state.work)
        work = 0;
    state.reads = 0;
    state.readBytes = 0;
    resetPeak();
    const std::lock_guard lock(state.mutex);
    for (TidemarkNullStub* stub = state.stubs; stub; stub = stub->next)
        stub->count = 0;
}

void tidemarkNullForEachUnmodelled(void (*visit)(const char* name, uint64_t count, void* context), void* context) {
    Counters& state = counters();
    const std::lock_guard lock(state.mutex);
    for (const TidemarkNullStub* stub = state.stubs; stub; stub = stub->next)
        if (const std::uint64_t calls = stub->count)
            visit(stub->name, calls, context);
}

void tidemarkNullOnDeviceRead(void (*callback)(uint64_t bytes, void* context), void* context) {
    Counters& state = counters();
    const std::lock_guard lock(state.mutex);
    state.onRead = callback;
    state.onReadContext = context;
}

const char* tidemarkNullWorkspaceSource(void) {
    return workspaceState().source.c_str();
}

const char* tidemarkNullWorkspaceProblem(void) {
    return workspaceState().problem.c_str();
}
}
