// SPDX-License-Identifier: Apache-2.0
#include "app/commandline/planner.h"

#include "engine/plan/axissweep.h"
#include "engine/session/axistrial.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace tidemark {
namespace {

/// So many guesses before a search goes on alone.
constexpr int kMostSuggestions = 6;

bool dependsOnBatch(const std::vector<InputSpec>& inputs) {
    return std::any_of(inputs.begin(), inputs.end(), [](const InputSpec& input) {
        return std::any_of(input.shape.begin(), input.shape.end(), [](const Dim& d) { return d.axis == "B"; });
    });
}

/// Where a straight line through the two largest sizes that fit meets the limit.
std::optional<std::int64_t> meetingPoint(const std::map<std::int64_t, Bytes>& reserved, Bytes limit) {
    if (reserved.size() < 2) return {};
    const auto last = std::prev(reserved.end());
    const auto before = std::prev(last);
    const double rise = static_cast<double>((last->second - before->second).count);
    if (rise <= 0) return {};
    const double slope = rise / static_cast<double>(last->first - before->first);
    return last->first +
           static_cast<std::int64_t>(std::floor(static_cast<double>((limit - last->second).count) / slope));
}

}  // namespace

bool isEstimated(const Measured& answer) { return answer.worker.workspace == "estimate"; }

Result<std::vector<InputSpec>> Planner::inputsOf(const PlanResult& result) const {
    if (!result.settings.inputs.empty()) return result.settings.inputs;
    if (result.model.inputs.empty())
        return Error{ErrorCode::InputNeeded,
                     result.model.inputQuestion.empty()
                         ? Message("The model does not say what its input looks like; give --input DTYPE[B,…].")
                         : result.model.inputQuestion,
                     {}};
    return result.model.inputs;
}

Result<PlanResult> Planner::plan(const QString& model, const Settings& settings, const Gpu& gpu, const Reserve& reserve,
                                 Detail detail, std::int64_t largest) {
    PlanResult result;
    result.settings = settings;
    result.gpu = gpu;
    result.reserve = reserve;
    auto info = m_session.open(model, gpu, settings);
    if (!info) return info.error();
    result.model = std::move(info).value();
    const auto inputs = inputsOf(result);
    if (!inputs) return inputs.error();
    for (const auto& [axis, size] : settings.axes)
        if (auto problem = problemWithAxis(result.model, settings, axis)) return *problem;

    MeasureRequest request;
    request.model = model;
    request.gpu = gpu;
    request.settings = settings;
    request.detail = detail;
    auto answer = m_session.measure(request);
    if (!answer) return answer.error();
    result.answer = std::move(answer).value();
    auto fit = decide(result, request);
    if (!fit) return fit.error();
    result.fit = std::move(fit).value();
    if (isEstimated(result.answer)) measureBand(request, gpu, &result.fit);
    if (largest > 0 && !dependsOnBatch(inputs.value()))
        result.largestNote = "No input depends on the batch, so there is no largest one.";
    else if (largest > 0)
        search(&result, request, largest);
    return result;
}

Fit Planner::judged(const Measured& unlimited, const Gpu& gpu, const Reserve& reserve) {
    const Measurement& m = *unlimited.measurement;
    const bool estimated = isEstimated(unlimited);
    const Fit free = judge(m, nullptr, gpu, reserve, estimated);
    if (free.fits() || m.outOfMemory) return free;
    MeasureRequest limited = unlimited.request;
    limited.memoryLimit = allocatorLimit(gpu, reserve);
    limited.detail = {};
    const auto within = m_session.measure(limited);
    return judge(m, within ? within.value().measurement.get() : nullptr, gpu, reserve, estimated);
}

Result<Fit> Planner::decide(const PlanResult& result, const MeasureRequest& request) {
    const Measurement& unlimited = *result.answer.measurement;
    const bool estimated = isEstimated(result.answer);
    Fit fit = judge(unlimited, nullptr, result.gpu, result.reserve, estimated);
    if (fit.fits()) return fit;
    // The limited run also names the allocation at which the card is full.
    MeasureRequest limited = request;
    limited.memoryLimit = allocatorLimit(result.gpu, result.reserve);
    limited.detail = {};
    auto answer = m_session.measure(limited);
    if (!answer) return answer.error();
    return judge(unlimited, answer.value().measurement.get(), result.gpu, result.reserve, estimated);
}

void Planner::measureBand(const MeasureRequest& request, const Gpu& gpu, Fit* fit) {
    MeasureRequest trial = request;
    trial.settings.workspace = WorkspaceSource::Estimate;
    trial.detail = {.peaksOnly = true};
    std::vector<MeasureRequest> trials(2, trial);
    trials[0].end = WorkspaceEnd::Low;
    trials[1].end = WorkspaceEnd::High;
    const auto answers = m_session.measureAll(trials);
    if (!answers[0] || !answers[1]) return;
    const Bytes reserved = fit->process.value - gpu.context.expected;
    const auto reservedAt = [&](std::size_t i) { return answers[i].value().measurement->highest().reserved; };
    // Blocks that suit a workspace by chance may make the expected step the smallest, or the low end the largest.
    const auto [least, most] = std::minmax({reserved, reservedAt(0), reservedAt(1)});
    fit->process = processMemory(reserved, gpu.context, {reserved - least, most - reserved});
    if (fit->fits() && !fit->afterRetry)
        fit->level = fit->process.high <= fit->capacity ? FitLevel::Fits : FitLevel::Tight;
}

void Planner::search(PlanResult* result, const MeasureRequest& request, std::int64_t limit) {
    constexpr int kConfirmations = 2;
    LargestBatchSearch search(request.settings.batch, limit, kConfirmations);
    const Bytes memory = allocatorLimit(result->gpu, result->reserve);
    search.tell(request.settings.batch, result->fit.fits());
    std::map<std::int64_t, Bytes> reserved;
    if (result->fit.fits()) reserved[request.settings.batch] = result->answer.measurement->highest().reserved;
    MeasureRequest trial = request;
    trial.memoryLimit = memory;
    trial.detail = {.peaksOnly = true};
    for (int suggestions = 0; const auto batch = search.next();) {
        trial.settings.batch = *batch;
        const auto answer = m_session.measure(trial);
        if (!answer && answer.error().code != ErrorCode::StepFailed) {
            result->largestNote = fmt::format("The search for the largest batch ended at {}: {}", *batch,
                                              answer.error().message.english());
            return;
        }
        const bool fits = answer.ok() && !answer.value().measurement->outOfMemory;
        if (!answer)
            result->largestNote = fmt::format("A batch of {} fails: {}", *batch, answer.error().message.english());
        if (fits) reserved[*batch] = answer.value().measurement->highest().reserved;
        search.tell(*batch, fits);
        if (const auto guess = meetingPoint(reserved, memory); guess && suggestions++ < kMostSuggestions)
            search.suggest(*guess);
    }
    result->largest = search.answer();
}

std::optional<Error> Planner::findLargest(const std::string& axis, PlanResult* result) {
    if (auto problem = problemWithAxis(result->model, result->settings, axis)) return problem;
    const Bytes memory = allocatorLimit(result->gpu, result->reserve);
    AxisSearch search(axis, sizeOfAxis(result->model, result->settings, axis));
    std::map<std::int64_t, Bytes> reserved;
    for (int suggestions = 0; const auto trial = search.next();) {
        const auto answer = m_session.measure(requestFor(*trial, axis, result->answer.request, memory));
        const auto outcome = answer ? outcomeOf(*answer.value().measurement) : outcomeOf(answer.error());
        if (!outcome) return answer.error();
        if (*outcome == TrialOutcome::Fits) reserved[trial->size] = answer.value().measurement->highest().reserved;
        search.tell(*trial, *outcome);
        if (const auto guess = meetingPoint(reserved, memory); guess && suggestions++ < kMostSuggestions)
            search.suggest(*guess);
    }
    result->largestSize = search.answer();
    return std::nullopt;
}

}  // namespace tidemark
