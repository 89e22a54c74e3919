// SPDX-License-Identifier: Apache-2.0
#include "engine/gpus/catalogue.h"

#include <nlohmann/json.hpp>

#include <QTest>

#include <algorithm>
#include <set>

using namespace tidemark;

namespace {

Catalogue shipped() {
    auto catalogue = Catalogue::load(TIDEMARK_CATALOGUE);
    if (!catalogue)
        qFatal("%s %s", catalogue.error().message.english().c_str(), catalogue.error().detail.c_str());
    return catalogue.value();
}

}  // namespace

class CatalogueTest : public QObject {
    Q_OBJECT

private slots:
    void looseNamesMeanTheCard_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("id");
        QTest::newRow("id") << "a100-80gb" << "a100-80gb";
        QTest::newRow("spaces and capitals") << "A100 80GB" << "a100-80gb";
        QTest::newRow("no size: the larger one") << "a100" << "a100-80gb";
        QTest::newRow("other size") << "a100 40gb" << "a100-40gb";
        QTest::newRow("bus") << "A100 PCIe 80GB" << "a100-pcie-80gb";
        QTest::newRow("lower case") << "rtx 4090" << "rtx-4090";
        QTest::newRow("number alone is the desktop card") << "4090" << "rtx-4090";
        QTest::newRow("laptop") << "4090 laptop" << "rtx-4090-laptop";
        QTest::newRow("one word") << "rtx4060ti" << "rtx-4060-ti-8gb";
        QTest::newRow("size chooses") << "4060 ti 16gb" << "rtx-4060-ti-16gb";
        QTest::newRow("h100") << "h100" << "h100";
        QTest::newRow("h100 by bus") << "H100 PCIe" << "h100-pcie";
        QTest::newRow("as the driver says") << "NVIDIA GeForce RTX 5090" << "rtx-5090";
        QTest::newRow("tesla") << "Tesla T4" << "t4";
        QTest::newRow("ada workstation") << "6000 ada" << "rtx-6000-ada";
        QTest::newRow("unsupported cards are found too") << "v100" << "v100-16gb";
    }
    void looseNamesMeanTheCard() {
        QFETCH(QString, name);
        QFETCH(QString, id);
        const auto gpu = shipped().find(name.toStdString());
        QVERIFY2(gpu.ok(), gpu ? "" : gpu.error().message.english().c_str());
        QCOMPARE(QString::fromStdString(gpu.value().id), id);
    }

    void everyNameOfEveryCardFindsIt() {
        const Catalogue catalogue = shipped();
        for (const Gpu& gpu : catalogue.all()) {
            std::vector<std::string> names = gpu.aliases;
            names.push_back(gpu.id);
            names.push_back(gpu.label);
            for (const std::string& name : names) {
                const auto found = catalogue.find(name);
                QVERIFY2(found.ok() && found.value().id == gpu.id, name.c_str());
            }
        }
    }

    void ownCardTakesWhatItLeavesOutFromTheOneItIsLike() {
        Catalogue catalogue = shipped();
        const std::size_t count = catalogue.all().size();
        const auto error = catalogue.addOwn(R"({"schema":"tidemark.own-cards/1","gpus":[
            {"id":"my-4090","label":"My 4090 48GB","like":"rtx-4090","memory":50000000000},
            {"id":"lab","capability":"8.6","multiprocessors":40}]})", "cards.json");
        QVERIFY2(!error, error ? error->detail.c_str() : "");
        QCOMPARE(catalogue.all().size(), count + 2);
        const Gpu own = catalogue.find("my 4090 48gb").value();
        const Gpu like = catalogue.find("rtx-4090").value();
        QCOMPARE(own.memory, Bytes{50000000000});
        QCOMPARE(own.multiprocessors, like.multiprocessors);
        QCOMPARE(own.capability(), like.capability());
        QCOMPARE(own.context.expected, like.context.expected);
        QCOMPARE(catalogue.find("lab").value().multiprocessors, 40);
        QCOMPARE(catalogue.find("4090").value().id, like.id);
    }

    void ownCardReplacesTheOneWithItsId() {
        Catalogue catalogue = shipped();
        const std::size_t count = catalogue.all().size();
        QVERIFY(!catalogue.addOwn(R"({"schema":"tidemark.own-cards/1","gpus":[
            {"id":"rtx-4090","like":"rtx-4090","context":{"expected":7,"low":6,"high":8}}]})", "cards.json"));
        QCOMPARE(catalogue.all().size(), count);
        QCOMPARE(catalogue.find("rtx-4090").value().context.expected, Bytes{7});
    }

    void wrongOwnCardsChangeNothingAndAreNamed_data() {
        QTest::addColumn<QString>("text");
        QTest::newRow("no JSON") << "cards";
        QTest::newRow("another schema") << R"({"schema":"tidemark.own-cards/2","gpus":[]})";
        QTest::newRow("like nothing") << R"({"schema":"tidemark.own-cards/1","gpus":[{"id":"a","like":"rtx-9"}]})";
        QTest::newRow("like none") << R"({"schema":"tidemark.own-cards/1","gpus":[{"id":"a"}]})";
        QTest::newRow("memory below zero")
            << R"({"schema":"tidemark.own-cards/1","gpus":[{"id":"a","like":"t4","memory":-1}]})";
        QTest::newRow("memory as text")
            << R"({"schema":"tidemark.own-cards/1","gpus":[{"id":"a","like":"t4","memory":"48GiB"}]})";
        QTest::newRow("second is wrong")
            << R"({"schema":"tidemark.own-cards/1","gpus":[{"id":"a","like":"t4"},{"id":"b"}]})";
    }
    void wrongOwnCardsChangeNothingAndAreNamed() {
        QFETCH(QString, text);
        Catalogue catalogue = shipped();
        const std::size_t count = catalogue.all().size();
        const auto error = catalogue.addOwn(text.toStdString(), "my-cards.json");
        QVERIFY(error);
        QVERIFY(error->message.english().find("my-cards.json") != std::string::npos);
        QCOMPARE(catalogue.all().size(), count);
    }

    void unknownNamesListTheNearOnes() {
        const auto gpu = shipped().find("rtx 4095");
        QVERIFY(!gpu);
        QCOMPARE(gpu.error().code, ErrorCode::GpuUnknown);
        const QString message = QString::fromStdString(gpu.error().message.english());
        QVERIFY2(message.contains("rtx 4095") && message.contains("RTX 4090"), qPrintable(message));
        QVERIFY2(!message.contains("T4,"), qPrintable(message));
    }

    void namesThatFitSeveralCardsEquallyListThem() {
        const auto gpu = shipped().find("6000");
        QVERIFY(!gpu);
        const QString message = QString::fromStdString(gpu.error().message.english());
        QVERIFY2(message.contains("RTX A6000") && message.contains("RTX 6000 Ada"), qPrintable(message));
    }

    void anEmptyNameIsNoCard() { QVERIFY(!shipped().find(" - ")); }

    void thereAreSixtyCardsOfDistinctIds() {
        std::set<std::string> ids;
        const Catalogue catalogue = shipped();
        for (const Gpu& gpu : catalogue.all())
            ids.insert(gpu.id);
        QCOMPARE(ids.size(), catalogue.all().size());
        QVERIFY(ids.size() >= 60);
    }

    void everyCardHasASourceAndPlausibleFigures() {
        const Catalogue catalogue = shipped();
        for (const Gpu& gpu : catalogue.all()) {
            const char* id = gpu.id.c_str();
            QVERIFY2(!gpu.source.empty() && !gpu.context.source.empty(), id);
            QVERIFY2(!gpu.architecture.empty() && !gpu.label.empty(), id);
            QVERIFY2(gpu.memory > kGiB * 3 && gpu.memory < kGiB * 300, id);
            QVERIFY2(gpu.multiprocessors >= 8 && gpu.multiprocessors <= 200, id);
            QVERIFY2(gpu.threadsPerMultiprocessor % 512 == 0 && gpu.threadsPerMultiprocessor <= 2048, id);
            QVERIFY2(gpu.sharedMemoryPerBlockOptin <= gpu.sharedMemoryPerMultiprocessor, id);
            QVERIFY2(gpu.l2Cache >= kMiB && gpu.l2Cache <= kMiB * 256, id);
            QVERIFY2(gpu.memoryBusWidth % 32 == 0 && gpu.clockKHz > 1000000 && gpu.memoryClockKHz > 500000, id);
            QVERIFY2(gpu.context.low <= gpu.context.expected && gpu.context.expected <= gpu.context.high, id);
            QVERIFY2(gpu.context.low > kMiB * 100 && gpu.context.high < kGiB * 2, id);
        }
    }

    /// The driver keeps a part of the memory on the box for itself, never more than a tenth.
    void memoryIsALittleLessThanOnTheBox() {
        const std::pair<const char*, int> boxes[] = {{"t4", 16},        {"rtx-3090", 24}, {"rtx-4090", 24},
                                                     {"rtx-5090", 32},  {"l4", 24},       {"a100-40gb", 40},
                                                     {"a100-80gb", 80}, {"h100", 80}};
        for (const auto& [id, gib] : boxes) {
            const Bytes memory = shipped().find(id).value().memory;
            QVERIFY2(memory < kGiB * gib && memory.gib() > 0.9 * gib, id);
        }
    }

    void cardsBeforeTuringAreUnsupported() {
        const Catalogue catalogue = shipped();
        for (const Gpu& gpu : catalogue.all())
            QCOMPARE(gpu.supported, gpu.capabilityMajor * 10 + gpu.capabilityMinor >= 75);
    }

    void theNullDeviceIsDescribedWithTheCardsOwnFigures() {
        const Gpu gpu = shipped().find("rtx 3090").value();
        const auto json = nlohmann::json::parse(nullDeviceJson(gpu));
        QCOMPARE(json.at("name").get<std::string>(), gpu.name);
        QCOMPARE(json.at("memory").get<std::int64_t>(), gpu.memory.count);
        QCOMPARE(json.at("capability_major").get<int>(), 8);
        QCOMPARE(json.at("capability_minor").get<int>(), 6);
        QCOMPARE(json.at("multiprocessors").get<int>(), 82);
        QCOMPARE(QString::fromStdString(gpu.capability()), "8.6");
    }

    void aBrokenCatalogueSaysWhichCardIsWrong() {
        const auto catalogue =
            Catalogue::parse(R"({"gpus": [{"id": "mine", "name": "Mine", "capability": "8.6"}]})", "my.json");
        QVERIFY(!catalogue);
        QVERIFY(catalogue.error().message.english().find("my.json") != std::string::npos);
        QVERIFY(catalogue.error().message.english().find("mine") != std::string::npos);
        QVERIFY(!Catalogue::load("/nowhere/gpus.json"));
    }

    void aCardMayOverrideItsCapability() {
        auto json = nlohmann::json::parse(R"({
            "capabilities": {"8.6": {"threads_per_multiprocessor": 1536, "blocks_per_multiprocessor": 16,
                "shared_memory_per_block_optin": 101376, "shared_memory_per_multiprocessor": 102400,
                "context": {"expected": 3, "low": 2, "high": 4, "source": "general"}}},
            "gpus": [{"id": "mine", "name": "Mine", "capability": "8.6", "multiprocessors": 10, "memory": 1000,
                "l2_cache": 1, "memory_bus_width": 64, "clock_khz": 1, "memory_clock_khz": 1,
                "context": {"expected": 30, "low": 20, "high": 40, "source": "measured"}}]})");
        const auto catalogue = Catalogue::parse(json.dump(), "test");
        QVERIFY(catalogue.ok());
        QCOMPARE(catalogue.value().all().front().context.expected.count, 30);
        QCOMPARE(catalogue.value().all().front().blocksPerMultiprocessor, 16);
    }
};

QTEST_GUILESS_MAIN(CatalogueTest)
#include "tst_catalogue.moc"
