// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/window/document.h"
#include "app/window/plotexportdialog.h"
#include "app/window/settingsstore.h"
#include "app/window/variantplanner.h"
#include "engine/gpus/gpu.h"
#include "engine/session/session.h"
#include "widgets/report.h"

#include <QMainWindow>

#include <map>
#include <memory>
#include <vector>

class QActionGroup;
class QFileSystemWatcher;
class QLabel;
class QSplitter;
class QStackedWidget;
class QTabWidget;
class QTimer;

namespace tidemark {

class ComparisonView;
class EmptyState;
class ErrorBar;
class GpuProbe;
class HintBar;
class InsightPages;
class LayerTreeView;
class MemoryPlot;
class PeakHeader;
class PlotPanel;
class SeriesLegend;
class SettingsPanel;
class TimelinePlot;
class VariantsBar;
class VerdictBar;

/// The planner's one window: layers at the left, memory against batch over the step's timeline in the middle, settings
/// at the right, the verdict below. It owns the document and the engine's session and connects both with the widgets.
class MainWindow : public QMainWindow {
    Q_OBJECT

public:
    /// With `access` read only it looks as the user left it and changes nothing of what is remembered.
    MainWindow(const Installation& installation, std::vector<Gpu> gpus,
               SettingsStore::Access access = SettingsStore::Access::ReadWrite, QWidget* parent = nullptr);
    ~MainWindow() override;

    /// Opens a model or a plan; what it is, its content says.
    void openFile(const QString& file);
    /// Opens the first and adds the models among the others as variants.
    void openFiles(const QStringList& files);
    /// Adds models as variants of the plan that is open.
    void addModels(const QStringList& files);
    /// Notes that the program runs, so that the next start knows when it did not end.
    void beginSession();
    /// Opens what was open when the program ended, or what a crash left behind.
    void restoreLastSession();
    /// Writes the report as PDF or HTML, by the name; once what would take less has been measured. False: not possible.
    bool exportReport(const QString& file);

    Document& document() { return m_document; }
    Session& session() { return *m_session; }
    VariantPlanner* currentPlanner() const;
    /// No measurement is running or waiting, and the figures of the current variant are exact.
    bool isSettled() const;
    /// Why there are no figures, in a sentence; empty while nothing has gone wrong.
    QString problem() const;

public slots:
    void chooseFile();
    void reload();
    bool save();
    bool saveAs();
    void duplicateVariant();
    void removeVariant(int index);
    void goToLargestBatch();
    /// The current variant on all cards of the catalogue.
    void showCards();
    void showHelp();
    void showShortcuts();
    void setThemeMode(tidemark::ThemeMode mode);
    /// The same for this run only.
    void showTheme(tidemark::ThemeMode mode);
    void setUnits(tidemark::ByteUnits units);
    void setLanguage(const QString& code);
    void showHints();
    void hideHints();
    void resetLayout();

protected:
    void closeEvent(QCloseEvent* event) override;
    void changeEvent(QEvent* event) override;
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    // mainwindow.cpp
    void connectEngine();
    void build();
    void rebuild();
    void buildCentre();
    void buildDocks();
    void buildVerdict();
    void connectWidgets();
    void syncPlanners();
    VariantPlanner* plannerOf(int variantId) const;
    void connectPlanner(VariantPlanner* planner);
    void chooseGpu(const QString& id);
    const Gpu* gpuById(const std::string& id) const;
    std::optional<PlannedCard> plannedCard() const;
    void editPlan(const std::function<void(Plan&)>& edit, const Document::StepName& name, const QString& key = {});
    void showDocument();
    void showPlanner();
    void showModel();
    void showFigures();
    void showPoints();
    void showDetail();
    void showVerdict();
    void showBusy();
    void showEmpty(bool empty);
    void restoreLayout();
    void saveLayout();
    void saveRecovery();

    // windowvariants.cpp
    void editSettings(const Settings& settings);
    void addModelVariant();
    std::vector<MemorySeries> otherSeries() const;
    void showOthers();
    void showComparison();
    /// The variant that the shown one is compared with; null when there is only one.
    VariantPlanner* comparedPlanner(int* index = nullptr) const;
    /// The shown variant beside another; empty until both are measured.
    std::optional<VariantComparison> comparisonWith(const VariantPlanner& baseline, const QString& name) const;

    // windowactions.cpp
    QAction* addAction(const QString& text, const QString& iconName, const QKeySequence& shortcut, const QString& tip);
    void buildActions();
    void buildFileMenu();
    void buildEditMenu();
    void buildPlanMenu();
    void buildViewMenu();
    void buildHelpMenu();
    void buildToolBar();
    void refreshIcons();
    void fillRecentMenu();
    void updateActions();

    // windowfiles.cpp
    void openModel(const QString& file);
    void openPlan(const QString& file);
    bool mayDiscard();
    bool saveTo(const QString& file);
    void showTitle();
    void watchModels();
    std::vector<QString> sampleFiles() const;
    void fillOffers();

    // windowexports.cpp
    bool writeFile(const QString& file, const QByteArray& content);
    QString askForTarget(const QString& title, const QString& ending, const QString& filter);
    void chooseReportFile();
    void exportLayers();
    void exportComparison();
    void exportPlot(bool timeline);
    void exportFigures();
    void exportNodeData();
    ReportContent reportContent() const;
    void writePendingReports();
    void writeReportTo(const QString& file);

    SettingsStore m_store;
    std::vector<Gpu> m_gpus;
    std::unique_ptr<Session> m_session;
    Document m_document;
    std::map<int, VariantPlanner*> m_planners;
    VariantPlanner* m_shown = nullptr;
    QPalette m_desktopPalette;
    ThemeMode m_theme = ThemeMode::System;
    ByteUnits m_units = ByteUnits::Binary;
    std::vector<std::vector<InputSpec>> m_inputSets;  ///< as the page shows them
    QStringList m_pendingReports;                     ///< files that wait for the advice
    bool m_hintsWanted = false;  ///< of the first start, beside a model that could be opened
    PlotPicture m_picture;
    std::optional<bool> m_crashedBefore;  ///< known once the session has begun
    QTimer* m_recoverySoon;
    QTimer* m_busySoon;
    QTimer* m_rebuildSoon;
    QFileSystemWatcher* m_watcher;

    QStackedWidget* m_stack = nullptr;
    EmptyState* m_empty = nullptr;
    ErrorBar* m_errors = nullptr;
    HintBar* m_hints = nullptr;
    VariantsBar* m_variants = nullptr;
    PeakHeader* m_header = nullptr;
    QSplitter* m_plots = nullptr;
    MemoryPlot* m_memory = nullptr;
    TimelinePlot* m_timeline = nullptr;
    PlotPanel* m_memoryPanel = nullptr;
    PlotPanel* m_timelinePanel = nullptr;
    SeriesLegend* m_series = nullptr;
    QTabWidget* m_insights = nullptr;
    GpuProbe* m_gpuProbe = nullptr;
    InsightPages* m_insightPages = nullptr;
    ComparisonView* m_comparison = nullptr;
    LayerTreeView* m_layers = nullptr;
    SettingsPanel* m_settings = nullptr;
    QDockWidget* m_layersDock = nullptr;
    QDockWidget* m_settingsDock = nullptr;
    QToolBar* m_verdictBar = nullptr;
    QToolBar* m_toolBar = nullptr;
    VerdictBar* m_verdict = nullptr;

    QMenu* m_recentMenu = nullptr;
    QMenu* m_samplesMenu = nullptr;
    QActionGroup* m_themeActions = nullptr;
    QActionGroup* m_unitActions = nullptr;
    QAction* m_open = nullptr;
    QAction* m_addModel = nullptr;
    QAction* m_reload = nullptr;
    QAction* m_save = nullptr;
    QAction* m_saveAs = nullptr;
    QAction* m_report = nullptr;
    QAction* m_exportLayers = nullptr;
    QAction* m_exportMemory = nullptr;
    QAction* m_exportTimeline = nullptr;
    QAction* m_exportComparison = nullptr;
    QAction* m_exportFigures = nullptr;
    QAction* m_exportNodeData = nullptr;
    QAction* m_quit = nullptr;
    QAction* m_undo = nullptr;
    QAction* m_redo = nullptr;
    QAction* m_copy = nullptr;
    QAction* m_find = nullptr;
    QAction* m_duplicate = nullptr;
    QAction* m_remove = nullptr;
    QAction* m_together = nullptr;
    QAction* m_largest = nullptr;
    QAction* m_cancel = nullptr;
    QAction* m_fit = nullptr;
    QAction* m_zoomIn = nullptr;
    QAction* m_zoomOut = nullptr;
    QAction* m_log = nullptr;
    QAction* m_resetLayout = nullptr;
    QAction* m_help = nullptr;
    QAction* m_shortcuts = nullptr;
    QAction* m_about = nullptr;
};

}  // namespace tidemark
