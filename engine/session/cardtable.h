// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/plan/fit.h"
#include "engine/session/installation.h"
#include "engine/session/request.h"

#include <QString>

#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace tidemark {

/// One step, asked for on many cards.
struct CardTableRequest {
    QString model;
    Settings settings;
    std::vector<Gpu> cards;  ///< unsupported ones are left out
    Reserve reserve;
    std::int64_t largest = 0;  ///< search for the largest batch, up to that many examples; 0: do not
};

/// What one card makes of the step.
struct CardRow {
    Gpu gpu;
    Fit fit;
    std::optional<LargestBatch> largest;  ///< empty when not searched
    std::string measuredAs;               ///< id of the card of this compute capability that the worker posed as
};

/// Plans the step on every card and calls `row` for each, in no order, from several threads but one call at a time.
/// Cards of one compute capability share a worker and their measurements: what LibTorch and cuDNN allocate follows the
/// capability, and a card's size only decides where memory ends. Every answer is a run within the card's own limit or
/// below it; nothing is extrapolated. Returns when all cards are known, or soon after `stop`. The error is the first
/// that kept a capability from being planned. Needs a QCoreApplication; blocks.
std::optional<Error> planCards(const Installation& installation, const CardTableRequest& request,
                               const std::function<void(const CardRow&)>& row, std::stop_token stop = {});

}  // namespace tidemark
