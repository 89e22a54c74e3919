// SPDX-License-Identifier: Apache-2.0
#include "engine/plan/axissweep.h"

#include <QTest>

using namespace tidemark;

class TestAxisSweep : public QObject {
    Q_OBJECT
private slots:
    void rangesAreRead_data();
    void rangesAreRead();
    void otherTextsAreRefused_data();
    void otherTextsAreRefused();
    void axesComeFromTheInputs();
    void settingAnAxisIsReadBack();
    void rangeHoldsThePresentSize();
};

void TestAxisSweep::rangesAreRead_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("sizes");
    QTest::newRow("list") << "S=512,128,128"
                          << "128 512";
    QTest::newRow("doubling") << "S=128..1024"
                              << "128 256 512 1024";
    QTest::newRow("doubling to an odd end") << "S=100..500"
                                            << "100 200 400 500";
    QTest::newRow("steps") << "B=8..32:8"
                           << "8 16 24 32";
    QTest::newRow("one") << "B=4..4"
                         << "4";
}

void TestAxisSweep::rangesAreRead() {
    QFETCH(QString, text);
    const auto range = parseAxisRange(text.toStdString());
    QVERIFY(range.ok());
    QCOMPARE(QString::fromStdString(range.value().axis), text.left(1));
    QStringList sizes;
    for (const std::int64_t size : range.value().sizes) sizes << QString::number(size);
    QTEST(sizes.join(' '), "sizes");
}

void TestAxisSweep::otherTextsAreRefused_data() {
    QTest::addColumn<QString>("text");
    for (const char* text :
         {"", "S", "=1", "S=", "S=0", "S=-4", "S=a", "S=4..", "S=8..4", "S=1..9:0", "S=1..9:x", "S=1..9000:1"})
        QTest::newRow(text) << text;
}

void TestAxisSweep::otherTextsAreRefused() {
    QFETCH(QString, text);
    const auto range = parseAxisRange(text.toStdString());
    QVERIFY(!range.ok());
    QCOMPARE(range.error().code, ErrorCode::SettingInvalid);
}

void TestAxisSweep::axesComeFromTheInputs() {
    ModelInfo model;
    model.inputs = {parseInputSpec("int64[S=128,B]").value(), parseInputSpec("float32[B,S,D]").value()};
    QCOMPARE(axesOf(model, {}), (std::vector<std::string>{"B", "S", "D"}));
    QCOMPARE(sizeOfAxis(model, {}, "S"), 128);
    QCOMPARE(sizeOfAxis(model, {}, "D"), 0);
    Settings own;
    own.inputs = {parseInputSpec("int64[B,T]").value()};
    QCOMPARE(axesOf(model, own), (std::vector<std::string>{"B", "T"}));
}

void TestAxisSweep::settingAnAxisIsReadBack() {
    ModelInfo model;
    model.inputs = {parseInputSpec("int64[B,S=128]").value()};
    for (const char* axis : {"B", "S"}) QCOMPARE(sizeOfAxis(model, withAxis({}, axis, 77), axis), 77);
}

void TestAxisSweep::rangeHoldsThePresentSize() {
    for (const std::int64_t size : {1, 2, 8, 32, 512}) {
        const AxisRange range = rangeAround("S", size, 8);
        QCOMPARE(range.sizes.size(), std::size_t(8));
        QVERIFY(std::find(range.sizes.begin(), range.sizes.end(), size) != range.sizes.end());
        QVERIFY(range.sizes.front() >= 1);
    }
}

QTEST_APPLESS_MAIN(TestAxisSweep)
#include "tst_axissweep.moc"
