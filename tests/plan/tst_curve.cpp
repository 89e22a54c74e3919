// SPDX-License-Identifier: Apache-2.0
#include "engine/plan/curve.h"

#include <QTest>

#include <cmath>

using namespace tidemark;

namespace {

/// Reserved memory with a bend at 100, as a card shows when one kind of block stops being split.
Bytes bent(std::int64_t batch) { return kMiB * (batch < 100 ? batch : 100 + (batch - 100) * 5); }

CurvePoint pointAt(std::int64_t batch) {
    CurvePoint p;
    p.size = batch;
    p.categories[Category::Weights] = kMiB * 7;
    p.categories[Category::Activations] = kMiB * batch;
    p.peak = {p.categories.total(), bent(batch)};
    return p;
}

}  // namespace

class TestCurve : public QObject {
    Q_OBJECT
private slots:
    void nothingIsExtrapolated();
    void exactPointsComeBackUnchanged();
    void interpolationIsMarkedAndMonotone();
    void interpolatedCategoriesSumToThePeak();
    void higherFirstIterationKeepsTheSum();
    void endsAreMeasuredFirst();
    void refinementFindsTheBend();
    void straightCurveNeedsNoMorePoints();
};

void TestCurve::nothingIsExtrapolated() {
    MemoryCurve curve;
    QVERIFY(!curve.at(1));
    curve.add(pointAt(8));
    curve.add(pointAt(64));
    QVERIFY(!curve.at(7));
    QVERIFY(!curve.at(65));
    QVERIFY(curve.at(32));
}

void TestCurve::exactPointsComeBackUnchanged() {
    MemoryCurve curve;
    curve.add(pointAt(8));
    QVERIFY(curve.at(8)->exact);
    QCOMPARE(curve.at(8)->peak.reserved.count, bent(8).count);
    Measurement m;
    m.first = {Bytes{1}, Bytes{9}};
    m.steady = {Bytes{5}, Bytes{6}};
    curve.add(9, m);
    QCOMPARE(curve.at(9)->peak.reserved.count, std::int64_t(9));
}

void TestCurve::interpolationIsMarkedAndMonotone() {
    MemoryCurve curve;
    for (std::int64_t batch : {1, 50, 300, 512}) curve.add(pointAt(batch));
    Bytes last;
    for (std::int64_t batch = 1; batch <= 512; ++batch) {
        const auto point = curve.at(batch);
        QVERIFY(point);
        QVERIFY(point->peak.reserved >= last);
        QCOMPARE(point->exact, batch == 1 || batch == 50 || batch == 300 || batch == 512);
        last = point->peak.reserved;
    }
}

void TestCurve::interpolatedCategoriesSumToThePeak() {
    MemoryCurve curve;
    CurvePoint odd = pointAt(100);
    odd.categories[Category::Temporary] = Bytes{333};
    odd.peak.allocated = odd.categories.total();
    curve.add(pointAt(1));
    curve.add(odd);
    for (std::int64_t batch = 1; batch <= 100; ++batch)
        QCOMPARE(curve.at(batch)->categories.total().count, curve.at(batch)->peak.allocated.count);
}

void TestCurve::higherFirstIterationKeepsTheSum() {
    MemoryCurve curve;
    CurvePoint a = pointAt(1);
    CurvePoint b = pointAt(11);
    a.peak.allocated += kMiB * 30;
    b.peak.allocated += kMiB * 30;
    curve.add(a);
    curve.add(b);
    const auto middle = curve.at(6);
    QCOMPARE(middle->peak.allocated.count, (kMiB * (7 + 6 + 30)).count);
    QCOMPARE(middle->categories.total().count, middle->peak.allocated.count);
}

void TestCurve::endsAreMeasuredFirst() {
    MemoryCurve curve;
    QCOMPARE(curve.worthMeasuring(1, 512, 8), (std::vector<std::int64_t>{1, 512, 256}));
    QCOMPARE(curve.worthMeasuring(1, 512, 2).size(), std::size_t(2));
    QCOMPARE(curve.worthMeasuring(4, 4, 8), (std::vector<std::int64_t>{4}));
}

void TestCurve::refinementFindsTheBend() {
    MemoryCurve curve;
    int rounds = 0;
    for (auto sizes = curve.worthMeasuring(1, 512, 4); !sizes.empty(); sizes = curve.worthMeasuring(1, 512, 4)) {
        for (std::int64_t size : sizes) {
            QVERIFY(size >= 1 && size <= 512);
            QVERIFY(!curve.at(size) || !curve.at(size)->exact);
            curve.add(pointAt(size));
        }
        QVERIFY(++rounds < 100);
    }
    const double largest = static_cast<double>(bent(512).count);
    for (std::int64_t batch = 1; batch <= 512; ++batch)
        QVERIFY(std::fabs(static_cast<double>((curve.at(batch)->peak.reserved - bent(batch)).count)) <= 0.005 * largest);
    QVERIFY(curve.exactPoints().size() < 40);
}

void TestCurve::straightCurveNeedsNoMorePoints() {
    MemoryCurve curve;
    for (std::int64_t batch : {1, 50, 99}) curve.add(pointAt(batch));
    QVERIFY(curve.worthMeasuring(1, 99, 8).empty());
}

QTEST_APPLESS_MAIN(TestCurve)
#include "tst_curve.moc"
