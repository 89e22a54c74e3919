// SPDX-License-Identifier: Apache-2.0
#include "engine/plan/fit.h"

#include <QTest>

using namespace tidemark;

namespace {

Gpu card() {
    Gpu gpu;
    gpu.label = "RTX 4090";
    gpu.memory = kGiB * 24;
    gpu.context = {kMiB * 400, kMiB * 300, kMiB * 700, "test"};
    return gpu;
}

Measurement taking(Bytes allocated, Bytes reserved) {
    Measurement m;
    m.first = m.steady = {allocated, reserved};
    return m;
}

Measurement outOfMemory() {
    Measurement m = taking(kGiB * 20, kGiB * 23);
    m.outOfMemory = OutOfMemory{kMiB * 512, "forward", "layer1", "CUDA out of memory."};
    return m;
}

}  // namespace

class TestFit : public QObject {
    Q_OBJECT
private slots:
    void processIsReservedAndContext();
    void estimatedWorkspacesWidenTheBand();
    void timelineShowsTheLargestWorkspace();
    void reserveShrinksTheCard();
    void firstIterationCounts();
    void fitsWhenTheWholeBandDoes();
    void tightWhenOnlyTheExpectedFigureFits();
    void cachedBlocksGivenBackMakeItFit();
    void limitedRunThatFailsDecides();
    void limitedRunIsAskedForOnlyWhenItCanHelp();
    void sentences_data();
    void sentences();
    void articleFollowsTheSound_data();
    void articleFollowsTheSound();
};

void TestFit::processIsReservedAndContext() {
    const ProcessMemory p = processMemory(taking(kGiB, kGiB * 2), card());
    QCOMPARE(p.value.count, (kGiB * 2 + kMiB * 400).count);
    QCOMPARE(p.low.count, (kGiB * 2 + kMiB * 300).count);
    QCOMPARE(p.high.count, (kGiB * 2 + kMiB * 700).count);
}

void TestFit::estimatedWorkspacesWidenTheBand() {
    Measurement m = taking(kGiB, kGiB * 2);
    m.categories[Category::Workspace] = kMiB * 100;
    const ProcessMemory exact = processMemory(m, card(), false);
    const ProcessMemory estimated = processMemory(m, card(), true);
    QCOMPARE(estimated.value.count, exact.value.count);
    QCOMPARE((exact.low - estimated.low).count, (kMiB * 100).count);
    QCOMPARE((estimated.high - exact.high).count, (kMiB * 50).count);
}

void TestFit::timelineShowsTheLargestWorkspace() {
    Measurement m;
    m.timeline.emplace();
    m.timeline->allocations = {{0, 1, kMiB * 300, Category::Workspace, 0, 0, 0},
                               {0, 1, kMiB * 900, Category::Temporary, 0, 0, 0}};
    QCOMPARE(workspaceBand(m, true).below.count, (kMiB * 300).count);
    QCOMPARE(workspaceBand(m, false).above.count, std::int64_t(0));
}

void TestFit::reserveShrinksTheCard() {
    QCOMPARE(capacityOf(card()).count, card().memory.count);
    const Reserve reserve{kGiB, 0.25, kMiB * 500};
    QCOMPARE(capacityOf(card(), reserve).count, (kGiB * 17 - kMiB * 500).count);
    QCOMPARE(allocatorLimit(card(), reserve).count, (kGiB * 17 - kMiB * 900).count);
    QCOMPARE(capacityOf(card(), {kGiB * 99, 0, {}}).count, std::int64_t(0));
    QVERIFY(allocatorLimit(card(), {kGiB * 99, 0, {}}) > Bytes{});
}

void TestFit::firstIterationCounts() {
    Measurement m = taking(kGiB, kGiB * 2);
    m.first.reserved = kGiB * 24;
    QVERIFY(!judge(m, nullptr, card()).fits());
}

void TestFit::fitsWhenTheWholeBandDoes() {
    const Fit fit = judge(taking(kGiB * 19, kGiB * 20), nullptr, card());
    QVERIFY(fit.level == FitLevel::Fits);
    QCOMPARE(fit.spare.count, (kGiB * 4 - kMiB * 400).count);
}

void TestFit::tightWhenOnlyTheExpectedFigureFits() {
    const Fit fit = judge(taking(kGiB * 19, kGiB * 24 - kMiB * 500), nullptr, card());
    QVERIFY(fit.level == FitLevel::Tight);
    QVERIFY(fit.fits() && fit.spare > Bytes{});
}

void TestFit::cachedBlocksGivenBackMakeItFit() {
    const Measurement unlimited = taking(kGiB * 20, kGiB * 25);
    const Measurement limited = taking(kGiB * 20, kGiB * 23);
    const Fit fit = judge(unlimited, &limited, card());
    QVERIFY(fit.level == FitLevel::Tight && fit.afterRetry);
    QVERIFY(!judge(unlimited, nullptr, card()).fits());
}

void TestFit::limitedRunThatFailsDecides() {
    const Measurement limited = outOfMemory();
    const Fit fit = judge(taking(kGiB * 20, kGiB * 25), &limited, card());
    QVERIFY(!fit.fits());
    QCOMPARE(fit.outOfMemory->requested.count, (kMiB * 512).count);
    QVERIFY(fit.spare < Bytes{});
}

void TestFit::limitedRunIsAskedForOnlyWhenItCanHelp() {
    QVERIFY(!needsLimitedRun(taking(kGiB, kGiB * 2), card()));
    QVERIFY(needsLimitedRun(taking(kGiB * 20, kGiB * 25), card()));
    QVERIFY(!needsLimitedRun(taking(kGiB * 25, kGiB * 26), card()));
}

void TestFit::sentences_data() {
    QTest::addColumn<int>("reservedMiB");
    QTest::addColumn<int>("largest");
    QTest::addColumn<QString>("sentence");
    QTest::newRow("fits") << 20 * 1024 << 46 << "Fits an RTX 4090 with 3.61 GiB to spare; largest batch 46.";
    QTest::newRow("unknown largest") << 20 * 1024 << -1 << "Fits an RTX 4090 with 3.61 GiB to spare.";
    QTest::newRow("tight") << 24 * 1024 - 500 << 46
                           << "Probably fits an RTX 4090 with 100.0 MiB to spare, but may take up to 300.0 MiB more; "
                              "largest batch 46.";
    QTest::newRow("too much") << 25 * 1024 << 12 << "Does not fit an RTX 4090: 1.39 GiB too much; largest batch 12.";
    QTest::newRow("hopeless") << 25 * 1024 << 0
                              << "Does not fit an RTX 4090: 1.39 GiB too much; not even a batch of 1 fits.";
}

void TestFit::sentences() {
    QFETCH(int, reservedMiB);
    QFETCH(int, largest);
    QFETCH(QString, sentence);
    const Fit fit = judge(taking(kGiB, kMiB * reservedMiB), nullptr, card());
    std::optional<LargestBatch> known;
    if (largest >= 0) known = LargestBatch{largest, false};
    QCOMPARE(QString::fromStdString(verdictSentence(fit, card(), known)), sentence);
    if (largest <= 0) return;
    known->monotone = false;
    QVERIFY(verdictSentence(fit, card(), known).find(", though single larger ones fit.") != std::string::npos);
}

void TestFit::articleFollowsTheSound_data() {
    QTest::addColumn<QString>("label");
    QTest::addColumn<QString>("text");
    for (const char* label : {"RTX 3090", "A100 80GB", "H200", "L4"}) QTest::newRow(label) << label << QString("an ") + label;
    for (const char* label : {"T4", "B200", "GH200 96GB", "Tesla V100", "GTX 1080"}) QTest::newRow(label) << label << QString("a ") + label;
}

void TestFit::articleFollowsTheSound() {
    QFETCH(QString, label);
    QFETCH(QString, text);
    Gpu gpu;
    gpu.label = label.toStdString();
    QCOMPARE(QString::fromStdString(withArticle(gpu)), text);
}

QTEST_APPLESS_MAIN(TestFit)
#include "tst_fit.moc"
