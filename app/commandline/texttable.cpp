// SPDX-License-Identifier: Apache-2.0
#include "app/commandline/texttable.h"

#include <fmt/format.h>

#include <algorithm>

namespace tidemark {
namespace {

/// Characters rather than bytes: texts are UTF-8 without wide characters.
std::size_t widthOf(const std::string& text) {
    return static_cast<std::size_t>(
        std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

std::string quoted(const std::string& cell) {
    if (cell.find_first_of(",\"\n") == std::string::npos) return cell;
    std::string text(1, '"');
    for (char c : cell) {
        if (c == '"') text += c;
        text += c;
    }
    text += '"';
    return text;
}

}  // namespace

std::string TextTable::text(const std::string& indent) const {
    std::vector<std::string> titles;
    for (const Column& column : m_columns) titles.push_back(column.title);
    const bool header = std::any_of(titles.begin(), titles.end(), [](const std::string& t) { return !t.empty(); });
    std::vector<std::size_t> widths(m_columns.size(), 0);
    for (std::size_t i = 0; i < widths.size(); ++i) {
        widths[i] = widthOf(titles[i]);
        for (const auto& row : m_rows)
            if (i < row.size()) widths[i] = std::max(widths[i], widthOf(row[i]));
    }
    std::string result;
    const auto addLine = [&](const std::vector<std::string>& cells) {
        std::string line = indent;
        for (std::size_t i = 0; i < cells.size() && i < widths.size(); ++i) {
            const std::size_t blanks = widths[i] - widthOf(cells[i]);
            if (i > 0) line.append(2, ' ');
            if (m_columns[i].align == Align::Right) line.append(blanks, ' ');
            line += cells[i];
            if (m_columns[i].align == Align::Left) line.append(blanks, ' ');
        }
        line.erase(line.find_last_not_of(' ') + 1);
        result += line;
        result += '\n';
    };
    if (header) addLine(titles);
    for (const auto& row : m_rows) addLine(row);
    return result;
}

std::string TextTable::csv() const {
    std::string result;
    const auto addLine = [&](const auto& cells, auto get) {
        for (std::size_t i = 0; i < cells.size(); ++i) {
            if (i > 0) result += ',';
            result += quoted(get(cells[i]));
        }
        result += '\n';
    };
    addLine(m_columns, [](const Column& c) { return c.title; });
    for (const auto& row : m_rows) addLine(row, [](const std::string& c) { return c; });
    return result;
}

std::string grouped(std::int64_t number) {
    const std::string digits = std::to_string(number);
    std::string text;
    for (std::size_t i = 0; i < digits.size(); ++i) {
        text += digits[i];
        const std::size_t left = digits.size() - 1 - i;
        if (left > 0 && left % 3 == 0 && digits[i] != '-') text += ',';
    }
    return text;
}

std::string percentOf(double part, double whole) {
    if (whole <= 0 || part == 0) return "0 %";
    const double percent = 100 * part / whole;
    return percent > 0 && percent < 0.1 ? "<0.1 %" : fmt::format("{:.1f} %", percent);
}

}  // namespace tidemark
