// SPDX-License-Identifier: Apache-2.0
#include "app/window/mainwindow.h"

#include "app/window/axispage.h"
#include "app/window/advicefinder.h"
#include "app/window/gpuprobe.h"
#include "app/window/inputsets.h"
#include "app/window/insights.h"
#include "app/window/language.h"
#include "app/window/planfile.h"
#include "app/window/verdicttext.h"
#include "engine/session/calibrationstore.h"
#include "widgets/batchslider.h"
#include "widgets/comparisonview.h"
#include "widgets/emptystate.h"
#include "widgets/errorbar.h"
#include "widgets/hintbar.h"
#include "widgets/layertreeview.h"
#include "widgets/memoryplot.h"
#include "widgets/peakheader.h"
#include "widgets/plotpanel.h"
#include "widgets/serieslegend.h"
#include "widgets/settingspanel.h"
#include "widgets/text.h"
#include "widgets/timelineplot.h"
#include "widgets/variantsbar.h"
#include "widgets/verdictbar.h"

#include <QActionGroup>
#include <QApplication>
#include <QCloseEvent>
#include <QDialog>
#include <QDockWidget>
#include <QFileInfo>
#include <QFileSystemWatcher>
#include <QMenuBar>
#include <QScreen>
#include <QSplitter>
#include <QStackedWidget>
#include <QTabBar>
#include <QTabWidget>
#include <QTimer>
#include <QToolBar>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>

namespace tidemark {
namespace {

constexpr int kRecoveryDelayMs = 1000;
constexpr int kBusyDelayMs = 800;
constexpr int kRunningDelayMs = 500;
constexpr int kLayoutVersion = 1;

/// The size of the card that leaves `capacity` beside what is kept free, in whole GiB as cards are sold.
Bytes memoryFor(Bytes capacity, const Reserve& reserve) {
    const Bytes kept = capacity + reserve.absolute + reserve.display;
    const double gib = kept.gib() / std::max(0.01, 1 - reserve.fraction);
    return kGiB * std::max<std::int64_t>(1, std::llround(gib));
}

}  // namespace

MainWindow::MainWindow(const Installation& installation, std::vector<Gpu> gpus, SettingsStore::Access access,
                       QWidget* parent)
    : QMainWindow(parent),
      m_store(access),
      m_gpus(CalibrationStore().applyTo(std::move(gpus))),
      m_session(std::make_unique<Session>(installation)),
      m_desktopPalette(QApplication::palette()),
      m_recoverySoon(new QTimer(this)),
      m_busySoon(new QTimer(this)),
      m_rebuildSoon(new QTimer(this)),
      m_watcher(new QFileSystemWatcher(this)) {
    m_hintsWanted = !m_store.flag(QStringLiteral("hintsRead"));
    m_theme = m_store.theme();
    m_units = m_store.units();
    applyTheme(*qApp, m_theme, m_desktopPalette);
    setWindowIcon(QIcon(QStringLiteral(":/icons/tidemark.svg")));
    setAcceptDrops(true);
    setDockNestingEnabled(true);
    connectEngine();
    build();
}

void MainWindow::build() {
    buildCentre();
    buildDocks();
    buildVerdict();
    buildActions();
    connectWidgets();
    fillOffers();
    setUnits(m_units);
    restoreLayout();
    showDocument();
    showBusy();
}

/// Makes all widgets anew, so that every text is said in the language that is installed now. Document, measurements and
/// the layout stay.
void MainWindow::rebuild() {
    if (m_gpuProbe->isRunning()) return m_rebuildSoon->start(kRunningDelayMs);
    m_rebuildSoon->setInterval(0);
    m_document.renameSteps();
    saveLayout();
    const int page = m_insights->currentIndex();
    const bool together = m_together->isChecked();
    const auto snapshot = m_insightPages->snapshot();
    const auto probed = m_gpuProbe->measured();
    for (QDialog* dialog : findChildren<QDialog*>(QString(), Qt::FindDirectChildrenOnly)) dialog->close();
    m_shown = nullptr;
    m_insightPages->leaveSession();
    setCentralWidget(nullptr);
    for (QWidget* part : std::initializer_list<QWidget*>{m_layersDock, m_settingsDock, m_toolBar, m_verdictBar})
        delete part;
    setMenuBar(new QMenuBar(this));
    qDeleteAll(findChildren<QAction*>(QString(), Qt::FindDirectChildrenOnly));
    qDeleteAll(findChildren<QActionGroup*>(QString(), Qt::FindDirectChildrenOnly));
    build();
    m_together->setChecked(together);
    m_insightPages->setSnapshot(snapshot);
    m_gpuProbe->setMeasured(probed);
    if (m_insights->isTabVisible(page)) m_insights->setCurrentIndex(page);
    if (m_shown && m_shown->error()) m_errors->showError(*m_shown->error());
}

MainWindow::~MainWindow() {
    // The planners and some pages ask the session until they are gone.
    for (const auto& entry : m_planners) delete entry.second;
    m_planners.clear();
    m_insightPages->leaveSession();
    m_session.reset();
}

void MainWindow::buildCentre() {
    auto* centre = new QWidget(this);
    auto* column = new QVBoxLayout(centre);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    m_errors = new ErrorBar(centre);
    m_stack = new QStackedWidget(centre);
    m_empty = new EmptyState(m_stack);

    auto* plan = new QWidget(m_stack);
    auto* planColumn = new QVBoxLayout(plan);
    planColumn->setContentsMargins(0, 0, 0, 0);
    planColumn->setSpacing(0);
    m_header = new PeakHeader(plan);
    m_memory = new MemoryPlot(plan);
    m_memory->setObjectName(QStringLiteral("memory"));
    m_timeline = new TimelinePlot(plan);
    m_timeline->setObjectName(QStringLiteral("step"));
    m_memoryPanel = new PlotPanel(tr("Memory against batch size"), m_memory, plan);
    m_timelinePanel = new PlotPanel(tr("One training step"), m_timeline, plan);
    m_series = new SeriesLegend(m_memoryPanel);
    m_memoryPanel->addControl(m_series);
    m_memoryPanel->addControl(m_header->reservedChip());
    m_memoryPanel->addControl(m_header->processChip());
    m_plots = new QSplitter(Qt::Vertical, plan);
    m_plots->addWidget(m_memoryPanel);
    m_comparison = new ComparisonView(plan);
    m_insights = new QTabWidget(plan);
    m_insights->setDocumentMode(true);
    m_insights->setElideMode(Qt::ElideNone);
    m_insights->addTab(m_timelinePanel, tr("Step"));
    m_insights->addTab(m_comparison, tr("Comparison"));
    m_insightPages = new InsightPages(m_insights, *m_session);
    m_gpuProbe = new GpuProbe(m_insights, m_memory, *m_session, m_gpus);
    m_plots->addWidget(m_insights);
    m_plots->setStretchFactor(0, 3);
    m_plots->setStretchFactor(1, 2);
    m_plots->setHandleWidth(1);
    m_plots->setChildrenCollapsible(false);
    m_hints = new HintBar(plan);
    planColumn->addWidget(m_hints);
    planColumn->addWidget(m_header);
    planColumn->addWidget(m_plots, 1);

    m_stack->addWidget(m_empty);
    m_stack->addWidget(plan);
    column->addWidget(m_errors);
    column->addWidget(m_stack, 1);
    setCentralWidget(centre);
}

void MainWindow::buildDocks() {
    const auto dock = [this](const QString& title, const QString& name, QWidget* content, Qt::DockWidgetArea area) {
        auto* dock = new QDockWidget(title, this);
        dock->setObjectName(name);
        dock->setWidget(content);
        dock->setAllowedAreas(Qt::LeftDockWidgetArea | Qt::RightDockWidgetArea);
        dock->setFeatures(QDockWidget::DockWidgetClosable | QDockWidget::DockWidgetMovable |
                          QDockWidget::DockWidgetFloatable);
        addDockWidget(area, dock);
        return dock;
    };
    m_layers = new LayerTreeView(this);
    m_settings = new SettingsPanel(this);
    m_settings->setGpus(m_gpus);
    m_layersDock = dock(tr("Layers"), QStringLiteral("layers"), m_layers, Qt::LeftDockWidgetArea);
    m_settingsDock = dock(tr("Settings"), QStringLiteral("settings"), m_settings, Qt::RightDockWidgetArea);
}

void MainWindow::buildVerdict() {
    m_verdict = new VerdictBar(this);
    m_verdict->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    m_verdictBar = new QToolBar(tr("Verdict"), this);
    m_verdictBar->setObjectName(QStringLiteral("verdict"));
    m_verdictBar->setMovable(false);
    m_verdictBar->setStyleSheet(QStringLiteral("QToolBar { padding: 0; border: 0; spacing: 0; }"));
    m_verdictBar->addWidget(m_verdict);
    m_verdictBar->toggleViewAction()->setVisible(false);
    addToolBar(Qt::BottomToolBarArea, m_verdictBar);
}

void MainWindow::connectWidgets() {
    connect(m_hints, &HintBar::done, this, [this] {
        m_store.setFlag(QStringLiteral("hintsRead"), true);
        m_hintsWanted = false;
    });
    connect(m_empty, &EmptyState::openWished, this, &MainWindow::chooseFile);
    connect(m_empty, &EmptyState::fileWished, this, &MainWindow::openFile);
    connect(m_settings, &SettingsPanel::settingsChanged, this, &MainWindow::editSettings);
    connect(m_settings, &SettingsPanel::gpuChanged, this, &MainWindow::chooseGpu);
    const auto setMemory = [this](Bytes memory) {
        const Gpu* gpu = gpuById(m_document.plan().gpu);
        editPlan([&](Plan& plan) { plan.memory = gpu && memory == gpu->memory ? Bytes{} : memory; },
                 [] { return tr("Change memory of the card"); }, QStringLiteral("memory"));
    };
    connect(m_settings, &SettingsPanel::memoryChanged, this, setMemory);
    connect(m_memory, &MemoryPlot::capacityWished, this,
            [=, this](Bytes capacity) { setMemory(memoryFor(capacity, m_document.plan().reserve)); });
    connect(m_settings, &SettingsPanel::reserveChanged, this, [this](const Reserve& reserve) {
        editPlan([&](Plan& plan) { plan.reserve = reserve; }, [] { return tr("Change reserve"); },
                 QStringLiteral("reserve"));
    });
    connect(m_memory, &MemoryPlot::xPicked, this,
            [this](qint64 batch) { m_settings->batchSlider()->setValue(static_cast<int>(batch)); });
    connect(m_header, &PeakHeader::categoryToggled, this, [this](Category category, bool visible) {
        m_memory->setCategoryVisible(category, visible);
        m_timeline->setCategoryVisible(category, visible);
    });
    connect(m_series, &SeriesLegend::toggled, m_memory, &MemoryPlot::setOtherVisible);
    connect(m_header, &PeakHeader::reservedToggled, m_memory, &MemoryPlot::setReservedVisible);
    connect(m_header, &PeakHeader::processToggled, m_memory, &MemoryPlot::setProcessVisible);
    connect(m_layers, &LayerTreeView::layerSelected, m_timeline, &TimelinePlot::setHighlightedLayer);
    connect(m_timeline, &TimelinePlot::layerPicked, m_layers, &LayerTreeView::selectLayer);
    m_insightPages->connectViews(m_timeline, m_layers);
    connect(m_insightPages, &InsightPages::settingsWished, this, &MainWindow::editSettings);
    connect(m_insightPages->inputSets(), &InputSets::setsWished, this, [this](const InputSets::Sets& sets) {
        editPlan([&](Plan& plan) { plan.variants[plan.current].inputSets = sets; },
                 [] { return tr("Change sets of inputs"); });
    });
    connect(m_insightPages->adviceFinder(), &AdviceFinder::changed, this, &MainWindow::writePendingReports);
    connect(m_insightPages, &InsightPages::failed, m_errors, &ErrorBar::showError);
    connect(m_insightPages, &InsightPages::noted, this, [this](const QString& text) { m_errors->showNote(text); });
    connect(m_gpuProbe, &GpuProbe::calibrationStored, this, [this] {
        m_gpus = CalibrationStore().applyTo(std::move(m_gpus));
        syncPlanners();
    });
    connect(m_comparison, &ComparisonView::exportWished, this, &MainWindow::exportComparison);
    connect(m_comparison, &ComparisonView::layerPicked, m_layers, &LayerTreeView::selectLayer);
    connect(m_layers, &LayerTreeView::exportWished, this, &MainWindow::exportLayers);
    connect(m_layers, &LayerTreeView::checkpointWished, this, [this](const QString& path, bool on) {
        Settings settings = m_settings->settings();
        auto& layers = settings.checkpoint.layers;
        if (settings.checkpoint.mode != CheckpointMode::Layers) settings.checkpoint = {CheckpointMode::Layers, 0, {}};
        std::erase(layers, path.toStdString());
        if (on) layers.push_back(path.toStdString());
        if (layers.empty()) settings.checkpoint = {};
        editSettings(settings);
    });
    connect(m_verdict, &VerdictBar::cancelWished, m_session.get(), &Session::cancel);
}

/// What outlives the widgets, which are made anew in another language.
void MainWindow::connectEngine() {
    connect(&m_document, &Document::changed, this, &MainWindow::showDocument);
    connect(&m_document, &Document::fileChanged, this, &MainWindow::showTitle);
    connect(m_session.get(), &Session::busyChanged, this, [this](bool busy) {
        if (busy)
            m_busySoon->start();
        else
            m_busySoon->stop();
        showBusy();
    });
    connect(m_session.get(), &Session::workerRestarted, this, [this](const QString& why) { m_errors->showNote(why); });
    m_busySoon->setSingleShot(true);
    m_busySoon->setInterval(kBusyDelayMs);
    connect(m_busySoon, &QTimer::timeout, this, &MainWindow::showBusy);
    m_rebuildSoon->setSingleShot(true);
    connect(m_rebuildSoon, &QTimer::timeout, this, &MainWindow::rebuild);
    m_recoverySoon->setSingleShot(true);
    m_recoverySoon->setInterval(kRecoveryDelayMs);
    connect(m_recoverySoon, &QTimer::timeout, this, &MainWindow::saveRecovery);
    connect(m_watcher, &QFileSystemWatcher::fileChanged, this, [this](const QString& file) {
        if (!QFileInfo::exists(file)) return;
        // A file that was replaced is no longer watched.
        m_watcher->addPath(file);
        m_errors->showNote(tr("%1 has changed on disk. Press F5 to measure it again.").arg(QFileInfo(file).fileName()));
    });
}

VariantPlanner* MainWindow::plannerOf(int variantId) const {
    const auto found = m_planners.find(variantId);
    return found == m_planners.end() ? nullptr : found->second;
}

VariantPlanner* MainWindow::currentPlanner() const {
    const Variant* variant = m_document.current();
    return variant ? plannerOf(variant->id) : nullptr;
}

bool MainWindow::isSettled() const {
    const VariantPlanner* planner = currentPlanner();
    return planner && !m_session->busy() && planner->exact() && planner->isDetailCurrent() && planner->largest();
}

void MainWindow::chooseGpu(const QString& id) {
    m_store.setText(QStringLiteral("gpu"), id);
    const auto choose = [&](Plan& plan) {
        plan.gpu = id.toStdString();
        plan.memory = {};
    };
    editPlan(
        choose, [] { return tr("Change GPU"); }, QStringLiteral("gpu"));
}

const Gpu* MainWindow::gpuById(const std::string& id) const {
    const auto found = std::find_if(m_gpus.begin(), m_gpus.end(), [&](const Gpu& gpu) { return gpu.id == id; });
    return found != m_gpus.end() ? &*found : m_gpus.empty() ? nullptr : &m_gpus.front();
}

std::optional<PlannedCard> MainWindow::plannedCard() const {
    const Plan& plan = m_document.plan();
    const Gpu* gpu = gpuById(plan.gpu);
    if (!gpu) return {};
    PlannedCard card{*gpu, *gpu, plan.reserve};
    if (plan.memory.count > 0) {
        card.gpu.memory = plan.memory;
        card.gpu.label =
            tr("%1 (%2)").arg(QString::fromStdString(gpu->label), sizeText(plan.memory, m_units)).toStdString();
    }
    return card;
}

void MainWindow::editPlan(const std::function<void(Plan&)>& edit, const Document::StepName& name, const QString& key) {
    Plan plan = m_document.plan();
    edit(plan);
    m_document.edit(plan, name, key);
}

void MainWindow::connectPlanner(VariantPlanner* planner) {
    const auto ifShown = [this, planner](void (MainWindow::*show)()) {
        return [this, planner, show] {
            if (planner == m_shown) (this->*show)();
        };
    };
    connect(planner, &VariantPlanner::modelOpened, this, ifShown(&MainWindow::showModel));
    connect(planner, &VariantPlanner::figuresChanged, this, ifShown(&MainWindow::showFigures));
    connect(planner, &VariantPlanner::detailChanged, this, ifShown(&MainWindow::showDetail));
    connect(planner, &VariantPlanner::detailChanged, this, &MainWindow::showComparison);
    connect(planner, &VariantPlanner::pointsChanged, this, [this, planner] {
        if (planner == m_shown)
            showPoints();
        else
            showOthers();
        std::int64_t reach = 0;
        for (const auto& entry : m_planners) reach = std::max(reach, entry.second->curveReach());
        for (const auto& entry : m_planners) entry.second->extendTo(reach);
    });
    connect(planner, &VariantPlanner::openFailed, this, [this, planner](const Error& error) {
        m_errors->showError(error);
        if (planner == m_shown && !planner->isOpen()) {
            m_hints->hide();
            m_settings->clearModel(planner->path(), tr("This file cannot be opened."));
        }
        if (planner == m_shown && error.code == ErrorCode::InputNeeded)
            m_settings->askForInput(localText(error.message));
        showVerdict();
    });
    connect(planner, &VariantPlanner::failed, this, [this, planner](const Error& error) {
        if (planner != m_shown) return;
        m_errors->showError(error);
        if (error.code == ErrorCode::InputNeeded) m_settings->askForInput(localText(error.message));
    });
}

void MainWindow::syncPlanners() {
    const Plan& plan = m_document.plan();
    for (auto entry = m_planners.begin(); entry != m_planners.end();) {
        const bool kept = std::any_of(plan.variants.begin(), plan.variants.end(),
                                      [&](const Variant& v) { return v.id == entry->first; });
        if (kept) {
            ++entry;
            continue;
        }
        if (entry->second == m_shown) m_shown = nullptr;
        delete entry->second;
        entry = m_planners.erase(entry);
    }
    const auto card = plannedCard();
    if (!card) return;
    for (const Variant& variant : plan.variants) {
        VariantPlanner*& planner = m_planners[variant.id];
        const bool current = m_document.current() && m_document.current()->id == variant.id;
        if (!planner) {
            planner = new VariantPlanner(*m_session, variant.id, this);
            connectPlanner(planner);
            planner->setDetailed(current);
            planner->open(variant.model, *card, variant.settings);
            continue;
        }
        planner->setDetailed(current);
        if (planner->path() != variant.model) planner->open(variant.model, *card, variant.settings);
        planner->setCard(*card);
        planner->setSettings(variant.settings);
    }
}

void MainWindow::showDocument() {
    const Plan& plan = m_document.plan();
    showEmpty(plan.isEmpty());
    QStringList names;
    for (const Variant& variant : plan.variants) names << variant.name;
    m_variants->setVariants(names, plan.current, plan.baseline);
    m_settings->setGpu(plan.gpu);
    m_settings->setMemory(plan.memory);
    m_settings->setReserve(plan.reserve);
    if (const Variant* variant = m_document.current()) m_settings->setSettings(variant->settings);
    syncPlanners();
    if (currentPlanner() != m_shown)
        showPlanner();
    else if (m_shown && m_shown->isOpen() && m_document.current()->inputSets != m_inputSets)
        m_insightPages->inputSets()->showStep(m_shown, m_document.current()->inputSets);
    m_inputSets = m_document.current() ? m_document.current()->inputSets : InputSets::Sets();
    updateActions();
    showTitle();
    if (!plan.isEmpty()) m_recoverySoon->start();
}

void MainWindow::showEmpty(bool empty) {
    if (m_stack->currentIndex() == (empty ? 0 : 1) && m_verdictBar->isVisibleTo(this) != empty) return;
    m_stack->setCurrentIndex(empty ? 0 : 1);
    m_verdictBar->setVisible(!empty);
    m_variants->setVisible(!empty);
    for (QDockWidget* dock : {m_layersDock, m_settingsDock}) {
        const QString key = QStringLiteral("layout/hidden/") + dock->objectName();
        dock->setVisible(!empty && !m_store.flag(key));
        dock->toggleViewAction()->setEnabled(!empty);
    }
    if (empty) {
        m_shown = nullptr;
        m_layers->model()->clear();
        fillOffers();
    }
}

void MainWindow::showPlanner() {
    m_shown = currentPlanner();
    m_memory->clear();
    m_header->setFigures({});
    if (m_shown && m_shown->isOpen()) {
        showModel();
        showPoints();
        showDetail();
    } else {
        if (m_shown)
            m_settings->clearModel(m_shown->path(),
                                   m_shown->error() ? tr("This file cannot be opened.") : tr("Being read …"));
        else
            m_settings->clearModel();
        m_layers->model()->clear();
        m_timeline->clear();
        m_insightPages->showDetail(nullptr);
    }
    if (m_shown) showFigures();
    m_gpuProbe->showVariant(m_shown);
    showOthers();
    showComparison();
    watchModels();
}

void MainWindow::showModel() {
    const ModelInfo& model = m_shown->model();
    m_errors->dismiss();
    if (m_hintsWanted && m_hints->isHidden()) m_hints->begin();
    m_layers->model()->setModel(model);
    m_settings->setModel(model);
    m_timeline->setModel(model);
    m_insightPages->setModel(model);
    if (model.inputSource == InputSource::None && m_shown->settings().inputs.empty())
        m_settings->askForInput(localText(model.inputQuestion));
    else if (m_header->isAncestorOf(focusWidget()) || !focusWidget())
        m_settings->batchSlider()->setFocus(Qt::OtherFocusReason);
    if (!model.warnings.empty()) {
        QStringList lines;
        for (const auto& warning : model.warnings) lines << localText(warning);
        m_errors->showNote(lines.front(), lines.size() > 1 ? lines.join(QLatin1Char('\n')) : QString());
    }
    showFigures();
    watchModels();
}

void MainWindow::showFigures() {
    const auto figures = m_shown->figures();
    m_header->setFigures(figures);
    std::optional<MemoryCursor> cursor;
    if (figures)
        cursor = MemoryCursor{figures->batch, figures->allocated, figures->reserved, figures->process, figures->exact};
    else if (m_shown->isOpen())
        cursor = MemoryCursor{m_shown->settings().batch, {}, {}, {}, false};
    m_memory->setCursor(cursor);
    const auto largest = m_shown->largest();
    m_memory->setLargestFitting(largest && !largest->limitReached ? std::optional(largest->batch) : std::nullopt);
    m_settings->setLargestFitting(largest ? largest->batch : 0);
    m_settings->setWorkspaceProblem(localText(m_shown->worker().workspaceProblem));
    m_gpuProbe->showVariant(m_shown);
    m_insightPages->showFigures(m_shown);
    showVerdict();
    updateActions();
}

void MainWindow::showPoints() {
    const Gpu& gpu = m_shown->gpu();
    m_memory->setCapacity(capacityOf(gpu, m_shown->reserve()), QString::fromStdString(gpu.label));
    m_memory->setPoints(m_shown->points());
    m_memoryPanel->setHint(tr("dots are exact, dashes lie between"));
}

void MainWindow::showDetail() {
    const MeasurementPtr detail = m_shown->detail();
    m_timeline->setTimeline(detail);
    m_insightPages->showDetail(m_shown);
    m_insightPages->inputSets()->showStep(m_shown, m_document.current()->inputSets);
    if (!detail) {
        m_layers->model()->clearUse();
        return;
    }
    m_layers->model()->setUse(detail->layers, detail->steady.allocated, detail->peakLayer);
    const auto& checkpoint = m_shown->settings().checkpoint;
    std::vector<std::string> marked = m_shown->model().blockPaths();
    if (checkpoint.mode == CheckpointMode::Layers)
        marked = checkpoint.layers;
    else if (checkpoint.mode == CheckpointMode::First)
        marked.resize(std::min<std::size_t>(marked.size(), static_cast<std::size_t>(checkpoint.count)));
    else if (checkpoint.mode != CheckpointMode::All)
        marked.clear();
    m_layers->model()->setCheckpointed(marked);
    m_timelinePanel->setHint(
        tr("batch %1, the steady iteration; click a peak to find its layer").arg(countText(m_shown->settings().batch)));
}

void MainWindow::showVerdict() {
    if (!m_shown) return;
    if (const auto& error = m_shown->error()) {
        m_verdict->setVerdict(VerdictBar::State::Failed,
                              m_shown->isOpen() ? tr("The step cannot be measured") : tr("The model cannot be opened"),
                              localText(error->message));
        return;
    }
    const auto fit = m_shown->fit();
    const auto figures = m_shown->figures();
    if (!fit || !figures) {
        m_verdict->setVerdict(VerdictBar::State::Measuring, tr("Measuring …"));
        return;
    }
    const auto state = fit->level == FitLevel::Fits    ? VerdictBar::State::Fits
                       : fit->level == FitLevel::Tight ? VerdictBar::State::Tight
                                                       : VerdictBar::State::DoesNotFit;
    m_verdict->setVerdict(state, verdictText(*fit, m_shown->gpu(), m_shown->largest(), m_units),
                          verdictGrounds(*fit, figures->categories, m_shown->exact().get(), m_units));
}

void MainWindow::showBusy() {
    const bool busy = m_session && m_session->busy();
    m_verdict->setBusy(busy && !m_busySoon->isActive(), tr("Measuring"));
    if (m_cancel) m_cancel->setEnabled(busy);
}

void MainWindow::setThemeMode(ThemeMode mode) {
    m_store.setTheme(mode);
    showTheme(mode);
}

void MainWindow::showTheme(ThemeMode mode) {
    m_theme = mode;
    applyTheme(*qApp, mode, m_desktopPalette);
    refreshIcons();
}

void MainWindow::setUnits(ByteUnits units) {
    m_units = units;
    m_store.setUnits(units);
    m_memory->setUnits(units);
    m_timeline->setUnits(units);
    m_insightPages->setUnits(units);
    m_gpuProbe->setUnits(units);
    m_header->setUnits(units);
    m_settings->setUnits(units);
    m_comparison->setUnits(units);
    m_layers->model()->setUnits(units);
    if (m_shown) showVerdict();
}

void MainWindow::setLanguage(const QString& code) {
    if (code == m_store.text(QStringLiteral("language"))) return;
    m_store.setText(QStringLiteral("language"), code);
    installLanguage(*qApp, code);
}

void MainWindow::showHints() {
    m_store.setFlag(QStringLiteral("hintsRead"), false);
    m_hintsWanted = true;
    m_hints->begin();
}

void MainWindow::hideHints() {
    m_hintsWanted = false;
    m_hints->hide();
}

QString MainWindow::problem() const {
    const VariantPlanner* planner = currentPlanner();
    if (planner && planner->error()) return localText(planner->error()->message);
    const bool failed = m_errors->isVisibleTo(this) && m_errors->kind() == ErrorBar::Kind::Error;
    return failed ? m_errors->message() : QString();
}

void MainWindow::restoreLayout() {
    const QSize screen = QGuiApplication::primaryScreen()->availableSize();
    resize(QSize(1440, 900).boundedTo(screen * 0.95));
    restoreGeometry(m_store.bytes(QStringLiteral("layout/geometry")));
    restoreState(m_store.bytes(QStringLiteral("layout/state")), kLayoutVersion);
    m_plots->restoreState(m_store.bytes(QStringLiteral("layout/plots")));
    m_layers->restoreState(m_store.bytes(QStringLiteral("layout/columns")));
    m_log->setChecked(m_store.flag(QStringLiteral("logarithmic")));
}

void MainWindow::saveLayout() {
    m_store.setBytes(QStringLiteral("layout/geometry"), saveGeometry());
    if (!m_document.plan().isEmpty()) {
        m_store.setBytes(QStringLiteral("layout/state"), saveState(kLayoutVersion));
        for (QDockWidget* dock : {m_layersDock, m_settingsDock})
            m_store.setFlag(QStringLiteral("layout/hidden/") + dock->objectName(), dock->isHidden());
    }
    m_store.setBytes(QStringLiteral("layout/plots"), m_plots->saveState());
    m_store.setBytes(QStringLiteral("layout/columns"), m_layers->saveState());
    m_store.setFlag(QStringLiteral("logarithmic"), m_log->isChecked());
}

void MainWindow::resetLayout() {
    m_store.resetLayout();
    for (QDockWidget* dock : {m_layersDock, m_settingsDock}) {
        dock->setFloating(false);
        addDockWidget(dock == m_layersDock ? Qt::LeftDockWidgetArea : Qt::RightDockWidgetArea, dock);
        dock->setVisible(!m_document.plan().isEmpty());
    }
    m_layers->resetColumns();
    m_plots->setSizes({3 * m_plots->height() / 5, 2 * m_plots->height() / 5});
    resizeDocks({m_layersDock, m_settingsDock}, {m_layers->sizeHint().width(), m_settings->minimumWidth()},
                Qt::Horizontal);
}

void MainWindow::closeEvent(QCloseEvent* event) {
    if (!mayDiscard()) {
        event->ignore();
        return;
    }
    saveLayout();
    saveRecovery();
    m_store.setFlag(QStringLiteral("endedCleanly"), true);
    event->accept();
}

void MainWindow::changeEvent(QEvent* event) {
    if (event->type() == QEvent::PaletteChange && m_open) refreshIcons();
    if (event->type() == QEvent::LanguageChange) m_rebuildSoon->start();
    QMainWindow::changeEvent(event);
}

void MainWindow::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Escape && m_session->busy())
        m_session->cancel();
    else
        QMainWindow::keyPressEvent(event);
}

}  // namespace tidemark
