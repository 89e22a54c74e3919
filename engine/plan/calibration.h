// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/base/result.h"
#include "engine/gpus/gpu.h"
#include "engine/plan/probepoint.h"

#include <string>
#include <vector>

namespace tidemark {

/// What a probe on a real card found out for plans: how much a process takes beyond LibTorch's segments, and by how
/// much those differ from the plan's.
struct Calibration {
    std::string card;      ///< as the driver names it, Gpu::name
    Bytes memory;          ///< of the card: one name may stand for two sizes
    std::string driver;    ///< version
    std::string torch;     ///< version
    std::string when;      ///< ISO 8601 date and time
    int points = 0;        ///< complete measurements behind it
    ContextSize context;   ///< process − reserved: mean, least and most
    ContextSize offset;    ///< reserved − planned reserved: mean, least and most; may be negative
};

/// A measured point and the plan for the same step on the same card.
struct CalibrationPair {
    ProbePoint measured;
    Peak planned;
};

/// Error: SettingInvalid when no pair is complete and has a process memory to compare, or when all there is came from
/// the use of the whole card.
Result<Calibration> calibrationFrom(const std::vector<CalibrationPair>& pairs);

/// Puts `fresh` in the place of the calibration of the same card and driver.
void remember(std::vector<Calibration>* known, const Calibration& fresh);
/// The newest calibration of this card; null when there is none.
const Calibration* calibrationOf(const Gpu& gpu, const std::vector<Calibration>& known);
/// The card with what was measured in place of the catalogue's context. The offset widens the range: it depends on the
/// model, and so is no correction of another one's plan.
Gpu calibrated(Gpu gpu, const std::vector<Calibration>& known);

/// {"schema":"tidemark.calibration/1","cards":[…]}, see engine/session/README.md.
std::string calibrationText(const std::vector<Calibration>& known);
/// `origin` is what errors call the text. A file of a later version is an error that says so.
Result<std::vector<Calibration>> calibrationsFromText(const std::string& text, const std::string& origin);

}  // namespace tidemark
