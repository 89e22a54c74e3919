// SPDX-License-Identifier: Apache-2.0
#include "app/window/mainwindow.h"
#include "app/window/planfile.h"
#include "tests/window/synthetic.h"
#include "widgets/batchslider.h"
#include "widgets/emptystate.h"
#include "widgets/errorbar.h"
#include "widgets/layertreeview.h"
#include "widgets/memoryplot.h"
#include "widgets/peakheader.h"
#include "widgets/settingspanel.h"
#include "widgets/timelineplot.h"
#include "widgets/variantsbar.h"
#include "widgets/verdictbar.h"

#include <QAction>
#include <QApplication>
#include <QComboBox>
#include <QDockWidget>
#include <QDropEvent>
#include <QMimeData>
#include <QSlider>
#include <QStandardPaths>
#include <QTabBar>
#include <QTemporaryDir>
#include <QTest>

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
        QVERIFY(find<TimelinePlot>()->hasTimeline());
        QCOMPARE(find<TimelinePlot>()->stack().highest().count, expected.steady.allocated.count);
        QVERIFY(find<MemoryPlot>()->dotsGraph()->dataCount() >= 3);
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
        QCOMPARE(*find<MemoryPlot>()->largestFitting(), largest);
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
            QCOMPARE(find<MemoryPlot>()->cursor()->x, std::int64_t(slider->value()));
            QVERIFY(find<MemoryPlot>()->cursor()->process.count > 0);
        }
        QTest::mouseRelease(slider, Qt::LeftButton, {}, QPoint(slider->width() * 3 / 4, 11));
        QTRY_VERIFY_WITH_TIMEOUT(m_window->isSettled(), kPatience);
        QVERIFY(find<MemoryPlot>()->cursor()->exact);
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
        action("Undo Change settings")->trigger();
        QCOMPARE(find<SettingsPanel>()->checkpointSlider()->value(), 0);
        QCOMPARE(m_window->document().current()->settings.precision, Precision::AmpBf16);
        m_window->document().undoStack()->undo();
        QCOMPARE(precision->currentData().toInt(), int(Precision::Fp32));
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
        QCOMPARE(find<MemoryPlot>()->capacity()->count, m_window->currentPlanner()->gpu().memory.count);
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
        QVERIFY(find<TimelinePlot>()->layerGraph()->dataCount() > 0);
        emit find<TimelinePlot>()->layerPicked(syntheticModel().indexOf("layer3.1.bn1"));
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
        QMimeData data;
        data.setUrls({QUrl::fromLocalFile(modelFile("dropped.pt"))});
        QDragEnterEvent enter({10, 10}, Qt::CopyAction, &data, Qt::LeftButton, {});
        QApplication::sendEvent(m_window.get(), &enter);
        QVERIFY(enter.isAccepted());
        QDropEvent drop({10, 10}, Qt::CopyAction, &data, Qt::LeftButton, {});
        QApplication::sendEvent(m_window.get(), &drop);
        QTRY_VERIFY_WITH_TIMEOUT(m_window->isSettled(), kPatience);
        QCOMPARE(m_window->document().current()->name, QStringLiteral("dropped"));
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

    void themeChangesWithoutRestart() {
        openModel();
        m_window->setThemeMode(ThemeMode::Dark);
        QVERIFY(Theme::of(m_window->palette()).dark);
        QTRY_VERIFY(find<MemoryPlot>()->theme().dark);
        m_window->setThemeMode(ThemeMode::Light);
        QTRY_VERIFY(!find<MemoryPlot>()->theme().dark);
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
