// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/plan/fit.h"
#include "engine/plan/modelinfo.h"

#include <string>
#include <vector>

namespace tidemark {

/// What a change asks of the person who trains, from nothing to another training.
enum class AdviceCost { Free, Setup, Precision, Speed, Training };
Message titleOf(AdviceCost cost);

/// One change of the settings that may take less memory. Whether it does is for an exact run to say.
struct Advice {
    Message title;            ///< "Checkpoint 8 of 16 blocks"
    Message consequence;      ///< what else changes, in a clause
    AdviceCost cost = AdviceCost::Free;
    Settings settings;        ///< the settings with the change applied
};

/// Changes worth measuring from here, cheapest first; never one that is in force already, never one that changes the
/// effective batch.
std::vector<Advice> adviceFor(const ModelInfo& model, const Settings& settings);

/// The step with ever more of its blocks checkpointed, from none to all of them in at most `most` settings; empty where
/// nothing can be checkpointed.
std::vector<Settings> checkpointSteps(const ModelInfo& model, const Settings& settings, int most = 13);

/// An advice with its exact run on the card.
struct MeasuredAdvice {
    Advice advice;
    Fit fit;
    Bytes saved;              ///< process memory less than before the change; negative when it takes more
    double recomputed = 0;    ///< share of forward operators that run twice
};

/// `before`: process memory without the change. `fit`, `measurement`: of the step with it.
MeasuredAdvice measuredAdvice(const Advice& advice, const Fit& fit, Bytes before, const Measurement& measurement);

/// A step with some of its blocks checkpointed, as an exact run.
struct RecomputePoint {
    int blocks = 0;
    Bytes allocated;
    Bytes reserved;
    Bytes process;
    double recomputed = 0;    ///< share of forward operators that run twice
};

/// `settings`: one of checkpointSteps().
RecomputePoint recomputePoint(const Settings& settings, const Fit& fit, const Measurement& measurement);

/// What makes the step fit first, by cost and then in the given order, the mildest first; then what helps, by memory
/// saved; what does not help is left out.
std::vector<MeasuredAdvice> ranked(std::vector<MeasuredAdvice> advice);

}  // namespace tidemark
