// SPDX-License-Identifier: Apache-2.0
#include "engine/session/session.h"

#include "engine/session/dispatcher.h"
#include "engine/session/measurementcache.h"

#include <QFileInfo>

namespace tidemark {

Session::Session(Installation installation, QObject* parent)
    : QObject(parent), m_installation(std::move(installation)), m_cache(std::make_unique<MeasurementCache>()),
      m_dispatcher(new Dispatcher(m_installation)) {
    qRegisterMetaType<ModelInfo>();
    qRegisterMetaType<Measured>();
    qRegisterMetaType<Error>();
    m_dispatcher->moveToThread(&m_thread);
    connect(&m_thread, &QThread::finished, m_dispatcher, &QObject::deleteLater);
    connect(m_dispatcher, &Dispatcher::opened, this, [this](quint64 id, const ModelInfo& model) {
        finish();
        emit modelOpened(id, model);
    });
    connect(m_dispatcher, &Dispatcher::measured, this, [this](quint64 id, const Measured& answer) {
        m_cache->insert(MeasurementCache::keyOf(answer.request), answer);
        finish();
        emit measured(id, answer);
    });
    connect(m_dispatcher, &Dispatcher::failed, this, [this](quint64 id, const Error& error) {
        finish();
        emit failed(id, error);
    });
    connect(m_dispatcher, &Dispatcher::dropped, this, [this](quint64 id) {
        finish();
        emit dropped(id);
    });
    connect(m_dispatcher, &Dispatcher::workerRestarted, this, &Session::workerRestarted);
    m_thread.setObjectName("engine");
    m_thread.start();
}

Session::~Session() {
    m_dispatcher->disconnect(this);
    m_thread.quit();
    m_thread.wait();
}

Session::RequestId Session::open(const QString& path, const Gpu& gpu, const Settings& settings) {
    const RequestId id = ++m_lastId;
    begin();
    QMetaObject::invokeMethod(m_dispatcher, [dispatcher = m_dispatcher, id, path,
                                             target = DeviceTarget::of(gpu, settings)] {
        dispatcher->open(id, path, target);
    });
    return id;
}

Session::RequestId Session::measure(MeasureRequest request) {
    const RequestId id = ++m_lastId;
    request.model = QFileInfo(request.model).absoluteFilePath();
    begin();
    if (const Measured* known = m_cache->find(MeasurementCache::keyOf(request), request.detail)) {
        // What waits in this lane is as superseded by a known answer as by a running one.
        if (request.lane == Lane::Cursor || request.lane == Lane::Detail) drop(request.lane, request.variant);
        Measured answer{request, known->measurement, known->worker, true};
        QMetaObject::invokeMethod(
            this,
            [this, id, answer] {
                finish();
                emit measured(id, answer);
            },
            Qt::QueuedConnection);
        return id;
    }
    QMetaObject::invokeMethod(m_dispatcher,
                              [dispatcher = m_dispatcher, id, request] { dispatcher->measure(id, request); });
    return id;
}

MeasurementPtr Session::cached(const MeasureRequest& request) const {
    MeasureRequest question = request;
    question.model = QFileInfo(request.model).absoluteFilePath();
    const Measured* known = m_cache->find(MeasurementCache::keyOf(question), question.detail);
    return known ? known->measurement : nullptr;
}

void Session::drop(Lane lane, int variant) {
    QMetaObject::invokeMethod(m_dispatcher, [dispatcher = m_dispatcher, lane, variant] { dispatcher->drop(lane, variant); });
}

void Session::cancel() {
    QMetaObject::invokeMethod(m_dispatcher, [dispatcher = m_dispatcher] { dispatcher->cancel(); });
}

void Session::setTimeLimit(std::chrono::milliseconds limit) {
    QMetaObject::invokeMethod(m_dispatcher, [dispatcher = m_dispatcher, limit] { dispatcher->setTimeLimit(limit); });
}

void Session::adopt(QObject* object) {
    object->moveToThread(&m_thread);
    connect(&m_thread, &QThread::finished, object, &QObject::deleteLater);
}

void Session::begin() {
    if (m_pending++ == 0) emit busyChanged(true);
}

void Session::finish() {
    if (--m_pending == 0) emit busyChanged(false);
}

}  // namespace tidemark
