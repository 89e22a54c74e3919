// SPDX-License-Identifier: Apache-2.0
#include "engine/base/message.h"

#include <cctype>

namespace tidemark {
namespace {

/// Puts the values into `{}`, in turn, and into `{0}`, `{1}`. Braces around anything else are text.
std::string filled(const std::string& words, const std::vector<std::string>& values) {
    std::string text;
    std::size_t next = 0;
    for (std::size_t at = 0; at < words.size(); ++at) {
        const bool numbered = at + 2 < words.size() && std::isdigit(static_cast<unsigned char>(words[at + 1])) != 0;
        const std::size_t close = at + (numbered ? 2 : 1);
        if (words[at] != '{' || close >= words.size() || words[close] != '}') {
            text += words[at];
            continue;
        }
        const std::size_t index = numbered ? static_cast<std::size_t>(words[at + 1] - '0') : next++;
        text += index < values.size() ? values[index] : words.substr(at, close - at + 1);
        at = close;
    }
    return text;
}

}  // namespace

Message Message::marked(std::string words, std::vector<Message> values) {
    Message message(std::move(words));
    message.m_values = std::move(values);
    message.m_marked = true;
    return message;
}

std::string Message::english() const {
    return said([](const std::string& words) { return words; });
}

std::string Message::said(const std::function<std::string(const std::string&)>& translated) const {
    if (!m_marked) return m_words;
    std::vector<std::string> values;
    values.reserve(m_values.size());
    for (const Message& value : m_values) values.push_back(value.said(translated));
    return filled(translated(m_words), values);
}

}  // namespace tidemark
