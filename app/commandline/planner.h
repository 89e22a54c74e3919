// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/plan/axissearch.h"
#include "engine/plan/fit.h"
#include "engine/plan/largestbatch.h"
#include "engine/session/blockingsession.h"

#include <optional>

namespace tidemark {

/// The whole answer to one plan: what `tidemark plan` prints.
struct PlanResult {
    ModelInfo model;
    Settings settings;
    Gpu gpu;
    Reserve reserve;
    Measured answer;                      ///< run without a limit, so that peaks are told even where nothing fits
    Fit fit;
    std::optional<LargestBatch> largest;  ///< empty when not searched
    std::string largestNote;              ///< why it was not searched, or what ended the search
    std::optional<LargestSize> largestSize;  ///< of another axis, once findLargest() has been asked
};

/// Asks a session what a plan needs, in order: the model, the step without a limit, the step within the card where
/// that decides, the largest batch.
class Planner {
public:
    explicit Planner(const Installation& installation) : m_session(installation) {}

    /// `largest`: search for the largest batch too, up to that many examples; 0: do not.
    Result<PlanResult> plan(const QString& model, const Settings& settings, const Gpu& gpu, const Reserve& reserve,
                            Detail detail, std::int64_t largest);
    /// Searches for the largest size of an axis of the planned step. The step has to run with its present size.
    std::optional<Error> findLargest(const std::string& axis, PlanResult* result);
    /// Whether a step measured without a limit fits: one that seems not to is run within the card, as plan() does.
    Fit judged(const Measured& unlimited, const Gpu& gpu, const Reserve& reserve);
    BlockingSession& session() { return m_session; }

private:
    /// The model's inputs as the settings have them. Error: InputNeeded with the model's question.
    Result<std::vector<InputSpec>> inputsOf(const PlanResult& result) const;
    Result<Fit> decide(const PlanResult& result, const MeasureRequest& request);
    /// Gives estimated workspaces the range that two more runs span, at the low and at the high end of the estimate.
    void measureBand(const MeasureRequest& request, const Gpu& gpu, Fit* fit);
    void search(PlanResult* result, const MeasureRequest& request, std::int64_t limit);

    BlockingSession m_session;
};

/// Whether workspaces are a model's estimate rather than cuDNN's answer.
bool isEstimated(const Measured& answer);

}  // namespace tidemark
