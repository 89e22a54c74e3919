// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/plan/measurement.h"

#include <map>
#include <optional>
#include <vector>

namespace tidemark {

/// Memory at one batch size (or one size of another axis).
struct CurvePoint {
    std::int64_t size = 0;
    Peak peak;                 ///< the highest of all iterations
    CategoryBytes categories;  ///< at the steady peak; for an interpolated point they sum to peak.allocated
    bool exact = true;         ///< false: interpolated between two exact points
};

/// Memory against one axis: exact points and straight lines between neighbours. Outside of the exact points there is
/// nothing: a curve is never extrapolated.
class MemoryCurve {
public:
    void add(std::int64_t size, const Measurement& measurement);
    void add(const CurvePoint& exact);
    void clear() { m_points.clear(); }

    std::optional<CurvePoint> at(std::int64_t size) const;
    std::vector<CurvePoint> exactPoints() const;
    bool isEmpty() const { return m_points.empty(); }

    /// Sizes worth measuring next so that the curve is right between `low` and `high`, the most useful first: the ends,
    /// then the middles of the gaps whose neighbours bend most, until no gap is expected to be off by more than
    /// `tolerance` of the largest value. At most `count`.
    std::vector<std::int64_t> worthMeasuring(std::int64_t low, std::int64_t high, std::size_t count,
                                             double tolerance = 0.005) const;

private:
    std::map<std::int64_t, CurvePoint> m_points;
};

}  // namespace tidemark
