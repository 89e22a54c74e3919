// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace tidemark {

/// Writes plain data as a pickle of protocol 2. Values follow each other; begin and end enclose those of a list, or keys
/// and values in turn of a dictionary.
class PickleWriter {
public:
    PickleWriter() : m_bytes("\x80\x02", 2) {}

    void none() { m_bytes += 'N'; }
    void boolean(bool value) { m_bytes += value ? '\x88' : '\x89'; }
    void integer(std::int64_t value);
    void text(std::string_view text);
    void beginList() { m_bytes += "]("; }
    void endList() { m_bytes += 'e'; }
    void beginDict() { m_bytes += "}("; }
    void endDict() { m_bytes += 'u'; }
    void pairOfZeros();

    void entry(std::string_view key, std::int64_t value);
    void entry(std::string_view key, std::string_view value);
    void key(std::string_view key) { text(key); }

    /// The whole pickle; nothing may follow.
    std::string finish() { return m_bytes + '.'; }

private:
    std::string m_bytes;
};

}  // namespace tidemark
