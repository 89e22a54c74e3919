// SPDX-License-Identifier: Apache-2.0
#include "engine/base/bytes.h"

#include <fmt/format.h>

#include <array>
#include <cctype>
#include <charconv>
#include <cmath>

namespace tidemark {
namespace {

struct Scale {
    double step;
    std::array<std::string_view, 5> names;
};

const Scale& scaleOf(ByteUnits units) {
    static constexpr Scale kBinary{1024.0, {"B", "KiB", "MiB", "GiB", "TiB"}};
    static constexpr Scale kDecimal{1000.0, {"B", "kB", "MB", "GB", "TB"}};
    return units == ByteUnits::Binary ? kBinary : kDecimal;
}

std::string_view signOf(Bytes bytes) { return bytes.count < 0 ? "\u2212" : ""; }

}  // namespace

std::string formatBytes(Bytes bytes, ByteUnits units) {
    const Scale& scale = scaleOf(units);
    double value = std::fabs(static_cast<double>(bytes.count));
    std::size_t unit = 0;
    while (value >= scale.step && unit + 1 < scale.names.size()) {
        value /= scale.step;
        ++unit;
    }
    const int decimals = unit == 0 ? 0 : value < 10 ? 2 : value < 1000 ? 1 : 0;
    return fmt::format("{}{:.{}f} {}", signOf(bytes), value, decimals, scale.names[unit]);
}

std::string formatMebibytes(Bytes bytes, ByteUnits units) {
    const Scale& scale = scaleOf(units);
    const double value = std::fabs(static_cast<double>(bytes.count)) / (scale.step * scale.step);
    return fmt::format("{}{:.1f} {}", signOf(bytes), value, scale.names[2]);
}

bool parseBytes(std::string_view text, Bytes* out) {
    while (!text.empty() && std::isspace(static_cast<unsigned char>(text.front()))) text.remove_prefix(1);
    while (!text.empty() && std::isspace(static_cast<unsigned char>(text.back()))) text.remove_suffix(1);
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || value < 0 || !std::isfinite(value)) return false;
    std::string suffix;
    for (const char* c = end; c != text.data() + text.size(); ++c)
        if (!std::isspace(static_cast<unsigned char>(*c))) suffix += static_cast<char>(std::tolower(static_cast<unsigned char>(*c)));

    static constexpr std::string_view kLetters = "kmgt";
    double factor = 1;
    if (!suffix.empty() && suffix != "b") {
        const auto power = kLetters.find(suffix.front());
        if (power == std::string_view::npos) return false;
        const std::string_view rest = std::string_view(suffix).substr(1);
        if (rest != "" && rest != "b" && rest != "ib" && rest != "i") return false;
        factor = std::pow(rest == "b" ? 1000.0 : 1024.0, static_cast<double>(power) + 1);
    }
    const double total = value * factor;
    if (total > 9.0e18) return false;
    out->count = std::llround(total);
    return true;
}

}  // namespace tidemark
