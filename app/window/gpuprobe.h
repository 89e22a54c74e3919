// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/session/realdevices.h"
#include "engine/session/realgpuprobe.h"
#include "engine/session/session.h"
#include "widgets/gpuprobepanel.h"

#include <QObject>
#include <QPointer>

#include <map>
#include <optional>

class QTabWidget;

namespace tidemark {

class MemoryPlot;
class VariantPlanner;

/// Runs the shown variant's step on the GPU of this machine: finds out whether there is one, drives the probe in the
/// engine's thread, asks the session for the plans of the same steps on the same card, and shows both on its page and on
/// the memory plot. What was measured is kept for the model and settings it belongs to.
class GpuProbe : public QObject {
    Q_OBJECT

public:
    /// Adds its page to `tabs`.
    GpuProbe(QTabWidget* tabs, MemoryPlot* plot, Session& session, std::vector<Gpu> gpus);

    void setUnits(ByteUnits units);
    /// The variant that is run and whose points are shown; null for none. Call again when its settings change.
    void showVariant(const VariantPlanner* planner);
    ~GpuProbe() override;

    /// What was measured, by the model and settings it belongs to.
    using Rows = std::map<QByteArray, std::vector<ProbeRow>>;
    const Rows& measured() const { return m_rows; }
    void setMeasured(Rows rows);
    GpuProbePanel* panel() const { return m_panel; }
    MemoryPlot* plot() const { return m_plot; }
    const std::optional<InstalledGpu>& installed() const { return m_installed; }
    bool isRunning() const { return m_running; }

signals:
    /// The calibrations have changed: cards take them from the store.
    void calibrationStored();

private:
    void run(GpuProbePanel::Range range);
    void takePoint(const ProbePoint& point);
    void takePlan(quint64 id, const MeasurementPtr& measurement);
    void finish(const Message& problem);
    void calibrateWhenPlanned();
    void calibrate();
    void showRows();
    std::vector<ProbeRow>& runRows() { return m_rows[m_runKey]; }
    ProbeRow* rowOf(std::int64_t batch);

    Session& m_session;
    MemoryPlot* m_plot;
    GpuProbePanel* m_panel;
    RealDevices* m_devices;
    QPointer<RealGpuProbe> m_probe;        ///< lives in the engine's thread and may end with it
    std::optional<InstalledGpu> m_installed;
    QString m_model;                       ///< of the shown variant; empty for none
    Settings m_settings;
    QByteArray m_shownKey;
    QByteArray m_runKey;
    Rows m_rows;
    RealProbeRequest m_request;            ///< the one that runs or ran last
    RealProbeInfo m_info;
    std::map<quint64, std::int64_t> m_plans;  ///< requests for plans without an answer, and their batches
    bool m_running = false;
    bool m_calibrates = false;
};

}  // namespace tidemark
