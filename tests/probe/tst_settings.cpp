// SPDX-License-Identifier: Apache-2.0
// What each setting does to the memory of a step.
#include "tests/probe/probeprocess.h"

#include <QTest>

using namespace tidemark;
using namespace tidemark::testing;
using nlohmann::json;

namespace {

const json kSmall{{"batch", 4}};
/// Of the perceptron, which has six parameters, each a multiple of 512 bytes also in half precision.
constexpr std::int64_t kWeights = (257 * 512 + 513 * 512 + 513 * 256) * 4;

Bytes categoryOf(const Measurement& m, Category c) { return m.categories[c]; }

}  // namespace

class TestProbeSettings : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { m_probe = std::make_unique<ProbeProcess>(); }
    void cleanupTestCase() { m_probe.reset(); }

    void optimizersKeepTheirState_data();
    void optimizersKeepTheirState();
    void foreachMakesLargerTemporariesThanALoop();
    void averagesAreASecondCopyOfTheWeights();
    void everyParameterHasItsGradient();
    void inferenceHasNeitherGradientsNorState();
    void evaluationHoldsWhatTrainingLeft();
    void targetsOfErrorsHaveTheTypeOfTheData();
    void trainingAndEvaluationIsTheLargerOfBoth();
    void trainingBeforeEvaluationIsTraining();
    void autocastKeepsTheWeights_data();
    void autocastKeepsTheWeights();
    void halfPrecisionHalvesTheWeights_data();
    void halfPrecisionHalvesTheWeights();
    void frozenLayersGetNeitherGradientNorState();
    void checkpointingLowersActivationsAndRecomputes();
    void checkpointedLayersOfAGrowingListSeeItAsItWas();
    void everyCheckpointedBlockSavesMore();
    void handPickedLayersAloneAreCheckpointed();
    void nestedCheckpointsAreNoWorseThanTheOuterOne();
    void inferenceCheckpointsNothing();
    void zeroedGradientsStay();
    void keptOutputIsThereInTheNextForwardPass();
    void expandableSegmentsReserveNoMore();
    void workspacesComeOnTop_data();
    void workspacesComeOnTop();
    void cublasWorkspaceFollowsTheCard();

private:
    std::unique_ptr<ProbeProcess> m_probe;
};

void TestProbeSettings::optimizersKeepTheirState_data() {
    QTest::addColumn<QString>("optimizer");
    QTest::addColumn<qint64>("state");
    const auto row = [](const char* fact, const char* optimizer, qint64 state) {
        QTest::newRow(fact) << optimizer << state;
    };
    const qint64 counters = 6 * 512;
    row("none", R"("none")", 0);
    row("sgd", R"("sgd")", 0);
    row("momentum", R"("momentum")", kWeights);
    row("nesterov", R"("nesterov")", kWeights);
    row("adam", R"("adam")", 2 * kWeights);
    row("adamw", R"("adamw")", 2 * kWeights);
    row("adamForLoop", R"({"kind":"adam","impl":"for-loop"})", 2 * kWeights);
    row("adamForeach", R"({"kind":"adam","impl":"foreach"})", 2 * kWeights);
    row("adamFusedCountsStepsOnTheDevice", R"({"kind":"adam","impl":"fused"})", 2 * kWeights + counters);
    row("amsgrad", R"({"kind":"adam","amsgrad":true})", 3 * kWeights);
    row("sgdFused", R"({"kind":"sgd","impl":"fused"})", 0);
    row("momentumFused", R"({"kind":"momentum","impl":"fused"})", kWeights);
    row("rmsprop", R"("rmsprop")", kWeights);
    row("adagrad", R"("adagrad")", kWeights);
    row("twoBytesAnElement", R"({"kind":"custom","state_bytes_per_element":2})", kWeights / 2);
    row("weightDecayAddsNoState", R"({"kind":"adam","weight_decay":true})", 2 * kWeights);
}

void TestProbeSettings::optimizersKeepTheirState() {
    QFETCH(QString, optimizer);
    QFETCH(qint64, state);
    m_probe->open("mlp");
    const Measurement m = m_probe->measure(with(kSmall, {{"optimizer", json::parse(optimizer.toStdString())}}));
    QCOMPARE(categoryOf(m, Category::OptimizerState).count, state);
    QCOMPARE(sumOf(m, &LayerUse::optimizerState).count, state);
    QCOMPARE(categoryOf(m, Category::Weights).count, kWeights);
}

void TestProbeSettings::foreachMakesLargerTemporariesThanALoop() {
    m_probe->open("wide");
    const auto peak = [&](const char* impl) {
        return m_probe->measure({{"batch", 1}, {"optimizer", {{"kind", "adam"}, {"impl", impl}}}}).steady.allocated;
    };
    m_probe->open("mlp");
    const Bytes foreach = peak("foreach"), loop = peak("for-loop"), fused = peak("fused");
    QVERIFY(foreach >= loop);
    QVERIFY(loop >= fused - Bytes{6 * 512});
    QCOMPARE(peak("default"), foreach);
}

void TestProbeSettings::averagesAreASecondCopyOfTheWeights() {
    m_probe->open("mlp");
    const Measurement without = m_probe->measure(with(kSmall, {{"optimizer", "sgd"}}));
    const Measurement with_ = m_probe->measure(with(kSmall, {{"optimizer", "sgd"}, {"ema", true}}));
    QCOMPARE(categoryOf(with_, Category::OptimizerState).count, kWeights);
    QCOMPARE((with_.steady.allocated - without.steady.allocated).count, kWeights);
}

void TestProbeSettings::everyParameterHasItsGradient() {
    for (const char* name : {"mlp", "convnet", "transformer", "tied", "repeated"}) {
        const ModelInfo model = m_probe->open(name);
        const Measurement m = m_probe->measure(kSmall);
        QCOMPARE(sumOf(m, &LayerUse::gradients), categoryOf(m, Category::Weights));
        QCOMPARE(categoryOf(m, Category::Weights) + categoryOf(m, Category::Buffers), m.baseline);
        QVERIFY(categoryOf(m, Category::Weights) >= model.weightBytes());
    }
}

void TestProbeSettings::inferenceHasNeitherGradientsNorState() {
    for (const char* name : {"mlp", "transformer"}) {
        m_probe->open(name);
        const Measurement training = m_probe->measure(kSmall);
        const Measurement m = m_probe->measure(with(kSmall, {{"mode", "infer"}}));
        for (Category c : {Category::Gradients, Category::OptimizerState}) QCOMPARE(categoryOf(m, c).count, 0);
        for (const auto column : {&LayerUse::gradients, &LayerUse::optimizerState, &LayerUse::backwardTemporary})
            QCOMPARE(sumOf(m, column).count, 0);
        QCOMPARE(m.peakPhase, std::string("forward"));
        QCOMPARE(categoryOf(m, Category::Weights), categoryOf(training, Category::Weights));
        QVERIFY(m.steady.allocated < training.steady.allocated);
    }
}

void TestProbeSettings::targetsOfErrorsHaveTheTypeOfTheData() {
    m_probe->open("mlp");
    const auto target = [&](const char* loss, const char* precision) {
        const auto inputWith = [&](const char* kind) {
            return categoryOf(m_probe->measure({{"batch", 4096}, {"loss", kind}, {"precision", precision}}), Category::Input);
        };
        return inputWith(loss) - inputWith("mean");
    };
    for (const char* loss : {"mse", "bce"}) {
        const Bytes full = target(loss, "fp32");
        QCOMPARE(full, Bytes{4096 * 256 * 4});  // as large as the output
        QCOMPARE(target(loss, "amp-fp16"), full);
        QCOMPARE(target(loss, "bf16") * 2, full);
    }
}

void TestProbeSettings::evaluationHoldsWhatTrainingLeft() {
    for (const char* name : {"mlp", "transformer"}) {
        m_probe->open(name);
        // A mean needs no target, which training would leave on the device too.
        const json wish{{"batch", 4}, {"loss", "mean"}};
        const Measurement inferred = m_probe->measure(with(wish, {{"mode", "infer"}}));
        const Measurement m = m_probe->measure(with(wish, {{"mode", "eval-after-train"}}));
        QCOMPARE(categoryOf(m, Category::OptimizerState), categoryOf(m, Category::Weights) * 2);
        QCOMPARE(categoryOf(m, Category::Gradients).count, 0);
        QCOMPARE(m.steady.allocated, inferred.steady.allocated + categoryOf(m, Category::OptimizerState));
        QCOMPARE(m.peakPhase, std::string("forward"));
    }
}

void TestProbeSettings::trainingAndEvaluationIsTheLargerOfBoth() {
    for (const char* name : {"mlp", "transformer"}) {
        m_probe->open(name);
        const auto measured = [&](const char* mode) { return m_probe->measure(with(kSmall, {{"mode", mode}})); };
        const Measurement train = measured("train"), evaluate = measured("eval-after-train"),
                          both = measured("train-and-eval");
        QCOMPARE(both.steady.allocated, std::max(train.steady.allocated, evaluate.steady.allocated));
        QVERIFY(both.steady.reserved >= std::max(train.steady.reserved, evaluate.steady.reserved));
        QCOMPARE(both.peakPhase, std::string("backward"));
        QVERIFY(both.categories.bytes == train.categories.bytes);
    }
}

void TestProbeSettings::trainingBeforeEvaluationIsTraining() {
    // Dropout keeps a mask in training, so that its first iterations tell whether it was trained.
    m_probe->open("dropout");
    const json wish{{"batch", 4096}};
    const Measurement train = m_probe->measure(wish);
    const Measurement evaluate = m_probe->measure(with(wish, {{"mode", "eval-after-train"}}));
    QCOMPARE(evaluate.first.allocated, train.first.allocated);
}

void TestProbeSettings::autocastKeepsTheWeights_data() {
    QTest::addColumn<QString>("precision");
    QTest::newRow("fp16") << "amp-fp16";
    QTest::newRow("bf16") << "amp-bf16";
}

void TestProbeSettings::autocastKeepsTheWeights() {
    QFETCH(QString, precision);
    const ModelInfo model = m_probe->open("mlp");
    const Measurement full = m_probe->measure({{"batch", 4096}});
    const Measurement m = m_probe->measure({{"batch", 4096}, {"precision", precision.toStdString()}});
    QCOMPARE(categoryOf(m, Category::Weights), categoryOf(full, Category::Weights));
    QCOMPARE(sumOf(m, &LayerUse::gradients), sumOf(full, &LayerUse::gradients));
    QVERIFY(sumOf(m, &LayerUse::saved) < sumOf(full, &LayerUse::saved));
    QCOMPARE(rowOf(m, model, "0").output,
             precision == "amp-fp16" ? std::string("float16[4096, 512]") : std::string("bfloat16[4096, 512]"));
    // At a small batch the cast copies of the weights cost more than they save.
    QVERIFY(m_probe->measure({{"batch", 1}, {"precision", precision.toStdString()}}).layers[0].saved.count >= 0);
}

void TestProbeSettings::halfPrecisionHalvesTheWeights_data() {
    QTest::addColumn<QString>("precision");
    QTest::newRow("fp16") << "fp16";
    QTest::newRow("bf16") << "bf16";
}

void TestProbeSettings::halfPrecisionHalvesTheWeights() {
    QFETCH(QString, precision);
    m_probe->open("mlp");
    const Measurement m = m_probe->measure({{"batch", 4}, {"precision", precision.toStdString()}});
    QCOMPARE(categoryOf(m, Category::Weights).count, kWeights / 2);
    QCOMPARE(categoryOf(m, Category::OptimizerState).count, kWeights);
    QCOMPARE(sumOf(m, &LayerUse::gradients).count, kWeights / 2);
    QCOMPARE(m.baseline.count, kWeights / 2);
}

void TestProbeSettings::frozenLayersGetNeitherGradientNorState() {
    const ModelInfo model = m_probe->open("transformer");
    const Measurement all = m_probe->measure(kSmall);
    const Measurement m = m_probe->measure(with(kSmall, {{"frozen", {"embedding", "blocks.0", "blocks.1"}}}));
    for (std::size_t i = 0; i < model.layers.size(); ++i) {
        const std::string& path = model.layers[i].path;
        const bool frozen = path == "embedding" || path.starts_with("blocks.0") || path.starts_with("blocks.1");
        QCOMPARE(m.layers[i].gradients, frozen ? Bytes{} : all.layers[i].gradients);
        QCOMPARE(m.layers[i].optimizerState, frozen ? Bytes{} : all.layers[i].optimizerState);
        if (frozen && model.layers[i].parent > 0) QVERIFY(m.layers[i].saved <= all.layers[i].saved);
    }
    QCOMPARE(categoryOf(m, Category::Weights), categoryOf(all, Category::Weights));
    // Nothing is kept for the backward pass of what is frozen at the model's beginning.
    QVERIFY(m.layers[static_cast<std::size_t>(model.indexOf("blocks.1.mlp.1"))].saved.count == 0);
    QVERIFY(m.steady.allocated < all.steady.allocated);
}

void TestProbeSettings::checkpointingLowersActivationsAndRecomputes() {
    m_probe->open("transformer");
    const Measurement without = m_probe->measure(kSmall);
    QCOMPARE(without.checkpointedBlocks, 0);
    QCOMPARE(without.recomputedOperators, 0.0);
    const Measurement m = m_probe->measure(with(kSmall, {{"checkpoint", "all"}}));
    QCOMPARE(m.checkpointedBlocks, 4);
    QVERIFY(m.recomputedOperators > 0);
    QVERIFY(m.recomputedOperators < 1);
    QVERIFY(categoryOf(m, Category::Activations).count < categoryOf(without, Category::Activations).count / 2);
    QVERIFY(m.steady.allocated < without.steady.allocated);
    QCOMPARE(sumOf(m, &LayerUse::gradients), sumOf(without, &LayerUse::gradients));
    QCOMPARE(sumOf(m, &LayerUse::optimizerState), sumOf(without, &LayerUse::optimizerState));
}

void TestProbeSettings::checkpointedLayersOfAGrowingListSeeItAsItWas() {
    m_probe->open("dense");
    const json settings{{"batch", 8}, {"inputs", {"float32[B,8,32,32]"}}};
    const Measurement without = m_probe->measure(settings);
    const Measurement m = m_probe->measure(with(settings, {{"checkpoint", "all"}}));
    QCOMPARE(m.checkpointedBlocks, 4);
    QVERIFY(m.steady.allocated < without.steady.allocated);
    QCOMPARE(m_probe->measure(settings).steady.allocated, without.steady.allocated);  // and nothing stays behind
}

void TestProbeSettings::everyCheckpointedBlockSavesMore() {
    const ModelInfo model = m_probe->open("transformer");
    Bytes before = sumOf(m_probe->measure(kSmall), &LayerUse::saved);
    double recomputed = 0;
    for (int blocks = 1; blocks <= 4; ++blocks) {
        const Measurement m = m_probe->measure(with(kSmall, {{"checkpoint", std::to_string(blocks)}}));
        QCOMPARE(m.checkpointedBlocks, blocks);
        QVERIFY(sumOf(m, &LayerUse::saved) < before);
        QVERIFY(m.recomputedOperators > recomputed);
        before = sumOf(m, &LayerUse::saved);
        recomputed = m.recomputedOperators;
        for (int block = 0; block < 4; ++block)
            QCOMPARE(rowOf(m, model, "blocks." + std::to_string(block) + ".mlp.0").saved.count == 0, block < blocks);
    }
    QVERIFY(m_probe->untimed(with(kSmall, {{"checkpoint", "4"}})) ==
            m_probe->untimed(with(kSmall, {{"checkpoint", "all"}})));
    QVERIFY(m_probe->untimed(with(kSmall, {{"checkpoint", "99"}})) ==
            m_probe->untimed(with(kSmall, {{"checkpoint", "all"}})));
    QCOMPARE(m_probe->measure(with(kSmall, {{"checkpoint", "every:2"}})).checkpointedBlocks, 2);
}

void TestProbeSettings::handPickedLayersAloneAreCheckpointed() {
    const ModelInfo model = m_probe->open("transformer");
    const Measurement without = m_probe->measure(kSmall);
    const Measurement m = m_probe->measure(with(kSmall, {{"checkpoint", "layers:blocks.1.mlp,blocks.3.attention"}}));
    QCOMPARE(m.checkpointedBlocks, 2);
    QVERIFY(m.recomputedOperators > 0);
    for (std::size_t i = 0; i < model.layers.size(); ++i) {
        const std::string& path = model.layers[i].path;
        const bool chosen = path.starts_with("blocks.1.mlp") || path.starts_with("blocks.3.attention");
        if (!chosen) QCOMPARE(m.layers[i].saved, without.layers[i].saved);
    }
    for (const char* path : {"blocks.1.mlp.0", "blocks.1.mlp.1", "blocks.3.attention"})
        QVERIFY(rowOf(m, model, path).saved < rowOf(without, model, path).saved);
    QVERIFY(m_probe->untimed(with(kSmall, {{"checkpoint", "layers:blocks.0,blocks.1,blocks.2,blocks.3"}})) ==
            m_probe->untimed(with(kSmall, {{"checkpoint", "all"}})));
}

void TestProbeSettings::nestedCheckpointsAreNoWorseThanTheOuterOne() {
    m_probe->open("transformer");
    const Measurement outer =
        m_probe->measure(with(kSmall, {{"checkpoint", "layers:blocks.0,blocks.1,blocks.2,blocks.3"}}));
    const Measurement nested =
        m_probe->measure(with(kSmall, {{"checkpoint",
                                        "layers:blocks.0,blocks.0.attention,blocks.1,blocks.1.attention,"
                                        "blocks.2,blocks.2.attention,blocks.3,blocks.3.attention"}}));
    QCOMPARE(nested.checkpointedBlocks, 8);
    QVERIFY(nested.recomputedOperators > outer.recomputedOperators);
    QCOMPARE(sumOf(nested, &LayerUse::saved), sumOf(outer, &LayerUse::saved));
    // While the rest of a block goes backward, its attention is not there yet.
    QVERIFY(nested.steady.allocated < outer.steady.allocated);
    QCOMPARE(sumOf(nested, &LayerUse::gradients), sumOf(outer, &LayerUse::gradients));
    QCOMPARE(nested.categories.total(), nested.steady.allocated);
}

void TestProbeSettings::inferenceCheckpointsNothing() {
    m_probe->open("transformer");
    const Measurement without = m_probe->measure(with(kSmall, {{"mode", "infer"}}));
    const Measurement m = m_probe->measure(with(kSmall, {{"mode", "infer"}, {"checkpoint", "all"}}));
    QCOMPARE(m.steady.allocated, without.steady.allocated);
    QCOMPARE(m.recomputedOperators, 0.0);
}

void TestProbeSettings::zeroedGradientsStay() {
    m_probe->open("mlp");
    const Measurement dropped = m_probe->measureTimeline(kSmall);
    const Measurement zeroed = m_probe->measureTimeline(with(kSmall, {{"zero_grad_to_none", false}}));
    const auto gradientsBefore = [](const Measurement& m) {
        Bytes sum;
        for (const Allocation& a : m.timeline->allocations)
            if (a.born < 0 && a.category == Category::Gradients) sum += a.bytes;
        return sum.count;
    };
    QCOMPARE(gradientsBefore(dropped), 0);
    QCOMPARE(gradientsBefore(zeroed), kWeights);
    QVERIFY(zeroed.steady.allocated >= dropped.steady.allocated);
}

void TestProbeSettings::keptOutputIsThereInTheNextForwardPass() {
    m_probe->open("mlp");
    const json wish{{"batch", 4096}, {"loss", "mean"}, {"mode", "infer"}};
    const Measurement dropped = m_probe->measure(wish);
    const Measurement kept = m_probe->measure(with(wish, {{"keep_output", true}}));
    QCOMPARE((kept.iterations.back().allocated - kept.iterations.front().allocated).count, 4096 * 256 * 4);
    QCOMPARE(dropped.iterations.back().allocated, dropped.iterations.front().allocated);
}

void TestProbeSettings::expandableSegmentsReserveNoMore() {
    ProbeProcess expandable({"--workspace", "none", "--allocator", "expandable_segments:True"});
    // They grow by 20 MiB, so that small models may reserve a piece more than with segments of their own sizes.
    const Bytes piece = kMiB * 20;
    Bytes all, allFixed;
    for (const char* name : {"mlp", "transformer", "tied"}) {
        m_probe->open(name);
        expandable.open(name);
        for (const int batch : {4, 32, 128}) {
            const Measurement fixed = m_probe->measure({{"batch", batch}});
            const Measurement m = expandable.measure({{"batch", batch}});
            QCOMPARE(m.steady.allocated, fixed.steady.allocated);
            QVERIFY2(m.steady.reserved <= fixed.steady.reserved + piece,
                     qPrintable(QString("%1, batch %2: %3, otherwise %4")
                                    .arg(name)
                                    .arg(batch)
                                    .arg(m.steady.reserved.count)
                                    .arg(fixed.steady.reserved.count)));
            QVERIFY(m.steady.reserved >= m.steady.allocated);
            all += m.steady.reserved;
            allFixed += fixed.steady.reserved;
        }
    }
    QVERIFY2(all < allFixed, qPrintable(QString("%1, otherwise %2").arg(all.count).arg(allFixed.count)));
}

void TestProbeSettings::workspacesComeOnTop_data() {
    QTest::addColumn<QString>("source");
    QTest::newRow("estimate") << "estimate";
    QTest::newRow("cudnn") << "cudnn";
}

void TestProbeSettings::workspacesComeOnTop() {
    QFETCH(QString, source);
    if (source == "cudnn" && QByteArray(CUDNN).isEmpty()) QSKIP("no cuDNN beside this LibTorch");
    ProbeProcess probe({"--workspace", source});
    const json hello = probe.ask({{"op", "hello"}});
    QVERIFY2(hello["workspace"].get<std::string>().starts_with(source.toStdString()), hello.dump().c_str());
    QVERIFY2(hello["workspace_problem"].get<std::string>().empty(), hello.dump().c_str());
    const json wish{{"batch", 64}, {"optimizer", "sgd"}, {"inputs", {"float32[B,3,128,128]"}}};
    probe.open("convnet");
    m_probe->open("convnet");
    const Measurement without = m_probe->measure(wish);
    const Measurement m = probe.measure(wish);
    QVERIFY(m.steady.allocated >= without.steady.allocated);
    QVERIFY(m.steady.reserved >= without.steady.reserved);
    for (Category c : {Category::Weights, Category::Buffers}) QCOMPARE(categoryOf(m, c), categoryOf(without, c));
    QCOMPARE(sumOf(m, &LayerUse::saved), sumOf(without, &LayerUse::saved));
    // Workspaces are given back within the layer that asks for them.
    QVERIFY(sumOf(m, &LayerUse::forwardTemporary) + sumOf(m, &LayerUse::backwardTemporary) >
            sumOf(without, &LayerUse::forwardTemporary) + sumOf(without, &LayerUse::backwardTemporary));
}

void TestProbeSettings::cublasWorkspaceFollowsTheCard() {
    const auto workspace = [](const char* card) {
        ProbeProcess probe({"--gpu", card, "--workspace", "none"});
        probe.open("mlp");
        return categoryOf(probe.measure({{"batch", 4}}), Category::Workspace).count;
    };
    QCOMPARE(workspace("a100-80gb"), 8519680);
    QCOMPARE(workspace("h100"), 32 << 20);
}

QTEST_GUILESS_MAIN(TestProbeSettings)
#include "tst_settings.moc"
