// SPDX-License-Identifier: Apache-2.0
// The probe on a real driver, end to end: the null GPU poses as the real one, under a name of its own and with an offset
// of process memory.
#include "engine/session/blockingsession.h"
#include "engine/session/realdevices.h"
#include "engine/session/realgpuprobe.h"
#include "tests/probe/posinggpu.h"
#include "tests/probe/probeprocess.h"

#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

using namespace tidemark;
using namespace tidemark::testing;
using namespace std::chrono_literals;

namespace {

constexpr int kPatience = 60'000;
constexpr std::int64_t kMemory = 8ll << 30;
constexpr const char* kName = "Posing GPU 5000";

Installation installation() { return {QStringLiteral(PROBE), QStringLiteral(RESOURCES "/gpus.json"), {}, QStringLiteral(RESOURCES)}; }

RealProbeRequest requestFor(const char* model, std::vector<std::int64_t> batches) {
    RealProbeRequest request;
    request.model = QString::fromStdString(modelFile(model));
    request.settings.workspace = WorkspaceSource::None;
    request.batches = std::move(batches);
    request.gaugeMilliseconds = 20;
    return request;
}

/// A probe with all that it told.
struct Run {
    RealGpuProbe probe{installation()};
    RealProbeInfo info;
    std::vector<ProbePoint> points;
    std::vector<DeviceUse> readings;
    QSignalSpy finished{&probe, &RealGpuProbe::finished};

    Run() {
        QObject::connect(&probe, &RealGpuProbe::started, [this](const RealProbeInfo& i) { info = i; });
        QObject::connect(&probe, &RealGpuProbe::pointMeasured, [this](const ProbePoint& p) { points.push_back(p); });
        QObject::connect(&probe, &RealGpuProbe::gaugeMoved, [this](const DeviceUse& u) { readings.push_back(u); });
    }
    bool toTheEnd(const RealProbeRequest& request) {
        probe.start(request);
        return finished.wait(kPatience);
    }
    QString problem() const { return QString::fromStdString(finished.value(0).value(0).value<Message>().english()); }
};

}  // namespace

class TestRealProbe : public QObject {
    Q_OBJECT
private slots:
    void deviceIsDescribedAsTheDriverDescribesIt();
    void withoutADriverOneSentenceSaysSo();
    void probeWithoutADriverEndsWithTheSentence();
    void measuresWhatIsPlannedForThatCard();
    void processIsReservedAndTheContext();
    void countersArePyTorchs();
    void gaugeTellsUsFromOthers();
    void outOfMemoryIsAPointAndTheNextStepRuns();
    void someOfTheCardIsLeftToOthers();
    void killedProbeIsReportedAndTheNextStepRuns();
    void timeLimitEndsTheProbe();
    void cancelEndsTheProbe();
    void nothingStaysBehind();
    void missingModelIsSaid();
    void recurrentDropoutLeavesNothingToTheNextModel();
};

void TestRealProbe::deviceIsDescribedAsTheDriverDescribesIt() {
    const PosingGpu posing(NULL_DIR, kName, kMemory);
    const auto found = RealDevices::find(installation(), {});
    QVERIFY(found.ok());
    QCOMPARE(found.value().gpu.name, std::string(kName));
    QCOMPARE(found.value().gpu.id, std::string("posing-gpu-5000"));
    QCOMPARE(found.value().gpu.capability(), std::string("8.9"));
    QCOMPARE(found.value().gpu.memory.count, kMemory);
    QCOMPARE(found.value().driver, std::string("599.1"));
    QCOMPARE(found.value().use->others.count, PosingGpu::kOthers);
    QCOMPARE(found.value().use->free.count, kMemory - PosingGpu::kOthers);
}

void TestRealProbe::withoutADriverOneSentenceSaysSo() {
    qputenv("CUDA_VISIBLE_DEVICES", "");  // where there is a driver
    const auto found = RealDevices::find(installation(), {});
    qunsetenv("CUDA_VISIBLE_DEVICES");
    QVERIFY(!found.ok());
    QVERIFY(found.error().code == ErrorCode::WorkerUnavailable);
    const QString sentence = QString::fromStdString(found.error().message.english());
    QVERIFY2(sentence.contains("NVIDIA driver") && sentence.endsWith('.') && !sentence.contains('\n'), qPrintable(sentence));
}

void TestRealProbe::probeWithoutADriverEndsWithTheSentence() {
    qputenv("CUDA_VISIBLE_DEVICES", "");
    Run run;
    QVERIFY(run.toTheEnd(requestFor("mlp", {4})));
    qunsetenv("CUDA_VISIBLE_DEVICES");
    QVERIFY2(run.problem().contains("NVIDIA driver"), qPrintable(run.problem()));
    QVERIFY(run.points.empty());
}

void TestRealProbe::measuresWhatIsPlannedForThatCard() {
    const PosingGpu posing(NULL_DIR, kName, kMemory);
    const auto found = RealDevices::find(installation(), {});
    const RealProbeRequest request = requestFor("convnet", {2, 8, 32});
    Run run;
    QVERIFY(run.toTheEnd(request));
    QCOMPARE(run.problem(), QString());
    QCOMPARE(run.info.device, std::string(kName));
    QCOMPARE(run.points.size(), std::size_t(3));
    BlockingSession session(installation());
    for (const ProbePoint& point : run.points) {
        MeasureRequest question;
        question.model = request.model;
        question.gpu = found.value().gpu;
        question.settings = request.settings;
        question.settings.batch = point.batch;
        const auto planned = session.measure(question);
        QVERIFY(planned.ok());
        QCOMPARE(point.measurement->steady.allocated.count, planned.value().measurement->steady.allocated.count);
        QCOMPARE(point.measurement->highest().reserved.count, planned.value().measurement->highest().reserved.count);
    }
}

void TestRealProbe::processIsReservedAndTheContext() {
    const PosingGpu posing(NULL_DIR, kName, kMemory);
    Run run;
    QVERIFY(run.toTheEnd(requestFor("convnet", {8})));
    QCOMPARE(run.points.size(), std::size_t(1));
    const ProbePoint& point = run.points.front();
    QVERIFY(point.reading->source == ProcessSource::Nvml);
    QCOMPARE(point.reading->context().count, PosingGpu::kContext);
    QCOMPARE(point.process()->count, point.measurement->highest().reserved.count + PosingGpu::kContext);
}

void TestRealProbe::countersArePyTorchs() {
    const PosingGpu posing(NULL_DIR, kName, kMemory);
    Run run;
    QVERIFY(run.toTheEnd(requestFor("convnet", {8})));
    std::map<std::string, MemoryStatistic> byName;
    for (const MemoryStatistic& s : run.points.front().statistics) byName[s.name] = s;
    QCOMPARE(byName.at("reserved_bytes").current, run.points.front().reading->reserved.count);
    QCOMPARE(byName.at("allocated_bytes").peak, run.points.front().measurement->steady.allocated.count);
    QCOMPARE(byName.at("allocated_bytes").current, byName.at("allocated_bytes").allocated - byName.at("allocated_bytes").freed);
    QVERIFY(byName.at("allocation").allocated > 0);
}

void TestRealProbe::gaugeTellsUsFromOthers() {
    const PosingGpu posing(NULL_DIR, kName, kMemory);
    RealProbeRequest request = requestFor("convnet", {8, 16, 32, 64});
    request.settings.iterations = 50;
    Run run;
    QVERIFY(run.toTheEnd(request));
    QVERIFY(!run.readings.empty());
    for (const DeviceUse& use : run.readings) {
        QCOMPARE(use.total.count, kMemory);
        QCOMPARE(use.others.count, PosingGpu::kOthers);
        QCOMPARE(use.ours.count + use.others.count + use.free.count, kMemory);
    }
    QVERIFY(run.readings.back().ours.count > PosingGpu::kContext);
}

void TestRealProbe::outOfMemoryIsAPointAndTheNextStepRuns() {
    const PosingGpu posing(NULL_DIR, kName, 2ll << 30);
    Run run;
    QVERIFY(run.toTheEnd(requestFor("convnet", {8, 4096, 16})));
    QCOMPARE(run.problem(), QString());
    QCOMPARE(run.points.size(), std::size_t(3));
    QVERIFY(run.points[0].complete());
    QVERIFY(run.points[1].outOfMemory());
    QVERIFY(run.points[1].measurement->outOfMemory->requested > Bytes{});
    QVERIFY(run.points[2].complete());
}

void TestRealProbe::someOfTheCardIsLeftToOthers() {
    const PosingGpu posing(NULL_DIR, kName, 4ll << 30);
    RealProbeRequest request = requestFor("convnet", {4096});
    request.keepFree = kGiB;
    Run run;
    QVERIFY(run.toTheEnd(request));
    QVERIFY(run.points.front().outOfMemory());
    QVERIFY(run.points.front().reading->process + Bytes{PosingGpu::kOthers} <= kGiB * 3);
}

void TestRealProbe::killedProbeIsReportedAndTheNextStepRuns() {
    const PosingGpu posing(NULL_DIR, kName, kMemory);
    RealProbeRequest request = requestFor("convnet", {64, 8});
    request.settings.iterations = 100;
    Run run;
    bool killed = false;
    QObject::connect(&run.probe, &RealGpuProbe::gaugeMoved, [&](const DeviceUse& use) {
        if (killed || use.ours.count <= PosingGpu::kContext || !run.points.empty()) return;
        for (const pid_t pid : PosingGpu::probes()) killed = kill(pid, SIGKILL) == 0;
    });
    QVERIFY(run.toTheEnd(request));
    QVERIFY(killed);
    QCOMPARE(run.points.size(), std::size_t(2));
    QVERIFY(run.points[0].error.has_value());
    QVERIFY(run.points[0].error->code == ErrorCode::WorkerDied);
    QVERIFY2(run.points[0].error->message.english().find("killed") != std::string::npos, run.points[0].error->message.english().c_str());
    QVERIFY(run.points[1].complete());
}

void TestRealProbe::timeLimitEndsTheProbe() {
    const PosingGpu posing(NULL_DIR, kName, kMemory);
    RealProbeRequest request = requestFor("convnet", {8});
    request.timeLimit = 1ms;
    Run run;
    QVERIFY(run.toTheEnd(request));
    QVERIFY2(run.problem().contains("time limit of 0.001 s"), qPrintable(run.problem()));
    QTRY_VERIFY(PosingGpu::probes().isEmpty());
}

void TestRealProbe::cancelEndsTheProbe() {
    const PosingGpu posing(NULL_DIR, kName, kMemory);
    RealProbeRequest request = requestFor("convnet", {8, 16, 32});
    Run run;
    QObject::connect(&run.probe, &RealGpuProbe::started, &run.probe, &RealGpuProbe::cancel);
    QVERIFY(run.toTheEnd(request));
    QVERIFY(run.problem().contains("cancelled"));
    QVERIFY(run.points.empty());
    QVERIFY(!run.probe.isRunning());
}

void TestRealProbe::nothingStaysBehind() {
    const PosingGpu posing(NULL_DIR, kName, kMemory);
    Run run;
    QVERIFY(run.toTheEnd(requestFor("mlp", {4})));
    QVERIFY(run.points.front().complete());
    QTRY_VERIFY(PosingGpu::probes().isEmpty());
    QCOMPARE(RealDevices::find(installation(), {}).value().use->free.count, kMemory - PosingGpu::kOthers);
}

void TestRealProbe::missingModelIsSaid() {
    RealProbeRequest request = requestFor("mlp", {4});
    request.model = "/nowhere/model.pt";
    Run run;
    QVERIFY(run.toTheEnd(request));
    QVERIFY2(run.problem().contains("/nowhere/model.pt"), qPrintable(run.problem()));
}

/// LibTorch keeps cuDNN's dropout state until the process ends; the session starts another process for the next model.
void TestRealProbe::recurrentDropoutLeavesNothingToTheNextModel() {
    QTemporaryDir folder;
    const QString file = folder.filePath("model.pt");
    const auto put = [&](const char* model) {
        QFile::remove(file);
        return QFile::copy(QString::fromStdString(modelFile(model)), file);
    };
    MeasureRequest request;
    request.model = file;
    request.gpu.id = "a100-80gb";
    request.settings.workspace = WorkspaceSource::None;
    BlockingSession alone(installation());
    QVERIFY(put("mlp"));
    const auto expected = alone.measure(request);
    QVERIFY(expected.ok());
    BlockingSession session(installation());
    QVERIFY(put("lstm-dropout"));
    const auto recurrent = session.measure(request);
    QVERIFY(recurrent.ok());
    QVERIFY(put("mlp"));
    const auto after = session.measure(request);
    QVERIFY(after.ok());
    QCOMPARE(after.value().measurement->steady.allocated.count, expected.value().measurement->steady.allocated.count);
    QCOMPARE(after.value().measurement->baseline.count, expected.value().measurement->baseline.count);
}

QTEST_GUILESS_MAIN(TestRealProbe)
#include "tst_real.moc"
