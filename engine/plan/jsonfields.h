// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/base/bytes.h"
#include "engine/base/result.h"
#include "engine/plan/settings.h"

#include <nlohmann/json.hpp>

#include <limits>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace tidemark {

/// Reads one JSON value into `out`. False on a wrong type or a number that does not fit; `out` is then unspecified.
bool readJson(const nlohmann::json& json, bool& out);
bool readJson(const nlohmann::json& json, int& out);
bool readJson(const nlohmann::json& json, std::int64_t& out);
bool readJson(const nlohmann::json& json, double& out);
bool readJson(const nlohmann::json& json, std::string& out);
bool readJson(const nlohmann::json& json, Bytes& out);
bool readJson(const nlohmann::json& json, Message& out);
bool readJson(const nlohmann::json& json, std::map<std::string, std::int64_t>& out);

template <class T>
bool readJson(const nlohmann::json& json, std::vector<T>& out) {
    if (!json.is_array()) return false;
    out.resize(json.size());
    for (std::size_t i = 0; i < out.size(); ++i)
        if (!readJson(json[i], out[i])) return false;
    return true;
}

/// Reads the fields of one JSON object and keeps the first thing that is wrong with them, so that a reading
/// function is a list of fields followed by one question.
class JsonFields {
public:
    /// `where` is the path of the object for messages: "" for the top, "optimizer." below it.
    JsonFields(const nlohmann::json& object, std::string where, ErrorCode code);

    /// A missing field leaves `out` alone.
    template <class T>
    void optional(const char* key, T& out) {
        if (const nlohmann::json* value = find(key); value && !readJson(*value, out)) fail(key, Message::tr("has the wrong type"));
    }

    /// A missing field is an error.
    template <class T>
    void required(const char* key, T& out) {
        const nlohmann::json* value = find(key);
        if (!value)
            fail(key, Message::tr("is missing"));
        else if (!readJson(*value, out))
            fail(key, Message::tr("has the wrong type"));
    }

    /// The value of an enumeration through its name function; a missing field leaves `out` alone.
    template <class T, class FromName>
    void named(const char* key, T& out, FromName fromName) {
        std::string name;
        const nlohmann::json* value = find(key);
        if (!value) return;
        if (!readJson(*value, name)) return fail(key, Message::tr("must be a text"));
        auto parsed = fromName(name);
        if (parsed.ok())
            out = parsed.value();
        else
            keep(parsed.error());
    }

    /// The fields of an object inside of this one, as `read(JsonFields&)` reads them; nothing where it is missing.
    template <class Read>
    void object(const char* key, const Read& read) {
        const nlohmann::json* value = find(key);
        if (!value) return;
        JsonFields fields(*value, pathOf(key) + ".", m_code);
        read(fields);
        fields.rejectUnknown();
        if (fields.failed()) keep(fields.error());
    }

    /// The raw value, or null when it is missing. Marks the field as known.
    const nlohmann::json* find(const char* key);
    /// `what` is a clause: "is missing".
    void fail(const std::string& key, const Message& what);
    void keep(Error error);
    /// Fails on any field that no call has asked for.
    void rejectUnknown();

    bool failed() const { return m_failed; }
    const Error& error() const { return m_error; }
    std::string pathOf(const std::string& key) const { return m_where + key; }

    /// A list of input descriptions as texts (parseInputSpec()); missing leaves *out alone.
    void optionalInputs(const char* key, std::vector<InputSpec>* out);

private:
    const nlohmann::json& m_object;
    std::string m_where;
    ErrorCode m_code;
    std::set<std::string> m_known;
    bool m_failed = false;
    Error m_error;
};

}  // namespace tidemark
