// SPDX-License-Identifier: Apache-2.0
#include "engine/probe/pythonsource.h"

#include <algorithm>
#include <cctype>
#include <utility>

namespace tidemark {
namespace {

/// The offset behind the string or comment that begins at `i`; `i` where none does. A string in single quotes ends with
/// its line, whatever it lacks.
std::size_t skipText(std::string_view text, std::size_t i) {
    if (text[i] == '#') return std::min(text.find('\n', i), text.size());
    if (text[i] != '"' && text[i] != '\'') return i;
    const std::string_view three = text.substr(i, 3);
    const bool isLong = three.size() == 3 && three[1] == three[0] && three[2] == three[0];
    const std::string_view quote = isLong ? three : text.substr(i, 1);
    std::size_t end = i + quote.size();
    while (end < text.size() && text.substr(end, quote.size()) != quote) {
        if (!isLong && text[end] == '\n') return end;
        if (text[end] == '\\' && text.substr(end + 1, 2) == "\r\n") ++end;
        end += text[end] == '\\' ? 2 : 1;
    }
    return std::min(end + quote.size(), text.size());
}

bool opens(char c) { return c == '(' || c == '[' || c == '{'; }
bool closes(char c) { return c == ')' || c == ']' || c == '}'; }

/// The text with a statement a line and nothing that only looks like code: blanks for comments and for line breaks
/// within brackets or behind a backslash, quotes for all of a string. Every character that is left stands where it
/// stood.
std::string codeOf(std::string_view text) {
    std::string code(text);
    int depth = 0;
    for (std::size_t i = 0; i < text.size();) {
        std::size_t behind = skipText(text, i);
        if (behind != i) {
            std::fill(code.begin() + static_cast<std::ptrdiff_t>(i), code.begin() + static_cast<std::ptrdiff_t>(behind),
                      text[i] == '#' ? ' ' : '"');
            i = behind;
            continue;
        }
        if (opens(text[i]))
            ++depth;
        else if (closes(text[i]))
            depth = std::max(depth - 1, 0);
        else if (text[i] == '\r' || text[i] == '\f' || (text[i] == '\n' && depth > 0))
            code[i] = ' ';
        else if (text[i] == '\\') {
            code[i] = ' ';
            behind = text.find_first_not_of('\r', i + 1);
            if (behind < text.size() && text[behind] == '\n') code[i = behind] = ' ';
        }
        ++i;
    }
    return code;
}

/// The first place from `begin` on, outside of brackets, where `isWanted`; the end where there is none.
template <class IsWanted>
std::size_t findOutsideWhere(std::string_view code, std::size_t begin, IsWanted isWanted) {
    int depth = 0;
    for (std::size_t i = begin; i < code.size(); ++i) {
        if (depth <= 0 && isWanted(i)) return i;
        if (opens(code[i]))
            ++depth;
        else if (closes(code[i]))
            --depth;
    }
    return code.size();
}

std::size_t findOutside(std::string_view code, std::size_t begin, char mark) {
    return findOutsideWhere(code, begin, [&](std::size_t i) { return code[i] == mark; });
}

/// Bytes of letters beyond ASCII are above 127.
bool isWordCharacter(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || static_cast<unsigned char>(c) > 127;
}

std::size_t findWordOutside(std::string_view code, std::size_t begin, std::string_view word) {
    return findOutsideWhere(code, begin, [&](std::size_t i) {
        const std::size_t behind = i + word.size();
        return code.substr(i, word.size()) == word && (i == 0 || !isWordCharacter(code[i - 1])) &&
               (behind >= code.size() || !isWordCharacter(code[behind]));
    });
}

/// Where the head of a compound statement ends: not at the ":" of ":=".
std::size_t findColon(std::string_view code) {
    return findOutsideWhere(code, 0, [&](std::size_t i) { return code[i] == ':' && code.substr(i, 2) != ":="; });
}

std::string_view trimmed(std::string_view text) {
    const auto first = text.find_first_not_of(" \t");
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

bool isName(std::string_view text) {
    return !text.empty() && !std::isdigit(static_cast<unsigned char>(text.front())) &&
           std::all_of(text.begin(), text.end(), isWordCharacter);
}

/// The first word of a statement.
std::string_view firstWord(std::string_view statement) {
    return statement.substr(
        0, static_cast<std::size_t>(std::find_if_not(statement.begin(), statement.end(), isWordCharacter) -
                                    statement.begin()));
}

/// The word that says what a statement is: of `async for`, the second.
std::string_view keywordOf(std::string_view statement) {
    const std::string_view word = firstWord(statement);
    return word == "async" ? firstWord(trimmed(statement.substr(word.size()))) : word;
}

std::vector<std::string_view> splitOutside(std::string_view text, char mark) {
    std::vector<std::string_view> parts;
    for (std::size_t begin = 0; begin <= text.size();) {
        const std::size_t end = findOutside(text, begin, mark);
        parts.push_back(trimmed(text.substr(begin, end - begin)));
        begin = end + 1;
    }
    return parts;
}

/// `a, b` and `(a, b)` as names and other parts; brackets around the whole are taken off.
std::vector<std::string_view> elementsOf(std::string_view text) {
    text = trimmed(text);
    if (text.size() >= 2 && text.front() == '(' && findOutside(text, 1, ')') == text.size() - 1)
        text = text.substr(1, text.size() - 2);
    std::vector<std::string_view> parts = splitOutside(text, ',');
    if (parts.size() > 1 && parts.back().empty()) parts.pop_back();
    return parts;
}

/// Python's own parser goes no deeper.
constexpr int kDeepest = 200;

void addNames(std::string_view text, std::vector<std::string>& names, int depth = 0) {
    for (std::string_view part : elementsOf(text)) {
        if (!part.empty() && part.front() == '*') part = trimmed(part.substr(1));
        if (isName(part))
            names.emplace_back(part);
        else if (part.size() > 2 && part.front() == '(' && depth < kDeepest)
            addNames(part, names, depth + 1);
    }
}

/// The places of "=" that assign: not those of "==", "<=", ":=" and the like; `+=` and `<<=` count.
std::vector<std::size_t> assignments(std::string_view code) {
    const auto at = [&](std::size_t i) { return i < code.size() ? code[i] : ' '; };
    std::vector<std::size_t> found;
    for (std::size_t i = findOutside(code, 0, '='); i < code.size(); i = findOutside(code, i + 1, '=')) {
        const bool shifts = i > 1 && (at(i - 1) == '<' || at(i - 1) == '>') && at(i - 2) == at(i - 1);
        const bool compares =
            at(i + 1) == '=' || (i > 0 && std::string_view("=<>!:").find(at(i - 1)) != std::string_view::npos);
        if (shifts || !compares) found.push_back(i);
    }
    return found;
}

void addAlias(std::string_view target, std::string_view value, Statement& statement) {
    if (isName(target) && isName(value) && value != "True" && value != "False")
        statement.aliases.emplace_back(target, value == "None" ? std::string_view() : value);
}

/// Of `x if c else f(x)` the one side that is a variable; empty where both are or none is.
std::string_view variableOfTernary(std::string_view value) {
    const std::size_t condition = findWordOutside(value, 0, "if");
    const std::size_t otherwise = findWordOutside(value, condition, "else");
    if (otherwise == value.size()) return {};
    const std::string_view one = trimmed(value.substr(0, condition)), other = trimmed(value.substr(otherwise + 4));
    if (isName(one) == isName(other)) return {};
    return isName(one) ? one : other;
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
    if (firstWord(text) == "del") {
        for (const std::string_view name : elementsOf(text.substr(3))) {
            if (isName(name)) statement.aliases.emplace_back(name, "");
        }
        return;
    }
    const std::vector<std::size_t> places = assignments(text);
    constexpr std::string_view kClear = ".clear()";
    if (places.empty() && text.ends_with(kClear))
        addAlias(text.substr(0, text.size() - kClear.size()), "None", statement);
    statement.unlessItRan = !statement.aliases.empty();
    if (places.empty()) return;
    const std::string_view first = trimmed(text.substr(0, places.front()));
    if (const auto last = first.find_last_not_of("+-*/@|&^%<>");
        last != std::string_view::npos && last + 1 < first.size()) {
        const std::string_view target = trimmed(first.substr(0, last + 1));
        if (isName(target)) statement.targets.emplace_back(target);
        statement.changesSubscript =
            target.back() == ']' && std::string_view("+-*/").find(first.back()) != std::string_view::npos;
        return;
    }
    std::vector<std::string_view> targets;
    std::size_t begin = 0;
    for (const std::size_t place : places) {
        const std::string_view target = text.substr(begin, place - begin);
        targets.push_back(trimmed(target.substr(0, findOutside(target, 0, ':'))));  // `a: Type`
        if (targets.back().empty()) return;
        addNames(targets.back(), statement.targets);
        begin = place + 1;
    }
    const std::string_view value = trimmed(text.substr(begin));
    statement.bindsEmptyList = value == "[]" && statement.targets.size() == 1;
    addAliases(targets, value, statement);
    const std::size_t parts = elementsOf(value).size();
    statement.bindsBackwards = targets.size() == 1 && parts == statement.targets.size() && (parts == 2 || parts == 3);
    const std::string_view side = targets.size() == 1 ? variableOfTernary(value) : std::string_view();
    statement.unlessItRan = !side.empty();
    if (statement.unlessItRan) addAlias(targets.front(), side, statement);
    const bool isChain = targets.size() > 1 && statement.targets.size() == targets.size();
    statement.keepsNoName =
        statement.aliases.empty() && (isChain || (targets.front().front() == '_' && isName(targets.front())));
}

/// `for i, x in …`
void readLoop(std::string_view head, Statement& statement) {
    const std::size_t target = findWordOutside(head, 0, "for");
    const std::size_t in = findWordOutside(head, target, "in");
    if (in < head.size()) addNames(head.substr(target + 3, in - target - 3), statement.targets);
}

/// The names of a function's arguments.
void readArguments(std::string_view head, Statement& statement) {
    const std::size_t open = head.find('(');
    if (open == std::string_view::npos) return;
    const std::size_t close = findOutside(head, open + 1, ')');
    for (std::string_view argument : splitOutside(head.substr(open + 1, close - open - 1), ',')) {
        const std::string_view name =
            firstWord(trimmed(argument.substr(std::min(argument.find_first_not_of('*'), argument.size()))));
        if (isName(name)) statement.targets.emplace_back(name);
    }
}

Statement::Kind kindOf(std::string_view keyword) {
    if (keyword == "if" || keyword == "elif") return Statement::Kind::If;
    if (keyword == "else") return Statement::Kind::Else;
    if (keyword == "for" || keyword == "while") return Statement::Kind::Loop;
    if (keyword == "def") return Statement::Kind::Function;
    for (const std::string_view other : {"with", "try", "except", "finally", "class"})
        if (keyword == other) return Statement::Kind::Other;
    return Statement::Kind::Simple;
}

}  // namespace

/// Takes the text apart line by line.
class PythonSource::Reader {
public:
    Reader(PythonSource& source, std::string_view text) : m_source(source), m_kept(codeOf(text)), m_code(m_kept) {
        m_source.m_suites.push_back({});
    }

    void read() {
        m_open.push_back({0, 0});
        for (std::size_t line = 0; line < m_code.size();) {
            const std::size_t end = std::min(m_code.find('\n', line), m_code.size());
            const std::size_t first = m_code.find_first_not_of(" \t", line);
            if (first < end) {
                enterSuite(columnOf(m_code.substr(line, first - line)));
                readLine(first, end);
            }
            line = end + 1;
        }
    }

private:
    struct Open {
        std::size_t indent;
        int suite;
    };

    /// A tab goes on to the next multiple of eight.
    static std::size_t columnOf(std::string_view blanks) {
        std::size_t column = 0;
        for (const char c : blanks) column = c == '\t' ? (column / 8 + 1) * 8 : column + 1;
        return column;
    }

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
        const std::string_view line = m_code.substr(begin, end - begin);
        const Statement::Kind kind = kindOf(keywordOf(line));
        if (kind == Statement::Kind::Simple) return readSimple(begin, end, m_open.back().suite);
        const std::size_t colon = findColon(line);
        const int index = add(kind, begin, begin + trimmed(line).size(), m_open.back().suite);
        Statement& statement = m_source.m_statements[static_cast<std::size_t>(index)];
        const std::string_view head = line.substr(0, colon);
        if (kind == Statement::Kind::Loop) readLoop(head, statement);
        if (kind == Statement::Kind::Function) readArguments(head, statement);
        noteOrder(statement);
        const std::size_t behind = std::min(line.find_first_not_of(" \t", colon + 1), line.size());
        if (behind < line.size())
            readSimple(begin + behind, end, beginSuite(index));
        else
            m_pending = index;
    }

    void readSimple(std::size_t begin, std::size_t end, int suite) {
        while (begin < end) {
            const std::string_view rest = m_code.substr(begin, end - begin);
            const std::size_t stop = findOutside(rest, 0, ';');
            if (const std::string_view text = trimmed(rest.substr(0, stop)); !text.empty()) {
                const int index = add(Statement::Kind::Simple, begin, begin + text.size(), suite);
                Statement& statement = m_source.m_statements[static_cast<std::size_t>(index)];
                readAssignment(text, statement);
                noteOrder(statement);
            }
            begin = std::min(m_code.find_first_not_of(" \t", begin + stop + 1), end);
        }
    }

    int add(Statement::Kind kind, std::size_t begin, std::size_t end, int suite) {
        const int index = static_cast<int>(m_source.m_statements.size());
        const int before = std::exchange(m_source.m_suites[static_cast<std::size_t>(suite)].last, index);
        Statement& statement = m_source.m_statements.emplace_back();
        statement.kind = kind;
        statement.begin = begin;
        statement.end = end;
        statement.suite = suite;
        const std::string_view keyword = keywordOf(m_code.substr(begin, end - begin));
        statement.isContinuation = before >= 0 && (keyword == "elif" || keyword == "else");
        // What encloses the statement ends with it at the earliest.
        for (int owner = m_source.m_suites[static_cast<std::size_t>(suite)].owner; owner >= 0;) {
            Statement& around = m_source.m_statements[static_cast<std::size_t>(owner)];
            around.end = std::max(around.end, end);
            owner = m_source.m_suites[static_cast<std::size_t>(around.suite)].owner;
        }
        if (!statement.isContinuation) return index;
        Statement& conditional = m_source.m_statements[static_cast<std::size_t>(before)];
        if (conditional.kind == Statement::Kind::If) conditional.otherwise = index;
        return index;
    }

    void noteOrder(const Statement& statement) {
        for (const std::string& name : statement.targets) m_source.m_order.try_emplace(name, m_source.m_order.size());
    }

    PythonSource& m_source;
    const std::string m_kept;
    const std::string_view m_code;  ///< all of m_kept
    std::vector<Open> m_open;
    int m_pending = -1;  ///< the compound statement whose suite begins in the next line
};

PythonSource::PythonSource(std::string_view text) { Reader(*this, text).read(); }

const Statement* PythonSource::at(std::size_t offset) const {
    const auto behind =
        std::upper_bound(m_statements.begin(), m_statements.end(), offset,
                         [](std::size_t place, const Statement& statement) { return place < statement.begin; });
    return behind == m_statements.begin() ? nullptr : &*std::prev(behind);
}

std::span<const Statement> PythonSource::between(std::size_t begin, std::size_t end) const {
    const auto isBefore = [](const Statement& statement, std::size_t place) { return statement.begin < place; };
    const auto first = std::lower_bound(m_statements.begin(), m_statements.end(), begin, isBefore);
    return {first, std::lower_bound(first, m_statements.end(), std::max(begin, end), isBefore)};
}

const Statement* PythonSource::owner(int suite) const {
    const int owner = m_suites[static_cast<std::size_t>(suite)].owner;
    return owner < 0 ? nullptr : &m_statements[static_cast<std::size_t>(owner)];
}

bool PythonSource::isWithin(int suite, int other) const {
    while (suite >= 0 && suite != other) suite = outer(suite);
    return suite >= 0;
}

std::optional<std::size_t> PythonSource::orderOf(const std::string& variable) const {
    const auto found = m_order.find(variable);
    return found == m_order.end() ? std::nullopt : std::optional(found->second);
}

}  // namespace tidemark
