// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/base/bytes.h"
#include "engine/base/result.h"
#include "engine/plan/measurement.h"

#include <string>
#include <string_view>
#include <vector>

namespace tidemark {

/// What a PyTorch memory snapshot (torch.cuda.memory._dump_snapshot) tells of the device with the longest history.
/// Snapshots note the sizes that were asked for; the allocator's blocks are rounded up from them here as it does, so
/// that `allocated` is memory_allocated() apart from blocks that were left larger.
struct MemorySnapshot {
    std::string file;
    int device = 0;
    std::vector<Allocation> blocks;   ///< born and freed count this snapshot's events; category and layer are not known
    std::vector<std::string> frames;  ///< what Allocation::op points to: the innermost Python frame, "model.py:27 forward"
    std::vector<Bytes> allocated;     ///< after each event
    Bytes reserved;                   ///< of all segments at the end

    Bytes peak() const;
};

/// Reads the file. Nothing in it is run. Error: one sentence that names the file.
Result<MemorySnapshot> loadSnapshot(const std::string& file);
/// `name` is what messages call it.
Result<MemorySnapshot> readSnapshot(std::string_view bytes, const std::string& name);

/// The first event of the snapshot at which the plan's step fits it best: a snapshot may hold many steps. Between two
/// courses of allocated memory the sum of absolute differences counts.
int bestOffset(const std::vector<Bytes>& snapshot, const std::vector<Bytes>& step);

/// Allocated memory after each event of the timeline.
std::vector<Bytes> allocatedAfter(const Timeline& timeline);

}  // namespace tidemark
