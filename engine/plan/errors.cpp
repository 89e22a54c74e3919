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

nlohmann::json toJson(const Message& message) {
    if (!message.isMarked()) return message.words();
    return {{"message", message.english()}, {"words", message.words()}, {"values", toJson(message.values())}};
}

nlohmann::json toJson(const std::vector<Message>& messages) {
    nlohmann::json list = nlohmann::json::array();
    for (const Message& message : messages) list.push_back(toJson(message));
    return list;
}

Message messageFromJson(const nlohmann::json& json, const Message& otherwise) {
    if (json.is_string()) return json.get<std::string>();
    std::string words = stringOr(json, "words", {});
    if (words.empty()) {
        const std::string english = stringOr(json, "message", {});
        return english.empty() ? otherwise : Message(english);
    }
    std::vector<Message> values;
    const auto list = json.find("values");
    if (list != json.end() && list->is_array())
        for (const nlohmann::json& value : *list) values.push_back(messageFromJson(value));
    return Message::marked(std::move(words), std::move(values));
}

nlohmann::json toJson(const Error& error) {
    nlohmann::json json{{"message", error.message.english()}};
    if (error.message.isMarked()) json = toJson(error.message);
    json["code"] = keyOf(error.code);
    if (!error.detail.empty()) json["detail"] = error.detail;
    return json;
}

Error errorFromJson(const nlohmann::json& json) {
    const Message nothing = Message::tr("The probe reported an error without saying which.");
    return Error{errorCodeFromKey(stringOr(json, "code", "internal")), messageFromJson(json, nothing),
                 stringOr(json, "detail", {})};
}

}  // namespace tidemark
