// SPDX-License-Identifier: Apache-2.0
#include "app/window/helpdialogs.h"
#include "app/window/insights.h"
#include "app/window/language.h"
#include "app/window/mainwindow.h"
#include "widgets/batchslider.h"
#include "widgets/icons.h"
#include "widgets/layertreeview.h"
#include "widgets/memoryplot.h"
#include "widgets/plotpanel.h"
#include "widgets/settingspanel.h"
#include "widgets/timelineplot.h"
#include "widgets/variantsbar.h"

#include <QActionGroup>
#include <QApplication>
#include <QDockWidget>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QMenuBar>
#include <QToolBar>
#include <QToolButton>

namespace tidemark {

QAction* MainWindow::addAction(const QString& text, const QString& iconName, const QKeySequence& shortcut,
                               const QString& tip) {
    auto* action = new QAction(text, this);
    action->setShortcut(shortcut);
    action->setData(iconName);
    const QString keys = shortcut.toString(QKeySequence::NativeText);
    action->setToolTip(keys.isEmpty() ? tip : QStringLiteral("%1 (%2)").arg(tip, keys));
    action->setStatusTip(tip);
    QMainWindow::addAction(action);
    return action;
}

void MainWindow::buildActions() {
    buildFileMenu();
    buildEditMenu();
    buildPlanMenu();
    buildViewMenu();
    buildHelpMenu();
    buildToolBar();
    refreshIcons();
    updateActions();
}

void MainWindow::buildFileMenu() {
    m_open =
        addAction(tr("&Open…"), QStringLiteral("open"), QKeySequence::Open, tr("Open a TorchScript model or a plan"));
    m_addModel = addAction(tr("&Add model as variant…"), QStringLiteral("model"), QKeySequence(tr("Ctrl+Shift+O")),
                           tr("Compare another model with this one"));
    m_reload = addAction(tr("&Reload"), QStringLiteral("reload"), QKeySequence(Qt::Key_F5),
                         tr("Read the model again and measure with the same settings"));
    m_save = addAction(tr("&Save plan"), QStringLiteral("save"), QKeySequence::Save,
                       tr("Save settings and variants as a plan"));
    m_saveAs = addAction(tr("Save plan &as…"), {}, QKeySequence::SaveAs, tr("Save the plan under another name"));
    m_report = addAction(tr("&Report (PDF, HTML)…"), QStringLiteral("report"), QKeySequence(tr("Ctrl+E")),
                         tr("Export everything shown as a report"));
    m_exportLayers = addAction(tr("&Layer table (CSV)…"), QStringLiteral("csv"), {},
                               tr("Export the layers shown as CSV, sizes in bytes"));
    m_exportMemory =
        addAction(tr("&Memory plot (SVG, PNG)…"), {}, {}, tr("Export memory against batch size as a picture"));
    m_exportTimeline = addAction(tr("&Step plot (SVG, PNG)…"), {}, {}, tr("Export the step over time as a picture"));
    m_exportComparison =
        addAction(tr("&Comparison (CSV)…"), {}, {}, tr("Export both variants side by side as CSV, sizes in bytes"));
    m_exportFigures = addAction(tr("&Plan and figures (JSON)…"), {}, {},
                                tr("Export settings, peaks, curves and layers of all variants for other programs"));
    m_exportNodeData = addAction(tr("&Node data for Model Explorer (JSON)…"), {}, {},
                                 tr("Export the layers and their memory at the peak for Model Explorer"));
    m_quit = addAction(tr("&Quit"), {}, QKeySequence::Quit, tr("Leave Tidemark"));

    QMenu* menu = menuBar()->addMenu(tr("&File"));
    menu->addAction(m_open);
    m_samplesMenu = menu->addMenu(tr("Open sa&mple"));
    m_recentMenu = menu->addMenu(tr("Open re&cent"));
    menu->addAction(m_addModel);
    menu->addAction(m_reload);
    menu->addSeparator();
    menu->addAction(m_save);
    menu->addAction(m_saveAs);
    QMenu* exports = menu->addMenu(tr("&Export"));
    exports->addActions({m_report, m_exportLayers, m_exportComparison, m_exportMemory, m_exportTimeline,
                         m_exportFigures, m_exportNodeData});
    exports->addAction(m_insightPages->snapshotActions().last());
    menu->addActions(m_insightPages->snapshotActions().mid(0, 2));
    menu->addSeparator();
    menu->addAction(m_quit);

    connect(m_recentMenu, &QMenu::aboutToShow, this, &MainWindow::fillRecentMenu);
    connect(m_open, &QAction::triggered, this, &MainWindow::chooseFile);
    connect(m_addModel, &QAction::triggered, this, &MainWindow::addModelVariant);
    connect(m_reload, &QAction::triggered, this, &MainWindow::reload);
    connect(m_save, &QAction::triggered, this, &MainWindow::save);
    connect(m_saveAs, &QAction::triggered, this, &MainWindow::saveAs);
    connect(m_report, &QAction::triggered, this, &MainWindow::chooseReportFile);
    connect(m_exportLayers, &QAction::triggered, this, &MainWindow::exportLayers);
    connect(m_exportMemory, &QAction::triggered, this, [this] { exportPlot(false); });
    connect(m_exportTimeline, &QAction::triggered, this, [this] { exportPlot(true); });
    connect(m_exportComparison, &QAction::triggered, this, &MainWindow::exportComparison);
    connect(m_exportFigures, &QAction::triggered, this, &MainWindow::exportFigures);
    connect(m_exportNodeData, &QAction::triggered, this, &MainWindow::exportNodeData);
    m_memory->QWidget::addAction(m_exportMemory);
    m_timeline->QWidget::addAction(m_exportTimeline);
    connect(m_quit, &QAction::triggered, this, &QWidget::close);
}

void MainWindow::buildEditMenu() {
    m_undo = m_document.undoStack()->createUndoAction(this, tr("&Undo"));
    m_undo->setShortcut(QKeySequence::Undo);
    m_undo->setData(QStringLiteral("undo"));
    m_redo = m_document.undoStack()->createRedoAction(this, tr("&Redo"));
    m_redo->setShortcut(QKeySequence::Redo);
    m_redo->setData(QStringLiteral("redo"));
    m_copy = addAction(tr("&Copy layers"), {}, {}, tr("Copy the selected layers with a header row"));
    m_find = addAction(tr("&Find layer"), QStringLiteral("search"), QKeySequence::Find, tr("Filter the layer table"));
    QMenu* menu = menuBar()->addMenu(tr("&Edit"));
    menu->addActions({m_undo, m_redo});
    menu->addSeparator();
    menu->addActions({m_copy, m_find});
    connect(m_copy, &QAction::triggered, m_layers, &LayerTreeView::copySelection);
    connect(m_find, &QAction::triggered, this, [this] {
        m_layersDock->show();
        m_layers->focusFilter();
    });
}

void MainWindow::buildPlanMenu() {
    m_duplicate = addAction(tr("&Duplicate and change"), QStringLiteral("duplicate"), QKeySequence(tr("Ctrl+D")),
                            tr("Add a variant with the same settings, to change and compare"));
    m_remove = addAction(tr("&Remove variant"), {}, {}, tr("Remove the variant shown"));
    m_together = addAction(tr("Change &all variants together"), QStringLiteral("link"), {},
                           tr("Sliders and settings act on all variants, not on the chosen one alone"));
    m_together->setCheckable(true);
    m_largest = addAction(tr("Go to the &largest batch that fits"), {}, QKeySequence(tr("Ctrl+L")),
                          tr("Set the batch to the largest one that fits the card"));
    m_cancel = addAction(tr("&Cancel measurement"), {}, {}, tr("Stop what is being measured"));
    QMenu* menu = menuBar()->addMenu(tr("&Plan"));
    menu->addActions({m_duplicate, m_remove, m_together});
    menu->addSeparator();
    QAction* cards = addAction(tr("This plan on &every card…"), {}, QKeySequence(tr("Ctrl+Shift+G")),
                               tr("Which cards hold this step, what they leave over, their largest batch"));
    menu->addActions({m_largest, cards, m_cancel});
    connect(cards, &QAction::triggered, this, &MainWindow::showCards);
    connect(m_duplicate, &QAction::triggered, this, &MainWindow::duplicateVariant);
    connect(m_remove, &QAction::triggered, this, [this] { removeVariant(m_document.plan().current); });
    connect(m_largest, &QAction::triggered, this, &MainWindow::goToLargestBatch);
    connect(m_cancel, &QAction::triggered, m_session.get(), &Session::cancel);
}

void MainWindow::buildViewMenu() {
    QMenu* menu = menuBar()->addMenu(tr("&View"));
    menu->addActions({m_layersDock->toggleViewAction(), m_settingsDock->toggleViewAction()});
    menu->addSeparator();
    m_fit = addAction(tr("&Fit plots"), QStringLiteral("fit"), QKeySequence(tr("Ctrl+0")),
                      tr("Show all data in both plots"));
    m_zoomIn =
        addAction(tr("Zoom &in"), {}, QKeySequence::ZoomIn, tr("Come closer in the plot with the keyboard focus"));
    m_zoomOut =
        addAction(tr("Zoom &out"), {}, QKeySequence::ZoomOut, tr("Show more in the plot with the keyboard focus"));
    m_log = addAction(tr("&Logarithmic batch axis"), QStringLiteral("log"), QKeySequence(tr("Ctrl+G")),
                      tr("Space the batch axis by powers of two"));
    m_log->setCheckable(true);
    menu->addActions({m_fit, m_zoomIn, m_zoomOut, m_log});
    menu->addSeparator();

    const auto choice = [this](QMenu* parent, QActionGroup* group, const QString& text, bool checked, auto&& choose) {
        QAction* action = parent->addAction(text);
        action->setCheckable(true);
        action->setChecked(checked);
        group->addAction(action);
        connect(action, &QAction::triggered, this, choose);
    };
    m_themeActions = new QActionGroup(this);
    QMenu* themes = menu->addMenu(tr("&Theme"));
    choice(themes, m_themeActions, tr("&System"), m_theme == ThemeMode::System,
           [this] { setThemeMode(ThemeMode::System); });
    choice(themes, m_themeActions, tr("&Light"), m_theme == ThemeMode::Light,
           [this] { setThemeMode(ThemeMode::Light); });
    choice(themes, m_themeActions, tr("&Dark"), m_theme == ThemeMode::Dark, [this] { setThemeMode(ThemeMode::Dark); });
    m_unitActions = new QActionGroup(this);
    QMenu* units = menu->addMenu(tr("&Units"));
    choice(units, m_unitActions, tr("&Binary: MiB, GiB (as nvidia-smi)"), m_units == ByteUnits::Binary,
           [this] { setUnits(ByteUnits::Binary); });
    choice(units, m_unitActions, tr("&Decimal: MB, GB (as on the box)"), m_units == ByteUnits::Decimal,
           [this] { setUnits(ByteUnits::Decimal); });
    if (const QStringList languages = availableLanguages(); languages.size() > 1) {
        auto* group = new QActionGroup(this);
        QMenu* names = menu->addMenu(tr("&Language"));
        const QString chosen = m_store.text(QStringLiteral("language"));
        choice(names, group, tr("As the &desktop"), chosen.isEmpty(), [this] { setLanguage({}); });
        for (const QString& code : languages)
            choice(names, group, languageName(code), chosen == code, [this, code] { setLanguage(code); });
    }
    menu->addSeparator();
    m_resetLayout = addAction(tr("&Reset layout"), {}, {}, tr("Put docks, columns and splitters back"));
    menu->addAction(m_resetLayout);

    const auto focusedPlot = [this]() -> PlotBase* {
        return m_timeline->hasFocus() ? static_cast<PlotBase*>(m_timeline) : m_memory;
    };
    connect(m_fit, &QAction::triggered, this, [this] {
        m_memory->fit();
        m_timeline->fit();
    });
    connect(m_zoomIn, &QAction::triggered, this, [focusedPlot] { focusedPlot()->zoom(0.8); });
    connect(m_zoomOut, &QAction::triggered, this, [focusedPlot] { focusedPlot()->zoom(1.25); });
    connect(m_log, &QAction::toggled, m_memory, &MemoryPlot::setLogarithmic);
    connect(m_resetLayout, &QAction::triggered, this, &MainWindow::resetLayout);
    m_memoryPanel->addCommand(m_log);
    m_memoryPanel->addCommand(m_fit);
}

void MainWindow::buildHelpMenu() {
    m_help = addAction(tr("&Help"), QStringLiteral("help"), QKeySequence::HelpContents,
                       tr("What the figures mean and how exact they are"));
    m_shortcuts =
        addAction(tr("&Keyboard shortcuts"), {}, QKeySequence(tr("Ctrl+?")), tr("Every command with its keys"));
    m_about = addAction(tr("&About Tidemark"), {}, {}, tr("Version and licence"));
    QMenu* menu = menuBar()->addMenu(tr("&Help"));
    QAction* hints = addAction(tr("Show h&ints"), {}, {}, tr("Show the hints of the first start again"));
    menu->addActions({m_help, m_shortcuts, hints});
    connect(hints, &QAction::triggered, this, &MainWindow::showHints);
    menu->addSeparator();
    menu->addAction(m_about);
    connect(m_help, &QAction::triggered, this, &MainWindow::showHelp);
    connect(m_shortcuts, &QAction::triggered, this, &MainWindow::showShortcuts);
    connect(m_about, &QAction::triggered, this,
            [this] { showAboutDialog(this, m_shown ? m_shown->worker() : WorkerInfo()); });
}

void MainWindow::buildToolBar() {
    m_variants = new VariantsBar(this);
    m_variants->addCommand(m_together);
    m_variants->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    m_toolBar = addToolBar(tr("Tools"));
    m_toolBar->setObjectName(QStringLiteral("tools"));
    m_toolBar->setMovable(false);
    m_toolBar->setIconSize(QSize(18, 18));
    m_toolBar->setToolButtonStyle(Qt::ToolButtonIconOnly);
    m_toolBar->addActions({m_open, m_save, m_undo, m_redo});
    m_toolBar->addSeparator();
    auto* middle = new QWidget(m_toolBar);
    middle->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    auto* row = new QHBoxLayout(middle);
    row->setContentsMargins(0, 0, 0, 0);
    row->addWidget(m_variants);
    m_toolBar->addWidget(middle);
    m_toolBar->addAction(m_report);
    m_toolBar->addAction(m_help);
    if (auto* button = qobject_cast<QToolButton*>(m_toolBar->widgetForAction(m_report)))
        button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    m_report->setIconText(tr("Export report"));
    m_toolBar->toggleViewAction()->setVisible(false);
    connect(m_variants, &VariantsBar::duplicateWished, this, &MainWindow::duplicateVariant);
    connect(m_variants, &VariantsBar::removeWished, this, &MainWindow::removeVariant);
    connect(m_variants, &VariantsBar::currentWished, this, [this](int index) {
        if (index >= 0)
            editPlan([=](Plan& plan) { plan.current = index; }, [] { return tr("Choose variant"); },
                     QStringLiteral("current"));
    });
    connect(m_variants, &VariantsBar::baselineWished, this, [this](int index) {
        editPlan([=](Plan& plan) { plan.baseline = index; }, [] { return tr("Choose baseline"); });
    });
    connect(m_variants, &VariantsBar::renameWished, this, [this](int index, const QString& name) {
        editPlan([&](Plan& plan) { plan.variants[index].name = name; }, [] { return tr("Rename variant"); });
    });
}

void MainWindow::refreshIcons() {
    const QColor color = Theme::of(palette()).text;
    for (QAction* action : {m_open, m_addModel, m_reload, m_save, m_report, m_exportLayers, m_undo, m_redo, m_find,
                            m_duplicate, m_together, m_fit, m_log, m_help})
        if (action) action->setIcon(icon(action->data().toString(), color));
}

void MainWindow::fillRecentMenu() {
    m_recentMenu->clear();
    for (const QString& file : m_store.recentFiles()) {
        QAction* action = m_recentMenu->addAction(QFileInfo(file).fileName());
        action->setToolTip(file);
        connect(action, &QAction::triggered, this, [this, file] { openFile(file); });
    }
    m_recentMenu->setToolTipsVisible(true);
    if (m_recentMenu->isEmpty()) m_recentMenu->addAction(tr("Nothing yet"))->setEnabled(false);
    m_recentMenu->addSeparator();
    connect(m_recentMenu->addAction(tr("Clear list")), &QAction::triggered, this, [this] {
        m_store.clearRecentFiles();
        fillOffers();
    });
}

void MainWindow::updateActions() {
    const bool open = !m_document.plan().isEmpty();
    for (QAction* action :
         {m_addModel, m_reload, m_save, m_saveAs, m_duplicate, m_copy, m_find, m_fit, m_zoomIn, m_zoomOut, m_log})
        action->setEnabled(open);
    const bool measured = m_shown && m_shown->isOpen() && m_shown->figures();
    for (QAction* action : {m_report, m_exportMemory, m_exportTimeline, m_exportFigures}) action->setEnabled(measured);
    m_exportNodeData->setEnabled(m_shown && m_shown->detail());
    m_exportLayers->setEnabled(m_shown && m_shown->isOpen());
    const bool several = m_document.plan().variants.size() > 1;
    m_remove->setEnabled(several);
    m_together->setEnabled(several);
    m_together->setVisible(several);
    m_largest->setEnabled(m_shown && m_shown->largest() && m_shown->largest()->batch > 0);
}

void MainWindow::goToLargestBatch() {
    if (m_largest->isEnabled()) m_settings->batchSlider()->setValue(static_cast<int>(m_shown->largest()->batch));
}

void MainWindow::showHelp() { showHelpDialog(this); }

void MainWindow::showShortcuts() { showShortcutsDialog(this, menuBar()); }

}  // namespace tidemark
