// SPDX-License-Identifier: Apache-2.0
#include "app/commandline/command.h"
#include "app/commandline/measureadvice.h"
#include "app/commandline/options.h"
#include "app/window/verdicttext.h"
#include "engine/plan/curve.h"
#include "widgets/htmlreport.h"
#include "widgets/settingstext.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <QCoreApplication>
#include <QFileInfo>

#include <memory>
#include <ostream>

namespace tidemark {
namespace {

constexpr std::int64_t kLargestBatch = 1 << 16;
constexpr std::size_t kMostPoints = 24;
constexpr std::size_t kMostAdvice = 8;

struct ReportOptions {
    std::string model;
    std::string other;
    std::vector<std::string> setB;
    std::string output;
    std::string paper = "a4";
    StepOptions step;
    CardOptions card;
};

MemoryPoint pointOf(const CurvePoint& point, const Gpu& gpu) {
    const ProcessMemory process = processMemory(point.peak.reserved, gpu.context);
    return {point.size, point.categories, point.peak.reserved, process.value, process.low, process.high};
}

/// Exact points from one example to somewhat beyond the largest batch. A batch that the model refuses leaves a gap.
std::vector<MemoryPoint> curveOf(Planner* planner, const PlanResult& plan) {
    const std::int64_t batch = plan.settings.batch;
    const std::int64_t largest = plan.largest ? plan.largest->batch : batch;
    const std::int64_t end = std::max({batch * 5 / 4, std::min(largest * 5 / 4, batch * 64), std::int64_t{2}});
    MemoryCurve curve;
    curve.add(batch, *plan.answer.measurement);
    for (std::size_t asked = 0; asked < kMostPoints;) {
        const auto sizes = curve.worthMeasuring(1, end, kMostPoints - asked);
        if (sizes.empty()) break;
        std::vector<MeasureRequest> requests(sizes.size(), plan.answer.request);
        for (std::size_t i = 0; i < sizes.size(); ++i) {
            requests[i].settings.batch = sizes[i];
            requests[i].detail = {};
        }
        asked += sizes.size();
        const auto answers = planner->session().measureAll(requests);
        for (std::size_t i = 0; i < sizes.size(); ++i)
            if (answers[i]) curve.add(sizes[i], *answers[i].value().measurement);
    }
    std::vector<MemoryPoint> points;
    for (const CurvePoint& point : curve.exactPoints()) points.push_back(pointOf(point, plan.gpu));
    return points;
}

QString nameOf(const PlanResult& plan) { return QFileInfo(plan.answer.request.model).completeBaseName(); }

QString verdictOf(const PlanResult& plan) { return verdictText(plan.fit, plan.gpu, plan.largest, ByteUnits::Binary); }

ReportContent contentOf(const PlanResult& plan, std::vector<MemoryPoint> points) {
    const Measurement& m = *plan.answer.measurement;
    ReportContent content;
    content.title = QStringLiteral("%1 on %2").arg(nameOf(plan), QString::fromStdString(withArticle(plan.gpu)));
    content.when = QDateTime::currentDateTime();
    content.model = plan.model;
    content.settings = plan.settings;
    content.gpu = plan.gpu;
    content.capacity = plan.fit.capacity;
    content.level = plan.fit.level;
    content.verdict = verdictOf(plan);
    content.grounds = verdictGrounds(plan.fit, m.categories, &m, ByteUnits::Binary);
    content.figures = {plan.settings.batch,   m.steady.allocated,    m.steady.reserved, plan.fit.process.value,
                       plan.fit.process.low, plan.fit.process.high, m.categories,      true};
    content.largest = plan.largest;
    content.points = std::move(points);
    content.detail = plan.answer.measurement;
    content.torchVersion = QString::fromStdString(plan.answer.worker.torchVersion);
    content.workspace = QString::fromStdString(plan.answer.worker.workspace);
    content.workspaceProblem = QString::fromStdString(plan.answer.worker.workspaceProblem.english());
    if (!plan.answer.worker.cudnnVersion.empty())
        content.workspace += ' ' + QString::fromStdString(plan.answer.worker.cudnnVersion);
    content.programVersion = QCoreApplication::applicationVersion();
    return content;
}

VariantComparison comparisonOf(const PlanResult& a, const PlanResult& b) {
    VariantComparison comparison;
    comparison.baseline = nameOf(a);
    comparison.other = nameOf(b);
    if (comparison.other == comparison.baseline) comparison.other += QStringLiteral(" (changed)");
    comparison.changes = describeDifference(a.settings, b.settings, b.model);
    comparison.baselineVerdict = verdictOf(a);
    comparison.otherVerdict = verdictOf(b);
    comparison.process = {a.fit.process.value, b.fit.process.value};
    comparison.comparison = compare(a.model, *a.answer.measurement, b.model, *b.answer.measurement);
    return comparison;
}

Result<ReportContent> measured(const ReportOptions& options, const CommandContext& context) {
    const auto settings = options.step.settings();
    if (!settings) return settings.error();
    const auto other = options.step.settings(options.setB);
    if (!other) return other.error();
    const auto card = context.card(options.card);
    if (!card) return card.error();
    Planner planner(context.installation);
    const auto run = [&](const std::string& model, const Settings& chosen) {
        return planner.plan(QString::fromStdString(model), chosen, card.value().gpu, card.value().reserve, {true, true}, kLargestBatch);
    };
    const auto plan = run(options.model, settings.value());
    if (!plan) return plan.error();
    ReportContent content = contentOf(plan.value(), curveOf(&planner, plan.value()));
    content.advice = ranked(measureAdvice(&planner, plan.value(), adviceFor(plan.value().model, plan.value().settings)));
    content.advice.resize(std::min(content.advice.size(), kMostAdvice));
    if (options.other.empty() && options.setB.empty()) return content;
    const auto second = run(options.other.empty() ? options.model : options.other, other.value());
    if (!second) return second.error();
    content.comparisons.push_back(comparisonOf(plan.value(), second.value()));
    return content;
}

ExitCode runReport(const ReportOptions& options, const CommandContext& context) {
    const QString file = QString::fromStdString(options.output);
    const bool html = file.endsWith(QLatin1String(".html"), Qt::CaseInsensitive);
    if (!html && !file.endsWith(QLatin1String(".pdf"), Qt::CaseInsensitive))
        return context.fail({ErrorCode::SettingInvalid,
                             fmt::format("\"{}\" is no name for a report; let it end in .pdf or .html.", options.output),
                             {}});
    const auto content = measured(options, context);
    if (!content) return context.fail(content.error());
    const auto page = options.paper == "letter" ? QPageSize::Letter : QPageSize::A4;
    const auto written = html ? writeHtmlReport(content.value(), file) : writeReport(content.value(), file, page);
    if (!written) return context.fail(written.error());
    context.out << content.value().verdict.toStdString() << '\n' << options.output << '\n';
    return content.value().level == FitLevel::DoesNotFit ? ExitCode::DoesNotFit : ExitCode::Fits;
}

}  // namespace

Action addReportCommand(CLI::App& app, CommandContext context) {
    const auto options = std::make_shared<ReportOptions>();
    app.add_option("model", options->model, "TorchScript file")->required();
    app.add_option("-o,--output", options->output, "The file to write: .pdf, or .html for one self-contained page")->required();
    app.add_option("--paper", options->paper, "a4 or letter")->check(CLI::IsMember({"a4", "letter"}))->capture_default_str();
    app.add_option("--compare-with", options->other, "A second TorchScript file to set beside the first");
    app.add_option("--set-b", options->setB, "A setting of a second variant, as key=value. Repeat for several")->allow_extra_args(false);
    options->step.addTo(app);
    options->card.addTo(app);
    return [options, context] { return runReport(*options, context); };
}

}  // namespace tidemark
