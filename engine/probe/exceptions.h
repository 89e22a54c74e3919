// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <exception>
#include <string>

namespace tidemark {

/// What an exception says, without LibTorch's C++ stack: naming the functions in it takes longer than a step.
std::string wordsOf(const std::exception& e);

}  // namespace tidemark
