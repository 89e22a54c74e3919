// SPDX-License-Identifier: Apache-2.0
#include "engine/plan/axissweep.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace tidemark {
namespace {

constexpr std::size_t kMostSizes = 64;

Error invalid(std::string_view text) {
    return {ErrorCode::SettingInvalid,
            fmt::format("\"{}\" is no range of an axis; write it as S=128..1024, B=8..64:8 or S=128,256.", text),
            {}};
}

bool readSize(std::string_view text, std::int64_t* size) {
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), *size);
    return error == std::errc{} && end == text.data() + text.size() && *size > 0;
}

/// "128..1024" or "8..64:8".
bool readSpan(std::string_view text, std::vector<std::int64_t>* sizes) {
    const auto dots = text.find("..");
    const auto colon = text.find(':', dots);
    std::int64_t from = 0, to = 0, step = 0;
    if (!readSize(text.substr(0, dots), &from)) return false;
    if (!readSize(text.substr(dots + 2, colon == std::string_view::npos ? colon : colon - dots - 2), &to) || to < from)
        return false;
    if (colon != std::string_view::npos && !readSize(text.substr(colon + 1), &step)) return false;
    for (std::int64_t size = from; size < to && sizes->size() < kMostSizes; size = step > 0 ? size + step : size * 2)
        sizes->push_back(size);
    sizes->push_back(to);
    return true;
}

const std::vector<InputSpec>& inputsOf(const ModelInfo& model, const Settings& settings) {
    return settings.inputs.empty() ? model.inputs : settings.inputs;
}

}  // namespace

Result<AxisRange> parseAxisRange(std::string_view text) {
    const auto equals = text.find('=');
    if (equals == std::string_view::npos || equals == 0) return invalid(text);
    AxisRange range{std::string(text.substr(0, equals)), {}};
    for (std::string_view rest = text.substr(equals + 1); !rest.empty();) {
        const auto comma = rest.find(',');
        const std::string_view part = rest.substr(0, comma);
        std::int64_t size = 0;
        if (part.find("..") != std::string_view::npos) {
            if (!readSpan(part, &range.sizes)) return invalid(text);
        } else if (readSize(part, &size)) {
            range.sizes.push_back(size);
        } else {
            return invalid(text);
        }
        rest.remove_prefix(comma == std::string_view::npos ? rest.size() : comma + 1);
    }
    std::sort(range.sizes.begin(), range.sizes.end());
    range.sizes.erase(std::unique(range.sizes.begin(), range.sizes.end()), range.sizes.end());
    if (range.sizes.empty() || range.sizes.size() > kMostSizes) return invalid(text);
    return range;
}

std::vector<std::string> axesOf(const ModelInfo& model, const Settings& settings) {
    std::vector<std::string> axes;
    for (const InputSpec& input : inputsOf(model, settings))
        for (const Dim& dim : input.shape)
            if (!dim.axis.empty() && std::find(axes.begin(), axes.end(), dim.axis) == axes.end())
                axes.push_back(dim.axis);
    std::stable_partition(axes.begin(), axes.end(), [](const std::string& axis) { return axis == "B"; });
    return axes;
}

std::optional<Error> problemWithAxis(const ModelInfo& model, const Settings& settings, const std::string& axis) {
    const auto known = axesOf(model, settings);
    if (std::find(known.begin(), known.end(), axis) != known.end()) return std::nullopt;
    return Error{ErrorCode::SettingInvalid,
                 Message::tr("No input has the axis {0}; name it in the input's description, as in int64[B,{0}].", axis), {}};
}

std::int64_t sizeOfAxis(const ModelInfo& model, const Settings& settings, const std::string& axis) {
    if (axis == "B") return settings.batch;
    if (const auto found = settings.axes.find(axis); found != settings.axes.end()) return found->second;
    for (const InputSpec& input : inputsOf(model, settings))
        for (const Dim& dim : input.shape)
            if (dim.axis == axis && dim.size > 0) return dim.size;
    return 0;
}

Settings withAxis(Settings settings, const std::string& axis, std::int64_t size) {
    if (axis == "B")
        settings.batch = size;
    else
        settings.axes[axis] = size;
    return settings;
}

AxisRange rangeAround(const std::string& axis, std::int64_t size, int count) {
    AxisRange range{axis, {}};
    std::int64_t smallest = std::max<std::int64_t>(size, 1);
    for (int i = 0; i < count / 2 && smallest >= 2; ++i) smallest /= 2;
    for (int i = 0; i < count; ++i) range.sizes.push_back(smallest << i);
    return range;
}

}  // namespace tidemark
