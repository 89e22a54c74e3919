// SPDX-License-Identifier: Apache-2.0
#include "engine/snapshot/pickle.h"
#include "engine/snapshot/snapshot.h"
#include "engine/snapshot/snapshotexport.h"

#include <QTest>

#include <random>

using namespace tidemark;

namespace {

/// Two segments, weights from before, a temporary, a saved activation, a block from before that goes.
Timeline step() {
    Timeline t;
    t.events = 5;
    t.ops = {"aten::conv2d"};
    t.sources = {{"/models/net.py", 1, "x = self.conv(x)\n"}};
    t.lines = {{0, 1}};
    t.segments = {{-1, -1, 0x1000000, Bytes{1 << 21}}, {1, -1, 0x2000000, Bytes{20 << 20}}};
    t.allocations = {{-1, -1, Bytes{4096}, Category::Weights, 0, -1, -1, -1, 0x1000000},
                     {0, 2, Bytes{512}, Category::Temporary, 0, 0, -1, 0, 0x1001000},
                     {1, -1, Bytes{3 << 20}, Category::Activations, 0, 0, -1, 0, 0x2000000},
                     {-1, 3, Bytes{1024}, Category::Gradients, 0, -1, -1, -1, 0x1002000},
                     {4, -1, Bytes{1024}, Category::Gradients, 0, 0, -1, 0, 0x1002000}};
    return t;
}

ModelInfo model() {
    ModelInfo m;
    m.layers.resize(1);
    m.layers[0].name = "Net";
    return m;
}

std::string errorOf(std::string_view bytes) {
    const auto read = readSnapshot(bytes, "s.pickle");
    return read.ok() ? std::string() : read.error().message.english();
}

}  // namespace

class TestSnapshot : public QObject {
    Q_OBJECT
private slots:
    void exportedStepReadsBackWithItsCourse();
    void framesNameTheLine();
    void refusesWhatIsNoData_data();
    void refusesWhatIsNoData();
    void cutFilesAreRefused();
    void randomBytesNeverCrash();
    void sharedAndCyclicValuesAreFine();
    void stepIsFoundInALongerHistory();
};

void TestSnapshot::exportedStepReadsBackWithItsCourse() {
    const Timeline t = step();
    const auto read = readSnapshot(snapshotPickle(t, model()), "s.pickle");
    QVERIFY2(read.ok(), read.ok() ? "" : read.error().message.english().c_str());
    const auto expected = allocatedAfter(t);
    QCOMPARE(read.value().allocated.size(), expected.size());
    for (std::size_t i = 0; i < expected.size(); ++i) QCOMPARE(read.value().allocated[i].count, expected[i].count);
    QCOMPARE(read.value().peak().count, std::int64_t(4096 + 512 + 1024 + (3 << 20)));
    QCOMPARE(read.value().reserved.count, std::int64_t(22 << 20));
}

void TestSnapshot::framesNameTheLine() {
    const auto read = readSnapshot(snapshotPickle(step(), model()), "s.pickle");
    QVERIFY(read.ok());
    for (const Allocation& block : read.value().blocks)
        if (block.born >= 0) QCOMPARE(read.value().frames[block.op], std::string("net.py:1 Net"));
}

void TestSnapshot::refusesWhatIsNoData_data() {
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<QString>("says");
    QTest::newRow("empty file") << QByteArray() << "is empty";
    QTest::newRow("text") << QByteArray("hello\n") << "is no pickle";
    QTest::newRow("zip archive") << QByteArray("PK\x03\x04") << "is no pickle";
    QTest::newRow("a call of os.system") << QByteArray("cos\nsystem\n(S'true'\ntR.") << "is no pickle";
    QTest::newRow("the same in a dictionary")
        << QByteArray("(S'segments'\ncos\nsystem\n(S'true'\ntRd.") << "wants to use os.system";
    QTest::newRow("the same in protocol 4")
        << QByteArray("\x80\x04\x8c\x02os\x8c\x06system\x93\x8c\x04true\x85R.", 26) << "wants to use Python objects";
    QTest::newRow("a reduce without a name") << QByteArray("\x80\x02K\x01K\x02R.", 8) << "is not data";
    QTest::newRow("a number") << QByteArray("\x80\x02K\x01.", 5) << "no memory snapshot";
    QTest::newRow("another dictionary") << QByteArray(
                                               "\x80\x02}X\x01\x00\x00\x00"
                                               "aK\x01s.",
                                               13)
                                        << "no memory snapshot";
    QTest::newRow("no history") << QByteArray(
                                       "\x80\x02}(X\x08\x00\x00\x00segments]X\x0d\x00\x00\x00"
                                       "device_traces]u.",
                                       40)
                                << "holds no history";
    QTest::newRow("values from an empty stack") << QByteArray("\x80\x02s.", 4) << "not there";
    QTest::newRow("items put into a number") << QByteArray(
                                                    "\x80\x02K\x01K\x02"
                                                    "a.",
                                                    8)
                                             << "where none can be";
    QTest::newRow("a text longer than the file") << QByteArray(
                                                        "\x80\x02X\xff\xff\xff\x7f"
                                                        "a.",
                                                        9)
                                                 << "ends in the middle";
}

void TestSnapshot::refusesWhatIsNoData() {
    QFETCH(QByteArray, bytes);
    QFETCH(QString, says);
    const std::string error = errorOf(std::string_view(bytes.constData(), static_cast<std::size_t>(bytes.size())));
    QVERIFY2(QString::fromStdString(error).contains(says), error.c_str());
    QVERIFY(error.starts_with("s.pickle ") && error.ends_with('.'));
}

void TestSnapshot::cutFilesAreRefused() {
    const std::string whole = snapshotPickle(step(), model());
    for (std::size_t length = 0; length < whole.size(); ++length)
        QVERIFY2(!errorOf(std::string_view(whole).substr(0, length)).empty(), std::to_string(length).c_str());
}

void TestSnapshot::randomBytesNeverCrash() {
    const std::string whole = snapshotPickle(step(), model());
    std::mt19937 random(5);
    int refused = 0;
    for (int round = 0; round < 3000; ++round) {
        std::string damaged = whole;
        for (int i = 0; i < 1 + round % 5; ++i)
            damaged[2 + random() % (damaged.size() - 2)] = static_cast<char>(random());
        refused += !errorOf(damaged).empty();
    }
    QVERIFY(refused > 100);
}

void TestSnapshot::sharedAndCyclicValuesAreFine() {
    // a = [a, 7]: a list that holds itself
    const auto read = Pickle::read(std::string_view("\x80\x02]q\x00(h\x00K\x07"
                                                    "e.",
                                                    12),
                                   "s");
    QVERIFY(read.ok());
    const Pickle& pickle = read.value();
    QCOMPARE(pickle.items(pickle.root()).size(), std::size_t(2));
    QCOMPARE(pickle.items(pickle.root())[0], pickle.root());
    QCOMPARE(pickle.integer(pickle.items(pickle.root())[1]), 7);
}

void TestSnapshot::stepIsFoundInALongerHistory() {
    std::mt19937 random(3);
    std::vector<Bytes> history;
    for (int i = 0; i < 20000; ++i) history.push_back(Bytes{512 * static_cast<std::int64_t>(random() % 100000)});
    const std::vector<Bytes> wanted(history.begin() + 7321, history.begin() + 8000);
    QCOMPARE(bestOffset(history, wanted), 7321);
    QCOMPARE(bestOffset(wanted, history), 0);
}

QTEST_APPLESS_MAIN(TestSnapshot)
#include "tst_snapshot.moc"
