// SPDX-License-Identifier: Apache-2.0
#include "engine/plan/axissearch.h"

#include <QTest>

#include <functional>

using namespace tidemark;

namespace {

/// A model and a card: which sizes the model takes, and the largest for which the card has room.
struct World {
    std::function<bool(std::int64_t)> takes = [](std::int64_t) { return true; };
    std::int64_t room = 0;

    TrialOutcome run(const AxisSearch::Trial& trial) const {
        if (!takes(trial.size)) return TrialOutcome::Fails;
        return trial.withinCard && trial.size > room ? TrialOutcome::OutOfMemory : TrialOutcome::Fits;
    }
    /// Every size up to `limit`, one after the other.
    std::int64_t bruteForce(std::int64_t limit) const {
        std::int64_t largest = 0;
        for (std::int64_t size = 1; size <= limit; ++size)
            if (run({size, true}) == TrialOutcome::Fits) largest = size;
        return largest;
    }
};

struct Outcome {
    LargestSize largest;
    int runs = 0;
};

Outcome search(const World& world, std::int64_t present, std::int64_t limit = 1 << 20) {
    AxisSearch search("S", present, limit);
    Outcome outcome;
    while (const auto trial = search.next()) {
        search.tell(*trial, world.run(*trial));
        ++outcome.runs;
    }
    outcome.largest = search.answer();
    return outcome;
}

bool divisibleBy(std::int64_t size, std::int64_t step) { return size % step == 0; }

}  // namespace

class TestAxisSearch : public QObject {
    Q_OBJECT
private slots:
    void findsWhatBruteForceFinds_data();
    void findsWhatBruteForceFinds();
    void modelsOwnEndIsSaid();
    void oneSizeAlone();
    void stepsAreFoundDownwardWhereTheModelEnds();
    void nothingFits();
    void ownLimitIsSaid();
    void runsGrowSlowly();
};

void TestAxisSearch::findsWhatBruteForceFinds_data() {
    QTest::addColumn<int>("step");
    QTest::addColumn<int>("present");
    for (const int step : {1, 2, 7, 8, 14, 32, 64})
        for (const int times : {1, 3, 16}) QTest::addRow("step%dPresent%d", step, step * times) << step << step * times;
}

void TestAxisSearch::findsWhatBruteForceFinds() {
    QFETCH(int, step);
    QFETCH(int, present);
    for (const std::int64_t room : {step, step + 1, 100, 777, 2048, 4095}) {
        const World world{[=](std::int64_t size) { return divisibleBy(size, step); }, room};
        const LargestSize found = search(world, present).largest;
        QCOMPARE(found.size, world.bruteForce(5000));
        QCOMPARE(found.step, std::int64_t(step));
        QVERIFY(found.monotone && !found.limitReached && !found.endsModel);
    }
}

void TestAxisSearch::modelsOwnEndIsSaid() {
    for (const std::int64_t present : {1, 128, 1000, 1023}) {
        const World world{[](std::int64_t size) { return size <= 1024; }, 100000};
        const LargestSize found = search(world, present).largest;
        QCOMPARE(found.size, std::int64_t(1024));
        QVERIFY(found.endsModel && !found.limitReached && !found.isOnlySize());
    }
    // The card ends before the model.
    const World small{[](std::int64_t size) { return size <= 1024; }, 700};
    QCOMPARE(search(small, 128).largest.size, std::int64_t(700));
    QVERIFY(!search(small, 128).largest.endsModel);
    // The present size is the last.
    const World last{[](std::int64_t size) { return size <= 1024; }, 700};
    QCOMPARE(search(last, 1024).largest.size, std::int64_t(700));
}

void TestAxisSearch::oneSizeAlone() {
    const World world{[](std::int64_t size) { return size == 224; }, 100000};
    const LargestSize found = search(world, 224).largest;
    QCOMPARE(found.size, std::int64_t(224));
    QVERIFY(found.isOnlySize());
    QCOMPARE(search({world.takes, 100}, 224).largest.size, std::int64_t(0));
}

void TestAxisSearch::stepsAreFoundDownwardWhereTheModelEnds() {
    const World world{[](std::int64_t size) { return divisibleBy(size, 32) && size <= 512; }, 300};
    const LargestSize found = search(world, 512).largest;
    QCOMPARE(found.size, std::int64_t(288));
    QCOMPARE(found.step, std::int64_t(32));
    QVERIFY(!found.endsModel);
}

void TestAxisSearch::nothingFits() {
    const World world{[](std::int64_t) { return true; }, 0};
    QCOMPARE(search(world, 128).largest.size, std::int64_t(0));
}

void TestAxisSearch::ownLimitIsSaid() {
    const World world{[](std::int64_t size) { return divisibleBy(size, 8); }, 100000};
    const LargestSize found = search(world, 64, 1000).largest;
    QCOMPARE(found.size, std::int64_t(1000));
    QVERIFY(found.limitReached);
}

void TestAxisSearch::runsGrowSlowly() {
    for (const std::int64_t room : {100, 10000, 1000000}) {
        const World world{[](std::int64_t) { return true; }, room};
        QVERIFY(search(world, 128).runs <= 40);
    }
}

QTEST_APPLESS_MAIN(TestAxisSearch)
#include "tst_axissearch.moc"
