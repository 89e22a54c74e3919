// SPDX-License-Identifier: Apache-2.0
#include "engine/session/worker.h"

#include "engine/gpus/catalogue.h"
#include "engine/plan/errors.h"

#include <QFileInfo>

namespace tidemark {
namespace {

constexpr qsizetype kDiagnosticsKept = 4096;
/// A line longer than this is no answer: the timeline of a million events takes a tenth of it.
constexpr qsizetype kLongestAnswer = qsizetype{1} << 30;

}  // namespace

QStringList Worker::arguments(const Installation& installation, const DeviceTarget& target) {
    QStringList list;
    if (target.real) {
        list << "--real";
        if (target.gaugeMilliseconds > 0) list << "--gauge" << QString::number(target.gaugeMilliseconds);
    } else {
        list << "--gpu" << QString::fromStdString(target.gpu.id);
        if (target.gpu.memory > Bytes{}) list << "--memory" << QString::number(qint64(target.gpu.memory.count));
        // Whole, because the card need not be one of the catalogue.
        if (target.gpu.multiprocessors > 0) list << "--device" << QString::fromStdString(nullDeviceJson(target.gpu));
    }
    if (!installation.catalogue.isEmpty()) list << "--catalogue" << installation.catalogue;
    list << "--workspace" << QString::fromStdString(target.workspaceName());
    if (target.workspace == WorkspaceSource::Cudnn && !installation.cudnn.isEmpty())
        list << "--cudnn" << installation.cudnn;
    // LibTorch may have read the allocator's configuration before a fork could change it.
    if (!target.allocator.empty()) list << "--allocator" << QString::fromStdString(target.allocator);
    else if (!target.real && !installation.nursery.isEmpty()) list << "--from" << installation.nursery;
    return list;
}

Worker::Worker(const Installation& installation, const DeviceTarget& target, QObject* parent) : QObject(parent) {
    m_process.setProgram(installation.probe);
    m_process.setArguments(arguments(installation, target));
    connect(&m_process, &QProcess::readyReadStandardOutput, this, &Worker::readAnswers);
    connect(&m_process, &QProcess::readyReadStandardError, this, &Worker::readDiagnostics);
    connect(&m_process, &QProcess::errorOccurred, this, &Worker::handleError);
    connect(&m_process, &QProcess::finished, this, &Worker::handleFinished);
}

Worker::~Worker() {
    m_process.disconnect(this);
    if (m_process.state() == QProcess::NotRunning) return;
    m_process.kill();
    m_process.waitForFinished(5000);
}

void Worker::start() {
    if (m_process.program().isEmpty()) {
        QMetaObject::invokeMethod(
            this, [this] { reportDeath(false, tr("the program tidemark-probe was not found")); }, Qt::QueuedConnection);
        return;
    }
    m_process.start();
}

qint64 Worker::send(nlohmann::json request) {
    request["id"] = ++m_lastId;
    m_process.write(QByteArray::fromStdString(request.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace)));
    m_process.write("\n");
    return m_lastId;
}

void Worker::kill() {
    if (m_verdict.isEmpty()) m_verdict = tr("it was stopped");
    m_process.kill();
}

QString Worker::diagnostics() const { return QString::fromUtf8(m_diagnostics).trimmed(); }

void Worker::readAnswers() {
    m_buffer += m_process.readAllStandardOutput();
    qsizetype begin = 0;
    for (qsizetype end = m_buffer.indexOf('\n', m_searched); end >= 0 && m_verdict.isEmpty(); end = m_buffer.indexOf('\n', begin)) {
        handleLine(m_buffer.mid(begin, end - begin));
        begin = end + 1;
    }
    m_buffer.remove(0, begin);
    m_searched = m_buffer.size();
    if (m_buffer.size() > kLongestAnswer) {
        m_verdict = tr("it wrote an answer without end");
        m_process.kill();
    }
}

void Worker::handleLine(const QByteArray& line) {
    if (line.trimmed().isEmpty()) return;
    const nlohmann::json answer = nlohmann::json::parse(line.begin(), line.end(), nullptr, false);
    const auto id = answer.is_object() ? answer.find("id") : answer.end();
    if (!answer.is_object() || id == answer.end() || !id->is_number_integer()) {
        m_verdict = tr("it wrote something that is no answer: \"%1\"").arg(QString::fromUtf8(line.left(80)));
        m_process.kill();
        return;
    }
    if (const auto error = answer.find("error"); *id == 0 && error != answer.end()) {
        m_startProblem = errorFromJson(*error).message;
        return;
    }
    m_answered = true;
    emit answered(id->get<qint64>(), answer);
}

void Worker::readDiagnostics() {
    m_diagnostics += m_process.readAllStandardError();
    if (m_diagnostics.size() > kDiagnosticsKept) m_diagnostics = m_diagnostics.right(kDiagnosticsKept);
}

void Worker::handleError(QProcess::ProcessError error) {
    // Everything but a failed start ends in finished() as well.
    if (error == QProcess::FailedToStart)
        reportDeath(false, tr("the program \"%1\" could not be started").arg(m_process.program()));
}

void Worker::handleFinished(int exitCode, QProcess::ExitStatus status) {
    readAnswers();
    readDiagnostics();
    const bool crashed = status == QProcess::CrashExit;
    if (!m_verdict.isEmpty())
        reportDeath(false, m_verdict);
    else if (crashed)
        reportDeath(true, tr("it crashed with signal %1").arg(exitCode));
    else
        reportDeath(false, tr("it ended with code %1").arg(exitCode));
}

void Worker::reportDeath(bool crashed, const QString& why) {
    if (m_dead) return;
    m_dead = true;
    emit died(m_answered, crashed, why);
}

}  // namespace tidemark
