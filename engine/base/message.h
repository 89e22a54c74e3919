// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <functional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace tidemark {

/// A text for people. Its words and the values put into them are kept apart, so that a window can say it in the
/// language of its reader; everything without a window says it in English. The words are marked with tr(), which the
/// translators' tools look for, and have `{}` where a value goes, or `{0}` and `{1}` in another order.
class Message {
public:
    Message() = default;
    /// Words of somebody else, the same in every language.
    Message(std::string said) : m_words(std::move(said)) {}
    Message(const char* said) : m_words(said) {}

    /// A value that is a message itself is said in the reader's language as well.
    template <class... Values>
    static Message tr(const char* words, const Values&... values) {
        return marked(words, {valueOf(values)...});
    }
    static Message marked(std::string words, std::vector<Message> values);

    std::string english() const;
    /// With the words that `translated` gives for those marked, its own among them and those of its values.
    std::string said(const std::function<std::string(const std::string& words)>& translated) const;

    const std::string& words() const { return m_words; }
    const std::vector<Message>& values() const { return m_values; }
    bool isMarked() const { return m_marked; }
    bool empty() const { return m_words.empty(); }
    friend bool operator==(const Message&, const Message&) = default;

private:
    template <class Value>
    static Message valueOf(const Value& value) {
        if constexpr (std::is_arithmetic_v<Value>)
            return fmt::to_string(value);
        else if constexpr (std::is_same_v<Value, std::string_view>)
            return std::string(value);
        else
            return value;
    }

    std::string m_words;
    std::vector<Message> m_values;
    bool m_marked = false;
};

}  // namespace tidemark
