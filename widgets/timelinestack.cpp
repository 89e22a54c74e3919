// SPDX-License-Identifier: Apache-2.0
#include "widgets/timelinestack.h"

#include <algorithm>
#include <numeric>

namespace tidemark {
namespace {

void add(std::vector<std::int64_t>& changes, const Allocation& allocation) {
    const int end = static_cast<int>(changes.size());
    const int born = std::max(allocation.born, 0);
    if (born >= end) return;
    changes[born] += allocation.bytes.count;
    if (allocation.freed >= 0 && allocation.freed < end)
        changes[std::max(allocation.freed, 0)] -= allocation.bytes.count;
}

}  // namespace

TimelineStack::TimelineStack(const Timeline& timeline) : m_events(std::max(timeline.events, 0)) {
    for (auto& sums : m_sums) sums.assign(m_events, 0);
    for (const auto& allocation : timeline.allocations)
        add(m_sums[static_cast<std::size_t>(allocation.category)], allocation);
    m_total.assign(m_events, 0);
    for (auto& sums : m_sums) {
        std::partial_sum(sums.begin(), sums.end(), sums.begin());
        for (int event = 0; event < m_events; ++event) m_total[event] += sums[event];
    }
    if (m_events > 0) m_highest = {*std::max_element(m_total.begin(), m_total.end())};
}

std::vector<int> TimelineStack::sampled(int from, int to, int buckets) const {
    std::vector<int> events;
    from = std::clamp(from, 0, std::max(0, m_events - 1));
    to = std::clamp(to, from, std::max(0, m_events - 1));
    if (m_events == 0) return events;
    const int count = to - from + 1;
    if (count <= 2 * buckets) {
        events.resize(count);
        std::iota(events.begin(), events.end(), from);
        return events;
    }
    events.reserve(2 * static_cast<std::size_t>(buckets) + 2);
    events.push_back(from);
    for (int bucket = 0; bucket < buckets; ++bucket) {
        const auto begin = m_total.begin() + from + static_cast<std::int64_t>(count) * bucket / buckets;
        const auto end = m_total.begin() + from + static_cast<std::int64_t>(count) * (bucket + 1) / buckets;
        const auto [low, high] = std::minmax_element(begin, end);
        const int first = static_cast<int>(std::min(low, high) - m_total.begin());
        const int second = static_cast<int>(std::max(low, high) - m_total.begin());
        if (first > events.back()) events.push_back(first);
        if (second > events.back()) events.push_back(second);
    }
    if (to > events.back()) events.push_back(to);
    return events;
}

std::vector<int> TimelineStack::largestLive(const Timeline& timeline, int event, std::size_t count) {
    std::vector<int> live;
    for (std::size_t i = 0; i < timeline.allocations.size(); ++i)
        if (isLive(timeline.allocations[i], event)) live.push_back(static_cast<int>(i));
    const auto larger = [&](int a, int b) { return timeline.allocations[a].bytes > timeline.allocations[b].bytes; };
    const std::size_t kept = std::min(count, live.size());
    std::partial_sort(live.begin(), live.begin() + static_cast<std::ptrdiff_t>(kept), live.end(), larger);
    live.resize(kept);
    return live;
}

std::vector<std::int64_t> TimelineStack::ofLayers(const Timeline& timeline, const std::vector<bool>& layers) {
    std::vector<std::int64_t> sums(std::max(timeline.events, 0), 0);
    for (const auto& allocation : timeline.allocations)
        if (allocation.layer >= 0 && allocation.layer < static_cast<int>(layers.size()) && layers[allocation.layer])
            add(sums, allocation);
    std::partial_sum(sums.begin(), sums.end(), sums.begin());
    return sums;
}

}  // namespace tidemark
