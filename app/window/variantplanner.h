// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/session/session.h"
#include "widgets/memoryplot.h"
#include "widgets/peakheader.h"

#include <QObject>
#include <QSet>
#include <QTimer>

#include <map>
#include <optional>

namespace tidemark {

/// The outcome for the chosen batch on the chosen card.
enum class FitState { Unknown, Fits, Tight, DoesNotFit };

/// Asks the session all that the window shows of one variant, and keeps what was answered. The figures of the chosen
/// batch come at once: exact when they are known, interpolated until then. Nothing is ever extrapolated.
class VariantPlanner : public QObject {
    Q_OBJECT

public:
    VariantPlanner(Session& session, int variant, QObject* parent = nullptr);
    ~VariantPlanner() override;

    int variant() const { return m_variant; }
    void open(const QString& path, const Gpu& gpu, const Settings& settings);
    /// Reads the file again and measures anew.
    void reload();
    void setGpu(const Gpu& gpu);
    void setSettings(const Settings& settings);
    /// Variants in the background are asked for their curve and peak, not for a timeline.
    void setDetailed(bool detailed);

    const QString& path() const { return m_path; }
    const Gpu& gpu() const { return m_gpu; }
    const Settings& settings() const { return m_settings; }
    bool isOpen() const { return m_model.has_value(); }
    const ModelInfo& model() const { return *m_model; }

    std::optional<PeakFigures> figures() const;
    std::vector<MemoryPoint> points() const;
    /// The exact measurement of the chosen batch; null while it is not there.
    MeasurementPtr exact() const { return m_exact; }
    /// The last measurement with layers and timeline; it may be of the settings before while the new one runs.
    MeasurementPtr detail() const { return m_detail; }
    bool isDetailCurrent() const { return m_detailCurrent; }
    std::optional<std::int64_t> largestBatch() const { return m_largest; }
    bool isSearching() const { return m_searching; }
    /// True when every batch up to the end of the search fits.
    bool isLargestBounded() const { return m_largestBounded; }
    FitState fit() const;
    const std::optional<Error>& error() const { return m_error; }
    const WorkerInfo& worker() const { return m_worker; }

signals:
    void modelOpened();
    void openFailed(const tidemark::Error& error);
    void figuresChanged();
    void pointsChanged();
    void detailChanged();
    void largestChanged();
    void failed(const tidemark::Error& error);

private:
    enum class Purpose { Open, Cursor, Detail, Curve, Search };

    MeasureRequest request(std::int64_t batch, Lane lane) const;
    void send(MeasureRequest request, Purpose purpose);
    void askCursor();
    void askDetail();
    void startCurve();
    void extendCurve();
    void askCurve(const std::vector<std::int64_t>& batches);
    void startSearch();
    void continueSearch();
    void finishSearch(std::int64_t largest, bool bounded);
    void forgetAnswers();
    void takeMeasured(Purpose purpose, const Measured& answer);
    void takeFailed(Purpose purpose, const Error& error);
    void keepPoint(const Settings& settings, const Measurement& measurement);
    MemoryPoint pointOf(std::int64_t batch, const Measurement& measurement) const;
    Bytes limit() const;
    bool isCurrentKey(const MeasureRequest& request) const;

    Session& m_session;
    int m_variant;
    QString m_path;
    Gpu m_gpu;
    Settings m_settings;
    std::optional<ModelInfo> m_model;
    std::map<quint64, Purpose> m_waiting;
    std::map<std::int64_t, MemoryPoint> m_points;
    std::map<std::int64_t, MemoryPoint> m_oldPoints;  ///< shown until the new curve is there
    MeasurementPtr m_exact;
    MeasurementPtr m_detail;
    WorkerInfo m_worker;
    std::optional<Error> m_error;
    QTimer m_detailSoon;
    bool m_detailed = true;
    bool m_detailCurrent = false;
    int m_curveWaiting = 0;

    bool m_searching = false;
    bool m_largestBounded = false;
    std::int64_t m_fits = 0;
    std::int64_t m_fails = 0;  ///< 0: none known
    std::int64_t m_probing = 0;
    std::optional<std::int64_t> m_largest;
};

}  // namespace tidemark
