// SPDX-License-Identifier: Apache-2.0
#include "engine/snapshot/snapshot.h"

#include "engine/snapshot/pickle.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <limits>
#include <sstream>
#include <unordered_map>

namespace tidemark {
namespace {

constexpr std::uintmax_t kLargestFile = std::uintmax_t{2} << 30;
/// The caching allocator's kMinBlockSize.
constexpr std::int64_t kBlock = 512;
constexpr int kSamples = 256;

Error unreadable(const std::string& name, const Message& what) {
    return Error{ErrorCode::FileUnreadable, Message::tr("{} {}.", name, what), {}};
}

Bytes rounded(std::int64_t size) { return Bytes{(std::max<std::int64_t>(size, 1) + kBlock - 1) / kBlock * kBlock}; }

/// Builds the history of one device, one trace entry after the other.
class History {
public:
    History(const Pickle& pickle, MemorySnapshot* snapshot) : m_pickle(pickle), m_snapshot(*snapshot) {}

    /// "free_requested" is when memory_allocated() falls; histories without it have only "free_completed" or "free".
    void add(Pickle::Value entry) {
        const std::string_view action = m_pickle.text(m_pickle.find(entry, "action"));
        const std::int64_t address = m_pickle.integer(m_pickle.find(entry, "addr"));
        const Bytes size = rounded(m_pickle.integer(m_pickle.find(entry, "size")));
        if (action == "alloc") {
            m_live[address] = m_snapshot.blocks.size();
            Allocation block;
            block.born = m_events++;
            block.bytes = size;
            block.op = frameOf(entry);
            block.address = address;
            m_snapshot.blocks.push_back(block);
        } else if (action == "free_requested" || action == "free") {
            free(address, size);
        } else if (action == "free_completed" && m_live.contains(address)) {
            free(address, size);
        }
    }

    /// Blocks that are there at the end and were not seen to come were there before.
    void addFinal(std::int64_t address, Bytes size) {
        if (m_live.contains(address))
            m_snapshot.blocks[m_live[address]].bytes = size;
        else
            addEarlier(address, size, -1);
    }

    int events() const { return m_events; }

private:
    void free(std::int64_t address, Bytes size) {
        const auto found = m_live.find(address);
        if (found == m_live.end()) {
            addEarlier(address, size, m_events++);
            return;
        }
        m_snapshot.blocks[found->second].freed = m_events++;
        m_live.erase(found);
    }
    void addEarlier(std::int64_t address, Bytes size, int freed) {
        Allocation block;
        block.freed = freed;
        block.bytes = size;
        block.address = address;
        m_snapshot.blocks.push_back(block);
    }

    /// The innermost frame of the model's own source, else the innermost Python frame; −1 without one.
    int frameOf(Pickle::Value entry) {
        Pickle::Value best = Pickle::kNothing;
        for (const Pickle::Value frame : m_pickle.items(m_pickle.find(entry, "frames"))) {
            const std::string_view file = m_pickle.text(m_pickle.find(frame, "filename"));
            if (!file.ends_with(".py")) continue;
            const bool own = file.find("-packages/torch/") == std::string_view::npos;
            if (own || best == Pickle::kNothing) best = frame;
            if (own) break;
        }
        if (best == Pickle::kNothing) return -1;
        const std::string_view file = m_pickle.text(m_pickle.find(best, "filename"));
        std::string name =
            fmt::format("{}:{} {}", file.substr(file.find_last_of('/') + 1),
                        m_pickle.integer(m_pickle.find(best, "line")), m_pickle.text(m_pickle.find(best, "name")));
        const auto [known, added] = m_frames.try_emplace(name, static_cast<int>(m_snapshot.frames.size()));
        if (added) m_snapshot.frames.push_back(std::move(name));
        return known->second;
    }

    const Pickle& m_pickle;
    MemorySnapshot& m_snapshot;
    std::unordered_map<std::int64_t, std::size_t> m_live;
    std::unordered_map<std::string, int> m_frames;
    int m_events = 0;
};

void addSegments(const Pickle& pickle, History& history, MemorySnapshot& snapshot) {
    for (const Pickle::Value segment : pickle.items(pickle.find(pickle.root(), "segments"))) {
        if (pickle.integer(pickle.find(segment, "device")) != snapshot.device) continue;
        snapshot.reserved += Bytes{pickle.integer(pickle.find(segment, "total_size"))};
        std::int64_t address = pickle.integer(pickle.find(segment, "address"));
        for (const Pickle::Value block : pickle.items(pickle.find(segment, "blocks"))) {
            const std::int64_t size = pickle.integer(pickle.find(block, "size"));
            if (pickle.text(pickle.find(block, "state")) == "active_allocated") history.addFinal(address, Bytes{size});
            address += size;
        }
    }
}

std::vector<Bytes> courseOf(const std::vector<Allocation>& blocks, int events) {
    std::vector<std::int64_t> change(static_cast<std::size_t>(events) + 1);
    for (const Allocation& a : blocks) {
        change[static_cast<std::size_t>(a.born + 1)] += a.bytes.count;
        if (a.freed >= 0) change[static_cast<std::size_t>(a.freed + 1)] -= a.bytes.count;
    }
    std::vector<Bytes> course;
    Bytes now;
    for (std::size_t i = 0; i < change.size(); ++i) {
        now += Bytes{change[i]};
        if (i > 0) course.push_back(now);
    }
    return course;
}

}  // namespace

Bytes MemorySnapshot::peak() const {
    return allocated.empty() ? Bytes{} : *std::max_element(allocated.begin(), allocated.end());
}

Result<MemorySnapshot> readSnapshot(std::string_view bytes, const std::string& name) {
    const auto read = Pickle::read(bytes, name);
    if (!read) return read.error();
    const Pickle& pickle = read.value();
    if (pickle.kind(pickle.root()) != Pickle::Kind::Dict || pickle.find(pickle.root(), "segments") == Pickle::kNothing)
        return unreadable(name, Message::tr("is a pickle, but no memory snapshot: it has no segments"));
    MemorySnapshot snapshot;
    snapshot.file = name;
    const auto& traces = pickle.items(pickle.find(pickle.root(), "device_traces"));
    const auto longest = std::max_element(traces.begin(), traces.end(), [&](Pickle::Value a, Pickle::Value b) {
        return pickle.items(a).size() < pickle.items(b).size();
    });
    if (longest == traces.end() || pickle.items(*longest).empty())
        return unreadable(
            name, Message::tr("holds no history; record one with torch.cuda.memory._record_memory_history() before the step"));
    snapshot.device = static_cast<int>(longest - traces.begin());
    History history(pickle, &snapshot);
    for (const Pickle::Value entry : pickle.items(*longest)) history.add(entry);
    addSegments(pickle, history, snapshot);
    snapshot.allocated = courseOf(snapshot.blocks, history.events());
    return snapshot;
}

Result<MemorySnapshot> loadSnapshot(const std::string& file) {
    const std::string name = std::filesystem::path(file).filename().string();
    std::error_code problem;
    const std::uintmax_t size = std::filesystem::file_size(file, problem);
    if (problem)
        return Error{std::filesystem::exists(file, problem) ? ErrorCode::FileUnreadable : ErrorCode::FileNotFound,
                     fmt::format("{} cannot be read; give the file that _dump_snapshot() wrote.", name),
                     {}};
    if (size > kLargestFile) return unreadable(name, Message::tr("is larger than 2 GiB; record a shorter history (max_entries)"));
    std::ifstream stream(file, std::ios::binary);
    std::ostringstream bytes;
    bytes << stream.rdbuf();
    if (!stream) return unreadable(name, size == 0 ? Message::tr("is empty") : Message::tr("cannot be read"));
    return readSnapshot(bytes.view(), name);
}

int bestOffset(const std::vector<Bytes>& snapshot, const std::vector<Bytes>& step) {
    if (step.empty() || snapshot.size() <= step.size()) return 0;
    const std::size_t last = snapshot.size() - step.size();
    const std::size_t pace = std::max<std::size_t>(1, step.size() / kSamples);
    std::size_t best = 0;
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t offset = 0; offset <= last; ++offset) {
        double sum = 0;
        for (std::size_t i = 0; i < step.size() && sum < least; i += pace)
            sum += std::abs(static_cast<double>((snapshot[offset + i] - step[i]).count));
        if (sum >= least) continue;
        least = sum;
        best = offset;
    }
    return static_cast<int>(best);
}

std::vector<Bytes> allocatedAfter(const Timeline& timeline) { return courseOf(timeline.allocations, timeline.events); }

}  // namespace tidemark
