// SPDX-License-Identifier: Apache-2.0
#include "engine/plan/rulesofthumb.h"

#include <QTest>

using namespace tidemark;

namespace {

/// conv (called once), a ReLU called twice, a block with a parameter of its own and a linear layer in it.
struct Net {
    ModelInfo model;
    Measurement measurement;

    Net() {
        model.inputs = {parseInputSpec("float32[B,3,8,8]").value()};
        add("", "Net", -1, 0, "float32[4, 10]", 1);
        add("conv", "Conv2d", 0, 224, "float32[4, 8, 8, 8]", 1);
        add("relu", "ReLU", 0, 0, "float32[4, 8, 8, 8]", 2);
        add("seq", "Sequential", 0, 0, "float32[4, 10]", 1);
        add("seq.0", "Block", 3, 7, "float32[4, 10]", 1);
        add("seq.0.fc", "Linear", 4, 5130, "float32[4, 10]", 1);
        add("unused", "Linear", 0, 99, "", 0);
        measurement.first = measurement.steady = {kMiB, kMiB * 2};
    }

    void add(const char* path, const char* type, int parent, std::int64_t parameters, const char* output, int calls) {
        LayerInfo layer;
        layer.path = path;
        layer.type = type;
        layer.parent = parent;
        layer.parameters = layer.trainable = parameters;
        layer.weights = Bytes{parameters * 4};
        model.layers.push_back(layer);
        LayerUse use;
        use.output = output;
        use.calls = calls;
        measurement.layers.push_back(use);
    }

    Settings settings() const {
        Settings s;
        s.batch = 4;
        return s;
    }
};

}  // namespace

class TestRulesOfThumb : public QObject {
    Q_OBJECT
private slots:
    void torchsummaryCountsEveryCall();
    void torchsummaryRowsAreNumbered();
    void listOfCallsGivesOrderAndShapes();
    void torchsummaryDoesNotDependOnTheBatch();
    void torchsummaryMultipliesSeveralInputs();
    void torchinfoCountsLeavesWithParameters();
    void rulesAreHeldAgainstTheTruth();
    void mixedPrecisionRuleNeedsItsRun();
    void formulaTermsSumToThePeak();
    void dataParallelAddsOneCopyOfTheGradients();
};

void TestRulesOfThumb::torchsummaryCountsEveryCall() {
    const Net net;
    const SummaryFigures f = torchsummaryFigures(net.model, net.settings(), net.measurement);
    QCOMPARE(f.input.count, std::int64_t(3 * 8 * 8 * 4));
    QCOMPARE(f.pass.count, std::int64_t(2 * 4 * (512 * 3 + 10 + 10)));
    QCOMPARE(f.parameterCount, std::int64_t(224 + 5130));
    QCOMPARE(f.total().count, f.input.count + f.pass.count + 4 * (224 + 5130));
}

void TestRulesOfThumb::torchsummaryRowsAreNumbered() {
    const Net net;
    QStringList rows;
    for (const SummaryRow& row : torchsummaryRows(net.model, net.measurement))
        rows << QString("%1 %2 %3").arg(row.name.c_str(), row.output.c_str()).arg(row.parameters);
    QCOMPARE(rows, (QStringList{"Conv2d-1 [-1, 8, 8, 8] 224", "ReLU-2 [-1, 8, 8, 8] 0", "ReLU-3 [-1, 8, 8, 8] 0",
                                "Block-4 [-1, 10] 0", "Linear-5 [-1, 10] 5130"}));
}

void TestRulesOfThumb::listOfCallsGivesOrderAndShapes() {
    Net net;
    net.measurement.moduleCalls = {{1, "float32[4, 8, 8, 8]"}, {2, "float32[4, 8, 8, 8]"}, {5, "float32[4, 10]"},
                                   {2, "float32[4, 10]"},      {4, "float32[4, 10]"},      {3, "float32[4, 10]"},
                                   {0, "float32[4, 10]"}};
    QStringList rows;
    for (const SummaryRow& row : torchsummaryRows(net.model, net.measurement))
        rows << QString("%1 %2").arg(row.name.c_str(), row.output.c_str());
    QCOMPARE(rows, (QStringList{"Conv2d-1 [-1, 8, 8, 8]", "ReLU-2 [-1, 8, 8, 8]", "Linear-3 [-1, 10]", "ReLU-4 [-1, 10]",
                                "Block-5 [-1, 10]"}));
    QCOMPARE(torchsummaryFigures(net.model, net.settings(), net.measurement).pass.count,
             std::int64_t(2 * 4 * (512 + 512 + 10 + 10 + 10)));
}

void TestRulesOfThumb::torchsummaryDoesNotDependOnTheBatch() {
    const Net net;
    Net other;
    for (LayerUse& use : other.measurement.layers)
        if (!use.output.empty()) use.output.replace(use.output.find('[') + 1, 1, "64");
    Settings large = net.settings();
    large.batch = 64;
    QCOMPARE(torchsummaryFigures(other.model, large, other.measurement).total().count,
             torchsummaryFigures(net.model, net.settings(), net.measurement).total().count);
}

void TestRulesOfThumb::torchsummaryMultipliesSeveralInputs() {
    Net net;
    net.model.inputs.push_back(parseInputSpec("float32[B,5]").value());
    QCOMPARE(torchsummaryFigures(net.model, net.settings(), net.measurement).input.count, std::int64_t(3 * 8 * 8 * 5 * 4));
}

void TestRulesOfThumb::torchinfoCountsLeavesWithParameters() {
    const Net net;
    const SummaryFigures f = torchinfoFigures(net.model, net.settings(), net.measurement);
    QCOMPARE(f.input.count, std::int64_t(4 * 3 * 8 * 8 * 4));
    QCOMPARE(f.pass.count, std::int64_t(2 * 4 * 4 * (512 + 10)));
    QCOMPARE(f.parameters.count, std::int64_t(4 * (224 + 5130)));
    QCOMPARE(f.parameterCount, net.model.parameterCount());
}

void TestRulesOfThumb::rulesAreHeldAgainstTheTruth() {
    const Net net;
    const ProcessMemory process{kMiB * 3, kMiB * 2, kMiB * 4};
    const auto rules = rulesOfThumb(net.model, net.settings(), net.measurement, process);
    QVERIFY(rules.size() >= 5);
    const SummaryFigures one = torchsummaryFigures(net.model, net.settings(), net.measurement);
    QCOMPARE(rules[0].says.count, one.total().count * 4);
    for (const RuleOfThumb& rule : rules) {
        if (rule.name.english().starts_with("data parallel")) continue;  // held against a step that is not this one
        QVERIFY(rule.truth == (rule.truthName.english() == "process" ? process.value : net.measurement.steady.allocated));
        QCOMPARE(rule.error() > 0, rule.says > rule.truth);
    }
    QCOMPARE((RuleOfThumb{"", "", Bytes{125}, Bytes{100}, ""}.error()), 0.25);
}

void TestRulesOfThumb::mixedPrecisionRuleNeedsItsRun() {
    const Net net;
    Measurement mixed = net.measurement;
    mixed.first = mixed.steady = {kMiB * 7, kMiB * 8};
    const auto without = rulesOfThumb(net.model, net.settings(), net.measurement, {});
    const auto with = rulesOfThumb(net.model, net.settings(), net.measurement, {}, &mixed);
    QCOMPARE(with.size(), without.size() + 1);
    QCOMPARE(with.back().truth.count, (kMiB * 7).count);
    Settings amp = net.settings();
    amp.precision = Precision::AmpFp16;
    QCOMPARE(rulesOfThumb(net.model, amp, net.measurement, {}, &mixed).size(), without.size());
}

void TestRulesOfThumb::formulaTermsSumToThePeak() {
    Net net;
    for (std::size_t i = 0; i < kCategoryCount; ++i) net.measurement.categories.bytes[i] = Bytes{std::int64_t{1} << (10 + i)};
    net.measurement.steady.allocated = net.measurement.categories.total();
    const auto terms = formulaTerms(net.model, net.settings(), net.measurement);
    Bytes measured, says;
    for (const FormulaTerm& term : terms) {
        measured += term.measured;
        says += term.says;
    }
    QCOMPARE(measured.count, net.measurement.steady.allocated.count);
    const SummaryFigures one = torchsummaryFigures(net.model, net.settings(), net.measurement);
    QCOMPARE(says.count, 4 * (one.input.count + one.pass.count) + one.parameters.count);
}

void TestRulesOfThumb::dataParallelAddsOneCopyOfTheGradients() {
    Net net;
    net.model.layers[1].trainable = 0;  // frozen: no gradient, no bucket
    const auto rules = rulesOfThumb(net.model, net.settings(), net.measurement, {});
    const auto rule = std::find_if(rules.begin(), rules.end(), [](const RuleOfThumb& r) { return r.name.english().starts_with("data parallel"); });
    QVERIFY(rule != rules.end());
    QCOMPARE(rule->truth.count, kMiB.count + 4 * (7 + 5130 + 99));
    QCOMPARE(rule->says.count, kMiB.count * 9 / 8);
}

QTEST_APPLESS_MAIN(TestRulesOfThumb)
#include "tst_rulesofthumb.moc"
