// SPDX-License-Identifier: Apache-2.0
// Files that are no TorchScript models: each gets one sentence that names the file, says what it is and what to do.

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>

namespace {

struct Outcome {
    int exitCode = -1;
    QString output;
    QString errors;
};

/// Runs `tidemark plan PATH` with further arguments, without a display.
Outcome plan(const QString& path, const QStringList& arguments = {}) {
    QProcess process;
    process.start(QStringLiteral(TIDEMARK_PROGRAM), QStringList{"plan", path} + arguments);
    if (!process.waitForFinished(120000)) process.kill();
    return {process.exitStatus() == QProcess::NormalExit ? process.exitCode() : -1,
            QString::fromUtf8(process.readAllStandardOutput()), QString::fromUtf8(process.readAllStandardError())};
}

QByteArray contentsOf(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

QByteArray corpusFile(const char* name) { return contentsOf(QDir(TIDEMARK_CORPUS).filePath(name)); }

QByteArray sample() { return contentsOf(QDir(TIDEMARK_SAMPLES).filePath("early-downsampling.pt")); }

/// The first fields of an ONNX model: IR version 8, producer "pytorch".
QByteArray onnx() { return QByteArray::fromHex("0808120770797460726368") + QByteArray(512, '\x11'); }

QByteArray safetensors() {
    const QByteArray header = R"({"weight":{"dtype":"F32","shape":[2,2],"data_offsets":[0,16]}})";
    QByteArray length(8, '\0');
    length[0] = static_cast<char>(header.size());
    return length + header + QByteArray(16, '\0');
}

}  // namespace

class CorpusTest : public QObject {
    Q_OBJECT

private slots:
    void unusableFilesAreNamedAndExplained_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QByteArray>("contents");
        QTest::addColumn<QString>("what");
        const auto row = [](const char* fact, const char* name, const QByteArray& contents, const char* what) {
            QTest::newRow(fact) << name << contents << what;
        };
        row("emptyFile", "empty.pt", {}, "empty");
        row("text", "notes.pt", "epoch 1 loss 0.3\nepoch 2 loss 0.2\n", "text");
        row("onnx", "model.onnx", onnx(), "ONNX");
        row("safetensors", "model.safetensors", safetensors(), "safetensors");
        row("plainZip", "archive.zip", corpusFile("archive.zip"), "zip archive");
        row("randomBytes", "random.pt", QByteArray::fromHex("ff00fe01fd02fc03").repeated(200), "TorchScript");
        row("pickle", "list.pkl", QByteArray::fromHex("80045d942e"), "pickle");
        row("stateDict", "state_dict.pth", corpusFile("state_dict.pth"), "state_dict");
        row("oldStateDict", "old_state_dict.pth", corpusFile("old_state_dict.pth"), "state_dict");
        row("pickledModel", "pickled_model.pth", corpusFile("pickled_model.pth"), "torch.save");
        row("exportedProgram", "exported_program.pt2", corpusFile("exported_program.pt2"), "torch.export");
        row("truncatedToHalf", "half.pt", sample().left(sample().size() / 2), "incomplete");
        row("truncatedByTheLastBytes", "short.pt", sample().chopped(20), "incomplete");
        row("onlyTheFirstBytes", "head.pt", sample().left(100), "incomplete");
    }

    void unusableFilesAreNamedAndExplained() {
        QFETCH(QString, name);
        QFETCH(QByteArray, contents);
        QFETCH(QString, what);
        const QString path = m_folder.filePath(name);
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        QCOMPARE(file.write(contents), contents.size());
        file.close();

        checkSentence(plan(path), name, what);
    }

    void missingFileIsNamed() { checkSentence(plan(m_folder.filePath("nowhere.pt")), "nowhere.pt", "no file"); }

    void folderIsNoModel() {
        QVERIFY(QDir(m_folder.path()).mkpath("models"));
        checkSentence(plan(m_folder.filePath("models")), "models", "folder");
    }

    void jsonAnswersCarryTheSentenceToo() {
        const Outcome outcome = plan(m_folder.filePath("nowhere.pt"), {"--json"});
        QCOMPARE(outcome.exitCode, 1);
        QVERIFY2((outcome.output + outcome.errors).contains("nowhere.pt"), qPrintable(outcome.output + outcome.errors));
    }

    void damagedTensorsDoNotBringItDown() {
        // Every byte of the archive's second half inverted in turn would take hours; some places tell enough.
        const QByteArray whole = sample();
        for (int place = 1; place < 8; ++place) {
            QByteArray damaged = whole;
            const qsizetype at = whole.size() * place / 8;
            for (qsizetype i = at; i < at + 64; ++i) damaged[i] = static_cast<char>(~damaged[i]);
            const QString path = m_folder.filePath(QStringLiteral("damaged-%1.pt").arg(place));
            QFile file(path);
            QVERIFY(file.open(QIODevice::WriteOnly));
            file.write(damaged);
            file.close();
            const Outcome outcome = plan(path);
            QVERIFY2(outcome.exitCode == 0 || outcome.exitCode == 1, qPrintable(outcome.errors));
            if (outcome.exitCode == 1) QVERIFY2(outcome.errors.contains(QFileInfo(path).fileName()), qPrintable(outcome.errors));
        }
    }

private:
    /// Exit status 1 and, on standard error alone, one line that holds the file's name, what it is and an advice.
    static void checkSentence(const Outcome& outcome, const QString& name, const QString& what) {
        QVERIFY2(outcome.exitCode == 1, qPrintable(outcome.output + outcome.errors));
        QCOMPARE(outcome.output, QString());
        QCOMPARE(outcome.errors.trimmed().count('\n'), 0);
        QVERIFY2(outcome.errors.contains(name), qPrintable(outcome.errors));
        QVERIFY2(outcome.errors.contains(what), qPrintable(outcome.errors));
        static const QStringList kAdvice{"xport", "heck", "opy", "pen", "give"};
        const bool advises = std::any_of(kAdvice.begin(), kAdvice.end(),
                                         [&](const QString& word) { return outcome.errors.contains(word); });
        QVERIFY2(advises, qPrintable(outcome.errors));
    }

    QTemporaryDir m_folder;
};

QTEST_GUILESS_MAIN(CorpusTest)
#include "tst_corpus.moc"
