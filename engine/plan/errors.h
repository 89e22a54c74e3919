// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/base/result.h"

#include <nlohmann/json_fwd.hpp>

#include <string_view>

namespace tidemark {

/// The code in snake case, as answers of the probe carry it: "file_not_found".
std::string_view keyOf(ErrorCode code);
/// The inverse; an unknown key is Internal.
ErrorCode errorCodeFromKey(std::string_view key);

/// {"code":"file_not_found","message":"…","detail":"…"}; detail is left out when empty.
nlohmann::json toJson(const Error& error);
/// Never fails: what is missing becomes Internal with a general sentence.
Error errorFromJson(const nlohmann::json& json);

}  // namespace tidemark
