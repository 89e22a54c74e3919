// SPDX-License-Identifier: Apache-2.0
#include "app/window/language.h"
#include "app/window/mainwindow.h"
#include "engine/plan/errors.h"
#include "widgets/text.h"

#include <QCoreApplication>
#include <QDirIterator>
#include <QFile>
#include <QLibraryInfo>
#include <QProcess>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>
#include <QXmlStreamReader>

#include <nlohmann/json.hpp>

#include <algorithm>

using namespace tidemark;

namespace {

struct Entry {
    QString source;
    QString translation;
    bool unfinished = false;
};

std::vector<Entry> messagesOf(const QString& path) {
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly)) return {};
    QXmlStreamReader xml(&file);
    std::vector<Entry> messages;
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

/// The places that values are put into, in order: %1 of the window's texts, {} and {0} of the engine's.
QStringList placesOf(const QString& text) {
    static const QRegularExpression place("%(\\d|n)|\\{(\\d?)\\}");
    QStringList places;
    int next = 0;
    for (auto found = place.globalMatch(text); found.hasNext();) {
        const QString captured = found.next().captured();
        places << (captured == "{}" ? QStringLiteral("{%1}").arg(next++) : captured);
    }
    std::sort(places.begin(), places.end());
    return places;
}

/// The words that the engine's sources mark with Message::tr.
QStringList wordsOfTheEngine() {
    static const QRegularExpression marked(R"re(Message::tr\(\s*((?:"(?:[^"\\]|\\.)*"\s*)+))re");
    static const QRegularExpression piece(R"re("((?:[^"\\]|\\.)*)")re");
    QStringList words;
    for (QDirIterator files(ENGINE_SOURCES, {"*.cpp", "*.h"}, QDir::Files, QDirIterator::Subdirectories); files.hasNext();) {
        QFile file(files.next());
        if (!file.open(QIODevice::ReadOnly)) continue;
        const QString text = QString::fromUtf8(file.readAll());
        for (auto found = marked.globalMatch(text); found.hasNext();) {
            QString joined;
            for (auto part = piece.globalMatch(found.next().captured(1)); part.hasNext();)
                joined += part.next().captured(1);
            words << joined.replace("\\\"", "\"");
        }
    }
    return words;
}

}  // namespace

class LanguageTest : public QObject {
    Q_OBJECT

private slots:
    void translationsKeepThePlacesOfValues() {
        const auto messages = messagesOf(TRANSLATIONS "/tidemark_zh_CN.ts");
        QVERIFY(messages.size() > 500);
        for (const Entry& message : messages) {
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
        QCOMPARE(QCoreApplication::translate("QPlatformTheme", "Cancel"), QStringLiteral("取消"));
        QVERIFY(languageName("zh_CN").contains(QStringLiteral("中文")));
    }

    void everySentenceOfTheEngineIsTranslated() {
        if (!availableLanguages().contains("zh_CN")) QSKIP("this build has no lrelease");
        installLanguage(*qApp, "zh_CN");
        const QStringList words = wordsOfTheEngine();
        QVERIFY(words.size() > 150);
        for (const QString& sentence : words) {
            const Message message = Message::tr(qUtf8Printable(sentence));
            QVERIFY2(localText(message) != sentence, qPrintable(sentence));
        }
    }

    void answersOfTheProbeAreSaidInTheLanguageOfTheWindow() {
        if (!availableLanguages().contains("zh_CN")) QSKIP("this build has no lrelease");
        installLanguage(*qApp, "zh_CN");
        const Error failure{
            ErrorCode::StepFailed,
            Message::tr("The model failed in {} ({}): {}", "fc", Message::tr("backward{}", " 2"), "sizes differ"),
            {}};
        const nlohmann::json answer = toJson(failure);
        QCOMPARE(answer["message"], "The model failed in fc (backward 2): sizes differ");
        QCOMPARE(localText(errorFromJson(answer).message), QStringLiteral("模型在 fc 处出错（反向 2）：sizes differ"));
        // Values that are no messages keep their words, also where those are the engine's own elsewhere.
        QCOMPARE(localText(Message::tr("{} is empty.", "free")), QStringLiteral("free 是空文件。"));
        QCOMPARE(localText("free"), QStringLiteral("free"));
    }

    void translationsAreUpToDate() {
        const QString lupdate = QLibraryInfo::path(QLibraryInfo::BinariesPath) + "/lupdate";
        if (!QFile::exists(lupdate)) QSKIP("this machine has no lupdate");
        const QTemporaryDir folder;
        const QString copy = folder.filePath("tidemark_zh_CN.ts");
        QVERIFY(QFile::copy(TRANSLATIONS "/tidemark_zh_CN.ts", copy));
        QProcess process;
        process.setWorkingDirectory(QFileInfo(ENGINE_SOURCES).path());
        process.start(lupdate, {"app", "widgets", "engine", "-I", ".", "-locations", "none", "-no-obsolete", "-ts", copy});
        QVERIFY(process.waitForFinished(120'000) && process.exitCode() == 0);
        const auto messages = messagesOf(copy);
        for (const Entry& message : messages) QVERIFY2(!message.unfinished, qPrintable(message.source));
        QCOMPARE(messages.size(), messagesOf(TRANSLATIONS "/tidemark_zh_CN.ts").size());
    }
};

QTEST_MAIN(LanguageTest)
#include "tst_language.moc"
