// SPDX-License-Identifier: Apache-2.0
// Sums and moments: every way in which the bytes of a step are told adds up to what the allocator counted.
#include "engine/plan/liveset.h"
#include "tests/probe/probeprocess.h"

#include <QTest>

#include <algorithm>
#include <set>

using namespace tidemark;
using namespace tidemark::testing;
using nlohmann::json;

namespace {

CategoryBytes aliveAfter(const Timeline& timeline, int event) {
    CategoryBytes sums;
    for (const Allocation& a : timeline.allocations)
        if (a.born <= event && (a.freed < 0 || a.freed > event)) sums[a.category] += a.bytes;
    return sums;
}

void addModelsAndSettings() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<QString>("settings");
    const std::vector<std::pair<const char*, const char*>> kSettings{
        {"defaults", R"({})"},
        {"sgd", R"({"optimizer":"sgd"})"},
        {"momentumForLoop", R"({"optimizer":{"kind":"momentum","impl":"for-loop"}})"},
        {"fusedAdam", R"({"optimizer":{"kind":"adam","impl":"fused"}})"},
        {"amsgradWithDecay", R"({"optimizer":{"kind":"adam","amsgrad":true,"weight_decay":true}})"},
        {"adagrad", R"({"optimizer":"adagrad"})"},
        {"customState", R"({"optimizer":{"kind":"custom","state_bytes_per_element":2}})"},
        {"withoutOptimizer", R"({"optimizer":"none"})"},
        {"ampFp16", R"({"precision":"amp-fp16"})"},
        {"ampBf16", R"({"precision":"amp-bf16"})"},
        {"bf16", R"({"precision":"bf16"})"},
        {"accumulated", R"({"accumulate":3})"},
        {"inference", R"({"mode":"infer"})"},
        {"evaluation", R"({"mode":"eval-after-train"})"},
        {"trainingAndEvaluation", R"({"mode":"train-and-eval"})"},
        {"channelsLast", R"({"channels_last":true})"},
        {"gradientsZeroed", R"({"zero_grad_to_none":false})"},
        {"outputKept", R"({"keep_output":true})"},
        {"clippedWithAverages", R"({"clip_grad_norm":true,"ema":true})"},
        {"checkpointed", R"({"checkpoint":"all"})"},
        {"meanLoss", R"({"loss":"mean"})"},
    };
    for (const char* name : {"mlp", "convnet", "tied", "transformer", "reads", "repeated", "lstm", "traced", "gru", "frozen"})
        for (const auto& [fact, settings] : kSettings) QTest::addRow("%s %s", name, fact) << name << settings;
}

}  // namespace

class TestProbeMemory : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { m_probe = std::make_unique<ProbeProcess>(); }
    void cleanupTestCase() { m_probe.reset(); }

    void everythingAddsUpToThePeak_data() { addModelsAndSettings(); }
    void everythingAddsUpToThePeak();
    void everyMomentOfTheTimelineIsWhole_data() { addModelsAndSettings(); }
    void everyMomentOfTheTimelineIsWhole();
    void detailChangesNoFigure();
    void peakNeverFallsWithBatch_data();
    void peakNeverFallsWithBatch();
    void accumulatingMoreDoesNotChangeThePeak_data();
    void accumulatingMoreDoesNotChangeThePeak();
    void accumulatingKeepsGradientsThroughTheForwardPass();
    void laterIterationsRepeatTheSecond();
    void lessMemoryThanNeededIsToldWithPhaseLayerAndSize_data();
    void lessMemoryThanNeededIsToldWithPhaseLayerAndSize();
    void enoughMemoryIsEnough();
    void limitsOfTheSameRunRepeatIt_data();
    void limitsOfTheSameRunRepeatIt();
    void outputsMayDifferFromWhatTheBatchLetsExpect();
    void retriesBelongToTheRequestThatMadeThem();
    void memoryOfTheCardIsALimitToo();

private:
    void openOnce(const QString& name);

    std::unique_ptr<ProbeProcess> m_probe;
    QString m_open;
    ModelInfo m_model;
};

void TestProbeMemory::openOnce(const QString& name) {
    if (name == m_open) return;
    m_model = m_probe->open(name.toStdString());
    m_open = name;
}

void TestProbeMemory::everythingAddsUpToThePeak() {
    QFETCH(QString, name);
    QFETCH(QString, settings);
    openOnce(name);
    json wish = with({{"batch", 3}}, json::parse(settings.toStdString()));
    if (name == "convnet") wish["inputs"] = {"float32[B,3,64,64]"};
    const Measurement m = m_probe->measure(wish);
    QVERIFY(m.steady.allocated.count > 0);
    QCOMPARE(m.categories.total(), m.steady.allocated);
    QCOMPARE(sumOf(m, &LayerUse::liveAtPeak), m.steady.allocated);
    QCOMPARE(m.layers.size(), m_model.layers.size());
    QVERIFY(m.steady.reserved >= m.steady.allocated);
    QVERIFY(m.first.reserved >= m.first.allocated);
    QVERIFY(m.steady.allocated > m.baseline);
    // Block by block: 512 bytes are the smallest piece.
    for (Category c : kCategories) QCOMPARE(m.categories[c].count % 512, 0);
    QVERIFY(!m.peakPhase.empty());
}

void TestProbeMemory::everyMomentOfTheTimelineIsWhole() {
    QFETCH(QString, name);
    QFETCH(QString, settings);
    openOnce(name);
    json wish = with({{"batch", 3}}, json::parse(settings.toStdString()));
    if (name == "convnet") wish["inputs"] = {"float32[B,3,64,64]"};
    const Measurement m = m_probe->measureTimeline(wish);
    QVERIFY(m.timeline);
    const Timeline& t = *m.timeline;
    QCOMPARE(static_cast<int>(t.reserved.size()), t.events);

    // Each event is one birth or one death.
    std::vector<int> changes(static_cast<std::size_t>(t.events), 0);
    std::vector<std::int64_t> total(static_cast<std::size_t>(t.events) + 1, 0);
    for (const Allocation& a : t.allocations) {
        QVERIFY(a.bytes.count > 0);
        QVERIFY(a.freed < 0 || a.freed > a.born);
        if (a.born >= 0) ++changes[static_cast<std::size_t>(a.born)];
        if (a.freed >= 0) ++changes[static_cast<std::size_t>(a.freed)];
        total[static_cast<std::size_t>(a.born + 1)] += a.bytes.count;
        if (a.freed >= 0) total[static_cast<std::size_t>(a.freed + 1)] -= a.bytes.count;
    }
    QCOMPARE(std::set<int>(changes.begin(), changes.end()), std::set<int>{1});
    for (std::size_t i = 1; i < total.size(); ++i) total[i] += total[i - 1];

    const auto highest = std::max_element(total.begin(), total.end());
    QCOMPARE(*highest, m.steady.allocated.count);
    QCOMPARE(static_cast<int>(highest - total.begin()) - 1, t.peakEvent);
    for (int step = 0; step <= 10; ++step) {
        const int event = -1 + (t.events * step) / 10;
        QCOMPARE(aliveAfter(t, event).total().count, total[static_cast<std::size_t>(event + 1)]);
        for (const Grouping grouping : {Grouping::Category, Grouping::Layer, Grouping::Operator, Grouping::Size, Grouping::SourceLine}) {
            Bytes sum;
            for (const LiveGroup& group : liveSet(t, event, grouping)) sum += group.bytes;
            QCOMPARE(sum.count, total[static_cast<std::size_t>(event + 1)]);
        }
    }
    for (const LiveGroup& group : liveSet(t, t.peakEvent, Grouping::Layer))
        if (group.key > 0) QCOMPARE(group.bytes, m.layers[static_cast<std::size_t>(group.key)].liveAtPeak);
    for (int event = 0; event < t.events; ++event) {
        Bytes segments;
        for (const Segment& segment : t.segments)
            if (segment.born <= event && (segment.freed < 0 || segment.freed > event)) segments += segment.bytes;
        QCOMPARE(segments, t.reserved[static_cast<std::size_t>(event)]);
    }
    for (Category c : kCategories) QCOMPARE(aliveAfter(t, t.peakEvent)[c], m.categories[c]);
    for (std::size_t i = 0; i < t.reserved.size(); ++i) QVERIFY(t.reserved[i].count >= total[i + 1]);

    // Phases follow each other without a gap.
    QVERIFY(!t.phases.empty());
    QCOMPARE(t.phases.front().begin, 0);
    for (std::size_t i = 1; i < t.phases.size(); ++i) QCOMPARE(t.phases[i].begin, t.phases[i - 1].end);
    QCOMPARE(t.phases.back().end, t.events);
    for (const Allocation& a : t.allocations) QVERIFY(a.layer < static_cast<int>(m_model.layers.size()));
}

void TestProbeMemory::detailChangesNoFigure() {
    openOnce("transformer");
    json plain = m_probe->measureAnswer({{"batch", 4}})["measurement"];
    QVERIFY(!plain.contains("layers"));
    QVERIFY(!plain.contains("timeline"));
    const json detailed = m_probe->measureAnswer({{"batch", 4}}, {"layers", "timeline"})["measurement"];
    plain.erase("step_time_us");
    for (const auto& [key, value] : plain.items()) QVERIFY2(detailed[key] == value, key.c_str());
}

void TestProbeMemory::peakNeverFallsWithBatch_data() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<QString>("settings");
    for (const char* name : {"mlp", "convnet", "transformer", "tied", "lstm"})
        for (const char* settings : {R"({})", R"({"precision":"amp-bf16","optimizer":"sgd"})", R"({"mode":"infer"})",
                                     R"({"checkpoint":"all"})"})
            QTest::addRow("%s %s", name, settings) << name << settings;
}

void TestProbeMemory::peakNeverFallsWithBatch() {
    QFETCH(QString, name);
    QFETCH(QString, settings);
    openOnce(name);
    json wish = json::parse(settings.toStdString());
    if (name == "convnet") wish["inputs"] = {"float32[B,3,64,64]"};
    Bytes before, smallest;
    for (const int batch : {1, 2, 3, 4, 6, 8, 12, 16, 24, 32}) {
        const Measurement m = m_probe->measure(with(wish, {{"batch", batch}}));
        QVERIFY2(
            m.steady.allocated >= before,
            qPrintable(QString("batch %1: %2 after %3").arg(batch).arg(m.steady.allocated.count).arg(before.count)));
        before = m.steady.allocated;
        if (batch == 1) smallest = before;
    }
    QVERIFY(before > smallest);
}

void TestProbeMemory::accumulatingMoreDoesNotChangeThePeak_data() {
    QTest::addColumn<QString>("name");
    for (const char* name : {"mlp", "convnet", "transformer", "tied", "lstm"}) QTest::newRow(name) << name;
}

void TestProbeMemory::accumulatingMoreDoesNotChangeThePeak() {
    QFETCH(QString, name);
    openOnce(name);
    const json wish{{"batch", 4},
                    {"inputs", m_model.inputs.empty() ? json::array() : json{formatInputSpec(m_model.inputs[0])}}};
    const Measurement two = m_probe->measure(with(wish, {{"accumulate", 2}}));
    for (const int accumulate : {4, 8}) {
        const Measurement more = m_probe->measure(with(wish, {{"accumulate", accumulate}}));
        QCOMPARE(more.steady.allocated, two.steady.allocated);
        QCOMPARE(more.steady.reserved, two.steady.reserved);
        QVERIFY(more.categories.bytes == two.categories.bytes);
    }
}

void TestProbeMemory::accumulatingKeepsGradientsThroughTheForwardPass() {
    openOnce("mlp");
    const Measurement m = m_probe->measureTimeline({{"batch", 4}, {"accumulate", 2}});
    const Timeline& t = *m.timeline;
    QCOMPARE(t.phases.size(), std::size_t(5));
    QCOMPARE(t.phases[2].name, std::string("forward 2/2"));
    QCOMPARE(aliveAfter(t, t.phases[2].begin)[Category::Gradients],
             aliveAfter(t, t.phases[2].begin)[Category::Weights]);
    QCOMPARE(aliveAfter(t, t.phases[0].begin)[Category::Gradients].count, 0);
    QCOMPARE(aliveAfter(t, t.events - 1)[Category::Gradients].count, 0);
}

void TestProbeMemory::laterIterationsRepeatTheSecond() {
    openOnce("transformer");
    const Measurement m = m_probe->measure({{"batch", 4}, {"iterations", 6}});
    QCOMPARE(m.iterations.size(), std::size_t(6));
    QCOMPARE(m.iterations.front().allocated, m.first.allocated);
    for (std::size_t i = 2; i < 6; ++i) QCOMPARE(m.iterations[i].allocated, m.iterations[1].allocated);
    QCOMPARE(m_probe->measure({{"batch", 4}, {"iterations", 2}}).steady.allocated, m.steady.allocated);
    // The state of the optimizer comes with the first step and is not there when that one's backward runs.
    QVERIFY(m.first.allocated < m.steady.allocated);
}

void TestProbeMemory::lessMemoryThanNeededIsToldWithPhaseLayerAndSize_data() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<int>("batch");
    QTest::addColumn<qint64>("limitMiB");
    QTest::addColumn<QString>("phase");
    QTest::addColumn<QString>("layer");
    QTest::addColumn<qint64>("requested");
    const qint64 square = qint64(8192) * 8192 * 4;
    const auto row = [](const char* fact, const char* name, int batch, qint64 limit, const char* phase,
                        const char* layer, qint64 requested) {
        QTest::newRow(fact) << name << batch << limit << phase << layer << requested;
    };
    row("weights", "wide", 1, 200, "load", "", square);
    row("gradients", "wide", 1, 400, "backward", "0", square);
    row("optimizerState", "wide", 1, 900, "optimizer", "", square);
    row("optimizerTemporary", "wide", 1, 1200, "optimizer", "", square);
    // Input 64 MiB, each hidden layer and its activation 128 MiB.
    row("firstLayer", "mlp", 65536, 150, "forward", "0", qint64(65536) * 512 * 4);
    row("secondLayer", "mlp", 65536, 300, "forward", "1", qint64(65536) * 512 * 4);
    row("fourthLayer", "mlp", 65536, 420, "forward", "3", qint64(65536) * 512 * 4);
}

void TestProbeMemory::lessMemoryThanNeededIsToldWithPhaseLayerAndSize() {
    QFETCH(QString, name);
    QFETCH(int, batch);
    QFETCH(qint64, limitMiB);
    QFETCH(QString, phase);
    QFETCH(QString, layer);
    QFETCH(qint64, requested);
    openOnce(name);
    const Measurement enough = m_probe->measure({{"batch", batch}});
    QVERIFY(!enough.outOfMemory);
    const Measurement m = m_probe->measure({{"batch", batch}}, limitMiB << 20);
    QVERIFY(m.outOfMemory);
    QCOMPARE(QString::fromStdString(m.outOfMemory->phase), phase);
    QCOMPARE(QString::fromStdString(m.outOfMemory->layer), layer);
    QCOMPARE(m.outOfMemory->requested.count, requested);
    QVERIFY(m.outOfMemory->message.find("out of memory") != std::string::npos);
    QVERIFY(m.steady.reserved.count <= limitMiB << 20);
    QCOMPARE(m.categories.total(), m.steady.allocated);
    QCOMPARE(m_probe->measure({{"batch", batch}}).steady.allocated, enough.steady.allocated);
}

void TestProbeMemory::enoughMemoryIsEnough() {
    openOnce("transformer");
    const Measurement free = m_probe->measure({{"batch", 16}});
    const std::int64_t needed = free.highest().reserved.count;
    const Measurement just = m_probe->measure({{"batch", 16}}, needed);
    QVERIFY(!just.outOfMemory);
    QCOMPARE(just.steady.allocated, free.steady.allocated);
    QVERIFY(m_probe->measure({{"batch", 16}}, free.steady.allocated.count - 1).outOfMemory);
    // Less than it would like to reserve, but more than it allocates: the allocator gives back what it cached.
    const Measurement tight = m_probe->measure({{"batch", 16}}, needed - (2 << 20));
    QVERIFY(tight.outOfMemory || tight.allocationRetries > 0);
}

void TestProbeMemory::limitsOfTheSameRunRepeatIt_data() {
    QTest::addColumn<double>("part");
    QTest::newRow("notReached") << 1.5;
    QTest::newRow("reached") << 0.99;
    QTest::newRow("outOfMemory") << 0.7;
    QTest::newRow("outOfMemoryWhileLoading") << 0.05;
}

void TestProbeMemory::limitsOfTheSameRunRepeatIt() {
    QFETCH(double, part);
    openOnce("transformer");
    const json settings{{"batch", 64}};
    const auto reserved = static_cast<double>(m_probe->measure(settings).highest().reserved.count);
    const auto measured = [&](std::int64_t limit) { return m_probe->measure(settings, limit); };
    const Measurement m = measured(static_cast<std::int64_t>(part * reserved));
    QVERIFY(m.sameWithin);
    QCOMPARE(m.outOfMemory.has_value(), part < 0.9);
    QCOMPARE(m.sameWithin->below.has_value(), part < 1);
    const auto isTheSame = [&](std::int64_t limit) {
        const Measurement other = measured(limit);
        return std::equal(m.iterations.begin(), m.iterations.end(), other.iterations.begin(), other.iterations.end(),
                          [](const Peak& a, const Peak& b) { return a.allocated == b.allocated && a.reserved == b.reserved; }) &&
               m.allocationRetries == other.allocationRetries && m.outOfMemory.has_value() == other.outOfMemory.has_value() &&
               m.sameWithin->from == other.sameWithin->from && m.sameWithin->below == other.sameWithin->below;
    };
    QVERIFY(isTheSame(m.sameWithin->from.count));
    QVERIFY(!isTheSame(m.sameWithin->from.count - 1));
    if (!m.sameWithin->below) return;
    QVERIFY(isTheSame(m.sameWithin->below->count - 1));
    QVERIFY(!isTheSame(m.sameWithin->below->count));
}

void TestProbeMemory::outputsMayDifferFromWhatTheBatchLetsExpect() {
    const json after{{"batch", 12}, {"loss", "mse"}};
    openOnce("products");
    const Measurement asked = m_probe->measure(after);
    m_probe->measure({{"batch", 10}, {"loss", "mse"}});
    const Measurement expected = m_probe->measure(after);
    QCOMPARE(expected.steady.allocated, asked.steady.allocated);
    QCOMPARE(expected.categories[Category::Input], asked.categories[Category::Input]);
    QVERIFY(m_probe->measure(after, 1 << 20).outOfMemory);
}

void TestProbeMemory::retriesBelongToTheRequestThatMadeThem() {
    openOnce("mlp");
    QVERIFY(m_probe->measure({{"batch", 65536}}, 300 << 20).outOfMemory);
    QCOMPARE(m_probe->measure({{"batch", 4}}).allocationRetries, 0);
}

void TestProbeMemory::memoryOfTheCardIsALimitToo() {
    ProbeProcess small({"--memory", "314572800", "--workspace", "none"});
    small.open("mlp");
    const Measurement m = small.measure({{"batch", 65536}});
    QVERIFY(m.outOfMemory);
    QCOMPARE(m.outOfMemory->layer, std::string("1"));
    QVERIFY(!small.measure({{"batch", 1024}}).outOfMemory);
}

QTEST_GUILESS_MAIN(TestProbeMemory)
#include "tst_memory.moc"
