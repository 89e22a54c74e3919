// SPDX-License-Identifier: Apache-2.0
#include "engine/base/bytes.h"

#include <QTest>

using namespace tidemark;

class TestBytes : public QObject {
    Q_OBJECT
private slots:
    void unitFollowsTheSize_data();
    void unitFollowsTheSize();
    void decimalUnitsAreLarger();
    void mebibytesKeepOneDecimal();
    void readsWhatPeopleWrite_data();
    void readsWhatPeopleWrite();
    void refusesWhatIsNoSize_data();
    void refusesWhatIsNoSize();
    void formattedSizesReadBack();
};

void TestBytes::unitFollowsTheSize_data() {
    QTest::addColumn<qint64>("count");
    QTest::addColumn<QString>("text");
    QTest::newRow("nothing") << qint64(0) << "0 B";
    QTest::newRow("just below a KiB") << qint64(1023) << "1023 B";
    QTest::newRow("one KiB") << qint64(1024) << "1.00 KiB";
    QTest::newRow("MiB") << qint64(8519680) << "8.12 MiB";
    QTest::newRow("GiB") << (qint64(28) << 30) << "28.0 GiB";
    QTest::newRow("negative") << -qint64(13107200) << "−12.5 MiB";
}

void TestBytes::unitFollowsTheSize() {
    QFETCH(qint64, count);
    QFETCH(QString, text);
    QCOMPARE(QString::fromStdString(formatBytes(Bytes{count})), text);
}

void TestBytes::decimalUnitsAreLarger() {
    QCOMPARE(QString::fromStdString(formatBytes(Bytes{24'000'000'000}, ByteUnits::Decimal)), QString("24.0 GB"));
    QCOMPARE(QString::fromStdString(formatBytes(Bytes{24'000'000'000})), QString("22.4 GiB"));
}

void TestBytes::mebibytesKeepOneDecimal() {
    QCOMPARE(QString::fromStdString(formatMebibytes(kGiB * 2 + kMiB * 820)), QString("2868.0 MiB"));
    QCOMPARE(QString::fromStdString(formatMebibytes(-kMiB)), QString("−1.0 MiB"));
}

void TestBytes::readsWhatPeopleWrite_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<qint64>("count");
    QTest::newRow("plain bytes") << "1073741824" << (qint64(1) << 30);
    QTest::newRow("GiB") << "24 GiB" << (qint64(24) << 30);
    QTest::newRow("decimal") << "500MB" << qint64(500'000'000);
    QTest::newRow("bare letter is binary") << "1.5g" << (qint64(3) << 29);
    QTest::newRow("spaces around") << "  2 KiB " << qint64(2048);
}

void TestBytes::readsWhatPeopleWrite() {
    QFETCH(QString, text);
    QFETCH(qint64, count);
    Bytes bytes;
    QVERIFY(parseBytes(text.toStdString(), &bytes));
    QCOMPARE(bytes.count, count);
}

void TestBytes::refusesWhatIsNoSize_data() {
    QTest::addColumn<QString>("text");
    for (const char* text : {"", "GiB", "-1 GiB", "12 parsecs", "1e300 TiB", "nan", "5 MiBs"}) QTest::newRow(text) << text;
}

void TestBytes::refusesWhatIsNoSize() {
    QFETCH(QString, text);
    Bytes bytes{77};
    QVERIFY(!parseBytes(text.toStdString(), &bytes));
    QCOMPARE(bytes.count, std::int64_t(77));
}

void TestBytes::formattedSizesReadBack() {
    for (std::int64_t count = 1; count < (std::int64_t(1) << 45); count = count * 3 + 1) {
        Bytes back;
        QVERIFY(parseBytes(formatBytes(Bytes{count}), &back));
        QVERIFY(std::abs(back.count - count) <= count / 150);
    }
}

QTEST_APPLESS_MAIN(TestBytes)
#include "tst_bytes.moc"
