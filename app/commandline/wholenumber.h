// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <charconv>
#include <concepts>
#include <limits>
#include <string>

namespace tidemark {

/// Accepts what T holds and is not below `least`, and says of anything else what is wrong with it. The parser alone
/// would take an empty text as 0 and a number beyond T as the largest one.
template <std::integral T>
CLI::Validator wholeNumber(T least = std::numeric_limits<T>::min()) {
    return CLI::Validator(
        [least](std::string& text) -> std::string {
            T number = 0;
            const char* end = text.data() + text.size();
            const auto [rest, error] = std::from_chars(text.data(), end, number);
            if (error == std::errc::result_out_of_range) return fmt::format("{} is too large a number", text);
            if (error != std::errc{} || rest != end) return fmt::format("\"{}\" is no whole number", text);
            return number < least ? fmt::format("{} is less than {}", text, least) : std::string();
        },
        "");
}

}  // namespace tidemark
