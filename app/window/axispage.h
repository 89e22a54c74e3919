// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/plan/axissearch.h"
#include "engine/plan/axissweep.h"
#include "engine/plan/fit.h"
#include "engine/session/session.h"

#include <QWidget>

#include <map>
#include <optional>

class QComboBox;
class QLabel;
class QStackedWidget;

namespace tidemark {

class HeatMap;
class MemoryPlot;
class VariantPlanner;

/// Memory over any axis of the inputs, or over two of them. It measures when it is in sight.
class AxisPage : public QWidget {
    Q_OBJECT

public:
    explicit AxisPage(Session& session, QWidget* parent = nullptr);
    ~AxisPage() override;

    void setUnits(ByteUnits units);
    void setModel(const ModelInfo& model);
    /// What is varied: the planner's step on its card; null empties the page.
    void showStep(const VariantPlanner* planner);
    HeatMap* heatMap() const { return m_heat; }
    MemoryPlot* plot() const { return m_plot; }
    QLabel* largestLabel() const { return m_largest; }

signals:
    /// A click asks for the step with these sizes.
    void settingsWished(const tidemark::Settings& settings);

protected:
    void showEvent(QShowEvent* event) override;

private:
    void fillAxes();
    void measureAnew();
    void takeAnswer(const Measured& answer, std::size_t x, std::size_t y);
    void searchOn();
    void takeOutcome(std::optional<TrialOutcome> outcome);
    QString largestText(const LargestSize& largest) const;
    void pick(qint64 x, qint64 y);
    std::string axisX() const;
    std::string axisY() const;

    Session& m_session;
    MeasureRequest m_request;
    Reserve m_reserve;
    ModelInfo m_model;
    bool m_stale = true;
    bool m_ready = false;
    AxisRange m_x;
    AxisRange m_y;
    std::map<quint64, std::pair<std::size_t, std::size_t>> m_waiting;
    std::map<std::int64_t, Measured> m_line;  ///< answers over one axis
    std::optional<AxisSearch> m_search;       ///< for the largest size of the first axis, once the rest is there
    AxisSearch::Trial m_trial{};
    quint64 m_trialId = 0;                    ///< 0: none is out
    QComboBox* m_xBox;
    QComboBox* m_yBox;
    QLabel* m_hint;
    QLabel* m_largest;
    QStackedWidget* m_stack;
    MemoryPlot* m_plot;
    HeatMap* m_heat;
};

}  // namespace tidemark
