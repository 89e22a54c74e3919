// SPDX-License-Identifier: Apache-2.0
#include "engine/plan/errors.h"

#include <nlohmann/json.hpp>

#include <array>
#include <utility>

namespace tidemark {
namespace {

constexpr std::array<std::pair<ErrorCode, std::string_view>, 17> kKeys{{
    {ErrorCode::None, "none"},
    {ErrorCode::FileNotFound, "file_not_found"},
    {ErrorCode::FileUnreadable, "file_unreadable"},
    {ErrorCode::FileEmpty, "file_empty"},
    {ErrorCode::FileTruncated, "file_truncated"},
    {ErrorCode::NotTorchScript, "not_torch_script"},
    {ErrorCode::ModelUnsupported, "model_unsupported"},
    {ErrorCode::InputNeeded, "input_needed"},
    {ErrorCode::InputInvalid, "input_invalid"},
    {ErrorCode::SettingInvalid, "setting_invalid"},
    {ErrorCode::StepFailed, "step_failed"},
    {ErrorCode::OutOfMemory, "out_of_memory"},
    {ErrorCode::GpuUnknown, "gpu_unknown"},
    {ErrorCode::WorkerDied, "worker_died"},
    {ErrorCode::WorkerUnavailable, "worker_unavailable"},
    {ErrorCode::Cancelled, "cancelled"},
    {ErrorCode::Internal, "internal"},
}};

std::string stringOr(const nlohmann::json& json, const char* key, std::string fallback) {
    if (!json.is_object()) return fallback;
    const auto it = json.find(key);
    return it != json.end() && it->is_string() ? it->get<std::string>() : fallback;
}

}  // namespace

std::string_view keyOf(ErrorCode code) {
    for (const auto& [value, key] : kKeys)
        if (value == code) return key;
    return "internal";
}

ErrorCode errorCodeFromKey(std::string_view key) {
    for (const auto& [value, name] : kKeys)
        if (name == key) return value;
    return ErrorCode::Internal;
}

nlohmann::json toJson(const Error& error) {
    nlohmann::json json{{"code", keyOf(error.code)}, {"message", error.message}};
    if (!error.detail.empty()) json["detail"] = error.detail;
    return json;
}

Error errorFromJson(const nlohmann::json& json) {
    return Error{errorCodeFromKey(stringOr(json, "code", "internal")),
                 stringOr(json, "message", "The probe reported an error without saying which."),
                 stringOr(json, "detail", {})};
}

}  // namespace tidemark
