// SPDX-License-Identifier: Apache-2.0
#include "engine/probe/exceptions.h"

#include <c10/util/Exception.h>

namespace tidemark {

std::string wordsOf(const std::exception& e) {
    const auto* error = dynamic_cast<const c10::Error*>(&e);
    return error ? error->what_without_backtrace() : e.what();
}

}  // namespace tidemark
