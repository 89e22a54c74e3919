// SPDX-License-Identifier: Apache-2.0
#include "engine/plan/measurement.h"

#include "engine/plan/errors.h"
#include "engine/plan/jsonfields.h"

#include <fmt/format.h>

#include <algorithm>

namespace tidemark {
namespace {

constexpr std::array<std::string_view, kCategoryCount> kKeys{"weights", "buffers", "gradients", "gradient_buckets", "optimizer_state",
                                                             "activations", "input", "workspace", "temporary"};
using nlohmann::json;

json toJson(const Peak& peak) { return {{"allocated", peak.allocated.count}, {"reserved", peak.reserved.count}}; }

json toJson(const std::vector<NamedCount>& counts) {
    json array = json::array();
    for (const NamedCount& c : counts) array.push_back({{"name", c.name}, {"count", c.count}});
    return array;
}

json toJson(const CategoryBytes& categories) {
    json object = json::object();
    for (Category c : kCategories) object[std::string(keyOf(c))] = categories[c].count;
    return object;
}

json toJson(const LayerUse& use) {
    return {{"output", use.output},
            {"calls", use.calls},
            {"saved", use.saved.count},
            {"gradients", use.gradients.count},
            {"optimizer_state", use.optimizerState.count},
            {"forward_temporary", use.forwardTemporary.count},
            {"backward_temporary", use.backwardTemporary.count},
            {"live_at_peak", use.liveAtPeak.count},
            {"multiply_accumulates", use.multiplyAccumulates},
            {"device_reads", use.deviceReads}};
}

template <class T, class Get>
json columnOf(const std::vector<T>& rows, Get get) {
    json::array_t column;
    column.reserve(rows.size());
    for (const T& row : rows) column.emplace_back(get(row));
    return column;
}

/// One list per field rather than one object per allocation: 100,000 allocations are read in milliseconds.
json allocationsJson(const std::vector<Allocation>& all) {
    return {{"born", columnOf(all, [](const Allocation& a) { return a.born; })},
            {"freed", columnOf(all, [](const Allocation& a) { return a.freed; })},
            {"bytes", columnOf(all, [](const Allocation& a) { return a.bytes.count; })},
            {"category", columnOf(all, [](const Allocation& a) { return static_cast<int>(a.category); })},
            {"layer", columnOf(all, [](const Allocation& a) { return a.layer; })},
            {"op", columnOf(all, [](const Allocation& a) { return a.op; })},
            {"shape", columnOf(all, [](const Allocation& a) { return a.shape; })},
            {"line", columnOf(all, [](const Allocation& a) { return a.line; })},
            {"address", columnOf(all, [](const Allocation& a) { return a.address; })}};
}

json segmentsJson(const std::vector<Segment>& all) {
    return {{"born", columnOf(all, [](const Segment& s) { return s.born; })},
            {"freed", columnOf(all, [](const Segment& s) { return s.freed; })},
            {"address", columnOf(all, [](const Segment& s) { return s.address; })},
            {"bytes", columnOf(all, [](const Segment& s) { return s.bytes.count; })}};
}

json toJson(const SourceText& source) {
    return {{"file", source.file}, {"first_line", source.firstLine}, {"text", source.text}};
}

json toJson(const Timeline& t) {
    json phases = json::array();
    for (const Phase& p : t.phases) phases.push_back(json::array({p.name, p.begin, p.end}));
    json::array_t reserved;
    reserved.reserve(t.reserved.size());
    for (Bytes b : t.reserved) reserved.emplace_back(b.count);
    json sources = json::array(), lines = json::array();
    for (const SourceText& source : t.sources) sources.push_back(toJson(source));
    for (const SourceLine& line : t.lines) lines.push_back(json::array({line.source, line.line}));
    return {{"events", t.events}, {"peak_event", t.peakEvent}, {"allocations", allocationsJson(t.allocations)},
            {"segments", segmentsJson(t.segments)}, {"phases", std::move(phases)}, {"ops", t.ops}, {"shapes", t.shapes}, {"sources", std::move(sources)},
            {"lines", std::move(lines)}, {"reserved", std::move(reserved)}};
}

json toJson(const OutOfMemory& oom) {
    return {{"requested", oom.requested.count}, {"phase", oom.phase}, {"layer", oom.layer}, {"message", oom.message}};
}

json toJson(const MemoryRange& range) {
    json result{{"from", range.from.count}};
    if (range.below) result["below"] = range.below->count;
    return result;
}

/// Reads one nested object with `read(fields, out)`, reporting its first error to the parent.
template <class T, class Read>
void readObject(const json& value, const std::string& where, T* out, JsonFields* parent, Read read) {
    JsonFields fields(value, parent->pathOf(where) + ".", ErrorCode::Internal);
    if (!fields.failed()) read(fields, *out);
    if (fields.failed()) parent->keep(fields.error());
}

template <class T, class Read>
void readObjects(JsonFields* parent, const char* key, std::vector<T>* out, Read read) {
    const json* array = parent->find(key);
    if (!array) return;
    if (!array->is_array()) return parent->fail(key, Message::tr("must be a list"));
    out->resize(array->size());
    for (std::size_t i = 0; i < out->size() && !parent->failed(); ++i)
        readObject((*array)[i], fmt::format("{}[{}]", key, i), &(*out)[i], parent, read);
}

void readPeak(JsonFields& fields, Peak& out) {
    fields.required("allocated", out.allocated);
    fields.required("reserved", out.reserved);
}

void readCount(JsonFields& fields, NamedCount& out) {
    fields.required("name", out.name);
    fields.required("count", out.count);
}

void readUse(JsonFields& fields, LayerUse& out) {
    fields.optional("output", out.output);
    fields.optional("calls", out.calls);
    fields.optional("saved", out.saved);
    fields.optional("gradients", out.gradients);
    fields.optional("optimizer_state", out.optimizerState);
    fields.optional("forward_temporary", out.forwardTemporary);
    fields.optional("backward_temporary", out.backwardTemporary);
    fields.optional("live_at_peak", out.liveAtPeak);
    fields.optional("multiply_accumulates", out.multiplyAccumulates);
    fields.optional("device_reads", out.deviceReads);
}

void readOutOfMemory(JsonFields& fields, OutOfMemory& out) {
    fields.required("requested", out.requested);
    fields.optional("phase", out.phase);
    fields.optional("layer", out.layer);
    fields.optional("message", out.message);
}

void readRange(JsonFields& fields, MemoryRange& out) {
    fields.required("from", out.from);
    if (!fields.find("below")) return;
    out.below.emplace();
    fields.required("below", *out.below);
}

void readCategories(JsonFields& fields, CategoryBytes& out) {
    for (Category c : kCategories) fields.optional(std::string(keyOf(c)).c_str(), out[c]);
}

void readAllocations(JsonFields& fields, std::vector<Allocation>& out) {
    std::vector<int> born, freed, category, layer, op, shape, line;
    std::vector<Bytes> bytes;
    std::vector<std::int64_t> address;
    fields.required("born", born);
    fields.required("freed", freed);
    fields.required("bytes", bytes);
    fields.required("category", category);
    fields.required("layer", layer);
    fields.required("op", op);
    fields.required("shape", shape);
    fields.optional("line", line);
    fields.optional("address", address);
    if (fields.failed()) return;
    out.resize(born.size());
    if (line.empty()) line.assign(out.size(), -1);
    if (address.empty()) address.assign(out.size(), 0);
    for (std::size_t size : {freed.size(), bytes.size(), category.size(), layer.size(), op.size(), shape.size(), line.size(), address.size()})
        if (size != out.size()) return fields.fail("born", Message::tr("is not as long as the other columns"));
    for (std::size_t i = 0; i < out.size(); ++i) {
        if (category[i] < 0 || category[i] >= static_cast<int>(kCategoryCount))
            return fields.fail("category", Message::tr("has an unknown number"));
        out[i] = {born[i], freed[i], bytes[i], static_cast<Category>(category[i]), layer[i], op[i], shape[i], line[i], address[i]};
    }
}

void readSegments(JsonFields& fields, std::vector<Segment>& out) {
    std::vector<int> born, freed;
    std::vector<std::int64_t> address;
    std::vector<Bytes> bytes;
    fields.required("born", born);
    fields.required("freed", freed);
    fields.required("address", address);
    fields.required("bytes", bytes);
    if (fields.failed()) return;
    for (std::size_t size : {freed.size(), address.size(), bytes.size()})
        if (size != born.size()) return fields.fail("born", Message::tr("is not as long as the other columns"));
    for (std::size_t i = 0; i < born.size(); ++i) out.push_back({born[i], freed[i], address[i], bytes[i]});
}

void readPhases(JsonFields& fields, std::vector<Phase>& out) {
    const json* array = fields.find("phases");
    if (!array) return;
    if (!array->is_array()) return fields.fail("phases", Message::tr("must be a list"));
    out.resize(array->size());
    for (std::size_t i = 0; i < out.size(); ++i) {
        const json& row = (*array)[i];
        if (!row.is_array() || row.size() != 3 || !readJson(row[0], out[i].name) || !readJson(row[1], out[i].begin) ||
            !readJson(row[2], out[i].end))
            return fields.fail("phases", Message::tr("must hold [name, begin, end]"));
    }
}

void readSource(JsonFields& fields, SourceText& out) {
    fields.required("file", out.file);
    fields.optional("first_line", out.firstLine);
    fields.optional("text", out.text);
}

void readLines(JsonFields& fields, std::vector<SourceLine>& out) {
    const json* array = fields.find("lines");
    if (!array) return;
    if (!array->is_array()) return fields.fail("lines", Message::tr("must be a list"));
    for (const json& row : *array) {
        SourceLine line;
        if (!row.is_array() || row.size() != 2 || !readJson(row[0], line.source) || !readJson(row[1], line.line))
            return fields.fail("lines", Message::tr("must hold [source, line]"));
        out.push_back(line);
    }
}

void readModuleCalls(JsonFields& fields, std::vector<ModuleCall>& out) {
    std::vector<int> layers;
    std::vector<std::string> outputs;
    fields.required("layer", layers);
    fields.required("output", outputs);
    if (fields.failed()) return;
    if (layers.size() != outputs.size()) return fields.fail("layer", Message::tr("is not as long as the other column"));
    for (std::size_t i = 0; i < layers.size(); ++i) out.push_back({layers[i], std::move(outputs[i])});
}

/// Indices and moments must lie inside their tables: the window follows them without looking.
Message inconsistencyOf(const Timeline& t) {
    const auto inside = [](int index, std::size_t size) { return index >= -1 && index < static_cast<int>(size); };
    const auto events = static_cast<std::size_t>(std::max(t.events, 0));
    if (t.events < 0 || !inside(t.peakEvent, events)) return Message::tr("has a peak outside of its events");
    if (!t.reserved.empty() && t.reserved.size() != events) return Message::tr("has not one reserved size for each event");
    for (const Allocation& a : t.allocations) {
        if (!inside(a.born, events) || !inside(a.freed, events)) return Message::tr("has an allocation outside of its events");
        if (!inside(a.op, t.ops.size()) || !inside(a.shape, t.shapes.size()) || !inside(a.line, t.lines.size()) ||
            a.layer < -1)
            return Message::tr("has an allocation that names nothing known");
    }
    for (const SourceLine& line : t.lines)
        if (!inside(line.source, t.sources.size())) return Message::tr("has a line of an unknown source");
    for (const Phase& p : t.phases)
        if (p.begin < 0 || p.end < p.begin || p.end > t.events) return Message::tr("has a phase outside of its events");
    return {};
}

void readTimeline(JsonFields& fields, Timeline& out) {
    fields.required("events", out.events);
    fields.required("peak_event", out.peakEvent);
    fields.optional("ops", out.ops);
    fields.optional("shapes", out.shapes);
    fields.optional("reserved", out.reserved);
    readPhases(fields, out.phases);
    readObjects(&fields, "sources", &out.sources, readSource);
    readLines(fields, out.lines);
    if (const json* allocations = fields.find("allocations"))
        readObject(*allocations, "allocations", &out.allocations, &fields, readAllocations);
    else
        fields.fail("allocations", Message::tr("is missing"));
    if (const json* segments = fields.find("segments")) readObject(*segments, "segments", &out.segments, &fields, readSegments);
    if (const Message why = inconsistencyOf(out); !fields.failed() && !why.empty()) fields.fail("events", why);
}

}  // namespace

std::string_view keyOf(Category category) { return kKeys[static_cast<std::size_t>(category)]; }

Bytes CategoryBytes::total() const {
    Bytes sum;
    for (Bytes b : bytes) sum += b;
    return sum;
}

Peak Measurement::highest() const {
    Peak highest{std::max(first.allocated, steady.allocated), std::max(first.reserved, steady.reserved)};
    for (const Peak& peak : iterations) {
        highest.allocated = std::max(highest.allocated, peak.allocated);
        highest.reserved = std::max(highest.reserved, peak.reserved);
    }
    return highest;
}

json toJson(const Measurement& m) {
    json iterations = json::array();
    for (const Peak& peak : m.iterations) iterations.push_back(toJson(peak));
    json result{{"iterations", std::move(iterations)},
                {"first", toJson(m.first)},
                {"steady", toJson(m.steady)},
                {"baseline", m.baseline.count},
                {"categories", toJson(m.categories)},
                {"peak_phase", m.peakPhase},
                {"peak_layer", m.peakLayer},
                {"device_reads", m.deviceReads},
                {"device_read_layers", toJson(m.deviceReadLayers)},
                {"unmodelled_calls", toJson(m.unmodelledCalls)},
                {"allocation_retries", m.allocationRetries},
                {"out_of_memory_errors", m.outOfMemoryErrors},
                {"checkpointed_blocks", m.checkpointedBlocks},
                {"recomputed_operators", m.recomputedOperators},
                {"step_time_us", m.stepTime.count()},
                {"warnings", toJson(m.warnings)}};
    if (m.outOfMemory) result["out_of_memory"] = toJson(*m.outOfMemory);
    if (m.sameWithin) result["same_within"] = toJson(*m.sameWithin);
    if (m.timeline) result["timeline"] = toJson(*m.timeline);
    if (!m.moduleCalls.empty()) {
        json layer = json::array();
        json output = json::array();
        for (const ModuleCall& call : m.moduleCalls) {
            layer.push_back(call.layer);
            output.push_back(call.output);
        }
        result["module_calls"] = {{"layer", std::move(layer)}, {"output", std::move(output)}};
    }
    if (!m.layers.empty()) {
        json layers = json::array();
        for (const LayerUse& use : m.layers) layers.push_back(toJson(use));
        result["layers"] = std::move(layers);
    }
    return result;
}

Result<Measurement> measurementFromJson(const json& value) {
    Measurement m;
    JsonFields fields(value, "measurement.", ErrorCode::Internal);
    const auto nested = [&](const char* key, auto* out, auto read) {
        const json* object = fields.find(key);
        if (object) readObject(*object, key, out, &fields, read);
        return object != nullptr;
    };
    readObjects(&fields, "iterations", &m.iterations, readPeak);
    if (!nested("first", &m.first, readPeak)) fields.fail("first", Message::tr("is missing"));
    if (!nested("steady", &m.steady, readPeak)) fields.fail("steady", Message::tr("is missing"));
    fields.optional("baseline", m.baseline);
    if (!nested("categories", &m.categories, readCategories)) fields.fail("categories", Message::tr("is missing"));
    fields.optional("peak_phase", m.peakPhase);
    fields.optional("peak_layer", m.peakLayer);
    fields.optional("device_reads", m.deviceReads);
    readObjects(&fields, "device_read_layers", &m.deviceReadLayers, readCount);
    readObjects(&fields, "unmodelled_calls", &m.unmodelledCalls, readCount);
    OutOfMemory oom;
    if (nested("out_of_memory", &oom, readOutOfMemory)) m.outOfMemory = std::move(oom);
    MemoryRange range;
    if (nested("same_within", &range, readRange)) m.sameWithin = range;
    fields.optional("allocation_retries", m.allocationRetries);
    fields.optional("out_of_memory_errors", m.outOfMemoryErrors);
    fields.optional("checkpointed_blocks", m.checkpointedBlocks);
    fields.optional("recomputed_operators", m.recomputedOperators);
    std::int64_t stepTime = 0;
    fields.optional("step_time_us", stepTime);
    m.stepTime = std::chrono::microseconds(stepTime);
    readObjects(&fields, "layers", &m.layers, readUse);
    nested("module_calls", &m.moduleCalls, readModuleCalls);
    Timeline timeline;
    if (nested("timeline", &timeline, readTimeline)) m.timeline = std::move(timeline);
    fields.optional("warnings", m.warnings);
    if (fields.failed()) return fields.error();
    return m;
}

Message nameOfPhase(const std::string& phase) {
    const std::size_t end = std::min(phase.find(' '), phase.size());
    const std::string name = phase.substr(0, end), number = phase.substr(end);
    if (name == "load") return Message::tr("load{}", number);
    if (name == "forward") return Message::tr("forward{}", number);
    if (name == "backward") return Message::tr("backward{}", number);
    if (name == "optimizer") return Message::tr("optimizer{}", number);
    return phase;
}

}  // namespace tidemark
