// SPDX-License-Identifier: Apache-2.0
#include "app/commandline/probetext.h"

#include "app/commandline/plantext.h"
#include "app/commandline/texttable.h"
#include "engine/plan/errors.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace tidemark {
namespace {

using nlohmann::json;

std::string cardText(const ProbeResult& r) {
    std::string text = fmt::format("{}, {}, driver {}", r.installed.gpu.label, formatBytes(r.installed.gpu.memory), r.installed.driver);
    if (r.installed.use) text += fmt::format("; {} free before", formatBytes(r.installed.use->free));
    return text;
}

/// "2868.3 MiB", or why there is no such figure.
std::vector<std::string> measuredCells(const ProbePoint& point) {
    if (point.error) return {"failed", "", ""};
    if (point.outOfMemory()) return {"out of memory", "", ""};
    const Peak peak = point.measurement->highest();
    const auto process = point.process();
    return {formatMebibytes(peak.allocated), formatMebibytes(peak.reserved), process ? formatMebibytes(*process) : "unknown"};
}

std::string pointsText(const ProbeResult& r) {
    TextTable table({{"Batch", Align::Right}, {"Allocated", Align::Right}, {"planned", Align::Right}, {"Reserved", Align::Right},
                     {"planned", Align::Right}, {"Process", Align::Right}, {"planned", Align::Right}, {"Step", Align::Right}});
    for (const ComparedPoint& p : r.points) {
        std::vector<std::string> row{std::to_string(p.measured.batch)};
        const std::vector<std::string> cells = measuredCells(p.measured);
        const Peak planned = p.planned ? p.planned->highest() : Peak{};
        const std::vector<Bytes> plan{planned.allocated, planned.reserved, planned.reserved + r.installed.gpu.context.expected};
        for (std::size_t i = 0; i < cells.size(); ++i) {
            row.push_back(cells[i]);
            row.push_back(p.planned ? formatMebibytes(plan[i]) : "");
        }
        row.push_back(p.measured.complete() ? fmt::format("{:.1f} ms", static_cast<double>(p.measured.measurement->stepTime.count()) / 1000) : "");
        table.add(std::move(row));
    }
    return table.text();
}

std::string sentencesText(const ProbeResult& r) {
    std::string text;
    for (const ComparedPoint& p : r.points)
        text += fmt::format("Batch {}: {}\n", p.measured.batch,
                            differenceSentence(p.measured, p.planned.get(), r.installed.gpu.context.expected).english());
    return text;
}

std::string statisticCell(const MemoryStatistic& s, std::int64_t value) {
    return s.isBytes() ? formatMebibytes(Bytes{value}) : grouped(value);
}

/// The counters of the largest step that ran, as torch.cuda.memory_summary() lays them out.
std::string summaryText(const ProbeResult& r) {
    const auto last = std::find_if(r.points.rbegin(), r.points.rend(),
                                   [](const ComparedPoint& p) { return p.measured.complete() && !p.measured.statistics.empty(); });
    if (last == r.points.rend()) return {};
    TextTable table({{"Memory summary"}, {"current", Align::Right}, {"peak", Align::Right}, {"allocated", Align::Right}, {"freed", Align::Right}});
    for (const MemoryStatistic& s : last->measured.statistics)
        table.add({s.title().english(), statisticCell(s, s.current), statisticCell(s, s.peak), statisticCell(s, s.allocated), statisticCell(s, s.freed)});
    return fmt::format("\nPyTorch's counters after batch {}\n{}", last->measured.batch, table.text("  "));
}

std::string calibrationLine(const ProbeResult& r) {
    if (!r.calibration) return {};
    const Calibration& c = *r.calibration;
    return fmt::format("\nCalibrated with {} step{}: context {} ({} to {}), reserved memory {} to {} beside the plan.\n"
                       "Stored in {}; plans for this card use it from now on.\n",
                       c.points, c.points == 1 ? "" : "s", formatBytes(c.context.expected), formatBytes(c.context.low),
                       formatBytes(c.context.high), formatBytes(c.offset.low), formatBytes(c.offset.high), r.calibrationFile);
}

json sizeJson(const ContextSize& size) {
    return {{"expected", size.expected.count}, {"low", size.low.count}, {"high", size.high.count}};
}

json pointJson(const ComparedPoint& p, Bytes context) {
    const ProbePoint& m = p.measured;
    json point{{"batch", m.batch},
               {"measurement", m.measurement ? toJson(*m.measurement) : json()},
               {"out_of_memory", m.outOfMemory()},
               {"process", m.process() ? json(m.process()->count) : json()},
               {"reading", m.reading ? toJson(*m.reading) : json()},
               {"error", m.error ? toJson(*m.error) : json()},
               {"planned", nullptr},
               {"difference", differenceSentence(m, p.planned.get(), context).english()}};
    if (p.planned) {
        const Peak peak = p.planned->highest();
        point["planned"] = {{"allocated", peak.allocated.count}, {"reserved", peak.reserved.count}, {"process", (peak.reserved + context).count}};
    }
    json& statistics = point["statistics"] = json::array();
    for (const MemoryStatistic& s : m.statistics) statistics.push_back(toJson(s));
    return point;
}

}  // namespace

std::string probeText(const ProbeResult& r) {
    TextTable head({{""}, {""}});
    head.add({"Step", describe(r.settings)});
    head.add({"Card", cardText(r)});
    if (!r.info.torchVersion.empty()) head.add({"Engine", fmt::format("LibTorch {}", r.info.torchVersion)});
    std::string text = head.text("  ");
    if (!r.points.empty()) text += fmt::format("\n{}\n{}", pointsText(r), sentencesText(r));
    text += summaryText(r) + calibrationLine(r);
    return text;
}

json probeJson(const ProbeResult& r) {
    json points = json::array();
    for (const ComparedPoint& p : r.points) points.push_back(pointJson(p, r.installed.gpu.context.expected));
    json result{{"schema", "tidemark.probe/1"},
                {"gpu", gpuJson(r.installed.gpu)},
                {"driver", r.installed.driver},
                {"torch_version", r.info.torchVersion},
                {"settings", toJson(r.settings)},
                {"points", std::move(points)},
                {"problem", r.problem},
                {"calibration", nullptr}};
    if (r.calibration)
        result["calibration"] = {{"file", r.calibrationFile},
                                 {"points", r.calibration->points},
                                 {"context", sizeJson(r.calibration->context)},
                                 {"offset", sizeJson(r.calibration->offset)}};
    return result;
}

}  // namespace tidemark
