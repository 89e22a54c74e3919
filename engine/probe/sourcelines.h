// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/plan/measurement.h"

#include <map>
#include <string>
#include <utility>
#include <vector>

namespace torch::jit {
struct SourceRange;
}

namespace tidemark {

/// The lines of the model's source that operators come from, numbered as they are met. TorchScript keeps file, line
/// and text of each operator; a traced one only files and lines.
class SourceLines {
public:
    /// The line that the interpreter of this thread is at: the innermost one of the model's own source. Lines of
    /// PyTorch's own modules yield to `outer`, the line that called the running module. −1 outside any interpreter.
    int current(int outer);

    const std::vector<SourceText>& sources() const { return m_sources; }
    const std::vector<SourceLine>& lines() const { return m_lines; }

private:
    int lineIndex(const std::string& file, int line, int firstLine, std::string text);
    int indexOf(const std::string& text, const torch::jit::SourceRange& range);
    int tracedLine(const std::string& stack);
    bool isOwn(int line) const;

    std::vector<SourceText> m_sources;
    std::vector<SourceLine> m_lines;
    std::map<std::pair<std::string, int>, int> m_sourceIndex;         ///< file and first line → source
    std::map<std::pair<int, int>, int> m_lineIndex;                   ///< source and line → line
    std::map<std::pair<const void*, std::size_t>, int> m_known;       ///< source object and offset → line
};

}  // namespace tidemark
