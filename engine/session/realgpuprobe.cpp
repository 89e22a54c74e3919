// SPDX-License-Identifier: Apache-2.0
#include "engine/session/realgpuprobe.h"

#include "engine/session/answer.h"
#include "engine/session/modelfile.h"
#include "engine/session/worker.h"

#include <QFileInfo>

#include <nlohmann/json.hpp>

#include <algorithm>

namespace tidemark {
namespace {

using nlohmann::json;

/// The last thing the process said, which for one that does not start is the reason.
QString lastLine(const QString& diagnostics) {
    const QString line = diagnostics.section('\n', -1).trimmed();
    const QString name = QStringLiteral("tidemark-probe: ");
    return line.startsWith(name) ? line.mid(name.size()) : line;
}

}  // namespace

RealGpuProbe::RealGpuProbe(Installation installation, QObject* parent)
    : QObject(parent), m_installation(std::move(installation)) {
    qRegisterMetaType<Message>();
    qRegisterMetaType<RealProbeInfo>();
    qRegisterMetaType<ProbePoint>();
    qRegisterMetaType<DeviceUse>();
    m_limit.setParent(this);
    m_limit.setSingleShot(true);
    connect(&m_limit, &QTimer::timeout, this, &RealGpuProbe::handleTimeLimit);
}

RealGpuProbe::~RealGpuProbe() { m_listener.reset(); }

void RealGpuProbe::start(const RealProbeRequest& request) {
    if (m_running) return;
    m_running = true;
    m_request = request;
    m_request.model = QFileInfo(request.model).absoluteFilePath();
    m_waiting.assign(request.batches.begin(), request.batches.end());
    if (m_waiting.empty()) m_waiting.push_back(request.settings.batch);
    m_free = {};
    m_retired.clear();
    if (const auto error = checkModelFile(m_request.model)) {
        QMetaObject::invokeMethod(this, [this, sentence = error->message] { end(sentence); }, Qt::QueuedConnection);
        return;
    }
    if (m_request.timeLimit.count() > 0) m_limit.start(m_request.timeLimit);
    startWorker();
}

void RealGpuProbe::cancel() {
    if (m_running) end(Message::tr("The probe was cancelled."));
}

void RealGpuProbe::startWorker() {
    DeviceTarget target = DeviceTarget::of({}, m_request.settings, true);
    target.gaugeMilliseconds = m_request.gaugeMilliseconds;
    retireWorker();
    m_opened = false;
    m_worker = std::make_unique<Worker>(m_installation, target);
    m_listener = std::make_unique<QObject>();
    connect(m_worker.get(), &Worker::answered, m_listener.get(),
            [this](qint64 id, const json& answer) { handleAnswer(id, answer); });
    // Queued, so that a worker is never deleted inside one of its own signals.
    connect(
        m_worker.get(), &Worker::died, m_listener.get(),
        [this](bool started, bool, const QString& why) { handleDeath(started, why); }, Qt::QueuedConnection);
    m_worker->start();
    m_awaited = Awaited::Hello;
    m_awaitedId = m_worker->send({{"op", "hello"}});
}

/// Sends the next thing that stands between the worker and the end.
void RealGpuProbe::advance() {
    if (!m_opened) {
        m_awaited = Awaited::Open;
        m_awaitedId = m_worker->send({{"op", "open"}, {"path", m_request.model.toStdString()}});
        return;
    }
    if (m_waiting.empty()) return end({});
    Settings settings = m_request.settings;
    settings.batch = m_waiting.front();
    const Bytes limit = m_free > Bytes{} ? std::max(Bytes{1}, m_free - m_request.keepFree) : m_deviceMemory - m_request.keepFree;
    m_awaited = Awaited::Measure;
    m_awaitedId = m_worker->send({{"op", "measure"}, {"settings", toJson(settings)}, {"memory_limit", std::max<std::int64_t>(1, limit.count)}});
}

void RealGpuProbe::handleAnswer(qint64 id, const json& answer) {
    if (const auto use = answer.find("use"); id == 0 && use != answer.end()) {
        if (const auto reading = deviceUseFromJson(*use)) emit gaugeMoved(reading.value());
        return;
    }
    if (id != m_awaitedId || m_awaited == Awaited::Nothing) return;
    switch (std::exchange(m_awaited, Awaited::Nothing)) {
    case Awaited::Hello: return handleHello(answer);
    case Awaited::Open:
        if (!succeeded(answer)) return end(errorIn(answer).message);
        m_opened = true;
        return advance();
    case Awaited::Measure: return handleMeasured(answer);
    case Awaited::Nothing: break;
    }
}

void RealGpuProbe::handleHello(const json& answer) {
    if (!succeeded(answer)) return end(errorIn(answer).message);
    RealProbeInfo info;
    info.torchVersion = answer.value("torch_version", "");
    if (const auto device = answer.find("device"); device != answer.end() && device->is_object()) {
        info.device = device->value("name", "");
        info.deviceMemory = Bytes{device->value("memory", std::int64_t{0})};
    }
    m_deviceMemory = info.deviceMemory;
    if (const auto use = answer.find("use"); use != answer.end() && m_free == Bytes{})
        if (const auto reading = deviceUseFromJson(*use)) m_free = reading->free;
    emit started(info);
    if (m_running) advance();
}

void RealGpuProbe::handleMeasured(const json& answer) {
    if (!succeeded(answer)) {
        pointFailed(errorIn(answer));
        // After an error of a kernel the context is lost, and everything that follows would fail.
        if (m_running) startWorker();
        return;
    }
    auto point = probePointFromAnswer(answer, m_waiting.front());
    if (!point) return pointFailed(point.error());
    m_waiting.pop_front();
    emit pointMeasured(point.value());
    if (m_running) advance();
}

void RealGpuProbe::handleDeath(bool started, const QString& why) {
    if (!m_worker || !m_running) return;
    const QString said = m_worker->diagnostics();
    if (!started || !m_opened) {
        if (!m_worker->startProblem().empty()) return end(m_worker->startProblem());
        const std::string reason = lastLine(said).toStdString();
        return end(reason.empty() ? Message::tr("The probe could not be started: {}.", why.toStdString()) : Message(reason));
    }
    pointFailed({ErrorCode::WorkerDied, Message::tr("The probe was killed: {}.", why.toStdString()), said.toStdString()});
    if (m_running) startWorker();
}

void RealGpuProbe::handleTimeLimit() {
    const auto seconds = std::chrono::duration<double>(m_request.timeLimit).count();
    end(Message::tr("The probe was stopped after its time limit of {} s.", seconds));
}

/// The step at hand ends as a point with this error.
void RealGpuProbe::pointFailed(Error error) {
    ProbePoint point;
    point.batch = m_waiting.front();
    point.error = std::move(error);
    m_waiting.pop_front();
    emit pointMeasured(point);
    if (m_running && m_waiting.empty()) end({});
}

void RealGpuProbe::end(const Message& problem) {
    if (!m_running) return;
    m_running = false;
    m_limit.stop();
    m_waiting.clear();
    retireWorker();
    emit finished(problem);
}

/// Kills the process, so that it gives the card back. The object stays for a while: this may be its own signal.
void RealGpuProbe::retireWorker() {
    m_awaited = Awaited::Nothing;
    m_listener.reset();
    if (!m_worker) return;
    m_worker->kill();
    m_retired.push_back(std::move(m_worker));
}

}  // namespace tidemark
