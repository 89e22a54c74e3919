// SPDX-License-Identifier: Apache-2.0
#include "engine/nullgpu/cudnn_answers.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <thread>
#include <vector>

using namespace tidemark::nullgpu;

namespace {

Digest named(std::int64_t number) {
    return Digest().add(number);
}

Answer answerOf(std::int64_t number) {
    const auto letter = static_cast<char>('a' + number % 26);
    return {static_cast<int>(number), number, std::vector<char>(static_cast<std::size_t>(number % 40), letter)};
}

const Digest kKey = named(-1);

}  // namespace

class AnswersTest : public QObject {
    Q_OBJECT

private:
    QTemporaryDir m_folder;
    int m_files = 0;

    std::string newPath() { return m_folder.filePath(QStringLiteral("%1/it.answers").arg(m_files++)).toStdString(); }

    static void write(const std::string& path, std::int64_t from, std::int64_t to) {
        AnswerFile file(path, kKey);
        for (std::int64_t i = from; i < to; ++i)
            file.keep(named(i), answerOf(i));
        file.flush();
    }

    static bool knows(const std::string& path, std::int64_t number) {
        const AnswerFile file(path, kKey);
        return file.find(named(number)) == answerOf(number);
    }

private slots:
    void nextProcessFindsWhatWasKept() {
        const std::string path = newPath();
        write(path, 0, 50);
        write(path, 50, 60);
        for (std::int64_t i = 0; i < 60; ++i)
            QVERIFY(knows(path, i));
        QVERIFY(!AnswerFile(path, kKey).find(named(60)));
    }

    void firstAnswerStays() {
        AnswerFile file({}, kKey);
        file.keep(named(1), answerOf(1));
        file.keep(named(1), answerOf(2));
        QCOMPARE(*file.find(named(1)), answerOf(1));
    }

    void otherKeyIsNotRead() {
        const std::string path = newPath();
        write(path, 0, 3);
        AnswerFile other(path, named(-2));
        QVERIFY(!other.find(named(1)));
        other.keep(named(7), answerOf(7));
        other.flush();
        QVERIFY(AnswerFile(path, named(-2)).find(named(7)));
        QVERIFY(!knows(path, 1));
    }

    void damageIsForgottenAndRepaired_data() {
        QTest::addColumn<int>("at");
        QTest::addColumn<int>("keptBytes");
        QTest::addColumn<int>("lost");
        // The header has 35 bytes, record i begins 32 i + i (i − 1) / 2 bytes behind it.
        QTest::newRow("a changed answer") << 35 + 539 + 32 << -1 << 14;
        QTest::newRow("a changed question") << 35 + 539 << -1 << 14;
        QTest::newRow("a changed length") << 35 + 539 + 24 << -1 << 29;
        QTest::newRow("a changed header") << 3 << -1 << 0;
        QTest::newRow("a torn last record") << -1 << 900 << 29;
    }
    void damageIsForgottenAndRepaired() {
        QFETCH(int, at);
        QFETCH(int, keptBytes);
        QFETCH(int, lost);
        const std::string path = newPath();
        write(path, 0, 30);
        QFile file(QString::fromStdString(path));
        QVERIFY(file.open(QIODevice::ReadWrite));
        if (at >= 0) {
            file.seek(at);
            char byte = 0;
            QVERIFY(file.getChar(&byte));
            file.seek(at);
            file.putChar(static_cast<char>(byte ^ 0x40));
        } else {
            QVERIFY(file.resize(keptBytes));
        }
        file.close();
        AnswerFile damaged(path, kKey);
        for (std::int64_t i = 0; i < 30; ++i)
            if (const auto answer = damaged.find(named(i))) QCOMPARE(*answer, answerOf(i));
        QVERIFY(!damaged.find(named(lost)));
        for (std::int64_t i = 0; i < 31; ++i)
            damaged.keep(named(i), answerOf(i));
        damaged.flush();
        for (std::int64_t i = 0; i < 31; ++i)
            QVERIFY(knows(path, i));
    }

    void writersDoNotDisturbEachOther() {
        const std::string path = newPath();
        std::vector<std::jthread> writers;
        for (int writer = 0; writer < 4; ++writer) {
            writers.emplace_back([&path, writer] {
                for (std::int64_t i = 0; i < 200; i += 5)
                    write(path, writer * 200 + i, writer * 200 + i + 5);
            });
        }
        writers.clear();
        for (std::int64_t i = 0; i < 800; ++i)
            QVERIFY(knows(path, i));
    }

    void fileAndFolderAreBounded() {
        const std::string path = newPath();
        const std::vector<char> large(60'000);
        AnswerFile file(path, kKey);
        for (std::int64_t i = 0; i < 900; ++i)
            file.keep(named(i), {0, 1, large});
        file.flush();
        QVERIFY(QFile(QString::fromStdString(path)).size() <= qint64(AnswerFile::kMostBytes));
        QVERIFY(AnswerFile(path, kKey).find(named(899)));
        for (int i = 0; i < 80; ++i)
            write(m_folder.filePath(QStringLiteral("many/%1.answers").arg(i)).toStdString(), 0, 1);
        QCOMPARE(QDir(m_folder.filePath("many")).entryList({"*.answers"}).size(), int(AnswerFile::kMostFiles));
    }

    void folderThatCannotBeWrittenIsNoError() {
        AnswerFile file("/proc/nowhere/it.answers", kKey);
        file.keep(named(1), answerOf(1));
        file.flush();
        QCOMPARE(*file.find(named(1)), answerOf(1));
    }
};

QTEST_GUILESS_MAIN(AnswersTest)
#include "tst_answers.moc"
