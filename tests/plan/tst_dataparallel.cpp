// SPDX-License-Identifier: Apache-2.0
#include "engine/plan/dataparallel.h"

#include <QTest>

#include <array>
#include <map>

using namespace tidemark;

namespace {

LayerInfo layerOf(const char* path, std::int64_t parameters, std::int64_t trainable) {
    LayerInfo layer;
    layer.path = path;
    layer.parent = 0;
    layer.parameters = parameters;
    layer.trainable = trainable;
    layer.weights = Bytes{4 * parameters};
    return layer;
}

ModelInfo twoLayers() {
    ModelInfo model;
    model.layers.emplace_back();
    model.layers.push_back(layerOf("a", 1 << 20, 1 << 20));
    model.layers.push_back(layerOf("frozen", 1 << 18, 0));
    return model;
}

Measurement stepOf(Bytes activations) {
    Measurement m;
    m.categories[Category::Weights] = Bytes{5 << 20};
    m.categories[Category::Gradients] = Bytes{4 << 20};
    m.categories[Category::OptimizerState] = Bytes{8 << 20};
    m.categories[Category::Activations] = activations;
    m.steady.allocated = m.categories.total();
    return m;
}

Settings over(int cards) {
    Settings settings;
    settings.dataParallel.cards = cards;
    return settings;
}

/// The table of a step that takes `alone` on one card and so much more under DistributedDataParallel.
std::map<std::string, DataParallelRow> tableOf(const Measurement& alone, Bytes buckets, Bytes views) {
    std::array<Measurement, 3> steps{alone, alone, alone};
    steps[1].steady.allocated += buckets;
    steps[2].steady.allocated += views;
    std::map<std::string, DataParallelRow> rows;
    for (const DataParallelRow& row : dataParallelTable(twoLayers(), over(4), steps)) rows[row.name.english()] = row;
    return rows;
}

}  // namespace

class TestDataParallel : public QObject {
    Q_OBJECT
private slots:
    void stepsDifferInCardsAndViewsAlone();
    void measuredStepsAreToldAsTheyWereMeasured();
    void ruleOfThumbStandsBesideTheMeasuredStep();
    void eachStageOfZeroTakesLess();
    void oneCardInferenceAndFrozenModelsHaveNoTable();
};

void TestDataParallel::stepsDifferInCardsAndViewsAlone() {
    Settings settings = over(8);
    settings.dataParallel.bucketCapMiB = 50;
    settings.dataParallel.gradientAsBucketView = true;
    auto [alone, buckets, views] = dataParallelSteps(settings);
    QVERIFY(!alone.usesDataParallel());
    QVERIFY(buckets.usesDataParallel() && !buckets.dataParallel.gradientAsBucketView);
    QVERIFY(views == settings);
    buckets.dataParallel.gradientAsBucketView = true;
    QVERIFY(buckets == settings);
    alone.dataParallel.cards = 8;
    QVERIFY(alone == settings);
}

void TestDataParallel::measuredStepsAreToldAsTheyWereMeasured() {
    const Measurement step = stepOf(Bytes{100 << 20});
    const auto rows = tableOf(step, Bytes{5 << 20}, Bytes{1 << 20});
    QCOMPARE(rows.at("One card alone").allocated, step.steady.allocated);
    QCOMPARE(rows.at("DDP").allocated, step.steady.allocated + Bytes{5 << 20});
    QCOMPARE(rows.at("DDP, gradient_as_bucket_view").allocated, step.steady.allocated + Bytes{1 << 20});
    for (const auto& [name, row] : rows) QCOMPARE(row.measured, name.starts_with("DDP") || name == "One card alone");
}

void TestDataParallel::ruleOfThumbStandsBesideTheMeasuredStep() {
    const Measurement step = stepOf(Bytes{100 << 20});
    const DataParallelRow rule = tableOf(step, {}, {}).at("Rule of thumb for DDP");
    QCOMPARE(rule.allocated, step.steady.allocated + Bytes{step.steady.allocated.count / 100 * 10});
    QCOMPARE(rule.high, step.steady.allocated + Bytes{step.steady.allocated.count / 100 * 15});
}

void TestDataParallel::eachStageOfZeroTakesLess() {
    const Measurement step = stepOf(Bytes{100 << 20});
    const auto rows = tableOf(step, {}, {});
    QCOMPARE(rows.at("ZeRO-1").allocated, step.steady.allocated - Bytes{6 << 20});
    QCOMPARE(rows.at("ZeRO-2").allocated, step.steady.allocated - Bytes{9 << 20});
    QVERIFY(rows.at("ZeRO-3").allocated <= rows.at("ZeRO-2").allocated);
    QVERIFY(rows.at("ZeRO-3").allocated >= step.categories[Category::Activations]);
}

void TestDataParallel::oneCardInferenceAndFrozenModelsHaveNoTable() {
    const std::array<Measurement, 3> steps{stepOf({}), stepOf({}), stepOf({})};
    QVERIFY(dataParallelTable(twoLayers(), over(1), steps).empty());
    Settings inference = over(8);
    inference.mode = StepMode::Infer;
    QVERIFY(dataParallelTable(twoLayers(), inference, steps).empty());
    ModelInfo frozen = twoLayers();
    for (LayerInfo& layer : frozen.layers) layer.trainable = 0;
    QVERIFY(dataParallelTable(frozen, over(8), steps).empty());
    QCOMPARE(dataParallelTable(twoLayers(), over(8), steps).size(), std::size_t{7});
}

QTEST_APPLESS_MAIN(TestDataParallel)
#include "tst_dataparallel.moc"
