// SPDX-License-Identifier: Apache-2.0
#include "widgets/theme.h"

#include <QTest>

using namespace tidemark;

class ThemeTest : public QObject {
    Q_OBJECT

private slots:
    void contrastIsThatOfWcag() {
        QCOMPARE(contrastOf(Qt::black, Qt::white), 21.0);
        QCOMPARE(contrastOf(Qt::white, Qt::black), 21.0);
        QCOMPARE(contrastOf(QColor("#777777"), QColor("#777777")), 1.0);
        // The grey that is known to fail by a hair.
        QVERIFY(contrastOf(QColor("#777777"), Qt::white) < 4.5 && contrastOf(QColor("#767676"), Qt::white) >= 4.5);
    }

    void textsReadOnAllGrounds_data() {
        QTest::addColumn<bool>("dark");
        QTest::newRow("light") << false;
        QTest::newRow("dark") << true;
    }
    void textsReadOnAllGrounds() {
        QFETCH(bool, dark);
        const Theme t = dark ? Theme::darkTheme() : Theme::light();
        for (const QColor& ink : {t.text, t.mutedText, t.accent, t.good, t.caution, t.bad,
                                  t.palette().color(QPalette::PlaceholderText)})
            for (const QColor& ground : {t.window, t.surface, t.raised, t.selection})
                QVERIFY2(contrastOf(ink, ground) >= 4.5,
                         qPrintable(ink.name() + " on " + ground.name() + ": " + QString::number(contrastOf(ink, ground))));
        QVERIFY(contrastOf(t.accentText, t.accent) >= 4.5);
    }

    void inkReadsOnEveryCategory() {
        for (const Category category : kCategories) QVERIFY(contrastOf(inkOn(categoryColor(category)), categoryColor(category)) >= 4.5);
    }
};

QTEST_APPLESS_MAIN(ThemeTest)
#include "tst_theme.moc"
