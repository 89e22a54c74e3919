// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/plan/dataparallel.h"
#include "engine/session/session.h"

#include <QWidget>

#include <array>
#include <map>
#include <optional>

class QLabel;
class QToolButton;
class QTreeWidget;

namespace tidemark {

class VariantPlanner;

/// What each of several cards takes when the step is trained data-parallel in one of the usual ways: one card alone and
/// DistributedDataParallel measured, the rule of thumb and ZeRO estimated. It measures when it is in sight.
class DataParallelPage : public QWidget {
    Q_OBJECT

public:
    enum Column { Way, Allocated, Difference, Basis, ColumnCount };

    explicit DataParallelPage(Session& session, QWidget* parent = nullptr);
    ~DataParallelPage() override;

    void setUnits(ByteUnits units);
    /// The planner's step; null or one on a single card empties the page.
    void showStep(const VariantPlanner* planner);
    QTreeWidget* table() const { return m_table; }

signals:
    /// The step in the chosen way.
    void settingsWished(const tidemark::Settings& settings);

protected:
    void showEvent(QShowEvent* event) override;

private:
    void measureAnew();
    void take(std::size_t step, MeasurementPtr measurement);
    void fill();
    /// Rows as high as the words of the last column need.
    void fitRows();
    /// The settings of the chosen row; empty for one that is estimated.
    std::optional<Settings> chosen() const;
    void applyCurrent();

    Session& m_session;
    std::optional<MeasureRequest> m_request;
    ModelInfo m_model;
    bool m_stale = false;
    ByteUnits m_units = ByteUnits::Binary;
    std::array<MeasurementPtr, 3> m_steps;
    std::map<quint64, std::size_t> m_waiting;
    QLabel* m_hint;
    QToolButton* m_apply;
    QTreeWidget* m_table;
};

}  // namespace tidemark
