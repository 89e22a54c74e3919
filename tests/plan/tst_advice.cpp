// SPDX-License-Identifier: Apache-2.0
#include "engine/plan/advice.h"

#include <QTest>

using namespace tidemark;

namespace {

ModelInfo modelWithBlocks(int blocks) {
    ModelInfo model;
    BlockGroup group{"Block", {}};
    for (int i = 0; i < blocks; ++i) group.paths.push_back("blocks." + std::to_string(i));
    if (blocks > 0) model.blocks.push_back(group);
    return model;
}

QStringList titles(const std::vector<Advice>& list) {
    QStringList result;
    for (const Advice& a : list) result << QString::fromStdString(a.title.english());
    return result;
}

MeasuredAdvice measured(const char* title, AdviceCost cost, bool fits, Bytes saved) {
    MeasuredAdvice m;
    m.advice.title = title;
    m.advice.cost = cost;
    m.fit.level = fits ? FitLevel::Fits : FitLevel::DoesNotFit;
    m.saved = saved;
    return m;
}

}  // namespace

class TestAdvice : public QObject {
    Q_OBJECT
private slots:
    void everyAdviceChangesSomethingValid();
    void effectiveBatchIsKept();
    void cheapestComesFirst();
    void whatIsInForceIsNotAdvised();
    void inferenceHasNoTrainingAdvice();
    void fittingAdviceRanksByCost();
    void uselessAdviceIsLeftOut();
};

void TestAdvice::everyAdviceChangesSomethingValid() {
    for (int blocks : {0, 1, 2, 16}) {
        const Settings settings;
        const auto list = adviceFor(modelWithBlocks(blocks), settings);
        QVERIFY(list.size() >= 5);
        for (const Advice& a : list) {
            QVERIFY(!(a.settings == settings));
            QVERIFY(validated(a.settings).ok());
            QVERIFY(!a.consequence.empty());
        }
        QStringList names = titles(list);
        QCOMPARE(names.removeDuplicates(), 0);
    }
}

void TestAdvice::effectiveBatchIsKept() {
    Settings settings;
    settings.batch = 24;
    settings.accumulate = 3;
    int splits = 0;
    for (const Advice& a : adviceFor(modelWithBlocks(4), settings)) {
        QCOMPARE(a.settings.effectiveBatch(), settings.effectiveBatch());
        splits += a.settings.batch != settings.batch;
    }
    QCOMPARE(splits, 3);  // 12, 6 and 3
}

void TestAdvice::cheapestComesFirst() {
    const auto list = adviceFor(modelWithBlocks(4), {});
    for (std::size_t i = 1; i < list.size(); ++i) QVERIFY(list[i - 1].cost <= list[i].cost);
}

void TestAdvice::whatIsInForceIsNotAdvised() {
    Settings settings;
    settings.optimizer = {OptimizerKind::Momentum, OptimizerImpl::Fused, false, false, 4.0};
    settings.precision = Precision::AmpBf16;
    settings.channelsLast = true;
    settings.allocator.expandableSegments = true;
    settings.checkpoint.mode = CheckpointMode::All;
    settings.batch = 1;
    QCOMPARE(titles(adviceFor(modelWithBlocks(4), settings)), QStringList());
    settings.checkpoint = {CheckpointMode::First, 2, {}};
    QCOMPARE(titles(adviceFor(modelWithBlocks(4), settings)), (QStringList{"Checkpoint 3 of 4 blocks", "Checkpoint all 4 blocks"}));
}

void TestAdvice::inferenceHasNoTrainingAdvice() {
    Settings settings;
    settings.mode = StepMode::Infer;
    for (const Advice& a : adviceFor(modelWithBlocks(4), settings)) {
        QVERIFY(a.settings.checkpoint == settings.checkpoint);
        QVERIFY(a.settings.optimizer == settings.optimizer);
        QCOMPARE(a.settings.accumulate, 1);
    }
}

void TestAdvice::fittingAdviceRanksByCost() {
    const auto list = ranked({measured("big", AdviceCost::Training, false, kGiB * 9),
                              measured("slow", AdviceCost::Speed, true, kGiB * 5),
                              measured("free", AdviceCost::Free, true, kGiB),
                              measured("small", AdviceCost::Free, false, kMiB),
                              measured("slower", AdviceCost::Speed, true, kGiB * 6)});
    QStringList order;
    for (const MeasuredAdvice& m : list) order << QString::fromStdString(m.advice.title.english());
    QCOMPARE(order, (QStringList{"free", "slow", "slower", "big", "small"}));
}

void TestAdvice::uselessAdviceIsLeftOut() {
    QVERIFY(ranked({measured("none", AdviceCost::Free, true, Bytes{}), measured("worse", AdviceCost::Free, true, -kMiB)}).empty());
}

QTEST_APPLESS_MAIN(TestAdvice)
#include "tst_advice.moc"
