// SPDX-License-Identifier: Apache-2.0
#include "engine/session/cardtable.h"

#include "engine/plan/largestbatch.h"
#include "engine/session/blockingsession.h"
#include "engine/session/probenursery.h"

#include <QFileInfo>

#include <algorithm>
#include <cmath>
#include <map>
#include <mutex>
#include <thread>

namespace tidemark {
namespace {

/// Each worker holds LibTorch in memory.
constexpr std::size_t kMostThreads = 4;

/// The cards of one compute capability, by memory.
using Group = std::vector<Gpu>;

std::vector<Group> groupsOf(const std::vector<Gpu>& cards) {
    std::map<std::pair<int, int>, Group> byCapability;
    for (const Gpu& gpu : cards)
        if (gpu.supported) byCapability[{gpu.capabilityMajor, gpu.capabilityMinor}].push_back(gpu);
    std::vector<Group> groups;
    for (auto& [capability, group] : byCapability) {
        std::stable_sort(group.begin(), group.end(), [](const Gpu& a, const Gpu& b) { return a.memory < b.memory; });
        groups.push_back(std::move(group));
    }
    // The longest work first, so that threads end together.
    std::stable_sort(groups.begin(), groups.end(), [](const Group& a, const Group& b) { return a.size() > b.size(); });
    return groups;
}

/// The card with the middle number of multiprocessors stands for its group.
const Gpu& representativeOf(const Group& group) {
    std::vector<const Gpu*> cards;
    for (const Gpu& gpu : group) cards.push_back(&gpu);
    const auto middle = cards.begin() + static_cast<std::ptrdiff_t>(cards.size() / 2);
    std::nth_element(cards.begin(), middle, cards.end(),
                     [](const Gpu* a, const Gpu* b) { return a->multiprocessors < b->multiprocessors; });
    return **middle;
}

/// Plans the cards of one group on one worker, the small ones first.
class GroupPlan {
public:
    GroupPlan(const Installation& installation, const CardTableRequest& request, const Group& group,
              std::function<void(const CardRow&)> row, std::stop_token stop)
        : m_session(installation),
          m_group(group),
          m_reserve(request.reserve),
          m_largest(request.largest),
          m_row(std::move(row)),
          m_stop(std::move(stop)) {
        m_request.model = request.model;
        m_request.gpu = representativeOf(group);
        m_request.settings = request.settings;
    }

    std::optional<Error> run() {
        const auto answer = m_session.measure(m_request);
        if (!answer) return answer.error();
        m_base = answer.value();
        learn(m_request.settings.batch, kUnlimited, m_base->measurement.get());
        for (const Gpu& gpu : m_group) {
            if (m_stop.stop_requested()) break;
            CardRow row{gpu, {}, {}, m_request.gpu.id};
            const Bytes limit = allocatorLimit(gpu, m_reserve);
            row.fit = fitOf(gpu, limit);
            if (m_largest > 0) row.largest = largestFor(limit, row.fit.fits());
            m_row(row);
        }
        return std::nullopt;
    }

private:
    /// What is known of one size: the limits within which its run would be the same, and whether it fits there.
    struct Outcome {
        std::int64_t batch;
        MemoryRange limits;
        bool fits;
    };

    Fit fitOf(const Gpu& gpu, Bytes limit) {
        const bool estimated = m_base->worker.workspace == "estimate";
        const Measurement& unlimited = *m_base->measurement;
        if (!needsLimitedRun(unlimited, gpu, m_reserve)) return judge(unlimited, nullptr, gpu, m_reserve, estimated);
        const auto limited = measure(m_request.settings.batch, limit, {});
        return judge(unlimited, limited ? limited.get() : nullptr, gpu, m_reserve, estimated);
    }

    LargestBatch largestFor(Bytes limit, bool fits) {
        LargestBatchSearch search(m_request.settings.batch, m_largest);
        search.tell(m_request.settings.batch, fits);
        for (const Outcome& outcome : m_outcomes)
            if (outcome.limits.contains(limit)) search.tell(outcome.batch, outcome.fits);
        if (const auto guess = guessFor(limit)) search.suggest(*guess);
        while (const auto batch = search.next()) {
            if (m_stop.stop_requested()) return {};
            search.tell(*batch, fitsWithin(*batch, limit));
        }
        const LargestBatch answer = search.answer();
        if (const auto used = m_allocated.find(answer.batch); used != m_allocated.end() && !answer.limitReached)
            m_last = {limit, static_cast<double>((limit - used->second).count) / usuallyUnfilled(limit)};
        return answer;
    }

    bool fitsWithin(std::int64_t batch, Bytes limit) {
        const auto trial = measure(batch, limit);
        return trial && !trial->outOfMemory;
    }

    MeasurementPtr measure(std::int64_t batch, Bytes limit, Detail detail = {.peaksOnly = true}) {
        MeasureRequest trial = m_request;
        trial.detail = detail;
        trial.settings.batch = batch;
        trial.memoryLimit = limit;
        const auto answer = m_session.measure(trial);
        const MeasurementPtr measurement = answer ? answer.value().measurement : nullptr;
        learn(batch, limit, measurement.get());
        return measurement;
    }

    /// `measurement`: null for a batch that failed. Where a run does not say which limits it holds for, it holds for its own.
    void learn(std::int64_t batch, Bytes limit, const Measurement* measurement) {
        const bool fits = measurement && !measurement->outOfMemory;
        if (fits) m_allocated[batch] = measurement->highest().allocated;
        const bool knowsLimits = measurement && measurement->sameWithin;
        m_outcomes.push_back({batch, knowsLimits ? *measurement->sameWithin : MemoryRange{limit, limit + Bytes{1}}, fits});
    }

    /// What the caching allocator cannot fill of a card as a rule: some segments, and more where blocks are larger. A guess.
    static double usuallyUnfilled(Bytes limit) {
        constexpr Bytes kSegments = kMiB * 150;
        constexpr double kPart = 0.005;
        return static_cast<double>(kSegments.count) + kPart * static_cast<double>(limit.count);
    }

    /// The same, as far as the last answer tells of this limit.
    double unfilledOf(Bytes limit) const {
        constexpr double kNear = 1.3;
        if (!m_last) return usuallyUnfilled(limit);
        const bool near = static_cast<double>(limit.count) < kNear * static_cast<double>(m_last->limit.count);
        return usuallyUnfilled(limit) * (near ? m_last->ofUsual : (1 + m_last->ofUsual) / 2);
    }

    /// Where allocated memory, a straight line through the least and the largest known size, fills the usual part of this
    /// limit. Only a suggestion of where to measure.
    std::optional<std::int64_t> guessFor(Bytes limit) {
        if (m_allocated.size() < 2) measure(2 * m_request.settings.batch, kUnlimited);
        if (m_allocated.size() < 2) return {};
        const auto last = std::prev(m_allocated.end());
        const auto first = m_allocated.begin();
        const double slope =
            static_cast<double>((last->second - first->second).count) / static_cast<double>(last->first - first->first);
        if (slope <= 0) return {};
        const double room = static_cast<double>((limit - last->second).count) - unfilledOf(limit);
        return last->first + static_cast<std::int64_t>(std::floor(room / slope + 0.5));
    }

    /// How much of a limit the largest batch left, as a part of what is usual.
    struct Unfilled {
        Bytes limit;
        double ofUsual;
    };

    BlockingSession m_session;
    const Group& m_group;
    Reserve m_reserve;
    std::int64_t m_largest;
    std::function<void(const CardRow&)> m_row;
    std::stop_token m_stop;
    MeasureRequest m_request;
    std::optional<Measured> m_base;
    std::map<std::int64_t, Bytes> m_allocated;  ///< by batch
    std::vector<Outcome> m_outcomes;
    std::optional<Unfilled> m_last;
};

}  // namespace

std::optional<Error> planCards(const Installation& installation, const CardTableRequest& request,
                               const std::function<void(const CardRow&)>& row, std::stop_token stop) {
    const std::vector<Group> groups = groupsOf(request.cards);
    const ProbeNursery nursery(installation, QFileInfo(request.model).absoluteFilePath());
    Installation shared = installation;
    shared.nursery = nursery.socket();
    std::mutex mutex;
    std::size_t next = 0;
    std::optional<Error> firstError;
    const auto report = [&](const CardRow& card) {
        const std::lock_guard lock(mutex);
        row(card);
    };
    const auto work = [&] {
        while (!stop.stop_requested()) {
            std::unique_lock lock(mutex);
            if (next >= groups.size()) return;
            const Group& group = groups[next++];
            lock.unlock();
            const auto error = GroupPlan(shared, request, group, report, stop).run();
            lock.lock();
            if (error && !firstError) firstError = error;
        }
    };
    const std::size_t cores = std::max(std::thread::hardware_concurrency(), 1u);
    std::vector<std::jthread> threads;
    for (std::size_t i = 0; i < std::min({groups.size(), kMostThreads, cores}); ++i) threads.emplace_back(work);
    threads.clear();
    return firstError;
}

}  // namespace tidemark
