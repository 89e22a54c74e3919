// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/probe/pythonsource.h"

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace torch::jit {
struct Source;
struct SourceRange;
}  // namespace torch::jit

namespace tidemark {

/// The place in the source that the model was compiled from.
struct SourcePlace {
    const PythonSource* source = nullptr;  ///< null where the file kept none
    std::size_t begin = 0;
    std::size_t end = 0;

    const Statement* statement() const { return source ? source->at(begin) : nullptr; }
};

/// The sources of one model, each read once.
class PythonSources {
public:
    /// Where an operator comes from.
    SourcePlace placeOf(const torch::jit::SourceRange& range);
    /// True for an operator of a list comprehension itself, not of what it computes.
    bool isOfComprehension(const torch::jit::SourceRange& range);
    /// The variables that the statement around an operator binds: {"x1"} for one of `x1 = self.embed(x)`, {"q", "k"}
    /// for one of `q, k = qkv.unbind(0)`. Empty where the file kept no source, and for statements that bind none.
    std::vector<std::string> namesBoundAround(const torch::jit::SourceRange& range);

private:
    struct Known {
        std::shared_ptr<torch::jit::Source> kept;  ///< so that its address stays its own
        std::unique_ptr<PythonSource> source;
    };
    std::map<const torch::jit::Source*, Known> m_sources;
};

}  // namespace tidemark
