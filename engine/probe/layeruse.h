// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/plan/measurement.h"
#include "engine/plan/modelinfo.h"
#include "engine/probe/model.h"
#include "engine/probe/recorder.h"

#include <vector>

namespace tidemark {

/// By layer: whether settings ask for it to be checkpointed. Layers named by hand that do not exist are ignored here.
std::vector<bool> checkpointedLayers(const ModelInfo& model, const CheckpointSettings& settings);

/// Fills in what the recorded iteration says about its peak: categories, phase, layer, device reads.
void describePeak(const ModelInfo& model, const Recorder& recorder, const Timeline& timeline, Measurement& measurement);

/// One row a layer, by index of ModelInfo::layers; what belongs to no layer is counted at the root.
std::vector<LayerUse> layerUse(const Model& model, const Recorder& recorder, const Timeline& timeline);

}  // namespace tidemark
