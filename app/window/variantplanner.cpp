// SPDX-License-Identifier: Apache-2.0
#include "app/window/variantplanner.h"

#include <algorithm>

namespace tidemark {
namespace {

constexpr int kDetailDelayMs = 60;
/// Points found while the slider is dragged appear together: drawing the curve for each would cost frames.
constexpr int kPointsDelayMs = 120;
constexpr std::int64_t kFirstCurve = 64;  ///< until there is a guess of the largest batch
constexpr std::int64_t kShortestCurve = 8;
constexpr std::int64_t kLargestCurve = 8192;
constexpr std::int64_t kFurthestGuess = 1 << 16;
constexpr std::size_t kCurveRound = 6;
constexpr std::size_t kCurvePoints = 40;
/// Enough of a curve to guess the largest batch from; the rest is asked for when the range is known.
constexpr std::size_t kFirstPoints = 8;
/// The old curve stays in sight until this many points of the new one are there.
constexpr std::size_t kEnoughPoints = 4;

Settings withBatch(Settings settings, std::int64_t batch) {
    settings.batch = batch;
    return settings;
}

/// Where allocated memory would reach the limit on a straight line through two points; empty when it never grows.
std::optional<std::int64_t> reach(const CurvePoint& a, const CurvePoint& b, Bytes limit) {
    const Bytes growth = b.peak.allocated - a.peak.allocated;
    if (growth <= Bytes{}) return {};
    const double share = static_cast<double>((limit - a.peak.allocated).count) / static_cast<double>(growth.count);
    const double size = static_cast<double>(a.size) + share * static_cast<double>(b.size - a.size);
    return static_cast<std::int64_t>(std::clamp(size, 1.0, static_cast<double>(kFurthestGuess)));
}

/// Where exact runs should look for the largest batch: between the points that enclose the limit, else on the line
/// through the last two. By allocated memory, since the allocator gives cached blocks back before a step runs out of
/// the card's. Where to look only, never an answer.
std::optional<std::int64_t> guessedLargest(const std::vector<CurvePoint>& points, Bytes limit) {
    for (std::size_t i = 1; i < points.size(); ++i)
        if (points[i - 1].peak.allocated <= limit && points[i].peak.allocated > limit)
            return reach(points[i - 1], points[i], limit);
    if (points.size() < 2) return {};
    return reach(points[points.size() - 2], points.back(), limit);
}

}  // namespace

VariantPlanner::VariantPlanner(Session& session, int variant, QObject* parent)
    : QObject(parent), m_session(session), m_variant(variant) {
    m_detailSoon.setSingleShot(true);
    m_detailSoon.setInterval(kDetailDelayMs);
    connect(&m_detailSoon, &QTimer::timeout, this, &VariantPlanner::askDetail);
    m_pointsSoon.setSingleShot(true);
    m_pointsSoon.setInterval(kPointsDelayMs);
    connect(&m_pointsSoon, &QTimer::timeout, this, &VariantPlanner::pointsChanged);
    const auto taken = [this](quint64 id) -> std::optional<Waiting> {
        const auto found = m_waiting.find(id);
        if (found == m_waiting.end()) return {};
        const Waiting waiting = found->second;
        m_waiting.erase(found);
        return waiting;
    };
    connect(&session, &Session::modelOpened, this, [=, this](quint64 id, const ModelInfo& model) {
        if (taken(id)) takeModel(model);
    });
    connect(&session, &Session::measured, this, [=, this](quint64 id, const Measured& answer) {
        if (const auto waiting = taken(id)) takeMeasured(*waiting, answer);
    });
    connect(&session, &Session::failed, this, [=, this](quint64 id, const Error& error) {
        if (const auto waiting = taken(id)) takeFailed(*waiting, error);
    });
    connect(&session, &Session::dropped, this, [=](quint64 id) { taken(id); });
}

VariantPlanner::~VariantPlanner() {
    for (const Lane lane : {Lane::Cursor, Lane::Detail, Lane::Curve, Lane::Search}) m_session.drop(lane, m_variant);
}

void VariantPlanner::open(const QString& path, const PlannedCard& card, const Settings& settings) {
    m_path = path;
    m_card = card;
    m_settings = settings;
    reload();
}

void VariantPlanner::reload() {
    if (m_path.isEmpty()) return;
    std::erase_if(m_waiting, [](const auto& entry) { return entry.second.purpose == Purpose::Open; });
    m_error.reset();
    m_waiting[m_session.open(m_path, m_card.device, m_settings)] = {Purpose::Open, 0};
}

void VariantPlanner::takeModel(const ModelInfo& model) {
    m_model = model;
    forgetAnswers();
    m_oldCurve.clear();
    m_detail.reset();
    emit modelOpened();
    measureAnew();
}

void VariantPlanner::setCard(const PlannedCard& card) {
    const bool sameDevice = card.device.id == m_card.device.id && card.device.memory == m_card.device.memory;
    if (sameDevice && card.gpu.memory == m_card.gpu.memory && card.gpu.context == m_card.gpu.context &&
        card.reserve == m_card.reserve)
        return;
    m_card = card;
    if (!m_model) return;
    if (!sameDevice) {
        forgetAnswers();
        measureAnew();
        return;
    }
    forgetFit();
    askCursor();
    emit pointsChanged();
    if (m_curveWaiting == 0) askCurve();
}

void VariantPlanner::setSettings(const Settings& settings) {
    if (settings == m_settings) return;
    const bool onlyBatch = withBatch(settings, m_settings.batch) == m_settings;
    const bool inputs = settings.inputs != m_settings.inputs;
    m_settings = settings;
    if (!m_model) {
        if (inputs) reload();
        return;
    }
    if (!onlyBatch) {
        forgetAnswers();
        measureAnew();
        return;
    }
    m_widest = std::max(m_widest, m_settings.batch * 5 / 4);
    m_exact.reset();
    m_limited.reset();
    m_error.reset();
    m_detailCurrent = false;
    askCursor();
    m_detailSoon.start();
    if (m_curveWaiting == 0) askCurve();
}

void VariantPlanner::setDetailed(bool detailed) {
    if (m_detailed == detailed) return;
    m_detailed = detailed;
    if (detailed && m_model && !(m_detailCurrent && m_detail->timeline)) m_detailSoon.start();
}

void VariantPlanner::forgetAnswers() {
    for (const Lane lane : {Lane::Curve, Lane::Search}) m_session.drop(lane, m_variant);
    std::erase_if(m_waiting, [](const auto& entry) { return entry.second.purpose != Purpose::Open; });
    if (m_curve.exactPoints().size() >= kEnoughPoints) m_oldCurve = m_curve;
    m_curve.clear();
    m_failedSizes.clear();
    m_curveStart = 1;
    m_curveWaiting = 0;
    m_exact.reset();
    m_error.reset();
    m_detailCurrent = false;
    forgetFit();
}

/// What depends on how much of the card there is.
void VariantPlanner::forgetFit() {
    m_session.drop(Lane::Search, m_variant);
    std::erase_if(m_waiting, [](const auto& entry) {
        return entry.second.purpose == Purpose::Search || entry.second.purpose == Purpose::Limited;
    });
    m_limited.reset();
    m_search.reset();
    m_largest.reset();
}

void VariantPlanner::measureAnew() {
    m_widest = m_settings.batch * 5 / 4;
    m_largestWasFound = false;
    askCursor();
    m_detailSoon.start();
    askCurve();
    emit pointsChanged();
}

void VariantPlanner::send(std::int64_t batch, Lane lane, Purpose purpose) {
    MeasureRequest request;
    request.model = m_path;
    request.gpu = m_card.device;
    request.settings = withBatch(m_settings, batch);
    request.lane = lane;
    request.variant = m_variant;
    if (purpose == Purpose::Detail) request.detail = {true, m_detailed};
    if (purpose == Purpose::Search || purpose == Purpose::Limited)
        request.memoryLimit = allocatorLimit(m_card.gpu, m_card.reserve);
    if (purpose == Purpose::Cursor) {
        if (MeasurementPtr known = m_session.cached(request)) {
            takeExact(std::move(known));
            return;
        }
    }
    m_waiting[m_session.measure(std::move(request))] = {purpose, batch};
}

void VariantPlanner::askCursor() {
    send(m_settings.batch, Lane::Cursor, Purpose::Cursor);
    emit figuresChanged();
}

void VariantPlanner::askDetail() {
    if (m_model) send(m_settings.batch, Lane::Detail, Purpose::Detail);
}

std::int64_t VariantPlanner::curveEnd() const {
    const auto points = m_curve.exactPoints();
    std::int64_t end = std::max(kFirstCurve, m_widest);
    const auto guess = guessedLargest(points, allocatorLimit(m_card.gpu, m_card.reserve));
    if (m_largest || guess) {
        const std::int64_t largest = m_largest ? m_largest->batch : *guess;
        end = std::max({m_widest, kShortestCurve, largest * 5 / 4});
    }
    if (!m_largestWasFound && !points.empty()) end = std::max(end, points.back().size);
    return std::min(std::max(end, m_reach), kLargestCurve);
}

/// Without the points that lie far beyond what fits: the first guess of the largest batch may have been much too large.
std::vector<CurvePoint> VariantPlanner::shownPoints() const {
    std::vector<CurvePoint> points = (m_oldCurve.isEmpty() ? m_curve : m_oldCurve).exactPoints();
    const std::int64_t end = curveEnd();
    if (m_oldCurve.isEmpty() && m_largestWasFound)
        std::erase_if(points, [end](const CurvePoint& point) { return point.size > end; });
    return points;
}

std::int64_t VariantPlanner::curveReach() const { return m_largestWasFound ? std::min(m_widest, kLargestCurve) : 0; }

void VariantPlanner::extendTo(std::int64_t batch) {
    if (batch <= m_reach) return;
    m_reach = batch;
    if (m_model && m_curveWaiting == 0) askCurve();
}

void VariantPlanner::askCurve() {
    const auto known = m_curve.exactPoints();
    std::vector<std::int64_t> sizes;
    // The chosen batch, which is asked for anyway, and one example tell how far the curve has to go.
    const bool isStartKnown = !known.empty() && known.front().size == m_curveStart;
    if (known.size() < 2 && !isStartKnown && m_settings.batch > m_curveStart)
        sizes = {m_curveStart};
    else if (known.size() < (m_largest ? kCurvePoints : kFirstPoints))
        sizes = m_curve.worthMeasuring(m_curveStart, curveEnd(), kCurveRound);
    std::erase_if(sizes, [this](std::int64_t size) { return m_failedSizes.contains(size); });
    for (const std::int64_t size : sizes) {
        ++m_curveWaiting;
        send(size, Lane::Curve, Purpose::Curve);
    }
    if (m_curveWaiting == 0 && !known.empty() && !m_largest && !m_search) startSearch();
}

void VariantPlanner::curvePointDone() {
    m_curveWaiting = std::max(0, m_curveWaiting - 1);
    if (m_curveWaiting > 0) return;
    m_oldCurve.clear();
    emit pointsChanged();
    askCurve();
}

void VariantPlanner::startSearch() {
    const Bytes limit = allocatorLimit(m_card.gpu, m_card.reserve);
    const auto points = m_curve.exactPoints();
    const auto guess = guessedLargest(points, limit);
    m_search.emplace(guess.value_or(1));
    for (const CurvePoint& point : points)
        if (point.peak.reserved <= limit) m_search->tell(point.size, true);
    if (guess) m_search->suggest(*guess);
    continueSearch();
}

void VariantPlanner::continueSearch() {
    if (const auto size = m_search->next()) {
        send(*size, Lane::Search, Purpose::Search);
        return;
    }
    m_largest = m_search->answer();
    m_search.reset();
    m_largestWasFound = true;
    m_widest = std::max({m_widest, kShortestCurve, m_largest->batch * 5 / 4});
    emit figuresChanged();
    emit pointsChanged();
    askCurve();
}

void VariantPlanner::takeExact(MeasurementPtr measurement) {
    m_exact = std::move(measurement);
    m_error.reset();
    if (!m_exact->outOfMemory) m_curve.add(m_settings.batch, *m_exact);
    if (!m_limited && needsLimitedRun(*m_exact, m_card.gpu, m_card.reserve))
        send(m_settings.batch, Lane::Cursor, Purpose::Limited);
}

void VariantPlanner::takeMeasured(const Waiting& waiting, const Measured& answer) {
    m_worker = answer.worker;
    const MeasurementPtr& measurement = answer.measurement;
    if (waiting.purpose == Purpose::Search) {
        if (!m_search) return;
        m_search->tell(waiting.batch, !measurement->outOfMemory);
        continueSearch();
        return;
    }
    const bool here = waiting.batch == m_settings.batch;
    if (waiting.purpose == Purpose::Limited) {
        if (here) m_limited = measurement;
        emit figuresChanged();
        return;
    }
    if (here && waiting.purpose == Purpose::Detail) {
        m_detail = measurement;
        m_detailCurrent = true;
        emit detailChanged();
    }
    if (!measurement->outOfMemory) m_curve.add(waiting.batch, *measurement);
    if (here) {
        takeExact(measurement);
        emit figuresChanged();
    }
    if ((m_oldCurve.isEmpty() || m_curve.exactPoints().size() >= kEnoughPoints) && !m_pointsSoon.isActive())
        m_pointsSoon.start();
    if (waiting.purpose == Purpose::Curve) curvePointDone();
}

void VariantPlanner::takeFailed(const Waiting& waiting, const Error& error) {
    switch (waiting.purpose) {
    case Purpose::Open:
        m_error = error;
        emit openFailed(error);
        return;
    case Purpose::Curve:
        m_failedSizes.insert(waiting.batch);
        // Batch normalization refuses a single example in training.
        if (waiting.batch == m_curveStart && m_curveStart < 2) ++m_curveStart;
        if (error.code == ErrorCode::Cancelled)
            m_curveWaiting = std::max(0, m_curveWaiting - 1);
        else
            curvePointDone();
        return;
    case Purpose::Search: m_search.reset(); return;
    case Purpose::Limited: return;
    case Purpose::Cursor:
    case Purpose::Detail:
        if (error.code == ErrorCode::Cancelled || waiting.batch != m_settings.batch) return;
        m_error = error;
        emit figuresChanged();
        emit failed(error);
    }
}

MemoryPoint VariantPlanner::pointOf(const CurvePoint& point) const {
    const ProcessMemory process = processMemory(point.peak.reserved, m_card.gpu.context);
    return {point.size, point.categories, point.peak.reserved, process.value, process.low, process.high};
}

std::vector<MemoryPoint> VariantPlanner::points() const {
    std::vector<MemoryPoint> points;
    for (const CurvePoint& point : shownPoints()) points.push_back(pointOf(point));
    return points;
}

std::optional<PeakFigures> VariantPlanner::figures() const {
    const auto point = m_curve.at(m_settings.batch);
    if (!point) return {};
    PeakFigures figures;
    figures.batch = m_settings.batch;
    figures.exact = point->exact;
    figures.allocated = point->peak.allocated;
    figures.categories = point->categories;
    figures.reserved = point->peak.reserved;
    const ProcessMemory process = m_exact ? processMemory(*m_exact, m_card.gpu, isEstimated())
                                          : processMemory(point->peak.reserved, m_card.gpu.context);
    figures.process = process.value;
    figures.processLow = process.low;
    figures.processHigh = process.high;
    return figures;
}

std::optional<Fit> VariantPlanner::fit() const {
    if (m_exact) return judge(*m_exact, m_limited.get(), m_card.gpu, m_card.reserve, isEstimated());
    const auto now = figures();
    if (!now) return {};
    Fit fit;
    fit.process = {now->process, now->processLow, now->processHigh};
    fit.capacity = capacityOf(m_card.gpu, m_card.reserve);
    fit.spare = fit.capacity - fit.process.value;
    fit.level = fit.process.value > fit.capacity  ? FitLevel::DoesNotFit
                : fit.process.high > fit.capacity ? FitLevel::Tight
                                                  : FitLevel::Fits;
    return fit;
}

}  // namespace tidemark
