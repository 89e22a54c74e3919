// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "widgets/report.h"
#include "widgets/settingstext.h"

namespace tidemark {

// What a report says, apart from how it is laid out; common to PDF and HTML.

struct ReportCell {
    QString text;
    int depth = 0;       ///< of a row in a tree
    bool strong = false;
    QColor swatch{};
    double bar = 0;      ///< share of the cell's width behind the text
};

struct ReportColumn {
    QString title;
    double share = 0;    ///< of the table's width
    bool isNumber = true;
};

struct ReportTable {
    std::vector<ReportColumn> columns;
    std::vector<std::vector<ReportCell>> rows;
    QString note;        ///< what is left out, or how to read it; may be empty
};

/// The kinds that a step has: gradient buckets are left out where there are none.
std::vector<Category> kindsOf(const CategoryBytes& categories);
/// "1,234.5" in MiB or MB; a dash for nothing.
QString mebibytesNumber(Bytes bytes, ByteUnits units);
/// Model file, card and settings of the step.
std::vector<NamedText> reportSettings(const ReportContent& content);
/// The four figures at the top: caption and value.
std::vector<NamedText> reportFigures(const ReportContent& content);
ReportTable kindsTable(const ReportContent& content);
ReportTable comparedKindsTable(const VariantComparison& comparison, ByteUnits units);
/// The layers that differ most at the peak, by size of the difference.
ReportTable comparedLayersTable(const VariantComparison& comparison, ByteUnits units);
/// Changes of the settings that take less memory, each measured; empty when none was.
ReportTable adviceTable(const ReportContent& content);
/// Empty without a measurement of the layers.
ReportTable layersTable(const ReportContent& content);
/// What the figures rest on, one sentence or two each.
QStringList reportAssumptions(const ReportContent& content);

}  // namespace tidemark
