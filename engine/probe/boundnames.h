// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace torch::jit {
struct SourceRange;
}

namespace tidemark {

/// The variables that the Python statement around an operator binds: {"x1"} for one of `x1 = self.embed(x)`, {"q", "k"} for
/// one of `q, k = qkv.unbind(0)`. Empty where the file kept no source, and for statements that bind none.
std::vector<std::string> namesBoundAround(const torch::jit::SourceRange& range);

/// True for an operator of `x[1:] += y` and the like.
bool changesSubscriptInPlace(const torch::jit::SourceRange& range);

}  // namespace tidemark
