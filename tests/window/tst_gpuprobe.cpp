// SPDX-License-Identifier: Apache-2.0
// The page on this machine's GPU, in a real window with the real probe: the null GPU poses as the card.
#include "app/window/gpuprobe.h"
#include "app/window/mainwindow.h"
#include "engine/gpus/catalogue.h"
#include "tests/probe/posinggpu.h"
#include "widgets/comparisonview.h"
#include "widgets/memoryplot.h"
#include "widgets/settingspanel.h"

#include <QCheckBox>
#include <QComboBox>
#include <QPushButton>
#include <QSignalSpy>
#include <QStandardItemModel>
#include <QStandardPaths>
#include <QTabWidget>
#include <QTemporaryDir>
#include <QTest>
#include <QTreeWidget>

using namespace tidemark;
using testing::PosingGpu;

namespace {

constexpr int kPatience = 60'000;
constexpr const char* kOwnName = "Posing GPU 5000";
constexpr const char* kSample = RESOURCES "/samples/early-downsampling.pt";

Installation installation() { return {QStringLiteral(PROBE), QStringLiteral(RESOURCES "/gpus.json"), {}, QStringLiteral(RESOURCES)}; }

}  // namespace

class TestGpuProbe : public QObject {
    Q_OBJECT

private:
    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<PosingGpu> m_posing;
    std::unique_ptr<MainWindow> m_window;

    GpuProbePanel* panel() const { return m_window->findChild<GpuProbePanel*>(); }
    GpuProbe* probe() const { return m_window->findChild<GpuProbe*>(); }
    MemoryPlot* plot() const { return probe()->plot(); }

    void pose(const char* name, std::int64_t memory) { m_posing = std::make_unique<PosingGpu>(NULL_DIR, name, memory); }
    void newWindow() {
        const auto catalogue = Catalogue::load(RESOURCES "/gpus.json");
        m_window = std::make_unique<MainWindow>(installation(), catalogue.value().all());
        m_window->show();
    }
    void openModel(std::int64_t batch) {
        m_window->openFile(kSample);
        QTRY_VERIFY_WITH_TIMEOUT(m_window->isSettled(), kPatience);
        Settings settings = m_window->document().current()->settings;
        settings.batch = batch;
        settings.workspace = WorkspaceSource::None;
        Plan plan = m_window->document().plan();
        plan.variants[0].settings = settings;
        m_window->document().edit(plan, [] { return QStringLiteral("batch"); });
        QTRY_VERIFY_WITH_TIMEOUT(m_window->isSettled(), kPatience);
    }
    void run(GpuProbePanel::Range range) {
        QTRY_VERIFY_WITH_TIMEOUT(panel()->runButton()->isEnabled(), kPatience);
        panel()->rangeBox()->setCurrentIndex(panel()->rangeBox()->findData(int(range)));
        panel()->runButton()->click();
        QVERIFY(probe()->isRunning());
        QTRY_VERIFY_WITH_TIMEOUT(!probe()->isRunning() && m_window->isSettled(), kPatience);
    }

    /// The bytes that a row of the comparison says for baseline, other and difference.
    static std::array<qint64, 3> bytesOf(const QStandardItem* first) {
        const auto cell = [&](int column) {
            return first->model()
                ->itemFromIndex(first->index().siblingAtColumn(column))
                ->data(ComparisonView::kBytesRole)
                .toLongLong();
        };
        return {cell(ComparisonView::Baseline), cell(ComparisonView::Other), cell(ComparisonView::Delta)};
    }

private slots:
    void comparedLayersSumToTheDifferenceOfThePeaks_data() {
        QTest::addColumn<QString>("other");
        QTest::newRow("ResNet-50 under AMP and checkpointing") << QString();
        QTest::newRow("another network") << QStringLiteral(RESOURCES "/samples/late-downsampling.pt");
    }
    void comparedLayersSumToTheDifferenceOfThePeaks() {
        QFETCH(QString, other);
        newWindow();
        m_window->openFile(RESOURCES "/samples/resnet50.pt");
        QTRY_VERIFY_WITH_TIMEOUT(m_window->isSettled(), kPatience);
        const Bytes first = m_window->currentPlanner()->exact()->steady.allocated;
        if (other.isEmpty())
            m_window->duplicateVariant();
        else
            m_window->addModels({other});
        Plan plan = m_window->document().plan();
        if (other.isEmpty()) {
            plan.variants[1].settings.precision = Precision::AmpBf16;
            plan.variants[1].settings.checkpoint.mode = CheckpointMode::All;
        }
        m_window->document().edit(plan, [] { return QStringLiteral("other"); });
        QTRY_VERIFY_WITH_TIMEOUT(
            m_window->isSettled() && m_window->findChild<ComparisonView*>()->model()->rowCount() == 2, kPatience);
        const Bytes second = m_window->currentPlanner()->exact()->steady.allocated;
        const std::array<qint64, 3> peaks{first.count, second.count, (second - first).count};
        QVERIFY(peaks[2] != 0);
        const auto* view = m_window->findChild<ComparisonView*>();
        QCOMPARE(bytesOf(view->model()->item(0)), peaks);
        const QStandardItem* layers = view->model()->item(1);
        QCOMPARE(bytesOf(layers), peaks);
        std::array<qint64, 3> sum{};
        for (int row = 0; row < layers->rowCount(); ++row)
            for (std::size_t i = 0; i < 3; ++i) sum[i] += bytesOf(layers->child(row))[i];
        QCOMPARE(sum, peaks);
        // As CSV each layer stands for itself alone.
        std::array<qint64, 3> rows{};
        bool ofLayers = false;
        for (const QString& line : view->toCsv().split('\n', Qt::SkipEmptyParts)) {
            const QStringList fields = line.split(',');
            if (ofLayers)
                for (int i = 0; i < 3; ++i) rows[std::size_t(i)] += fields[fields.size() - 3 + i].toLongLong();
            ofLayers = ofLayers || fields[0] == "Process";
        }
        QCOMPARE(rows, peaks);
    }

    void initTestCase() {
        QStandardPaths::setTestModeEnabled(true);
        QCoreApplication::setOrganizationName("tidemark-test");
        QCoreApplication::setApplicationName("tst_gpuprobe");
    }
    void init() {
        QSettings().clear();
        QFile::remove(SettingsStore::recoveryFile());
        m_folder = std::make_unique<QTemporaryDir>();
        qputenv("TIDEMARK_CALIBRATION", m_folder->filePath("calibration.json").toUtf8());
    }
    void cleanup() {
        m_window.reset();
        m_posing.reset();
    }

    void buttonSaysWhyWithoutAGpu() {
        qputenv("CUDA_VISIBLE_DEVICES", "");
        newWindow();
        QTRY_VERIFY_WITH_TIMEOUT(panel()->stateText().contains("NVIDIA driver"), kPatience);
        qunsetenv("CUDA_VISIBLE_DEVICES");
        openModel(8);
        QVERIFY(!panel()->runButton()->isEnabled());
        QCOMPARE(panel()->runButton()->toolTip(), panel()->stateText());
    }

    void pointsAreDrawnBesideThePlan() {
        pose(kOwnName, 8ll << 30);
        newWindow();
        openModel(32);
        run(GpuProbePanel::Range::Around);
        QCOMPARE(panel()->gauge()->use()->others.count, PosingGpu::kOthers);
        QCOMPARE(plot()->measuredGraph()->dataCount(), 3);
        QCOMPARE(panel()->pointsView()->topLevelItemCount(), 3);
        for (int i = 0; i < 3; ++i) {
            const auto point = plot()->measuredGraph()->data()->at(i);
            const auto planned = plot()->at(static_cast<std::int64_t>(point->key));
            QVERIFY(planned.has_value());
            const QString words = panel()->pointsView()->topLevelItem(i)->text(6);
            QVERIFY2(words.contains("than planned") && words.contains("the context takes"), qPrintable(words));
        }
        // At the chosen batch the plan is exact, and the card's figures differ by the context alone.
        const auto last = plot()->measuredGraph()->data()->at(2);
        QCOMPARE(static_cast<std::int64_t>(last->value), m_window->currentPlanner()->exact()->highest().reserved.count + PosingGpu::kContext);
        QVERIFY(panel()->statisticsView()->topLevelItemCount() > 5);
        QVERIFY(panel()->noteText().isEmpty());
    }

    void pointsBelongToTheirSettings() {
        pose(kOwnName, 8ll << 30);
        newWindow();
        openModel(8);
        run(GpuProbePanel::Range::ThisBatch);
        QCOMPARE(plot()->measuredGraph()->dataCount(), 1);
        Plan plan = m_window->document().plan();
        const Settings before = plan.variants[0].settings;
        plan.variants[0].settings.precision = Precision::AmpBf16;
        m_window->document().edit(plan, [] { return QStringLiteral("precision"); });
        QTRY_COMPARE(plot()->measuredGraph()->dataCount(), 0);
        plan.variants[0].settings = before;
        m_window->document().edit(plan, [] { return QStringLiteral("back"); });
        QTRY_COMPARE(plot()->measuredGraph()->dataCount(), 1);
    }

    void outOfMemoryIsShownAsSuch() {
        pose(kOwnName, 3ll << 30);
        newWindow();
        openModel(2048);
        run(GpuProbePanel::Range::ThisBatch);
        QCOMPARE(plot()->measuredGraph()->dataCount(), 0);
        QCOMPARE(plot()->outOfMemoryGraph()->dataCount(), 1);
        QCOMPARE(static_cast<std::int64_t>(plot()->outOfMemoryGraph()->data()->at(0)->value), std::int64_t(3ll << 30));
        QVERIFY(panel()->pointsView()->topLevelItem(0)->text(6).startsWith("Out of memory"));
    }

    void calibrationIsStoredAndUsed() {
        const auto catalogue = Catalogue::load(RESOURCES "/gpus.json");
        const Gpu card = catalogue.value().find("rtx-4090").value();
        pose(card.name.c_str(), card.memory.count);
        newWindow();
        openModel(8);
        Plan plan = m_window->document().plan();
        plan.gpu = card.id;
        m_window->document().edit(plan, [] { return QStringLiteral("card"); });
        QTRY_VERIFY_WITH_TIMEOUT(m_window->isSettled(), kPatience);
        const Bytes before = m_window->currentPlanner()->figures()->process;
        panel()->calibrateBox()->setChecked(true);
        run(GpuProbePanel::Range::ThisBatch);
        QTRY_VERIFY_WITH_TIMEOUT(panel()->noteText().contains("700.0 MiB"), kPatience);
        QVERIFY(QFile::exists(m_folder->filePath("calibration.json")));
        QCOMPARE(m_window->currentPlanner()->gpu().context.expected.count, PosingGpu::kContext);
        QCOMPARE(m_window->currentPlanner()->figures()->process.count, before.count - card.context.expected.count + PosingGpu::kContext);
        // The next start knows it.
        newWindow();
        openModel(8);
        plan = m_window->document().plan();
        plan.gpu = card.id;
        m_window->document().edit(plan, [] { return QStringLiteral("card"); });
        QTRY_COMPARE(m_window->currentPlanner()->gpu().context.expected.count, PosingGpu::kContext);
    }

    void stopEndsTheRun() {
        pose(kOwnName, 8ll << 30);
        newWindow();
        openModel(64);
        panel()->rangeBox()->setCurrentIndex(panel()->rangeBox()->findData(int(GpuProbePanel::Range::Sweep)));
        panel()->runButton()->click();
        QTRY_VERIFY(panel()->cancelButton()->isEnabled());
        panel()->cancelButton()->click();
        QTRY_VERIFY_WITH_TIMEOUT(!probe()->isRunning(), kPatience);
        QVERIFY(panel()->noteText().contains("cancelled"));
        QTRY_VERIFY(PosingGpu::probes().isEmpty());
        QTRY_VERIFY_WITH_TIMEOUT(panel()->runButton()->isEnabled(), kPatience);
    }

    void closingTheWindowEndsTheProbe() {
        pose(kOwnName, 8ll << 30);
        newWindow();
        openModel(64);
        panel()->rangeBox()->setCurrentIndex(panel()->rangeBox()->findData(int(GpuProbePanel::Range::Sweep)));
        panel()->runButton()->click();
        QTRY_VERIFY(!PosingGpu::probes().isEmpty());
        m_window.reset();
        QVERIFY(PosingGpu::probes().isEmpty());
    }
};

QTEST_MAIN(TestGpuProbe)
#include "tst_gpuprobe.moc"
