// SPDX-License-Identifier: Apache-2.0
#include "engine/probe/statistics.h"

#include "engine/probe/cudacontext.h"

#include <ATen/ATen.h>
#include <c10/cuda/CUDACachingAllocator.h>

namespace tidemark {
namespace {

namespace Allocator = c10::cuda::CUDACachingAllocator;

MemoryStatistic row(const char* name, const c10::CachingAllocator::StatArray& stat) {
    const auto& all = stat[0];
    return {name, all.current, all.peak, all.allocated, all.freed};
}

}  // namespace

std::vector<MemoryStatistic> allocatorStatistics() {
    const auto stats = Allocator::getDeviceStats(0);
    return {row("allocated_bytes", stats.allocated_bytes), row("active_bytes", stats.active_bytes),
            row("requested_bytes", stats.requested_bytes), row("reserved_bytes", stats.reserved_bytes),
            row("inactive_split_bytes", stats.inactive_split_bytes), row("allocation", stats.allocation),
            row("active", stats.active), row("segment", stats.segment), row("inactive_split", stats.inactive_split)};
}

void limitAllocator(Bytes limit, Bytes deviceMemory) {
    const bool all = limit <= Bytes{} || limit >= deviceMemory;
    Allocator::setMemoryFraction(all ? 1.0 : static_cast<double>(limit.count) / static_cast<double>(deviceMemory.count), 0);
}

Bytes allocatedWithoutModel() {
    at::cuda::clearCublasWorkspaces();
    return Bytes{Allocator::getDeviceStats(0).allocated_bytes[0].current};
}

void makeContext() {
    at::empty({1}, at::device(at::kCUDA));
    Allocator::emptyCache();
}

Bytes reservedNow() { return Bytes{Allocator::getDeviceStats(0).reserved_bytes[0].current}; }

}  // namespace tidemark
