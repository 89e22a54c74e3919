// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/gpus/gpu.h"
#include "engine/plan/measurement.h"
#include "engine/plan/modelinfo.h"

#include <vector>

namespace tidemark {

/// A residual network of the shape of ResNet-50, and steps of it as the probe would describe them: by simple rules,
/// not by LibTorch, but consistent (categories, layers and timeline add up to the peak).
ModelInfo syntheticModel(int depth = 1);
Measurement syntheticMeasurement(const ModelInfo& model, const Settings& settings, Bytes memoryLimit, bool layers,
                                 bool timeline);
/// A few cards with memory as drivers report it.
std::vector<Gpu> syntheticGpus();

}  // namespace tidemark
