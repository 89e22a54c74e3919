// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/session/devicetarget.h"
#include "engine/session/installation.h"

#include <QByteArray>
#include <QObject>
#include <QProcess>
#include <QStringList>

#include <nlohmann/json.hpp>

namespace tidemark {

/// One tidemark-probe process: JSON lines out, JSON lines in. It never waits; what happens is told by signals, and
/// after `died` the worker is of no more use.
class Worker : public QObject {
    Q_OBJECT
public:
    Worker(const Installation& installation, const DeviceTarget& target, QObject* parent = nullptr);
    ~Worker() override;

    void start();
    /// `request` gets its id here; the id comes back with the answer.
    qint64 send(nlohmann::json request);
    /// Ends the process at once; `died` follows.
    void kill();
    /// The last lines the process wrote to its standard error.
    QString diagnostics() const;

    /// Why it never answered, when the process said so; else empty.
    const Message& startProblem() const { return m_startProblem; }

    static QStringList arguments(const Installation& installation, const DeviceTarget& target);

signals:
    void answered(qint64 id, const nlohmann::json& answer);
    /// `started`: it had answered before; `crashed`: a signal ended it. `why` is one clause without a full stop.
    void died(bool started, bool crashed, const QString& why);

private:
    void readAnswers();
    void handleLine(const QByteArray& line);
    void readDiagnostics();
    void handleError(QProcess::ProcessError error);
    void handleFinished(int exitCode, QProcess::ExitStatus status);
    void reportDeath(bool crashed, const QString& why);

    QProcess m_process;
    QByteArray m_buffer;
    qsizetype m_searched = 0;  ///< how much of the buffer is known to hold no line end
    QByteArray m_diagnostics;
    Message m_startProblem;
    qint64 m_lastId = 0;
    bool m_answered = false;
    bool m_dead = false;
    QString m_verdict;         ///< why we killed it, when we did
};

}  // namespace tidemark
