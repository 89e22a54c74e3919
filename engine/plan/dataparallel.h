// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/plan/measurement.h"
#include "engine/plan/modelinfo.h"
#include "engine/plan/settings.h"

#include <array>
#include <vector>

namespace tidemark {

/// What one of N cards takes when the step is trained data-parallel in one of the usual ways: measured, or estimated
/// from the step on one card. For the estimates, which parts are whole on each card and which are divided is known;
/// buffers for communication beyond those named are not counted.
struct DataParallelRow {
    Message name;        ///< "ZeRO-1"
    Message assumption;  ///< what is divided and what comes on top, a clause
    Bytes allocated;     ///< on each card, at the steady peak
    Bytes high;          ///< the upper end where the estimate is a range, else `allocated`
    bool measured = false;
};

/// The steps that dataParallelTable() wants measured, for settings with two cards or more: alone on one card, under
/// DistributedDataParallel with buckets of their own, and with gradients that are views of the buckets.
std::array<Settings, 3> dataParallelSteps(const Settings& settings);

/// The three measured steps, in the order of dataParallelSteps(), the rule of thumb for DistributedDataParallel, and
/// sharding as ZeRO-1, -2 and -3 do it. Empty below two cards and for a step without gradients.
std::vector<DataParallelRow> dataParallelTable(const ModelInfo& model, const Settings& settings,
                                               const std::array<Measurement, 3>& steps);

}  // namespace tidemark
