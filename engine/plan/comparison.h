// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/plan/measurement.h"
#include "engine/plan/modelinfo.h"

#include <array>
#include <string>
#include <vector>

namespace tidemark {

enum class RowStatus { Same, Renamed, Added, Removed, Outside };

/// Two values of one thing. The difference is what b takes more than a.
struct BytesPair {
    Bytes a;
    Bytes b;
    Bytes delta() const { return b - a; }
    bool operator==(const BytesPair&) const = default;
};

/// One layer of two variants. Outside: memory at the peak that belongs to no layer.
struct ComparedLayer {
    RowStatus status = RowStatus::Same;
    std::string path;      ///< in b, or in a when b has no such layer
    std::string oldPath;   ///< in a, for Renamed
    std::string type;
    int indexA = -1;       ///< into the layers of a; −1 when it has none
    int indexB = -1;
    BytesPair weights;
    BytesPair saved;
    BytesPair liveAtPeak;
    int parent = -1;       ///< row of the layer around it, in b where it is there; −1 for the model and for Outside
};

/// Two variants side by side. The live-at-peak column sums to the allocated peaks exactly, on both sides and in the
/// differences; so do the categories.
struct Comparison {
    std::vector<ComparedLayer> layers;
    std::array<BytesPair, kCategoryCount> categories;
    BytesPair allocated;  ///< steady peaks
    BytesPair reserved;
};

/// Aligns layers by path; what is left over is paired by type and size in order (a renamed layer). Both measurements
/// need their layers for rows other than Outside.
Comparison compare(const ModelInfo& modelA, const Measurement& a, const ModelInfo& modelB, const Measurement& b);

}  // namespace tidemark
