// SPDX-License-Identifier: Apache-2.0
#include "engine/plan/errors.h"
#include "engine/plan/modelinfo.h"
#include "engine/plan/modelsettings.h"

#include <nlohmann/json.hpp>

#include <QTest>

using namespace tidemark;
using nlohmann::json;

namespace {

ModelInfo sample() {
    ModelInfo model;
    model.file = "net.pt";
    model.name = "Net";
    model.traced = true;
    model.weightless = true;
    model.layers = {{"", "Net", "Net", -1, 0, 0, {}, {}},
                    {"body", "body", "Sequential", 0, 0, 0, {}, {}},
                    {"body.0", "0", "Conv2d", 1, 100, 100, Bytes{400}, {}},
                    {"body.1", "1", "BatchNorm2d", 1, 20, 10, Bytes{80}, Bytes{88}}};
    model.blocks = {{"Block", {"body.0", "body.1"}}, {"Other", {"x"}}};
    model.inputs = {parseInputSpec("float32[B,3,8,8]").value()};
    model.inputSource = InputSource::TracedInputs;
    model.inputQuestion = "Which?";
    model.warnings = {"careful"};
    return model;
}

}  // namespace

class TestModelInfo : public QObject {
    Q_OBJECT
private slots:
    void jsonKeepsTheModel();
    void totalsAreSumsOverLayers();
    void pathsThatNoLayerHasAreNamedWithThoseThatAre();
    void brokenAnswersAreRefused_data();
    void brokenAnswersAreRefused();
    void errorsTravelAsJson();
};

void TestModelInfo::jsonKeepsTheModel() {
    const json once = toJson(sample());
    const auto back = modelInfoFromJson(json::parse(once.dump()));
    QVERIFY(back.ok());
    QCOMPARE(toJson(back.value()).dump(), once.dump());
    QVERIFY(back->inputSource == InputSource::TracedInputs);
    QVERIFY(back->inputs == sample().inputs);
    QCOMPARE(back->indexOf("body.1"), 3);
    QCOMPARE(back->indexOf("none"), -1);
}

void TestModelInfo::pathsThatNoLayerHasAreNamedWithThoseThatAre() {
    const auto sentence = [](const char* frozen, const char* checkpointed) {
        Settings settings;
        settings.frozen = {frozen};
        settings.checkpoint = {CheckpointMode::Layers, 0, {"body", checkpointed}};
        const auto problem = problemWith(sample(), settings);
        return problem ? problem->message.english() : std::string();
    };
    QCOMPARE(sentence("body.1", "body.0"), std::string());
    QCOMPARE(sentence("", "body"), std::string());
    QCOMPARE(sentence("head.conv", "body"), std::string("The model has no layer head.conv; those in Net are body."));
    QCOMPARE(sentence("body", "body.7.conv"), std::string("The model has no layer body.7.conv; those in body are 0, 1."));
    QCOMPARE(sentence("body.0.weight", "body"), std::string("The model has no layer body.0.weight; there is none in body.0."));
}

void TestModelInfo::totalsAreSumsOverLayers() {
    QCOMPARE(sample().parameterCount(), std::int64_t(120));
    QCOMPARE(sample().trainableCount(), std::int64_t(110));
    QCOMPARE(sample().weightBytes().count, std::int64_t(480));
    QCOMPARE(sample().bufferBytes().count, std::int64_t(88));
    QCOMPARE(sample().blockPaths(), (std::vector<std::string>{"body.0", "body.1", "x"}));
}

void TestModelInfo::brokenAnswersAreRefused_data() {
    QTest::addColumn<QString>("patch");
    QTest::newRow("no layers") << R"({"layers": null})";
    QTest::newRow("layers are a text") << R"({"layers": "all"})";
    QTest::newRow("layer without a path") << R"({"layers": [{"name": "x"}]})";
    QTest::newRow("no name") << R"({"name": null})";
    QTest::newRow("wrong input") << R"({"inputs": ["float32"]})";
    QTest::newRow("unknown source") << R"({"input_source": "oracle"})";
    QTest::newRow("blocks are a number") << R"({"blocks": 3})";
    QTest::newRow("layer is its own ancestor")
        << R"({"layers": [{"path":"","name":"a","type":"A","parent":0,"parameters":0,"weights":0,"buffers":0}]})";
}

void TestModelInfo::brokenAnswersAreRefused() {
    QFETCH(QString, patch);
    json broken = toJson(sample());
    broken.merge_patch(json::parse(patch.toStdString()));
    const auto read = modelInfoFromJson(broken);
    QVERIFY(!read.ok());
    QVERIFY(!read.error().message.english().empty());
}

void TestModelInfo::errorsTravelAsJson() {
    const Error error{ErrorCode::NotTorchScript, "It is an ONNX file.", "magic 08"};
    const Error back = errorFromJson(toJson(error));
    QVERIFY(back.code == error.code);
    QCOMPARE(back.message, error.message);
    QCOMPARE(back.detail, error.detail);
    QVERIFY(errorFromJson(json("what")).code == ErrorCode::Internal);
    for (int i = 0; i <= static_cast<int>(ErrorCode::Internal); ++i)
        QVERIFY(errorCodeFromKey(keyOf(static_cast<ErrorCode>(i))) == static_cast<ErrorCode>(i));
}

QTEST_APPLESS_MAIN(TestModelInfo)
#include "tst_modelinfo.moc"
