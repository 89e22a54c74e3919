// SPDX-License-Identifier: Apache-2.0
#include "app/window/variantplanner.h"

#include <algorithm>
#include <cmath>
#include <set>

namespace tidemark {
namespace {

constexpr int kDetailDelayMs = 60;
constexpr std::int64_t kSmallestCurve = 64;
constexpr std::int64_t kLargestCurve = 8192;
constexpr std::int64_t kLargestSearched = 65536;
constexpr int kEvenSteps = 12;
/// The old curve stays in sight until this many points of the new one are there.
constexpr std::size_t kEnoughPoints = 6;

Settings withBatch(Settings settings, std::int64_t batch) {
    settings.batch = batch;
    return settings;
}

/// Powers of two and even steps, so that both forms of the axis are well covered.
std::vector<std::int64_t> curveBatches(std::int64_t last) {
    std::set<std::int64_t> batches{last};
    for (std::int64_t batch = 1; batch < last; batch *= 2) batches.insert(batch);
    for (int i = 1; i < kEvenSteps; ++i) batches.insert(std::max<std::int64_t>(1, last * i / kEvenSteps));
    return {batches.begin(), batches.end()};
}

}  // namespace

VariantPlanner::VariantPlanner(Session& session, int variant, QObject* parent)
    : QObject(parent), m_session(session), m_variant(variant) {
    m_detailSoon.setSingleShot(true);
    m_detailSoon.setInterval(kDetailDelayMs);
    connect(&m_detailSoon, &QTimer::timeout, this, &VariantPlanner::askDetail);
    connect(&session, &Session::modelOpened, this, [this](quint64 id, const ModelInfo& model) {
        if (m_waiting.erase(id) == 0) return;
        m_model = model;
        forgetAnswers();
        emit modelOpened();
        askCursor();
        m_detailSoon.start();
        startCurve();
    });
    connect(&session, &Session::measured, this, [this](quint64 id, const Measured& answer) {
        const auto waiting = m_waiting.find(id);
        if (waiting == m_waiting.end()) return;
        const Purpose purpose = waiting->second;
        m_waiting.erase(waiting);
        takeMeasured(purpose, answer);
    });
    connect(&session, &Session::failed, this, [this](quint64 id, const Error& error) {
        const auto waiting = m_waiting.find(id);
        if (waiting == m_waiting.end()) return;
        const Purpose purpose = waiting->second;
        m_waiting.erase(waiting);
        takeFailed(purpose, error);
    });
    connect(&session, &Session::dropped, this, [this](quint64 id) {
        const auto waiting = m_waiting.find(id);
        if (waiting == m_waiting.end()) return;
        if (waiting->second == Purpose::Search) m_searching = false;
        m_waiting.erase(waiting);
    });
}

VariantPlanner::~VariantPlanner() {
    for (const Lane lane : {Lane::Cursor, Lane::Detail, Lane::Curve, Lane::Search}) m_session.drop(lane, m_variant);
}

void VariantPlanner::open(const QString& path, const Gpu& gpu, const Settings& settings) {
    m_path = path;
    m_gpu = gpu;
    m_settings = settings;
    reload();
}

void VariantPlanner::reload() {
    if (m_path.isEmpty()) return;
    std::erase_if(m_waiting, [](const auto& entry) { return entry.second == Purpose::Open; });
    m_waiting[m_session.open(m_path, m_gpu, m_settings)] = Purpose::Open;
}

void VariantPlanner::forgetAnswers() {
    for (const Lane lane : {Lane::Curve, Lane::Search}) m_session.drop(lane, m_variant);
    std::erase_if(m_waiting, [](const auto& entry) { return entry.second != Purpose::Open; });
    if (m_points.size() >= kEnoughPoints) m_oldPoints = m_points;
    m_points.clear();
    m_exact.reset();
    m_error.reset();
    m_detailCurrent = false;
    m_curveWaiting = 0;
    m_searching = false;
    m_largestBounded = false;
    m_largest.reset();
    m_fits = m_fails = 0;
}

void VariantPlanner::setGpu(const Gpu& gpu) {
    if (gpu.id == m_gpu.id) return;
    m_gpu = gpu;
    if (!m_model) {
        if (!m_path.isEmpty()) reload();
        return;
    }
    forgetAnswers();
    emit largestChanged();
    askCursor();
    m_detailSoon.start();
    startCurve();
}

void VariantPlanner::setSettings(const Settings& settings) {
    if (settings == m_settings) return;
    const bool onlyBatch = withBatch(settings, m_settings.batch) == m_settings;
    const bool inputs = settings.inputs != m_settings.inputs;
    m_settings = settings;
    if (!m_model) {
        if (inputs && !m_path.isEmpty()) reload();
        return;
    }
    m_exact.reset();
    m_error.reset();
    m_detailCurrent = false;
    if (!onlyBatch) {
        forgetAnswers();
        emit largestChanged();
    }
    askCursor();
    m_detailSoon.start();
    if (!onlyBatch) startCurve();
    else extendCurve();
}

void VariantPlanner::setDetailed(bool detailed) {
    if (m_detailed == detailed) return;
    m_detailed = detailed;
    if (detailed && m_model && !m_detailCurrent) m_detailSoon.start();
}

MeasureRequest VariantPlanner::request(std::int64_t batch, Lane lane) const {
    MeasureRequest request;
    request.model = m_path;
    request.gpu = m_gpu;
    request.settings = withBatch(m_settings, batch);
    request.lane = lane;
    request.variant = m_variant;
    return request;
}

void VariantPlanner::send(MeasureRequest request, Purpose purpose) {
    m_waiting[m_session.measure(std::move(request))] = purpose;
}

void VariantPlanner::askCursor() {
    MeasureRequest cursor = request(m_settings.batch, Lane::Cursor);
    if (MeasurementPtr known = m_session.cached(cursor)) {
        m_exact = known;
        keepPoint(m_settings, *known);
    } else send(std::move(cursor), Purpose::Cursor);
    emit figuresChanged();
}

void VariantPlanner::askDetail() {
    if (!m_detailed || !m_model) return;
    MeasureRequest detail = request(m_settings.batch, Lane::Detail);
    detail.detail = {true, true};
    send(std::move(detail), Purpose::Detail);
}

void VariantPlanner::startCurve() {
    askCurve(curveBatches(std::max(kSmallestCurve, std::min(kLargestCurve, 2 * m_settings.batch))));
}

void VariantPlanner::extendCurve() {
    const std::int64_t last = m_points.empty() ? 0 : m_points.rbegin()->first;
    if (m_curveWaiting == 0 && m_settings.batch > last && m_settings.batch < kLargestCurve)
        askCurve(curveBatches(std::min(kLargestCurve, m_settings.batch * 5 / 4)));
}

void VariantPlanner::askCurve(const std::vector<std::int64_t>& batches) {
    for (const std::int64_t batch : batches) {
        if (m_points.contains(batch)) continue;
        ++m_curveWaiting;
        send(request(batch, Lane::Curve), Purpose::Curve);
    }
    if (m_curveWaiting == 0 && !m_largest && !m_searching) startSearch();
}

Bytes VariantPlanner::limit() const { return m_gpu.memory - m_gpu.context.expected; }

void VariantPlanner::startSearch() {
    m_searching = true;
    m_fits = m_fails = 0;
    for (const auto& [batch, point] : m_points) {
        if (point.reserved <= limit()) m_fits = std::max(m_fits, batch);
    }
    continueSearch();
}

void VariantPlanner::continueSearch() {
    if (m_fails > 0 && m_fails - m_fits <= 1) return finishSearch(m_fits, false);
    if (m_fits >= kLargestSearched) return finishSearch(m_fits, true);
    if (m_fails > 0) {
        m_probing = m_fits + (m_fails - m_fits) / 2;
        // Reserved memory is close to a straight line in the batch: look beside where it crosses the limit first.
        const auto above = std::find_if(m_points.begin(), m_points.end(), [this](const auto& p) { return p.second.reserved > limit(); });
        if (above != m_points.end() && above != m_points.begin() && m_fails - m_fits > 8) {
            const auto below = std::prev(above);
            const double share = static_cast<double>((limit() - below->second.reserved).count) /
                                 static_cast<double>((above->second.reserved - below->second.reserved).count);
            const auto crossing = below->first + static_cast<std::int64_t>(share * static_cast<double>(above->first - below->first));
            if (crossing > m_fits && crossing < m_fails) m_probing = crossing;
            else if (crossing <= m_fits) m_probing = std::min(m_fails - 1, m_fits + std::max<std::int64_t>(1, m_fits / 32));
        }
    } else {
        const auto above = std::find_if(m_points.begin(), m_points.end(), [this](const auto& p) { return p.second.reserved > limit(); });
        m_probing = above != m_points.end() && above->first > m_fits ? above->first : std::max<std::int64_t>(1, m_fits * 2);
    }
    MeasureRequest probe = request(m_probing, Lane::Search);
    probe.memoryLimit = limit();
    send(std::move(probe), Purpose::Search);
}

void VariantPlanner::finishSearch(std::int64_t largest, bool bounded) {
    m_searching = false;
    m_largest = largest;
    m_largestBounded = bounded;
    emit largestChanged();
    emit figuresChanged();
    const std::int64_t last = m_points.empty() ? 0 : m_points.rbegin()->first;
    const std::int64_t wanted = std::clamp(largest + largest / 4 + 1, kSmallestCurve / 4, kLargestCurve);
    if (wanted > last) askCurve(curveBatches(wanted));
}

bool VariantPlanner::isCurrentKey(const MeasureRequest& request) const {
    return request.model == m_path && request.gpu.id == m_gpu.id && withBatch(request.settings, m_settings.batch) == m_settings;
}

void VariantPlanner::takeMeasured(Purpose purpose, const Measured& answer) {
    m_worker = answer.worker;
    if (!isCurrentKey(answer.request)) return;
    const Measurement& measurement = *answer.measurement;
    const bool here = answer.request.settings.batch == m_settings.batch;
    switch (purpose) {
        case Purpose::Search:
            if (measurement.outOfMemory) m_fails = m_probing;
            else m_fits = m_probing;
            if (m_searching) continueSearch();
            return;
        case Purpose::Detail:
            if (!here) return;
            m_detail = answer.measurement;
            m_detailCurrent = true;
            emit detailChanged();
            break;
        case Purpose::Curve: m_curveWaiting = std::max(0, m_curveWaiting - 1); break;
        case Purpose::Cursor:
        case Purpose::Open: break;
    }
    keepPoint(answer.request.settings, measurement);
    if (here) {
        m_exact = answer.measurement;
        m_error.reset();
        emit figuresChanged();
    }
    if (m_points.size() >= kEnoughPoints || m_curveWaiting == 0) {
        m_oldPoints.clear();
        emit pointsChanged();
    }
    if (purpose == Purpose::Curve && m_curveWaiting == 0 && !m_largest && !m_searching) startSearch();
}

void VariantPlanner::takeFailed(Purpose purpose, const Error& error) {
    switch (purpose) {
        case Purpose::Open:
            m_error = error;
            emit openFailed(error);
            return;
        case Purpose::Curve:
            m_curveWaiting = std::max(0, m_curveWaiting - 1);
            if (m_curveWaiting == 0 && !m_points.empty() && !m_largest && !m_searching) startSearch();
            return;
        case Purpose::Search: m_searching = false; return;
        case Purpose::Cursor:
        case Purpose::Detail:
            if (error.code == ErrorCode::Cancelled) return;
            m_error = error;
            emit figuresChanged();
            emit failed(error);
    }
}

MemoryPoint VariantPlanner::pointOf(std::int64_t batch, const Measurement& measurement) const {
    const Peak peak = measurement.highest();
    MemoryPoint point;
    point.x = batch;
    point.categories = measurement.categories;
    point.reserved = peak.reserved;
    point.process = peak.reserved + m_gpu.context.expected;
    point.processLow = peak.reserved + m_gpu.context.low;
    point.processHigh = peak.reserved + m_gpu.context.high;
    return point;
}

void VariantPlanner::keepPoint(const Settings& settings, const Measurement& measurement) {
    if (!measurement.outOfMemory) m_points[settings.batch] = pointOf(settings.batch, measurement);
}

std::vector<MemoryPoint> VariantPlanner::points() const {
    std::vector<MemoryPoint> points;
    for (const auto& entry : m_oldPoints.empty() ? m_points : m_oldPoints) points.push_back(entry.second);
    return points;
}

std::optional<PeakFigures> VariantPlanner::figures() const {
    PeakFigures figures;
    figures.batch = m_settings.batch;
    std::optional<MemoryPoint> point;
    if (m_exact && !m_exact->outOfMemory) {
        point = pointOf(m_settings.batch, *m_exact);
        figures.exact = true;
        figures.allocated = m_exact->steady.allocated;
    } else {
        const auto after = m_points.upper_bound(m_settings.batch);
        if (after == m_points.end() || after == m_points.begin()) return {};
        const MemoryPoint& a = std::prev(after)->second;
        const MemoryPoint& b = after->second;
        point = interpolated(a, b, m_settings.batch);
        figures.allocated = point->categories.total();
    }
    figures.categories = point->categories;
    figures.reserved = point->reserved;
    figures.process = point->process;
    figures.processLow = point->processLow;
    figures.processHigh = point->processHigh;
    return figures;
}

FitState VariantPlanner::fit() const {
    const auto now = figures();
    if (!now) return FitState::Unknown;
    if (now->processHigh <= m_gpu.memory) return FitState::Fits;
    if (now->process <= m_gpu.memory || (m_largest && m_settings.batch <= *m_largest)) return FitState::Tight;
    return FitState::DoesNotFit;
}

}  // namespace tidemark
