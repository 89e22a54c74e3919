// SPDX-License-Identifier: Apache-2.0
#include "engine/snapshot/picklewriter.h"

#include <limits>

namespace tidemark {
namespace {

void append(std::string* bytes, std::uint64_t value, int width) {
    for (int i = 0; i < width; ++i) *bytes += static_cast<char>(value >> (8 * i) & 0xff);
}

}  // namespace

void PickleWriter::integer(std::int64_t value) {
    if (value >= std::numeric_limits<std::int32_t>::min() && value <= std::numeric_limits<std::int32_t>::max()) {
        m_bytes += 'J';
        append(&m_bytes, static_cast<std::uint64_t>(value), 4);
        return;
    }
    m_bytes += '\x8a';
    m_bytes += '\x08';
    append(&m_bytes, static_cast<std::uint64_t>(value), 8);
}

void PickleWriter::text(std::string_view text) {
    m_bytes += 'X';
    append(&m_bytes, text.size(), 4);
    m_bytes += text;
}

void PickleWriter::pairOfZeros() {
    integer(0);
    integer(0);
    m_bytes += '\x86';
}

void PickleWriter::entry(std::string_view key, std::int64_t value) {
    text(key);
    integer(value);
}

void PickleWriter::entry(std::string_view key, std::string_view value) {
    text(key);
    text(value);
}

}  // namespace tidemark
