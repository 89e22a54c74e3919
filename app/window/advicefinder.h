// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/plan/advice.h"
#include "engine/session/session.h"
#include "widgets/checkpointplot.h"

#include <QObject>

#include <map>
#include <optional>
#include <vector>

namespace tidemark {

class VariantPlanner;

/// Measures for one step what would take less: each change of its settings by an exact run, judged on its card, and the
/// step with ever more of its blocks checkpointed. It starts nothing until it is asked to.
class AdviceFinder : public QObject {
    Q_OBJECT

public:
    explicit AdviceFinder(Session& session, QObject* parent = nullptr);
    ~AdviceFinder() override;

    /// The planner's step as it is measured now; null or one without exact figures: none. What was found for another
    /// step is forgotten.
    void setStep(const VariantPlanner* planner);
    /// Measures unless that has been done or is under way.
    void start();

    bool hasStep() const { return m_step.has_value(); }
    /// All was measured, or nothing can be.
    bool isComplete() const { return !m_step || (m_started && m_waiting.empty()); }
    /// Changes that help, the best first.
    std::vector<MeasuredAdvice> advice() const;
    std::vector<RecomputePoint> curve() const;

signals:
    /// Another answer, another step, or all of them are there.
    void changed();

private:
    enum class Purpose { Advice, Limited, Curve };
    struct Question {
        Purpose purpose;
        std::size_t index;  ///< into m_advice or m_curveSteps
    };
    struct Step {
        MeasureRequest request;
        ModelInfo model;
        Gpu gpu;
        Reserve reserve;
        Bytes process;
        bool estimated = false;
    };

    void forget();
    void ask(const Settings& settings, Question question, Bytes limit = kUnlimited);
    void take(const Question& question, const MeasurementPtr& measurement);
    void takeAdvice(std::size_t index, const Measurement& measurement, const Measurement* limited);

    Session& m_session;
    std::optional<Step> m_step;
    bool m_started = false;
    std::vector<Advice> m_advice;
    std::vector<Settings> m_curveSteps;
    std::map<quint64, Question> m_waiting;
    std::map<std::size_t, MeasurementPtr> m_unlimited;  ///< answers that a run within the card has to confirm
    std::map<std::size_t, MeasuredAdvice> m_measured;
    std::map<std::size_t, RecomputePoint> m_points;
};

}  // namespace tidemark
