// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/plan/measurement.h"
#include "engine/plan/settings.h"
#include "engine/probe/model.h"

namespace tidemark {

/// What a caller wants besides the peaks.
struct Detail {
    bool layers = false;    ///< Measurement::layers
    bool timeline = false;  ///< Measurement::timeline
    bool peaksOnly = false; ///< not even where the peak lies and what fills it: for searches, which run many steps
};

/// Runs the training step of `model` under `settings` from an emptied allocator cache and measures it: the loop that
/// people write in Python, operator for operator,
///
///     x, t = …                                    # on the device
///     for _ in range(iterations):
///         for _ in range(accumulate):
///             with autocast: loss = criterion(model(x), t) / accumulate
///             scaler.scale(loss).backward(); del loss
///         scaler.step(optimizer); scaler.update()
///         optimizer.zero_grad(set_to_none=True)
///
/// With Settings::keepOutput the output and the loss live until they are bound again. `memoryLimit` is the device's total memory for this step, 0
/// for the card's own. Out of memory is a result (Measurement::outOfMemory), other failures of the model an Error
/// that names the layer.
Result<Measurement> measureStep(Model& model, const Settings& settings, Detail detail, Bytes memoryLimit);

}  // namespace tidemark
