// SPDX-License-Identifier: Apache-2.0
#include "app/window/advicefinder.h"

#include "app/window/pagevariants.h"
#include "app/window/variantplanner.h"

namespace tidemark {
namespace {

bool isSame(const MeasureRequest& a, const MeasureRequest& b) {
    return a.model == b.model && a.gpu.id == b.gpu.id && a.settings == b.settings;
}

}  // namespace

AdviceFinder::AdviceFinder(Session& session, QObject* parent) : QObject(parent), m_session(session) {
    const auto taken = [this](quint64 id) -> std::optional<Question> {
        const auto found = m_waiting.find(id);
        if (found == m_waiting.end()) return {};
        const Question question = found->second;
        m_waiting.erase(found);
        return question;
    };
    connect(&session, &Session::measured, this, [=, this](quint64 id, const Measured& answer) {
        if (const auto question = taken(id)) take(*question, answer.measurement);
    });
    const auto gone = [=, this](quint64 id) {
        if (taken(id)) emit changed();
    };
    connect(&session, &Session::failed, this, gone);
    connect(&session, &Session::dropped, this, gone);
}

AdviceFinder::~AdviceFinder() { m_session.drop(Lane::Curve, kAdviceVariant); }

void AdviceFinder::setStep(const VariantPlanner* planner) {
    std::optional<Step> step;
    if (planner && planner->isOpen() && planner->exact() && planner->fit()) {
        step.emplace();
        step->request.model = planner->path();
        step->request.gpu = planner->device();
        step->request.settings = planner->settings();
        step->model = planner->model();
        step->gpu = planner->gpu();
        step->reserve = planner->reserve();
        step->process = planner->fit()->process.value;
        step->estimated = planner->isEstimated();
    }
    const bool same = step.has_value() == m_step.has_value() &&
                      (!step || (isSame(step->request, m_step->request) && step->gpu.memory == m_step->gpu.memory &&
                                 step->reserve == m_step->reserve && step->process == m_step->process));
    if (same) return;
    forget();
    m_step = std::move(step);
    emit changed();
}

void AdviceFinder::forget() {
    if (!m_waiting.empty()) m_session.drop(Lane::Curve, kAdviceVariant);
    m_started = false;
    m_waiting.clear();
    m_unlimited.clear();
    m_measured.clear();
    m_points.clear();
}

void AdviceFinder::start() {
    if (m_started || !m_step) return;
    m_started = true;
    m_advice = adviceFor(m_step->model, m_step->request.settings);
    m_curveSteps = checkpointSteps(m_step->model, m_step->request.settings);
    for (std::size_t i = 0; i < m_advice.size(); ++i) ask(m_advice[i].settings, {Purpose::Advice, i});
    for (std::size_t i = 0; i < m_curveSteps.size(); ++i) ask(m_curveSteps[i], {Purpose::Curve, i});
    emit changed();
}

void AdviceFinder::ask(const Settings& settings, Question question, Bytes limit) {
    MeasureRequest request = m_step->request;
    request.settings = settings;
    request.memoryLimit = limit;
    request.lane = Lane::Curve;
    request.variant = kAdviceVariant;
    m_waiting[m_session.measure(std::move(request))] = question;
}

void AdviceFinder::take(const Question& question, const MeasurementPtr& measurement) {
    const std::size_t index = question.index;
    const Measurement& m = *measurement;
    if (question.purpose == Purpose::Limited) {
        takeAdvice(index, *m_unlimited[index], &m);
    } else if (m.outOfMemory) {
        // It takes more than any card has: no advice, and no point of the curve.
    } else if (question.purpose == Purpose::Curve) {
        const Fit fit = judge(m, nullptr, m_step->gpu, m_step->reserve, m_step->estimated);
        m_points[index] = recomputePoint(m_curveSteps[index], fit, m);
    } else if (needsLimitedRun(m, m_step->gpu, m_step->reserve)) {
        m_unlimited[index] = measurement;
        ask(m_advice[index].settings, {Purpose::Limited, index}, allocatorLimit(m_step->gpu, m_step->reserve));
    } else {
        takeAdvice(index, m, nullptr);
    }
    emit changed();
}

void AdviceFinder::takeAdvice(std::size_t index, const Measurement& measurement, const Measurement* limited) {
    const Fit fit = judge(measurement, limited, m_step->gpu, m_step->reserve, m_step->estimated);
    m_measured[index] = measuredAdvice(m_advice[index], fit, m_step->process, measurement);
}

std::vector<MeasuredAdvice> AdviceFinder::advice() const {
    std::vector<MeasuredAdvice> list;
    for (const auto& entry : m_measured) list.push_back(entry.second);
    return ranked(std::move(list));
}

std::vector<RecomputePoint> AdviceFinder::curve() const {
    std::vector<RecomputePoint> points;
    for (const auto& entry : m_points) points.push_back(entry.second);
    return points;
}

}  // namespace tidemark
