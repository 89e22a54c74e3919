// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/session/installation.h"
#include "engine/session/request.h"

#include <QObject>

#include <chrono>
#include <memory>

namespace tidemark {

class Dispatcher;

/// The same workers for programs that wait: the command line and tests. Needs a QCoreApplication; runs an event loop
/// of its own while it waits.
class BlockingSession {
public:
    explicit BlockingSession(Installation installation);
    ~BlockingSession();

    Result<ModelInfo> open(const QString& path, const Gpu& gpu, const Settings& settings);
    Result<Measured> measure(const MeasureRequest& request);
    /// All at once, on as many workers as there are targets; answers in the order of the requests.
    std::vector<Result<Measured>> measureAll(const std::vector<MeasureRequest>& requests);
    void setTimeLimit(std::chrono::milliseconds limit);

private:
    std::unique_ptr<Dispatcher> m_dispatcher;
    quint64 m_lastId = 0;
};

}  // namespace tidemark
