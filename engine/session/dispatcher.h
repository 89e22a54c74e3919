// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/session/installation.h"
#include "engine/session/request.h"

#include <QObject>
#include <QSet>
#include <QTimer>

#include <nlohmann/json_fwd.hpp>

#include <chrono>
#include <list>
#include <memory>
#include <optional>
#include <set>
#include <vector>

namespace tidemark {

class Worker;

/// Decides which worker does which request when: the most urgent lane first, the newest request instead of the ones it
/// supersedes, one worker per device target and model, a new worker for one that died. Lives in one thread and never
/// waits; each request ends in exactly one of the four signals that carry its id.
class Dispatcher : public QObject {
    Q_OBJECT
public:
    explicit Dispatcher(Installation installation, QObject* parent = nullptr);
    ~Dispatcher() override;

    void open(quint64 id, const QString& path, const DeviceTarget& target);
    void measure(quint64 id, const MeasureRequest& request);
    void drop(Lane lane, int variant);
    void cancel();
    void setTimeLimit(std::chrono::milliseconds limit) { m_timeLimit = limit; }

signals:
    void opened(quint64 id, const tidemark::ModelInfo& model);
    void measured(quint64 id, const tidemark::Measured& answer);
    void failed(quint64 id, const tidemark::Error& error);
    void dropped(quint64 id);
    void workerRestarted(const QString& why);

private:
    struct Job {
        quint64 id = 0;
        bool opens = false;       ///< ends with the model's structure rather than a measurement
        MeasureRequest request;   ///< for an opening only model, gpu and the target's settings count
        DeviceTarget target;
        bool retried = false;
        bool superseded = false;  ///< a newer one waits; the answer is welcome if it comes soon
        bool unwanted = false;    ///< dropped while it ran
    };

    /// A worker with what it is doing.
    struct Seat {
        std::unique_ptr<Worker> worker;
        std::unique_ptr<QObject> listener;  ///< receives the worker's signals; queued ones die with it
        QString key;
        QString openedIdentity;   ///< of the model file as the worker knows it
        std::optional<WorkerInfo> info;
        bool hasMeasured = false;  ///< this worker, and so LibTorch's plans of convolutions are no longer unknown
        /// Batches at which there was no room for a workspace: LibTorch took the next plan of that convolution, and keeps it.
        std::set<std::int64_t> fallbacks;
        bool hasBenchmarked = false;  ///< this worker: they may be others than the heuristics' first
        ModelInfo model;
        std::optional<Job> job;
        qint64 awaited = 0;       ///< id of the request the worker is busy with
        QString awaitedIdentity;
        QTimer limit;
        quint64 lastUse = 0;
    };

    void enqueue(Job job);
    void schedule();
    void scheduleLater();
    Seat* seatFor(const Job& job);
    void begin(Seat* seat, Job job);
    void advance(Seat* seat);
    void startWorker(Seat* seat);
    void handleAnswer(Seat* seat, qint64 id, const nlohmann::json& answer);
    void handleModel(Seat* seat, const nlohmann::json& answer);
    void handleMeasurement(Seat* seat, const nlohmann::json& answer);
    void handleDeath(Seat* seat, bool started, bool crashed, const QString& why);
    void handleLimit(Seat* seat);
    std::optional<Job> takeJob(Seat* seat);
    void abandon(Seat* seat);
    void fail(Seat* seat, Error error);
    /// Waiting requests of the lane and variant end; returns the seats that are busy with one.
    std::vector<Seat*> dropWaiting(Lane lane, int variant);
    void supersede(const Job& newer);
    DeviceTarget usableTarget(const DeviceTarget& wanted) const;

    Installation m_installation;
    std::list<Job> m_queue;
    std::list<std::unique_ptr<Seat>> m_seats;
    QSet<QString> m_withoutCudnn;  ///< targets whose worker died while cuDNN was asked and lived without
    std::chrono::milliseconds m_timeLimit{120'000};
    quint64 m_clock = 0;
    bool m_scheduled = false;
};

}  // namespace tidemark
