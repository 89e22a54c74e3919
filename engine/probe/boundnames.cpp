// SPDX-License-Identifier: Apache-2.0
#include "engine/probe/boundnames.h"

#include <torch/csrc/jit/frontend/source_range.h>

#include <algorithm>
#include <regex>
#include <string_view>

namespace tidemark {
namespace {

/// The offset behind the string or comment that begins at `i`; `i` where none does.
std::size_t skipText(std::string_view text, std::size_t i) {
    if (text[i] == '#') return std::min(text.find('\n', i), text.size());
    if (text[i] != '"' && text[i] != '\'') return i;
    const std::string_view three = text.substr(i, 3);
    const bool isLong = three.size() == 3 && three[1] == three[0] && three[2] == three[0];
    const std::string_view quote = isLong ? three : text.substr(i, 1);
    std::size_t end = i + quote.size();
    while (end < text.size() && text.substr(end, quote.size()) != quote) end += text[end] == '\\' ? 2 : 1;
    return std::min(end + quote.size(), text.size());
}

/// The offset at which the statement that `place` lies in begins: behind the last end of a line outside of brackets.
std::size_t statementBefore(std::string_view text, std::size_t place) {
    std::size_t statement = 0;
    int depth = 0;
    for (std::size_t i = 0; i < place && i < text.size();) {
        if (const std::size_t behind = skipText(text, i); behind != i) {
            i = behind;
            continue;
        }
        const char c = text[i++];
        if (c == '(' || c == '[' || c == '{') ++depth;
        else if (c == ')' || c == ']' || c == '}') --depth;
        else if (c == '\n' && depth <= 0 && text[i - (i > 1 ? 2 : 1)] != '\\') statement = i;
    }
    return statement;
}

/// `a`, `a, b`, `(a, b)` and `a: Type` before "=" or an operator with "="; empty for anything else.
std::vector<std::string> targetsOf(const std::string& statement) {
    static const std::regex kAssignment(R"(^\s*\(?\s*(\w+(?:\s*,\s*\w+)*)\s*,?\s*\)?\s*(?::[^=]*)?(?:[-+*/@|&]|//|\*\*)?=(?!=))");
    std::smatch match;
    if (!std::regex_search(statement, match, kAssignment)) return {};
    const std::string targets = match[1];
    static const std::regex kName(R"(\w+)");
    return {std::sregex_token_iterator(targets.begin(), targets.end(), kName), std::sregex_token_iterator()};
}

/// The Python statement from its beginning to the end of what the range marks; empty where the file kept no source.
std::string statementAround(const torch::jit::SourceRange& range) {
    if (!range.source()) return {};
    const auto original = range.findSourceRangeThatGenerated();
    if (!original || !original->source()) return {};
    const std::string text = original->source()->text_str().str();
    const std::size_t begin = statementBefore(text, original->start());
    return text.substr(begin, original->end() - begin);
}

}  // namespace

std::vector<std::string> namesBoundAround(const torch::jit::SourceRange& range) { return targetsOf(statementAround(range)); }

bool changesSubscriptInPlace(const torch::jit::SourceRange& range) {
    static const std::regex kChange(R"(^\s*[\w.]+\[[^=]*\]\s*[-+*/]=)");
    return std::regex_search(statementAround(range), kChange);
}

}  // namespace tidemark
