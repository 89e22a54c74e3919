// SPDX-License-Identifier: Apache-2.0
#include "engine/probe/pythonsource.h"

#include <algorithm>
#include <regex>

namespace tidemark {
namespace {

/// The offset behind the string or comment that begins at `i`; `i` where none does.
std::size_t skipText(std::string_view text, std::size_t i) {
    if (text[i] == '#') return std::min(text.find('\n', i), text.size());
    if (text[i] != '"' && text[i] != '\'') return i;
    const std::string_view three = text.substr(i, 3);
    const bool isLong = three.size() == 3 && three[1] == three[0] && three[2] == three[0];
    const std::string_view quote = isLong ? three : text.substr(i, 1);
    std::size_t end = i + quote.size();
    while (end < text.size() && text.substr(end, quote.size()) != quote) end += text[end] == '\\' ? 2 : 1;
    return std::min(end + quote.size(), text.size());
}

/// The first of `marks` from `begin` on that stands outside of brackets, strings and comments; the end where there is none.
/// A line that ends in a backslash goes on.
std::size_t findOutside(std::string_view text, std::size_t begin, std::string_view marks) {
    int depth = 0;
    for (std::size_t i = begin; i < text.size();) {
        if (const std::size_t behind = skipText(text, i); behind != i) {
            i = behind;
            continue;
        }
        const char c = text[i];
        if (c == '\\') {
            i += 2;
            continue;
        }
        if (depth <= 0 && marks.find(c) != std::string_view::npos) return i;
        if (c == '(' || c == '[' || c == '{') ++depth;
        else if (c == ')' || c == ']' || c == '}') --depth;
        ++i;
    }
    return text.size();
}

/// Where a comment behind a statement begins; the end where there is none. Comments inside of brackets belong to it.
std::size_t commentIn(std::string_view text) {
    std::size_t i = 0;
    for (int depth = 0; i < text.size() && (text[i] != '#' || depth > 0);) {
        if (const std::size_t behind = skipText(text, i); behind != i) {
            i = behind;
            continue;
        }
        const char c = text[i++];
        if (c == '(' || c == '[' || c == '{') ++depth;
        else if (c == ')' || c == ']' || c == '}') --depth;
    }
    return std::min(i, text.size());
}

std::string_view trimmed(std::string_view text) {
    const auto first = text.find_first_not_of(" \t\r\n\\");
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(" \t\r\n\\") - first + 1);
}

bool isName(std::string_view text) {
    const auto isLetter = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; };
    return !text.empty() && !std::isdigit(static_cast<unsigned char>(text.front())) && std::all_of(text.begin(), text.end(), isLetter);
}

/// The first word of a statement.
std::string_view keywordOf(std::string_view statement) {
    std::size_t end = 0;
    while (end < statement.size() && (std::isalnum(static_cast<unsigned char>(statement[end])) || statement[end] == '_')) ++end;
    return statement.substr(0, end);
}

std::vector<std::string_view> splitOutside(std::string_view text, char mark) {
    std::vector<std::string_view> parts;
    for (std::size_t begin = 0; begin <= text.size();) {
        const std::size_t end = findOutside(text, begin, std::string_view(&mark, 1));
        parts.push_back(trimmed(text.substr(begin, end - begin)));
        begin = end + 1;
    }
    return parts;
}

/// `a, b` and `(a, b)` as names and other parts; brackets around the whole are taken off.
std::vector<std::string_view> elementsOf(std::string_view text) {
    text = trimmed(text);
    if (text.size() >= 2 && text.front() == '(' && findOutside(text, 1, ")") == text.size() - 1) text = text.substr(1, text.size() - 2);
    std::vector<std::string_view> parts = splitOutside(text, ',');
    if (parts.size() > 1 && parts.back().empty()) parts.pop_back();
    return parts;
}

void addNames(std::string_view text, std::vector<std::string>& names) {
    for (const std::string_view part : elementsOf(text)) {
        if (isName(part)) names.emplace_back(part);
        else if (part.size() > 2 && part.front() == '(') addNames(part, names);
    }
}

/// The places of "=" that assign: not those of "==", "<=" and the like; `+=` counts.
std::vector<std::size_t> assignments(std::string_view statement) {
    std::vector<std::size_t> found;
    for (std::size_t i = findOutside(statement, 0, "="); i < statement.size();) {
        const bool compares = i + 1 < statement.size() && statement[i + 1] == '=';
        const bool isSecond = i > 0 && std::string_view("=<>!").find(statement[i - 1]) != std::string_view::npos;
        if (!compares && !isSecond) found.push_back(i);
        i = findOutside(statement, i + (compares ? 2 : 1), "=");
    }
    return found;
}

void addAlias(std::string_view target, std::string_view value, Statement& statement) {
    if (isName(target) && isName(value) && value != "True" && value != "False")
        statement.aliases.emplace_back(target, value == "None" ? std::string_view() : value);
}

/// Of `x if c else f(x)` the one side that is a variable; empty where both are or none is.
std::string_view variableOfTernary(std::string_view value) {
    static const std::regex kTernary(R"(^(\S+)\s+if\s[\s\S]*\selse\s+([\s\S]+)$)");
    static const std::regex kOther(R"(^([\s\S]+?)\s+if\s[\s\S]*\selse\s+(\w+)$)");
    std::cmatch match;
    const auto part = [&](std::size_t i) { return std::string_view(match[i].first, static_cast<std::size_t>(match[i].length())); };
    const char* end = value.data() + value.size();
    if (std::regex_match(value.data(), end, match, kTernary) && isName(part(1)) && !isName(part(2))) return part(1);
    if (std::regex_match(value.data(), end, match, kOther) && !isName(part(1)) && isName(part(2))) return part(2);
    return {};
}

/// `a, b = x, y` by element, `a = b = x` by target.
void addAliases(const std::vector<std::string_view>& targets, std::string_view value, Statement& statement) {
    const auto values = elementsOf(value);
    for (const std::string_view target : targets) {
        const auto names = elementsOf(target);
        if (names.size() != values.size()) continue;
        for (std::size_t i = 0; i < names.size(); ++i) addAlias(names[i], values[i], statement);
    }
}

void readAssignment(std::string_view text, Statement& statement) {
    if (keywordOf(text) == "del") {
        for (const std::string_view name : elementsOf(text.substr(3))) {
            if (isName(name)) statement.aliases.emplace_back(name, "");
        }
        return;
    }
    const std::vector<std::size_t> places = assignments(text);
    if (places.empty()) return;
    const std::string_view first = trimmed(text.substr(0, places.front()));
    if (const auto last = first.find_last_not_of("+-*/@|&^%"); last != std::string_view::npos && last + 1 < first.size()) {
        const std::string_view target = trimmed(first.substr(0, last + 1));
        if (isName(target)) statement.targets.emplace_back(target);
        statement.changesSubscript = target.back() == ']' && std::string_view("+-*/").find(first.back()) != std::string_view::npos;
        return;
    }
    std::vector<std::string_view> targets;
    std::size_t begin = 0;
    for (const std::size_t place : places) {
        const std::string_view target = text.substr(begin, place - begin);
        targets.push_back(trimmed(target.substr(0, findOutside(target, 0, ":"))));  // `a: Type`
        if (targets.back().empty()) return;
        addNames(targets.back(), statement.targets);
        begin = place + 1;
    }
    const std::string_view value = trimmed(text.substr(begin));
    statement.bindsEmptyList = value == "[]" && statement.targets.size() == 1;
    addAliases(targets, value, statement);
    const std::string_view side = targets.size() == 1 ? variableOfTernary(value) : std::string_view();
    statement.unlessItRan = !side.empty();
    if (statement.unlessItRan) addAlias(targets.front(), side, statement);
    const bool isChain = targets.size() > 1 && statement.targets.size() == targets.size();
    statement.keepsNoName = statement.aliases.empty() && (isChain || (targets.front().front() == '_' && isName(targets.front())));
}

/// `for i, x in …`
void readLoop(std::string_view head, Statement& statement) {
    static const std::regex kTarget(R"(^(?:async\s+)?for\s+([\s\S]*?)\s+in\b)");
    std::cmatch match;
    if (std::regex_search(head.data(), head.data() + head.size(), match, kTarget)) addNames(std::string_view(match[1].first, static_cast<std::size_t>(match[1].length())), statement.targets);
}

/// The names of a function's arguments.
void readArguments(std::string_view head, Statement& statement) {
    const std::size_t open = head.find('(');
    if (open == std::string_view::npos) return;
    const std::size_t close = findOutside(head, open + 1, ")");
    for (std::string_view argument : splitOutside(head.substr(open + 1, close - open - 1), ',')) {
        const std::string_view name = keywordOf(trimmed(argument.substr(std::min(argument.find_first_not_of('*'), argument.size()))));
        if (isName(name)) statement.targets.emplace_back(name);
    }
}

Statement::Kind kindOf(std::string_view keyword) {
    if (keyword == "if" || keyword == "elif") return Statement::Kind::If;
    if (keyword == "else") return Statement::Kind::Else;
    if (keyword == "for" || keyword == "while") return Statement::Kind::Loop;
    if (keyword == "def") return Statement::Kind::Function;
    for (const std::string_view other : {"with", "try", "except", "finally", "class", "async"})
        if (keyword == other) return Statement::Kind::Other;
    return Statement::Kind::Simple;
}

}  // namespace

/// Takes the text apart line by line.
class PythonSource::Reader {
public:
    Reader(PythonSource& source, std::string_view text) : m_source(source), m_text(text) { m_source.m_suites.push_back({}); }

    void read() {
        m_open.push_back({0, 0});
        for (std::size_t line = 0; line < m_text.size();) {
            const std::size_t first = m_text.find_first_not_of(" \t\r", line);
            if (first == std::string_view::npos) break;
            if (m_text[first] == '\n' || m_text[first] == '#') {
                line = std::min(m_text.find('\n', first), m_text.size() - 1) + 1;
                continue;
            }
            const std::size_t end = findOutside(m_text, first, "\n");
            enterSuite(first - line);
            readLine(first, end);
            line = end + 1;
        }
    }

private:
    struct Open {
        std::size_t indent;
        int suite;
    };

    /// Ends the suites that are indented deeper, and begins one behind the head of a compound statement.
    void enterSuite(std::size_t indent) {
        if (m_pending >= 0) {
            const int owner = m_pending;
            m_pending = -1;
            if (indent > m_open.back().indent) {
                m_open.push_back({indent, beginSuite(owner)});
                return;
            }
        }
        while (m_open.size() > 1 && indent < m_open.back().indent) m_open.pop_back();
        if (m_open.size() == 1) m_open.front().indent = indent;
    }

    /// What `with` and `try` enclose counts as a part of what is around them.
    int beginSuite(int owner) {
        Statement& statement = m_source.m_statements[static_cast<std::size_t>(owner)];
        if (statement.kind == Statement::Kind::Other) return statement.body = statement.suite;
        m_source.m_suites.push_back({statement.suite, owner});
        return statement.body = static_cast<int>(m_source.m_suites.size()) - 1;
    }

    void readLine(std::size_t begin, std::size_t end) {
        const Statement::Kind kind = kindOf(keywordOf(m_text.substr(begin, end - begin)));
        if (kind == Statement::Kind::Simple) return readSimple(begin, end, m_open.back().suite);
        const std::size_t colon = std::min(findOutside(m_text, begin, ":"), end);
        const int index = add(kind, begin, end, m_open.back().suite);
        Statement& statement = m_source.m_statements[static_cast<std::size_t>(index)];
        const std::string_view head = m_text.substr(begin, colon - begin);
        if (kind == Statement::Kind::Loop) readLoop(head, statement);
        if (kind == Statement::Kind::Function) readArguments(head, statement);
        noteOrder(statement);
        if (keywordOf(head) == "elif" || kind == Statement::Kind::Else) linkToIf(index);
        const std::string_view rest = m_text.substr(std::min(colon + 1, end), end - std::min(colon + 1, end));
        const std::string_view behind = trimmed(rest.substr(0, commentIn(rest)));
        if (!behind.empty()) readSimple(static_cast<std::size_t>(behind.data() - m_text.data()), end, beginSuite(index));
        else m_pending = index;
    }

    void readSimple(std::size_t begin, std::size_t end, int suite) {
        while (begin < end) {
            const std::size_t stop = std::min(findOutside(m_text, begin, ";"), end);
            std::string_view text = m_text.substr(begin, stop - begin);
            text = text.substr(0, commentIn(text));
            if (!trimmed(text).empty()) {
                const int index = add(Statement::Kind::Simple, begin, begin + text.size(), suite);
                Statement& statement = m_source.m_statements[static_cast<std::size_t>(index)];
                readAssignment(trimmed(text), statement);
                noteOrder(statement);
            }
            begin = m_text.find_first_not_of(" \t", stop + 1);
        }
    }

    int add(Statement::Kind kind, std::size_t begin, std::size_t end, int suite) {
        Statement statement;
        statement.kind = kind;
        statement.begin = begin;
        statement.end = end;
        statement.suite = suite;
        m_source.m_statements.push_back(std::move(statement));
        // What encloses the statement ends with it at the earliest.
        for (int owner = m_source.m_suites[static_cast<std::size_t>(suite)].owner; owner >= 0;) {
            Statement& around = m_source.m_statements[static_cast<std::size_t>(owner)];
            around.end = std::max(around.end, end);
            owner = m_source.m_suites[static_cast<std::size_t>(around.suite)].owner;
        }
        return static_cast<int>(m_source.m_statements.size()) - 1;
    }

    /// `elif` and `else` belong to the last `if` of their suite.
    void linkToIf(int index) {
        auto& statements = m_source.m_statements;
        const int suite = statements[static_cast<std::size_t>(index)].suite;
        for (int i = index - 1; i >= 0; --i) {
            Statement& before = statements[static_cast<std::size_t>(i)];
            if (before.suite != suite) continue;
            if (before.kind == Statement::Kind::If) before.otherwise = index;
            statements[static_cast<std::size_t>(index)].isContinuation = true;
            return;
        }
    }

    void noteOrder(const Statement& statement) {
        for (const std::string& name : statement.targets) m_source.m_order.try_emplace(name, m_source.m_order.size());
    }

    PythonSource& m_source;
    std::string_view m_text;
    std::vector<Open> m_open;
    int m_pending = -1;  ///< the compound statement whose suite begins in the next line
};

PythonSource::PythonSource(std::string_view text) { Reader(*this, text).read(); }

const Statement* PythonSource::at(std::size_t offset) const {
    const auto behind = std::upper_bound(m_statements.begin(), m_statements.end(), offset,
                                         [](std::size_t place, const Statement& statement) { return place < statement.begin; });
    return behind == m_statements.begin() ? nullptr : &*std::prev(behind);
}

const Statement* PythonSource::owner(int suite) const {
    const int owner = m_suites[static_cast<std::size_t>(suite)].owner;
    return owner < 0 ? nullptr : &m_statements[static_cast<std::size_t>(owner)];
}

bool PythonSource::isWithin(int suite, int other) const {
    while (suite >= 0 && suite != other) suite = outer(suite);
    return suite == other;
}

std::optional<std::size_t> PythonSource::orderOf(const std::string& variable) const {
    const auto found = m_order.find(variable);
    return found == m_order.end() ? std::nullopt : std::optional(found->second);
}

}  // namespace tidemark
