// SPDX-License-Identifier: Apache-2.0
#include "widgets/memoryplot.h"

#include <QSignalSpy>
#include <QTest>

#include <cmath>

using namespace tidemark;

namespace {

MemoryPoint point(std::int64_t x, std::int64_t weights, std::int64_t activations) {
    MemoryPoint p;
    p.x = x;
    p.categories[Category::Weights] = kMiB * weights;
    p.categories[Category::Activations] = kMiB * activations;
    p.reserved = kMiB * (weights + activations + 10);
    p.process = p.reserved + kMiB * 400;
    p.processLow = p.process - kMiB * 50;
    p.processHigh = p.process + kMiB * 100;
    return p;
}

double valueAt(QCPGraph* graph, double key) {
    const auto found = graph->data()->findBegin(key, false);
    return found != graph->data()->constEnd() && found->key == key ? found->value : std::nan("");
}

}  // namespace

class MemoryPlotTest : public QObject {
    Q_OBJECT

private:
    std::vector<MemoryPoint> m_points{point(1, 100, 20), point(2, 100, 40), point(10, 100, 200)};

private slots:
    void stackEndsAtAllocatedMemory() {
        MemoryPlot plot;
        plot.setPoints(m_points);
        for (const auto& p : m_points)
            QCOMPARE(valueAt(plot.categoryGraph(kCategories.back()), static_cast<double>(p.x)),
                     static_cast<double>(p.categories.total().count));
        QCOMPARE(valueAt(plot.categoryGraph(Category::Weights), 10), static_cast<double>((kMiB * 100).count));
    }

    void hiddenCategoryLeavesTheStack() {
        MemoryPlot plot;
        plot.setPoints(m_points);
        plot.setCategoryVisible(Category::Weights, false);
        QCOMPARE(valueAt(plot.categoryGraph(kCategories.back()), 10), static_cast<double>((kMiB * 200).count));
        plot.setCategoryVisible(Category::Weights, true);
        QCOMPARE(valueAt(plot.categoryGraph(kCategories.back()), 10), static_cast<double>((kMiB * 300).count));
    }

    void solidLineIsBrokenWhereBatchesAreMissing() {
        MemoryPlot plot;
        plot.resize(600, 400);
        plot.show();
        QVERIFY(QTest::qWaitForWindowExposed(&plot));
        plot.setPoints(m_points);
        // 1 and 2 are neighbours; between 2 and 10 nothing was measured.
        int gaps = 0;
        for (const auto& d : *plot.processGraph()->data()) {
            if (!std::isnan(d.value)) continue;
            ++gaps;
            QVERIFY(d.key > 2 && d.key < 10);
        }
        QCOMPARE(gaps, 1);
        QCOMPARE(plot.interpolatedGraph()->dataCount(), 3);
        QCOMPARE(plot.dotsGraph()->dataCount(), 3);
    }

    void markIsSetWithControlAndTakenAwayAgain() {
        MemoryPlot plot;
        plot.resize(600, 400);
        plot.show();
        QVERIFY(QTest::qWaitForWindowExposed(&plot));
        plot.setPoints(m_points);
        QSignalSpy picked(&plot, &MemoryPlot::xPicked);
        const QPoint at(static_cast<int>(plot.xAxis->coordToPixel(6)), 300);
        QTest::mouseMove(&plot, at);
        QTest::mouseClick(&plot, Qt::LeftButton, Qt::ControlModifier, at);
        QCOMPARE(plot.mark().value_or(0), 6.0);
        QCOMPARE(picked.size(), 0);
        QTest::mouseClick(&plot, Qt::LeftButton, Qt::ControlModifier, at);
        QVERIFY(!plot.mark());
        QTest::keyClick(&plot, Qt::Key_M);
        QCOMPARE(plot.mark().value_or(0), 6.0);
        QTest::keyClick(&plot, Qt::Key_Escape);
        QVERIFY(!plot.mark());
    }

    void lineOfTheCardIsDragged() {
        MemoryPlot plot;
        plot.resize(600, 400);
        plot.show();
        QVERIFY(QTest::qWaitForWindowExposed(&plot));
        plot.setPoints(m_points);
        plot.setCapacity(kMiB * 600, "card");
        connect(&plot, &MemoryPlot::capacityWished, &plot, [&](Bytes wished) { plot.setCapacity(wished, "card"); });
        const auto pixel = [&](double mib) {
            return QPoint(300, static_cast<int>(plot.yAxis->coordToPixel(mib * 1024 * 1024)));
        };
        const QCPRange axis = plot.yAxis->range();
        QTest::mousePress(&plot, Qt::LeftButton, {}, pixel(600));
        QTest::mouseMove(&plot, pixel(500));
        QTest::mouseMove(&plot, pixel(400));
        // The axis stays while the line moves, so that it does not run away from the mouse.
        QCOMPARE(plot.yAxis->range().upper, axis.upper);
        QTest::mouseRelease(&plot, Qt::LeftButton, {}, pixel(400));
        const double step = plot.yAxis->pixelToCoord(0) - plot.yAxis->pixelToCoord(1);
        QVERIFY(std::abs(static_cast<double>(plot.capacity()->count) - (kMiB * 400).mib() * 1024 * 1024) <= 2 * step);
        QSignalSpy picked(&plot, &MemoryPlot::xPicked);
        QTest::mouseClick(&plot, Qt::LeftButton, {}, QPoint(300, 300));
        QCOMPARE(picked.size(), 1);
    }

    void otherVariantsAreHiddenAndShown() {
        MemoryPlot plot;
        plot.setPoints(m_points);
        const double own = plot.yAxis->range().upper;
        plot.setOthers({{"large", Qt::blue, {point(1, 140, 20), point(10, 140, 260)}}});
        QVERIFY(plot.yAxis->range().upper > own);
        plot.setOtherVisible(0, false);
        QVERIFY(!plot.otherGraph(0)->visible());
        QCOMPARE(plot.yAxis->range().upper, own);
        // Another run of the same variant stays hidden.
        plot.setOthers({{"large", Qt::blue, {point(1, 140, 20), point(10, 140, 270)}}});
        QVERIFY(!plot.otherGraph(0)->visible());
    }

    void dotsKeepTheirDistance() {
        MemoryPlot plot;
        plot.resize(600, 400);
        plot.show();
        QVERIFY(QTest::qWaitForWindowExposed(&plot));
        std::vector<MemoryPoint> many;
        for (std::int64_t x = 1; x <= 1000; ++x) many.push_back(point(x, 100, x));
        plot.setPoints(many);
        QVERIFY(plot.dotsGraph()->dataCount() > 30);
        QVERIFY(plot.dotsGraph()->dataCount() < 100);
        QCOMPARE(plot.processGraph()->dataCount(), 1000);
    }

    void bandEnclosesTheProcessLine() {
        MemoryPlot plot;
        plot.setPoints(m_points);
        for (const auto& p : m_points) {
            const double x = static_cast<double>(p.x);
            QCOMPARE(valueAt(plot.lowGraph(), x), static_cast<double>(p.processLow.count));
            QCOMPARE(valueAt(plot.highGraph(), x), static_cast<double>(p.processHigh.count));
        }
    }

    void interpolatesBetweenPointsAndNeverBeyond() {
        MemoryPlot plot;
        plot.setPoints(m_points);
        bool exact = true;
        const auto middle = plot.at(6, &exact);
        QVERIFY(middle);
        QVERIFY(!exact);
        QCOMPARE(middle->categories[Category::Activations].count, (kMiB * 120).count);
        QVERIFY(plot.at(10, &exact));
        QVERIFY(exact);
        QVERIFY(!plot.at(11));
        QVERIFY(!plot.at(0));
    }

    void capacityNearTheDataIsInSight_data() {
        QTest::addColumn<qint64>("capacityMiB");
        QTest::addColumn<bool>("inSight");
        QTest::newRow("just above the data") << qint64(1000) << true;
        QTest::newRow("far above the data") << qint64(80000) << false;
    }
    void capacityNearTheDataIsInSight() {
        QFETCH(qint64, capacityMiB);
        QFETCH(bool, inSight);
        MemoryPlot plot;
        plot.setPoints(m_points);
        plot.setCapacity(kMiB * capacityMiB, "card");
        QCOMPARE(plot.yAxis->range().upper >= static_cast<double>((kMiB * capacityMiB).count), inSight);
        QVERIFY(plot.yAxis->range().upper >= static_cast<double>(m_points.back().processHigh.count));
    }

    void anotherVariantDoesNotFlattenThisOne() {
        MemoryPlot plot;
        plot.setPoints(m_points);
        const double alone = plot.yAxis->range().upper;
        plot.setOthers({{"huge", Qt::red, {point(1, 100, 20), point(20, 100, 100000)}}});
        QVERIFY(plot.yAxis->range().upper > alone);
        QVERIFY(plot.yAxis->range().upper < 1.5 * alone);
        QCOMPARE(plot.xAxis->range().upper, 20.0);
        plot.setOthers({});
        QCOMPARE(plot.yAxis->range().upper, alone);
    }

    void zoomStaysInsideTheDataAndDoubleClickFits() {
        MemoryPlot plot;
        plot.resize(600, 400);
        plot.show();
        QVERIFY(QTest::qWaitForWindowExposed(&plot));
        plot.setPoints(m_points);
        plot.zoom(0.5);
        QVERIFY(!plot.isFitted());
        QVERIFY(plot.xAxis->range().size() < 9);
        plot.zoom(10);
        QCOMPARE(plot.xAxis->range().lower, 1.0);
        QCOMPARE(plot.xAxis->range().upper, 10.0);
        plot.zoom(0.5);
        QTest::mouseDClick(&plot, Qt::LeftButton, {}, QPoint(300, 200));
        QVERIFY(plot.isFitted());
    }

    void clickAsksForTheBatchUnderIt() {
        MemoryPlot plot;
        plot.resize(600, 400);
        plot.show();
        QVERIFY(QTest::qWaitForWindowExposed(&plot));
        plot.setPoints(m_points);
        plot.replot();
        QSignalSpy picked(&plot, &MemoryPlot::xPicked);
        QTest::mouseClick(&plot, Qt::LeftButton, {}, QPoint(qRound(plot.xAxis->coordToPixel(7)), 200));
        QCOMPARE(picked.size(), 1);
        QCOMPARE(picked.first().first().toLongLong(), 7);
    }

    void logarithmicAxisTicksAtPowersOfTwo() {
        MemoryPlot plot;
        plot.setLogarithmic(true);
        plot.setPoints({point(1, 1, 1), point(64, 1, 64)});
        plot.replot(QCustomPlot::rpImmediateRefresh);
        QCOMPARE(plot.xAxis->tickVector(), (QVector<double>{1, 2, 4, 8, 16, 32, 64}));
    }

    void byteTicksAreRoundInTheirUnit() {
        MemoryPlot plot;
        plot.resize(600, 400);
        MemoryPoint top = point(2, 100, 40);
        top.processHigh = kGiB * 9;
        plot.setPoints({point(1, 100, 20), top});
        plot.replot(QCustomPlot::rpImmediateRefresh);
        const QVector<double> ticks = plot.yAxis->tickVector();
        QVERIFY(ticks.size() >= 3);
        for (const double tick : ticks) QCOMPARE(std::fmod(tick, static_cast<double>(kGiB.count) / 2), 0.0);
        QVERIFY(plot.yAxis->tickVectorLabels().contains(QStringLiteral("2 GiB")));
        plot.setUnits(ByteUnits::Decimal);
        plot.replot(QCustomPlot::rpImmediateRefresh);
        for (const double tick : plot.yAxis->tickVector()) QCOMPARE(std::fmod(tick, 5e8), 0.0);
        QVERIFY(plot.yAxis->tickVectorLabels().last().endsWith(QStringLiteral(" GB")));
    }

    void svgHoldsTheCapacityAsText() {
        QTemporaryDir folder;
        MemoryPlot plot;
        plot.resize(600, 400);
        plot.setPoints(m_points);
        plot.setCapacity(kMiB * 900, "RTX 0000");
        const QString file = folder.filePath("plot.svg");
        QVERIFY(plot.saveSvg(file, {800, 400}));
        QFile saved(file);
        QVERIFY(saved.open(QIODevice::ReadOnly));
        const QByteArray svg = saved.readAll();
        QVERIFY(svg.contains("RTX 0000: 900.0 MiB"));
        QVERIFY(svg.contains("<path"));
    }
};

QTEST_MAIN(MemoryPlotTest)
#include "tst_memoryplot.moc"
