// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/plan/modelinfo.h"
#include "engine/plan/settings.h"

#include <QString>

#include <vector>

namespace tidemark {

struct NamedText {
    QString name;
    QString text;
};

/// The settings of a step in words. What stands at its default and hardly ever matters is left out.
std::vector<NamedText> describeSettings(const Settings& settings, const ModelInfo& model);
/// What differs between two settings, as "Precision: Single (fp32) → Mixed, bf16 (AMP)"; empty when nothing does.
QStringList describeDifference(const Settings& before, const Settings& after, const ModelInfo& model);

/// The names alone of the settings that differ.
QStringList changedSettings(const Settings& before, const Settings& after);

}  // namespace tidemark
