// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tidemark {

/// One statement of a Python function, or the head of a compound one. Offsets count from the start of the text.
struct Statement {
    enum class Kind { Simple, If, Else, Loop, Function, Other };

    Kind kind = Kind::Simple;
    std::size_t begin = 0;
    std::size_t end = 0;          ///< behind the statement; of a compound one, behind its last line
    int suite = 0;                ///< the suite that it stands in
    int body = -1;                ///< the suite that belongs to a compound statement, −1 for simple ones
    int otherwise = -1;           ///< of an `if`: the statement `elif` or `else` behind it
    bool isContinuation = false;  ///< such an `elif` or `else`
    /// The variables that it binds: "q" and "k" in `q, k = …` and in `for q, k in …`.
    std::vector<std::string> targets;
    /// `y = x` as {"y", "x"}, in the order of binding; `del y` and `y = None` as {"y", ""}.
    std::vector<std::pair<std::string, std::string>> aliases;
    /// The alias of `y = x if c else f(x)` and of `y.clear()`, where nothing else of it is in the graph.
    bool unlessItRan = false;
    bool keepsNoName = false;       ///< `a = b = f(x)` and `_ = f(x)`: TorchScript names what it binds after nothing
    /// `x, y = f(x), g(y)`, also of three: CPython computes all, then stores from the last target to the first (since 3.11).
    bool bindsBackwards = false;
    bool changesSubscript = false;  ///< `x[1:] += y` and the like
    bool bindsEmptyList = false;    ///< `features = []`
};

/// The statements of one function, as Python's own source has them.
class PythonSource {
public:
    explicit PythonSource(std::string_view text);

    const std::vector<Statement>& statements() const { return m_statements; }
    /// The innermost statement, or head of a statement, around an offset; null in front of the first.
    const Statement* at(std::size_t offset) const;
    /// Those that begin in a part of the text, without `end` itself.
    std::span<const Statement> between(std::size_t begin, std::size_t end) const;
    /// The suite around a suite, −1 for the outermost.
    int outer(int suite) const { return m_suites[static_cast<std::size_t>(suite)].outer; }
    /// The compound statement that a suite belongs to, null for the outermost.
    const Statement* owner(int suite) const;
    /// True where `suite` is `other` or lies in it, and is one.
    bool isWithin(int suite, int other) const;
    /// A place in the order in which the function first names its variables: arguments, then text. Python lets go of
    /// them in this order. Nothing for names that are bound nowhere.
    std::optional<std::size_t> orderOf(const std::string& variable) const;

private:
    struct Suite {
        int outer = -1;
        int owner = -1;
        int last = -1;  ///< the latest statement in it
    };
    class Reader;

    std::vector<Statement> m_statements;  ///< in the order of the text
    std::vector<Suite> m_suites;
    std::map<std::string, std::size_t> m_order;
};

}  // namespace tidemark
