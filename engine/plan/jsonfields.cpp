// SPDX-License-Identifier: Apache-2.0
#include "engine/plan/jsonfields.h"

#include "engine/plan/errors.h"

#include <fmt/format.h>

namespace tidemark {

bool readJson(const nlohmann::json& json, bool& out) {
    if (!json.is_boolean()) return false;
    out = json.get<bool>();
    return true;
}

bool readJson(const nlohmann::json& json, std::int64_t& out) {
    if (!json.is_number_integer()) return false;
    if (json.is_number_unsigned() &&
        json.get<std::uint64_t>() > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()))
        return false;
    out = json.get<std::int64_t>();
    return true;
}

bool readJson(const nlohmann::json& json, int& out) {
    std::int64_t wide = 0;
    if (!readJson(json, wide)) return false;
    if (wide < std::numeric_limits<int>::min() || wide > std::numeric_limits<int>::max()) return false;
    out = static_cast<int>(wide);
    return true;
}

bool readJson(const nlohmann::json& json, double& out) {
    if (!json.is_number()) return false;
    out = json.get<double>();
    return true;
}

bool readJson(const nlohmann::json& json, std::string& out) {
    if (!json.is_string()) return false;
    out = json.get_ref<const std::string&>();
    return true;
}

bool readJson(const nlohmann::json& json, Bytes& out) { return readJson(json, out.count); }

bool readJson(const nlohmann::json& json, Message& out) {
    out = messageFromJson(json);
    return json.is_string() || json.is_object();
}

bool readJson(const nlohmann::json& json, std::map<std::string, std::int64_t>& out) {
    if (!json.is_object()) return false;
    out.clear();
    for (const auto& [key, value] : json.items())
        if (!readJson(value, out[key])) return false;
    return true;
}

JsonFields::JsonFields(const nlohmann::json& object, std::string where, ErrorCode code)
    : m_object(object), m_where(std::move(where)), m_code(code) {
    if (!m_object.is_object())
        keep({m_code,
              m_where.empty() ? Message::tr("The text must be a JSON object.")
                              : Message::tr("{} must be a JSON object.", m_where.substr(0, m_where.size() - 1)),
              {}});
}

const nlohmann::json* JsonFields::find(const char* key) {
    m_known.insert(key);
    if (!m_object.is_object()) return nullptr;
    const auto it = m_object.find(key);
    return it == m_object.end() ? nullptr : &*it;
}

void JsonFields::fail(const std::string& key, const Message& what) {
    keep({m_code, Message::tr("The field \"{}\" {}.", pathOf(key), what), {}});
}

void JsonFields::keep(Error error) {
    if (m_failed) return;
    m_failed = true;
    m_error = std::move(error);
}

void JsonFields::rejectUnknown() {
    if (!m_object.is_object()) return;
    for (const auto& [key, value] : m_object.items())
        if (!m_known.contains(key)) return fail(key, Message::tr("is not known"));
}

void JsonFields::optionalInputs(const char* key, std::vector<InputSpec>* out) {
    std::vector<std::string> texts;
    optional(key, texts);
    if (failed()) return;
    for (const std::string& text : texts) {
        Result<InputSpec> spec = parseInputSpec(text);
        if (!spec.ok()) return keep(spec.error());
        out->push_back(std::move(spec).value());
    }
}

}  // namespace tidemark
