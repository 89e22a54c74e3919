// SPDX-License-Identifier: Apache-2.0
#include "engine/plan/largestbatch.h"

#include <QTest>

#include <functional>

using namespace tidemark;

namespace {

/// Runs the search to its end against a card on which exactly the sizes that `fits` says fit.
LargestBatch run(LargestBatchSearch* search, const std::function<bool(std::int64_t)>& fits) {
    while (const auto size = search->next()) search->tell(*size, fits(*size));
    return search->answer();
}

}  // namespace

class TestLargestBatch : public QObject {
    Q_OBJECT
private slots:
    void findsTheLargestFromAnyStart();
    void suggestionOnlySavesRuns();
    void wrongSuggestionDoesNoHarm();
    void nothingFits();
    void ownLimitIsSaid();
    void neverAsksTheSameTwice();
    void fragmentationIsNoticed();
    void confirmationFindsAGapBelow();
    void outcomesFromElsewhereCount();
};

void TestLargestBatch::findsTheLargestFromAnyStart() {
    for (std::int64_t truth : {1, 2, 3, 31, 32, 33, 46, 511, 4000})
        for (std::int64_t start : {1, 2, 32, 64, 1000}) {
            LargestBatchSearch search(start);
            const LargestBatch answer = run(&search, [=](std::int64_t size) { return size <= truth; });
            QCOMPARE(answer.batch, truth);
            QVERIFY(!answer.limitReached);
            QVERIFY(search.runs() <= 26);
        }
}

void TestLargestBatch::suggestionOnlySavesRuns() {
    for (std::int64_t off : {-9, -1, 0, 1, 9}) {
        LargestBatchSearch search(1);
        search.suggest(460 + off);
        QCOMPARE(run(&search, [](std::int64_t size) { return size <= 460; }).batch, std::int64_t(460));
        QVERIFY(search.runs() <= (off == 0 || off == 1 ? 2 : off == -1 ? 3 : 9));
    }
}

void TestLargestBatch::wrongSuggestionDoesNoHarm() {
    for (std::int64_t suggestion : {-5, 0, 1, 9, 100000}) {
        LargestBatchSearch search(1);
        search.suggest(suggestion);
        QCOMPARE(run(&search, [](std::int64_t size) { return size <= 46; }).batch, std::int64_t(46));
    }
}

void TestLargestBatch::nothingFits() {
    LargestBatchSearch search(32);
    const LargestBatch answer = run(&search, [](std::int64_t) { return false; });
    QCOMPARE(answer.batch, std::int64_t(0));
    QVERIFY(!answer.limitReached);
}

void TestLargestBatch::ownLimitIsSaid() {
    LargestBatchSearch search(32, 1000);
    const LargestBatch answer = run(&search, [](std::int64_t size) { return size <= 5000; });
    QCOMPARE(answer.batch, std::int64_t(1000));
    QVERIFY(answer.limitReached);
}

void TestLargestBatch::neverAsksTheSameTwice() {
    for (std::int64_t truth = 0; truth < 200; ++truth) {
        LargestBatchSearch search(7);
        QList<std::int64_t> asked;
        run(&search, [&](std::int64_t size) {
            asked << size;
            return size <= truth;
        });
        QCOMPARE(QSet<std::int64_t>(asked.begin(), asked.end()).size(), asked.size());
    }
}

void TestLargestBatch::fragmentationIsNoticed() {
    LargestBatchSearch search(1);
    search.tell(40, false);
    search.tell(41, true);
    const LargestBatch answer = run(&search, [](std::int64_t size) { return size < 40 || size == 41; });
    QVERIFY(!answer.monotone);
    QCOMPARE(answer.batch, std::int64_t(39));
}

void TestLargestBatch::confirmationFindsAGapBelow() {
    // 234 fails between sizes that fit; a search that comes upon 235 first must not stop there.
    LargestBatchSearch search(32, 1 << 16, 2);
    search.tell(235, true);
    search.tell(236, false);
    QCOMPARE(run(&search, [](std::int64_t size) { return size <= 233 || size == 235; }).batch, std::int64_t(233));
    QVERIFY(!search.answer().monotone);
}

void TestLargestBatch::outcomesFromElsewhereCount() {
    LargestBatchSearch search(1);
    search.tell(46, true);
    search.tell(47, false);
    QVERIFY(search.done());
    QCOMPARE(search.answer().batch, std::int64_t(46));
}

QTEST_APPLESS_MAIN(TestLargestBatch)
#include "tst_largestbatch.moc"
