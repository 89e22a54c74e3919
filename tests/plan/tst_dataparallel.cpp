// SPDX-License-Identifier: Apache-2.0
#include "engine/plan/dataparallel.h"

#include <QTest>

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

std::map<std::string, DataParallelEstimate> byName(const std::vector<DataParallelEstimate>& list) {
    std::map<std::string, DataParallelEstimate> map;
    for (const DataParallelEstimate& estimate : list) map[estimate.name] = estimate;
    return map;
}

}  // namespace

class TestDataParallel : public QObject {
    Q_OBJECT
private slots:
    void bucketsAreAsLargeAsTheTrainableWeights();
    void viewsCostNothingWhereGradientsAreThereAtThePeak();
    void eachStageOfZeroTakesLess();
    void oneCardOrFrozenModelHasNoEstimate();
};

void TestDataParallel::bucketsAreAsLargeAsTheTrainableWeights() {
    const Measurement step = stepOf(Bytes{100 << 20});
    const auto estimates = byName(dataParallelEstimates(twoLayers(), step, 4));
    QCOMPARE(estimates.at("DDP").allocated, step.steady.allocated + Bytes{4 << 20});
    QCOMPARE(estimates.at("Rule of thumb").high, step.steady.allocated + Bytes{step.steady.allocated.count / 100 * 15});
}

void TestDataParallel::viewsCostNothingWhereGradientsAreThereAtThePeak() {
    Measurement step = stepOf(Bytes{100 << 20});
    QCOMPARE(byName(dataParallelEstimates(twoLayers(), step, 4)).at("DDP, gradient_as_bucket_view").allocated,
             step.steady.allocated);
    // In the middle of the backward pass only a quarter of the gradients is there, the buckets are whole.
    step.categories[Category::Gradients] = Bytes{1 << 20};
    step.steady.allocated = step.categories.total();
    QCOMPARE(byName(dataParallelEstimates(twoLayers(), step, 4)).at("DDP, gradient_as_bucket_view").allocated,
             step.steady.allocated + Bytes{3 << 20});
}

void TestDataParallel::eachStageOfZeroTakesLess() {
    const Measurement step = stepOf(Bytes{100 << 20});
    const auto estimates = byName(dataParallelEstimates(twoLayers(), step, 4));
    QCOMPARE(estimates.at("ZeRO-1").allocated, step.steady.allocated - Bytes{6 << 20});
    QCOMPARE(estimates.at("ZeRO-2").allocated, step.steady.allocated - Bytes{9 << 20});
    QVERIFY(estimates.at("ZeRO-3").allocated <= estimates.at("ZeRO-2").allocated);
    QVERIFY(estimates.at("ZeRO-3").allocated >= step.categories[Category::Activations]);
}

void TestDataParallel::oneCardOrFrozenModelHasNoEstimate() {
    QVERIFY(dataParallelEstimates(twoLayers(), stepOf({}), 1).empty());
    ModelInfo frozen = twoLayers();
    for (LayerInfo& layer : frozen.layers) layer.trainable = 0;
    QVERIFY(dataParallelEstimates(frozen, stepOf({}), 8).empty());
}

QTEST_APPLESS_MAIN(TestDataParallel)
#include "tst_dataparallel.moc"
