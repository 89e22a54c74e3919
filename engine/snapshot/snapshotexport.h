// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/plan/measurement.h"
#include "engine/plan/modelinfo.h"

#include <string>

namespace tidemark {

/// The recorded step as the pickle that torch.cuda.memory._dump_snapshot writes: memory_viz and torch.cuda._memory_viz
/// open it. A frame names the operator, the next one the layer with its source line; entries have a `category` as well.
/// Times count events. The timeline needs its addresses and segments.
std::string snapshotPickle(const Timeline& timeline, const ModelInfo& model);

}  // namespace tidemark
