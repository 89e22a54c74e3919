// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/plan/fit.h"

#include <cstdint>
#include <map>
#include <optional>

namespace tidemark {

/// Finds the largest size (batch, sequence length, image side) that fits by asking for exact runs: doubling until one
/// does not fit, then bisection. It answers only with a size that was seen to fit, next to one that was seen not to,
/// or with the upper limit itself.
class LargestBatchSearch {
public:
    /// `start`: where to begin, best a guess near the answer. `limit`: the largest size ever asked for. `confirmations`:
    /// how many sizes just below the answer must have been seen to fit as well, because fragmentation can spare one.
    explicit LargestBatchSearch(std::int64_t start = 1, std::int64_t limit = 1 << 16, int confirmations = 0);

    /// The size to run next; empty when the answer is there.
    std::optional<std::int64_t> next() const;
    /// The outcome of a run; also of runs nobody asked for, in any order.
    void tell(std::int64_t size, bool fits);
    /// A guess of the answer, from a curve say: it is asked for next, then sizes ever further from it until the answer
    /// lies between two of them.
    void suggest(std::int64_t size);

    bool done() const { return !next().has_value(); }
    /// Meaningful once done. Where a size was seen to fit although a smaller one does not (fragmentation), it is the
    /// largest below the smallest failure.
    LargestBatch answer() const;
    int runs() const { return static_cast<int>(m_outcomes.size()); }

private:
    std::optional<std::int64_t> unconfirmed() const;

    std::int64_t m_start;
    std::int64_t m_limit;
    int m_confirmations;
    std::int64_t m_fits = 0;   ///< largest size that fits below the smallest failure; 0: none
    std::int64_t m_fails = 0;  ///< smallest size that does not fit; 0: none seen
    std::optional<std::int64_t> m_suggested;
    std::map<std::int64_t, bool> m_outcomes;
    bool m_monotone = true;
};

}  // namespace tidemark
