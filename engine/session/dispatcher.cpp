// SPDX-License-Identifier: Apache-2.0
#include "engine/session/dispatcher.h"

#include "engine/session/answer.h"
#include "engine/session/modelfile.h"
#include "engine/session/worker.h"

#include <QFileInfo>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace tidemark {
namespace {

using nlohmann::json;
using namespace std::chrono_literals;

/// Each worker holds LibTorch in memory, some 400 MB.
constexpr std::size_t kMostWorkers = 4;
/// How long a request that nobody wants any more may hold up the next one before its worker is killed.
constexpr auto kPatience = 2s;

bool keepsOnlyNewest(Lane lane) { return lane == Lane::Cursor || lane == Lane::Detail || lane == Lane::Probe; }

QString seatKey(const DeviceTarget& target, const QString& model) {
    return QString::fromStdString(target.key()) + '\n' + model;
}

std::string textOf(const json& object, const char* key) {
    const auto it = object.find(key);
    if (it == object.end()) return {};
    if (it->is_string()) return it->get<std::string>();
    return it->is_number() && it->get<double>() != 0 ? it->dump() : std::string();
}

WorkerInfo infoFrom(const json& answer) {
    WorkerInfo info;
    info.torchVersion = textOf(answer, "torch_version");
    // "cudnn 9.26.1", "estimate", "none"
    const std::string workspace = textOf(answer, "workspace");
    info.workspace = workspace.substr(0, workspace.find(' '));
    if (info.workspace == "cudnn")
        info.cudnnVersion = workspace == info.workspace ? textOf(answer, "cudnn_version") : workspace.substr(6);
    if (const auto problem = answer.find("workspace_problem"); problem != answer.end())
        info.workspaceProblem = messageFromJson(*problem);
    if (const auto device = answer.find("device"); device != answer.end() && device->is_object()) {
        info.device = textOf(*device, "name");
        if (const auto memory = device->find("memory"); memory != device->end() && memory->is_number_integer())
            info.deviceMemory = Bytes{memory->get<std::int64_t>()};
        if (const auto real = device->find("real"); real != device->end() && real->is_boolean())
            info.real = real->get<bool>();
    }
    return info;
}

json measureMessage(const MeasureRequest& request, const DeviceTarget& target) {
    Settings settings = request.settings;
    settings.workspace = target.workspace;
    json detail = json::array();
    if (request.detail.layers) detail.push_back("layers");
    if (request.detail.timeline) detail.push_back("timeline");
    if (request.detail.peaksOnly) detail.push_back("peaks");
    // A real device has its own limit and cannot be given more than it has.
    const std::int64_t limit = target.real && request.memoryLimit == kUnlimited ? 0 : request.memoryLimit.count;
    return {{"op", "measure"}, {"settings", toJson(settings)}, {"detail", std::move(detail)}, {"memory_limit", limit}};
}

Error workerDied(const std::string& model, const QString& why, const QString& diagnostics) {
    return {ErrorCode::WorkerDied,
            Message::tr("The worker that runs \"{}\" died twice: {}.", QFileInfo(QString::fromStdString(model)).fileName().toStdString(),
                        why.toStdString()),
            diagnostics.toStdString()};
}

}  // namespace

Dispatcher::Dispatcher(Installation installation, QObject* parent)
    : QObject(parent), m_installation(std::move(installation)) {}

Dispatcher::~Dispatcher() = default;

void Dispatcher::open(quint64 id, const QString& path, const DeviceTarget& target) {
    Job job;
    job.id = id;
    job.opens = true;
    job.request.model = path;
    job.target = target;
    enqueue(std::move(job));
}

void Dispatcher::measure(quint64 id, const MeasureRequest& request) {
    Job job;
    job.id = id;
    job.request = request;
    job.target = request.target();
    enqueue(std::move(job));
}

void Dispatcher::enqueue(Job job) {
    job.request.model = QFileInfo(job.request.model).absoluteFilePath();
    if (auto error = checkModelFile(job.request.model)) {
        emit failed(job.id, *error);
        return;
    }
    if (!job.opens && keepsOnlyNewest(job.request.lane)) supersede(job);
    m_queue.push_back(std::move(job));
    scheduleLater();
}

std::vector<Dispatcher::Seat*> Dispatcher::dropWaiting(Lane lane, int variant) {
    const auto matches = [&](const Job& job) {
        return !job.opens && job.request.lane == lane && job.request.variant == variant;
    };
    std::vector<quint64> ids;
    std::erase_if(m_queue, [&](const Job& job) {
        if (matches(job)) ids.push_back(job.id);
        return matches(job);
    });
    for (quint64 id : ids) emit dropped(id);
    std::vector<Seat*> busy;
    for (const auto& seat : m_seats)
        if (seat->job && matches(*seat->job)) busy.push_back(seat.get());
    return busy;
}

void Dispatcher::supersede(const Job& newer) {
    for (Seat* seat : dropWaiting(newer.request.lane, newer.request.variant)) {
        if (!seat->job->superseded) seat->limit.start(kPatience);
        seat->job->superseded = true;
    }
}

void Dispatcher::drop(Lane lane, int variant) {
    for (Seat* seat : dropWaiting(lane, variant)) {
        seat->job->unwanted = true;
        seat->limit.start(kPatience);
    }
}

void Dispatcher::cancel() {
    std::list<Job> waiting;
    waiting.swap(m_queue);
    for (const Job& job : waiting) emit dropped(job.id);
    for (const auto& seat : m_seats) {
        if (!seat->job) continue;
        fail(seat.get(), {ErrorCode::Cancelled, Message::tr("The measurement was cancelled."), {}});
        seat->worker.reset();
    }
}

void Dispatcher::scheduleLater() {
    if (m_scheduled) return;
    m_scheduled = true;
    QMetaObject::invokeMethod(
        this,
        [this] {
            m_scheduled = false;
            schedule();
        },
        Qt::QueuedConnection);
}

void Dispatcher::schedule() {
    // Openings come first: every other request of that model waits for them anyway.
    m_queue.sort([](const Job& a, const Job& b) {
        const auto rank = [](const Job& j) { return j.opens ? -1 : static_cast<int>(j.request.lane); };
        return rank(a) < rank(b);
    });
    for (auto it = m_queue.begin(); it != m_queue.end();) {
        it->target = usableTarget(it->target);
        Seat* seat = seatFor(*it);
        if (!seat) {
            ++it;
            continue;
        }
        Job job = std::move(*it);
        it = m_queue.erase(it);
        begin(seat, std::move(job));
    }
}

DeviceTarget Dispatcher::usableTarget(const DeviceTarget& wanted) const {
    DeviceTarget target = wanted;
    if (m_withoutCudnn.contains(QString::fromStdString(wanted.key()))) target.workspace = WorkspaceSource::Estimate;
    return target;
}

/// An idle seat for this job, made or taken from the least recently used target if need be; null: wait.
Dispatcher::Seat* Dispatcher::seatFor(const Job& job) {
    const QString key = seatKey(job.target, job.request.model);
    for (const auto& seat : m_seats)
        if (seat->key == key) return seat->job ? nullptr : seat.get();
    if (m_seats.size() >= kMostWorkers) {
        auto oldest = m_seats.end();
        for (auto it = m_seats.begin(); it != m_seats.end(); ++it)
            if (!(*it)->job && (oldest == m_seats.end() || (*it)->lastUse < (*oldest)->lastUse)) oldest = it;
        if (oldest == m_seats.end()) return nullptr;
        m_seats.erase(oldest);
    }
    Seat* seat = m_seats.emplace_back(std::make_unique<Seat>()).get();
    seat->key = key;
    seat->limit.setSingleShot(true);
    connect(&seat->limit, &QTimer::timeout, this, [this, seat] { handleLimit(seat); });
    return seat;
}

void Dispatcher::begin(Seat* seat, Job job) {
    seat->job = std::move(job);
    seat->lastUse = ++m_clock;
    // cudnn.benchmark tries what LibTorch has no plan for, and LibTorch keeps its plans until the process ends.
    const bool benchmarks = !seat->job->opens && seat->job->request.settings.cudnnBenchmark;
    const bool hasOthers = seat->hasBenchmarked || seat->fallbacks.contains(seat->job->request.settings.batch);
    const bool needsNewWorker = !seat->job->opens && (benchmarks ? seat->hasMeasured : hasOthers);
    if (needsNewWorker) seat->worker.reset();
    if (m_timeLimit > 0ms) seat->limit.start(m_timeLimit);
    advance(seat);
}

/// Sends the worker the next thing that stands between it and the answer.
void Dispatcher::advance(Seat* seat) {
    if (!seat->worker) startWorker(seat);
    const QString identity = identityOf(seat->job->request.model);
    json message;
    if (!seat->info)
        message = {{"op", "hello"}};
    else if (seat->openedIdentity != identity)
        message = {{"op", "open"}, {"path", seat->job->request.model.toStdString()}};
    else if (seat->job->opens) {
        const ModelInfo model = seat->model;
        if (const auto job = takeJob(seat)) emit opened(job->id, model);
        return scheduleLater();
    } else {
        message = measureMessage(seat->job->request, seat->job->target);
        seat->hasMeasured = true;
        seat->hasBenchmarked |= seat->job->request.settings.cudnnBenchmark;
    }
    seat->awaitedIdentity = identity;
    seat->awaited = seat->worker->send(std::move(message));
}

void Dispatcher::startWorker(Seat* seat) {
    seat->info.reset();
    seat->hasMeasured = false;
    seat->hasBenchmarked = false;
    seat->fallbacks.clear();
    seat->openedIdentity.clear();
    seat->worker = std::make_unique<Worker>(m_installation, seat->job->target);
    seat->listener = std::make_unique<QObject>();
    connect(seat->worker.get(), &Worker::answered, seat->listener.get(),
            [this, seat](qint64 id, const json& answer) { handleAnswer(seat, id, answer); });
    // Queued, so that a worker is never deleted inside one of its own signals.
    connect(
        seat->worker.get(), &Worker::died, seat->listener.get(),
        [this, seat](bool started, bool crashed, const QString& why) { handleDeath(seat, started, crashed, why); },
        Qt::QueuedConnection);
    seat->worker->start();
}

void Dispatcher::handleAnswer(Seat* seat, qint64 id, const json& answer) {
    if (!seat->job || id != seat->awaited) return;
    if (!succeeded(answer)) {
        fail(seat, errorIn(answer));
    } else if (!seat->info) {
        seat->info = infoFrom(answer);
    } else if (seat->openedIdentity != seat->awaitedIdentity) {
        handleModel(seat, answer);
    } else {
        handleMeasurement(seat, answer);
    }
    if (seat->job && (seat->job->superseded || seat->job->unwanted)) abandon(seat);
    if (seat->job)
        advance(seat);
    else
        scheduleLater();
}

void Dispatcher::handleModel(Seat* seat, const json& answer) {
    const auto model = answer.find("model");
    auto info = modelInfoFromJson(model == answer.end() ? json() : *model);
    if (!info.ok()) return fail(seat, info.error());
    // Memory that an earlier model left behind would count for this one: a new worker opens it again.
    const auto remaining = answer.find("remaining");
    if (!seat->openedIdentity.isEmpty() && remaining != answer.end() && remaining->is_number_integer() && *remaining > 0) {
        seat->worker.release()->deleteLater();  // not now: this is its own signal
        return startWorker(seat);
    }
    seat->model = std::move(info).value();
    seat->openedIdentity = seat->awaitedIdentity;
}

void Dispatcher::handleMeasurement(Seat* seat, const json& answer) {
    const auto value = answer.find("measurement");
    auto measurement = measurementFromJson(value == answer.end() ? json() : *value);
    if (!measurement.ok()) return fail(seat, measurement.error());
    const WorkerInfo info = *seat->info;
    // The error that ended the step is not one that LibTorch caught.
    const bool hasFallbacks = measurement->outOfMemoryErrors > (measurement->outOfMemory ? 1 : 0);
    if (hasFallbacks && seat->job) seat->fallbacks.insert(seat->job->request.settings.batch);
    const auto job = takeJob(seat);
    if (!job) return;
    const DeviceTarget wanted = job->request.target();
    if (wanted.workspace != job->target.workspace) {
        m_withoutCudnn.insert(QString::fromStdString(wanted.key()));
        measurement->warnings.emplace_back(
            Message::tr("cuDNN took its worker down when it was asked for this card; the workspaces are estimated."));
    }
    emit measured(job->id, {job->request, std::make_shared<const Measurement>(std::move(measurement).value()), info, false});
}

void Dispatcher::handleDeath(Seat* seat, bool started, bool crashed, const QString& why) {
    if (!seat->worker) return;
    const QString diagnostics = seat->worker->diagnostics();
    const Message startProblem = seat->worker->startProblem();
    seat->worker.reset();
    seat->openedIdentity.clear();
    std::optional<Job> job = takeJob(seat);
    if (!job) return scheduleLater();
    if (job->superseded) {
        emit dropped(job->id);
    } else if (!started && !crashed) {
        emit failed(job->id, {ErrorCode::WorkerUnavailable,
                              startProblem.empty() ? Message::tr("The worker could not be started: {}.", why.toStdString())
                                                   : startProblem,
                              diagnostics.toStdString()});
    } else if (job->retried) {
        emit failed(job->id, workerDied(job->request.model.toStdString(), why, diagnostics));
    } else {
        emit workerRestarted(tr("The worker died (%1) and was started again.").arg(why));
        job->retried = true;
        if (!job->opens && crashed && job->target.workspace == WorkspaceSource::Cudnn)
            job->target.workspace = WorkspaceSource::Estimate;
        m_queue.push_front(std::move(*job));
    }
    scheduleLater();
}

void Dispatcher::handleLimit(Seat* seat) {
    if (!seat->job) return;
    if (seat->job->superseded || seat->job->unwanted)
        abandon(seat);
    else
        fail(seat, {ErrorCode::WorkerDied,
                    Message::tr("The measurement was stopped because it gave no answer within {} s.",
                                std::chrono::duration<double>(m_timeLimit).count()),
                    seat->worker->diagnostics().toStdString()});
    seat->worker.reset();
    scheduleLater();
}

/// The job that is no longer the seat's. Empty when nobody wants its answer: that is then reported here.
std::optional<Dispatcher::Job> Dispatcher::takeJob(Seat* seat) {
    seat->limit.stop();
    seat->awaited = 0;
    std::optional<Job> job = std::exchange(seat->job, std::nullopt);
    if (job && job->unwanted) {
        emit dropped(job->id);
        return std::nullopt;
    }
    return job;
}

void Dispatcher::abandon(Seat* seat) {
    if (const auto job = takeJob(seat)) emit dropped(job->id);
}

void Dispatcher::fail(Seat* seat, Error error) {
    if (const auto job = takeJob(seat)) emit failed(job->id, error);
}

}  // namespace tidemark
