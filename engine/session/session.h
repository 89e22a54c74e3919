// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/session/installation.h"
#include "engine/session/request.h"

#include <QObject>
#include <QThread>

#include <chrono>
#include <memory>

namespace tidemark {

class Dispatcher;
class MeasurementCache;

/// The engine as the window sees it. Lives in the GUI thread, never blocks it: every call returns at once with an id,
/// and the answer comes later as exactly one of modelOpened, measured, failed or dropped with that id, also when it
/// was known already. The workers live in a thread of the session's own.
class Session : public QObject {
    Q_OBJECT
public:
    using RequestId = quint64;

    explicit Session(Installation installation, QObject* parent = nullptr);
    /// Kills what is running and waits for the engine thread.
    ~Session() override;

    /// Reads the structure of a model file on the worker that will measure it for this card and these settings.
    /// Opening a file again notices that it has changed and forgets what was measured before.
    RequestId open(const QString& path, const Gpu& gpu, const Settings& settings);
    RequestId measure(MeasureRequest request);

    /// The exact answer when it is known already, else null. Ignores lane and variant.
    MeasurementPtr cached(const MeasureRequest& request) const;

    /// Drops the requests of one lane and variant, a running one included.
    void drop(Lane lane, int variant = 0);
    /// Kills the workers that are busy: their requests fail as Cancelled, waiting ones are dropped.
    void cancel();
    /// A request that takes longer kills its worker and fails. Zero means no limit. Default: 120 s.
    void setTimeLimit(std::chrono::milliseconds limit);

    /// Moves an object to the engine's thread, which deletes it at its end.
    void adopt(QObject* object);

    bool busy() const { return m_pending > 0; }
    const Installation& installation() const { return m_installation; }

signals:
    void modelOpened(quint64 id, const tidemark::ModelInfo& model);
    void measured(quint64 id, const tidemark::Measured& answer);
    void failed(quint64 id, const tidemark::Error& error);
    void dropped(quint64 id);
    void busyChanged(bool busy);
    /// A worker died and another takes its place; one sentence that says why.
    void workerRestarted(const QString& why);

private:
    void begin();
    void finish();

    Installation m_installation;
    std::unique_ptr<MeasurementCache> m_cache;
    QThread m_thread;
    Dispatcher* m_dispatcher = nullptr;  ///< lives in m_thread and is deleted there
    quint64 m_lastId = 0;
    int m_pending = 0;  ///< requests without an answer
};

}  // namespace tidemark
