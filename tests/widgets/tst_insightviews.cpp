// SPDX-License-Identifier: Apache-2.0
#include "tests/window/synthetic.h"
#include "widgets/heatmap.h"
#include "widgets/liveview.h"
#include "widgets/sourceview.h"
#include "widgets/summaryview.h"
#include "widgets/text.h"
#include "widgets/treemap.h"

#include <QAbstractItemModelTester>
#include <QComboBox>
#include <QSignalSpy>
#include <QStandardItemModel>
#include <QTest>
#include <QTreeView>

#include <numeric>

using namespace tidemark;

namespace {

std::shared_ptr<Measurement> step(const ModelInfo& model) {
    Settings settings;
    settings.batch = 8;
    return std::make_shared<Measurement>(
        syntheticMeasurement(model, settings, Bytes{std::int64_t{1} << 42}, true, true));
}

/// The same with its allocations made by two lines in turn, each of one layer.
std::shared_ptr<Measurement> stepWithLines(const ModelInfo& model) {
    auto m = step(model);
    Timeline& t = *m->timeline;
    t.sources = {{"/models/net.py", 40, "def forward(self, x):\n    x = self.conv(x)\n    return self.relu(x)\n"}};
    t.lines = {{0, 41}, {0, 42}};
    for (std::size_t i = 0; i < t.allocations.size(); ++i) {
        if (t.allocations[i].born < 0) continue;
        t.allocations[i].line = static_cast<int>(i % 2);
        t.allocations[i].layer = 3 + static_cast<int>(i % 2);
    }
    return m;
}

}  // namespace

class InsightViewsTest : public QObject {
    Q_OBJECT

private slots:
    void tilesFillTheAreaInProportion_data() {
        QTest::addColumn<QList<double>>("values");
        QTest::newRow("equal") << QList<double>{1, 1, 1, 1};
        QTest::newRow("falling") << QList<double>{6, 6, 4, 3, 2, 2, 1};
        QTest::newRow("one") << QList<double>{5};
        QTest::newRow("large and tiny") << QList<double>{1e9, 10, 1, 1};
        QTest::newRow("zeros at the end") << QList<double>{3, 1, 0, 0};
    }

    void tilesFillTheAreaInProportion() {
        QFETCH(QList<double>, values);
        const QRectF area(10, 20, 300, 170);
        const auto tiles = squarified({values.begin(), values.end()}, area);
        QCOMPARE(tiles.size(), std::size_t(values.size()));
        const double total = std::accumulate(values.begin(), values.end(), 0.0);
        for (std::size_t i = 0; i < tiles.size(); ++i) {
            const double expected = area.width() * area.height() * values[qsizetype(i)] / total;
            QVERIFY(std::abs(tiles[i].width() * tiles[i].height() - expected) <= 1e-6 * area.width() * area.height());
            QVERIFY(area.adjusted(-1e-6, -1e-6, 1e-6, 1e-6).contains(tiles[i]) || tiles[i].isEmpty());
            for (std::size_t j = 0; j < i; ++j) {
                const QRectF common = tiles[i].intersected(tiles[j]);
                QVERIFY(common.width() * common.height() < 1e-6 * area.width() * area.height());
            }
        }
    }

    void tilesOfTheirPaper() {
        // Bruls, Huizing and van Wijk: 6 6 4 3 2 2 1 in 6 × 4; the first two stand above each other, 3 wide and 2 high.
        const auto tiles = squarified({6, 6, 4, 3, 2, 2, 1}, QRectF(0, 0, 6, 4));
        QCOMPARE(tiles[0], QRectF(0, 0, 3, 2));
        QCOMPARE(tiles[1], QRectF(0, 2, 3, 2));
    }

    void groupsOfAMomentSumToItsMemory() {
        const ModelInfo model = syntheticModel();
        const auto m = step(model);
        LiveView view;
        QAbstractItemModelTester tester(view.view()->model());
        view.resize(900, 300);
        view.show();
        view.setModel(model);
        view.setMeasurement(m);
        for (const Grouping grouping :
             {Grouping::Category, Grouping::Layer, Grouping::Operator, Grouping::Size, Grouping::SourceLine}) {
            view.setGrouping(grouping);
            Bytes sum, tiles;
            for (const LiveGroup& group : view.groups()) sum += group.bytes;
            for (const TreemapItem& item : view.treemap()->items()) {
                tiles += item.bytes;
                Bytes inside;
                for (const TreemapItem& child : item.children) inside += child.bytes;
                QCOMPARE(inside.count, item.bytes.count);
            }
            QCOMPARE(sum.count, m->steady.allocated.count);
            QCOMPARE(tiles.count, sum.count);
            QCOMPARE(view.view()->model()->rowCount(), int(view.groups().size()));
        }
    }

    void clickedMomentReplacesThePeak() {
        const ModelInfo model = syntheticModel();
        const auto m = step(model);
        LiveView view;
        view.show();
        view.setModel(model);
        view.setMeasurement(m);
        QCOMPARE(view.moment(), m->timeline->peakEvent);
        const int moment = m->timeline->events / 3;
        view.showMoment(moment);
        Bytes expected, sum;
        for (const Allocation& a : m->timeline->allocations)
            if (isLive(a, moment)) expected += a.bytes;
        for (const LiveGroup& group : view.groups()) sum += group.bytes;
        QCOMPARE(sum.count, expected.count);
        QVERIFY(expected < m->steady.allocated);
        view.showPeak();
        QCOMPARE(view.moment(), m->timeline->peakEvent);
    }

    void rowsAndTilesLeadToTheirLayer() {
        const ModelInfo model = syntheticModel();
        LiveView view;
        view.resize(900, 400);
        view.show();
        view.setModel(model);
        view.setMeasurement(step(model));
        view.setGrouping(Grouping::Layer);
        QSignalSpy spy(&view, &LiveView::layerPicked);
        emit view.treemap()->picked(0, -1);
        QCOMPARE(spy.takeFirst().at(0).toInt(), view.groups().front().key);
        const QModelIndex second = view.view()->model()->index(1, LiveView::Name);
        QTest::mouseClick(view.view()->viewport(), Qt::LeftButton, {}, view.view()->visualRect(second).center());
        QCOMPARE(spy.takeFirst().at(0).toInt(), second.data(LiveView::kLayerRole).toInt());
    }

    void hiddenPageIsFilledWhenItIsShown() {
        const ModelInfo model = syntheticModel();
        LiveView view;
        view.setModel(model);
        view.setMeasurement(step(model));
        QVERIFY(view.groups().empty());
        view.show();
        QVERIFY(!view.groups().empty());
    }

    void linesStandBesideTheirBytes() {
        const ModelInfo model = syntheticModel();
        const auto m = stepWithLines(model);
        SourceView view;
        view.resize(900, 400);
        view.show();
        view.setModel(model);
        view.setMeasurement(m, m->timeline->sources);
        const QAbstractItemModel* rows = view.view()->model();
        QCOMPARE(rows->rowCount(), 3);
        const auto uses = lineUse(*m->timeline);
        QCOMPARE(rows->index(0, SourceView::Code).data().toString(), QStringLiteral("def forward(self, x):"));
        QCOMPARE(rows->index(1, SourceView::Number).data().toString(), QStringLiteral("41"));
        for (int i = 0; i < 2; ++i) {
            QCOMPARE(rows->index(i + 1, SourceView::Allocated).data(SourceView::kSortRole).toLongLong(),
                     uses[i].allocated.count);
            QCOMPARE(rows->index(i + 1, SourceView::AtPeak).data(SourceView::kSortRole).toLongLong(),
                     uses[i].liveAtPeak.count);
        }
        QSignalSpy spy(&view, &SourceView::layerPicked);
        QTest::mouseClick(view.view()->viewport(), Qt::LeftButton, {},
                          view.view()->visualRect(rows->index(1, 0)).center());
        QCOMPARE(spy.count(), 1);
        QCOMPARE(spy[0][0].toInt(), uses[0].layer);
    }

    void linesOfTheChosenLayerAreMarked() {
        const ModelInfo model = syntheticModel();
        const auto m = stepWithLines(model);
        SourceView view;
        view.resize(900, 400);
        view.show();
        view.setModel(model);
        view.setMeasurement(m, m->timeline->sources);
        const auto isMarked = [&](int row) {
            return view.view()->model()->index(row, 0).data(Qt::BackgroundRole).value<QBrush>().style() != Qt::NoBrush;
        };
        QVERIFY(!isMarked(1));
        view.setHighlightedLayer(lineUse(*m->timeline)[0].layer);
        QVERIFY(isMarked(1));
        QVERIFY(!isMarked(0));
        view.setHighlightedLayer(-1);
        QVERIFY(!isMarked(1));
    }

    void summaryShowsItsFiguresAndTheTruth() {
        const ModelInfo model = syntheticModel();
        const auto m = step(model);
        Settings settings;
        settings.batch = 8;
        SummaryView view;
        view.showMeasurement(model, settings, m);
        QCOMPARE(view.table()->model()->rowCount(), int(torchsummaryRows(model, *m).size()));
        const SummaryFigures one = torchsummaryFigures(model, settings, *m);
        for (const Bytes bytes : {one.input, one.pass, one.parameters, one.total(), m->categories.total()})
            QVERIFY2(view.figuresText().contains(QString::number(bytes.mib(), 'f', 2)), qPrintable(view.figuresText()));
        QVERIFY(!view.figuresText().contains(QStringLiteral("halves")));
        view.setTruth({{}, m, nullptr});
        QVERIFY(view.figuresText().contains(QStringLiteral("halves")));
    }

    void heatMapAsksForTheClickedCell() {
        HeatMap map;
        map.resize(600, 300);
        map.setAxes(QStringLiteral("S"), {128, 256}, QStringLiteral("B"), {1, 2, 4});
        map.setCapacity(kGiB, QStringLiteral("card"));
        for (std::size_t y = 0; y < 3; ++y)
            for (std::size_t x = 0; x < 2; ++x)
                map.setCell(x, y, {kMiB * std::int64_t(400 * (x + 1) * (y + 1)), x + y < 2, {}});
        map.show();
        QSignalSpy spy(&map, &HeatMap::picked);
        QTest::mouseClick(&map, Qt::LeftButton, {}, QPoint(560, 40));
        QCOMPARE(spy.count(), 1);
        QCOMPARE(spy[0][0].toLongLong(), 256);
        QCOMPARE(spy[0][1].toLongLong(), 4);
    }
};

QTEST_MAIN(InsightViewsTest)
#include "tst_insightviews.moc"
