// SPDX-License-Identifier: Apache-2.0
#include "engine/plan/liveset.h"

#include <QTest>

#include <random>

using namespace tidemark;

namespace {

/// Weights from before the step, saved activations, temporaries: three layers, two operators, two lines.
Timeline smallStep() {
    Timeline t;
    t.events = 6;
    t.peakEvent = 2;
    t.ops = {"aten::conv2d", "aten::relu"};
    t.sources = {{"/models/net.py", 10, "def forward(self, x):\n    x = self.conv(x)\n    return self.relu(x)\n"}};
    t.lines = {{0, 11}, {0, 12}};
    const auto add = [&](int born, int freed, std::int64_t bytes, Category category, int layer, int op, int line) {
        t.allocations.push_back({born, freed, Bytes{bytes}, category, layer, op, -1, line});
    };
    add(-1, -1, 4096, Category::Weights, 1, -1, -1);
    add(0, 5, 2048, Category::Activations, 1, 0, 0);
    add(1, 3, 512, Category::Temporary, 2, 1, 1);
    add(2, -1, 1024, Category::Activations, 2, 1, 1);
    add(4, -1, 4096, Category::Gradients, 1, 0, 0);
    return t;
}

Bytes sumOf(const std::vector<LiveGroup>& groups) {
    Bytes sum;
    for (const LiveGroup& group : groups) sum += group.bytes;
    return sum;
}

const LiveGroup& groupOf(const std::vector<LiveGroup>& groups, int key) {
    return *std::find_if(groups.begin(), groups.end(), [key](const LiveGroup& g) { return g.key == key; });
}

}  // namespace

class TestLiveSet : public QObject {
    Q_OBJECT
private slots:
    void everyGroupingSumsToAllocated_data();
    void everyGroupingSumsToAllocated();
    void freedIsNoLongerAlive();
    void groupsComeLargestFirst();
    void sizesFallIntoPowersOfTwo();
    void groupsAreNamed();
    void linesTellAllocatedSavedAndAlive();
    void whatNoLineAskedForComesLast();
};

void TestLiveSet::everyGroupingSumsToAllocated_data() {
    QTest::addColumn<int>("grouping");
    QTest::newRow("category") << int(Grouping::Category);
    QTest::newRow("layer") << int(Grouping::Layer);
    QTest::newRow("operator") << int(Grouping::Operator);
    QTest::newRow("size") << int(Grouping::Size);
    QTest::newRow("line") << int(Grouping::SourceLine);
}

void TestLiveSet::everyGroupingSumsToAllocated() {
    QFETCH(int, grouping);
    std::mt19937 random(11);
    Timeline t;
    t.events = 300;
    for (int i = 0; i < 200; ++i) {
        const int born = static_cast<int>(random() % 300) - 1;
        const int freed = random() % 3 == 0 ? -1 : std::min<int>(299, born + 1 + static_cast<int>(random() % 60));
        t.allocations.push_back({born, freed > born ? freed : -1,
                                 Bytes{512 * static_cast<std::int64_t>(1 + random() % 5000)},
                                 kCategories[random() % kCategoryCount], static_cast<int>(random() % 9) - 1,
                                 static_cast<int>(random() % 5) - 1, -1, static_cast<int>(random() % 7) - 1});
    }
    for (int event = -1; event < t.events; ++event) {
        Bytes alive;
        for (const Allocation& a : t.allocations)
            if (a.born <= event && !(a.freed >= 0 && a.freed <= event)) alive += a.bytes;
        const auto groups = liveSet(t, event, static_cast<Grouping>(grouping));
        QCOMPARE(sumOf(groups).count, alive.count);
        for (const LiveGroup& group : groups) QCOMPARE(group.categories.total().count, group.bytes.count);
    }
}

void TestLiveSet::freedIsNoLongerAlive() {
    const Timeline t = smallStep();
    QCOMPARE(sumOf(liveSet(t, 2, Grouping::Layer)).count, 4096 + 2048 + 512 + 1024);
    QCOMPARE(sumOf(liveSet(t, 3, Grouping::Layer)).count, 4096 + 2048 + 1024);
    QCOMPARE(sumOf(liveSet(t, -1, Grouping::Layer)).count, 4096);
}

void TestLiveSet::groupsComeLargestFirst() {
    const auto groups = liveSet(smallStep(), 2, Grouping::Layer);
    QCOMPARE(groups.size(), std::size_t(2));
    QCOMPARE(groups[0].key, 1);
    QCOMPARE(groups[0].bytes.count, 6144);
    QCOMPARE(groups[1].allocations, (std::vector<int>{3, 2}));
}

void TestLiveSet::sizesFallIntoPowersOfTwo() {
    const Timeline t = smallStep();
    const auto groups = liveSet(t, 2, Grouping::Size);
    QCOMPARE(groupOf(groups, 9).bytes.count, 512);
    QCOMPARE(groupOf(groups, 11).bytes.count, 2048);
    QCOMPARE(nameOfGroup(t, {}, Grouping::Size, 9), std::string("512 B to 1.00 KiB"));
}

void TestLiveSet::groupsAreNamed() {
    const Timeline t = smallStep();
    ModelInfo model;
    model.layers.resize(2);
    model.layers[0].name = "Net";
    model.layers[1].path = "block.conv";
    QCOMPARE(nameOfGroup(t, model, Grouping::Layer, 0), std::string("Net"));
    QCOMPARE(nameOfGroup(t, model, Grouping::Layer, 1), std::string("block.conv"));
    QCOMPARE(nameOfGroup(t, model, Grouping::Layer, 7), std::string());
    QCOMPARE(nameOfGroup(t, model, Grouping::Operator, 1), std::string("aten::relu"));
    QCOMPARE(nameOfGroup(t, model, Grouping::SourceLine, 1), std::string("net.py:12"));
    QCOMPARE(nameOfGroup(t, model, Grouping::Category, static_cast<int>(Category::OptimizerState)),
             std::string("optimizer_state"));
}

void TestLiveSet::linesTellAllocatedSavedAndAlive() {
    const auto uses = lineUse(smallStep());
    QCOMPARE(uses.size(), std::size_t(3));
    QCOMPARE(uses[0].line, 0);
    QCOMPARE(uses[0].allocated.count, 2048 + 4096);
    QCOMPARE(uses[0].saved.count, 2048);
    QCOMPARE(uses[0].liveAtPeak.count, 2048);
    QCOMPARE(uses[0].layer, 1);
    QCOMPARE(uses[1].allocated.count, 1536);
    QCOMPARE(uses[1].saved.count, 1024);
    QCOMPARE(uses[1].allocations, 2);
    QCOMPARE(uses[1].layer, 2);
}

void TestLiveSet::whatNoLineAskedForComesLast() {
    const Timeline t = smallStep();
    const auto uses = lineUse(t);
    QCOMPARE(uses.back().line, -1);
    QCOMPARE(uses.back().liveAtPeak.count, 4096);
    QCOMPARE(uses.back().allocated.count, 0);
    Bytes sum;
    for (const LineUse& use : uses) sum += use.liveAtPeak;
    QCOMPARE(sum.count, sumOf(liveSet(t, t.peakEvent, Grouping::Category)).count);
}

QTEST_APPLESS_MAIN(TestLiveSet)
#include "tst_liveset.moc"
