// SPDX-License-Identifier: Apache-2.0
// Commands in this process, over the fake probe: a network whose memory is a formula.
#include "app/commandline/commandline.h"

#ifdef TIDEMARK_HAS_WINDOW
#include "app/window/planfile.h"

#include <QApplication>
#endif

#include "sessiontesting.h"

#include <nlohmann/json.hpp>

#include <QSet>

#include <sstream>

using namespace tidemark;
using namespace tidemark::testing;
using nlohmann::json;

namespace {

struct Outcome {
    int code = -1;
    QString out;
    QString err;
    json parsed() const { return json::parse(out.toStdString(), nullptr, false); }
};

Outcome run(const QStringList& arguments, const char* probe = FAKEPROBE) {
    Installation installation = fakeInstallation(probe);
    installation.resources = RESOURCES;
    installation.catalogue = RESOURCES "/gpus.json";
    std::vector<std::string> list;
    for (const QString& argument : arguments) list.push_back(argument.toStdString());
    std::ostringstream out;
    std::ostringstream err;
    Outcome outcome;
    outcome.code = runCommandLine(list, installation, out, err);
    outcome.out = QString::fromStdString(out.str());
    outcome.err = QString::fromStdString(err.str());
    return outcome;
}

}  // namespace

class TestCommandLine : public QObject {
    Q_OBJECT
private slots:
    void init() { qunsetenv("FAKEPROBE_START"); }
    void commandsAreToldFromFiles();
    void helpAndVersionSucceed();
    void planAnswersInText();
    void planAnswersInJson();
    void categoriesSumToThePeak_data();
    void categoriesSumToThePeak();
    void planThatDoesNotFitExitsWithThree();
    void reserveDecidesWhatFits();
    void largestBatchIsTheLast();
    void smallLimitOfTheSearchIsSaid();
    void fixedInputHasNoLargestBatch();
    void wrongUsageExitsWithTwo_data();
    void wrongUsageExitsWithTwo();
    void missingInputIsAskedFor();
    void settingsWithoutEffectAreSaid();
    void sweepJudgesAsPlansDo();
    void largestOfTheBatchIsTheLargestBatch();
    void failuresAreOneSentence_data();
    void failuresAreOneSentence();
    void settingsReachTheProbe();
    void everyCardIsJudged();
    void summaryListsLayers();
    void summaryColumnsSumToThePeak();
    void torchsummaryViewHasItsFigures();
    void comparisonSumsToTheDifference();
    void comparisonNeedsADifference();
    void cardsAreListed();
    void adviceFits();
    void adviceCombinesChanges();
#ifdef TIDEMARK_HAS_WINDOW
    void savedPlanRunsItsVariants();
    void reportIsWritten();
    void reportNeedsAPlaceToWrite();
#endif
};

void TestCommandLine::commandsAreToldFromFiles() {
    QVERIFY(asksForCommand({"plan", "x.pt"}));
    QVERIFY(asksForCommand({"--help"}));
    QVERIFY(!asksForCommand({}));
    QVERIFY(!asksForCommand({"x.pt"}));
    QVERIFY(!asksForCommand({"x.pt", "plan"}));
}

void TestCommandLine::helpAndVersionSucceed() {
    QCOMPARE(run({"--help"}).code, 0);
    QVERIFY(run({"--help"}).out.contains("compare"));
    QCOMPARE(run({"plan", "--help"}).code, 0);
    QVERIFY(run({"plan", "--help"}).out.contains("--checkpoint"));
    QVERIFY(run({"plan", "--help"}).out.contains("3 does not fit"));
    QVERIFY(!run({"snapshot", "export", "--help"}).out.contains("3 does not fit"));
    QVERIFY(run({"--version"}).out.startsWith("tidemark "));
}

void TestCommandLine::planAnswersInText() {
    FakeModels models;
    const Outcome o = run({"plan", models.write("net.pt"), "--batch", "8", "--gpu", "RTX 4090"});
    QCOMPARE(o.code, 0);
    QVERIFY(o.err.isEmpty());
    for (const char* part : {"net.pt", "Allocated", "Reserved", "Process", "Activations", "256.0 MiB", "384.0 KiB", "Fits an RTX 4090 with",
                             "largest batch", "float32[8,3,64,64] (guessed from the first layer)", "LibTorch 2.15.0"})
        QVERIFY2(o.out.contains(part), qPrintable(part + ("\n" + o.out)));
}

void TestCommandLine::planAnswersInJson() {
    FakeModels models;
    const Outcome o = run({"plan", models.write("net.pt"), "--batch", "8", "--gpu", "A100 80GB", "--json", "--optimizer", "sgd"});
    QCOMPARE(o.code, 0);
    const json plan = o.parsed();
    QCOMPARE(plan["schema"].get<std::string>(), std::string("tidemark.plan/1"));
    for (const char* key : {"model", "settings", "gpu", "torch_version", "peak", "iterations", "categories", "fits", "largest_batch",
                            "device_reads", "unmodelled_calls"})
        QVERIFY2(plan.contains(key), key);
    QCOMPARE(plan["categories"]["activations"].get<std::int64_t>(), (kMiB * 16 * 8 * 2).count);
    QCOMPARE(plan["iterations"].size(), std::size_t(3));
    QCOMPARE(plan["gpu"]["id"].get<std::string>(), std::string("a100-80gb"));
    QVERIFY(plan["fits"].get<bool>());
    const json process = plan["peak"]["process"];
    QVERIFY(process["low"] < process["value"] && process["value"] < process["high"]);
    QVERIFY(process["value"] > plan["peak"]["reserved"]);
    QVERIFY(settingsFromJson(plan["settings"]).ok());
}

void TestCommandLine::categoriesSumToThePeak_data() {
    QTest::addColumn<QStringList>("options");
    QTest::newRow("training") << QStringList{};
    QTest::newRow("inference") << QStringList{"--mode", "infer"};
    QTest::newRow("mixed precision") << QStringList{"--precision", "amp-fp16"};
    QTest::newRow("checkpointed") << QStringList{"--checkpoint", "1", "--batch", "31"};
    QTest::newRow("momentum") << QStringList{"--optimizer", "momentum"};
}

void TestCommandLine::categoriesSumToThePeak() {
    QFETCH(QStringList, options);
    FakeModels models;
    const json plan = run(QStringList{"plan", models.write("net.pt"), "--json", "--no-largest"} + options).parsed();
    std::int64_t sum = 0;
    for (const auto& value : plan["categories"]) sum += value.get<std::int64_t>();
    QVERIFY(sum > 0);
    QCOMPARE(sum, plan["peak"]["allocated"].get<std::int64_t>());
}

void TestCommandLine::planThatDoesNotFitExitsWithThree() {
    FakeModels models;
    const QString model = models.write("net.pt");
    const Outcome o = run({"plan", model, "--batch", "2000", "--gpu", "T4"});
    QCOMPARE(o.code, 3);
    QVERIFY2(o.out.contains("Does not fit a T4"), qPrintable(o.out));
    QVERIFY2(o.out.contains("runs out of memory asking for 31.2 GiB in forward, layer blocks.1"), qPrintable(o.out));
    const json plan = run({"plan", model, "--batch", "2000", "--gpu", "T4", "--json"}).parsed();
    QVERIFY(!plan["fits"].get<bool>());
    QCOMPARE(plan["out_of_memory"]["requested"].get<std::int64_t>(), (kMiB * 16 * 2000).count);
    QVERIFY(plan["largest_batch"].get<int>() > 0 && plan["largest_batch"].get<int>() < 2000);
}

void TestCommandLine::reserveDecidesWhatFits() {
    FakeModels models;
    const QString model = models.write("net.pt");
    const QStringList plan{"plan", model, "--batch", "400", "--gpu", "T4", "--no-largest"};
    QCOMPARE(run(plan).code, 0);
    QCOMPARE(run(plan + QStringList{"--reserve", "20%"}).code, 3);
    QCOMPARE(run(plan + QStringList{"--reserve", "3GiB"}).code, 3);
    QCOMPARE(run(plan + QStringList{"--display", "3GiB"}).code, 3);
    QCOMPARE(run(plan + QStringList{"--reserve", "100MiB"}).code, 0);
}

void TestCommandLine::largestBatchIsTheLast() {
    FakeModels models;
    const QString model = models.write("net.pt", R"({"per_example_mib": 7})");
    const json plan = run({"plan", model, "--batch", "3", "--gpu", "T4", "--json"}).parsed();
    const int largest = plan["largest_batch"].get<int>();
    const auto fits = [&](int batch) {
        return run({"plan", model, "--batch", QString::number(batch), "--gpu", "T4", "--no-largest"}).code;
    };
    QVERIFY(largest > 3);
    QCOMPARE(fits(largest), 0);
    QCOMPARE(fits(largest + 1), 3);
    QVERIFY(!plan["largest_batch_limit_reached"].get<bool>());
}

void TestCommandLine::smallLimitOfTheSearchIsSaid() {
    FakeModels models;
    const Outcome o = run({"plan", models.write("net.pt"), "--batch", "3", "--gpu", "T4", "--largest-up-to", "16"});
    QVERIFY2(o.out.contains("largest batch 16 or more"), qPrintable(o.out));
}

void TestCommandLine::fixedInputHasNoLargestBatch() {
    FakeModels models;
    const Outcome o = run({"plan", models.write("net.pt"), "--input", "float32[4,3,64,64]", "--json"});
    QCOMPARE(o.code, 0);
    QVERIFY(o.parsed()["largest_batch"].is_null());
}

void TestCommandLine::wrongUsageExitsWithTwo_data() {
    QTest::addColumn<QStringList>("options");
    QTest::addColumn<QString>("part");
    QTest::newRow("no command") << QStringList{} << "subcommand";
    QTest::newRow("no model") << QStringList{"plan"} << "model";
    QTest::newRow("unknown option") << QStringList{"plan", "x.pt", "--btach", "3"} << "--btach";
    QTest::newRow("no number") << QStringList{"plan", "x.pt", "--batch", "many"} << "--batch";
    QTest::newRow("no digits") << QStringList{"plan", "x.pt", "--batch", ""} << "\"\" is no whole number";
    QTest::newRow("a fraction") << QStringList{"plan", "x.pt", "--batch", "1.5"} << "\"1.5\" is no whole number";
    QTest::newRow("beyond all numbers") << QStringList{"plan", "x.pt", "--batch", "10000000000000000000000"} << "too large";
    QTest::newRow("beyond an int") << QStringList{"plan", "x.pt", "--accumulate", "3000000000"} << "too large";
    QTest::newRow("no search") << QStringList{"plan", "x.pt", "--largest-up-to", "0"} << "0 is less than 1";
    QTest::newRow("depth") << QStringList{"summary", "x.pt", "--depth", "-1"} << "-1 is less than 0";
    QTest::newRow("twice") << QStringList{"plan", "x.pt", "--batch", "8", "--batch", "9"} << "--batch is given more than once. See tidemark plan --help.";
    QTest::newRow("zero") << QStringList{"plan", "x.pt", "--batch", "0"} << "batch must be at least 1";
    QTest::newRow("precision") << QStringList{"plan", "x.pt", "--precision", "fp8"} << "amp-fp16";
    QTest::newRow("optimizer") << QStringList{"plan", "x.pt", "--optimizer", "lion"} << "adamw";
    QTest::newRow("checkpoint") << QStringList{"plan", "x.pt", "--checkpoint", "some"} << "every:K";
    QTest::newRow("input") << QStringList{"plan", "x.pt", "--input", "float32"} << "[NAME=]DTYPE";
    QTest::newRow("axis") << QStringList{"plan", "x.pt", "--axis", "S"} << "NAME=SIZE";
    QTest::newRow("the batch as an axis") << QStringList{"plan", "x.pt", "--axis", "B=3"} << "--batch";
    QTest::newRow("two batches") << QStringList{"plan", "x.pt", "--batch", "4", "--input", "float32[B=8,3]"} << "than --batch 4";
    QTest::newRow("axis with two sizes") << QStringList{"plan", "x.pt", "--axis", "S=3", "--axis", "S=4"} << "two sizes, 3 and 4";
    QTest::newRow("no card") << QStringList{"plan", "x.pt", "--gpu", ""} << "No card is named";
    QTest::newRow("card") << QStringList{"plan", "x.pt", "--gpu", "RTX 9999"} << "9999";
    QTest::newRow("reserve") << QStringList{"plan", "x.pt", "--reserve", "lots"} << "--reserve 500MB";
    QTest::newRow("nothing left") << QStringList{"plan", "x.pt", "--gpu", "T4", "--reserve", "100GB"} << "leaves nothing of the";
    QTest::newRow("nothing left of a table") << QStringList{"summary", "x.pt", "--display", "200GiB"} << "leaves nothing of the";
    QTest::newRow("search or none") << QStringList{"plan", "x.pt", "--largest", "S", "--no-largest"} << "--largest";
    QTest::newRow("search on every card") << QStringList{"plan", "x.pt", "--largest", "S", "--all-gpus"} << "--largest";
    QTest::newRow("one card and all") << QStringList{"plan", "x.pt", "--gpu", "T4", "--all-gpus"} << "--gpu";
    QTest::newRow("setting") << QStringList{"plan", "x.pt", "--set", "color=red"} << "color";
    QTest::newRow("json and csv") << QStringList{"summary", "x.pt", "--json", "--csv"} << "--csv";
    QTest::newRow("csv of another table") << QStringList{"summary", "x.pt", "--csv", "--torchsummary"} << "--csv";
    QTest::newRow("card without a name") << QStringList{"gpus", "--add", "", "--like", "T4"} << "no name for a card";
    QTest::newRow("card without letters") << QStringList{"gpus", "--add", "显卡", "--like", "T4"} << "Latin letters";
    QTest::newRow("card to remove without a name") << QStringList{"gpus", "--remove", ""} << "There is no card";
    QTest::newRow("time") << QStringList{"probe", "x.pt", "--time-limit", "-1"} << "write seconds";
    QTest::newRow("axes and sets") << QStringList{"sweep", "x.pt", "--x", "B=1..4", "--inputs", "float32[B,3]"} << "--inputs";
#ifdef TIDEMARK_HAS_WINDOW
    QTest::newRow("report of another kind") << QStringList{"report", "x.pt", "-o", "x.doc"} << ".pdf or .html";
#endif
}

void TestCommandLine::wrongUsageExitsWithTwo() {
    QFETCH(QStringList, options);
    QFETCH(QString, part);
    const Outcome o = run(options);
    QCOMPARE(o.code, 2);
    QVERIFY2(o.err.contains(part), qPrintable(o.err));
    QVERIFY2(o.err.startsWith("tidemark: ") && o.err.count('\n') == 1, qPrintable(o.err));
    QVERIFY(o.out.isEmpty());
}

void TestCommandLine::missingInputIsAskedFor() {
    FakeModels models;
    const Outcome o = run({"plan", models.write("net.pt", R"({"open_error": "input_needed"})")});
    QCOMPARE(o.code, 2);
    QVERIFY2(o.err.contains("The option is --input"), qPrintable(o.err));
}

void TestCommandLine::settingsWithoutEffectAreSaid() {
    FakeModels models;
    const QString model = models.write("net.pt");
    const auto said = [&](const QStringList& options) {
        return run(QStringList{"plan", model, "--no-largest"} + options).out;
    };
    QVERIFY(said({"--mode", "infer", "--accumulate", "4"}).contains("--accumulate and --data-parallel change nothing"));
    QVERIFY(!said({"--mode", "infer", "--accumulate", "4"}).contains("Effective batch"));
    QVERIFY(said({"--accumulate", "4"}).contains("Effective batch 128."));
    QVERIFY(said({"--mode", "infer", "--checkpoint", "all"}).contains("nothing is checkpointed"));
    QVERIFY(!said({"--mode", "infer", "--checkpoint", "0"}).contains("nothing is checkpointed"));
}

void TestCommandLine::sweepJudgesAsPlansDo() {
    FakeModels models;
    const QString model = models.write("net.pt");
    QCOMPARE(run({"sweep", model, "--x", "B=4", "--y", "B=8"}).code, 2);
    const json points = run({"sweep", model, "--x", "B=4,2000", "--gpu", "T4", "--json"}).parsed()["points"];
    QCOMPARE(points.size(), std::size_t(2));
    for (const json& point : points) {
        const json plan = run({"plan", model, "--gpu", "T4", "--no-largest", "--json", "--batch",
                               QString::number(point["B"].get<int>())}).parsed();
        QCOMPARE(point["fits"].get<bool>(), plan["fits"].get<bool>());
        QCOMPARE(point["process"].get<std::int64_t>(), plan["peak"]["process"]["value"].get<std::int64_t>());
    }
}

void TestCommandLine::largestOfTheBatchIsTheLargestBatch() {
    FakeModels models;
    const QString model = models.write("net.pt");
    const json plain = run({"plan", model, "--gpu", "T4", "--json"}).parsed();
    const json asked = run({"plan", model, "--gpu", "T4", "--json", "--largest", "B"}).parsed();
    QVERIFY(plain["largest_batch"].is_number());
    QCOMPARE(asked["largest_batch"].get<int>(), plain["largest_batch"].get<int>());
}

void TestCommandLine::failuresAreOneSentence_data() {
    QTest::addColumn<QByteArray>("script");
    QTest::addColumn<QString>("part");
    QTest::newRow("empty file") << QByteArray() << "is empty";
    QTest::newRow("not a model") << QByteArray("[]") << "no TorchScript file";
    QTest::newRow("step fails") << QByteArray(R"({"error_at_batch": 32})") << "The layer \"head\" failed";
    QTest::newRow("worker dies") << QByteArray(R"({"crash_at_batch": 32})") << "died twice";
}

void TestCommandLine::failuresAreOneSentence() {
    QFETCH(QByteArray, script);
    QFETCH(QString, part);
    FakeModels models;
    const Outcome o = run({"plan", models.write("net.pt", script)});
    QCOMPARE(o.code, 1);
    QVERIFY2(o.err.contains(part), qPrintable(o.err));
    QVERIFY(o.err.startsWith("tidemark: "));
    QVERIFY(o.out.isEmpty());
    const Outcome missing = run({"plan", models.path("none.pt")});
    QCOMPARE(missing.code, 1);
    QVERIFY(missing.err.contains("none.pt"));
    QCOMPARE(run({"plan", models.write("net.pt")}, "/nowhere/probe").code, 1);
}

void TestCommandLine::settingsReachTheProbe() {
    FakeModels models;
    const QString model = models.write("net.pt");
    const auto activations = [&](const QStringList& options) {
        const json plan = run(QStringList{"plan", model, "--json", "--no-largest", "--batch", "16"} + options).parsed();
        return plan["categories"]["activations"].get<std::int64_t>();
    };
    const std::int64_t plain = activations({});
    QCOMPARE(activations({"--precision", "amp-bf16"}), plain / 2);
    QCOMPARE(activations({"--set", "precision=amp-bf16"}), plain / 2);
    QCOMPARE(activations({"--checkpoint", "all"}), plain / 4);
    QCOMPARE(activations({"--checkpoint", "layers:blocks.0"}), plain / 2 + plain / 8);
    QCOMPARE(activations({"--mode", "infer"}), std::int64_t(0));
    QCOMPARE(activations({"--set", "batch=32"}), plain * 2);
}

void TestCommandLine::everyCardIsJudged() {
    FakeModels models;
    const QString model = models.write("net.pt");
    const json cards = run({"plan", model, "--batch", "700", "--all-gpus", "--json"}).parsed()["cards"];
    QVERIFY(cards.size() > 10);
    std::int64_t last = 0;
    int fitting = 0;
    for (const json& card : cards) {
        QVERIFY(card["gpu"]["memory"].get<std::int64_t>() >= last);
        last = card["gpu"]["memory"].get<std::int64_t>();
        QCOMPARE(card["fits"].get<bool>(), card["spare"].get<std::int64_t>() >= 0);
        fitting += card["fits"].get<bool>();
    }
    QVERIFY(fitting > 0 && fitting < static_cast<int>(cards.size()));
    const Outcome text = run({"plan", model, "--batch", "700", "--all-gpus"});
    QCOMPARE(text.code, 0);
    QCOMPARE(text.out.count('\n'), static_cast<int>(cards.size()) + 3);
}

void TestCommandLine::summaryListsLayers() {
    FakeModels models;
    const QString model = models.write("net.pt");
    const Outcome o = run({"summary", model, "--batch", "4"});
    QCOMPARE(o.code, 0);
    QVERIFY2(o.out.contains("    0     Block "), qPrintable(o.out));
    QVERIFY(o.out.contains("9,438,208"));
    const Outcome flat = run({"summary", model, "--depth", "1"});
    QVERIFY(!flat.out.contains("Block"));
    const Outcome csv = run({"summary", model, "--csv"});
    QCOMPARE(csv.out.count('\n'), 7);
    QVERIFY(csv.out.startsWith("layer,type,output,calls,parameters,weights [B]"));
}

void TestCommandLine::summaryColumnsSumToThePeak() {
    FakeModels models;
    const json summary = run({"summary", models.write("net.pt"), "--json", "--batch", "5"}).parsed();
    QCOMPARE(summary["schema"].get<std::string>(), std::string("tidemark.summary/1"));
    std::int64_t live = 0;
    for (const json& layer : summary["layers"]) live += layer["live_at_peak"].get<std::int64_t>();
    QCOMPARE(live, summary["peak"]["allocated"].get<std::int64_t>());
}

void TestCommandLine::torchsummaryViewHasItsFigures() {
    FakeModels models;
    const QString model = models.write("net.pt");
    const Outcome o = run({"summary", model, "--torchsummary", "--batch", "4"});
    QCOMPARE(o.code, 0);
    for (const char* part : {"Layer (type)               Output Shape         Param #", "Input size (MB): 0.05", "Forward/backward pass size (MB):",
                             "Params size (MB): ", "Estimated Total Size (MB): ", "total × 1.5 × batch", "mixed precision halves the memory"})
        QVERIFY2(o.out.contains(part), qPrintable(part + ("\n" + o.out)));
    QVERIFY(!o.out.contains("Measured peak"));
    QVERIFY(run({"summary", model, "--measure"}).out.contains("Measured peak of one forward pass at batch 1: 40.1 MiB"));
}

void TestCommandLine::comparisonSumsToTheDifference() {
    FakeModels models;
    const QString a = models.write("a.pt");
    const QString b = models.write("b.pt", R"({"per_example_mib": 9})");
    const json c = run({"compare", a, b, "--json", "--set-b", "precision=amp-bf16"}).parsed();
    std::int64_t sum = 0;
    for (const json& layer : c["layers"]) sum += layer["live_at_peak"]["delta"].get<std::int64_t>();
    std::int64_t categories = 0;
    for (const json& pair : c["categories"]) categories += pair["delta"].get<std::int64_t>();
    QVERIFY(sum < 0);
    QCOMPARE(sum, c["allocated"]["delta"].get<std::int64_t>());
    QCOMPARE(categories, sum);
    const Outcome text = run({"compare", a, b});
    QCOMPARE(text.code, 0);
    QVERIFY2(text.out.contains("blocks.1") && text.out.contains("B − A"), qPrintable(text.out));
    QVERIFY(run({"compare", a, b, "--csv"}).out.startsWith("layer,layer in A,type,status"));
}

void TestCommandLine::comparisonNeedsADifference() {
    FakeModels models;
    const QString a = models.write("a.pt");
    QCOMPARE(run({"compare", a}).code, 2);
    QCOMPARE(run({"compare", a, "--set-b", "batch=64"}).code, 0);
}

void TestCommandLine::cardsAreListed() {
    const Outcome all = run({"gpus"});
    QCOMPARE(all.code, 0);
    QVERIFY(all.out.contains("a100-80gb"));
    const Outcome some = run({"gpus", "4090"});
    QVERIFY(some.out.contains("rtx-4090") && !some.out.contains("a100"));
    const json list = run({"gpus", "--json"}).parsed()["gpus"];
    QSet<QString> ids;
    for (const json& card : list) {
        ids << QString::fromStdString(card["id"].get<std::string>());
        QVERIFY(!card["source"].get<std::string>().empty());
        QVERIFY(!card["context"]["source"].get<std::string>().empty());
    }
    QCOMPARE(ids.size(), static_cast<qsizetype>(list.size()));
    QCOMPARE(run({"gpus", "no such card"}).code, 2);
}

void TestCommandLine::adviceFits() {
    FakeModels models;
    const QString model = models.write("net.pt");
    const Outcome o = run({"advise", model, "--batch", "600", "--gpu", "T4", "--json"});
    QCOMPARE(o.code, 0);
    const json advice = o.parsed();
    QVERIFY(!advice["plan"]["fits"].get<bool>());
    QVERIFY(advice["single"].size() >= 3);
    QVERIFY(advice["single"][0]["fits"].get<bool>());
    for (const json& a : advice["single"]) {
        const auto settings = settingsFromJson(a["settings"]);
        QVERIFY(settings.ok());
        QCOMPARE(settings.value().effectiveBatch(), std::int64_t(600));
        QVERIFY(a["saved"].get<std::int64_t>() > 0);
    }
    QVERIFY(run({"advise", model, "--batch", "600", "--gpu", "T4"}).out.contains("Checkpoint all 2 blocks"));
}

void TestCommandLine::adviceCombinesChanges() {
    FakeModels models;
    const QString model = models.write("net.pt");
    // An odd batch cannot be accumulated, so that only several changes together help.
    const Outcome o = run({"advise", model, "--batch", "2001", "--gpu", "T4", "--json"});
    QCOMPARE(o.code, 0);
    const json together = o.parsed()["together"];
    QVERIFY(together.size() >= 2);
    QVERIFY(together.back()["fits"].get<bool>());
    QVERIFY(!together.front()["fits"].get<bool>());
}

#ifdef TIDEMARK_HAS_WINDOW
void TestCommandLine::savedPlanRunsItsVariants() {
    FakeModels models;
    Plan plan;
    plan.gpu = "t4";
    plan.variants.resize(2);
    for (Variant& variant : plan.variants) {
        variant.model = models.write("net.pt");
        variant.name = "small";
        variant.settings.batch = 4;
    }
    plan.variants[1].name = "large";
    plan.variants[1].settings.batch = 4000;
    QVERIFY(savePlan(plan, models.path("two.json")).ok());
    const Outcome o = run({"plan", models.path("two.json"), "--json"});
    QCOMPARE(o.code, 3);
    const json variants = o.parsed()["variants"];
    QCOMPARE(variants.size(), std::size_t(2));
    QVERIFY(variants[0]["fits"].get<bool>() && !variants[1]["fits"].get<bool>());
    QCOMPARE(variants[0]["gpu"]["id"].get<std::string>(), std::string("t4"));
    const Outcome large = run({"plan", models.path("two.json"), "--gpu", "B200", "--no-largest"});
    QCOMPARE(large.code, 0);
    QVERIFY(large.out.contains("small: net.pt") && large.out.contains("large: net.pt"));
    for (const char* text : {"{\"format\": \"other\"}", "{\"format\": 3}", "{}", "{\"format\": null}"}) {
        models.write("broken.json", text);
        const Outcome broken = run({"plan", models.path("broken.json")});
        QCOMPARE(broken.code, 1);
        QVERIFY2(broken.err.contains("This is no Tidemark plan."), text);
    }
}

void TestCommandLine::reportIsWritten() {
    FakeModels models;
    const QString model = models.write("net.pt");
    const QString pdf = models.path("plan.pdf");
    const Outcome o = run({"report", model, "--batch", "8", "--gpu", "T4", "-o", pdf, "--set-b", "batch=16"});
    QVERIFY2(o.code == 0, qPrintable(o.err));
    QFile file(pdf);
    QVERIFY(file.open(QIODevice::ReadOnly));
    QVERIFY(file.size() > 5000);
    QVERIFY(file.read(5) == "%PDF-");
    QVERIFY(o.out.contains("Fits a T4"));
    QCOMPARE(run({"report", model, "--batch", "2000", "--gpu", "T4", "-o", pdf}).code, 3);
}

void TestCommandLine::reportNeedsAPlaceToWrite() {
    FakeModels models;
    const QString model = models.write("net.pt");
    QCOMPARE(run({"report", model}).code, 2);
    const Outcome o = run({"report", model, "-o", models.path("no/such/folder/plan.pdf")});
    QCOMPARE(o.code, 1);
    QVERIFY2(o.err.contains("plan.pdf"), qPrintable(o.err));
}
#endif

#ifdef TIDEMARK_HAS_WINDOW
QTEST_MAIN(TestCommandLine)
#else
QTEST_GUILESS_MAIN(TestCommandLine)
#endif
#include "tst_commandline.moc"
