// SPDX-License-Identifier: Apache-2.0
#include "engine/session/blockingsession.h"

#include "engine/session/dispatcher.h"

#include <QEventLoop>

namespace tidemark {
namespace {

Error lost() { return {ErrorCode::Cancelled, Message::tr("The measurement was dropped."), {}}; }

}  // namespace

BlockingSession::BlockingSession(Installation installation)
    : m_dispatcher(std::make_unique<Dispatcher>(std::move(installation))) {}

BlockingSession::~BlockingSession() = default;

Result<ModelInfo> BlockingSession::open(const QString& path, const Gpu& gpu, const Settings& settings) {
    const quint64 wanted = ++m_lastId;
    Result<ModelInfo> result = lost();
    QEventLoop loop;
    QObject context;
    QObject::connect(m_dispatcher.get(), &Dispatcher::opened, &context, [&](quint64 id, const ModelInfo& model) {
        if (id == wanted) result = model, loop.quit();
    });
    QObject::connect(m_dispatcher.get(), &Dispatcher::failed, &context, [&](quint64 id, const Error& error) {
        if (id == wanted) result = error, loop.quit();
    });
    QMetaObject::invokeMethod(
        m_dispatcher.get(), [&] { m_dispatcher->open(wanted, path, DeviceTarget::of(gpu, settings)); },
        Qt::QueuedConnection);
    loop.exec();
    return result;
}

Result<Measured> BlockingSession::measure(const MeasureRequest& request) { return std::move(measureAll({request})[0]); }

std::vector<Result<Measured>> BlockingSession::measureAll(const std::vector<MeasureRequest>& requests) {
    std::vector<Result<Measured>> results(requests.size(), lost());
    if (requests.empty()) return results;
    const quint64 first = m_lastId + 1;
    m_lastId += requests.size();
    std::size_t left = requests.size();
    QEventLoop loop;
    QObject context;
    const auto settle = [&](quint64 id, Result<Measured> result) {
        if (id < first || id - first >= results.size()) return;
        results[id - first] = std::move(result);
        if (--left == 0) loop.quit();
    };
    QObject::connect(m_dispatcher.get(), &Dispatcher::measured, &context, settle);
    QObject::connect(m_dispatcher.get(), &Dispatcher::failed, &context, settle);
    QMetaObject::invokeMethod(
        m_dispatcher.get(),
        [&] {
            for (std::size_t i = 0; i < requests.size(); ++i) {
                MeasureRequest request = requests[i];
                request.lane = Lane::Search;  // a lane that keeps all of them
                m_dispatcher->measure(first + i, request);
            }
        },
        Qt::QueuedConnection);
    loop.exec();
    return results;
}

void BlockingSession::setTimeLimit(std::chrono::milliseconds limit) { m_dispatcher->setTimeLimit(limit); }

}  // namespace tidemark
