// SPDX-License-Identifier: Apache-2.0
#include "engine/plan/settings.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>

namespace tidemark {
namespace {

constexpr std::array<std::string_view, 12> kDtypes{"float32", "float64", "float16", "bfloat16", "int64",     "int32",
                                                   "int16",   "int8",    "uint8",   "bool",     "complex64", "complex128"};

std::string_view trimmed(std::string_view text) {
    while (!text.empty() && std::isspace(static_cast<unsigned char>(text.front()))) text.remove_prefix(1);
    while (!text.empty() && std::isspace(static_cast<unsigned char>(text.back()))) text.remove_suffix(1);
    return text;
}

bool isIdentifier(std::string_view text) {
    if (text.empty() || std::isdigit(static_cast<unsigned char>(text.front()))) return false;
    return std::all_of(text.begin(), text.end(),
                       [](unsigned char c) { return std::isalnum(c) || c == '_' || c == '.'; });
}

Error invalid(std::string_view whole, const Message& why) {
    return {ErrorCode::InputInvalid,
            Message::tr("The input \"{}\" cannot be read: {}. Write it as [NAME=]DTYPE[B,3,224,224].", whole, why), {}};
}

/// One entry between the brackets. An empty message means success.
Message parseDim(std::string_view text, Dim* dim) {
    if (text.empty()) return Message::tr("a dimension is empty");
    if (const auto equals = text.find('='); equals != std::string_view::npos) {
        dim->axis = trimmed(text.substr(0, equals));
        if (!isIdentifier(dim->axis)) return Message::tr("\"{}\" is no name of an axis", dim->axis);
        text = trimmed(text.substr(equals + 1));
    } else if (isIdentifier(text)) {
        dim->axis = text;
        return {};
    }
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), dim->size);
    if (error != std::errc{} || end != text.data() + text.size())
        return Message::tr("\"{}\" is neither a size nor the name of an axis", text);
    if (dim->size < 1) return Message::tr("the size {} is not positive", text);
    return {};
}

}  // namespace

Result<InputSpec> parseInputSpec(std::string_view text) {
    const std::string_view whole = trimmed(text);
    std::string_view rest = whole;
    InputSpec spec;
    const auto open = rest.find('[');
    if (open == std::string_view::npos || rest.back() != ']') return invalid(whole, Message::tr("the shape in brackets is missing"));
    if (const auto equals = rest.substr(0, open).find('='); equals != std::string_view::npos) {
        spec.name = trimmed(rest.substr(0, equals));
        if (!isIdentifier(spec.name)) return invalid(whole, Message::tr("\"{}\" is no argument name", spec.name));
        rest.remove_prefix(equals + 1);
    }
    const auto bracket = rest.find('[');
    spec.dtype = trimmed(rest.substr(0, bracket));
    if (spec.dtype.starts_with("torch.")) spec.dtype.erase(0, 6);
    if (std::find(kDtypes.begin(), kDtypes.end(), spec.dtype) == kDtypes.end())
        return invalid(whole, Message::tr("\"{}\" is none of the types {}", spec.dtype, fmt::format("{}", fmt::join(kDtypes, ", "))));

    std::string_view inside = trimmed(rest.substr(bracket + 1, rest.size() - bracket - 2));
    while (!inside.empty()) {
        const auto comma = inside.find(',');
        Dim dim;
        if (const Message why = parseDim(trimmed(inside.substr(0, comma)), &dim); !why.empty()) return invalid(whole, why);
        spec.shape.push_back(std::move(dim));
        if (comma == std::string_view::npos) break;
        inside = inside.substr(comma + 1);
        if (trimmed(inside).empty()) return invalid(whole, Message::tr("a dimension is empty"));
    }
    return spec;
}

std::string formatInputSpec(const InputSpec& spec) {
    std::string text = spec.name.empty() ? "" : spec.name + "=";
    text += spec.dtype + "[";
    for (std::size_t i = 0; i < spec.shape.size(); ++i) {
        if (i > 0) text += ",";
        const Dim& dim = spec.shape[i];
        text += dim.axis;
        if (!dim.axis.empty() && dim.size > 0) text += "=";
        if (dim.axis.empty() || dim.size > 0) text += std::to_string(dim.size);
    }
    return text + "]";
}

}  // namespace tidemark
