// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/base/result.h"

#include <nlohmann/json_fwd.hpp>

#include <string_view>
#include <vector>

namespace tidemark {

/// The code in snake case, as answers of the probe carry it: "file_not_found".
std::string_view keyOf(ErrorCode code);
/// The inverse; an unknown key is Internal.
ErrorCode errorCodeFromKey(std::string_view key);

/// {"message":"a.pt is empty.","words":"{} is empty.","values":["a.pt"]} for a marked message, a plain text for others.
nlohmann::json toJson(const Message& message);
nlohmann::json toJson(const std::vector<Message>& messages);
/// `otherwise` for what is neither.
Message messageFromJson(const nlohmann::json& json, const Message& otherwise = {});

/// The message with its code, and the detail unless it is empty: {"code":"file_empty","message":"…",…,"detail":"…"}.
nlohmann::json toJson(const Error& error);
/// Never fails: what is missing becomes Internal with a general sentence.
Error errorFromJson(const nlohmann::json& json);

}  // namespace tidemark
