// SPDX-License-Identifier: Apache-2.0
#include "engine/plan/largestbatch.h"

#include <algorithm>

namespace tidemark {

LargestBatchSearch::LargestBatchSearch(std::int64_t start, std::int64_t limit, int confirmations)
    : m_start(std::clamp<std::int64_t>(start, 1, std::max<std::int64_t>(limit, 1))),
      m_limit(std::max<std::int64_t>(limit, 1)),
      m_confirmations(confirmations) {}

void LargestBatchSearch::tell(std::int64_t size, bool fits) {
    if (size < 1) return;
    m_outcomes[size] = fits;
    m_fails = 0;
    m_fits = 0;
    for (const auto& [known, good] : m_outcomes) {
        if (good && m_fails == 0) m_fits = known;
        if (!good && m_fails == 0) m_fails = known;
    }
    m_monotone = std::none_of(m_outcomes.begin(), m_outcomes.end(),
                              [this](const auto& o) { return o.second && m_fails > 0 && o.first > m_fails; });
}

void LargestBatchSearch::suggest(std::int64_t size) { m_suggested = std::clamp<std::int64_t>(size, 1, m_limit); }

std::optional<std::int64_t> LargestBatchSearch::next() const {
    if (m_fits >= m_limit || (m_fails > 0 && m_fails - m_fits <= 1)) return unconfirmed();
    const auto open = [this](std::int64_t size) {
        return size > m_fits && size <= m_limit && (m_fails == 0 || size < m_fails);
    };
    if (m_suggested) {
        // Away from the suggestion by 1, 2, 4…: a guess that is off by little costs few runs.
        const std::int64_t suggested = *m_suggested;
        if (open(suggested)) return suggested;
        const std::int64_t size = suggested <= m_fits
                                      ? suggested + std::max<std::int64_t>(1, 2 * (m_fits - suggested))
                                      : suggested - std::max<std::int64_t>(1, 2 * (suggested - m_fails));
        if (open(size)) return size;
    }
    if (m_outcomes.empty()) return m_start;
    if (m_fails == 0) return std::min(m_limit, m_fits * 2);
    return m_fits + (m_fails - m_fits) / 2;
}

std::optional<std::int64_t> LargestBatchSearch::unconfirmed() const {
    for (std::int64_t size = m_fits - 1; size >= std::max<std::int64_t>(1, m_fits - m_confirmations); --size)
        if (!m_outcomes.contains(size)) return size;
    return {};
}

LargestBatch LargestBatchSearch::answer() const { return {m_fits, m_fails == 0 && m_fits >= m_limit, m_monotone}; }

}  // namespace tidemark
