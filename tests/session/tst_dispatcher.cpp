// SPDX-License-Identifier: Apache-2.0
// The waiting session: what becomes of workers that misbehave.
#include "engine/session/blockingsession.h"

#include "sessiontesting.h"

#include <QSet>


using namespace tidemark;
using namespace tidemark::testing;
using namespace std::chrono_literals;

class TestDispatcher : public QObject {
    Q_OBJECT
private slots:
    void init() {
        qunsetenv("FAKEPROBE_START");
        qunsetenv("FAKEPROBE_LOG");
    }
    void oneWorkerServesManyRequests();
    void eachTargetHasItsOwnWorker();
    void benchmarkedConvolutionsMeetAWorkerThatKnowsNone();
    void plansTakenForWantOfMemoryAreNotKept();
    void moreTargetsThanWorkersAreAllAnswered();
    void crashedWorkerIsStartedAgain();
    void workerThatDiesTwiceIsReported();
    void deathInsideCudnnFallsBackToTheEstimate();
    void garbageEndsTheWorker();
    void errorsOfTheProbeArePassedOn();
    void failureLeavesTheWorkerUsable();
    void exitAtStartCarriesTheDiagnostics();
    void crashAtStartIsReported();
    void timeLimitStopsAHangingWorker();
    void openErrorKeepsItsCode();
};

void TestDispatcher::oneWorkerServesManyRequests() {
    FakeModels models;
    models.startLog();
    BlockingSession session(fakeInstallation(FAKEPROBE));
    const QString model = models.write("a.pt");
    QVERIFY(session.open(model, gpuNamed("fake"), {}).ok());
    for (int batch = 1; batch <= 4; ++batch) QVERIFY(session.measure(requestFor(model, batch)).ok());
    QSet<QString> workers;
    for (const QString& line : models.log()) workers << line.section(' ', 0, 0);
    QCOMPARE(workers.size(), 1);
    QCOMPARE(models.log().filter("open").size(), 1);
    QCOMPARE(models.log().filter("measure").size(), 4);
}

void TestDispatcher::eachTargetHasItsOwnWorker() {
    FakeModels models;
    models.startLog();
    BlockingSession session(fakeInstallation(FAKEPROBE));
    MeasureRequest a = requestFor(models.write("a.pt"), 4);
    MeasureRequest b = a;
    b.gpu = gpuNamed("other");
    MeasureRequest c = a;
    c.settings.allocator.expandableSegments = true;
    const auto answers = session.measureAll({a, b, c, a});
    QCOMPARE(answers.size(), std::size_t(4));
    QCOMPARE(answers[1].value().worker.device, std::string("other"));
    QSet<QString> workers;
    for (const QString& line : models.log()) workers << line.section(' ', 0, 0);
    QCOMPARE(workers.size(), 3);
}

void TestDispatcher::benchmarkedConvolutionsMeetAWorkerThatKnowsNone() {
    FakeModels models;
    models.startLog();
    BlockingSession session(fakeInstallation(FAKEPROBE));
    MeasureRequest plain = requestFor(models.write("a.pt"), 4);
    MeasureRequest benchmarked = requestFor(plain.model, 8);
    benchmarked.settings.cudnnBenchmark = true;
    const MeasureRequest plainAgain = requestFor(plain.model, 16);
    for (const MeasureRequest& request : {plain, benchmarked, plainAgain}) QVERIFY(session.measure(request).ok());
    QStringList measuring;
    for (const QString& line : models.log().filter("measure")) measuring << line.section(' ', 0, 0);
    QCOMPARE(QSet<QString>(measuring.begin(), measuring.end()).size(), measuring.size());
    QCOMPARE(measuring.size(), 3);
}

void TestDispatcher::plansTakenForWantOfMemoryAreNotKept() {
    FakeModels models;
    models.startLog();
    BlockingSession session(fakeInstallation(FAKEPROBE));
    const QString model = models.write("a.pt", R"({"fallback_at_batch": 8})");
    for (const std::int64_t batch : {4, 8, 16, 8}) QVERIFY(session.measure(requestFor(model, batch)).ok());
    QStringList measuring;
    for (const QString& line : models.log().filter("measure")) measuring << line.section(' ', 0, 0);
    QCOMPARE(measuring.size(), 4);
    QCOMPARE(measuring[1], measuring[0]);
    QCOMPARE(measuring[2], measuring[1]);
    QVERIFY(measuring[3] != measuring[2]);
}

void TestDispatcher::moreTargetsThanWorkersAreAllAnswered() {
    FakeModels models;
    BlockingSession session(fakeInstallation(FAKEPROBE));
    std::vector<MeasureRequest> requests;
    for (int i = 0; i < 9; ++i) {
        requests.push_back(requestFor(models.write("a.pt"), 4));
        requests.back().gpu = gpuNamed("card" + std::to_string(i));
    }
    const auto answers = session.measureAll(requests);
    for (std::size_t i = 0; i < answers.size(); ++i) {
        QVERIFY(answers[i].ok());
        QCOMPARE(answers[i].value().worker.device, "card" + std::to_string(i));
    }
}

void TestDispatcher::crashedWorkerIsStartedAgain() {
    FakeModels models;
    BlockingSession session(fakeInstallation(FAKEPROBE));
    const QByteArray script = "{\"crash_once\": \"" + models.path("died").toUtf8() + "\"}";
    MeasureRequest request = requestFor(models.write("a.pt", script), 4);
    request.settings.workspace = WorkspaceSource::None;
    const auto answer = session.measure(request);
    QVERIFY(QFile::exists(models.path("died")));
    QVERIFY(answer.ok());
    QVERIFY(answer.value().measurement->warnings.empty());
}

void TestDispatcher::workerThatDiesTwiceIsReported() {
    FakeModels models;
    BlockingSession session(fakeInstallation(FAKEPROBE));
    const QString model = models.write("a.pt", R"({"crash_at_batch": 4})");
    const auto answer = session.measure(requestFor(model, 4));
    QVERIFY(!answer.ok());
    QVERIFY(answer.error().code == ErrorCode::WorkerDied);
    QVERIFY(session.measure(requestFor(model, 5)).ok());
}

void TestDispatcher::deathInsideCudnnFallsBackToTheEstimate() {
    FakeModels models;
    models.startLog();
    BlockingSession session(fakeInstallation(FAKEPROBE));
    const QString model = models.write("a.pt", R"({"crash_workspace": "cudnn"})");
    const auto answer = session.measure(requestFor(model, 4));
    QVERIFY(answer.ok());
    QCOMPARE(answer.value().worker.workspace, std::string("estimate"));
    QCOMPARE(answer.value().measurement->warnings.size(), std::size_t(1));
    QVERIFY(answer.value().request.settings.workspace == WorkspaceSource::Cudnn);
    // The next request knows better than to try again.
    const qsizetype before = models.log().size();
    QVERIFY(session.measure(requestFor(model, 5)).ok());
    QCOMPARE(models.log().size(), before + 1);
}

void TestDispatcher::garbageEndsTheWorker() {
    FakeModels models;
    BlockingSession session(fakeInstallation(FAKEPROBE));
    const auto answer = session.measure(requestFor(models.write("a.pt", R"({"garbage_at_batch": 4})"), 4));
    QVERIFY(!answer.ok());
    QVERIFY(answer.error().code == ErrorCode::WorkerDied);
    QVERIFY(QString::fromStdString(answer.error().message.english()).contains("this is no answer"));
}

void TestDispatcher::errorsOfTheProbeArePassedOn() {
    FakeModels models;
    BlockingSession session(fakeInstallation(FAKEPROBE));
    const auto answer = session.measure(requestFor(models.write("a.pt", R"({"error_at_batch": 4})"), 4));
    QVERIFY(!answer.ok());
    QVERIFY(answer.error().code == ErrorCode::StepFailed);
    QCOMPARE(answer.error().detail, std::string("sizes differ"));
}

void TestDispatcher::failureLeavesTheWorkerUsable() {
    FakeModels models;
    models.startLog();
    BlockingSession session(fakeInstallation(FAKEPROBE));
    const QString model = models.write("a.pt", R"({"error_at_batch": 4})");
    QVERIFY(!session.measure(requestFor(model, 4)).ok());
    QVERIFY(session.measure(requestFor(model, 5)).ok());
    QCOMPARE(models.log().filter("hello").size(), 1);
}

void TestDispatcher::exitAtStartCarriesTheDiagnostics() {
    qputenv("FAKEPROBE_START", "exit");
    FakeModels models;
    BlockingSession session(fakeInstallation(FAKEPROBE));
    const auto answer = session.open(models.write("a.pt"), gpuNamed("fake"), {});
    QVERIFY(!answer.ok());
    QVERIFY(answer.error().code == ErrorCode::WorkerUnavailable);
    QVERIFY(QString::fromStdString(answer.error().message.english()).contains("code 7"));
    QCOMPARE(answer.error().detail, std::string("cannot load LibTorch"));
}

void TestDispatcher::crashAtStartIsReported() {
    qputenv("FAKEPROBE_START", "crash");
    FakeModels models;
    BlockingSession session(fakeInstallation(FAKEPROBE));
    const auto answer = session.open(models.write("a.pt"), gpuNamed("fake"), {});
    QVERIFY(!answer.ok());
    QVERIFY(answer.error().code == ErrorCode::WorkerDied);
}

void TestDispatcher::timeLimitStopsAHangingWorker() {
    FakeModels models;
    BlockingSession session(fakeInstallation(FAKEPROBE));
    session.setTimeLimit(300ms);
    const QString model = models.write("a.pt", R"({"hang_at_batch": 4})");
    const auto answer = session.measure(requestFor(model, 4));
    QVERIFY(!answer.ok());
    QVERIFY(QString::fromStdString(answer.error().message.english()).contains("0.3 s"));
    session.setTimeLimit(0ms);
    QVERIFY(session.measure(requestFor(model, 5)).ok());
}

void TestDispatcher::openErrorKeepsItsCode() {
    FakeModels models;
    BlockingSession session(fakeInstallation(FAKEPROBE));
    const auto truncated = session.open(models.write("a.pt", R"({"open_error": "file_truncated"})"), gpuNamed("fake"), {});
    QVERIFY(!truncated.ok() && truncated.error().code == ErrorCode::FileTruncated);
    const auto empty = session.open(models.write("b.pt", ""), gpuNamed("fake"), {});
    QVERIFY(!empty.ok() && empty.error().code == ErrorCode::FileEmpty);
    const auto folder = session.open(models.path("."), gpuNamed("fake"), {});
    QVERIFY(!folder.ok() && folder.error().code == ErrorCode::FileUnreadable);
}

QTEST_GUILESS_MAIN(TestDispatcher)
#include "tst_dispatcher.moc"
