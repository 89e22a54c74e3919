// SPDX-License-Identifier: Apache-2.0
#include "app/window/language.h"
#include "app/window/mainwindow.h"

#include <QCoreApplication>
#include <QFile>
#include <QRegularExpression>
#include <QTest>
#include <QXmlStreamReader>

#include <algorithm>

using namespace tidemark;

namespace {

struct Message {
    QString source;
    QString translation;
    bool unfinished = false;
};

std::vector<Message> messagesOf(const QString& path) {
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly)) return {};
    QXmlStreamReader xml(&file);
    std::vector<Message> messages;
    while (!xml.atEnd()) {
        if (xml.readNext() != QXmlStreamReader::StartElement) continue;
        if (xml.name() == QLatin1String("message")) messages.emplace_back();
        if (xml.name() == QLatin1String("source")) messages.back().source = xml.readElementText();
        if (xml.name() == QLatin1String("translation")) {
            messages.back().unfinished = xml.attributes().hasAttribute("type");
            messages.back().translation = xml.readElementText(QXmlStreamReader::IncludeChildElements).trimmed();
        }
    }
    return messages;
}

/// The places that values are put into, in order.
QStringList placesOf(const QString& text) {
    static const QRegularExpression place("%(\\d|n)");
    QStringList places;
    for (auto found = place.globalMatch(text); found.hasNext();) places << found.next().captured();
    std::sort(places.begin(), places.end());
    return places;
}

}  // namespace

class LanguageTest : public QObject {
    Q_OBJECT

private slots:
    void translationsKeepThePlacesOfValues() {
        const auto messages = messagesOf(TRANSLATIONS "/tidemark_zh_CN.ts");
        QVERIFY(messages.size() > 500);
        for (const Message& message : messages) {
            QVERIFY2(!message.unfinished, qPrintable(message.source));
            // Chinese has no article.
            if (message.source == "an %1" || message.source == "a %1") continue;
            QVERIFY2(placesOf(message.source) == placesOf(message.translation), qPrintable(message.source));
        }
    }

    void chosenLanguageReachesTheWindow() {
        if (!availableLanguages().contains("zh_CN")) QSKIP("this build has no lrelease");
        QCOMPARE(MainWindow::tr("Comparison"), QStringLiteral("Comparison"));
        installLanguage(*qApp, "zh_CN");
        QCOMPARE(MainWindow::tr("Comparison"), QStringLiteral("比较"));
        // Contexts outside of the namespace are found as well.
        QCOMPARE(QCoreApplication::translate("Verdict", "Does not fit %1"), QStringLiteral("%1 放不下"));
        QVERIFY(languageName("zh_CN").contains(QStringLiteral("中文")));
    }
};

QTEST_MAIN(LanguageTest)
#include "tst_language.moc"
