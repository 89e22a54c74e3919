// SPDX-License-Identifier: Apache-2.0
#include "engine/plan/comparison.h"

#include <QTest>

using namespace tidemark;

namespace {

struct Run {
    ModelInfo model;
    Measurement measurement;

    void add(const std::string& path, const std::string& type, int parent, std::int64_t parameters, Bytes live) {
        LayerInfo layer;
        layer.path = path;
        layer.name = path;
        layer.type = type;
        layer.parent = parent;
        layer.parameters = parameters;
        layer.weights = Bytes{parameters * 4};
        model.layers.push_back(layer);
        LayerUse use;
        use.liveAtPeak = live;
        measurement.layers.push_back(use);
        measurement.steady.allocated += live;
        measurement.categories[Category::Activations] += live;
    }
};

Run base() {
    Run run;
    run.add("", "Net", -1, 0, Bytes{10});
    run.add("conv1", "Conv2d", 0, 100, Bytes{500});
    run.add("relu", "ReLU", 0, 0, Bytes{50});
    run.add("fc", "Linear", 0, 40, Bytes{70});
    return run;
}

/// The live-at-peak column as text, one line a row.
QStringList rowsOf(const Comparison& c) {
    static const QStringList kNames{"same", "renamed", "added", "removed", "outside"};
    QStringList rows;
    for (const ComparedLayer& l : c.layers)
        rows << QString("%1 %2%3 %4 %5")
                    .arg(kNames[static_cast<int>(l.status)],
                         l.oldPath.empty() ? QString() : QString::fromStdString(l.oldPath) + ">",
                         QString::fromStdString(l.path))
                    .arg(l.liveAtPeak.a.count)
                    .arg(l.liveAtPeak.b.count);
    return rows;
}

}  // namespace

class TestComparison : public QObject {
    Q_OBJECT
private slots:
    void sameModelAlignsByPath();
    void addedRemovedAndRenamedLayersAreTold();
    void memoryOutsideOfLayersHasItsRow();
    void differencesSumToTheDifferenceOfThePeaks();
    void withoutLayersAllIsOutside();
};

void TestComparison::sameModelAlignsByPath() {
    const Run a = base();
    const Comparison c = compare(a.model, a.measurement, a.model, a.measurement);
    QCOMPARE(rowsOf(c), (QStringList{"same  10 10", "same conv1 500 500", "same relu 50 50", "same fc 70 70"}));
    QCOMPARE(c.allocated.delta().count, std::int64_t(0));
}

void TestComparison::addedRemovedAndRenamedLayersAreTold() {
    const Run a = base();
    Run b;
    b.add("", "Net", -1, 0, Bytes{10});
    b.add("stem", "Conv2d", 0, 100, Bytes{400});
    b.add("norm", "BatchNorm2d", 0, 8, Bytes{30});
    b.add("fc", "Linear", 0, 40, Bytes{70});
    const Comparison c = compare(a.model, a.measurement, b.model, b.measurement);
    QCOMPARE(rowsOf(c), (QStringList{"same  10 10", "renamed conv1>stem 500 400", "added norm 0 30", "removed relu 50 0",
                                     "same fc 70 70"}));
}

void TestComparison::memoryOutsideOfLayersHasItsRow() {
    const Run a = base();
    Run b = base();
    b.measurement.steady.allocated += Bytes{25};
    const Comparison c = compare(a.model, a.measurement, b.model, b.measurement);
    QCOMPARE(rowsOf(c).last(), QString("outside  0 25"));
}

void TestComparison::differencesSumToTheDifferenceOfThePeaks() {
    // Layers and sizes from a fixed rule, so that every kind of row occurs.
    for (int seed = 0; seed < 50; ++seed) {
        Run runs[2];
        for (int side = 0; side < 2; ++side)
            for (int i = 0; i < 20; ++i) {
                const int h = (seed * 7919 + side * 104729 + i * 31) % 97;
                if (i > 0 && h % 5 == 0) continue;
                const std::string path = i == 0 ? "" : (h % 7 == 0 ? "new" : "l") + std::to_string(i);
                runs[side].add(path, h % 2 ? "Conv2d" : "ReLU", i == 0 ? -1 : 0, (h % 2) * (i + 1), Bytes{h * 512});
            }
        runs[0].measurement.steady.allocated += Bytes{seed};
        const Comparison c =
            compare(runs[0].model, runs[0].measurement, runs[1].model, runs[1].measurement);
        BytesPair sum;
        for (const ComparedLayer& row : c.layers) {
            sum.a += row.liveAtPeak.a;
            sum.b += row.liveAtPeak.b;
        }
        QVERIFY(sum == c.allocated);
        QCOMPARE(sum.delta().count,
                 (runs[1].measurement.steady.allocated - runs[0].measurement.steady.allocated).count);
        int seenA = 0, seenB = 0;
        for (const ComparedLayer& row : c.layers) {
            seenA += row.indexA >= 0;
            seenB += row.indexB >= 0;
        }
        QCOMPARE(seenA, static_cast<int>(runs[0].model.layers.size()));
        QCOMPARE(seenB, static_cast<int>(runs[1].model.layers.size()));
    }
}

void TestComparison::withoutLayersAllIsOutside() {
    Run a = base();
    a.measurement.layers.clear();
    const Comparison c = compare(a.model, a.measurement, a.model, a.measurement);
    QCOMPARE(rowsOf(c).last(), QString("outside  630 630"));
}

QTEST_APPLESS_MAIN(TestComparison)
#include "tst_comparison.moc"
