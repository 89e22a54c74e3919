// SPDX-License-Identifier: Apache-2.0
#include "engine/plan/axissearch.h"

#include <algorithm>
#include <array>
#include <cstdlib>

namespace tidemark {
namespace {

/// Powers of two, and multiples of the patches and windows of vision transformers (7, 14, 16).
constexpr std::array<std::int64_t, 13> kSteps{1, 2, 4, 7, 8, 14, 16, 28, 32, 56, 64, 128, 224};

}  // namespace

AxisSearch::AxisSearch(std::string axis, std::int64_t present, std::int64_t limit, int confirmations)
    : m_axis(std::move(axis)),
      m_present(std::max<std::int64_t>(present, 1)),
      m_limit(std::max(limit, m_present)),
      m_confirmations(confirmations) {}

std::optional<std::int64_t> AxisSearch::sizeToTry() const {
    if (m_step > 0) return {};
    return m_tried < kSteps.size() ? m_present + kSteps[m_tried] : m_present - kSteps[m_tried - kSteps.size()];
}

std::optional<AxisSearch::Trial> AxisSearch::next() const {
    if (const auto size = sizeToTry()) return Trial{*size, false};
    const auto index = m_search->next();
    if (!index) return {};
    return Trial{sizeOf(*index), true};
}

/// Numbered so that index 1 is the smallest size of at least 1.
void AxisSearch::settleStep(std::int64_t step) {
    m_step = step;
    m_offset = m_present % step == 0 ? 0 : m_present % step - step;
    m_search.emplace((m_present - m_offset) / step, (m_limit - m_offset) / step, m_confirmations);
}

void AxisSearch::tell(const Trial& trial, TrialOutcome outcome) {
    const bool fails = outcome == TrialOutcome::Fails;
    if (trial.withinCard) {
        if (fails) m_fails = m_fails == 0 ? trial.size : std::min(m_fails, trial.size);
        m_search->tell((trial.size - m_offset) / m_step, outcome == TrialOutcome::Fits);
        return;
    }
    if (!fails) return settleStep(std::abs(trial.size - m_present));
    if (++m_tried == kSteps.size()) {
        m_limit = m_present;
        m_fails = m_present + 1;
    }
    const bool allTried = m_tried >= 2 * kSteps.size() || (m_tried >= kSteps.size() && *sizeToTry() < 1);
    if (allTried) settleStep(m_present);
}

void AxisSearch::suggest(std::int64_t size) {
    if (m_search) m_search->suggest((size - m_offset) / m_step);
}

LargestSize AxisSearch::answer() const {
    LargestSize largest;
    largest.axis = m_axis;
    if (!m_search) return largest;
    const LargestBatch found = m_search->answer();
    largest.size = found.batch > 0 ? sizeOf(found.batch) : 0;
    largest.step = m_step;
    largest.endsModel = largest.size > 0 && m_fails > largest.size && m_fails <= largest.size + m_step;
    largest.limitReached = found.limitReached && !largest.endsModel;
    largest.monotone = found.monotone;
    return largest;
}

}  // namespace tidemark
