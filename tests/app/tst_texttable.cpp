// SPDX-License-Identifier: Apache-2.0
#include "app/commandline/texttable.h"

#include <QTest>

using namespace tidemark;

class TestTextTable : public QObject {
    Q_OBJECT
private slots:
    void columnsAlign();
    void titlesMayBeAbsent();
    void csvQuotesWhatNeedsIt();
    void numbersAreGrouped();
    void percentagesSayALittle();
};

void TestTextTable::columnsAlign() {
    TextTable table({{"Name"}, {"Size", Align::Right}, {""}});
    table.add({"a", "1.0 MiB", "x"});
    table.add({"long → name", "−12.5 MiB", ""});
    QCOMPARE(QString::fromStdString(table.text()), QString("Name              Size\n"
                                                           "a              1.0 MiB  x\n"
                                                           "long → name  −12.5 MiB\n"));
}

void TestTextTable::titlesMayBeAbsent() {
    TextTable table({{""}, {""}});
    table.add({"a", "b"});
    QCOMPARE(table.text("  "), std::string("  a  b\n"));
}

void TestTextTable::csvQuotesWhatNeedsIt() {
    TextTable table({{"a"}, {"b"}});
    table.add({"plain", "float32[1, 2]"});
    table.add({"say \"x\"", ""});
    QCOMPARE(table.csv(), std::string("a,b\nplain,\"float32[1, 2]\"\n\"say \"\"x\"\"\",\n"));
}

void TestTextTable::numbersAreGrouped() {
    QCOMPARE(grouped(0), std::string("0"));
    QCOMPARE(grouped(999), std::string("999"));
    QCOMPARE(grouped(25557032), std::string("25,557,032"));
    QCOMPARE(grouped(-123456), std::string("-123,456"));
}

void TestTextTable::percentagesSayALittle() {
    QCOMPARE(percentOf(0, 100), std::string("0 %"));
    QCOMPARE(percentOf(0.01, 100), std::string("<0.1 %"));
    QCOMPARE(percentOf(12.34, 100), std::string("12.3 %"));
    QCOMPARE(percentOf(5, 0), std::string("0 %"));
}

QTEST_APPLESS_MAIN(TestTextTable)
#include "tst_texttable.moc"
