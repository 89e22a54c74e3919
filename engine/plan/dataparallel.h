// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/plan/measurement.h"
#include "engine/plan/modelinfo.h"

#include <string>
#include <vector>

namespace tidemark {

/// What one of N cards takes when the step is trained data-parallel in one of the usual ways. Estimated from a measured
/// step on one card: which parts are whole on each card and which are divided is known, buffers for communication
/// beyond those named are not counted.
struct DataParallelEstimate {
    Message name;            ///< "ZeRO-1"
    Message assumption;      ///< what is divided and what comes on top, a clause
    Bytes allocated;         ///< on each card, at the steady peak
    Bytes high;              ///< the upper end where the estimate is a range, else `allocated`
};

/// DistributedDataParallel with buckets of their own and with gradients that are views of the buckets, the rule of
/// thumb for it, and sharding as ZeRO-1, -2 and -3 do it. Empty below two cards and for a step without gradients.
std::vector<DataParallelEstimate> dataParallelEstimates(const ModelInfo& model, const Measurement& measurement,
                                                        int cards);

}  // namespace tidemark
