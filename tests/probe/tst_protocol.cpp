// SPDX-License-Identifier: Apache-2.0
// The conversation: whatever a line holds, there is one answer to it, and the process lives on.
#include "tests/probe/probeprocess.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

using namespace tidemark;
using namespace tidemark::testing;
using nlohmann::json;

namespace {

const json kSmall{{"batch", 2}};

}  // namespace

class TestProbeProtocol : public QObject {
    Q_OBJECT
private slots:
    void helloDescribesTheCardAskedFor();
    void unknownCardEndsTheProcessWithAFailure();
    void linesThatAreNoRequestGetAnErrorAnswer_data();
    void linesThatAreNoRequestGetAnErrorAnswer();
    void settingsThatAreNoneGetAnErrorAnswer_data();
    void settingsThatAreNoneGetAnErrorAnswer();
    void trainingNothingIsSaid();
    void measuringNeedsAModel();
    void failedOpeningLeavesNoModel();
    void missingFileIsNamed();
    void operatorsOfOtherLibrariesAreNamed();
    void everyIdComesBack();
    void sameRequestGivesTheSameNumbers();
    void otherSettingsBetweenChangeNothing_data();
    void otherSettingsBetweenChangeNothing();
    void anotherModelTakesTheFirstOnesPlace();
    void recurrentDropoutIsReportedAtTheNextOpening();
    void endOfInputEndsTheProcess();
};

void TestProbeProtocol::helloDescribesTheCardAskedFor() {
    ProbeProcess probe({"--gpu", "t4", "--memory", "1073741824", "--workspace", "none"});
    const json hello = probe.ask({{"op", "hello"}});
    QCOMPARE(textOf(hello["ok"]), textOf(true));
    QCOMPARE(textOf(hello["protocol"]), textOf(1));
    QVERIFY(hello["torch_version"].get<std::string>().starts_with("2."));
    QVERIFY(hello["cudnn_version"].get<int>() >= 90000);
    QCOMPARE(textOf(hello["workspace"]), textOf("none"));
    QCOMPARE(textOf(hello["device"]["capability"]), textOf("7.5"));
    QCOMPARE(textOf(hello["device"]["memory"]), textOf(1 << 30));
    QCOMPARE(textOf(hello["device"]["real"]), textOf(false));
    QVERIFY(hello["device"]["name"].get<std::string>().find("T4") != std::string::npos);
}

void TestProbeProtocol::unknownCardEndsTheProcessWithAFailure() {
    ProbeProcess probe({"--gpu", "a card that nobody makes"});
    QVERIFY(probe.finish() > 0);
}

void TestProbeProtocol::linesThatAreNoRequestGetAnErrorAnswer_data() {
    QTest::addColumn<QByteArray>("line");
    QTest::newRow("noJson") << QByteArray("open the model please");
    QTest::newRow("halfAnObject") << QByteArray(R"({"id":1,"op":)");
    QTest::newRow("list") << QByteArray("[1,2,3]");
    QTest::newRow("number") << QByteArray("42");
    QTest::newRow("emptyObject") << QByteArray("{}");
    QTest::newRow("unknownOp") << QByteArray(R"({"id":1,"op":"dance"})");
    QTest::newRow("opIsANumber") << QByteArray(R"({"id":1,"op":7})");
    QTest::newRow("noPath") << QByteArray(R"({"id":1,"op":"open"})");
    QTest::newRow("pathIsAList") << QByteArray(R"({"id":1,"op":"open","path":["a"]})");
    QTest::newRow("notUtf8") << QByteArray("{\"id\":1,\"op\":\"open\",\"path\":\"\xff\xfe\"}");
    QTest::newRow("brokenPath") << QByteArray(R"({"id":1,"op":"open","path":"\u0000"})");
    QTest::newRow("deepNesting") << QByteArray(100000, '[');
}

void TestProbeProtocol::linesThatAreNoRequestGetAnErrorAnswer() {
    QFETCH(QByteArray, line);
    static ProbeProcess probe;
    const json answer = probe.askLine(line);
    QCOMPARE(textOf(answer["ok"]), textOf(false));
    QVERIFY(!errorCode(answer).isEmpty());
    QVERIFY(!errorMessage(answer).isEmpty());
    QCOMPARE(textOf(probe.ask({{"op", "hello"}})["ok"]), textOf(true));
}

void TestProbeProtocol::settingsThatAreNoneGetAnErrorAnswer_data() {
    QTest::addColumn<QString>("fields");
    QTest::addColumn<QString>("code");
    const auto row = [](const char* fact, const char* fields, const char* code) {
        QTest::newRow(fact) << fields << code;
    };
    row("unknownField", R"({"settings":{"bach":3}})", "setting_invalid");
    row("zeroBatch", R"({"settings":{"batch":0}})", "setting_invalid");
    row("textBatch", R"({"settings":{"batch":"many"}})", "setting_invalid");
    row("frozenLayerThatIsNot", R"({"settings":{"frozen":["nothing"]}})", "setting_invalid");
    row("unknownPrecision", R"({"settings":{"precision":"fp12"}})", "setting_invalid");
    row("unknownOptimizer", R"({"settings":{"optimizer":"sofia"}})", "setting_invalid");
    row("oneIteration", R"({"settings":{"iterations":1}})", "setting_invalid");
    row("settingsAreAList", R"({"settings":[]})", "setting_invalid");
    row("unreadableInput", R"({"settings":{"inputs":["float32[B"]}})", "input_invalid");
    row("unknownDtype", R"({"settings":{"inputs":["float12[B,256]"]}})", "input_invalid");
    row("inputOfTheWrongWidth", R"({"settings":{"inputs":["float32[B,255]"]}})", "step_failed");
    row("oneInputTooMany", R"({"settings":{"inputs":["float32[B,256]","float32[B,256]"]}})", "step_failed");
    row("keywordThatTheModelDoesNotHave", R"({"settings":{"inputs":["nothing=float32[B,256]"]}})", "step_failed");
    row("batchBeyondAllAddresses", R"({"settings":{"batch":4611686018427387904}})", "step_failed");
    row("detailIsANumber", R"({"detail":7})", "");
    row("limitIsText", R"({"memory_limit":"24 GiB"})", "");
    row("fusedRmsProp", R"({"settings":{"optimizer":{"kind":"rmsprop","impl":"fused"}}})", "setting_invalid");
    row("nothingToTrain", R"({"settings":{"frozen":[""]}})", "step_failed");
}

void TestProbeProtocol::settingsThatAreNoneGetAnErrorAnswer() {
    QFETCH(QString, fields);
    QFETCH(QString, code);
    static ProbeProcess probe;
    static const ModelInfo model = probe.open("mlp");
    static const json before = probe.untimed(kSmall);
    const json request = with({{"op", "measure"}}, json::parse(fields.toStdString()));
    const json answer = probe.ask(request);
    if (!code.isEmpty()) QCOMPARE(errorCode(answer), code);
    if (!answer["ok"].get<bool>()) QVERIFY(!errorMessage(answer).isEmpty());
    QVERIFY(probe.untimed(kSmall) == before);
}

void TestProbeProtocol::trainingNothingIsSaid() {
    ProbeProcess probe;
    probe.open("mlp");
    const QString message = errorMessage(probe.measureAnswer({{"frozen", {""}}, {"batch", 2}}));
    QVERIFY2(message.contains("(backward)") && message.contains("Thaw a layer"), qPrintable(message));
    QVERIFY(probe.measureAnswer({{"frozen", {""}}, {"batch", 2}, {"mode", "infer"}})["ok"].get<bool>());
}

void TestProbeProtocol::measuringNeedsAModel() {
    ProbeProcess probe;
    QCOMPARE(errorCode(probe.measureAnswer(kSmall)), QString("setting_invalid"));
}

void TestProbeProtocol::failedOpeningLeavesNoModel() {
    ProbeProcess probe;
    probe.open("mlp");
    QCOMPARE(errorCode(probe.ask({{"op", "open"}, {"path", modelFile("nowhere")}})), QString("file_not_found"));
    QCOMPARE(errorCode(probe.measureAnswer(kSmall)), QString("setting_invalid"));
}

void TestProbeProtocol::missingFileIsNamed() {
    ProbeProcess probe;
    const json answer = probe.ask({{"op", "open"}, {"path", "/no/such/folder/model.pt"}});
    QCOMPARE(errorCode(answer), QString("file_not_found"));
    QVERIFY(errorMessage(answer).contains("/no/such/folder/model.pt"));
    QTemporaryDir folder;
    QCOMPARE(errorCode(probe.ask({{"op", "open"}, {"path", folder.path().toStdString()}})), QString("file_unreadable"));
    QFile empty(folder.filePath("empty.pt"));
    QVERIFY(empty.open(QIODevice::WriteOnly));
    QCOMPARE(errorCode(probe.ask({{"op", "open"}, {"path", empty.fileName().toStdString()}})), QString("file_empty"));
}

void TestProbeProtocol::operatorsOfOtherLibrariesAreNamed() {
    ProbeProcess probe;
    const json answer = probe.ask({{"op", "open"}, {"path", modelFile("foreign")}});
    QCOMPARE(errorCode(answer), QString("model_unsupported"));
    QVERIFY2(errorMessage(answer).contains("elsewhere::twice,"), qPrintable(errorMessage(answer)));
    QVERIFY(errorMessage(answer).startsWith("foreign.pt"));
}

void TestProbeProtocol::everyIdComesBack() {
    ProbeProcess probe;
    for (const json& id : {json(0), json(-3), json(9007199254740993)})
        QCOMPARE(textOf(probe.ask({{"id", id}, {"op", "hello"}})["id"]), textOf(id));
    QCOMPARE(textOf(probe.ask({{"id", 5}, {"op", "dance"}})["id"]), textOf(5));
}

void TestProbeProtocol::sameRequestGivesTheSameNumbers() {
    ProbeProcess probe;
    for (const char* name : {"convnet", "transformer", "dropout"}) {
        probe.open(name);
        const json first = probe.untimed(kSmall);
        QVERIFY(first["steady"]["allocated"].get<std::int64_t>() > 0);
        for (int i = 0; i < 3; ++i) QVERIFY2(probe.untimed(kSmall) == first, name);
    }
}

void TestProbeProtocol::otherSettingsBetweenChangeNothing_data() {
    QTest::addColumn<QString>("settings");
    QTest::addColumn<qint64>("limit");
    const auto row = [](const char* fact, const char* settings, qint64 limit = 0) {
        QTest::newRow(fact) << settings << limit;
    };
    row("largerBatch", R"({"batch":64})");
    row("halfPrecision", R"({"precision":"bf16"})");
    row("autocastWithScaler", R"({"precision":"amp-fp16"})");
    row("checkpointing", R"({"checkpoint":"all"})");
    row("channelsLast", R"({"channels_last":true})");
    row("inference", R"({"mode":"infer"})");
    row("evaluation", R"({"mode":"eval-after-train"})");
    row("frozenLayers", R"({"frozen":["blocks"]})");
    row("keptOutputAndAverages", R"({"keep_output":true,"ema":true})");
    row("otherLengths", R"({"inputs":["int64[B,S]"],"axes":{"S":48}})");
    row("tf32AndBenchmark", R"({"matmul_tf32":true,"cudnn_tf32":false,"cudnn_benchmark":true,"cudnn_deterministic":true})");
    row("rejectedInput", R"({"inputs":["float32[B,3]"]})");
    row("outOfMemoryWhileLoading", "{}", 1 << 20);
    row("outOfMemoryInTheStep", R"({"batch":64})", 200 << 20);
}

void TestProbeProtocol::otherSettingsBetweenChangeNothing() {
    QFETCH(QString, settings);
    QFETCH(qint64, limit);
    static ProbeProcess probe;
    static const ModelInfo model = probe.open("transformer");
    static const json before = probe.untimed(kSmall);
    const json other = probe.measureAnswer(with(kSmall, json::parse(settings.toStdString())), {"layers"}, limit);
    if (limit > 0) QVERIFY(other["measurement"].contains("out_of_memory"));
    const json after = probe.untimed(kSmall);
    for (const auto& [key, value] : before.items())
        QVERIFY2(after[key] == value,
                 qPrintable(QString::fromStdString(key + ": " + after[key].dump().substr(0, 200))));
}

void TestProbeProtocol::anotherModelTakesTheFirstOnesPlace() {
    ProbeProcess probe;
    probe.open("mlp");
    const json alone = probe.untimed(kSmall);
    QCOMPARE(probe.open("transformer").name, std::string("Transformer"));
    const json transformer = probe.untimed(kSmall);
    QVERIFY(transformer["steady"] != alone["steady"]);
    for (const char* name : {"traced", "raises", "wide"}) probe.open(name);
    QCOMPARE(probe.open("mlp").layers.size(), std::size_t(6));
    QVERIFY(probe.untimed(kSmall) == alone);
}

/// LibTorch keeps cuDNN's dropout state until the process ends. The probe says so, and the engine starts another.
void TestProbeProtocol::recurrentDropoutIsReportedAtTheNextOpening() {
    ProbeProcess probe;
    probe.open("mlp");
    const json before = probe.untimed(kSmall);
    QCOMPARE(textOf(probe.ask({{"op", "open"}, {"path", modelFile("mlp")}})["remaining"]), textOf(0));
    probe.open("lstm-dropout");
    const json recurrent = probe.untimed(kSmall);
    QVERIFY(probe.untimed(kSmall) == recurrent);
    const std::int64_t remaining = probe.ask({{"op", "open"}, {"path", modelFile("mlp")}})["remaining"].get<std::int64_t>();
    QVERIFY(remaining > 0);
    const std::int64_t more = probe.untimed(kSmall)["steady"]["allocated"].get<std::int64_t>() - before["steady"]["allocated"].get<std::int64_t>();
    QCOMPARE(more, remaining);
}

void TestProbeProtocol::endOfInputEndsTheProcess() {
    ProbeProcess probe;
    probe.open("mlp");
    probe.measure(kSmall);
    QCOMPARE(probe.finish(), 0);
}

QTEST_GUILESS_MAIN(TestProbeProtocol)
#include "tst_protocol.moc"
