// SPDX-License-Identifier: Apache-2.0
#include "app/commandline/command.h"
#include "app/commandline/options.h"
#include "app/commandline/probetext.h"
#include "engine/session/blockingsession.h"
#include "engine/session/calibrationstore.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <QEventLoop>

#include <algorithm>
#include <charconv>
#include <memory>
#include <ostream>

namespace tidemark {
namespace {

constexpr std::int64_t kLargestSweepBatch = 1 << 20;
constexpr int kLongestRun = 24 * 60 * 60;  ///< in seconds

struct ProbeOptions {
    std::string model;
    StepOptions step;
    std::string sweep;
    std::string keepFree = "256MiB";
    double timeLimit = 120;
    bool calibrate = false;
    bool json = false;
};

CLI::Validator seconds() {
    return CLI::Validator(
        [](std::string& text) -> std::string {
            double number = 0;
            const char* end = text.data() + text.size();
            const auto [rest, error] = std::from_chars(text.data(), end, number);
            if (error == std::errc{} && rest == end && number >= 0 && number <= kLongestRun) return {};
            return fmt::format("\"{}\" is no time; write seconds from 0 to {}", text, kLongestRun);
        },
        "");
}

Error invalidSweep(const std::string& text) {
    return {ErrorCode::SettingInvalid, fmt::format("\"{}\" is no sweep; write batches as 8,16,32 or a range as 1:64.", text), {}};
}

Result<std::int64_t> parseBatch(std::string_view text, const std::string& sweep) {
    std::int64_t batch = 0;
    const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), batch);
    if (error != std::errc{} || rest != text.data() + text.size() || batch < 1 || batch > kLargestSweepBatch) return invalidSweep(sweep);
    return batch;
}

/// "8,16,32" as it stands; "1:64" doubles from the first to the last, which is always there.
Result<std::vector<std::int64_t>> parseSweep(const std::string& text) {
    std::vector<std::int64_t> batches;
    const char mark = text.find(':') == std::string::npos ? ',' : ':';
    std::size_t begin = 0;
    while (begin <= text.size()) {
        const std::size_t end = std::min(text.find(mark, begin), text.size());
        const auto batch = parseBatch(std::string_view(text).substr(begin, end - begin), text);
        if (!batch) return batch.error();
        batches.push_back(batch.value());
        begin = end + 1;
    }
    if (mark == ',') return batches;
    if (batches.size() != 2 || batches[0] > batches[1]) return invalidSweep(text);
    const std::int64_t last = batches[1];
    batches.pop_back();
    while (batches.back() * 2 < last) batches.push_back(batches.back() * 2);
    if (batches.back() != last) batches.push_back(last);
    return batches;
}

/// What is run: the sweep, else the batch of the settings, to which a calibration adds two smaller ones.
Result<std::vector<std::int64_t>> batchesOf(const ProbeOptions& options, const Settings& settings) {
    if (!options.sweep.empty()) return parseSweep(options.sweep);
    std::vector<std::int64_t> batches{settings.batch};
    if (options.calibrate)
        for (const std::int64_t part : {2, 4})
            if (settings.batch / part >= 1) batches.push_back(settings.batch / part);
    std::sort(batches.begin(), batches.end());
    batches.erase(std::unique(batches.begin(), batches.end()), batches.end());
    return batches;
}

/// Runs the request to its end and collects what it told.
void runOnCard(const Installation& installation, const RealProbeRequest& request, ProbeResult* result) {
    RealGpuProbe probe(installation);
    QEventLoop loop;
    QObject::connect(&probe, &RealGpuProbe::started, &loop, [&](const RealProbeInfo& info) { result->info = info; });
    QObject::connect(&probe, &RealGpuProbe::pointMeasured, &loop, [&](const ProbePoint& point) { result->points.push_back({point, nullptr}); });
    QObject::connect(&probe, &RealGpuProbe::finished, &loop, [&](const Message& problem) {
        result->problem = problem.english();
        loop.quit();
    });
    probe.start(request);
    loop.exec();
}

/// The same steps on a null GPU that is described as the card.
void planThem(const Installation& installation, const RealProbeRequest& request, ProbeResult* result) {
    std::vector<MeasureRequest> questions;
    for (const ComparedPoint& point : result->points) {
        MeasureRequest question;
        question.model = request.model;
        question.gpu = result->installed.gpu;
        question.settings = request.settings;
        question.settings.batch = point.measured.batch;
        questions.push_back(std::move(question));
    }
    BlockingSession session(installation);
    const auto answers = session.measureAll(questions);
    for (std::size_t i = 0; i < answers.size(); ++i)
        if (answers[i]) result->points[i].planned = answers[i].value().measurement;
}

std::optional<Error> calibrate(ProbeResult* result) {
    std::vector<CalibrationPair> pairs;
    for (const ComparedPoint& p : result->points)
        if (p.planned) pairs.push_back({p.measured, p.planned->highest()});
    const auto calibration = calibrationOf(result->installed, result->info.torchVersion, pairs);
    if (!calibration) return calibration.error();
    const CalibrationStore store;
    if (const auto stored = store.add(calibration.value()); !stored) return stored.error();
    result->calibration = calibration.value();
    result->calibrationFile = store.file().toStdString();
    return std::nullopt;
}

ExitCode exitCodeOf(const ProbeResult& result) {
    if (!result.problem.empty()) return ExitCode::Failed;
    const auto any = [&](auto&& is) { return std::any_of(result.points.begin(), result.points.end(), is); };
    if (any([](const ComparedPoint& p) { return p.measured.error.has_value(); })) return ExitCode::Failed;
    return any([](const ComparedPoint& p) { return p.measured.outOfMemory(); }) ? ExitCode::DoesNotFit : ExitCode::Fits;
}

ExitCode runProbe(const ProbeOptions& options, const CommandContext& context) {
    const auto settings = options.step.settings();
    if (!settings) return context.fail(settings.error());
    const auto batches = batchesOf(options, settings.value());
    if (!batches) return context.fail(batches.error());
    RealProbeRequest request;
    if (!parseBytes(options.keepFree, &request.keepFree))
        return context.fail({ErrorCode::SettingInvalid, fmt::format("\"{}\" is no size; write --keep-free 512MiB, say.", options.keepFree), {}});
    const auto catalogue = context.catalogue();
    if (!catalogue) return context.fail(catalogue.error());
    auto installed = RealDevices::find(context.installation, catalogue.value().all());
    if (!installed) return context.fail(installed.error());

    request.model = QString::fromStdString(options.model);
    request.settings = settings.value();
    request.batches = batches.value();
    request.gaugeMilliseconds = 0;
    request.timeLimit = std::chrono::milliseconds(static_cast<std::int64_t>(options.timeLimit * 1000));
    ProbeResult result;
    result.installed = std::move(installed).value();
    result.settings = settings.value();
    if (const auto known = CalibrationStore().load(); known)
        result.installed.gpu = calibrated(result.installed.gpu, known.value());
    else
        context.err << "tidemark: " << known.error().message.english() << '\n';
    runOnCard(context.installation, request, &result);
    planThem(context.installation, request, &result);
    std::optional<Error> uncalibrated;
    if (options.calibrate) uncalibrated = calibrate(&result);

    if (options.json)
        context.out << probeJson(result).dump(2) << '\n';
    else
        context.out << probeText(result);
    if (!result.problem.empty()) context.err << "tidemark: " << result.problem << '\n';
    if (uncalibrated) return context.fail(*uncalibrated);
    return exitCodeOf(result);
}

}  // namespace

Action addProbeCommand(CLI::App& app, CommandContext context) {
    const auto options = std::make_shared<ProbeOptions>();
    app.add_option("model", options->model, "TorchScript file")->required();
    options->step.addTo(app);
    app.add_option("--sweep", options->sweep, "Batches to run: 8,16,32, or 1:64 for doubling ones");
    app.add_option("--keep-free", options->keepFree, "Of the card, for the desktop and other programs")->capture_default_str();
    app.add_option("--time-limit", options->timeLimit, "Seconds after which the probe is stopped; 0: none")
        ->check(seconds())->capture_default_str();
    app.add_flag("--calibrate", options->calibrate, "Store the context of this card and driver for all later plans");
    app.add_flag("--json", options->json, "For programs: schema tidemark.probe/1");
    return [options, context] { return runProbe(*options, context); };
}

}  // namespace tidemark
