// SPDX-License-Identifier: Apache-2.0
#include "engine/probe/sourceplaces.h"

#include <torch/csrc/jit/frontend/source_range.h>

namespace tidemark {

SourcePlace PythonSources::placeOf(const torch::jit::SourceRange& range) {
    if (!range.source()) return {};
    const auto original = range.findSourceRangeThatGenerated();
    if (!original || !original->source()) return {};
    Known& known = m_sources[original->source().get()];
    if (!known.source) {
        known.kept = original->source();
        known.source = std::make_unique<PythonSource>(known.kept->text_str().str());
    }
    return {known.source.get(), original->start(), original->end()};
}

bool PythonSources::isOfComprehension(const torch::jit::SourceRange& range) {
    if (!placeOf(range).source) return false;
    const auto original = range.findSourceRangeThatGenerated();
    return original->start() < original->end() && original->text().str().front() == '[';
}

std::vector<std::string> PythonSources::namesBoundAround(const torch::jit::SourceRange& range) {
    const Statement* statement = placeOf(range).statement();
    return statement ? statement->targets : std::vector<std::string>();
}

}  // namespace tidemark
