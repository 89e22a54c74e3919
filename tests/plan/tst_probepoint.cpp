// SPDX-License-Identifier: Apache-2.0
#include "engine/plan/probepoint.h"

#include <nlohmann/json.hpp>

#include <QTest>

using namespace tidemark;
using nlohmann::json;

namespace {

Measurement measurementOf(Bytes reserved) {
    Measurement m;
    m.first = m.steady = {reserved - kMiB * 4, reserved};
    m.iterations = {m.first, m.steady};
    return m;
}

ProbePoint pointOf(Bytes reserved, Bytes context) {
    ProbePoint p;
    p.batch = 8;
    p.measurement = measurementOf(reserved);
    p.reading = ProcessReading{reserved + context, reserved, ProcessSource::Nvml};
    return p;
}

QString sentence(const ProbePoint& point, const Measurement* planned, Bytes context = kMiB * 400) {
    return QString::fromStdString(differenceSentence(point, planned, context).english());
}

}  // namespace

class TestProbePoint : public QObject {
    Q_OBJECT
private slots:
    void answerReadsBackAsAPoint();
    void damagedAnswersAreErrors_data();
    void damagedAnswersAreErrors();
    void processIsThePeakOfReservedAndTheContext();
    void equalFiguresAreSaidToBeEqual();
    void differencesAreSplitIntoReservedAndContext();
    void outOfMemoryIsSaidBesideThePlan();
    void killedProbeIsSaid();
    void missingReadingLeavesReservedMemory();
};

void TestProbePoint::answerReadsBackAsAPoint() {
    const ProcessReading reading{kMiB * 900, kMiB * 500, ProcessSource::Difference};
    const MemoryStatistic statistic{"reserved_bytes", 5, 7, 9, 4};
    const json answer{{"measurement", toJson(measurementOf(kMiB * 500))}, {"process", toJson(reading)}, {"statistics", {toJson(statistic)}}};
    const auto point = probePointFromAnswer(answer, 8);
    QVERIFY(point.ok());
    QVERIFY(point.value().reading->source == ProcessSource::Difference);
    QCOMPARE(point.value().reading->context().count, (kMiB * 400).count);
    QVERIFY(point.value().statistics == std::vector{statistic});
    QVERIFY(point.value().complete());
}

void TestProbePoint::damagedAnswersAreErrors_data() {
    QTest::addColumn<QByteArray>("change");
    QTest::newRow("noMeasurement") << QByteArray(R"({"measurement": null})");
    QTest::newRow("processIsAText") << QByteArray(R"({"process": {"process": "much", "reserved": 1, "source": "nvml"}})");
    QTest::newRow("unknownSource") << QByteArray(R"({"process": {"process": 2, "reserved": 1, "source": "a guess"}})");
    QTest::newRow("statisticWithoutName") << QByteArray(R"({"statistics": [{"current": 1}]})");
}

void TestProbePoint::damagedAnswersAreErrors() {
    QFETCH(QByteArray, change);
    json answer{{"measurement", toJson(measurementOf(kMiB * 500))}};
    answer.update(json::parse(change.toStdString()));
    QVERIFY(!probePointFromAnswer(answer, 8).ok());
}

void TestProbePoint::processIsThePeakOfReservedAndTheContext() {
    ProbePoint p = pointOf(kMiB * 1000, kMiB * 400);
    // Segments were given back after the peak.
    p.reading = ProcessReading{kMiB * 1100, kMiB * 700, ProcessSource::Nvml};
    QCOMPARE(p.process()->count, (kMiB * 1400).count);
    p.reading.reset();
    QVERIFY(!p.process());
}

void TestProbePoint::equalFiguresAreSaidToBeEqual() {
    const Measurement planned = measurementOf(kMiB * 1000);
    const QString text = sentence(pointOf(kMiB * 1000, kMiB * 400), &planned);
    QVERIFY2(text.contains("as planned"), qPrintable(text));
    QVERIFY2(text.contains("to the byte"), qPrintable(text));
}

void TestProbePoint::differencesAreSplitIntoReservedAndContext() {
    const Measurement planned = measurementOf(kMiB * 1000);
    const QString text = sentence(pointOf(kMiB * 1020, kMiB * 370), &planned);
    QVERIFY2(text.contains("10.0 MiB (0.7 %) less than planned"), qPrintable(text));
    QVERIFY2(text.contains("reserved memory is 20.0 MiB more"), qPrintable(text));
    QVERIFY2(text.contains("the context takes 30.0 MiB less"), qPrintable(text));
}

void TestProbePoint::outOfMemoryIsSaidBesideThePlan() {
    ProbePoint p = pointOf(kMiB * 1000, kMiB * 400);
    p.measurement->outOfMemory = OutOfMemory{kMiB * 49, "backward", "", "CUDA out of memory."};
    const Measurement planned = measurementOf(kGiB * 3);
    const QString text = sentence(p, &planned, kGiB);
    QVERIFY2(text.startsWith("Out of memory") && text.contains("49.0 MiB in backward") && text.contains("4.00 GiB"), qPrintable(text));
    QVERIFY(!p.process());
}

void TestProbePoint::killedProbeIsSaid() {
    ProbePoint p;
    p.error = Error{ErrorCode::WorkerDied, "The probe was killed: it crashed with signal 9.", {}};
    const Measurement planned = measurementOf(kGiB);
    QCOMPARE(sentence(p, &planned), QString("The probe was killed: it crashed with signal 9."));
}

void TestProbePoint::missingReadingLeavesReservedMemory() {
    ProbePoint p = pointOf(kMiB * 1000, kMiB * 400);
    p.reading.reset();
    const Measurement planned = measurementOf(kMiB * 990);
    QVERIFY(sentence(p, &planned).contains("reserved memory is 10.0 MiB more"));
}

QTEST_GUILESS_MAIN(TestProbePoint)
#include "tst_probepoint.moc"
