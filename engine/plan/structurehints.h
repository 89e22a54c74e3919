// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/base/message.h"
#include "engine/plan/measurement.h"
#include "engine/plan/modelinfo.h"

#include <string>
#include <vector>

namespace tidemark {

/// What a change of the network itself would be about.
enum class StructureHintKind {
    DownsampleEarlier,
    SeparableConvolutions,
    PoolBeforeLinear,
    ChunkedLogits,
    InPlaceActivations
};
/// "downsample_earlier", …: the key in JSON.
std::string_view keyOf(StructureHintKind kind);

/// A change of the network that the table of layers suggests. Unlike an advice it is another model, so its saving is
/// computed from the table and not measured.
struct StructureHint {
    StructureHintKind kind = StructureHintKind::DownsampleEarlier;
    Message title;                    ///< "Down-sample before features.0"
    Message explanation;              ///< what the saving consists of, one sentence
    std::vector<std::string> layers;  ///< paths, the one that matters most first
    double share = 0;                 ///< of the step's activations, or of its weights, that the layers hold
    Bytes saves;                      ///< at the peak, computed
};

/// The hints worth an effort: those that save at least two percent of the steady peak, the largest saving first.
/// `measurement` needs its layers.
std::vector<StructureHint> structureHints(const ModelInfo& model, const Settings& settings,
                                          const Measurement& measurement);

}  // namespace tidemark
