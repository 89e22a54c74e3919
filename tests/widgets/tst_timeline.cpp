// SPDX-License-Identifier: Apache-2.0
#include "tests/window/synthetic.h"
#include "widgets/timelineplot.h"

#include <QRandomGenerator>
#include <QSignalSpy>
#include <QTest>

using namespace tidemark;

namespace {

Allocation allocation(int born, int freed, std::int64_t bytes, Category category, int layer = -1) {
    Allocation a;
    a.born = born;
    a.freed = freed;
    a.bytes = {bytes};
    a.category = category;
    a.layer = layer;
    return a;
}

/// Random births and deaths, some before and after the step.
Timeline randomTimeline(int events, quint32 seed) {
    QRandomGenerator random(seed);
    Timeline t;
    t.events = events;
    for (int i = 0; i < events / 2; ++i) {
        const int born = random.bounded(events + events / 10) - events / 10;
        const int freed = born + 1 + random.bounded(events / 3);
        t.allocations.push_back(allocation(std::max(born, -1), freed >= events ? -1 : std::max(freed, 1),
                                           512 * (1 + random.bounded(1000)),
                                           kCategories[random.bounded(int(kCategoryCount))], random.bounded(5)));
    }
    return t;
}

/// By definition, one event at a time.
Bytes liveBytes(const Timeline& t, int event, Category category) {
    Bytes sum;
    for (const auto& a : t.allocations)
        if (a.category == category && a.born <= event && (a.freed < 0 || a.freed > event)) sum += a.bytes;
    return sum;
}

std::shared_ptr<const Measurement> measured(Timeline timeline) {
    auto m = std::make_shared<Measurement>();
    m->timeline = std::move(timeline);
    return m;
}

}  // namespace

class TimelineTest : public QObject {
    Q_OBJECT

private slots:
    void sumsEqualTheDefinition() {
        const Timeline t = randomTimeline(200, 7);
        const TimelineStack stack(t);
        for (int event = 0; event < t.events; ++event) {
            Bytes total;
            for (const Category c : kCategories) {
                QCOMPARE(stack.at(c, event).count, liveBytes(t, event, c).count);
                total += stack.at(c, event);
            }
            QCOMPARE(stack.total(event).count, total.count);
        }
    }

    void samplingKeepsThePeakAndTheEnds_data() {
        QTest::addColumn<int>("events");
        QTest::addColumn<int>("buckets");
        QTest::newRow("fewer events than pixels") << 50 << 600;
        QTest::newRow("many more events than pixels") << 100000 << 600;
        QTest::newRow("not divisible") << 10007 << 333;
    }
    void samplingKeepsThePeakAndTheEnds() {
        QFETCH(int, events);
        QFETCH(int, buckets);
        const Timeline t = randomTimeline(events, 3);
        const TimelineStack stack(t);
        const std::vector<int> sampled = stack.sampled(0, events - 1, buckets);
        QVERIFY(int(sampled.size()) <= 2 * buckets + 3);
        QVERIFY(std::is_sorted(sampled.begin(), sampled.end()));
        QVERIFY(std::adjacent_find(sampled.begin(), sampled.end()) == sampled.end());
        QCOMPARE(sampled.front(), 0);
        QCOMPARE(sampled.back(), events - 1);
        Bytes highest;
        for (const int event : sampled) highest = std::max(highest, stack.total(event));
        QCOMPARE(highest.count, stack.highest().count);
    }

    void largestLiveAreTheLargest() {
        const Timeline t = randomTimeline(300, 11);
        const auto largest = TimelineStack::largestLive(t, 150, 5);
        QCOMPARE(largest.size(), std::size_t(5));
        std::vector<std::int64_t> live;
        for (const auto& a : t.allocations)
            if (TimelineStack::isLive(a, 150)) live.push_back(a.bytes.count);
        std::sort(live.rbegin(), live.rend());
        for (int i = 0; i < 5; ++i) QCOMPARE(t.allocations[largest[i]].bytes.count, live[i]);
    }

    void emptyTimelineDrawsNothing() {
        TimelinePlot plot;
        plot.setTimeline(nullptr);
        QVERIFY(!plot.hasTimeline());
        QCOMPARE(plot.categoryGraph(Category::Weights)->dataCount(), 0);
        plot.setTimeline(measured({}));
        QVERIFY(!plot.hasTimeline());
    }

    void topOfTheStackIsTheTotal() {
        TimelinePlot plot;
        plot.resize(600, 300);
        plot.show();
        QVERIFY(QTest::qWaitForWindowExposed(&plot));
        const Timeline t = randomTimeline(5000, 5);
        plot.setTimeline(measured(t));
        QCPGraph* top = plot.categoryGraph(kCategories.back());
        QVERIFY(top->dataCount() > 100);
        QVERIFY(top->dataCount() <= 2 * 600 + 4);
        for (const auto& d : *top->data()) {
            const int event = std::min(static_cast<int>(d.key), t.events - 1);
            QCOMPARE(d.value, static_cast<double>(plot.stack().total(event).count));
        }
    }

    void zoomShowsEveryEvent() {
        TimelinePlot plot;
        plot.resize(600, 300);
        plot.show();
        QVERIFY(QTest::qWaitForWindowExposed(&plot));
        plot.setTimeline(measured(randomTimeline(50000, 5)));
        plot.xAxis->setRange(1000, 1100);
        QCOMPARE(plot.categoryGraph(Category::Weights)->dataCount(), 101);
    }

    void highlightedLayerIncludesItsChildren() {
        const ModelInfo model = syntheticModel();
        const Measurement m = syntheticMeasurement(model, {}, {}, true, true);
        TimelinePlot plot;
        plot.setModel(model);
        plot.setTimeline(std::make_shared<Measurement>(m));
        const int layer = model.indexOf("layer1");
        plot.setHighlightedLayer(layer);
        std::int64_t expected = 0;
        for (const auto& a : m.timeline->allocations) {
            const bool inside = a.layer >= 0 && model.layers[a.layer].path.rfind("layer1", 0) == 0;
            if (inside && TimelineStack::isLive(a, m.timeline->peakEvent)) expected += a.bytes.count;
        }
        QVERIFY(expected > 0);
        double highest = 0;
        for (const auto& d : *plot.layerGraph()->data())
            if (static_cast<int>(d.key) == m.timeline->peakEvent) highest = d.value;
        QCOMPARE(highest, static_cast<double>(expected));
        plot.setHighlightedLayer(-1);
        QCOMPARE(plot.layerGraph()->dataCount(), 0);
    }

    void clickFindsTheLayerOfTheLargestTensor() {
        ModelInfo model = syntheticModel();
        Timeline t;
        t.events = 10;
        t.allocations = {allocation(-1, -1, 1000, Category::Weights, 1),
                         allocation(2, 8, 900000, Category::Activations, 4),
                         allocation(3, 7, 100000, Category::Activations, 6)};
        TimelinePlot plot;
        plot.resize(600, 300);
        plot.show();
        QVERIFY(QTest::qWaitForWindowExposed(&plot));
        plot.setModel(model);
        plot.setTimeline(measured(t));
        plot.replot();
        QSignalSpy picked(&plot, &TimelinePlot::layerPicked);
        QTest::mouseClick(&plot, Qt::LeftButton, {},
                          QPoint(qRound(plot.xAxis->coordToPixel(5.5)), qRound(plot.yAxis->coordToPixel(500000))));
        QCOMPARE(picked.size(), 1);
        QCOMPARE(picked.first().first().toInt(), 4);
    }

    void readoutNamesLayerAndOperator() {
        const ModelInfo model = syntheticModel();
        const Measurement m = syntheticMeasurement(model, {}, {}, true, true);
        TimelinePlot plot;
        plot.setModel(model);
        plot.setTimeline(std::make_shared<Measurement>(m));
        const auto lines = plot.describe(m.timeline->peakEvent);
        QCOMPARE(lines.front().value, QString::fromStdString(formatBytes(m.steady.allocated)));
        QVERIFY(std::any_of(lines.begin(), lines.end(), [](const ReadoutLine& l) {
            return l.label.contains("conv1") && l.label.contains("aten::forward");
        }));
    }
};

QTEST_MAIN(TimelineTest)
#include "tst_timeline.moc"
