// SPDX-License-Identifier: Apache-2.0
#include "engine/plan/liveset.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <map>

namespace tidemark {
namespace {

int keyOf(const Allocation& a, Grouping grouping) {
    switch (grouping) {
    case Grouping::Category: return static_cast<int>(a.category);
    case Grouping::Layer: return a.layer;
    case Grouping::Operator: return a.op;
    case Grouping::Size:
        return std::bit_width(static_cast<std::uint64_t>(std::max<std::int64_t>(a.bytes.count, 1))) - 1;
    case Grouping::SourceLine: return a.line;
    }
    return -1;
}

std::string fileNameOf(const std::string& path) { return path.substr(path.find_last_of("/\\") + 1); }

}  // namespace

std::vector<LiveGroup> liveSet(const Timeline& timeline, int event, Grouping grouping) {
    std::map<int, LiveGroup> groups;
    for (std::size_t i = 0; i < timeline.allocations.size(); ++i) {
        const Allocation& a = timeline.allocations[i];
        if (!isLive(a, event)) continue;
        LiveGroup& group = groups[keyOf(a, grouping)];
        group.key = keyOf(a, grouping);
        group.bytes += a.bytes;
        group.categories[a.category] += a.bytes;
        group.allocations.push_back(static_cast<int>(i));
    }
    std::vector<LiveGroup> sorted;
    for (auto& [key, group] : groups) {
        std::stable_sort(group.allocations.begin(), group.allocations.end(), [&](int a, int b) {
            return timeline.allocations[static_cast<std::size_t>(a)].bytes >
                   timeline.allocations[static_cast<std::size_t>(b)].bytes;
        });
        sorted.push_back(std::move(group));
    }
    std::stable_sort(sorted.begin(), sorted.end(),
                     [](const LiveGroup& a, const LiveGroup& b) { return a.bytes > b.bytes; });
    return sorted;
}

std::string nameOfGroup(const Timeline& timeline, const ModelInfo& model, Grouping grouping, int key) {
    const auto index = static_cast<std::size_t>(key);
    if (key < 0) return {};
    switch (grouping) {
    case Grouping::Category: return index < kCategoryCount ? std::string(keyOf(kCategories[index])) : std::string();
    case Grouping::Layer:
        if (index >= model.layers.size()) return {};
        return model.layers[index].path.empty() ? model.layers[index].name : model.layers[index].path;
    case Grouping::Operator: return index < timeline.ops.size() ? timeline.ops[index] : std::string();
    case Grouping::Size:
        return fmt::format("{} to {}", formatBytes(Bytes{std::int64_t{1} << key}),
                           formatBytes(Bytes{std::int64_t{2} << key}));
    case Grouping::SourceLine: {
        if (index >= timeline.lines.size()) return {};
        const SourceLine& line = timeline.lines[index];
        return fmt::format("{}:{}", fileNameOf(timeline.sources[static_cast<std::size_t>(line.source)].file),
                           line.line);
    }
    }
    return {};
}

std::vector<LineUse> lineUse(const Timeline& timeline) {
    std::vector<LineUse> uses(timeline.lines.size() + 1);
    std::vector<std::map<int, Bytes>> layers(uses.size());
    for (const Allocation& a : timeline.allocations) {
        const std::size_t at = a.line < 0 ? timeline.lines.size() : static_cast<std::size_t>(a.line);
        LineUse& use = uses[at];
        if (isLive(a, timeline.peakEvent)) use.liveAtPeak += a.bytes;
        if (a.born < 0) continue;
        use.allocated += a.bytes;
        ++use.allocations;
        if (a.category == Category::Activations) use.saved += a.bytes;
        layers[at][a.layer] += a.bytes;
    }
    for (std::size_t i = 0; i < uses.size(); ++i) {
        if (i < timeline.lines.size()) uses[i].line = static_cast<int>(i);
        const auto most = std::max_element(layers[i].begin(), layers[i].end(),
                                           [](const auto& a, const auto& b) { return a.second < b.second; });
        if (most != layers[i].end()) uses[i].layer = most->first;
    }
    std::erase_if(uses, [](const LineUse& use) { return use.allocations == 0 && use.liveAtPeak == Bytes{}; });
    return uses;
}

}  // namespace tidemark
