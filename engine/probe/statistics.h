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

/// What is still allocated when no model is there: LibTorch keeps cuDNN's dropout state of recurrent layers until the
/// process ends. It would count for the next model.
Bytes allocatedWithoutModel();

/// Makes the CUDA context of this process, which otherwise comes with the first allocation.
void makeContext();

/// Bytes that the caching allocator holds now.
Bytes reservedNow();

}  // namespace tidemark
