// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/plan/measurement.h"
#include "engine/plan/modelinfo.h"

#include <nlohmann/json.hpp>

#include <QProcess>
#include <QString>

#include <string>

namespace tidemark::testing {

/// The file of a model that make_models.py has written.
std::string modelFile(const std::string& name);

/// One running tidemark-probe. What goes wrong in a call fails the test that makes it.
class ProbeProcess {
public:
    /// TIDEMARK_PROBE in the environment names another program than the one built here.
    explicit ProbeProcess(const QStringList& arguments = {"--workspace", "none"});
    ~ProbeProcess();

    /// Sends one line as it is and returns the answer; an empty object when the process dies or says nothing.
    nlohmann::json askLine(const QByteArray& line);
    nlohmann::json ask(const nlohmann::json& request);
    bool isRunning() const { return m_process.state() == QProcess::Running; }
    /// Ends its input; the exit status, −1 when it crashes or does not end.
    int finish();

    /// Opens a model of make_models.py.
    ModelInfo open(const std::string& name);
    /// The whole answer to a measure request.
    nlohmann::json measureAnswer(const nlohmann::json& settings, const nlohmann::json& detail = nlohmann::json::array(),
                                 std::int64_t memoryLimit = 0);
    /// The measurement as the engine reads it, with the table of layers.
    Measurement measure(const nlohmann::json& settings, std::int64_t memoryLimit = 0);
    Measurement measureTimeline(const nlohmann::json& settings);
    /// The answer's measurement without what is timed. Under autocast also without the moments: its cast weights are
    /// let go in the order of their addresses on the host, which differs from run to run.
    nlohmann::json untimed(const nlohmann::json& settings);

private:
    QProcess m_process;
    int m_lastId = 0;
};

/// The code of an answer's error, empty when it is none.
QString errorCode(const nlohmann::json& answer);
QString errorMessage(const nlohmann::json& answer);
/// JSON as a failed comparison shows it.
QString textOf(const nlohmann::json& value);

/// `changes` over `settings`.
nlohmann::json with(nlohmann::json settings, const nlohmann::json& changes);

/// The row of one layer.
const LayerUse& rowOf(const Measurement& measurement, const ModelInfo& model, const std::string& path);
/// A column's total.
Bytes sumOf(const Measurement& measurement, Bytes LayerUse::*column);

}  // namespace tidemark::testing
