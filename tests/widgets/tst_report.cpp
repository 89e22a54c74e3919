// SPDX-License-Identifier: Apache-2.0
#include "tests/window/synthetic.h"
#include "widgets/htmlreport.h"
#include "widgets/pdflinks.h"

#include <QProcess>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>
#include <QXmlStreamReader>

using namespace tidemark;

namespace {

ReportContent content() {
    ReportContent c;
    c.title = "resnet50 on RTX 4090";
    c.when = QDateTime(QDate(2026, 1, 2), QTime(3, 4));
    c.model = syntheticModel();
    c.gpu = syntheticGpus()[2];
    c.capacity = c.gpu.memory;
    c.detail = std::make_shared<Measurement>(syntheticMeasurement(c.model, c.settings, {}, true, true));
    c.verdict = "Fits an RTX 4090 with 20.0 GiB to spare; largest batch 261";
    c.figures.batch = c.settings.batch;
    c.figures.categories = c.detail->categories;
    c.figures.allocated = c.detail->steady.allocated;
    c.figures.reserved = c.figures.process = c.figures.processLow = c.figures.processHigh = c.detail->steady.reserved;
    c.largest = LargestBatch{261, false};
    for (const std::int64_t batch : {1, 32, 64}) {
        Settings s;
        s.batch = batch;
        const Measurement m = syntheticMeasurement(c.model, s, {}, false, false);
        c.points.push_back(
            {batch, m.categories, m.steady.reserved, m.steady.reserved, m.steady.reserved, m.steady.reserved});
    }
    c.torchVersion = "2.15.0";
    c.workspace = "estimate";
    c.programVersion = "0.1.0";
    return c;
}

/// The output of a program of poppler-utils.
QByteArray run(const QString& program, const QStringList& arguments) {
    QProcess process;
    process.start(program, arguments);
    return process.waitForFinished(20000) ? process.readAllStandardOutput() : QByteArray();
}

}  // namespace

class ReportTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() {
        if (QStandardPaths::findExecutable("pdftotext").isEmpty()) QSKIP("pdftotext is not installed");
    }

    void textHoldsVerdictSettingsAndLayers() {
        QTemporaryDir folder;
        const QString file = folder.filePath("report.pdf");
        QVERIFY(writeReport(content(), file).ok());
        const QString text = QString::fromUtf8(run("pdftotext", {"-layout", file, "-"}));
        QVERIFY(text.contains("Fits an RTX 4090 with 20.0 GiB to spare; largest batch 261"));
        QVERIFY(text.contains("float32[B,3,224,224]"));
        for (const char* layer : {"conv1", "layer1", "downsample"}) QVERIFY2(text.contains(layer), layer);
        QVERIFY(text.contains("25,557,032"));
        QVERIFY(text.contains("2.15.0"));
        QVERIFY(text.contains("workspaces are estimated"));
    }

    void pagesAreNumberedAndTheTableHeaderRepeats() {
        QTemporaryDir folder;
        const QString file = folder.filePath("report.pdf");
        QVERIFY(writeReport(content(), file).ok());
        const QStringList pages =
            QString::fromUtf8(run("pdftotext", {"-layout", file, "-"})).split('\f', Qt::SkipEmptyParts);
        QVERIFY(pages.size() >= 3);
        int headers = 0;
        for (int i = 0; i < pages.size(); ++i) {
            QVERIFY(pages[i].contains(QStringLiteral("Page %1 of %2").arg(i + 1).arg(pages.size())));
            if (pages[i].contains("Params") && pages[i].contains("At peak")) ++headers;
        }
        QVERIFY(headers >= 2);
    }

    void paperAndMetadataAreSet_data() {
        QTest::addColumn<int>("size");
        QTest::addColumn<QByteArray>("shown");
        QTest::newRow("A4") << int(QPageSize::A4) << QByteArray("595 x 842 pts (A4)");
        QTest::newRow("Letter") << int(QPageSize::Letter) << QByteArray("612 x 792 pts (letter)");
    }
    void paperAndMetadataAreSet() {
        QFETCH(int, size);
        QFETCH(QByteArray, shown);
        QTemporaryDir folder;
        const QString file = folder.filePath("report.pdf");
        QVERIFY(writeReport(content(), file, static_cast<QPageSize::PageSizeId>(size)).ok());
        const QByteArray info = run("pdfinfo", {file});
        QVERIFY2(info.contains(shown), info.constData());
        QVERIFY(info.contains("resnet50 on RTX 4090"));
        QVERIFY(info.contains("Tidemark 0.1.0"));
    }

    void plotsAreVectors() {
        QTemporaryDir folder;
        const QString file = folder.filePath("report.pdf");
        QVERIFY(writeReport(content(), file).ok());
        const QByteArray images = run("pdfimages", {"-list", file});
        QCOMPARE(images.count('\n'), 2);  // only the two lines of the header
        QVERIFY(run("pdftotext", {file, "-"}).contains("RTX 4090: 23.5 GiB"));
    }

    void comparisonNamesBothAndTheirDifference() {
        ReportContent c = content();
        Settings other;
        other.precision = Precision::AmpBf16;
        const Measurement measured = syntheticMeasurement(c.model, other, {}, true, false);
        c.comparisons.push_back({"fp32",
                                 "bf16",
                                 {"Precision: changed"},
                                 "first verdict",
                                 "second verdict",
                                 compare(c.model, *c.detail, c.model, measured)});
        QTemporaryDir folder;
        const QString file = folder.filePath("report.pdf");
        QVERIFY(writeReport(c, file).ok());
        const QString text = QString::fromUtf8(run("pdftotext", {"-layout", file, "-"}));
        for (const char* words : {"bf16 compared with fp32", "Precision: changed", "second verdict"})
            QVERIFY2(text.contains(words), words);
        const Bytes delta = measured.steady.allocated - c.detail->steady.allocated;
        QVERIFY(text.contains(QLocale(QLocale::English).toString(delta.mib(), 'f', 1).replace('-', QChar(0x2212))));
    }

    void longNamesAreBrokenAndNotElided() {
        ReportContent c = content();
        MeasuredAdvice advice;
        advice.advice.title = "PYTORCH_ALLOC_CONF=expandable_segments:True,garbage_collection_threshold:0.8";
        c.advice = {advice};
        c.model.layers[3].name = std::string(300, 'x') + "end";
        QTemporaryDir folder;
        const QString file = folder.filePath("report.pdf");
        QVERIFY(writeReport(c, file).ok());
        const QString text = QString::fromUtf8(run("pdftotext", {"-layout", file, "-"}));
        QVERIFY(!text.contains(QChar(0x2026)));
        for (const char* piece : {"PYTORCH_ALLOC_CONF", "expandable_segments:True", "threshold:0.8"})
            QVERIFY2(text.contains(piece), piece);
        QVERIFY(text.contains("xend"));
    }

    void contentsLeadToTheirSections() {
        QTemporaryDir folder;
        const QString file = folder.filePath("report.pdf");
        QVERIFY(writeReport(content(), file).ok());
        QFile written(file);
        QVERIFY(written.open(QIODevice::ReadOnly));
        const QByteArray pdf = written.readAll();
        QCOMPARE(pdf.count("/Subtype /Link"), 6);  // as many as there are sections
        QVERIFY(pdf.contains("/Outlines"));
        // The title of the last section as PDF writes text: UTF-16 in hexadecimal digits.
        QVERIFY(pdf.contains("00570068006100740020007400680065002000660069006700750072006500730020007200650073007400"));
        // poppler complains about a file whose parts do not fit together.
        QProcess process;
        process.start("pdfinfo", {"-dests", file});
        QVERIFY(process.waitForFinished(20000));
        QCOMPARE(process.readAllStandardError(), QByteArray());
        QVERIFY(run("pdftotext", {file, "-"}).contains("Fits an RTX 4090"));
    }

    void contentsNameThePagesOfTheirSections() {
        ReportContent c = content();
        const std::string longName(60, 'n');
        for (int i = 0; i < 6; ++i)
            c.comparisons.push_back({QStringLiteral("%1 %2").arg(QString::fromStdString(longName)).arg(i),
                                     "other",
                                     {},
                                     {},
                                     {},
                                     compare(c.model, *c.detail, c.model, *c.detail)});
        QTemporaryDir folder;
        const QString file = folder.filePath("report.pdf");
        QVERIFY(writeReport(c, file).ok());
        const QStringList pages =
            QString::fromUtf8(run("pdftotext", {"-layout", file, "-"})).split('\f', Qt::SkipEmptyParts);
        for (const char* title :
             {"One training step", "What the peak consists of", "Layers", "What the figures rest on"}) {
            const auto found = QRegularExpression(QStringLiteral("%1 \\((\\d+)\\)").arg(title)).match(pages[0]);
            QVERIFY2(found.hasMatch(), title);
            const int page = found.captured(1).toInt();
            QVERIFY2(QRegularExpression(QStringLiteral("^ *%1 *$").arg(title), QRegularExpression::MultilineOption)
                         .match(pages[page - 1])
                         .hasMatch(),
                     title);
        }
    }

    void whatIsNoPdfStaysAsItIs() {
        for (const char* text : {"", "%PDF-1.4\nnothing more", "startxref\n99\n/Size 3 /Root 1 0 R /Info 2 0 R"})
            QCOMPARE(withOutline(text, {{"Title", 0, 100, {}}}), QByteArray(text));
    }

    void htmlIsOneFileWithEverythingInIt() {
        ReportContent c = content();
        c.title = "a <b> & c";
        const QByteArray html = htmlReport(c);
        QCOMPARE(html.count("<svg"), 2);
        for (const char* outside : {"src=", "<link", "@import", "http://", "https://"})
            QVERIFY2(!QByteArray(html).replace("http://www.w3.org/", "").contains(outside), outside);
        QVERIFY(html.contains("a &lt;b&gt; &amp; c"));
        QVERIFY(html.contains("Fits an RTX 4090 with 20.0 GiB to spare; largest batch 261"));
        for (const char* layer : {"conv1", "layer1", "downsample"}) QVERIFY2(html.contains(layer), layer);
        for (int section = 1; section <= html.count("<section"); ++section) {
            QVERIFY(html.contains("href=\"#s" + QByteArray::number(section) + "\""));
            QVERIFY(html.contains("id=\"s" + QByteArray::number(section) + "\""));
        }
    }

    void htmlDrawingsAreWellFormed() {
        const QByteArray html = htmlReport(content());
        for (qsizetype at = html.indexOf("<svg"); at >= 0; at = html.indexOf("<svg", at + 1)) {
            QXmlStreamReader xml(html.mid(at, html.indexOf("</svg>", at) + 6 - at));
            while (!xml.atEnd()) xml.readNext();
            QVERIFY2(!xml.hasError(), qPrintable(xml.errorString()));
        }
    }

    void unwritablePlaceIsAnErrorThatNamesIt() {
        const auto written = writeReport(content(), "/nonexistent/folder/report.pdf");
        QVERIFY(!written.ok());
        QVERIFY(QString::fromStdString(written.error().message.english()).contains("/nonexistent/folder/report.pdf"));
    }
};

QTEST_MAIN(ReportTest)
#include "tst_report.moc"
