// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/nullgpu/digest.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tidemark::nullgpu {

/// What a library said to a question.
struct Answer {
    int status = 0;
    std::int64_t count = 0;
    std::vector<char> data;
    bool operator==(const Answer&) const = default;
};

/// Answers in a file that several processes read and append to at the same time. It is a cache: what cannot be read
/// counts as unknown, is never an error, and is written anew.
class AnswerFile {
public:
    /// `key` says what the answers are true for; a file of another key is not read. An empty path keeps them in memory.
    AnswerFile(std::string path, const Digest& key);

    std::optional<Answer> find(const Digest& question) const;
    /// Written by the next flush().
    void keep(const Digest& question, const Answer& answer);
    void flush();

    static constexpr std::size_t kMostBytes = 24u << 20;  ///< a file that would grow beyond begins anew
    static constexpr std::size_t kMostFiles = 64;         ///< in its folder; the one unused for longest goes first

private:
    void load();
    void insert(std::size_t at);
    std::size_t slotOf(const Digest& question) const;
    void rebuildSlots(std::size_t wanted);
    std::string soundRecords() const;

    std::string m_path;
    std::string m_header;
    std::string m_records;             ///< as they are in the file, the new ones behind
    std::size_t m_written = 0;         ///< how much of them the file has
    std::vector<std::size_t> m_slots;  ///< where records begin, by question; open addressing, as loading must be quick
    std::size_t m_used = 0;
    mutable bool m_damaged = false;
};

}  // namespace tidemark::nullgpu
