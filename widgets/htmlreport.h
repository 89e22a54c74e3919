// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "widgets/report.h"

namespace tidemark {

/// The same report as one HTML file that needs nothing else: styles and plots (SVG) are inside, and it is readable on
/// a light and on a dark screen.
QByteArray htmlReport(const ReportContent& content);
/// The error names the file.
Result<bool> writeHtmlReport(const ReportContent& content, const QString& file);

}  // namespace tidemark
