// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/nullgpu/digest.h"

#include <cstdint>
#include <string>
#include <unordered_map>
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

    const Answer* find(const Digest& question) const;
    /// Written by the next flush().
    void keep(const Digest& question, Answer answer);
    void flush();

    static constexpr std::size_t kMostBytes = 24u << 20;  ///< a file that would grow beyond begins anew
    static constexpr std::size_t kMostFiles = 64;         ///< in its folder; the one unused for longest goes first

private:
    void load();
    bool append(int file) const;

    std::string m_path;
    std::string m_header;
    std::unordered_map<Digest, Answer> m_answers;
    std::string m_unwritten;
    bool m_damaged = false;
};

}  // namespace tidemark::nullgpu
