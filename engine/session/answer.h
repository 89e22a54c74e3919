// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/plan/errors.h"

#include <nlohmann/json.hpp>

namespace tidemark {

/// Whether an answer of tidemark-probe is one to the question rather than an error.
inline bool succeeded(const nlohmann::json& answer) {
    const auto ok = answer.find("ok");
    return ok != answer.end() && ok->is_boolean() && ok->get<bool>();
}

inline Error errorIn(const nlohmann::json& answer) {
    const auto error = answer.find("error");
    return errorFromJson(error == answer.end() ? nlohmann::json() : *error);
}

}  // namespace tidemark
