// SPDX-License-Identifier: Apache-2.0
#include "engine/plan/curve.h"

#include <algorithm>
#include <cmath>

namespace tidemark {
namespace {

Bytes between(Bytes a, Bytes b, double t) {
    return Bytes{a.count + std::llround(static_cast<double>(b.count - a.count) * t)};
}

CurvePoint interpolated(const CurvePoint& a, const CurvePoint& b, std::int64_t size) {
    const double t = static_cast<double>(size - a.size) / static_cast<double>(b.size - a.size);
    CurvePoint point;
    point.size = size;
    point.exact = false;
    for (Category c : kCategories) point.categories[c] = between(a.categories[c], b.categories[c], t);
    point.peak.allocated = point.categories.total();
    // The first iteration may be the higher one; then the categories at the steady peak say less than the peak.
    point.peak.allocated = std::max(point.peak.allocated, between(a.peak.allocated, b.peak.allocated, t));
    point.categories[Category::Temporary] += point.peak.allocated - point.categories.total();
    point.peak.reserved = between(a.peak.reserved, b.peak.reserved, t);
    return point;
}

double reservedSlope(const CurvePoint& a, const CurvePoint& b) {
    return static_cast<double>(b.peak.reserved.count - a.peak.reserved.count) / static_cast<double>(b.size - a.size);
}

struct Gap {
    std::int64_t middle;
    double error;  ///< expected deviation in the middle, in bytes
};

}  // namespace

void MemoryCurve::add(std::int64_t size, const Measurement& measurement) {
    add({size, measurement.highest(), measurement.categories, true});
}

void MemoryCurve::add(const CurvePoint& exact) { m_points[exact.size] = exact; }

std::optional<CurvePoint> MemoryCurve::at(std::int64_t size) const {
    const auto above = m_points.lower_bound(size);
    if (above == m_points.end()) return {};
    if (above->first == size) return above->second;
    if (above == m_points.begin()) return {};
    return interpolated(std::prev(above)->second, above->second, size);
}

std::vector<CurvePoint> MemoryCurve::exactPoints() const {
    std::vector<CurvePoint> points;
    for (const auto& [size, point] : m_points) points.push_back(point);
    return points;
}

std::vector<std::int64_t> MemoryCurve::worthMeasuring(std::int64_t low, std::int64_t high, std::size_t count,
                                                      double tolerance) const {
    std::vector<std::int64_t> sizes;
    for (std::int64_t end : {low, high, low + (high - low) / 2})
        if (!m_points.contains(end) && std::find(sizes.begin(), sizes.end(), end) == sizes.end()) sizes.push_back(end);
    if (!sizes.empty()) {
        sizes.resize(std::min(sizes.size(), count));
        return sizes;
    }
    std::vector<CurvePoint> points;
    double largest = 1;
    for (auto it = m_points.lower_bound(low); it != m_points.end() && it->first <= high; ++it) {
        points.push_back(it->second);
        largest = std::max(largest, static_cast<double>(it->second.peak.reserved.count));
    }
    std::vector<Gap> gaps;
    for (std::size_t i = 0; i + 1 < points.size(); ++i) {
        const std::int64_t width = points[i + 1].size - points[i].size;
        if (width < 2) continue;
        // A chord deviates by the change of slope at its ends times a quarter of its width at most.
        const double slope = reservedSlope(points[i], points[i + 1]);
        double bend = 0;
        if (i > 0) bend = std::max(bend, std::fabs(slope - reservedSlope(points[i - 1], points[i])));
        if (i + 2 < points.size()) bend = std::max(bend, std::fabs(slope - reservedSlope(points[i + 1], points[i + 2])));
        const double error = bend * static_cast<double>(width) / 4;
        if (error > tolerance * largest) gaps.push_back({points[i].size + width / 2, error});
    }
    std::sort(gaps.begin(), gaps.end(), [](const Gap& a, const Gap& b) { return a.error > b.error; });
    for (const Gap& gap : gaps)
        if (sizes.size() < count) sizes.push_back(gap.middle);
    return sizes;
}

}  // namespace tidemark
