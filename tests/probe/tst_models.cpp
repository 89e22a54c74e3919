// SPDX-License-Identifier: Apache-2.0
// Kinds of models: what opening tells of them, and that their step runs as it should.
#include "tests/probe/probeprocess.h"

#include <QTest>

#include <algorithm>

using namespace tidemark;
using namespace tidemark::testing;
using nlohmann::json;

namespace {

const json kSmall{{"batch", 4}};

std::string inputsOf(const ModelInfo& model) {
    std::string text;
    for (const InputSpec& spec : model.inputs) text += (text.empty() ? "" : " ") + formatInputSpec(spec);
    return text;
}

}  // namespace

class TestProbeModels : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { m_probe = std::make_unique<ProbeProcess>(); }
    void cleanupTestCase() { m_probe.reset(); }

    void inputIsTracedOrGuessedOrAskedFor_data();
    void inputIsTracedOrGuessedOrAskedFor();
    void modelsWithoutAnInputAskForOne();
    void layersAreListedInPreOrder();
    void repeatedBlocksAreFound();
    void parametersAreCountedAsPythonCountsThem_data();
    void parametersAreCountedAsPythonCountsThem();
    void frozenInTheFileIsNotTrainable();
    void weightlessFilesTakeWhatFullOnesTake_data();
    void weightlessFilesTakeWhatFullOnesTake();
    void weightsLargerThanTheFileTakeTheirFullSize();
    void tiedWeightsAreThereOnce();
    void constantsOfATraceLieOnTheDevice();
    void everyKindOfResultIsTrained_data();
    void everyKindOfResultIsTrained();
    void integerResultsCanOnlyBeInferred();
    void severalInputsGoToTheirArguments();
    void namedAxesGiveTheirSize();
    void recurrentLayersTrain_data();
    void recurrentLayersTrain();
    void deviceReadsNameTheirLayer();
    void modelsThatReadNothingCountNothing();
    void unusedParametersGetNoGradientAndNoState();
    void repeatedCallsAreCountedAtOneLayer();
    void errorsOfTheModelNameTheLayer();
    void dropoutKeepsItsMaskOnlyInTraining();
    void batchNormalisationHasBuffers();

private:
    std::unique_ptr<ProbeProcess> m_probe;
};

void TestProbeModels::inputIsTracedOrGuessedOrAskedFor_data() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<QString>("inputs");
    QTest::addColumn<InputSource>("source");
    const auto row = [](const char* name, const char* inputs, InputSource source) {
        QTest::newRow(name) << name << inputs << source;
    };
    row("mlp", "float32[B,256]", InputSource::FirstLayer);
    row("convnet", "float32[B,3,224,224]", InputSource::FirstLayer);
    row("half", "float16[B,256]", InputSource::FirstLayer);
    row("tied", "int64[B,128]", InputSource::FirstLayer);
    row("traced", "int64[B,16]", InputSource::TracedInputs);
    row("several", "", InputSource::None);
    row("noweights", "", InputSource::None);
    row("volume", "", InputSource::None);
}

void TestProbeModels::inputIsTracedOrGuessedOrAskedFor() {
    QFETCH(QString, name);
    QFETCH(QString, inputs);
    QFETCH(InputSource, source);
    const ModelInfo model = m_probe->open(name.toStdString());
    QCOMPARE(QString::fromStdString(inputsOf(model)), inputs);
    QCOMPARE(model.inputSource, source);
    QCOMPARE(model.traced, name == "traced");
    QCOMPARE(model.inputQuestion.empty(), source != InputSource::None);
}

void TestProbeModels::modelsWithoutAnInputAskForOne() {
    const ModelInfo model = m_probe->open("several");
    for (const char* argument : {"tokens", "mask"}) QVERIFY(model.inputQuestion.english().find(argument) != std::string::npos);
    const json answer = m_probe->measureAnswer(kSmall);
    QCOMPARE(errorCode(answer), QString("input_needed"));
    QCOMPARE(errorMessage(answer), QString::fromStdString(model.inputQuestion.english()));
    QVERIFY(m_probe->open("normed").inputQuestion.english().ends_with("for example float32[B,2,1000]."));
    QVERIFY(m_probe->open("volume").inputQuestion.english().ends_with("for example float32[B,2,16,112,112]."));
}

void TestProbeModels::layersAreListedInPreOrder() {
    const ModelInfo model = m_probe->open("transformer");
    QCOMPARE(model.name, std::string("Transformer"));
    QCOMPARE(model.layers[0].parent, -1);
    for (std::size_t i = 1; i < model.layers.size(); ++i) {
        const LayerInfo& layer = model.layers[i];
        QVERIFY(layer.parent >= 0 && layer.parent < static_cast<int>(i));
        const std::string& above = model.layers[static_cast<std::size_t>(layer.parent)].path;
        QCOMPARE(layer.path, above.empty() ? layer.name : above + "." + layer.name);
    }
    QCOMPARE(model.layers[static_cast<std::size_t>(model.indexOf("blocks.2.attention.qkv"))].type,
             std::string("Linear"));
}

void TestProbeModels::repeatedBlocksAreFound() {
    const ModelInfo model = m_probe->open("transformer");
    QCOMPARE(model.blocks.size(), std::size_t(1));
    QCOMPARE(model.blocks[0].type, std::string("Block"));
    QCOMPARE(model.blockPaths(), (std::vector<std::string>{"blocks.0", "blocks.1", "blocks.2", "blocks.3"}));
    QVERIFY(m_probe->open("convnet").blocks.empty());
}

void TestProbeModels::parametersAreCountedAsPythonCountsThem_data() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<qint64>("parameters");
    QTest::addColumn<qint64>("bufferBytes");
    QTest::newRow("mlp") << "mlp" << qint64(257 * 512 + 513 * 512 + 513 * 256) << qint64(0);
    QTest::newRow("convnet") << "convnet" << qint64(27 * 32 + 64 + 288 * 64 + 128 + 65 * 128)
                             << qint64(2 * (32 + 64) * 4 + 2 * 8);
    QTest::newRow("tied") << "tied" << qint64(1024 * 64 + 65 * 64) << qint64(0);
    QTest::newRow("tied-weightless") << "tied-weightless" << qint64(1024 * 64 + 65 * 64) << qint64(0);
    QTest::newRow("wide") << "wide" << qint64(8192) * 8192 << qint64(0);
    QTest::newRow("unused") << "unused" << qint64(2 * 257 * 256) << qint64(0);
    QTest::newRow("lstm") << "lstm"
                          << qint64(512 * 64 + 4 * 128 * (64 + 128 + 2) + 4 * 128 * (128 + 128 + 2) + 129 * 128)
                          << qint64(0);
}

void TestProbeModels::parametersAreCountedAsPythonCountsThem() {
    QFETCH(QString, name);
    QFETCH(qint64, parameters);
    QFETCH(qint64, bufferBytes);
    const ModelInfo model = m_probe->open(name.toStdString());
    QCOMPARE(model.parameterCount(), parameters);
    QCOMPARE(model.trainableCount(), parameters);
    QCOMPARE(model.weightBytes().count, 4 * parameters);
    QCOMPARE(model.bufferBytes().count, bufferBytes);
}

void TestProbeModels::frozenInTheFileIsNotTrainable() {
    const ModelInfo model = m_probe->open("frozen");
    QCOMPARE(model.parameterCount() - model.trainableCount(), std::int64_t(257 * 512));
    const Measurement m = m_probe->measure(kSmall);
    QCOMPARE(rowOf(m, model, "0").gradients.count, 0);
    QCOMPARE(rowOf(m, model, "0").optimizerState.count, 0);
    QCOMPARE(rowOf(m, model, "2").gradients.count, 513 * 512 * 4);
}

void TestProbeModels::weightlessFilesTakeWhatFullOnesTake_data() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<QString>("settings");
    for (const char* name : {"mlp", "convnet", "tied", "transformer"})
        for (const char* settings : {R"({"batch":4})", R"({"batch":4,"precision":"amp-bf16","accumulate":2})",
                                     R"({"batch":4,"mode":"infer","precision":"bf16"})"})
            QTest::addRow("%s %s", name, settings) << name << settings;
}

void TestProbeModels::weightlessFilesTakeWhatFullOnesTake() {
    QFETCH(QString, name);
    QFETCH(QString, settings);
    const json wish = json::parse(settings.toStdString());
    QVERIFY(!m_probe->open(name.toStdString()).weightless);
    const json full = m_probe->untimed(wish);
    QVERIFY(m_probe->open(name.toStdString() + "-weightless").weightless);
    QVERIFY(m_probe->untimed(wish) == full);
}

void TestProbeModels::weightsLargerThanTheFileTakeTheirFullSize() {
    const ModelInfo model = m_probe->open("wide");
    QVERIFY(model.weightless);
    const Measurement m = m_probe->measure(kSmall);
    QCOMPARE(m.categories[Category::Weights], Bytes{8192} * 8192 * 4);
}

void TestProbeModels::tiedWeightsAreThereOnce() {
    const ModelInfo model = m_probe->open("tied");
    const Measurement m = m_probe->measure(kSmall);
    QCOMPARE(m.baseline.count, 1024 * 64 * 4 + 64 * 64 * 4 + 512);
    QCOMPARE(m.categories[Category::Weights], m.baseline);
    QCOMPARE(rowOf(m, model, "embedding").gradients.count, 1024 * 64 * 4);
    QCOMPARE(rowOf(m, model, "embedding").optimizerState.count, 2 * 1024 * 64 * 4);
    QCOMPARE(rowOf(m, model, "head").gradients.count, 0);
    QCOMPARE(rowOf(m, model, "head").optimizerState.count, 0);
}

void TestProbeModels::constantsOfATraceLieOnTheDevice() {
    const ModelInfo model = m_probe->open("traced");
    const Measurement m = m_probe->measure(kSmall);
    QCOMPARE(m.deviceReads, 0);
    QVERIFY(rowOf(m, model, "positions").gradients.count == 128 * 64 * 4);
    // The trace was made with two examples of 16 tokens; another batch must not be bound to that.
    QCOMPARE(rowOf(m_probe->measure({{"batch", 7}}), model, "tokens").output, std::string("float32[7, 16, 64]"));
}

void TestProbeModels::everyKindOfResultIsTrained_data() {
    QTest::addColumn<QString>("name");
    for (const char* name : {"dict", "tuple", "list"}) QTest::newRow(name) << name;
}

void TestProbeModels::everyKindOfResultIsTrained() {
    QFETCH(QString, name);
    const ModelInfo model = m_probe->open(name.toStdString());
    const Measurement m = m_probe->measure(kSmall);
    QCOMPARE(rowOf(m, model, "body").gradients.count, 257 * 512 * 4);
    QCOMPARE(rowOf(m, model, "head").gradients.count, 513 * 256 * 4);
    QCOMPARE(m.layers[0].output, std::string("float32[4, 256]"));
}

void TestProbeModels::integerResultsCanOnlyBeInferred() {
    m_probe->open("integer");
    const json answer = m_probe->measureAnswer(kSmall);
    QCOMPARE(textOf(answer["ok"]), textOf(false));
    QVERIFY(errorMessage(answer).contains("infer"));
    QCOMPARE(m_probe->measure({{"batch", 4}, {"mode", "infer"}}).layers[0].output, std::string("int64[4]"));
}

void TestProbeModels::severalInputsGoToTheirArguments() {
    const ModelInfo model = m_probe->open("several");
    const auto inputs = [&](const std::vector<std::string>& specs) {
        return m_probe->measure(with(kSmall, {{"inputs", specs}}));
    };
    const Measurement byPosition = inputs({"int64[B,16]", "float32[B,16]"});
    const Measurement byName = inputs({"mask=float32[B,16]", "tokens=int64[B,16]"});
    QCOMPARE(byName.steady.allocated, byPosition.steady.allocated);
    QCOMPARE(rowOf(byName, model, "embedding").output, std::string("float32[4, 16, 64]"));
    // The optional third one scales once more.
    const Measurement scaled = inputs({"int64[B,16]", "float32[B,16]", "scale=float32[B,16]"});
    QCOMPARE((scaled.categories[Category::Input] - byPosition.categories[Category::Input]).count, 512);
    QVERIFY(scaled.layers[0].forwardTemporary > byPosition.layers[0].forwardTemporary);
}

void TestProbeModels::namedAxesGiveTheirSize() {
    const ModelInfo model = m_probe->open("transformer");
    const json wish{{"batch", 2}, {"inputs", {"int64[B,S]"}}};
    const Measurement m = m_probe->measure(with(wish, {{"axes", {{"S", 48}}}}));
    QCOMPARE(m.layers[0].output, std::string("float32[2, 48, 256]"));
    QVERIFY(m_probe->measure(with(wish, {{"axes", {{"S", 96}}}})).steady.allocated > m.steady.allocated);
    QVERIFY(!errorCode(m_probe->measureAnswer(wish)).isEmpty());
}

void TestProbeModels::recurrentLayersTrain_data() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<int>("gates");
    QTest::newRow("lstm") << "lstm" << 4;
    QTest::newRow("gru") << "gru" << 3;
    QTest::newRow("lstmWithDropout") << "lstm-dropout" << 4;
}

void TestProbeModels::recurrentLayersTrain() {
    QFETCH(QString, name);
    QFETCH(int, gates);
    const ModelInfo model = m_probe->open(name.toStdString());
    const Measurement m = m_probe->measure(kSmall);
    QCOMPARE(m.layers[0].output, std::string("float32[4, 128]"));
    const std::int64_t weights = gates * 128 * (64 + 128 + 2 + 128 + 128 + 2) * 4;
    QVERIFY2(rowOf(m, model, "recurrent").gradients.count >= weights,
             qPrintable(QString::number(rowOf(m, model, "recurrent").gradients.count)));
    QCOMPARE(rowOf(m, model, "recurrent").optimizerState.count, 2 * weights);
    QCOMPARE(m.categories.total(), m.steady.allocated);
    QCOMPARE(m.deviceReads, 0);
}

void TestProbeModels::deviceReadsNameTheirLayer() {
    const ModelInfo model = m_probe->open("reads");
    const Measurement m = m_probe->measure(kSmall);
    std::map<std::string, std::int64_t> reads;
    for (const NamedCount& read : m.deviceReadLayers) reads[read.name] = read.count;
    QCOMPARE(reads.size(), std::size_t(2));
    QCOMPARE(reads["peek"], 1);
    QVERIFY(reads["pick"] >= 1);
    QCOMPARE(m.deviceReads, reads["peek"] + reads["pick"]);
    QCOMPARE(rowOf(m, model, "peek").deviceReads, 1);
    QCOMPARE(rowOf(m, model, "body").deviceReads, 0);
    // Each micro-batch reads for itself.
    QCOMPARE(m_probe->measure(with(kSmall, {{"accumulate", 3}})).deviceReads, 3 * m.deviceReads);
}

void TestProbeModels::modelsThatReadNothingCountNothing() {
    for (const char* name : {"mlp", "convnet", "transformer"}) {
        m_probe->open(name);
        const Measurement m = m_probe->measure(kSmall);
        QCOMPARE(m.deviceReads, 0);
        QVERIFY(m.deviceReadLayers.empty());
        QVERIFY(m.unmodelledCalls.empty());
    }
    // A gradient scaler asks for its flag before every step of the optimizer.
    const Measurement scaled = m_probe->measure(with(kSmall, {{"precision", "amp-fp16"}}));
    QCOMPARE(scaled.deviceReads, 1);
    QVERIFY(scaled.deviceReadLayers.at(0).name.find("outside") != std::string::npos);
}

void TestProbeModels::unusedParametersGetNoGradientAndNoState() {
    const ModelInfo model = m_probe->open("unused");
    const Measurement m = m_probe->measure(kSmall);
    QCOMPARE(rowOf(m, model, "used").gradients.count, 257 * 256 * 4);
    QCOMPARE(rowOf(m, model, "used").optimizerState.count, 2 * 257 * 256 * 4);
    for (const auto column : {&LayerUse::gradients, &LayerUse::optimizerState})
        QCOMPARE((rowOf(m, model, "spare").*column).count, 0);
    QCOMPARE(rowOf(m, model, "spare").calls, 0);
    QCOMPARE(rowOf(m, model, "spare").liveAtPeak.count, 257 * 256 * 4);
}

void TestProbeModels::repeatedCallsAreCountedAtOneLayer() {
    const ModelInfo model = m_probe->open("repeated");
    const Measurement m = m_probe->measure(kSmall);
    QCOMPARE(rowOf(m, model, "again").calls, 3);
    QCOMPARE(rowOf(m, model, "again").gradients.count, 257 * 256 * 4);
    QCOMPARE(rowOf(m, model, "again").multiplyAccumulates, 3 * 4 * 256 * 256);
    QCOMPARE(rowOf(m_probe->measure(with(kSmall, {{"accumulate", 2}})), model, "again").calls, 3);
}

void TestProbeModels::errorsOfTheModelNameTheLayer() {
    m_probe->open("raises");
    m_probe->measure(kSmall);
    const json answer = m_probe->measureAnswer({{"batch", 5}});
    QCOMPARE(errorCode(answer), QString("step_failed"));
    QVERIFY2(errorMessage(answer).contains("no more than four at a time"), qPrintable(errorMessage(answer)));
    QVERIFY2(errorMessage(answer).contains("picky"), qPrintable(errorMessage(answer)));
    m_probe->measure(kSmall);
}

void TestProbeModels::dropoutKeepsItsMaskOnlyInTraining() {
    const ModelInfo model = m_probe->open("dropout");
    const Measurement m = m_probe->measure({{"batch", 256}});
    // What it returns and one byte an element that says what is kept.
    QCOMPARE(rowOf(m, model, "1").saved.count, 256 * 512 * 4 + 256 * 512);
    const Measurement inferred = m_probe->measure({{"batch", 256}, {"mode", "infer"}});
    QCOMPARE(rowOf(inferred, model, "1").saved.count, 0);
    QCOMPARE(rowOf(inferred, model, "1").forwardTemporary.count, 0);
}

void TestProbeModels::batchNormalisationHasBuffers() {
    const ModelInfo model = m_probe->open("convnet");
    const Measurement m = m_probe->measure({{"batch", 4}, {"inputs", {"float32[B,3,64,64]"}}});
    // Running mean and variance of two layers and their counters, each in a block of its own.
    QCOMPARE(m.categories[Category::Buffers].count, 6 * 512);
    QCOMPARE(rowOf(m, model, "0").output, std::string("float32[4, 32, 32, 32]"));
    // Mean and inverse deviation of the batch are kept for backward.
    QCOMPARE(rowOf(m, model, "1").saved.count - rowOf(m, model, "0").saved.count, -4 * 32 * 32 * 32 * 4 + 2 * 512);
}

QTEST_GUILESS_MAIN(TestProbeModels)
#include "tst_models.moc"
