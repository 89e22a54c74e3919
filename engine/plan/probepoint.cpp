// SPDX-License-Identifier: Apache-2.0
#include "engine/plan/probepoint.h"

#include "engine/plan/jsonfields.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <cstdlib>

namespace tidemark {
namespace {

using nlohmann::json;

constexpr std::array kSources{ProcessSource::Nvml, ProcessSource::Difference, ProcessSource::WholeCard};

Result<ProcessSource> sourceFromName(std::string_view name) {
    for (const ProcessSource source : kSources)
        if (nameOf(source) == name) return source;
    return Error{ErrorCode::Internal, Message::tr("The probe measures in a way called \"{}\" that is not known here.", name), {}};
}

Result<ProcessReading> readingFromJson(const json& object) {
    ProcessReading reading;
    JsonFields fields(object, "process.", ErrorCode::Internal);
    fields.required("process", reading.process);
    fields.required("reserved", reading.reserved);
    fields.named("source", reading.source, sourceFromName);
    if (fields.failed()) return fields.error();
    return reading;
}

Result<MemoryStatistic> statisticFromJson(const json& object) {
    MemoryStatistic statistic;
    JsonFields fields(object, "statistics.", ErrorCode::Internal);
    fields.required("name", statistic.name);
    fields.required("current", statistic.current);
    fields.required("peak", statistic.peak);
    fields.required("allocated", statistic.allocated);
    fields.required("freed", statistic.freed);
    if (fields.failed()) return fields.error();
    return statistic;
}

/// "98.0 MiB", whichever way it goes.
std::string amountOf(Bytes difference) { return formatBytes(Bytes{std::llabs(difference.count)}); }

Message reservedClause(Bytes difference) {
    if (difference == Bytes{}) return Message::tr("reserved memory is the plan's to the byte");
    return difference > Bytes{} ? Message::tr("reserved memory is {} more", amountOf(difference))
                                : Message::tr("reserved memory is {} less", amountOf(difference));
}

Message contextClause(Bytes difference) {
    if (difference == Bytes{}) return Message::tr("the context is as expected");
    return difference > Bytes{} ? Message::tr("the context takes {} more", amountOf(difference))
                                : Message::tr("the context takes {} less", amountOf(difference));
}

Message processSentence(Bytes process, const Measurement& measured, const ProcessReading& reading,
                        const Measurement& planned, Bytes context) {
    const Bytes plan = planned.highest().reserved + context;
    const Bytes difference = process - plan;
    const Message reserved = reservedClause(measured.highest().reserved - planned.highest().reserved);
    const Message contexts = contextClause(reading.context() - context);
    const std::string share = fmt::format(
        "{:.1f} %", 100.0 * std::abs(static_cast<double>(difference.count)) / static_cast<double>(plan.count));
    if (difference == Bytes{})
        return Message::tr("Process memory {}, as planned: {}, {}.", formatBytes(process), reserved, contexts);
    if (difference > Bytes{})
        return Message::tr("Process memory {}, {} ({}) more than planned: {}, {}.", formatBytes(process),
                           amountOf(difference), share, reserved, contexts);
    return Message::tr("Process memory {}, {} ({}) less than planned: {}, {}.", formatBytes(process),
                       amountOf(difference), share, reserved, contexts);
}

}  // namespace

std::string_view nameOf(ProcessSource source) {
    switch (source) {
    case ProcessSource::Nvml: return "nvml";
    case ProcessSource::Difference: return "difference";
    case ProcessSource::WholeCard: return "whole-card";
    }
    return "";
}

bool MemoryStatistic::isBytes() const { return name.ends_with("_bytes"); }

Message MemoryStatistic::title() const {
    const std::array<std::pair<std::string_view, Message>, 9> titles{{
        {"allocated_bytes", Message::tr("Allocated memory")},
        {"active_bytes", Message::tr("Active memory")},
        {"requested_bytes", Message::tr("Requested memory")},
        {"reserved_bytes", Message::tr("Reserved memory")},
        {"inactive_split_bytes", Message::tr("Non-releasable memory")},
        {"allocation", Message::tr("Allocations")},
        {"active", Message::tr("Active blocks")},
        {"segment", Message::tr("Segments")},
        {"inactive_split", Message::tr("Non-releasable blocks")},
    }};
    for (const auto& [key, title] : titles)
        if (key == name) return title;
    return name;
}

std::optional<Bytes> ProbePoint::process() const {
    if (!complete() || !reading) return std::nullopt;
    return measurement->highest().reserved + reading->context();
}

Result<ProbePoint> probePointFromAnswer(const json& answer, std::int64_t batch) {
    ProbePoint point;
    point.batch = batch;
    JsonFields fields(answer, "", ErrorCode::Internal);
    const json* measurement = fields.find("measurement");
    auto read = measurementFromJson(measurement ? *measurement : json());
    if (!read) return read.error();
    point.measurement = std::move(read).value();
    if (const json* process = fields.find("process"); process && !process->is_null()) {
        const auto reading = readingFromJson(*process);
        if (!reading) return reading.error();
        point.reading = reading.value();
    }
    if (const json* statistics = fields.find("statistics"))
        for (const json& row : *statistics) {
            const auto statistic = statisticFromJson(row);
            if (!statistic) return statistic.error();
            point.statistics.push_back(statistic.value());
        }
    return point;
}

json toJson(const ProcessReading& reading) {
    return {{"process", reading.process.count}, {"reserved", reading.reserved.count}, {"source", nameOf(reading.source)}};
}

json toJson(const MemoryStatistic& s) {
    return {{"name", s.name}, {"current", s.current}, {"peak", s.peak}, {"allocated", s.allocated}, {"freed", s.freed}};
}

json toJson(const DeviceUse& use) {
    return {{"total", use.total.count}, {"free", use.free.count}, {"ours", use.ours.count}, {"others", use.others.count}};
}

Result<DeviceUse> deviceUseFromJson(const json& object) {
    DeviceUse use;
    JsonFields fields(object, "use.", ErrorCode::Internal);
    fields.required("total", use.total);
    fields.required("free", use.free);
    fields.required("ours", use.ours);
    fields.required("others", use.others);
    if (fields.failed()) return fields.error();
    return use;
}

Message differenceSentence(const ProbePoint& point, const Measurement* planned, Bytes context) {
    if (point.error) return point.error->message;
    if (!point.measurement) return Message::tr("Not measured.");
    if (point.outOfMemory()) {
        const std::string asked = formatBytes(point.measurement->outOfMemory->requested);
        const std::string phase = point.measurement->outOfMemory->phase;
        const Message where = phase.empty() ? Message() : Message::tr(" in {}", nameOfPhase(phase));
        if (!planned) return Message::tr("Out of memory: LibTorch asked for {}{}.", asked, where);
        return Message::tr("Out of memory: LibTorch asked for {}{}; the plan takes {} of process memory.", asked, where,
                           formatBytes(planned->highest().reserved + context));
    }
    const Bytes reserved = point.measurement->highest().reserved;
    const auto process = point.process();
    if (!planned) return Message::tr("Process memory {}.", formatBytes(process.value_or(reserved)));
    if (planned->outOfMemory) return Message::tr("It ran, and the plan had it run out of memory.");
    if (process) return processSentence(*process, *point.measurement, *point.reading, *planned, context);
    return Message::tr("The driver does not tell the memory of processes; {}.",
                       reservedClause(reserved - planned->highest().reserved));
}

}  // namespace tidemark
