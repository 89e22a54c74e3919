// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/base/result.h"

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

namespace tidemark {

/// The plain data in a pickle: numbers, texts, lists, tuples, dictionaries. A pickle is a program for a small machine;
/// this machine has no instruction that names a class or calls anything, so a file that wants to is refused.
///
/// Values are numbers into one table, because pickles share values and may even hold themselves.
class Pickle {
public:
    using Value = std::uint32_t;
    enum class Kind : std::uint8_t { None, Bool, Integer, Real, Text, Bytes, List, Tuple, Dict };

    /// Error: FileUnreadable with one sentence that begins with `name`.
    static Result<Pickle> read(std::string_view bytes, const std::string& name);

    Value root() const { return m_root; }
    Kind kind(Value value) const { return m_nodes[value].kind; }
    /// Integers and booleans; anything else gives `otherwise`.
    std::int64_t integer(Value value, std::int64_t otherwise = 0) const;
    std::string_view text(Value value) const;
    /// The elements of a list or tuple; nothing of anything else.
    const std::vector<Value>& items(Value value) const;
    /// The value behind a text key of a dictionary; kNothing when it is not there.
    Value find(Value dict, std::string_view key) const;
    static constexpr Value kNothing = 0;  ///< a None

private:
    struct Node {
        Kind kind = Kind::None;
        std::int64_t integer = 0;
        double real = 0;
        std::string text;
        std::vector<Value> items;  ///< of a dictionary: key, value, key, value, …
    };
    class Machine;

    std::deque<Node> m_nodes;
    Value m_root = kNothing;
};

}  // namespace tidemark
