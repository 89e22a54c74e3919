// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/plan/curve.h"
#include "engine/plan/fit.h"
#include "engine/plan/largestbatch.h"
#include "engine/session/session.h"
#include "widgets/memoryplot.h"
#include "widgets/peakheader.h"

#include <QObject>
#include <QTimer>

#include <map>
#include <optional>
#include <set>

namespace tidemark {

/// The card a plan is made for. Its memory may be another than the device's own: what a step takes does not depend on
/// it, so measurements are kept when only this changes.
struct PlannedCard {
    Gpu gpu;          ///< with the planned memory
    Gpu device;       ///< with its own
    Reserve reserve;
};

/// Asks the session all that the window shows of one variant, and keeps what was answered. The figures of the chosen
/// batch come at once: exact when they are known, interpolated until then. Nothing is ever extrapolated.
class VariantPlanner : public QObject {
    Q_OBJECT

public:
    VariantPlanner(Session& session, int variant, QObject* parent = nullptr);
    ~VariantPlanner() override;

    void open(const QString& path, const PlannedCard& card, const Settings& settings);
    /// Reads the file again and measures anew.
    void reload();
    void setCard(const PlannedCard& card);
    void setSettings(const Settings& settings);
    /// The curve reaches at least this far, so that variants can be compared over the same range.
    void extendTo(std::int64_t batch);
    /// How far the curve goes for this variant's own sake; 0 until its largest batch is known.
    std::int64_t curveReach() const;
    /// Only the variant in sight is asked for a timeline; all are asked for their layers, curve and largest batch.
    void setDetailed(bool detailed);

    int variant() const { return m_variant; }
    const QString& path() const { return m_path; }
    const Gpu& gpu() const { return m_card.gpu; }
    /// The card with its own memory, on which the step is run.
    const Gpu& device() const { return m_card.device; }
    const Reserve& reserve() const { return m_card.reserve; }
    const Settings& settings() const { return m_settings; }
    const WorkerInfo& worker() const { return m_worker; }
    bool isOpen() const { return m_model.has_value(); }
    const ModelInfo& model() const { return *m_model; }

    std::optional<PeakFigures> figures() const;
    std::vector<MemoryPoint> points() const;
    /// The exact measurement of the chosen batch; null while it is not there.
    MeasurementPtr exact() const { return m_exact; }
    /// The last measurement with layers and timeline; it may be of the settings before while the new one runs.
    MeasurementPtr detail() const { return m_detail; }
    bool isDetailCurrent() const { return m_detailCurrent; }
    /// Empty until the search has ended.
    std::optional<LargestBatch> largest() const { return m_largest; }
    std::optional<Fit> fit() const;
    const std::optional<Error>& error() const { return m_error; }
    /// Workspaces come from the estimate, which widens the band of process memory.
    bool isEstimated() const { return m_worker.workspace.rfind("estimate", 0) == 0; }

signals:
    void modelOpened();
    void openFailed(const tidemark::Error& error);
    void figuresChanged();
    void pointsChanged();
    void detailChanged();
    void failed(const tidemark::Error& error);

private:
    enum class Purpose { Open, Cursor, Limited, Detail, Curve, Search };
    struct Waiting {
        Purpose purpose = Purpose::Open;
        std::int64_t batch = 0;
    };

    void takeModel(const ModelInfo& model);
    void takeMeasured(const Waiting& waiting, const Measured& answer);
    void takeFailed(const Waiting& waiting, const Error& error);
    void measureAnew();
    void forgetAnswers();
    void forgetFit();
    void send(std::int64_t batch, Lane lane, Purpose purpose);
    void askCursor();
    void askDetail();
    void askCurve();
    void curvePointDone();
    void startSearch();
    void continueSearch();
    void takeExact(MeasurementPtr measurement);
    std::int64_t curveEnd() const;
    std::vector<CurvePoint> shownPoints() const;
    MemoryPoint pointOf(const CurvePoint& point) const;

    Session& m_session;
    int m_variant;
    QString m_path;
    PlannedCard m_card;
    Settings m_settings;
    WorkerInfo m_worker;
    std::optional<ModelInfo> m_model;
    std::map<quint64, Waiting> m_waiting;
    MemoryCurve m_curve;
    MemoryCurve m_oldCurve;  ///< shown until the new one has enough points
    std::set<std::int64_t> m_failedSizes;
    std::int64_t m_curveStart = 1;
    int m_curveWaiting = 0;
    std::int64_t m_reach = 0;
    std::int64_t m_widest = 0;  ///< how far the curve has to go for the batches that were chosen and found to be the largest
    bool m_largestWasFound = false;  ///< once since the curve was begun, for this memory of the card or another
    MeasurementPtr m_exact;
    MeasurementPtr m_limited;
    MeasurementPtr m_detail;
    std::optional<Error> m_error;
    QTimer m_detailSoon;
    QTimer m_pointsSoon;
    bool m_detailed = true;
    bool m_detailCurrent = false;
    std::optional<LargestBatchSearch> m_search;
    std::optional<LargestBatch> m_largest;
};

}  // namespace tidemark
