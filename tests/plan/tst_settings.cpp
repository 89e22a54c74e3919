// SPDX-License-Identifier: Apache-2.0
#include "engine/plan/settings.h"

#include <nlohmann/json.hpp>

#include <QTest>

using namespace tidemark;
using nlohmann::json;

namespace {

/// Differs from the default in every field.
Settings unusual() {
    Settings s;
    s.batch = 7;
    s.inputs = {parseInputSpec("ids=int64[B,S]").value(), parseInputSpec("float16[B,3,224,224]").value()};
    s.axes = {{"S", 128}};
    s.mode = StepMode::TrainAndEval;
    s.precision = Precision::AmpFp16;
    s.matmulTf32 = true;
    s.cudnnTf32 = false;
    s.gradScaler = GradScalerUse::Off;
    s.optimizer = {OptimizerKind::Custom, OptimizerImpl::ForLoop, true, true, 1.5};
    s.accumulate = 4;
    s.checkpoint = {CheckpointMode::Layers, 0, {"layer1.0", "layer2"}};
    s.loss = LossKind::Mse;
    s.channelsLast = true;
    s.zeroGradToNone = false;
    s.clipGradNorm = true;
    s.ema = true;
    s.frozen = {"layer1"};
    s.workspace = WorkspaceSource::Estimate;
    s.cudnnBenchmark = true;
    s.cudnnDeterministic = true;
    s.allocator = {true, 128, 0.8, 4};
    s.iterations = 5;
    return s;
}

}  // namespace

class TestSettings : public QObject {
    Q_OBJECT
private slots:
    void jsonKeepsEverySetting();
    void missingFieldsKeepTheirDefault();
    void optimizerMayBeAName();
    void wrongJsonNamesTheField_data();
    void wrongJsonNamesTheField();
    void inputsReadBack_data();
    void inputsReadBack();
    void wrongInputIsRefusedWithItsPart_data();
    void wrongInputIsRefusedWithItsPart();
    void unknownNamesListTheKnownOnes();
    void checkpointTextReadsBack_data();
    void checkpointTextReadsBack();
    void wrongCheckpointTextIsRefused_data();
    void wrongCheckpointTextIsRefused();
    void allocatorSettingsBecomeTheEnvironment();
    void defaultSettingsAreValid();
    void assignmentsChangeOneSetting_data();
    void assignmentsChangeOneSetting();
    void wrongAssignmentsAreRefused_data();
    void wrongAssignmentsAreRefused();
    void axisHasOneSizeWhereverItIsNamed();
    void violationsAreNamed_data();
    void violationsAreNamed();
};

void TestSettings::jsonKeepsEverySetting() {
    const auto back = settingsFromJson(json::parse(toJson(unusual()).dump()));
    QVERIFY(back.ok());
    QVERIFY(back.value() == unusual());
    const auto plain = settingsFromJson(toJson(Settings{}));
    QVERIFY(plain.ok() && plain.value() == Settings{});
}

void TestSettings::missingFieldsKeepTheirDefault() {
    const auto read = settingsFromJson(json::parse(R"({"batch": 4})"));
    QVERIFY(read.ok());
    Settings expected;
    expected.batch = 4;
    QVERIFY(read.value() == expected);
}

void TestSettings::optimizerMayBeAName() {
    const auto read = settingsFromJson(json::parse(R"({"optimizer": "momentum"})"));
    QVERIFY(read.ok());
    QVERIFY(read->optimizer.kind == OptimizerKind::Momentum);
}

void TestSettings::wrongJsonNamesTheField_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("part");
    QTest::newRow("no object") << "[1]" << "JSON object";
    QTest::newRow("text for a number") << R"({"batch": "many"})" << "\"batch\"";
    QTest::newRow("fraction for a count") << R"({"batch": 2.5})" << "\"batch\"";
    QTest::newRow("too large") << R"({"batch": 99999999999999999999})" << "\"batch\"";
    QTest::newRow("unknown field") << R"({"bacth": 2})" << "\"bacth\"";
    QTest::newRow("unknown nested field") << R"({"optimizer": {"lr": 0.1}})" << "\"optimizer.lr\"";
    QTest::newRow("unknown precision") << R"({"precision": "fp8"})" << "fp8";
    QTest::newRow("wrong input") << R"({"inputs": ["float32"]})" << "float32";
    QTest::newRow("axes with a text") << R"({"axes": {"S": "long"}})" << "\"axes\"";
    QTest::newRow("allocator that is a text") << R"({"allocator": "x"})" << "allocator";
}

void TestSettings::wrongJsonNamesTheField() {
    QFETCH(QString, text);
    QFETCH(QString, part);
    const auto read = settingsFromJson(json::parse(text.toStdString()));
    QVERIFY(!read.ok());
    QVERIFY2(QString::fromStdString(read.error().message.english()).contains(part), read.error().message.english().c_str());
}

void TestSettings::inputsReadBack_data() {
    QTest::addColumn<QString>("text");
    for (const char* text : {"float32[B,3,224,224]", "ids=int64[B,S]", "bool[]", "mask=bfloat16[1]"})
        QTest::newRow(text) << text;
}

void TestSettings::inputsReadBack() {
    QFETCH(QString, text);
    const auto spec = parseInputSpec(text.toStdString());
    QVERIFY(spec.ok());
    QCOMPARE(QString::fromStdString(formatInputSpec(spec.value())), text);
    const auto spaced = parseInputSpec((" " + QString(text).replace(",", " , ") + " ").toStdString());
    QVERIFY(spaced.ok() && spaced.value() == spec.value());
}

void TestSettings::wrongInputIsRefusedWithItsPart_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("part");
    QTest::newRow("empty") << "" << "brackets";
    QTest::newRow("no brackets") << "float32" << "brackets";
    QTest::newRow("unclosed") << "float32[B" << "brackets";
    QTest::newRow("unknown type") << "float33[B]" << "float33";
    QTest::newRow("empty dimension") << "float32[B,,3]" << "empty";
    QTest::newRow("trailing comma") << "float32[B,]" << "empty";
    QTest::newRow("zero") << "float32[0]" << "positive";
    QTest::newRow("half a number") << "float32[3x]" << "3x";
    QTest::newRow("bad name") << "1x=float32[B]" << "1x";
}

void TestSettings::wrongInputIsRefusedWithItsPart() {
    QFETCH(QString, text);
    QFETCH(QString, part);
    const auto spec = parseInputSpec(text.toStdString());
    QVERIFY(!spec.ok());
    QVERIFY(spec.error().code == ErrorCode::InputInvalid);
    QVERIFY2(QString::fromStdString(spec.error().message.english()).contains(part), spec.error().message.english().c_str());
}

void TestSettings::unknownNamesListTheKnownOnes() {
    const auto precision = precisionFromName("half");
    QVERIFY(!precision.ok());
    for (const char* known : {"fp32", "amp-fp16", "amp-bf16", "fp16", "bf16"}) {
        QVERIFY(QString::fromStdString(precision.error().message.english()).contains(known));
        QCOMPARE(nameOf(precisionFromName(known).value()), std::string_view(known));
    }
    QVERIFY(!optimizerFromName("lion").ok());
    QVERIFY(!stepModeFromName("").ok());
}

void TestSettings::checkpointTextReadsBack_data() {
    QTest::addColumn<QString>("text");
    for (const char* text : {"none", "all", "3", "every:2", "layers:layer1.0,layer2"}) QTest::newRow(text) << text;
}

void TestSettings::checkpointTextReadsBack() {
    QFETCH(QString, text);
    const auto checkpoint = checkpointFromText(text.toStdString());
    QVERIFY(checkpoint.ok());
    QCOMPARE(QString::fromStdString(checkpointText(checkpoint.value())), text);
}

void TestSettings::wrongCheckpointTextIsRefused_data() {
    QTest::addColumn<QString>("text");
    for (const char* text : {"some", "-1", "every:0", "every:", "layers:", "3.5", ""}) QTest::newRow(text) << text;
}

void TestSettings::wrongCheckpointTextIsRefused() {
    QFETCH(QString, text);
    QVERIFY(!checkpointFromText(text.toStdString()).ok());
}

void TestSettings::allocatorSettingsBecomeTheEnvironment() {
    QCOMPARE(AllocatorSettings{}.toEnvironment(), std::string());
    QCOMPARE(unusual().allocator.toEnvironment(),
             std::string("expandable_segments:True,max_split_size_mb:128,garbage_collection_threshold:0.8,"
                         "roundup_power2_divisions:4"));
}

void TestSettings::defaultSettingsAreValid() {
    QVERIFY(validated(Settings{}).ok());
    QVERIFY(validated(unusual()).ok());
}

void TestSettings::axisHasOneSizeWhereverItIsNamed() {
    const json text{{"inputs", {"float32[B,3,S=64,S]", "mask=bool[B,S]"}}};
    const auto valid = validated(settingsFromJson(text).value());
    QVERIFY(valid.ok());
    QCOMPARE(valid->inputs[0].shape[3].size, std::int64_t(64));
    QCOMPARE(valid->inputs[1].shape[1].size, std::int64_t(64));
}

void TestSettings::violationsAreNamed_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("part");
    QTest::newRow("no batch") << R"({"batch": 0})" << "batch";
    QTest::newRow("no accumulation") << R"({"accumulate": 0})" << "micro-batch";
    QTest::newRow("one iteration") << R"({"iterations": 1})" << "iterations";
    QTest::newRow("too many iterations") << R"({"iterations": 101})" << "iterations";
    QTest::newRow("empty axis") << R"({"axes": {"S": 0}})" << "axis S";
    QTest::newRow("axis of two sizes") << R"({"inputs": ["float32[B,S=8,S=9]"]})" << "axis S has two sizes, 8 and 9";
    QTest::newRow("axis without a size") << R"({"inputs": ["int64[B,S]"]})" << "axis S";
    QTest::newRow("divisions") << R"({"allocator": {"roundup_power2_divisions": 3}})" << "power of two";
    QTest::newRow("threshold") << R"({"allocator": {"garbage_collection_threshold": 1.0}})" << "threshold";
}

void TestSettings::violationsAreNamed() {
    QFETCH(QString, text);
    QFETCH(QString, part);
    const auto read = settingsFromJson(json::parse(text.toStdString()));
    QVERIFY(read.ok());
    const auto valid = validated(read.value());
    QVERIFY(!valid.ok());
    QVERIFY(valid.error().code == ErrorCode::SettingInvalid);
    QVERIFY2(QString::fromStdString(valid.error().message.english()).contains(part), valid.error().message.english().c_str());
}

void TestSettings::assignmentsChangeOneSetting_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("patch");
    QTest::newRow("number") << "batch=64" << R"({"batch": 64})";
    QTest::newRow("name") << "precision=amp-bf16" << R"({"precision": "amp-bf16"})";
    QTest::newRow("flag") << "channels-last=true" << R"({"channels_last": true})";
    QTest::newRow("optimizer keeps its other fields") << "optimizer=adam" << R"({"optimizer": {"kind": "adam"}})";
    QTest::newRow("nested") << "optimizer.impl=fused" << R"({"optimizer": {"impl": "fused"}})";
    QTest::newRow("count of blocks") << "checkpoint=3" << R"({"checkpoint": "3"})";
    QTest::newRow("axis") << "axes.S=512" << R"({"axes": {"S": 512}})";
    QTest::newRow("input") << "inputs=float32[B,3]" << R"({"inputs": ["float32[B,3]"]})";
    QTest::newRow("allocator") << "allocator.expandable-segments=true" << R"({"allocator": {"expandable_segments": true}})";
}

void TestSettings::assignmentsChangeOneSetting() {
    QFETCH(QString, text);
    QFETCH(QString, patch);
    json expected = toJson(Settings{});
    expected.merge_patch(json::parse(patch.toStdString()));
    const auto changed = withSetting(Settings{}, text.toStdString());
    QVERIFY2(changed.ok(), changed.ok() ? "" : changed.error().message.english().c_str());
    QVERIFY(changed.value() == settingsFromJson(expected).value());
    QVERIFY(!(changed.value() == Settings{}));
}

void TestSettings::wrongAssignmentsAreRefused_data() {
    QTest::addColumn<QString>("text");
    for (const char* text : {"batch", "=3", "batch=many", "bacth=3", "batch.x=3", "optimiser.kind=adam", "frozen.9=x", ""})
        QTest::newRow(text) << text;
}

void TestSettings::wrongAssignmentsAreRefused() {
    QFETCH(QString, text);
    const auto changed = withSetting(Settings{}, text.toStdString());
    QVERIFY(!changed.ok());
    QVERIFY(changed.error().code == ErrorCode::SettingInvalid);
}

QTEST_APPLESS_MAIN(TestSettings)
#include "tst_settings.moc"
