// SPDX-License-Identifier: Apache-2.0
#include "tests/probe/probeprocess.h"

#include "engine/plan/errors.h"

#include <QTest>

namespace tidemark::testing {
namespace {

using nlohmann::json;

constexpr int kAnswerMilliseconds = 60000;

void fail(const std::string& why) { QTest::qFail(why.c_str(), __FILE__, __LINE__); }

std::string errorText(const json& answer) {
    return answer.value("error", json::object()).value("message", "no error given");
}

}  // namespace

std::string modelFile(const std::string& name) { return std::string(MODELS "/") + name + ".pt"; }

ProbeProcess::ProbeProcess(const QStringList& arguments) {
    m_process.setProcessChannelMode(QProcess::ForwardedErrorChannel);
    const QString other = qEnvironmentVariable("TIDEMARK_PROBE");
    m_process.start(other.isEmpty() ? QStringLiteral(PROBE) : other, arguments);
}

ProbeProcess::~ProbeProcess() {
    m_process.closeWriteChannel();
    if (m_process.waitForFinished(10000)) return;
    m_process.kill();
    m_process.waitForFinished();
}

json ProbeProcess::askLine(const QByteArray& line) {
    m_process.write(line + '\n');
    while (!m_process.canReadLine())
        if (!m_process.waitForReadyRead(kAnswerMilliseconds)) {
            fail("tidemark-probe gave no answer to " + line.toStdString());
            return json::object();
        }
    const json answer = json::parse(m_process.readLine().toStdString(), nullptr, false);
    if (answer.is_object()) return answer;
    fail("an answer that is no JSON object");
    return json::object();
}

json ProbeProcess::ask(const json& request) {
    const json answer = askLine(QByteArray::fromStdString(with({{"id", ++m_lastId}}, request).dump()));
    if (answer.value("id", json()) != request.value("id", json(m_lastId))) fail("an answer with another id");
    return answer;
}

int ProbeProcess::finish() {
    m_process.closeWriteChannel();
    if (!m_process.waitForFinished(kAnswerMilliseconds) || m_process.exitStatus() != QProcess::NormalExit) return -1;
    return m_process.exitCode();
}

ModelInfo ProbeProcess::open(const std::string& name) {
    const json answer = ask({{"op", "open"}, {"path", modelFile(name)}});
    if (!answer.value("ok", false)) {
        fail("cannot open " + name + ": " + errorText(answer));
        return {};
    }
    const Result<ModelInfo> model = modelInfoFromJson(answer["model"]);
    if (model.ok()) return model.value();
    fail(model.error().message.english());
    return {};
}

json ProbeProcess::measureAnswer(const json& settings, const json& detail, std::int64_t memoryLimit) {
    return ask({{"op", "measure"}, {"settings", settings}, {"detail", detail}, {"memory_limit", memoryLimit}});
}

namespace {

Measurement measurementIn(const json& answer, const json& settings) {
    if (!answer.value("ok", false)) {
        fail("cannot measure " + settings.dump() + ": " + errorText(answer));
        return {};
    }
    const Result<Measurement> measurement = measurementFromJson(answer["measurement"]);
    if (measurement.ok()) return measurement.value();
    fail(measurement.error().message.english());
    return {};
}

}  // namespace

Measurement ProbeProcess::measure(const json& settings, std::int64_t memoryLimit) {
    return measurementIn(measureAnswer(settings, {"layers"}, memoryLimit), settings);
}

Measurement ProbeProcess::measureTimeline(const json& settings) {
    return measurementIn(measureAnswer(settings, {"layers", "timeline"}), settings);
}

json ProbeProcess::untimed(const json& settings) {
    json answer = measureAnswer(settings, {"layers", "timeline"});
    if (!answer.value("ok", false)) {
        fail("cannot measure " + settings.dump() + ": " + errorText(answer));
        return {};
    }
    answer["measurement"].erase("step_time_us");
    if (settings.value("precision", "").starts_with("amp")) answer["measurement"].erase("timeline");
    return answer["measurement"];
}

QString errorCode(const json& answer) {
    return answer.contains("error") ? QString::fromStdString(answer["error"].value("code", "")) : QString();
}

QString errorMessage(const json& answer) {
    return answer.contains("error") ? QString::fromStdString(answer["error"].value("message", "")) : QString();
}

QString textOf(const json& value) { return QString::fromStdString(value.dump()); }

json with(json settings, const json& changes) {
    settings.update(changes);
    return settings;
}

const LayerUse& rowOf(const Measurement& measurement, const ModelInfo& model, const std::string& path) {
    static const LayerUse kNone;
    const int index = model.indexOf(path);
    if (index >= 0 && static_cast<std::size_t>(index) < measurement.layers.size())
        return measurement.layers[static_cast<std::size_t>(index)];
    fail("no row for the layer " + path);
    return kNone;
}

Bytes sumOf(const Measurement& measurement, Bytes LayerUse::*column) {
    Bytes sum;
    for (const LayerUse& layer : measurement.layers) sum += layer.*column;
    return sum;
}

}  // namespace tidemark::testing
