// SPDX-License-Identifier: Apache-2.0
#include "app/commandline/command.h"
#include "app/commandline/options.h"
#include "app/commandline/planner.h"
#include "app/commandline/plantext.h"
#include "app/commandline/texttable.h"
#include "engine/plan/liveset.h"
#include "engine/snapshot/snapshot.h"
#include "engine/snapshot/snapshotexport.h"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <QFile>

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <ostream>

namespace tidemark {
namespace {

constexpr std::size_t kNamedFrames = 12;

struct SnapshotOptions {
    std::string model;
    std::string file;
    StepOptions step;
    CardOptions card;
};

/// The step with its timeline.
Result<PlanResult> recordedStep(const SnapshotOptions& options, const CommandContext& context) {
    const auto settings = options.step.settings();
    if (!settings) return settings.error();
    const auto card = context.card(options.card);
    if (!card) return card.error();
    Planner planner(context.installation);
    auto result =
        planner.plan(QString::fromStdString(options.model), settings.value(), card.value().gpu, {}, {true, true}, 0);
    if (result && !result.value().answer.measurement->timeline)
        return Error{ErrorCode::Internal, "The worker recorded no timeline.", {}};
    return result;
}

ExitCode runExport(const SnapshotOptions& options, const CommandContext& context) {
    const auto result = recordedStep(options, context);
    if (!result) return context.fail(result.error());
    const Timeline& timeline = *result.value().answer.measurement->timeline;
    const std::string bytes = snapshotPickle(timeline, result.value().model);
    QFile file(QString::fromStdString(options.file));
    if (!file.open(QIODevice::WriteOnly) || file.write(bytes.data(), static_cast<qint64>(bytes.size())) < 0 ||
        !file.flush())
        return context.fail({ErrorCode::FileUnreadable,
                             fmt::format("{} cannot be written: {}.", options.file, file.errorString().toStdString()),
                             {}});
    context.out << fmt::format(
        "{}: {} events, peak {}. Open it on pytorch.org/memory_viz or with torch.cuda._memory_viz.\n", options.file,
        grouped(timeline.events), formatMebibytes(result.value().answer.measurement->steady.allocated));
    return ExitCode::Fits;
}

/// What is alive at the snapshot's peak, by the Python line that asked for it.
std::string framesText(const MemorySnapshot& snapshot, int peakEvent) {
    std::map<int, Bytes> frames;
    Bytes all;
    for (const Allocation& block : snapshot.blocks) {
        if (!isLive(block, peakEvent)) continue;
        frames[block.op] += block.bytes;
        all += block.bytes;
    }
    std::vector<std::pair<int, Bytes>> sorted(frames.begin(), frames.end());
    std::stable_sort(sorted.begin(), sorted.end(), [](const auto& a, const auto& b) { return a.second > b.second; });
    TextTable table({{"At the peak"}, {"Alive", Align::Right}, {"", Align::Right}});
    for (std::size_t i = 0; i < std::min(kNamedFrames, sorted.size()); ++i) {
        const auto& [frame, bytes] = sorted[i];
        table.add(
            {frame < 0 ? "there before, or without a Python line" : snapshot.frames[static_cast<std::size_t>(frame)],
             formatMebibytes(bytes), percentOf(static_cast<double>(bytes.count), static_cast<double>(all.count))});
    }
    return table.text();
}

/// What two peaks of what should be one step say.
std::string judgementOf(Bytes there, Bytes planned) {
    constexpr double kSameStep = 0.2;
    if (there == planned) return "Both are equal";
    const double apart = std::abs(static_cast<double>((there - planned).count)) /
                         static_cast<double>(std::max({there.count, planned.count, std::int64_t{1}}));
    if (apart > kSameStep)
        return fmt::format("They are {:.0f} % apart: check that model, batch and settings are those of the snapshot",
                           100 * apart);
    return "A snapshot notes the sizes that were asked for; the allocator's blocks can be up to 1 MiB larger";
}

ExitCode runShow(const SnapshotOptions& options, const CommandContext& context) {
    const auto loaded = loadSnapshot(options.file);
    if (!loaded) return context.fail(loaded.error());
    const MemorySnapshot& snapshot = loaded.value();
    const auto peak = std::max_element(snapshot.allocated.begin(), snapshot.allocated.end());
    const int event = static_cast<int>(peak - snapshot.allocated.begin());
    std::string text =
        fmt::format("{}: device {}, {} events, peak {} at event {}, segments {} at the end\n\n", snapshot.file,
                    snapshot.device, grouped(static_cast<std::int64_t>(snapshot.allocated.size())),
                    formatMebibytes(snapshot.peak()), grouped(event), formatMebibytes(snapshot.reserved));
    text += framesText(snapshot, event);
    if (!options.model.empty()) {
        const auto result = recordedStep(options, context);
        if (!result) return context.fail(result.error());
        const Measurement& m = *result.value().answer.measurement;
        const std::vector<Bytes> step = allocatedAfter(*m.timeline);
        const auto offset = static_cast<std::size_t>(bestOffset(snapshot.allocated, step));
        const auto end = std::min(offset + step.size(), snapshot.allocated.size());
        const auto highest = std::max_element(snapshot.allocated.begin() + static_cast<std::ptrdiff_t>(offset),
                                              snapshot.allocated.begin() + static_cast<std::ptrdiff_t>(end));
        const auto peakThere = highest - snapshot.allocated.begin() - static_cast<std::ptrdiff_t>(offset);
        text += fmt::format(
            "\nThe plan's step ({}, {} events) fits best from event {} on.\n"
            "Peak {} at its event {}; planned {} at event {}. {}.\n",
            describe(result.value().settings), grouped(static_cast<std::int64_t>(step.size())),
            grouped(static_cast<std::int64_t>(offset)), formatMebibytes(*highest), grouped(peakThere),
            formatMebibytes(m.steady.allocated), grouped(m.timeline->peakEvent),
            judgementOf(*highest, m.steady.allocated));
    }
    context.out << text;
    return ExitCode::Fits;
}

}  // namespace

Action addSnapshotCommand(CLI::App& app, CommandContext context) {
    const auto writing = std::make_shared<SnapshotOptions>();
    const auto reading = std::make_shared<SnapshotOptions>();
    app.require_subcommand(1);
    CLI::App* save = app.add_subcommand("export", "The steady step as a PyTorch memory snapshot, for memory_viz");
    save->add_option("model", writing->model, "TorchScript file")->required();
    save->add_option("-o,--output", writing->file, "Pickle to write")->required();
    writing->step.addTo(*save);
    writing->card.addTo(*save);
    CLI::App* show =
        app.add_subcommand("show", "What a snapshot of torch.cuda.memory._dump_snapshot() holds, beside a plan");
    show->add_option("file", reading->file, "Pickle to read; nothing in it is run")->required();
    show->add_option("--model", reading->model, "TorchScript file whose step is laid over it");
    reading->step.addTo(*show);
    reading->card.addTo(*show);
    return [save, writing, reading, context] {
        return save->parsed() ? runExport(*writing, context) : runShow(*reading, context);
    };
}

}  // namespace tidemark
