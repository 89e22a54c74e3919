// SPDX-License-Identifier: Apache-2.0
#include "engine/snapshot/pickle.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <charconv>
#include <optional>
#include <unordered_map>

namespace tidemark {
namespace {

/// More than any snapshot has, and some gigabytes of memory.
constexpr std::size_t kMostValues = 40'000'000;

/// What a file says that is wrong with it.
struct Refusal {
    Message what;
};

}  // namespace

/// Opcodes as in Python's pickletools (protocols 0 to 5), those that only make data.
class Pickle::Machine {
public:
    explicit Machine(std::string_view bytes, Pickle& pickle) : m_bytes(bytes), m_pickle(pickle) { add({}); }

    void run() {
        while (step()) {
        }
        m_pickle.m_root = pop();
    }

private:
    Value add(Node node) {
        if (m_pickle.m_nodes.size() >= kMostValues) throw Refusal{Message::tr("holds more values than a snapshot can have")};
        m_pickle.m_nodes.push_back(std::move(node));
        return static_cast<Value>(m_pickle.m_nodes.size() - 1);
    }
    void push(Node node) { m_stack.push_back(add(std::move(node))); }
    void push(Kind kind, std::int64_t integer) { push(Node{kind, integer, 0, {}, {}}); }
    void pushText(Kind kind, std::string_view text) { push(Node{kind, 0, 0, std::string(text), {}}); }

    std::string_view take(std::uint64_t count) {
        if (count > m_bytes.size() - m_at) throw Refusal{Message::tr("ends in the middle")};
        const std::string_view taken = m_bytes.substr(m_at, static_cast<std::size_t>(count));
        m_at += static_cast<std::size_t>(count);
        return taken;
    }
    std::uint64_t number(int width) {
        std::uint64_t value = 0;
        const std::string_view raw = take(static_cast<std::uint64_t>(width));
        for (int i = width; i-- > 0;) value = value << 8 | static_cast<unsigned char>(raw[static_cast<std::size_t>(i)]);
        return value;
    }
    std::string_view line() {
        const std::size_t end = m_bytes.find('\n', m_at);
        if (end == std::string_view::npos) throw Refusal{Message::tr("ends in the middle")};
        const std::string_view text = m_bytes.substr(m_at, end - m_at);
        m_at = end + 1;
        return text;
    }
    std::int64_t decimal(std::string_view text) {
        if (!text.empty() && text.back() == 'L') text.remove_suffix(1);
        std::int64_t value = 0;
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
        if (error != std::errc{} || end != text.data() + text.size())
            throw Refusal{Message::tr("holds a number that cannot be read")};
        return value;
    }
    /// Two's complement, little endian, of any length up to eight bytes.
    std::int64_t longNumber(std::uint64_t length) {
        const std::string_view raw = take(length);
        if (length > 8) throw Refusal{Message::tr("holds a number that is too large")};
        std::uint64_t value = !raw.empty() && static_cast<unsigned char>(raw.back()) >= 128 ? ~std::uint64_t{0} : 0;
        for (std::size_t i = raw.size(); i-- > 0;) value = value << 8 | static_cast<unsigned char>(raw[i]);
        return static_cast<std::int64_t>(value);
    }

    Value pop() {
        const std::size_t floor = m_marks.empty() ? 0 : m_marks.back();
        if (m_stack.size() <= floor) throw Refusal{Message::tr("takes values that are not there")};
        const Value value = m_stack.back();
        m_stack.pop_back();
        return value;
    }
    Value top() {
        const Value value = pop();
        m_stack.push_back(value);
        return value;
    }
    std::vector<Value> popToMark() {
        if (m_marks.empty()) throw Refusal{Message::tr("takes values that are not there")};
        const auto begin = m_stack.begin() + static_cast<std::ptrdiff_t>(m_marks.back());
        std::vector<Value> values(begin, m_stack.end());
        m_stack.erase(begin, m_stack.end());
        m_marks.pop_back();
        return values;
    }
    void pushSequence(Kind kind, std::vector<Value> items) { push(Node{kind, 0, 0, {}, std::move(items)}); }
    void pushTuple(int count) {
        std::vector<Value> items(static_cast<std::size_t>(count));
        for (std::size_t i = items.size(); i-- > 0;) items[i] = pop();
        pushSequence(Kind::Tuple, std::move(items));
    }
    void extend(Kind kind, const std::vector<Value>& values) {
        Node& target = m_pickle.m_nodes[top()];
        if (target.kind != kind || (kind == Kind::Dict && values.size() % 2 != 0))
            throw Refusal{Message::tr("puts values where none can be")};
        target.items.insert(target.items.end(), values.begin(), values.end());
    }
    void remember(std::uint64_t index) { m_memo[index] = top(); }
    void recall(std::uint64_t index) {
        const auto found = m_memo.find(index);
        if (found == m_memo.end()) throw Refusal{Message::tr("takes values that are not there")};
        m_stack.push_back(found->second);
    }

    bool step() {
        const char op = take(1)[0];
        if (number(op) || container(op) || text(op)) return true;
        if (op == '.') return false;
        if (op == 'c' || op == 'i') {
            const std::string module(line());
            throw Refusal{Message::tr("wants to use {}.{}; a snapshot holds only data, and nothing of it is run",
                                      module, line())};
        }
        if (op == '\x93')
            throw Refusal{Message::tr("wants to use Python objects; a snapshot holds only data, and nothing of it is run")};
        throw Refusal{Message::tr("holds something that is not data, and nothing of it is run")};
    }

    bool number(char op) {
        switch (op) {
        case '\x80': take(1); return true;  // PROTO
        case '\x95': take(8); return true;  // FRAME
        case 'N': push(Node{}); return true;
        case '\x88': push(Kind::Bool, 1); return true;
        case '\x89': push(Kind::Bool, 0); return true;
        case 'J': push(Kind::Integer, static_cast<std::int32_t>(number(4))); return true;
        case 'K': push(Kind::Integer, static_cast<std::int64_t>(number(1))); return true;
        case 'M': push(Kind::Integer, static_cast<std::int64_t>(number(2))); return true;
        case '\x8a': push(Kind::Integer, longNumber(number(1))); return true;
        case '\x8b': push(Kind::Integer, longNumber(number(4))); return true;
        case 'L': push(Kind::Integer, decimal(line())); return true;
        case 'I': {
            const std::string_view digits = line();
            if (digits == "00" || digits == "01")
                push(Kind::Bool, digits == "01");
            else
                push(Kind::Integer, decimal(digits));
            return true;
        }
        case 'G': {
            std::uint64_t bits = 0;
            for (const char c : take(8)) bits = bits << 8 | static_cast<unsigned char>(c);
            push(Node{Kind::Real, 0, std::bit_cast<double>(bits), {}, {}});
            return true;
        }
        case 'F':
            line();
            push(Node{Kind::Real, 0, 0, {}, {}});
            return true;
        default: return false;
        }
    }

    bool text(char op) {
        switch (op) {
        case '\x8c': pushText(Kind::Text, take(number(1))); return true;
        case 'X': pushText(Kind::Text, take(number(4))); return true;
        case '\x8d': pushText(Kind::Text, take(number(8))); return true;
        case 'V':
        case 'S': pushText(Kind::Text, line()); return true;
        case 'U': pushText(Kind::Text, take(number(1))); return true;
        case 'T': pushText(Kind::Text, take(number(4))); return true;
        case 'C': pushText(Kind::Bytes, take(number(1))); return true;
        case 'B': pushText(Kind::Bytes, take(number(4))); return true;
        case '\x8e':
        case '\x96': pushText(Kind::Bytes, take(number(8))); return true;
        case 'q': remember(number(1)); return true;
        case 'r': remember(number(4)); return true;
        case 'p': remember(static_cast<std::uint64_t>(decimal(line()))); return true;
        case '\x94': remember(m_memo.size()); return true;
        case 'h': recall(number(1)); return true;
        case 'j': recall(number(4)); return true;
        case 'g': recall(static_cast<std::uint64_t>(decimal(line()))); return true;
        default: return false;
        }
    }

    bool container(char op) {
        switch (op) {
        case '(': m_marks.push_back(m_stack.size()); return true;
        case '0':
            if (!m_marks.empty() && m_marks.back() == m_stack.size())
                m_marks.pop_back();
            else
                pop();
            return true;
        case '1': popToMark(); return true;
        case '2': m_stack.push_back(top()); return true;
        case ']': pushSequence(Kind::List, {}); return true;
        case 'l': pushSequence(Kind::List, popToMark()); return true;
        case ')': pushSequence(Kind::Tuple, {}); return true;
        case 't': pushSequence(Kind::Tuple, popToMark()); return true;
        case '\x85': pushTuple(1); return true;
        case '\x86': pushTuple(2); return true;
        case '\x87': pushTuple(3); return true;
        case '}': pushSequence(Kind::Dict, {}); return true;
        case 'd': {
            std::vector<Value> items = popToMark();
            pushSequence(Kind::Dict, {});
            extend(Kind::Dict, items);
            return true;
        }
        case 'a': {
            const Value item = pop();
            extend(Kind::List, {item});
            return true;
        }
        case 'e': {
            const auto items = popToMark();
            extend(Kind::List, items);
            return true;
        }
        case 's': {
            const Value value = pop();
            const Value key = pop();
            extend(Kind::Dict, {key, value});
            return true;
        }
        case 'u': {
            const auto items = popToMark();
            extend(Kind::Dict, items);
            return true;
        }
        default: return false;
        }
    }

    std::string_view m_bytes;
    std::size_t m_at = 0;
    Pickle& m_pickle;
    std::vector<Value> m_stack;
    std::vector<std::size_t> m_marks;
    std::unordered_map<std::uint64_t, Value> m_memo;
};

Result<Pickle> Pickle::read(std::string_view bytes, const std::string& name) {
    if (bytes.empty()) return Error{ErrorCode::FileEmpty, Message::tr("{} is empty.", name), {}};
    // Protocol 2 and later begin with their number; before, a dictionary begins with a mark or itself.
    if (std::string_view("\x80(}").find(bytes.front()) == std::string_view::npos)
        return Error{ErrorCode::FileUnreadable, Message::tr("{} is no pickle.", name), {}};
    Pickle pickle;
    try {
        Machine(bytes, pickle).run();
    } catch (const Refusal& refusal) {
        return Error{ErrorCode::FileUnreadable, Message::tr("{} {}.", name, refusal.what), {}};
    }
    return pickle;
}

std::int64_t Pickle::integer(Value value, std::int64_t otherwise) const {
    const Node& node = m_nodes[value];
    return node.kind == Kind::Integer || node.kind == Kind::Bool ? node.integer : otherwise;
}

std::string_view Pickle::text(Value value) const {
    return m_nodes[value].kind == Kind::Text ? std::string_view(m_nodes[value].text) : std::string_view();
}

const std::vector<Pickle::Value>& Pickle::items(Value value) const {
    static const std::vector<Value> kNone;
    const Node& node = m_nodes[value];
    return node.kind == Kind::List || node.kind == Kind::Tuple ? node.items : kNone;
}

Pickle::Value Pickle::find(Value dict, std::string_view key) const {
    const Node& node = m_nodes[dict];
    if (node.kind != Kind::Dict) return kNothing;
    for (std::size_t i = 0; i + 1 < node.items.size(); i += 2)
        if (m_nodes[node.items[i]].kind == Kind::Text && m_nodes[node.items[i]].text == key) return node.items[i + 1];
    return kNothing;
}

}  // namespace tidemark
