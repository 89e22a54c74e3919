// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/plan/largestbatch.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>

namespace tidemark {

/// What one trial of a size came to. Fails: the model does not run with this size, on any card.
enum class TrialOutcome { Fits, OutOfMemory, Fails };

struct LargestSize {
    std::string axis;
    std::int64_t size = 0;      ///< 0: none fits
    std::int64_t step = 1;      ///< of the sizes that the model takes: the answer is the largest among these
    bool limitReached = false;  ///< the search ended at its own upper end
    bool endsModel = false;     ///< a step more and the model fails, not the card
    bool monotone = true;       ///< false: a larger size fits although a smaller one does not

    /// The present size is the only one that the model takes.
    bool isOnlySize() const { return endsModel && step == size; }
};

/// Finds the largest size of an axis (sequence length, image side) with which a step fits, by asking for exact runs.
/// Models take few sizes: a side divisible by 32, at most 1024 positions. So the search first looks for the smallest
/// step from the present size that the model takes, upward or else downward, in runs without a limit of memory, and
/// then goes in such steps as LargestBatchSearch does. A size with which the model fails counts as too large.
class AxisSearch {
public:
    /// `present`: a size with which the model runs. `limit`, `confirmations`: as for LargestBatchSearch.
    AxisSearch(std::string axis, std::int64_t present, std::int64_t limit = 1 << 20, int confirmations = 2);

    struct Trial {
        std::int64_t size;
        bool withinCard;  ///< false: run without a limit of memory
    };
    /// The run wanted next; empty when the answer is there.
    std::optional<Trial> next() const;
    void tell(const Trial& trial, TrialOutcome outcome);
    /// A guess of the answer.
    void suggest(std::int64_t size);

    /// Meaningful once next() is empty.
    LargestSize answer() const;

private:
    std::int64_t sizeOf(std::int64_t index) const { return m_offset + index * m_step; }
    std::optional<std::int64_t> sizeToTry() const;
    void settleStep(std::int64_t step);

    std::string m_axis;
    std::int64_t m_present;
    std::int64_t m_limit;
    int m_confirmations;
    std::size_t m_tried = 0;                     ///< of the steps that models take, all upward, then all downward
    std::int64_t m_step = 0;                     ///< 0: not known yet
    std::int64_t m_offset = 0;                   ///< sizes are this and a number of steps
    std::int64_t m_fails = 0;                    ///< smallest size at which the model fails; 0: none seen
    std::optional<LargestBatchSearch> m_search;  ///< over the number of steps
};

}  // namespace tidemark
