// SPDX-License-Identifier: Apache-2.0
#include "engine/session/session.h"

#include "sessiontesting.h"

#include <QSet>
#include <QSignalSpy>

using namespace tidemark;
using namespace tidemark::testing;

namespace {

/// A session with everything it said.
struct Listening {
    explicit Listening(Installation installation = fakeInstallation(FAKEPROBE)) : session(std::move(installation)) {
        QObject::connect(&session, &Session::measured, &session,
                         [this](quint64 id, const Measured& answer) { measured.insert(id, answer); });
        QObject::connect(&session, &Session::failed, &session,
                         [this](quint64 id, const Error& error) { failed.insert(id, error); });
        QObject::connect(&session, &Session::dropped, &session, [this](quint64 id) { dropped.insert(id); });
        QObject::connect(&session, &Session::modelOpened, &session,
                         [this](quint64 id, const ModelInfo& model) { opened.insert(id, model); });
    }
    qsizetype answers() const { return measured.size() + failed.size() + dropped.size() + opened.size(); }

    QHash<quint64, Measured> measured;
    QHash<quint64, Error> failed;
    QHash<quint64, ModelInfo> opened;
    QSet<quint64> dropped;
    Session session;
};

}  // namespace

class TestSession : public QObject {
    Q_OBJECT
private slots:
    void init() {
        qunsetenv("FAKEPROBE_START");
        qunsetenv("FAKEPROBE_LOG");
    }
    void opensAModel();
    void answersAMeasurement();
    void detailComesWhenAskedFor();
    void knownAnswerNeedsNoWorker();
    void changedFileIsMeasuredAgain();
    void newestCursorRequestWins();
    void supersededHangingRequestMakesRoom();
    void curveKeepsAllRequestsUntilDropped();
    void everyRequestEndsExactlyOnce();
    void cursorOvertakesTheCurve();
    void variantsDoNotSupersedeEachOther();
    void busyFollowsTheRequests();
    void cancelEndsAHangingRequest();
    void requestsAfterCancelAreAnswered();
    void missingFileFailsWithoutAWorker();
    void missingProgramIsNamed();
    void closingWhileWorkRuns();
};

void TestSession::opensAModel() {
    FakeModels models;
    Listening l;
    const quint64 id = l.session.open(models.write("a.pt"), gpuNamed("fake"), {});
    QTRY_VERIFY(l.opened.contains(id));
    QCOMPARE(l.opened[id].name, std::string("FakeNet"));
    QCOMPARE(l.opened[id].layers.size(), std::size_t(6));
}

void TestSession::answersAMeasurement() {
    FakeModels models;
    Listening l;
    const quint64 id = l.session.measure(requestFor(models.write("a.pt"), 8));
    QTRY_VERIFY(l.measured.contains(id));
    const Measured answer = l.measured[id];
    QCOMPARE(answer.measurement->categories.total().count, answer.measurement->steady.allocated.count);
    QCOMPARE(answer.measurement->categories[Category::Activations].count, (kMiB * 16 * 8 * 2).count);
    QCOMPARE(answer.request.settings.batch, std::int64_t(8));
    QCOMPARE(answer.worker.torchVersion, std::string("2.15.0"));
    QCOMPARE(answer.worker.cudnnVersion, std::string("9.26.1"));
    QCOMPARE(answer.worker.workspace, std::string("cudnn"));
    QVERIFY(!answer.measurement->timeline);
}

void TestSession::detailComesWhenAskedFor() {
    FakeModels models;
    Listening l;
    MeasureRequest request = requestFor(models.write("a.pt"), 8, Lane::Detail);
    request.detail = {true, true};
    const quint64 id = l.session.measure(request);
    QTRY_VERIFY(l.measured.contains(id));
    QVERIFY(l.measured[id].measurement->timeline);
    QCOMPARE(l.measured[id].measurement->layers.size(), std::size_t(6));
    // More detail serves the plain question too.
    QVERIFY(l.session.cached(requestFor(models.path("a.pt"), 8)));
}

void TestSession::knownAnswerNeedsNoWorker() {
    FakeModels models;
    models.startLog();
    Listening l;
    const MeasureRequest request = requestFor(models.write("a.pt"), 8);
    QVERIFY(!l.session.cached(request));
    const quint64 first = l.session.measure(request);
    QTRY_VERIFY(l.measured.contains(first));
    const qsizetype lines = models.log().size();
    const quint64 second = l.session.measure(request);
    QTRY_VERIFY(l.measured.contains(second));
    QVERIFY(!l.measured[first].cached);
    QVERIFY(l.measured[second].cached);
    QCOMPARE(l.measured[second].measurement.get(), l.measured[first].measurement.get());
    QCOMPARE(models.log().size(), lines);
}

void TestSession::changedFileIsMeasuredAgain() {
    FakeModels models;
    Listening l;
    const MeasureRequest request = requestFor(models.write("a.pt"), 8);
    const quint64 first = l.session.measure(request);
    QTRY_VERIFY(l.measured.contains(first));
    models.write("a.pt", R"({"per_example_mib": 32})");
    QVERIFY(!l.session.cached(request));
    const quint64 second = l.session.measure(request);
    QTRY_VERIFY(l.measured.contains(second));
    QVERIFY(l.measured[second].measurement->steady.allocated > l.measured[first].measurement->steady.allocated);
}

void TestSession::newestCursorRequestWins() {
    FakeModels models;
    Listening l;
    const QString model = models.write("a.pt", R"({"slow_ms": 20})");
    quint64 last = 0;
    for (int batch = 1; batch <= 50; ++batch) last = l.session.measure(requestFor(model, batch));
    QTRY_VERIFY(l.measured.contains(last));
    QCOMPARE(l.measured[last].request.settings.batch, std::int64_t(50));
    QTRY_COMPARE(l.answers(), 50);
    QVERIFY2(l.measured.size() <= 3, "only those that ran already may answer beside the newest");
}

void TestSession::supersededHangingRequestMakesRoom() {
    FakeModels models;
    Listening l;
    const QString model = models.write("a.pt", R"({"hang_at_batch": 13})");
    const quint64 warm = l.session.measure(requestFor(model, 1));
    QTRY_VERIFY(l.measured.contains(warm));
    models.startLog();
    const quint64 hanging = l.session.measure(requestFor(model, 13));
    QTest::qWait(50);
    const quint64 next = l.session.measure(requestFor(model, 14));
    QTRY_VERIFY_WITH_TIMEOUT(l.measured.contains(next), 20000);
    QVERIFY(l.dropped.contains(hanging));
}

void TestSession::curveKeepsAllRequestsUntilDropped() {
    FakeModels models;
    Listening l;
    const QString model = models.write("a.pt", R"({"slow_ms": 30})");
    for (int batch = 1; batch <= 5; ++batch) l.session.measure(requestFor(model, batch, Lane::Curve));
    QTRY_COMPARE(l.measured.size(), 5);
    for (int batch = 11; batch <= 40; ++batch) l.session.measure(requestFor(model, batch, Lane::Curve));
    l.session.drop(Lane::Curve);
    QTRY_COMPARE(l.answers(), 35);
    QVERIFY(l.dropped.size() >= 29);
}

void TestSession::everyRequestEndsExactlyOnce() {
    FakeModels models;
    Listening l;
    const QString model = models.write("a.pt", R"({"error_at_batch": 3, "crash_at_batch": 5})");
    QSet<quint64> ids;
    for (int batch = 1; batch <= 8; ++batch) ids << l.session.measure(requestFor(model, batch, Lane::Search));
    QSignalSpy measured(&l.session, &Session::measured);
    QSignalSpy failed(&l.session, &Session::failed);
    QTRY_COMPARE_WITH_TIMEOUT(measured.size() + failed.size(), 8, 20000);
    QSet<quint64> answered;
    for (const auto* spy : {&measured, &failed})
        for (const auto& arguments : *spy) answered << arguments[0].toULongLong();
    QCOMPARE(answered, ids);
    QCOMPARE(failed.size(), 2);
    QVERIFY(!l.session.busy());
}

void TestSession::cursorOvertakesTheCurve() {
    FakeModels models;
    Listening l;
    const QString model = models.write("a.pt", R"({"slow_ms": 20})");
    for (int batch = 100; batch < 130; ++batch) l.session.measure(requestFor(model, batch, Lane::Curve));
    const quint64 cursor = l.session.measure(requestFor(model, 7));
    QTRY_VERIFY(l.measured.contains(cursor));
    QVERIFY(l.measured.size() < 20);
}

void TestSession::variantsDoNotSupersedeEachOther() {
    FakeModels models;
    Listening l;
    MeasureRequest one = requestFor(models.write("a.pt", R"({"slow_ms": 20})"), 3);
    MeasureRequest two = requestFor(models.path("a.pt"), 4);
    two.variant = 1;
    const quint64 first = l.session.measure(one);
    const quint64 second = l.session.measure(two);
    QTRY_VERIFY(l.measured.contains(first) && l.measured.contains(second));
}

void TestSession::busyFollowsTheRequests() {
    FakeModels models;
    Listening l;
    QSignalSpy busy(&l.session, &Session::busyChanged);
    const quint64 id = l.session.measure(requestFor(models.write("a.pt"), 8));
    QVERIFY(l.session.busy());
    QTRY_VERIFY(l.measured.contains(id));
    QTRY_COMPARE(busy.size(), 2);
    QCOMPARE(busy[0][0].toBool(), true);
    QCOMPARE(busy[1][0].toBool(), false);
}

void TestSession::cancelEndsAHangingRequest() {
    FakeModels models;
    models.startLog();
    Listening l;
    const QString model = models.write("a.pt", R"({"hang_at_batch": 13})");
    const quint64 id = l.session.measure(requestFor(model, 13));
    const quint64 waiting = l.session.measure(requestFor(model, 14, Lane::Curve));
    QTRY_VERIFY(models.log().join('\n').contains("measure 13"));
    l.session.cancel();
    QTRY_VERIFY(l.failed.contains(id));
    QVERIFY(l.failed[id].code == ErrorCode::Cancelled);
    QTRY_VERIFY(l.dropped.contains(waiting));
}

void TestSession::requestsAfterCancelAreAnswered() {
    FakeModels models;
    models.startLog();
    Listening l;
    const QString model = models.write("a.pt", R"({"hang_at_batch": 13})");
    l.session.measure(requestFor(model, 13));
    QTRY_VERIFY(models.log().join('\n').contains("measure 13"));
    l.session.cancel();
    const quint64 id = l.session.measure(requestFor(model, 2));
    QTRY_VERIFY(l.measured.contains(id));
}

void TestSession::missingFileFailsWithoutAWorker() {
    FakeModels models;
    models.startLog();
    Listening l;
    const quint64 id = l.session.measure(requestFor(models.path("none.pt"), 8));
    QTRY_VERIFY(l.failed.contains(id));
    QVERIFY(l.failed[id].code == ErrorCode::FileNotFound);
    QVERIFY(models.log().isEmpty());
}

void TestSession::missingProgramIsNamed() {
    FakeModels models;
    for (const char* probe : {"", "/nowhere/tidemark-probe"}) {
        Listening l(fakeInstallation(probe));
        const quint64 id = l.session.open(models.write("a.pt"), gpuNamed("fake"), {});
        QTRY_VERIFY(l.failed.contains(id));
        QVERIFY(l.failed[id].code == ErrorCode::WorkerUnavailable);
        QVERIFY(QString::fromStdString(l.failed[id].message.english()).contains("tidemark-probe"));
    }
}

void TestSession::closingWhileWorkRuns() {
    FakeModels models;
    models.startLog();
    const QString model = models.write("a.pt", R"({"hang_at_batch": 13})");
    qint64 worker = 0;
    {
        Listening l;
        l.session.measure(requestFor(model, 13));
        QTRY_VERIFY(models.log().join('\n').contains("measure 13"));
        worker = models.log().last().section(' ', 0, 0).toLongLong();
        QVERIFY(QFile::exists(QString("/proc/%1").arg(worker)));
    }
    QVERIFY(!QFile::exists(QString("/proc/%1").arg(worker)));
}

QTEST_GUILESS_MAIN(TestSession)
#include "tst_session.moc"
