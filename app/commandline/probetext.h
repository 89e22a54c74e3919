// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/plan/calibration.h"
#include "engine/plan/settings.h"
#include "engine/session/realdevices.h"
#include "engine/session/realgpuprobe.h"
#include "engine/session/request.h"

#include <nlohmann/json_fwd.hpp>

#include <optional>
#include <string>
#include <vector>

namespace tidemark {

/// A step as it ran on the card, and the plan for it.
struct ComparedPoint {
    ProbePoint measured;
    MeasurementPtr planned;  ///< null when the plan failed
};

/// What `tidemark probe` found out.
struct ProbeResult {
    InstalledGpu installed;
    RealProbeInfo info;
    Settings settings;
    std::vector<ComparedPoint> points;
    std::string problem;      ///< why not all was tried; empty when it was
    std::optional<Calibration> calibration;
    std::string calibrationFile;
};

/// What `tidemark probe` prints for people.
std::string probeText(const ProbeResult& result);
/// Schema "tidemark.probe/1".
nlohmann::json probeJson(const ProbeResult& result);

}  // namespace tidemark
