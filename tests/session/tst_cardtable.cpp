// SPDX-License-Identifier: Apache-2.0
#include "engine/session/cardtable.h"
#include "tests/session/sessiontesting.h"

#include <QTest>

#include <map>

using namespace tidemark;
using namespace tidemark::testing;

namespace {

Gpu cardOf(const char* id, int major, std::int64_t gibibytes, bool supported = true) {
    Gpu gpu = gpuNamed(id);
    gpu.name = gpu.label = id;
    gpu.capabilityMajor = major;
    gpu.multiprocessors = 10;
    gpu.memory = kGiB * gibibytes;
    gpu.supported = supported;
    return gpu;
}

}  // namespace

class TestCardTable : public QObject {
    Q_OBJECT
private slots:
    void everySupportedCardIsAnsweredOnce();
    void largestBatchIsTheLastThatFits();
    void equalCardsAreSearchedOnce();
    void failingModelIsAnError();
    void stopEndsIt();

private:
    std::map<std::string, CardRow> rowsOf(std::int64_t largest) {
        FakeModels models;
        std::map<std::string, CardRow> rows;
        m_answers = 0;
        m_error = planCards(fakeInstallation(FAKEPROBE), {models.write("net.pt"), {}, m_cards, {}, largest},
                            [&](const CardRow& row) {
                                ++m_answers;
                                rows[row.gpu.id] = row;
                            });
        return rows;
    }

    std::vector<Gpu> m_cards{cardOf("small", 8, 1), cardOf("old", 6, 8, false), cardOf("large", 8, 16),
                             cardOf("other", 9, 16), cardOf("twin", 8, 16)};
    int m_answers = 0;
    std::optional<Error> m_error;
};

void TestCardTable::everySupportedCardIsAnsweredOnce() {
    const auto rows = rowsOf(0);
    QVERIFY(!m_error);
    QCOMPARE(m_answers, 4);
    QCOMPARE(rows.size(), std::size_t(4));
    QVERIFY(!rows.contains("old"));
    QVERIFY(!rows.at("small").fit.fits());
    QVERIFY(rows.at("large").fit.fits());
    QVERIFY(!rows.at("large").largest);
    QCOMPARE(rows.at("small").measuredAs, rows.at("large").measuredAs);
}

void TestCardTable::largestBatchIsTheLastThatFits() {
    const auto rows = rowsOf(1 << 12);
    // Weights 36 MiB with gradients and two states, buffers 2 MiB, 2 MiB temporary; two blocks of 16 MiB an example.
    const auto fits = [](std::int64_t batch, Bytes limit) {
        const Bytes fixed = Bytes{4 * (4096 + 36 * kMiB.count)} + kMiB * 4;
        return fixed + Bytes{(2 * 16 * kMiB.count + 3 * 64 * 64 * 4) * batch} <= limit;
    };
    for (const auto& [id, row] : rows) {
        QVERIFY2(row.largest && !row.largest->limitReached, id.c_str());
        QVERIFY2(row.largest->batch > 0 && fits(row.largest->batch, row.gpu.memory), id.c_str());
        QVERIFY2(!fits(row.largest->batch + 1, row.gpu.memory), id.c_str());
    }
    QCOMPARE(rows.at("twin").largest->batch, rows.at("large").largest->batch);
}

void TestCardTable::equalCardsAreSearchedOnce() {
    const auto measurements = [](const std::vector<Gpu>& cards) {
        FakeModels models;
        models.startLog();
        planCards(fakeInstallation(FAKEPROBE), {models.write("net.pt"), {}, cards, {}, 1 << 12}, [](const CardRow&) {});
        return models.log().filter("measure").size();
    };
    QVERIFY(measurements({m_cards[2]}) > 2);
    QCOMPARE(measurements({m_cards[2], m_cards[4]}), measurements({m_cards[2]}));
}

void TestCardTable::failingModelIsAnError() {
    FakeModels models;
    const QString model = models.write("net.pt", R"({"open_error": "not_torch_script"})");
    const auto error = planCards(fakeInstallation(FAKEPROBE), {model, {}, m_cards, {}, 0}, [](const CardRow&) {});
    QVERIFY(error);
    QCOMPARE(error->code, ErrorCode::NotTorchScript);
}

void TestCardTable::stopEndsIt() {
    FakeModels models;
    std::stop_source source;
    int rows = 0;
    planCards(
        fakeInstallation(FAKEPROBE), {models.write("net.pt"), {}, std::vector<Gpu>(40, cardOf("same", 8, 16)), {}, 0},
        [&](const CardRow&) {
            if (++rows == 3) source.request_stop();
        },
        source.get_token());
    QCOMPARE(rows, 3);
}

QTEST_GUILESS_MAIN(TestCardTable)
#include "tst_cardtable.moc"
