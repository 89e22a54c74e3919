// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/plan/probepoint.h"
#include "engine/plan/settings.h"
#include "engine/session/installation.h"

#include <QObject>
#include <QString>
#include <QTimer>

#include <nlohmann/json_fwd.hpp>

#include <chrono>
#include <deque>
#include <memory>
#include <vector>

namespace tidemark {

class Worker;

/// Which steps to run on the GPU of this machine.
struct RealProbeRequest {
    QString model;
    Settings settings;
    std::vector<std::int64_t> batches;  ///< each run with the settings; empty: the settings' own
    Bytes keepFree = kMiB * 256;        ///< of the card, so that the desktop and others do not run out of memory
    std::chrono::milliseconds timeLimit{120'000};  ///< for all of it; zero means none
    int gaugeMilliseconds = 200;        ///< between readings of the card; 0: none
};

/// What the probe said about itself and the card when it started.
struct RealProbeInfo {
    std::string device;
    std::string torchVersion;
    Bytes deviceMemory;
};

/// Runs training steps on the real GPU, one after the other, in a process of their own which is ended when they are
/// done, so that the card is left as it was. Never blocks; start() is answered by exactly one finished(), before it one
/// pointMeasured() for each step that was tried. A step that runs out of memory, fails or takes the process down is a
/// point that says so, and the next one is tried with a new process.
class RealGpuProbe : public QObject {
    Q_OBJECT
public:
    explicit RealGpuProbe(Installation installation, QObject* parent = nullptr);
    ~RealGpuProbe() override;

    /// Ignored while one runs.
    void start(const RealProbeRequest& request);
    void cancel();
    bool isRunning() const { return m_running; }

signals:
    void started(const tidemark::RealProbeInfo& info);
    void pointMeasured(const tidemark::ProbePoint& point);
    void gaugeMoved(const tidemark::DeviceUse& use);
    /// `problem` is empty, or why not everything that was asked for was tried.
    void finished(const tidemark::Message& problem);

private:
    enum class Awaited { Nothing, Hello, Open, Measure };

    void startWorker();
    void advance();
    void handleAnswer(qint64 id, const nlohmann::json& answer);
    void handleHello(const nlohmann::json& answer);
    void handleMeasured(const nlohmann::json& answer);
    void handleDeath(bool started, const QString& why);
    void handleTimeLimit();
    void pointFailed(Error error);
    void end(const Message& problem);
    void retireWorker();

    Installation m_installation;
    RealProbeRequest m_request;
    std::unique_ptr<Worker> m_worker;
    std::vector<std::unique_ptr<Worker>> m_retired;  ///< killed
    std::unique_ptr<QObject> m_listener;  ///< receives the worker's signals; queued ones die with it
    std::deque<std::int64_t> m_waiting;   ///< batches not yet tried, the running one first
    QTimer m_limit;
    qint64 m_awaitedId = 0;
    Awaited m_awaited = Awaited::Nothing;
    Bytes m_deviceMemory;
    Bytes m_free;                         ///< of the card before the first step, zero when unknown
    bool m_opened = false;
    bool m_running = false;
};

}  // namespace tidemark

Q_DECLARE_METATYPE(tidemark::Message)
Q_DECLARE_METATYPE(tidemark::RealProbeInfo)
Q_DECLARE_METATYPE(tidemark::ProbePoint)
Q_DECLARE_METATYPE(tidemark::DeviceUse)
