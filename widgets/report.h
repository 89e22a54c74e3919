// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/base/result.h"
#include "engine/gpus/gpu.h"
#include "engine/plan/advice.h"
#include "engine/plan/fit.h"
#include "engine/plan/modelinfo.h"
#include "widgets/memoryplot.h"
#include "widgets/peakheader.h"
#include "widgets/variantcomparison.h"

#include <QDateTime>
#include <QPageSize>

#include <memory>
#include <optional>

namespace tidemark {

/// Everything a report says; nothing is measured while it is written.
struct ReportContent {
    QString title;  ///< "resnet50 on an RTX 4090"
    QDateTime when;
    ModelInfo model;
    Settings settings;
    Gpu gpu;
    Bytes capacity;
    FitLevel level = FitLevel::Fits;
    QString verdict;
    QString grounds;
    PeakFigures figures;
    std::optional<LargestBatch> largest;
    std::vector<MemoryPoint> points;
    std::vector<MemorySeries> others;
    std::shared_ptr<const Measurement> detail;  ///< with layers and, where there is one, a timeline
    std::vector<VariantComparison> comparisons;
    std::vector<MeasuredAdvice> advice{};  ///< changes that were measured, the best first
    QString torchVersion;
    QString workspace;         ///< the source in force: "cudnn 9.26.1", "estimate", "none"
    QString workspaceProblem;  ///< why it is not the one asked for; empty when it is
    QString programVersion;
    ByteUnits units = ByteUnits::Binary;
};

/// Writes the report as a PDF with vector plots, selectable text and page numbers. Needs a QApplication; no window is
/// shown. The error names the file.
Result<bool> writeReport(const ReportContent& content, const QString& file, QPageSize::PageSizeId size = QPageSize::A4);

}  // namespace tidemark
