// SPDX-License-Identifier: Apache-2.0
#include "widgets/sizebox.h"

#include <QLineEdit>
#include <QSignalSpy>
#include <QTest>

using namespace tidemark;

class SizeBoxTest : public QObject {
    Q_OBJECT

private slots:
    void readsSizesAsPeopleWriteThem_data() {
        QTest::addColumn<QString>("typed");
        QTest::addColumn<int>("mib");
        QTest::newRow("a bare number counts MiB") << "300" << 300;
        QTest::newRow("MiB") << "512 MiB" << 512;
        QTest::newRow("GiB with a fraction") << "1.5 GiB" << 1536;
        QTest::newRow("a short letter is binary") << "2g" << 2048;
        QTest::newRow("decimal units") << "500 MB" << 477;
        QTest::newRow("a share of the whole") << "10 %" << 2400;
    }
    void readsSizesAsPeopleWriteThem() {
        QFETCH(QString, typed);
        QFETCH(int, mib);
        SizeBox box;
        box.setWhole(kMiB * 24000);
        box.findChild<QLineEdit*>()->setText(typed);
        box.interpretText();
        QCOMPARE(box.value(), mib);
    }

    void whatIsNoSizeLeavesTheValue() {
        SizeBox box;
        box.setBytes(kMiB * 700);
        for (const char* words : {"much", "5 parsecs", "10 %", "-3"}) {
            box.findChild<QLineEdit*>()->setText(words);
            box.interpretText();
            QCOMPARE(box.value(), 700);
        }
    }

    void shownTextReadsBackAsTheSameValue() {
        SizeBox box;
        for (int mib = 0; mib < 40000; mib += 37) {
            box.setValue(mib);
            const QString shown = box.text();
            box.setValue(mib + 1);
            box.findChild<QLineEdit*>()->setText(shown);
            box.interpretText();
            QCOMPARE(box.value(), mib);
        }
        box.setBytes(kGiB * 48);
        QCOMPARE(box.text(), QStringLiteral("48 GiB"));
    }
};

QTEST_MAIN(SizeBoxTest)
#include "tst_sizebox.moc"
