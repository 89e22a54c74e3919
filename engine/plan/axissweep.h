// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/base/result.h"
#include "engine/plan/modelinfo.h"
#include "engine/plan/settings.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tidemark {

/// A dimension that a plan varies, with the sizes it takes: the batch ("B") or a named axis of the inputs.
struct AxisRange {
    std::string axis = "B";
    std::vector<std::int64_t> sizes;  ///< rising
};

/// Reads "S=128,256,512", "S=128..1024" (about doubling) or "B=8..64:8" (steps of eight). Error: SettingInvalid.
Result<AxisRange> parseAxisRange(std::string_view text);

/// The names of all axes that the inputs have, the batch first.
std::vector<std::string> axesOf(const ModelInfo& model, const Settings& settings);

/// What is wrong with asking for this axis: no input has it. Empty for an axis that there is.
std::optional<Error> problemWithAxis(const ModelInfo& model, const Settings& settings, const std::string& axis);

/// What the axis has now: the batch, the size in the settings, or what the input description says. 0 when nothing does.
std::int64_t sizeOfAxis(const ModelInfo& model, const Settings& settings, const std::string& axis);
Settings withAxis(Settings settings, const std::string& axis, std::int64_t size);

/// Sizes around the present one that show where memory goes: at most `count`, about doubling, at least 1.
AxisRange rangeAround(const std::string& axis, std::int64_t size, int count);

}  // namespace tidemark
