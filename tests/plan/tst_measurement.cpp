// SPDX-License-Identifier: Apache-2.0
#include "engine/plan/measurement.h"

#include <nlohmann/json.hpp>

#include <QTest>

using namespace tidemark;
using nlohmann::json;

namespace {

Measurement sample() {
    Measurement m;
    m.iterations = {{Bytes{900}, Bytes{2000}}, {Bytes{1000}, Bytes{2100}}};
    m.first = m.iterations.front();
    m.steady = m.iterations.back();
    m.baseline = Bytes{300};
    for (Category c : kCategories) m.categories[c] = Bytes{10 + static_cast<int>(c)};
    m.peakPhase = "backward";
    m.peakLayer = "head";
    m.deviceReads = 3;
    m.deviceReadLayers = {{"rpn", 3}};
    m.unmodelledCalls = {{"cufftExecC2C", 1}};
    m.outOfMemory = OutOfMemory{Bytes{512}, "forward", "stem", "CUDA out of memory."};
    m.allocationRetries = 2;
    m.checkpointedBlocks = 4;
    m.recomputedOperators = 0.33;
    m.stepTime = std::chrono::microseconds(4321);
    m.layers = {{"float32[2, 3]", 2, Bytes{1}, Bytes{2}, Bytes{3}, Bytes{4}, Bytes{5}, Bytes{6}, 7, 8}};
    m.moduleCalls = {{1, "float32[2, 3]"}, {0, "float32[2]"}};
    m.timeline.emplace();
    m.timeline->events = 3;
    m.timeline->peakEvent = 1;
    m.timeline->allocations = {{-1, -1, Bytes{64}, Category::Weights, 0, -1, -1},
                               {0, 2, Bytes{512}, Category::Activations, 0, 0, 0}};
    m.timeline->phases = {{"forward", 0, 2}, {"backward", 2, 3}};
    m.timeline->ops = {"aten::conv2d"};
    m.timeline->shapes = {"float32[2, 3]"};
    m.timeline->reserved = {Bytes{1}, Bytes{2}, Bytes{3}};
    m.warnings = {"careful"};
    return m;
}

}  // namespace

class TestMeasurement : public QObject {
    Q_OBJECT
private slots:
    void jsonKeepsTheMeasurement();
    void largeTimelineSurvives();
    void highestIsTakenPerQuantity();
    void categoriesSum();
    void brokenAnswersAreRefused_data();
    void brokenAnswersAreRefused();
    void laterFieldsAreIgnored();
};

void TestMeasurement::jsonKeepsTheMeasurement() {
    const json once = toJson(sample());
    const auto back = measurementFromJson(json::parse(once.dump()));
    QVERIFY2(back.ok(), back.ok() ? "" : back.error().message.english().c_str());
    QCOMPARE(toJson(back.value()).dump(), once.dump());
    QCOMPARE(back->outOfMemory->requested.count, std::int64_t(512));
    QCOMPARE(back->stepTime.count(), std::int64_t(4321));
    QVERIFY(back->timeline->allocations[1].category == Category::Activations);
    QCOMPARE(back->timeline->allocations[1].freed, 2);
    QVERIFY(!measurementFromJson(toJson(Measurement{}))->timeline);
}

void TestMeasurement::largeTimelineSurvives() {
    Measurement m = sample();
    m.timeline->events = 200'000;
    m.timeline->reserved.assign(200'000, kGiB);
    m.timeline->allocations.assign(100'000, {5, 9, Bytes{12345}, Category::Temporary, 0, 0, 0});
    const auto back = measurementFromJson(json::parse(toJson(m).dump()));
    QVERIFY(back.ok());
    QCOMPARE(back->timeline->allocations.size(), std::size_t(100'000));
    QCOMPARE(back->timeline->allocations.back().bytes.count, std::int64_t(12345));
}

void TestMeasurement::highestIsTakenPerQuantity() {
    Measurement m;
    m.first = {Bytes{10}, Bytes{200}};
    m.steady = {Bytes{20}, Bytes{100}};
    QCOMPARE(m.highest().allocated.count, std::int64_t(20));
    QCOMPARE(m.highest().reserved.count, std::int64_t(200));
}

void TestMeasurement::categoriesSum() {
    QCOMPARE(sample().categories.total().count, std::int64_t(9 * 10 + 36));
    QCOMPARE(keyOf(Category::OptimizerState), std::string_view("optimizer_state"));
}

void TestMeasurement::brokenAnswersAreRefused_data() {
    QTest::addColumn<QString>("patch");
    QTest::addColumn<QString>("part");
    QTest::newRow("no peak") << R"({"steady": null})" << "steady";
    QTest::newRow("peak without reserved") << R"({"steady": {"reserved": null}})" << "reserved";
    QTest::newRow("no categories") << R"({"categories": null})" << "categories";
    QTest::newRow("columns of two lengths") << R"({"timeline": {"allocations": {"freed": [1]}}})" << "columns";
    QTest::newRow("unknown category") << R"({"timeline": {"allocations": {"category": [0, 99]}}})" << "category";
    QTest::newRow("event outside") << R"({"timeline": {"allocations": {"born": [0, 77]}}})" << "outside";
    QTest::newRow("operator outside") << R"({"timeline": {"allocations": {"op": [0, 5]}}})" << "names nothing";
    QTest::newRow("phase outside") << R"({"timeline": {"phases": [["forward", 0, 9]]}})" << "phase";
    QTest::newRow("negative events") << R"({"timeline": {"events": -4}})" << "outside";
    QTest::newRow("module calls of two lengths") << R"({"module_calls": {"layer": [1]}})" << "column";
    QTest::newRow("layers are a text") << R"({"layers": "x"})" << "layers";
}

void TestMeasurement::brokenAnswersAreRefused() {
    QFETCH(QString, patch);
    QFETCH(QString, part);
    json broken = toJson(sample());
    broken.merge_patch(json::parse(patch.toStdString()));
    const auto read = measurementFromJson(broken);
    QVERIFY(!read.ok());
    QVERIFY2(QString::fromStdString(read.error().message.english()).contains(part), read.error().message.english().c_str());
}

void TestMeasurement::laterFieldsAreIgnored() {
    json later = toJson(sample());
    later["new_in_2027"] = 1;
    QVERIFY(measurementFromJson(later).ok());
}

QTEST_APPLESS_MAIN(TestMeasurement)
#include "tst_measurement.moc"
