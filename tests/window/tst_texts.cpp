// SPDX-License-Identifier: Apache-2.0
// Every view has room for its texts, in each language and theme, in a large and a small window.
#include "app/window/language.h"
#include "app/window/mainwindow.h"
#include "tests/window/clippedtexts.h"
#include "tests/window/synthetic.h"
#include "tests/window/views.h"

#include <QFile>
#include <QLabel>
#include <QSettings>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>
#include <QTranslator>

using namespace tidemark;

class TextsTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() {
        QStandardPaths::setTestModeEnabled(true);
        QCoreApplication::setOrganizationName("tidemark-test");
        QCoreApplication::setApplicationName("tst_texts");
    }
    void cleanup() {
        for (QTranslator* translator : qApp->findChildren<QTranslator*>()) {
            QCoreApplication::removeTranslator(translator);
            delete translator;
        }
    }

    void cutTextsAreFound() {
        QWidget window;
        auto* label = new QLabel("a text that is longer than its label", &window);
        label->setGeometry(0, 0, 40, 20);
        window.show();
        QCOMPARE(testing::clippedTexts(&window).size(), 1);
        label->resize(label->sizeHint());
        window.resize(label->size());
        QCOMPARE(testing::clippedTexts(&window), QStringList());
    }

    void textsHaveTheRoomTheyNeed_data() {
        QTest::addColumn<QString>("language");
        QTest::newRow("English") << "en";
        if (availableLanguages().contains("zh_CN")) QTest::newRow("Chinese") << "zh_CN";
    }
    void textsHaveTheRoomTheyNeed() {
        QFETCH(QString, language);
        QSettings().clear();
        installLanguage(*qApp, language);
        const QTemporaryDir folder;
        QFile model(folder.filePath("resnet50.pt"));
        QVERIFY(model.open(QIODevice::WriteOnly) && model.write("PK") == 2);
        model.close();
        Installation installation = Installation::find();
        installation.probe = QStringLiteral(FAKE_PROBE);
        MainWindow window(installation, syntheticGpus());
        int views = 0;
        QStringList cut;
        testing::visitViews(window, model.fileName(), folder.path(), [&](QWidget* view, const QString& name) {
            ++views;
            for (const QString& text : testing::clippedTexts(view)) cut << name + ": " + text;
        });
        QVERIFY(views > 30);
        QVERIFY2(cut.isEmpty(), qUtf8Printable(cut.join('\n')));
    }
};

QTEST_MAIN(TextsTest)
#include "tst_texts.moc"
