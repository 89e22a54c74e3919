// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/plan/measurement.h"
#include "engine/plan/modelinfo.h"

#include <string>
#include <vector>

namespace tidemark {

/// By what the live set is divided. Size: powers of two.
enum class Grouping { Category, Layer, Operator, Size, SourceLine };

/// Allocations alive at one moment that have something in common.
struct LiveGroup {
    int key = -1;                    ///< category, layer, operator, line; for Size the exponent; −1: none
    Bytes bytes;
    CategoryBytes categories;        ///< the same bytes by category
    std::vector<int> allocations;    ///< indices into Timeline::allocations, largest first
};

/// True right after `event`; −1 is the moment before the first.
constexpr bool isLive(const Allocation& allocation, int event) {
    return allocation.born <= event && (allocation.freed < 0 || allocation.freed > event);
}

/// Everything alive right after `event`, largest group first. The groups sum to allocated memory exactly.
std::vector<LiveGroup> liveSet(const Timeline& timeline, int event, Grouping grouping);

/// "layer1.0.conv1", "aten::relu", "1 MiB to 2 MiB", "model.py:27": what a group is called. Empty for −1.
std::string nameOfGroup(const Timeline& timeline, const ModelInfo& model, Grouping grouping, int key);

/// What one line of the model's source takes in the step. All sizes are of that line alone.
struct LineUse {
    int line = -1;                   ///< index into Timeline::lines; −1: what no line asked for
    int layer = -1;                  ///< the layer that takes most of it
    Bytes allocated;                 ///< everything it asked for, one after the other
    Bytes saved;                     ///< held from forward to backward
    Bytes liveAtPeak;
    int allocations = 0;             ///< how often it asked
};

/// One entry for each line that asked for memory, in the order of Timeline::lines; what no line asked for comes last.
/// liveAtPeak sums to the allocated peak exactly.
std::vector<LineUse> lineUse(const Timeline& timeline);

}  // namespace tidemark
