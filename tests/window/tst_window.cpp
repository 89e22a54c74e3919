// SPDX-License-Identifier: Apache-2.0
#include "app/window/dataparallelpage.h"
#include "app/window/inputsets.h"
#include "app/window/language.h"
#include "app/window/mainwindow.h"
#include "app/window/planexport.h"
#include "app/window/planfile.h"
#include "tests/window/synthetic.h"
#include "widgets/adviceview.h"
#include "widgets/batchslider.h"
#include "widgets/comparisonview.h"
#include "widgets/emptystate.h"
#include "widgets/errorbar.h"
#include "widgets/hintbar.h"
#include "widgets/layertreeview.h"
#include "widgets/memoryplot.h"
#include "widgets/peakheader.h"
#include "widgets/serieslegend.h"
#include "widgets/settingspanel.h"
#include "widgets/sizebox.h"
#include "widgets/text.h"
#include "widgets/timelineplot.h"
#include "widgets/variantsbar.h"
#include "widgets/verdictbar.h"

#include <nlohmann/json.hpp>

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QDirIterator>
#include <QDockWidget>
#include <QDropEvent>
#include <QLabel>
#include <QMimeData>
#include <QProcess>
#include <QSlider>
#include <QStandardItemModel>
#include <QStandardPaths>
#include <QTabBar>
#include <QTabWidget>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>
#include <QTreeWidget>

using namespace tidemark;

namespace {

constexpr int kPatience = 20000;

}  // namespace

/// Drives a real window through its actions and widgets, with a probe that answers from synthetic values.
class WindowTest : public QObject {
    Q_OBJECT

private:
    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<MainWindow> m_window;

    template <class T>
    T* find() const {
        return m_window->findChild<T*>();
    }
    MemoryPlot* memory() const { return m_window->findChild<MemoryPlot*>("memory"); }
    TimelinePlot* step() const { return m_window->findChild<TimelinePlot*>("step"); }
    QAction* action(const QString& text) const {
        for (QAction* action : m_window->findChildren<QAction*>())
            if (action->text().remove('&') == text) return action;
        return nullptr;
    }
    QString modelFile(const QString& name) const {
        const QString path = m_folder->filePath(name);
        QFile file(path);
        if (file.open(QIODevice::WriteOnly)) file.write("PK model");
        return path;
    }
    void newWindow() {
        m_window.reset();
        Installation installation;
        installation.probe = QStringLiteral(FAKE_PROBE);
        m_window = std::make_unique<MainWindow>(installation, syntheticGpus());
        m_window->show();
        QVERIFY(QTest::qWaitForWindowExposed(m_window.get()));
    }
    void openModel(const QString& name = QStringLiteral("net.pt")) {
        m_window->openFile(modelFile(name));
        QTRY_VERIFY_WITH_TIMEOUT(m_window->isSettled(), kPatience);
    }

    /// The program itself, with the fake probe and settings of its own under `home`.
    static bool startAtHome(QProcess& program, const QString& home, const QStringList& arguments) {
        QDir().mkpath(home);
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        for (const char* name : {"XDG_DATA_HOME", "XDG_CONFIG_HOME", "HOME"}) environment.insert(name, home);
        environment.insert("QT_QPA_PLATFORM", "offscreen");
        environment.insert("TIDEMARK_PROBE", FAKE_PROBE);
        program.setProcessEnvironment(environment);
        program.start(TIDEMARK, arguments);
        return program.waitForStarted(kPatience);
    }

    void drop(const QStringList& files) {
        QMimeData data;
        QList<QUrl> urls;
        for (const QString& file : files) urls << QUrl::fromLocalFile(file);
        data.setUrls(urls);
        QDragEnterEvent enter({10, 10}, Qt::CopyAction, &data, Qt::LeftButton, {});
        QApplication::sendEvent(m_window.get(), &enter);
        QVERIFY(enter.isAccepted());
        QDropEvent dropped({10, 10}, Qt::CopyAction, &data, Qt::LeftButton, {});
        QApplication::sendEvent(m_window.get(), &dropped);
    }
    void showPage(const QString& title) {
        auto* pages = find<QTabWidget>();
        for (int i = 0; i < pages->count(); ++i)
            if (pages->tabText(i) == title) pages->setCurrentIndex(i);
        QCOMPARE(pages->tabText(pages->currentIndex()), title);
    }
    /// Every label of the window as one text.
    QString labels() const {
        QStringList texts;
        for (const QLabel* label : m_window->findChildren<QLabel*>()) texts << label->text();
        return texts.join('\n');
    }

private slots:
    void initTestCase() {
        QStandardPaths::setTestModeEnabled(true);
        QCoreApplication::setOrganizationName("tidemark-test");
        QCoreApplication::setApplicationName("tst_window");
    }
    void init() {
        QSettings().clear();
        QFile::remove(SettingsStore::recoveryFile());
        m_folder = std::make_unique<QTemporaryDir>();
        newWindow();
    }
    void cleanup() { m_window.reset(); }

    void startsEmptyAndStartsNoWorker() {
        QVERIFY(find<EmptyState>()->isVisible());
        QVERIFY(!find<VerdictBar>()->isVisible());
        QVERIFY(!m_window->session().busy());
        QVERIFY(!action("Undo")->isEnabled());
    }

    void opensAModelAndShowsAllOfIt() {
        openModel();
        QVERIFY(!find<EmptyState>()->isVisible());
        const Measurement expected =
            syntheticMeasurement(syntheticModel(), m_window->document().current()->settings, {}, true, true);
        QCOMPARE(find<PeakHeader>()->allocatedText(), QString::fromStdString(formatBytes(expected.steady.allocated)));
        QCOMPARE(find<PeakHeader>()->reservedText(), QString::fromStdString(formatBytes(expected.steady.reserved)));
        const QModelIndex root = find<LayerTreeView>()->model()->index(0, LayerTreeModel::LiveAtPeak);
        QCOMPARE(root.data(LayerTreeModel::RawRole).toLongLong(), qint64(expected.steady.allocated.count));
        QVERIFY(step()->hasTimeline());
        QCOMPARE(step()->stack().highest().count, expected.steady.allocated.count);
        QVERIFY(memory()->dotsGraph()->dataCount() >= 3);
        QVERIFY(find<VerdictBar>()->headline().startsWith("Fits an RTX 4090 with"));
        QVERIFY(m_window->windowTitle().contains("net"));
    }

    void largestBatchIsFoundByExactRuns() {
        openModel();
        const std::int64_t largest = m_window->currentPlanner()->largest()->batch;
        Settings settings = m_window->document().current()->settings;
        const Bytes limit = allocatorLimit(m_window->currentPlanner()->gpu());
        settings.batch = largest;
        QVERIFY(!syntheticMeasurement(syntheticModel(), settings, limit, false, false).outOfMemory);
        settings.batch = largest + 1;
        QVERIFY(syntheticMeasurement(syntheticModel(), settings, limit, false, false).outOfMemory.has_value());
        QCOMPARE(*memory()->largestFitting(), largest);
        QVERIFY(find<VerdictBar>()->headline().contains(QString::number(largest)));
    }

    void draggingTheBatchChangesPlotVerdictAndTable() {
        openModel();
        const QString before = find<VerdictBar>()->headline();
        const QString saved = find<LayerTreeView>()->model()->index(0, LayerTreeModel::Saved).data().toString();
        LogSlider* slider = find<BatchSlider>()->slider();
        QTest::mousePress(slider, Qt::LeftButton, {}, QPoint(slider->width() / 2, 11));
        for (int x = slider->width() / 2; x < slider->width() * 3 / 4; x += 3) {
            QTest::mouseMove(slider, QPoint(x, 11));
            // The figures follow at once, exact or interpolated.
            QCOMPARE(memory()->cursor()->x, std::int64_t(slider->value()));
            QVERIFY(memory()->cursor()->process.count > 0);
        }
        QTest::mouseRelease(slider, Qt::LeftButton, {}, QPoint(slider->width() * 3 / 4, 11));
        QTRY_VERIFY_WITH_TIMEOUT(m_window->isSettled(), kPatience);
        QVERIFY(memory()->cursor()->exact);
        QVERIFY(find<VerdictBar>()->headline() != before);
        QVERIFY(find<LayerTreeView>()->model()->index(0, LayerTreeModel::Saved).data().toString() != saved);
    }

    void batchBeyondTheCardDoesNotFit() {
        openModel();
        find<BatchSlider>()->setValue(static_cast<int>(m_window->currentPlanner()->largest()->batch) * 2);
        QTRY_VERIFY_WITH_TIMEOUT(m_window->isSettled(), kPatience);
        QCOMPARE(find<VerdictBar>()->state(), VerdictBar::State::DoesNotFit);
        action("Go to the largest batch that fits")->trigger();
        QTRY_VERIFY_WITH_TIMEOUT(m_window->isSettled(), kPatience);
        QVERIFY(find<VerdictBar>()->state() != VerdictBar::State::DoesNotFit);
    }

    void undoAndRedoBringSettingsBack() {
        openModel();
        auto* precision = find<SettingsPanel>()->precisionBox();
        precision->setCurrentIndex(precision->findData(int(Precision::AmpBf16)));
        find<SettingsPanel>()->checkpointSlider()->setValue(4);
        QCOMPARE(m_window->document().current()->settings.checkpoint.count, 4);
        m_window->document().undoStack()->undo();
        QCOMPARE(find<SettingsPanel>()->checkpointSlider()->value(), 0);
        QCOMPARE(m_window->document().current()->settings.precision, Precision::AmpBf16);
        m_window->document().undoStack()->undo();
        QCOMPARE(precision->currentData().toInt(), int(Precision::Fp32));
        QVERIFY(m_window->document().undoStack()->redoText().contains("Precision"));
        m_window->document().undoStack()->redo();
        QCOMPARE(precision->currentData().toInt(), int(Precision::AmpBf16));
        QTRY_VERIFY_WITH_TIMEOUT(m_window->isSettled(), kPatience);
    }

    void oneDragIsOneUndoStep() {
        openModel();
        for (int batch = 33; batch < 60; ++batch) find<BatchSlider>()->setValue(batch);
        QCOMPARE(m_window->document().undoStack()->count(), 1);
        m_window->document().undoStack()->undo();
        QCOMPARE(find<BatchSlider>()->value(), 32);
    }

    void anotherCardMovesTheLine() {
        openModel();
        auto* box = find<SettingsPanel>()->gpuBox();
        box->setCurrentIndex(box->findText("A100 80GB"));
        QTRY_VERIFY_WITH_TIMEOUT(m_window->isSettled(), kPatience);
        QVERIFY(find<VerdictBar>()->headline().contains("A100 80GB"));
        QCOMPARE(memory()->capacity()->count, m_window->currentPlanner()->gpu().memory.count);
        QCOMPARE(m_window->document().plan().gpu, std::string("a100-80gb"));
    }

    void variantsAreShownTogetherAndRemoved() {
        openModel();
        action("Duplicate and change")->trigger();
        QCOMPARE(find<VariantsBar>()->tabs()->count(), 2);
        auto* precision = find<SettingsPanel>()->precisionBox();
        precision->setCurrentIndex(precision->findData(int(Precision::AmpBf16)));
        QTRY_VERIFY_WITH_TIMEOUT(m_window->isSettled(), kPatience);
        QCOMPARE(m_window->document().plan().variants[0].settings.precision, Precision::Fp32);
        find<VariantsBar>()->tabs()->setCurrentIndex(0);
        QCOMPARE(precision->currentData().toInt(), int(Precision::Fp32));
        action("Remove variant")->trigger();
        QCOMPARE(m_window->document().plan().variants.size(), std::size_t(1));
        QCOMPARE(precision->currentData().toInt(), int(Precision::AmpBf16));
        QTRY_VERIFY_WITH_TIMEOUT(m_window->isSettled(), kPatience);
    }

    void layerAndTimelineSelectEachOther() {
        openModel();
        const int layer = syntheticModel().indexOf("layer2.0.conv2");
        find<LayerTreeView>()->selectLayer(layer);
        QVERIFY(step()->layerGraph()->dataCount() > 0);
        emit step()->layerPicked(syntheticModel().indexOf("layer3.1.bn1"));
        QCOMPARE(find<LayerTreeView>()->selectedLayer(), syntheticModel().indexOf("layer3.1.bn1"));
    }

    void refusedFileIsExplainedInline() {
        m_window->openFile(modelFile("bad.pt"));
        QTRY_VERIFY_WITH_TIMEOUT(find<ErrorBar>()->isVisible(), kPatience);
        QVERIFY(find<ErrorBar>()->message().contains("bad.pt"));
        QVERIFY(!find<ErrorBar>()->detail().isEmpty());
        QTRY_COMPARE_WITH_TIMEOUT(find<VerdictBar>()->state(), VerdictBar::State::Failed, kPatience);
        openModel();
        QVERIFY(!find<ErrorBar>()->isVisible());
    }

    void dyingWorkerIsReportedAndTheWindowLives() {
        m_window->openFile(modelFile("crash.pt"));
        QTRY_VERIFY_WITH_TIMEOUT(find<ErrorBar>()->isVisible(), kPatience);
        openModel();
        QVERIFY(find<VerdictBar>()->headline().startsWith("Fits"));
    }

    void dropOpensTheFile() {
        drop({modelFile("dropped.pt")});
        QTRY_VERIFY_WITH_TIMEOUT(m_window->isSettled(), kPatience);
        QCOMPARE(m_window->document().current()->name, QStringLiteral("dropped"));
    }

    void severalDroppedModelsBecomeVariants() {
        drop({modelFile("one.pt"), modelFile("two.pt"), modelFile("three.pt")});
        QTRY_VERIFY_WITH_TIMEOUT(m_window->isSettled(), kPatience);
        const Plan& plan = m_window->document().plan();
        QStringList names;
        for (const Variant& variant : plan.variants) names << variant.name;
        QCOMPARE(names, (QStringList{"one", "two", "three"}));
        QCOMPARE(find<VariantsBar>()->tabs()->count(), 3);
    }

    void failedOpenDoesNotSayThatNoModelIsOpen() {
        m_window->openFile(modelFile("bad.pt"));
        QTRY_COMPARE_WITH_TIMEOUT(find<VerdictBar>()->state(), VerdictBar::State::Failed, kPatience);
        QVERIFY(labels().contains("bad.pt"));
        QVERIFY(!labels().contains("No model is open"));
    }

    void addedVariantShowsTheDifference() {
        openModel();
        const Measurement before =
            syntheticMeasurement(syntheticModel(), m_window->document().current()->settings, {}, true, false);
        action("Duplicate and change")->trigger();
        auto* precision = find<SettingsPanel>()->precisionBox();
        precision->setCurrentIndex(precision->findData(int(Precision::AmpBf16)));
        QTRY_VERIFY_WITH_TIMEOUT(m_window->isSettled(), kPatience);
        const Measurement after =
            syntheticMeasurement(syntheticModel(), m_window->document().current()->settings, {}, true, false);
        const Bytes wanted = after.steady.allocated - before.steady.allocated;
        QVERIFY(wanted.count < 0);
        const auto* rows = find<ComparisonView>()->model();
        QTRY_COMPARE_WITH_TIMEOUT(rows->rowCount(), 2, kPatience);
        const auto delta = [&](int row) {
            return rows->item(row, ComparisonView::Delta)->data(ComparisonView::kBytesRole).toLongLong();
        };
        QTRY_COMPARE_WITH_TIMEOUT(delta(0), qint64(wanted.count), kPatience);
        QCOMPARE(delta(1), qint64(wanted.count));
        QVERIFY(labels().contains("(baseline)"));
        QVERIFY(memory()->otherGraph(0)->dataCount() >= 3);
        find<SeriesLegend>()->chip(0)->click();
        QVERIFY(!memory()->otherGraph(0)->visible());
    }

    void settingsActOnOneVariantOrOnAll() {
        openModel();
        action("Duplicate and change")->trigger();
        auto* precision = find<SettingsPanel>()->precisionBox();
        precision->setCurrentIndex(precision->findData(int(Precision::Bf16)));
        find<BatchSlider>()->setValue(48);
        QCOMPARE(m_window->document().plan().variants[0].settings.batch, std::int64_t(32));
        action("Change all variants together")->setChecked(true);
        find<BatchSlider>()->setValue(64);
        const auto& variants = m_window->document().plan().variants;
        QCOMPARE(variants[0].settings.batch, std::int64_t(64));
        QCOMPARE(variants[1].settings.batch, std::int64_t(64));
        // What was not changed stays different.
        QCOMPARE(variants[0].settings.precision, Precision::Fp32);
        QCOMPARE(variants[1].settings.precision, Precision::Bf16);
        QTRY_VERIFY_WITH_TIMEOUT(m_window->isSettled(), kPatience);
    }

    void anotherMemorySizeIsPlannedWithoutMeasuringAnew() {
        openModel();
        const std::int64_t before = m_window->currentPlanner()->largest()->batch;
        const MeasurementPtr exact = m_window->currentPlanner()->exact();
        find<SettingsPanel>()->memoryBox()->setBytes(kGiB * 48);
        QTRY_VERIFY_WITH_TIMEOUT(m_window->isSettled(), kPatience);
        QCOMPARE(m_window->currentPlanner()->exact(), exact);
        QVERIFY(m_window->currentPlanner()->largest()->batch > before);
        QVERIFY(find<VerdictBar>()->headline().contains("RTX 4090 (48.0 GiB)"));
        m_window->document().undoStack()->undo();
        QTRY_VERIFY_WITH_TIMEOUT(m_window->isSettled(), kPatience);
        QCOMPARE(m_window->currentPlanner()->largest()->batch, before);
        emit memory()->capacityWished(kGiB * 12 + kMiB * 100);
        QCOMPARE(m_window->document().plan().memory.count, (kGiB * 12).count);
        QTRY_VERIFY_WITH_TIMEOUT(m_window->isSettled(), kPatience);
        QVERIFY(m_window->currentPlanner()->largest()->batch < before);
    }

    void curveEndsNotFarBeyondTheLargestBatch() {
        openModel("bent.pt");
        const auto* planner = m_window->currentPlanner();
        const std::int64_t largest = planner->largest()->batch;
        QVERIFY(largest > 64 && largest < 100);
        QCOMPARE(planner->points().back().x, largest * 5 / 4);
        QCOMPARE(planner->curveReach(), largest * 5 / 4);
        find<BatchSlider>()->setValue(200);
        QTRY_VERIFY_WITH_TIMEOUT(m_window->isSettled(), kPatience);
        QVERIFY(planner->points().back().x >= 200);
        find<BatchSlider>()->setValue(64);
        QTRY_VERIFY_WITH_TIMEOUT(m_window->isSettled(), kPatience);
        QVERIFY(planner->points().back().x >= 200);
    }

    void reportHoldsVerdictAndLayers() {
        if (QStandardPaths::findExecutable("pdftotext").isEmpty()) QSKIP("pdftotext is not installed");
        openModel();
        const QString file = m_folder->filePath("report.pdf");
        QVERIFY(m_window->exportReport(file));
        QTRY_VERIFY_WITH_TIMEOUT(QFile::exists(file), kPatience);
        QProcess process;
        process.start("pdftotext", {"-layout", file, "-"});
        QVERIFY(process.waitForFinished(kPatience));
        const QString text = QString::fromUtf8(process.readAllStandardOutput());
        QVERIFY(text.contains(find<VerdictBar>()->headline()));
        for (const char* row :
             {"conv1 +Conv2d +float32\\[32, 64, 112, 112\\] +9,408", "layer4 +Sequential", "fc +Linear.*2,049,000"})
            QVERIFY2(text.contains(QRegularExpression(row)), row);
        // Advice was measured for the report, and what all rests on is said.
        QVERIFY(text.contains("What would take less"));
        QVERIFY(text.contains(QRegularExpression("Automatic mixed precision, bf16 +\\d")));
        for (const char* ground : {"LibTorch", "CUDA context", "Convolution workspaces"})
            QVERIFY2(text.contains(ground), ground);
        const QString page = m_folder->filePath("report.html");
        QVERIFY(m_window->exportReport(page));
        QTRY_VERIFY_WITH_TIMEOUT(QFile::exists(page), kPatience);
        QFile html(page);
        QVERIFY(html.open(QIODevice::ReadOnly));
        QVERIFY(QString::fromUtf8(html.readAll()).contains(find<VerdictBar>()->headline()));
    }

    void exportedFiguresAreThoseShownAndStillAPlan() {
        openModel();
        const QByteArray text = planWithFigures(m_window->document().plan(), m_folder->path(),
                                                [this](int) { return m_window->currentPlanner(); });
        const auto json = nlohmann::json::parse(text.toStdString());
        const auto& figures = json["variants"][0]["figures"];
        const Measurement expected =
            syntheticMeasurement(syntheticModel(), m_window->document().current()->settings, {}, true, false);
        QCOMPARE(figures["allocated"].get<std::int64_t>(), expected.steady.allocated.count);
        std::int64_t layers = 0;
        for (const auto& layer : figures["layers"]) layers += layer["live_at_peak"].get<std::int64_t>();
        QCOMPARE(layers, expected.steady.allocated.count);
        QCOMPARE(figures["largest_batch"].get<std::int64_t>(), m_window->currentPlanner()->largest()->batch);
        const auto plan = planFromJson(text, m_folder->path());
        QVERIFY(plan.ok());
        QCOMPARE(plan.value().variants[0].model, m_window->document().plan().variants[0].model);
    }

    void nodeDataNamesTheNodesOfItsGraph() {
        const ModelInfo model = syntheticModel();
        const Measurement m = syntheticMeasurement(model, {}, {}, true, false);
        const ModelExplorerFiles files = modelExplorerFiles(model, m);
        const auto data = nlohmann::json::parse(files.nodeData.toStdString());
        const auto graph = nlohmann::json::parse(files.graph.toStdString());
        const auto& results = data[graph[0]["id"].get<std::string>()]["results"];
        double sum = 0;
        std::size_t found = 0;
        for (const auto& node : graph[0]["nodes"]) {
            const auto result = results.find(node["id"].get<std::string>());
            QVERIFY(result != results.end());
            sum += (*result)["value"].get<double>();
            ++found;
        }
        QCOMPARE(found, results.size());
        QVERIFY(std::abs(sum - m.steady.allocated.mib()) < 0.001 * static_cast<double>(found));
    }

    void planFileBringsEverythingBack() {
        openModel();
        find<SettingsPanel>()->accumulateBox();
        action("Duplicate and change")->trigger();
        find<BatchSlider>()->setValue(77);
        const Plan plan = m_window->document().plan();
        const QString file = m_folder->filePath("work.tidemark");
        QVERIFY(savePlan(plan, file).ok());
        newWindow();
        m_window->openFile(file);
        QTRY_VERIFY_WITH_TIMEOUT(m_window->isSettled(), kPatience);
        QCOMPARE(find<BatchSlider>()->value(), 77);
        QCOMPARE(find<VariantsBar>()->tabs()->count(), 2);
        QCOMPARE(find<VariantsBar>()->tabs()->currentIndex(), 1);
        QVERIFY(!m_window->document().isModified());
    }

    void reloadMeasuresAgainWithTheSameSettings() {
        openModel();
        find<BatchSlider>()->setValue(40);
        QTRY_VERIFY_WITH_TIMEOUT(m_window->isSettled(), kPatience);
        modelFile("net.pt");
        action("Reload")->trigger();
        QTRY_VERIFY_WITH_TIMEOUT(m_window->session().busy(), kPatience);
        QTRY_VERIFY_WITH_TIMEOUT(m_window->isSettled(), kPatience);
        QCOMPARE(find<BatchSlider>()->value(), 40);
    }

    void closingWhileWorkRunsEndsAtOnce() {
        m_window->openFile(modelFile("slow.pt"));
        QTRY_VERIFY_WITH_TIMEOUT(m_window->session().busy(), kPatience);
        QVERIFY(m_window->close());
        m_window.reset();
    }

    void cancelStopsTheWork() {
        m_window->openFile(modelFile("slow.pt"));
        QTRY_VERIFY_WITH_TIMEOUT(m_window->currentPlanner()->isOpen(), kPatience);
        action("Cancel measurement")->trigger();
        QTRY_VERIFY_WITH_TIMEOUT(!m_window->session().busy(), kPatience);
    }

    void lastSessionComesBack() {
        openModel();
        find<BatchSlider>()->setValue(50);
        QVERIFY(m_window->close());
        newWindow();
        m_window->restoreLastSession();
        QTRY_VERIFY_WITH_TIMEOUT(m_window->isSettled(), kPatience);
        QCOMPARE(find<BatchSlider>()->value(), 50);
        QVERIFY(!find<ErrorBar>()->isVisible());
    }

    void crashIsRecovered() {
        m_window->restoreLastSession();
        openModel();
        find<BatchSlider>()->setValue(51);
        QTRY_VERIFY_WITH_TIMEOUT(QFile::exists(SettingsStore::recoveryFile()), kPatience);
        QTRY_COMPARE_WITH_TIMEOUT(loadPlan(SettingsStore::recoveryFile()).value().variants[0].settings.batch,
                                  std::int64_t(51), kPatience);
        newWindow();  // without closing the first one
        m_window->restoreLastSession();
        QTRY_VERIFY_WITH_TIMEOUT(m_window->isSettled(), kPatience);
        QCOMPARE(find<BatchSlider>()->value(), 51);
    }

    void killedProgramIsRecovered() {
        const QString home = m_folder->filePath("home");
        const auto recovery = [&]() -> QString {
            QDirIterator files(home, {"recovery.tidemark"}, QDir::Files, QDirIterator::Subdirectories);
            return files.hasNext() ? files.next() : QString();
        };
        QProcess program;
        QVERIFY(startAtHome(program, home, {modelFile("net.pt")}));
        QTRY_VERIFY_WITH_TIMEOUT(!recovery().isEmpty(), kPatience);
        program.kill();
        QVERIFY(program.waitForFinished(kPatience));
        QCOMPARE(loadPlan(recovery()).value().variants[0].name, QStringLiteral("net"));

        QSettings left(home + "/tidemark/tidemark.conf", QSettings::IniFormat);
        QCOMPARE(left.value("endedCleanly").toBool(), false);
        QVERIFY(left.contains("endedCleanly"));

        // What it left behind, before a window that starts.
        QVERIFY(QFile::copy(recovery(), SettingsStore::recoveryFile()));
        QSettings().setValue("endedCleanly", false);
        newWindow();
        m_window->restoreLastSession();
        QTRY_VERIFY_WITH_TIMEOUT(m_window->isSettled(), kPatience);
        QCOMPARE(m_window->document().current()->name, QStringLiteral("net"));
        QVERIFY(find<ErrorBar>()->message().contains("ended unexpectedly"));
    }

    void hintsComeOnceAndCanBeAskedFor() {
        openModel();
        QVERIFY(find<HintBar>()->isVisible());
        QStringList seen;
        for (int i = 0; i < find<HintBar>()->count(); ++i) {
            QVERIFY(!seen.contains(find<HintBar>()->text()));
            seen << find<HintBar>()->text();
            find<HintBar>()->nextButton()->click();
        }
        QVERIFY(!find<HintBar>()->isVisible());
        newWindow();
        openModel();
        QVERIFY(!find<HintBar>()->isVisible());
        action("Show hints")->trigger();
        QCOMPARE(find<HintBar>()->text(), seen.first());
    }

    void hintsDoNotStandBesideAFileThatFailed() {
        m_window->openFile(m_folder->filePath("missing.pt"));
        QTRY_VERIFY_WITH_TIMEOUT(find<ErrorBar>()->isVisible(), kPatience);
        QVERIFY(!find<HintBar>()->isVisible());
        QVERIFY(m_window->problem().contains("missing.pt"));
        openModel();
        QVERIFY(find<HintBar>()->isVisible());
        QVERIFY(m_window->problem().isEmpty());
    }

    void pictureOfAMissingModelShowsTheWindowAndFailsWithASentence() {
        QProcess program;
        const QString picture = m_folder->filePath("picture.png");
        QVERIFY(startAtHome(program, m_folder->filePath("home"),
                            {"--screenshot", picture, m_folder->filePath("missing.pt")}));
        QVERIFY(program.waitForFinished(kPatience));
        QCOMPARE(program.exitCode(), 1);
        QVERIFY(program.readAllStandardError().contains("There is no file"));
        QCOMPARE(QImage(picture).size(), QSize(1440, 900));
    }

    void pictureLeavesTheSettingsAlone() {
        const QString home = m_folder->filePath("home");
        const QString settings = home + "/tidemark/tidemark.conf";
        QVERIFY(QDir().mkpath(QFileInfo(settings).path()));
        {
            QSettings before(settings, QSettings::IniFormat);
            before.setValue("recentFiles", QStringList{modelFile("mine.pt")});
            before.setValue("theme", "light");
        }
        const auto content = [&]() -> QByteArray {
            QFile file(settings);
            return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
        };
        const QByteArray before = content();
        QProcess program;
        const QString picture = m_folder->filePath("picture.png");
        QVERIFY(startAtHome(program, home, {"--screenshot", picture, "--theme", "dark", modelFile("net.pt")}));
        QVERIFY(program.waitForFinished(kPatience));
        QCOMPARE(program.exitCode(), 0);
        QVERIFY(QFile::exists(picture));
        QCOMPARE(content(), before);
        QVERIFY(!QDirIterator(home, {"recovery.tidemark"}, QDir::Files, QDirIterator::Subdirectories).hasNext());
    }

    void adviceIsMeasuredInSightAndApplied() {
        openModel();
        showPage("Advice");
        auto* view = find<AdviceView>();
        QTRY_VERIFY_WITH_TIMEOUT(view->advice().size() > 3 && !m_window->session().busy(), kPatience);
        const Settings before = m_window->document().current()->settings;
        const Fit now = *m_window->currentPlanner()->fit();
        for (const MeasuredAdvice& a : view->advice())
            QCOMPARE(a.saved.count, now.process.value.count - a.fit.process.value.count);
        QTRY_COMPARE_WITH_TIMEOUT(view->plot()->points().front().blocks, 0, kPatience);
        QTRY_VERIFY_WITH_TIMEOUT(view->plot()->points().back().blocks ==
                                     int(m_window->currentPlanner()->model().blockPaths().size()),
                                 kPatience);
        QCOMPARE(view->plot()->points().front().allocated.count, memory()->cursor()->allocated.count);
        QVERIFY(view->plot()->points().back().allocated < view->plot()->points().front().allocated);

        const Settings wished = view->advice().front().advice.settings;
        emit view->table()->itemActivated(view->table()->topLevelItem(0), 0);
        view->table()->setCurrentItem(view->table()->topLevelItem(0));
        emit view->table()->itemActivated(view->table()->topLevelItem(0), 0);
        QVERIFY(m_window->document().current()->settings == wished);
        QVERIFY(!(wished == before));
        m_window->document().undoStack()->undo();
        QVERIFY(m_window->document().current()->settings == before);
        emit view->plot()->blocksPicked(2);
        QCOMPARE(m_window->document().current()->settings.checkpoint.count, 2);
    }

    void inputSetsAreMeasuredAndKeptInThePlan() {
        openModel();
        showPage("Input sets");
        auto* page = find<InputSets>();
        QCOMPARE(page->table()->rowCount(), 1);
        page->addButton()->click();
        page->addButton()->click();
        QCOMPARE(page->table()->rowCount(), 4);
        page->table()->item(2, InputSets::Inputs)->setText("float32[B,3,448,448]");
        QCOMPARE(m_window->document().current()->inputSets.at(1).at(0).shape.at(2).size, 448);
        QTRY_VERIFY_WITH_TIMEOUT(!page->table()->item(3, InputSets::Process)->text().isEmpty(), kPatience);
        QTRY_VERIFY_WITH_TIMEOUT(!m_window->session().busy(), kPatience);
        QCOMPARE(page->table()->item(0, InputSets::Allocated)->text(), find<PeakHeader>()->allocatedText());
        // Words that are no input change nothing.
        page->table()->item(1, InputSets::Inputs)->setText("nonsense[");
        QCOMPARE(m_window->document().current()->inputSets.size(), std::size_t(2));
        const Plan& plan = m_window->document().plan();
        const Plan read = planFromJson(planToJson(plan, m_folder->path()), m_folder->path()).value();
        QVERIFY(read.variants[0].inputSets == plan.variants[0].inputSets);
        m_window->document().undoStack()->undo();
        m_window->document().undoStack()->undo();
        QCOMPARE(page->table()->rowCount(), 3);
    }

    void reasonsOfTheEngineAreSaidInTheLanguageOfTheWindow() {
        const auto close = qScopeGuard([] {
            qunsetenv("FAKE_PROBE_CANNOT_START");
            installLanguage(*qApp, "en");
        });
        openModel();
        QVERIFY(labels().contains("Estimated instead: this cuDNN does not support compute capability 7.0."));
        qputenv("FAKE_PROBE_CANNOT_START", "1");
        newWindow();
        m_window->openFile(modelFile("net.pt"));
        QTRY_COMPARE_WITH_TIMEOUT(find<ErrorBar>()->message(), QStringLiteral("LibTorch cannot be loaded: no file."),
                                  kPatience);
        if (!availableLanguages().contains("zh_CN")) QSKIP("this build has no lrelease");
        installLanguage(*qApp, "zh_CN");
        newWindow();
        m_window->openFile(modelFile("net.pt"));
        QTRY_COMPARE_WITH_TIMEOUT(find<ErrorBar>()->message(), QStringLiteral("无法加载 LibTorch：no file。"),
                                  kPatience);
        qunsetenv("FAKE_PROBE_CANNOT_START");
        newWindow();
        openModel();
        QVERIFY(labels().contains(QStringLiteral("此 cuDNN 不支持计算能力 7.0")));
    }

    void dataParallelTableStandsBesideItsSetting() {
        openModel();
        auto* pages = find<QTabWidget>();
        auto* page = find<DataParallelPage>();
        QVERIFY(!pages->isTabVisible(pages->indexOf(page)));
        Settings settings = m_window->document().current()->settings;
        find<SettingsPanel>()->cardsBox()->setValue(4);
        settings.dataParallel.cards = 4;
        QTRY_VERIFY_WITH_TIMEOUT(m_window->isSettled(), kPatience);
        QVERIFY(pages->isTabVisible(pages->indexOf(page)));
        showPage("Data parallel");
        QTRY_COMPARE_WITH_TIMEOUT(page->table()->topLevelItemCount(), 7, kPatience);
        const auto steps = dataParallelSteps(settings);
        std::array<Measurement, 3> measured;
        for (std::size_t i = 0; i < steps.size(); ++i)
            measured[i] = syntheticMeasurement(syntheticModel(), steps[i], {}, false, false);
        const auto rows = dataParallelTable(syntheticModel(), settings, measured);
        for (int i = 0; i < 7; ++i) {
            const QTreeWidgetItem* item = page->table()->topLevelItem(i);
            const DataParallelRow& row = rows[std::size_t(i)];
            QCOMPARE(item->text(DataParallelPage::Way), QString::fromStdString(row.name.english()));
            QVERIFY(item->text(DataParallelPage::Allocated).startsWith(sizeText(row.allocated, ByteUnits::Binary)));
            QCOMPARE(item->text(DataParallelPage::Basis), QString::fromStdString(row.assumption.english()));
        }
        const auto heightOf = [&](int row) {
            return page->table()->visualItemRect(page->table()->topLevelItem(row)).height();
        };
        QTRY_VERIFY(heightOf(6) > heightOf(0));  // more words than one line holds
        page->table()->selectAll();
        QTest::keySequence(page->table(), QKeySequence::Copy);
        const QStringList copied = QApplication::clipboard()->text().split('\n', Qt::SkipEmptyParts);
        QCOMPARE(copied.size(), 8);
        QVERIFY(copied[0].startsWith("Way\tAllocated\t"));
        for (int i = 0; i < 7; ++i)
            QVERIFY(copied[i + 1].startsWith(page->table()->topLevelItem(i)->text(DataParallelPage::Way) + '\t'));
        // What is estimated cannot be planned; what is measured can.
        page->table()->setCurrentItem(page->table()->topLevelItem(4));
        emit page->table()->itemActivated(page->table()->topLevelItem(4), 0);
        QVERIFY(m_window->document().current()->settings == settings);
        page->table()->setCurrentItem(page->table()->topLevelItem(0));
        emit page->table()->itemActivated(page->table()->topLevelItem(0), 0);
        QCOMPARE(m_window->document().current()->settings.dataParallel.cards, 1);
        QTRY_VERIFY_WITH_TIMEOUT(!pages->isTabVisible(pages->indexOf(page)), kPatience);
        m_window->document().undoStack()->undo();
        QTRY_VERIFY_WITH_TIMEOUT(pages->isTabVisible(pages->indexOf(page)), kPatience);
    }

    void languageChangesWhileTheWindowIsOpen() {
        if (!availableLanguages().contains("zh_CN")) QSKIP("this build has no lrelease");
        openModel();
        find<BatchSlider>()->slider()->setValue(48);
        QTRY_VERIFY_WITH_TIMEOUT(m_window->isSettled(), kPatience);
        const QString process = find<PeakHeader>()->processText();
        m_window->setLanguage("zh_CN");
        QTRY_COMPARE(m_window->findChild<QDockWidget*>("layers")->windowTitle(), QStringLiteral("层"));
        QVERIFY(find<VerdictBar>()->headline().contains(QStringLiteral("RTX 4090")));
        QVERIFY(!find<VerdictBar>()->headline().contains("Fits"));
        QCOMPARE(find<PeakHeader>()->processText(), process);
        QCOMPARE(find<BatchSlider>()->slider()->value(), 48);
        QVERIFY(!labels().contains("Accumulation"));
        QVERIFY(!m_window->document().undoStack()->undoText().contains("Batch"));
        QVERIFY(step()->hasTimeline());
        // The new widgets still act on the plan, and the plan on them.
        find<BatchSlider>()->slider()->setValue(16);
        QTRY_VERIFY_WITH_TIMEOUT(m_window->isSettled(), kPatience);
        QVERIFY(find<PeakHeader>()->processText() != process);
        m_window->document().undoStack()->undo();
        QVERIFY(find<BatchSlider>()->slider()->value() != 16);
        m_window->setLanguage("en");
        QTRY_VERIFY(labels().contains("Accumulation"));
        QVERIFY(find<VerdictBar>()->headline().startsWith("Fits an RTX 4090"));
    }

    void handBrokenPlansAreExplained_data() {
        QTest::addColumn<QByteArray>("text");
        QTest::newRow("cut off") << QByteArray("{\"format\": \"tidemark-plan\", \"version\": 1, \"vari");
        QTest::newRow("variants is a number") << QByteArray(R"({"format": "tidemark-plan", "variants": 5})");
        QTest::newRow("a variant is a text") << QByteArray(R"({"format": "tidemark-plan", "variants": ["x"]})");
        QTest::newRow("no variants") << QByteArray(R"({"format": "tidemark-plan"})");
        QTest::newRow("an empty list") << QByteArray(R"({"format": "tidemark-plan", "variants": []})");
        QTest::newRow("unknown setting")
            << QByteArray(R"({"format": "tidemark-plan", "variants": [{"model": "a.pt", "settings": {"bach": 3}}]})");
        QTest::newRow("batch is a text")
            << QByteArray(R"({"format": "tidemark-plan", "variants": [{"model": "a.pt", "settings": {"batch": "x"}}]})");
        QTest::newRow("batch of none")
            << QByteArray(R"({"format": "tidemark-plan", "variants": [{"model": "a.pt", "settings": {"batch": -1}}]})");
        QTest::newRow("sets of inputs are numbers")
            << QByteArray(R"({"format": "tidemark-plan", "variants": [{"model": "a.pt", "input_sets": [[1]]}]})");
        QTest::newRow("reserve of all")
            << QByteArray(R"({"format": "tidemark-plan", "reserve_fraction": 7, "variants": [{"model": "a.pt"}]})");
        QTest::newRow("a newer version") << QByteArray(
            R"({"format": "tidemark-plan", "version": 99, "variants": [{"model": "a.pt"}]})");
        QTest::newRow("not UTF-8") << QByteArray("{\"format\": \"tidemark-plan\", \"gpu\": \"\xff\xfe\", \"variants\": [{}]}");
    }

    void handBrokenPlansAreExplained() {
        QFETCH(QByteArray, text);
        openModel();
        const Plan before = m_window->document().plan();
        QFile file(m_folder->filePath("broken.tidemark"));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(text);
        file.close();
        m_window->openFile(file.fileName());
        QVERIFY(find<ErrorBar>()->isVisible());
        QCOMPARE(find<ErrorBar>()->kind(), ErrorBar::Kind::Error);
        QVERIFY(m_window->document().plan() == before);
    }

    void planWithAMissingModelKeepsTheOthers() {
        openModel("here.pt");
        m_window->duplicateVariant();
        Plan plan = m_window->document().plan();
        plan.variants[1].model = m_folder->filePath("gone.pt");
        plan.current = 0;
        const QString file = m_folder->filePath("half.tidemark");
        QVERIFY(savePlan(plan, file).ok());
        newWindow();
        m_window->openFile(file);
        QTRY_VERIFY_WITH_TIMEOUT(find<ErrorBar>()->message().contains("gone.pt"), kPatience);
        QTRY_VERIFY_WITH_TIMEOUT(!m_window->session().busy() && find<VerdictBar>()->headline().startsWith("Fits"),
                                 kPatience);
        QCOMPARE(m_window->document().plan().variants.size(), std::size_t(2));
        QCOMPARE(m_window->document().plan().variants[1].model, plan.variants[1].model);
        QVERIFY(m_window->save());
        QCOMPARE(loadPlan(file).value().variants[1].model, plan.variants[1].model);
    }

    void droppedFolderIsRefusedAndNothingIsLost() {
        openModel();
        const Plan before = m_window->document().plan();
        drop({m_folder->path()});
        QVERIFY(find<ErrorBar>()->isVisible());
        QVERIFY(find<ErrorBar>()->message().contains("folder"));
        QVERIFY(m_window->document().plan() == before);
    }

    void targetsThatCannotBeWrittenAreNamed() {
        openModel();
        QVERIFY(m_window->exportReport("/nonexistent/report.pdf"));
        QTRY_VERIFY_WITH_TIMEOUT(find<ErrorBar>()->message().contains("/nonexistent/report.pdf"), kPatience);
        QCOMPARE(find<ErrorBar>()->kind(), ErrorBar::Kind::Error);
        QVERIFY(m_window->exportReport("/nonexistent/report.html"));
        QTRY_VERIFY_WITH_TIMEOUT(find<ErrorBar>()->message().contains("/nonexistent/report.html"), kPatience);
        QVERIFY(!savePlan(m_window->document().plan(), "/nonexistent/plan.tidemark").ok());
        QVERIFY(!memory()->savePng("/nonexistent/plot.png", QSize(400, 300), 1));
        QVERIFY(!memory()->saveSvg("/nonexistent/plot.svg", QSize(400, 300)));
    }

    void aSmallWindowStillShowsItsVerdict() {
        openModel();
        for (const QSize size : {QSize(1, 1), QSize(300, 200), QSize(640, 480)}) {
            m_window->resize(size);
            QApplication::processEvents();
            QVERIFY(find<VerdictBar>()->isVisible());
            QVERIFY(!m_window->grab().isNull());
        }
        const QSize least = m_window->minimumSizeHint();
        QVERIFY2(least.width() <= 1024 && least.height() <= 720,
                 qPrintable(QStringLiteral("%1 × %2").arg(least.width()).arg(least.height())));
    }

    void undoAfterSavingKeepsTheFile() {
        openModel();
        find<BatchSlider>()->setValue(48);
        const QString file = m_folder->filePath("saved.tidemark");
        QVERIFY(savePlan(m_window->document().plan(), file).ok());
        m_window->document().setSaved(file);
        m_window->document().undoStack()->undo();
        QCOMPARE(m_window->document().file(), file);
        m_window->document().undoStack()->redo();
        QVERIFY(!m_window->document().isModified());
        m_window->openFile(modelFile("other.pt"));
        QVERIFY(m_window->document().file().isEmpty());
        m_window->document().undoStack()->undo();
        QCOMPARE(m_window->document().file(), file);
        QTRY_VERIFY_WITH_TIMEOUT(m_window->isSettled(), kPatience);
    }

    void openingAnotherFileCanBeUndone() {
        openModel("first.pt");
        m_window->duplicateVariant();
        find<BatchSlider>()->setValue(48);
        const Plan before = m_window->document().plan();
        const QString file = m_folder->filePath("kept.tidemark");
        QVERIFY(savePlan(before, file).ok());
        m_window->openFile(modelFile("bad.pt"));
        QTRY_COMPARE_WITH_TIMEOUT(find<VerdictBar>()->state(), VerdictBar::State::Failed, kPatience);
        QCOMPARE(m_window->document().plan().variants.size(), std::size_t(1));
        m_window->document().undoStack()->undo();
        QVERIFY(m_window->document().plan() == before);
        QTRY_VERIFY_WITH_TIMEOUT(m_window->isSettled(), kPatience);
        QVERIFY(!find<ErrorBar>()->isVisible());
        QVERIFY(find<VerdictBar>()->headline().startsWith("Fits"));
        m_window->openFile(file);
        QCOMPARE(m_window->document().file(), file);
        QVERIFY(!m_window->isWindowModified());
        m_window->document().undoStack()->undo();
        QVERIFY(m_window->document().file().isEmpty());
        QVERIFY(m_window->document().plan() == before);
        QTRY_VERIFY_WITH_TIMEOUT(m_window->isSettled(), kPatience);
    }

    void fileDeletedWhileOpenLeavesItsFigures() {
        openModel();
        QVERIFY(QFile::remove(m_folder->filePath("net.pt")));
        action("Reload")->trigger();
        QTRY_VERIFY_WITH_TIMEOUT(find<ErrorBar>()->isVisible(), kPatience);
        QVERIFY(find<ErrorBar>()->message().contains("net.pt"));
        find<BatchSlider>()->slider()->setValue(24);
        QTRY_VERIFY_WITH_TIMEOUT(!m_window->session().busy(), kPatience);
        QVERIFY(step()->hasTimeline());
        openModel();
        QVERIFY(!find<ErrorBar>()->isVisible());
        QVERIFY(find<VerdictBar>()->headline().startsWith("Fits"));
    }

    void themeChangesWithoutRestart() {
        openModel();
        m_window->setThemeMode(ThemeMode::Dark);
        QVERIFY(Theme::of(m_window->palette()).dark);
        QTRY_VERIFY(memory()->theme().dark);
        m_window->setThemeMode(ThemeMode::Light);
        QTRY_VERIFY(!memory()->theme().dark);
    }

    void unitsReachEveryView() {
        openModel();
        m_window->setUnits(ByteUnits::Decimal);
        QVERIFY(find<PeakHeader>()->processText().endsWith(" GB"));
        QVERIFY(find<VerdictBar>()->headline().contains(" GB"));
        QVERIFY(find<LayerTreeView>()
                    ->model()
                    ->headerData(LayerTreeModel::Weights, Qt::Horizontal)
                    .toString()
                    .endsWith("MB"));
    }

    void layoutIsKeptAndReset() {
        openModel();
        auto* layers = m_window->findChild<QDockWidget*>("layers");
        layers->hide();
        QVERIFY(m_window->close());
        newWindow();
        openModel();
        layers = m_window->findChild<QDockWidget*>("layers");
        QVERIFY(!layers->isVisible());
        action("Reset layout")->trigger();
        QVERIFY(layers->isVisible());
    }

    void everyActionHasATip() {
        for (QAction* action : m_window->findChildren<QAction*>())
            if (!action->isSeparator() && !action->menu() && !action->shortcut().isEmpty())
                QVERIFY2(!action->toolTip().isEmpty(), qPrintable(action->text()));
    }

    void shortcutsAreUnique() {
        QSet<QString> seen;
        for (QAction* action : m_window->findChildren<QAction*>()) {
            if (action->shortcut().isEmpty()) continue;
            const QString keys = action->shortcut().toString();
            QVERIFY2(!seen.contains(keys), qPrintable(keys));
            seen.insert(keys);
        }
        QVERIFY(seen.size() > 10);
    }
};

QTEST_MAIN(WindowTest)
#include "tst_window.moc"
