// SPDX-License-Identifier: Apache-2.0
// The step under DistributedDataParallel. That its peaks are Python's is checked in tests/reference.
#include "tests/probe/probeprocess.h"

#include <QTest>

#include <algorithm>
#include <vector>

using namespace tidemark;
using namespace tidemark::testing;
using nlohmann::json;

namespace {

/// Of the perceptron.
constexpr std::int64_t kWeights = (257 * 512 + 513 * 512 + 513 * 256) * 4;

json parallel(const json& options = json::object()) {
    return {{"batch", 4}, {"data_parallel", with({{"cards", 4}}, options)}};
}

/// What the allocator takes for this much in one piece: blocks of 512 bytes.
std::int64_t blocks(std::int64_t bytes) { return (bytes + 511) / 512 * 512; }

std::vector<Bytes> bucketsOf(const Measurement& m) {
    std::vector<Bytes> sizes;
    for (const Allocation& a : m.timeline->allocations)
        if (a.category == Category::GradientBuckets && a.freed < 0) sizes.push_back(a.bytes);
    return sizes;
}

}  // namespace

class TestProbeDataParallel : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { m_probe = std::make_unique<ProbeProcess>(); }
    void cleanupTestCase() { m_probe.reset(); }

    void oneCardHasNoBuckets();
    void bucketsHoldAllGradients();
    void bucketSizeDecidesTheirNumber();
    void gradientsAreViewsOnRequest();
    void frozenLayersAreInNoBucket();
    void bucketsAreRebuiltInTheSecondIteration();
    void bucketsStayDuringEvaluation();
    void inferenceHasNoBuckets();
    void columnsStillSumToThePeak();
    void unusedParametersAreAnErrorUnlessLookedFor();
    void modelWithoutParametersHasNothingToReduce();
    void bucketsCountAgainstTheCard();

private:
    std::unique_ptr<ProbeProcess> m_probe;
};

void TestProbeDataParallel::oneCardHasNoBuckets() {
    m_probe->open("mlp");
    const json alone{{"batch", 4}};
    QCOMPARE(textOf(m_probe->untimed(parallel({{"cards", 1}}))), textOf(m_probe->untimed(alone)));
    QCOMPARE(m_probe->measure(alone).categories[Category::GradientBuckets], Bytes{});
}

void TestProbeDataParallel::bucketsHoldAllGradients() {
    m_probe->open("mlp");
    const Measurement m = m_probe->measureTimeline(parallel());
    Bytes sum;
    for (const Bytes bucket : bucketsOf(m)) sum += bucket;
    QVERIFY2(sum.count >= kWeights, qPrintable(QString::number(sum.count)));
    QCOMPARE(m.categories[Category::GradientBuckets], sum);
}

void TestProbeDataParallel::bucketSizeDecidesTheirNumber() {
    m_probe->open("mlp");
    const auto number = [&](int mebibytes) {
        return bucketsOf(m_probe->measureTimeline(parallel({{"bucket_cap_mb", mebibytes}}))).size();
    };
    QCOMPARE(number(1000), std::size_t{1});
    QCOMPARE(number(25), std::size_t{1});
    // The default begins with a bucket of 1 MiB.
    QCOMPARE(number(0), std::size_t{2});
    QVERIFY(number(1) >= number(0));
}

void TestProbeDataParallel::gradientsAreViewsOnRequest() {
    m_probe->open("mlp");
    const Measurement copies = m_probe->measure(parallel({{"static_graph", true}}));
    const Measurement views = m_probe->measure(parallel({{"static_graph", true}, {"gradient_as_bucket_view", true}}));
    QVERIFY(copies.categories[Category::Gradients].count > kWeights / 2);
    QCOMPARE(views.categories[Category::Gradients], Bytes{});
    QCOMPARE(views.categories[Category::GradientBuckets], copies.categories[Category::GradientBuckets]);
    QVERIFY(views.steady.allocated < copies.steady.allocated);
}

void TestProbeDataParallel::frozenLayersAreInNoBucket() {
    m_probe->open("mlp");
    const json all = parallel();
    const Bytes whole = m_probe->measure(all).categories[Category::GradientBuckets];
    const Bytes part = m_probe->measure(with(all, {{"frozen", {"0"}}})).categories[Category::GradientBuckets];
    QCOMPARE((whole - part).count, blocks(257 * 512 * 4));
}

void TestProbeDataParallel::bucketsAreRebuiltInTheSecondIteration() {
    m_probe->open("mlp");
    const Measurement m = m_probe->measureTimeline(with(parallel(), {{"iterations", 2}}));
    const auto buckets = [&](const auto& has) {
        return std::count_if(m.timeline->allocations.begin(), m.timeline->allocations.end(),
                             [&](const Allocation& a) { return a.category == Category::GradientBuckets && has(a); });
    };
    // One for all until the order of the gradients is known, then both sets at once.
    QCOMPARE(buckets([](const Allocation& a) { return a.born < 0 && a.freed >= 0; }), 1);
    QCOMPARE(buckets([](const Allocation& a) { return a.born >= 0 && a.freed < 0; }), 2);
    const Measurement later = m_probe->measureTimeline(parallel());
    QCOMPARE(bucketsOf(later).size(), std::size_t{2});
}

void TestProbeDataParallel::bucketsStayDuringEvaluation() {
    m_probe->open("convnet");
    const json evaluation{{"batch", 4}, {"mode", "eval-after-train"}, {"data_parallel", {{"cards", 2}}}};
    const Measurement m = m_probe->measure(evaluation);
    QVERIFY(m.categories[Category::GradientBuckets] >= m.categories[Category::Weights] - Bytes{512 * 100});
    QCOMPARE(m.categories[Category::Gradients], Bytes{});
}

void TestProbeDataParallel::inferenceHasNoBuckets() {
    m_probe->open("mlp");
    QCOMPARE(m_probe->measure(with(parallel(), {{"mode", "infer"}})).categories[Category::GradientBuckets], Bytes{});
}

void TestProbeDataParallel::columnsStillSumToThePeak() {
    for (const char* name : {"mlp", "convnet", "transformer", "tied"}) {
        m_probe->open(name);
        for (const bool views : {false, true}) {
            const Measurement m = m_probe->measure(parallel({{"gradient_as_bucket_view", views}}));
            QCOMPARE(m.categories.total(), m.steady.allocated);
            QCOMPARE(sumOf(m, &LayerUse::liveAtPeak), m.steady.allocated);
        }
    }
}

void TestProbeDataParallel::unusedParametersAreAnErrorUnlessLookedFor() {
    m_probe->open("unused");
    const json answer = m_probe->measureAnswer(parallel());
    QCOMPARE(errorCode(answer), "step_failed");
    QVERIFY2(errorMessage(answer).contains("find_unused_parameters"), qPrintable(errorMessage(answer)));
    m_probe->measure(parallel({{"find_unused_parameters", true}}));
}

void TestProbeDataParallel::modelWithoutParametersHasNothingToReduce() {
    m_probe->open("noweights");
    const json answer = m_probe->measureAnswer(with(parallel(), {{"inputs", {"float32[B,4]"}}, {"loss", "mean"}}));
    QCOMPARE(errorCode(answer), "setting_invalid");
}

void TestProbeDataParallel::bucketsCountAgainstTheCard() {
    m_probe->open("mlp");
    const Measurement free = m_probe->measure(parallel());
    const std::int64_t enough = free.highest().reserved.count;
    QVERIFY(!m_probe->measure(parallel(), enough).outOfMemory);
    QVERIFY(!m_probe->measure({{"batch", 4}}, enough - (2 << 20)).outOfMemory);
    QVERIFY(m_probe->measure(parallel(), enough - (4 << 20)).outOfMemory);
}

QTEST_GUILESS_MAIN(TestProbeDataParallel)
#include "tst_dataparallel.moc"
