// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/plan/probepoint.h"

#include <vector>

namespace tidemark {

/// The caching allocator's counters, as torch.cuda.memory_summary() lists them.
std::vector<MemoryStatistic> allocatorStatistics();

/// What the caching allocator may take of a real device of this size; zero: all of it. What is beyond makes LibTorch's
/// own out-of-memory error, so that a probe leaves the rest to the desktop and other programs.
void limitAllocator(Bytes limit, Bytes deviceMemory);

/// Bytes that the caching allocator holds now.
Bytes reservedNow();

}  // namespace tidemark
