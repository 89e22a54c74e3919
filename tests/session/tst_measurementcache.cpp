// SPDX-License-Identifier: Apache-2.0
#include "engine/session/measurementcache.h"
#include "engine/session/worker.h"

#include "sessiontesting.h"

using namespace tidemark;
using namespace tidemark::testing;

namespace {

Measured answerTo(const MeasureRequest& request, std::size_t allocations = 0) {
    Measurement m;
    if (allocations > 0) {
        m.timeline.emplace();
        m.timeline->allocations.resize(allocations);
    }
    return {request, std::make_shared<const Measurement>(std::move(m)), {}, false};
}

}  // namespace

class TestMeasurementCache : public QObject {
    Q_OBJECT
private slots:
    void keyFollowsEverythingThatChangesTheAnswer();
    void laneAndVariantAreNotPartOfTheQuestion();
    void lessDetailDoesNotServeMore();
    void richAnswerIsNotReplacedByAPoorOne();
    void largeAnswersMakeRoomForNewOnes();
    void workerIsToldItsTarget();
};

void TestMeasurementCache::keyFollowsEverythingThatChangesTheAnswer() {
    FakeModels models;
    const MeasureRequest base = requestFor(models.write("a.pt"), 8);
    std::vector<MeasureRequest> others(7, base);
    others[0].settings.batch = 9;
    others[1].settings.precision = Precision::AmpBf16;
    others[2].gpu = gpuNamed("other");
    others[3].memoryLimit = kGiB * 4;
    others[4].settings.allocator.expandableSegments = true;
    others[5].model = models.write("b.pt");
    others[6].real = true;
    QSet<QByteArray> keys{MeasurementCache::keyOf(base)};
    for (const MeasureRequest& other : others) keys << MeasurementCache::keyOf(other);
    QCOMPARE(keys.size(), 8);
}

void TestMeasurementCache::laneAndVariantAreNotPartOfTheQuestion() {
    FakeModels models;
    const MeasureRequest base = requestFor(models.write("a.pt"), 8);
    MeasureRequest other = base;
    other.lane = Lane::Curve;
    other.variant = 5;
    QCOMPARE(MeasurementCache::keyOf(other), MeasurementCache::keyOf(base));
}

void TestMeasurementCache::lessDetailDoesNotServeMore() {
    MeasurementCache cache;
    MeasureRequest request = requestFor("a.pt", 8);
    request.detail = {true, false};
    const QByteArray key = MeasurementCache::keyOf(request);
    cache.insert(key, answerTo(request));
    QVERIFY(cache.find(key, {}));
    QVERIFY(cache.find(key, {true, false}));
    QVERIFY(!cache.find(key, {false, true}));
}

void TestMeasurementCache::richAnswerIsNotReplacedByAPoorOne() {
    MeasurementCache cache;
    MeasureRequest request = requestFor("a.pt", 8);
    const QByteArray key = MeasurementCache::keyOf(request);
    request.detail = {true, true};
    cache.insert(key, answerTo(request));
    request.detail = {};
    cache.insert(key, answerTo(request));
    QVERIFY(cache.find(key, {true, true}));
}

void TestMeasurementCache::largeAnswersMakeRoomForNewOnes() {
    MeasurementCache cache;
    QByteArray first;
    QByteArray last;
    for (int batch = 1; batch <= 50; ++batch) {
        const MeasureRequest request = requestFor("a.pt", batch);
        last = MeasurementCache::keyOf(request);
        if (batch == 1) first = last;
        cache.insert(last, answerTo(request, 100'000));
    }
    QVERIFY(!cache.find(first, {}));
    QVERIFY(cache.find(last, {}));
}

void TestMeasurementCache::workerIsToldItsTarget() {
    Installation installation;
    installation.catalogue = "/c/gpus.json";
    installation.cudnn = "/c/libcudnn.so.9";
    Settings settings;
    settings.allocator.expandableSegments = true;
    DeviceTarget target = DeviceTarget::of(gpuNamed("rtx-4090"), settings);
    QCOMPARE(Worker::arguments(installation, target).join(' '),
             QString("--gpu rtx-4090 --memory 17179869184 --catalogue /c/gpus.json --workspace cudnn "
                     "--cudnn /c/libcudnn.so.9 --allocator expandable_segments:True"));
    target.workspace = WorkspaceSource::None;
    QVERIFY(!Worker::arguments(installation, target).contains("--cudnn"));
    target.real = true;
    QCOMPARE(Worker::arguments(installation, target).first(), QString("--real"));
}

QTEST_GUILESS_MAIN(TestMeasurementCache)
#include "tst_measurementcache.moc"
