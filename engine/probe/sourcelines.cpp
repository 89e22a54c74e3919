// SPDX-License-Identifier: Apache-2.0
#include "engine/probe/sourcelines.h"

#include <torch/csrc/jit/frontend/source_range.h>
#include <torch/csrc/jit/runtime/interpreter.h>

#include <algorithm>
#include <charconv>

namespace tidemark {
namespace {

/// Files of PyTorch itself and of the exporter, which watches it, and code that exists only in the archive.
bool isForeign(std::string_view file) {
    for (const std::string_view part : {"-packages/torch/", "/torch/nn/", "/tidemark_export/", "code/__torch__/"})
        if (file.find(part) != std::string_view::npos) return true;
    return file.empty();
}

}  // namespace

bool SourceLines::isOwn(int line) const {
    return line >= 0 &&
           !isForeign(m_sources[static_cast<std::size_t>(m_lines[static_cast<std::size_t>(line)].source)].file);
}

int SourceLines::lineIndex(const std::string& file, int line, int firstLine, std::string text) {
    const auto [source, newSource] = m_sourceIndex.try_emplace({file, firstLine}, static_cast<int>(m_sources.size()));
    if (newSource) m_sources.push_back({file, firstLine, std::move(text)});
    const auto [entry, added] = m_lineIndex.try_emplace({source->second, line}, static_cast<int>(m_lines.size()));
    if (added) m_lines.push_back({source->second, line});
    return entry->second;
}

/// Tracing leaves Python's stack, innermost first: "/a/model.py(27): forward". −1 when the text is something else.
int SourceLines::tracedLine(const std::string& stack) {
    int fallback = -1;
    for (std::size_t begin = 0; begin < stack.size();) {
        const std::size_t end = std::min(stack.find('\n', begin), stack.size());
        // Source code is no stack: its first line tells.
        const std::string_view frame = std::string_view(stack).substr(begin, end - begin);
        begin = end + 1;
        const std::size_t close = frame.rfind("): ");
        const std::size_t open = close == std::string_view::npos ? close : frame.rfind('(', close);
        int line = 0;
        if (open == std::string_view::npos) return fallback;
        if (std::from_chars(frame.data() + open + 1, frame.data() + close, line).ptr != frame.data() + close)
            return fallback;
        const std::string file(frame.substr(0, open));
        if (isForeign(file) && fallback >= 0) continue;
        const int index = lineIndex(file, line, 0, {});
        if (!isForeign(file)) return index;
        fallback = index;
    }
    return fallback;
}

int SourceLines::indexOf(const std::string& text, const torch::jit::SourceRange& range) {
    if (const int traced = tracedLine(text); traced >= 0) return traced;
    const auto place = range.file_line_col();
    if (!place) return -1;
    const int firstLine = static_cast<int>(range.source()->lineno_to_source_lineno(0));
    return lineIndex(std::get<0>(*place), static_cast<int>(std::get<1>(*place)), firstLine, text);
}

int SourceLines::current(int outer) {
    int fallback = -1;
    for (const torch::jit::StackEntry& entry : torch::jit::currentCallstack()) {  // innermost first
        const torch::jit::SourceRange& range = entry.range;
        if (!range.source()) continue;
        const auto [known, added] = m_known.try_emplace({range.source().get(), range.start()}, -1);
        if (added) {
            const auto original = range.findSourceRangeThatGenerated().value_or(range);
            known->second = indexOf(original.source()->text_str().str(), original);
        }
        if (isOwn(known->second)) return known->second;
        if (fallback < 0) fallback = known->second;
    }
    return isOwn(outer) || fallback < 0 ? outer : fallback;
}

}  // namespace tidemark
