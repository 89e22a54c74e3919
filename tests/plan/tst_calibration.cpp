// SPDX-License-Identifier: Apache-2.0
#include "engine/plan/calibration.h"

#include <nlohmann/json.hpp>

#include <QTest>

using namespace tidemark;

namespace {

Gpu card(const std::string& name, Bytes memory = kGiB * 24) {
    Gpu gpu;
    gpu.name = name;
    gpu.memory = memory;
    gpu.context = {kMiB * 450, kMiB * 300, kMiB * 900, "a guess"};
    return gpu;
}

ProbePoint point(Bytes reserved, Bytes context, ProcessSource source = ProcessSource::Nvml) {
    ProbePoint p;
    Measurement m;
    m.steady = m.first = {reserved - kMiB, reserved};
    p.measurement = m;
    p.reading = ProcessReading{reserved + context, reserved, source};
    return p;
}

Calibration known(const std::string& name, const std::string& driver, Bytes context, const std::string& when) {
    Calibration c;
    c.card = name;
    c.memory = kGiB * 24;
    c.driver = driver;
    c.when = when;
    c.points = 1;
    c.context = {context, context - kMiB, context + kMiB, {}};
    return c;
}

}  // namespace

class TestCalibration : public QObject {
    Q_OBJECT
private slots:
    void contextIsWhatTheProcessTakesBeyondReserved();
    void offsetIsWhatReservedTakesBeyondThePlan();
    void pointsWithoutAStepCountForNothing();
    void useOfTheWholeCardIsNoCalibration();
    void calibratedCardTakesTheMeasuredContext();
    void offsetWidensTheRange();
    void otherCardsStayAsTheyAre();
    void newestDriverWins();
    void freshReplacesTheSameCardAndDriver();
    void textReadsBackAsItWas();
    void unreadableTextsAreNamed_data();
    void unreadableTextsAreNamed();
};

void TestCalibration::contextIsWhatTheProcessTakesBeyondReserved() {
    const auto c = calibrationFrom({{point(kMiB * 1000, kMiB * 500), {{}, kMiB * 1000}}, {point(kMiB * 2000, kMiB * 520), {{}, kMiB * 2000}}});
    QVERIFY(c.ok());
    QCOMPARE(c.value().points, 2);
    QCOMPARE(c.value().context.expected.count, (kMiB * 510).count);
    QCOMPARE(c.value().context.low.count, (kMiB * 500).count);
    QCOMPARE(c.value().context.high.count, (kMiB * 520).count);
}

void TestCalibration::offsetIsWhatReservedTakesBeyondThePlan() {
    const auto c = calibrationFrom({{point(kMiB * 1030, kMiB * 500), {{}, kMiB * 1000}}, {point(kMiB * 1990, kMiB * 500), {{}, kMiB * 2000}}});
    QCOMPARE(c.value().offset.low.count, -(kMiB * 10).count);
    QCOMPARE(c.value().offset.high.count, (kMiB * 30).count);
    QCOMPARE(c.value().offset.expected.count, (kMiB * 10).count);
}

void TestCalibration::pointsWithoutAStepCountForNothing() {
    ProbePoint full = point(kMiB * 1000, kMiB * 5000);
    full.measurement->outOfMemory = OutOfMemory{kMiB, "forward", "", "CUDA out of memory."};
    ProbePoint killed;
    killed.error = Error{ErrorCode::WorkerDied, "The probe was killed.", {}};
    const auto c = calibrationFrom({{full, {}}, {killed, {}}, {point(kMiB * 1000, kMiB * 400), {{}, kMiB * 1000}}});
    QCOMPARE(c.value().points, 1);
    QCOMPARE(c.value().context.high.count, (kMiB * 400).count);
    QVERIFY(!calibrationFrom({{full, {}}, {killed, {}}}).ok());
}

void TestCalibration::useOfTheWholeCardIsNoCalibration() {
    const auto c = calibrationFrom({{point(kMiB * 1000, kMiB * 4000, ProcessSource::WholeCard), {{}, kMiB * 1000}}});
    QVERIFY(!c.ok());
    QVERIFY(c.error().message.english().find("other programs") != std::string::npos);
}

void TestCalibration::calibratedCardTakesTheMeasuredContext() {
    const Gpu gpu = calibrated(card("NVIDIA X"), {known("NVIDIA X", "580.1", kMiB * 612, "2026-11-30T10:00:00")});
    QCOMPARE(gpu.context.expected.count, (kMiB * 612).count);
    QVERIFY(gpu.context.source.english().find("580.1") != std::string::npos);
    QVERIFY(gpu.context.source.english().find("2026-11-30") != std::string::npos);
}

void TestCalibration::offsetWidensTheRange() {
    Calibration c = known("NVIDIA X", "580.1", kMiB * 600, "2026");
    c.offset = {kMiB * 10, -(kMiB * 20), kMiB * 40, {}};
    const Gpu gpu = calibrated(card("NVIDIA X"), {c});
    QCOMPARE(gpu.context.low.count, (kMiB * 579).count);
    QCOMPARE(gpu.context.expected.count, (kMiB * 600).count);
    QCOMPARE(gpu.context.high.count, (kMiB * 641).count);
}

void TestCalibration::otherCardsStayAsTheyAre() {
    const std::vector<Calibration> all{known("NVIDIA X", "580.1", kMiB * 612, "2026")};
    QVERIFY(calibrated(card("NVIDIA Y"), all).context == card("NVIDIA Y").context);
    QVERIFY(calibrated(card("NVIDIA X", kGiB * 12), all).context == card("NVIDIA X").context);
    // The same card with ECC switched on has a little less.
    QVERIFY(calibrated(card("NVIDIA X", kGiB * 23), all).context != card("NVIDIA X").context);
}

void TestCalibration::newestDriverWins() {
    const std::vector<Calibration> all{known("NVIDIA X", "580.1", kMiB * 700, "2026-11-02T10:00:00"),
                                       known("NVIDIA X", "570.9", kMiB * 500, "2026-01-01T10:00:00")};
    QCOMPARE(calibrationOf(card("NVIDIA X"), all)->driver, std::string("580.1"));
}

void TestCalibration::freshReplacesTheSameCardAndDriver() {
    std::vector<Calibration> all{known("NVIDIA X", "580.1", kMiB * 700, "2026-11-02"), known("NVIDIA Y", "580.1", kMiB * 300, "2026-11-02")};
    remember(&all, known("NVIDIA X", "580.1", kMiB * 720, "2026-11-03"));
    QCOMPARE(all.size(), std::size_t(2));
    QCOMPARE(calibrationOf(card("NVIDIA X"), all)->context.expected.count, (kMiB * 720).count);
    remember(&all, known("NVIDIA X", "590.2", kMiB * 650, "2026-11-04"));
    QCOMPARE(all.size(), std::size_t(3));
}

void TestCalibration::textReadsBackAsItWas() {
    Calibration c = known("NVIDIA X", "580.1", kMiB * 700, "2026-11-02T10:00:00");
    c.torch = "2.15.0";
    c.points = 3;
    c.offset = {kMiB, -kMiB, kMiB * 2, {}};
    const auto read = calibrationsFromText(calibrationText({c}), "here");
    QVERIFY(read.ok());
    QCOMPARE(read.value().size(), std::size_t(1));
    const Calibration& back = read.value().front();
    QCOMPARE(back.card, c.card);
    QCOMPARE(back.memory.count, c.memory.count);
    QCOMPARE(back.driver, c.driver);
    QCOMPARE(back.torch, c.torch);
    QCOMPARE(back.when, c.when);
    QCOMPARE(back.points, 3);
    QVERIFY(back.context == c.context);
    QVERIFY(back.offset == c.offset);
}

void TestCalibration::unreadableTextsAreNamed_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::newRow("empty") << QByteArray();
    QTest::newRow("noJson") << QByteArray("hello");
    QTest::newRow("anotherFile") << QByteArray(R"({"schema":"tidemark.plan/1"})");
    QTest::newRow("laterVersion") << QByteArray(R"({"schema":"tidemark.calibration/2","cards":[]})");
    QTest::newRow("cardWithoutContext")
        << QByteArray(R"({"schema":"tidemark.calibration/1","cards":[{"card":"X","memory":1,"driver":"1"}]})");
    QTest::newRow("cardIsANumber") << QByteArray(R"({"schema":"tidemark.calibration/1","cards":[7]})");
}

void TestCalibration::unreadableTextsAreNamed() {
    QFETCH(QByteArray, text);
    const auto read = calibrationsFromText(text.toStdString(), "/home/me/calibration.json");
    QVERIFY(!read.ok());
    QVERIFY(read.error().message.english().find("/home/me/calibration.json") != std::string::npos);
}

QTEST_GUILESS_MAIN(TestCalibration)
#include "tst_calibration.moc"
