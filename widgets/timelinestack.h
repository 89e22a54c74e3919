// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/plan/measurement.h"

#include <array>
#include <vector>

namespace tidemark {

/// A timeline summed up for drawing: bytes of every category after every event, and quick answers about moments.
class TimelineStack {
public:
    TimelineStack() = default;
    explicit TimelineStack(const Timeline& timeline);

    int events() const { return m_events; }
    Bytes at(Category category, int event) const { return {m_sums[static_cast<std::size_t>(category)][event]}; }
    Bytes total(int event) const { return {m_total[event]}; }
    Bytes highest() const { return m_highest; }

    /// Events that show the course between `from` and `to` in at most 2 × `buckets` + 3 points: of each bucket the
    /// highest and the lowest, in order, and the ends.
    std::vector<int> sampled(int from, int to, int buckets) const;

    /// Indices of the allocations alive after the event, largest first.
    static std::vector<int> largestLive(const Timeline& timeline, int event, std::size_t count);
    /// Bytes after every event that belong to the marked layers.
    static std::vector<std::int64_t> ofLayers(const Timeline& timeline, const std::vector<bool>& layers);
    static bool isLive(const Allocation& allocation, int event) {
        return allocation.born <= event && (allocation.freed < 0 || allocation.freed > event);
    }

private:
    int m_events = 0;
    std::array<std::vector<std::int64_t>, kCategoryCount> m_sums;
    std::vector<std::int64_t> m_total;
    Bytes m_highest;
};

}  // namespace tidemark
