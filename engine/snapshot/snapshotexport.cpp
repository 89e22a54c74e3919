// SPDX-License-Identifier: Apache-2.0
#include "engine/snapshot/snapshotexport.h"

#include "engine/plan/liveset.h"
#include "engine/snapshot/picklewriter.h"

#include <algorithm>
#include <map>

namespace tidemark {
namespace {

/// What the caching allocator calls large: blocks above 1 MiB come from segments of more than 2 MiB.
constexpr Bytes kSmallSegment{2 << 20};

class SnapshotWriter {
public:
    SnapshotWriter(const Timeline& timeline, const ModelInfo& model) : m_timeline(timeline), m_model(model) {}

    std::string write() {
        m_out.beginDict();
        m_out.key("segments");
        writeSegments();
        m_out.key("device_traces");
        m_out.beginList();
        writeTrace();
        m_out.endList();
        m_out.key("allocator_settings");
        m_out.beginDict();
        m_out.endDict();
        m_out.key("external_annotations");
        m_out.beginList();
        m_out.endList();
        m_out.endDict();
        return m_out.finish();
    }

private:
    void writeFrame(std::string_view file, int line, std::string_view name) {
        m_out.beginDict();
        m_out.entry("filename", file);
        m_out.entry("line", line);
        m_out.entry("name", name);
        m_out.endDict();
    }

    void writeFrames(const Allocation& a) {
        m_out.key("frames");
        m_out.beginList();
        if (a.op >= 0) writeFrame("??", 0, m_timeline.ops[static_cast<std::size_t>(a.op)]);
        const std::string layer = nameOfGroup(m_timeline, m_model, Grouping::Layer, a.layer);
        if (a.line >= 0) {
            const SourceLine& line = m_timeline.lines[static_cast<std::size_t>(a.line)];
            writeFrame(m_timeline.sources[static_cast<std::size_t>(line.source)].file, line.line, layer);
        } else {
            writeFrame("model", 0, layer.empty() ? std::string(keyOf(a.category)) : layer);
        }
        m_out.endList();
    }

    void writeBlock(std::int64_t address, Bytes size, const Allocation* held) {
        m_out.beginDict();
        m_out.entry("address", address);
        m_out.entry("size", size.count);
        m_out.entry("requested_size", held ? size.count : 0);
        m_out.entry("state", held ? "active_allocated" : "inactive");
        if (held) {
            writeFrames(*held);
        } else {
            m_out.key("frames");
            m_out.beginList();
            m_out.endList();
        }
        m_out.endDict();
    }

    /// The blocks of one segment at the end of the step, without a gap.
    Bytes writeBlocks(const Segment& segment) {
        std::map<std::int64_t, const Allocation*> held;
        for (const Allocation& a : m_timeline.allocations)
            if (a.freed < 0 && a.address >= segment.address && a.address < segment.address + segment.bytes.count)
                held[a.address] = &a;
        m_out.key("blocks");
        m_out.beginList();
        std::int64_t at = segment.address;
        Bytes allocated;
        for (const auto& [address, allocation] : held) {
            if (address > at) writeBlock(at, Bytes{address - at}, nullptr);
            writeBlock(address, allocation->bytes, allocation);
            allocated += allocation->bytes;
            at = address + allocation->bytes.count;
        }
        const std::int64_t end = segment.address + segment.bytes.count;
        if (at < end) writeBlock(at, Bytes{end - at}, nullptr);
        m_out.endList();
        return allocated;
    }

    void writeSegments() {
        m_out.beginList();
        for (const Segment& segment : m_timeline.segments) {
            if (segment.freed >= 0) continue;
            m_out.beginDict();
            const Bytes allocated = writeBlocks(segment);
            m_out.entry("device", 0);
            m_out.entry("address", segment.address);
            m_out.entry("total_size", segment.bytes.count);
            m_out.entry("allocated_size", allocated.count);
            m_out.entry("active_size", allocated.count);
            m_out.entry("requested_size", allocated.count);
            m_out.entry("stream", 0);
            m_out.entry("segment_type", segment.bytes > kSmallSegment ? "large" : "small");
            m_out.key("segment_pool_id");
            m_out.pairOfZeros();
            m_out.key("is_expandable");
            m_out.boolean(false);
            m_out.key("frames");
            m_out.beginList();
            m_out.endList();
            m_out.endDict();
        }
        m_out.endList();
    }

    void writeEvent(std::string_view action, std::int64_t address, Bytes size, int event,
                    const Allocation* allocation) {
        m_out.beginDict();
        m_out.entry("action", action);
        m_out.entry("addr", address);
        m_out.entry("size", size.count);
        m_out.entry("stream", 0);
        m_out.entry("time_us", event);
        m_out.entry("device", 0);
        if (allocation) {
            m_out.entry("category", keyOf(allocation->category));
            writeFrames(*allocation);
        } else {
            m_out.key("frames");
            m_out.beginList();
            m_out.endList();
        }
        m_out.endDict();
    }

    void writeTrace() {
        const auto count = static_cast<std::size_t>(m_timeline.events);
        std::vector<const Allocation*> born(count), freed(count);
        for (const Allocation& a : m_timeline.allocations) {
            if (a.born >= 0) born[static_cast<std::size_t>(a.born)] = &a;
            if (a.freed >= 0) freed[static_cast<std::size_t>(a.freed)] = &a;
        }
        std::multimap<int, const Segment*> came, went;
        for (const Segment& segment : m_timeline.segments) {
            if (segment.born >= 0) came.emplace(segment.born, &segment);
            if (segment.freed >= 0) went.emplace(segment.freed, &segment);
        }
        m_out.beginList();
        for (int event = 0; event < m_timeline.events; ++event) {
            const auto gone = went.equal_range(event);
            for (auto s = gone.first; s != gone.second; ++s)
                writeEvent("segment_free", s->second->address, s->second->bytes, event, nullptr);
            const auto made = came.equal_range(event);
            for (auto s = made.first; s != made.second; ++s)
                writeEvent("segment_alloc", s->second->address, s->second->bytes, event, nullptr);
            if (const Allocation* a = born[static_cast<std::size_t>(event)])
                writeEvent("alloc", a->address, a->bytes, event, a);
            if (const Allocation* a = freed[static_cast<std::size_t>(event)]) {
                writeEvent("free_requested", a->address, a->bytes, event, a);
                writeEvent("free_completed", a->address, a->bytes, event, a);
            }
        }
        m_out.endList();
    }

    const Timeline& m_timeline;
    const ModelInfo& m_model;
    PickleWriter m_out;
};

}  // namespace

std::string snapshotPickle(const Timeline& timeline, const ModelInfo& model) {
    return SnapshotWriter(timeline, model).write();
}

}  // namespace tidemark
