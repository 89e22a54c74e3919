// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace tidemark {

enum class Align { Left, Right };

/// Columns of text for a terminal, two spaces apart, as wide as their content.
class TextTable {
public:
    struct Column {
        std::string title;
        Align align = Align::Left;
    };

    explicit TextTable(std::vector<Column> columns) : m_columns(std::move(columns)) {}

    void add(std::vector<std::string> cells) { m_rows.push_back(std::move(cells)); }
    /// With a header row unless all titles are empty; every line ends with a line feed and without blanks.
    std::string text(const std::string& indent = {}) const;
    /// Comma-separated with a header row; cells are quoted where needed.
    std::string csv() const;

private:
    std::vector<Column> m_columns;
    std::vector<std::vector<std::string>> m_rows;
};

/// "25,557,032"
std::string grouped(std::int64_t number);
/// "12.3 %"; "<0.1 %" for a little, "0 %" for nothing.
std::string percentOf(double part, double whole);

}  // namespace tidemark
