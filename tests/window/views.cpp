// SPDX-License-Identifier: Apache-2.0
#include "tests/window/views.h"

#include "app/window/cardsdialog.h"
#include "app/window/dataparallelpage.h"
#include "app/window/inputsets.h"
#include "app/window/insights.h"
#include "app/window/mainwindow.h"
#include "app/window/plotexportdialog.h"
#include "widgets/errorbar.h"
#include "widgets/gpuprobepanel.h"
#include "widgets/memoryplot.h"
#include "widgets/settingspanel.h"
#include "widgets/timelineplot.h"

#include <QApplication>
#include <QElapsedTimer>
#include <QFile>
#include <QMenu>
#include <QMenuBar>
#include <QMouseEvent>
#include <QPushButton>
#include <QScrollBar>
#include <QTabWidget>
#include <QTableWidget>
#include <QTimer>
#include <QToolButton>

namespace tidemark::testing {
namespace {

constexpr int kPatience = 60'000;
constexpr QSize kUsual{1440, 900};
constexpr QSize kSmall{1024, 640};

class Tour {
public:
    Tour(MainWindow& window, QString model, QString folder, const Visit& visit)
        : m_window(window), m_model(std::move(model)), m_folder(std::move(folder)), m_visit(visit) {}

    void run() {
        m_window.resize(kUsual);
        m_window.show();
        show(QStringLiteral("empty"));
        m_window.openFile(m_model);
        settle();
        show(QStringLiteral("hints"));
        m_window.hideHints();
        pages(QStringLiteral("page"));
        readouts();
        menus();
        settings();
        gpuProbe();
        snapshot();
        severalCards();
        inputSets();
        tooLarge();
        variants();
        dialogs();
        smallWindow();
        refused();
    }

private:
    void settle() {
        waitUntil([this] { return m_window.isSettled(); });
    }
    void show(const QString& name) {
        waitUntil([] { return true; });
        m_visit(&m_window, name);
    }
    void edit(const std::function<void(Variant&)>& change) {
        Plan plan = m_window.document().plan();
        change(plan.variants.back());
        m_window.document().edit(plan, [] { return QStringLiteral("tour"); });
    }
    QTabWidget* tabs() const { return m_window.findChild<QTabWidget*>(); }

    void pages(const QString& name) {
        for (int page = 0; page < tabs()->count(); ++page) {
            if (!tabs()->isTabVisible(page)) continue;
            tabs()->setCurrentIndex(page);
            settle();
            show(name + QString::number(page));
        }
        tabs()->setCurrentIndex(0);
    }

    /// The boxes beside the mouse, with a mark to compare with.
    void readouts() {
        for (PlotBase* plot : {static_cast<PlotBase*>(m_window.findChild<MemoryPlot*>(QStringLiteral("memory"))),
                               static_cast<PlotBase*>(m_window.findChild<TimelinePlot*>(QStringLiteral("step")))}) {
            const QRect axes = plot->axisRect()->rect();
            move(plot, axes.topLeft() + QPoint(axes.width() / 4, axes.height() / 2));
            QKeyEvent mark(QEvent::KeyPress, Qt::Key_M, Qt::NoModifier);
            QApplication::sendEvent(plot, &mark);
            move(plot, axes.topLeft() + QPoint(axes.width() * 2 / 3, axes.height() / 3));
            show(QStringLiteral("readout-") + plot->objectName());
            QKeyEvent away(QEvent::KeyPress, Qt::Key_Escape, Qt::NoModifier);
            QApplication::sendEvent(plot, &away);
            QEvent leave(QEvent::Leave);
            QApplication::sendEvent(plot, &leave);
        }
    }
    static void move(QWidget* widget, const QPoint& place) {
        QMouseEvent event(QEvent::MouseMove, place, widget->mapToGlobal(place), Qt::NoButton, Qt::NoButton,
                          Qt::NoModifier);
        QApplication::sendEvent(widget, &event);
    }

    void menus() {
        for (QMenu* menu : m_window.menuBar()->findChildren<QMenu*>()) {
            menu->adjustSize();
            if (!menu->actions().isEmpty()) m_visit(menu, QStringLiteral("menu%1").arg(++m_menus));
        }
    }

    void settings() {
        auto* panel = m_window.findChild<SettingsPanel*>();
        for (QToolButton* button : panel->findChildren<QToolButton*>())
            if (button->isCheckable()) button->setChecked(true);
        waitUntil([] { return true; });
        QScrollBar* bar = panel->verticalScrollBar();
        for (int part = 1, value = 0; value < bar->maximum(); ++part) {
            value = std::min(bar->value() + bar->pageStep(), bar->maximum());
            bar->setValue(value);
            show(QStringLiteral("settings%1").arg(part));
        }
        bar->setValue(0);
    }

    /// Where a GPU is found, or poses as one, the step runs on it.
    void gpuProbe() {
        auto* panel = m_window.findChild<GpuProbePanel*>();
        if (!panel->runButton()->isEnabled()) return;
        tabs()->setCurrentWidget(panel);
        panel->rangeBox()->setCurrentIndex(1);
        panel->runButton()->click();
        show(QStringLiteral("gpu-running"));
        waitUntil([&] { return panel->runButton()->isEnabled() && m_window.isSettled(); });
        show(QStringLiteral("gpu-done"));
        tabs()->setCurrentIndex(0);
        show(QStringLiteral("gpu-marks"));
    }

    void snapshot() {
        auto* pages = m_window.findChild<InsightPages*>();
        const QString file = m_folder + QStringLiteral("/step.pickle");
        if (!pages->exportSnapshot(file) || !pages->openSnapshot(file)) return;
        show(QStringLiteral("snapshot"));
        pages->closeSnapshot();
        m_window.findChild<ErrorBar*>()->dismiss();
    }

    void severalCards() {
        edit([](Variant& variant) { variant.settings.dataParallel.cards = 4; });
        settle();
        tabs()->setCurrentWidget(m_window.findChild<DataParallelPage*>());
        settle();
        QScrollBar* bar = m_window.findChild<SettingsPanel*>()->verticalScrollBar();
        bar->setValue(bar->maximum());
        show(QStringLiteral("data-parallel"));
        bar->setValue(0);
        edit([](Variant& variant) { variant.settings.dataParallel.cards = 1; });
        settle();
    }

    void inputSets() {
        const auto inputs = m_window.currentPlanner()->model().inputs;
        edit([&](Variant& variant) { variant.inputSets = {inputs, inputs}; });
        auto* page = m_window.findChild<InputSets*>();
        tabs()->setCurrentWidget(page);
        settle();
        page->table()->setCurrentCell(1, 0);
        show(QStringLiteral("input-sets"));
        edit([](Variant& variant) { variant.inputSets.clear(); });
        tabs()->setCurrentIndex(0);
    }

    void tooLarge() {
        edit([](Variant& variant) { variant.settings.batch = 3000; });
        waitUntil([this] { return m_window.session().busy(); });
        show(QStringLiteral("measuring"));
        settle();
        show(QStringLiteral("too-large"));
        edit([](Variant& variant) { variant.settings.batch = 32; });
        settle();
    }

    void variants() {
        m_window.duplicateVariant();
        edit([](Variant& variant) {
            variant.settings.precision = Precision::AmpBf16;
            variant.settings.checkpoint.mode = CheckpointMode::All;
        });
        settle();
        show(QStringLiteral("variants"));
        tabs()->setCurrentIndex(1);
        show(QStringLiteral("comparison"));
        m_window.duplicateVariant();
        edit([](Variant& variant) {
            variant.name = QStringLiteral("A variant with a long name, to see what becomes of it");
            variant.settings.optimizer.kind = OptimizerKind::AdamW;
        });
        settle();
        show(QStringLiteral("three"));
        tabs()->setCurrentIndex(0);
        m_window.exportReport(m_folder + QStringLiteral("/report.pdf"));
        m_window.exportReport(m_folder + QStringLiteral("/report.html"));
        show(QStringLiteral("note"));
        m_window.findChild<ErrorBar*>()->dismiss();
    }

    void dialogs() {
        m_window.showHelp();
        dialog(QStringLiteral("help"));
        m_window.showShortcuts();
        dialog(QStringLiteral("shortcuts"));
        m_window.showCards();
        if (auto* cards = m_window.findChild<CardsDialog*>()) {
            waitUntil([cards] { return cards->isComplete(); });
            m_visit(cards, QStringLiteral("cards"));
            cards->close();
        }
        QTimer::singleShot(0, &m_window, [this] {
            QWidget* modal = QApplication::activeModalWidget();
            m_visit(modal, QStringLiteral("plot-export"));
            modal->close();
        });
        askForPlotPicture(&m_window, {});
    }
    void dialog(const QString& name) {
        auto* found = m_window.findChild<QWidget*>(name);
        waitUntil([] { return true; });
        m_visit(found, name);
        found->close();
    }

    void smallWindow() {
        m_window.resize(kSmall);
        settle();
        pages(QStringLiteral("small"));
        m_window.resize(kUsual);
    }

    void refused() {
        QFile bad(m_folder + QStringLiteral("/bad.pt"));
        if (bad.open(QIODevice::WriteOnly)) bad.write("no model");
        bad.close();
        m_window.openFile(bad.fileName());
        auto* errors = m_window.findChild<ErrorBar*>();
        waitUntil([&] { return !m_window.session().busy() && errors->isVisible(); });
        show(QStringLiteral("refused"));
        if (!errors->detailsButton()->isVisible()) return;
        errors->detailsButton()->click();
        show(QStringLiteral("refused-details"));
    }

    MainWindow& m_window;
    QString m_model;
    QString m_folder;
    const Visit& m_visit;
    int m_menus = 0;
};

}  // namespace

void waitUntil(const std::function<bool()>& condition) {
    QElapsedTimer timer;
    timer.start();
    while (!condition() && timer.elapsed() < kPatience) QApplication::processEvents(QEventLoop::WaitForMoreEvents, 20);
    for (int i = 0; i < 20; ++i) QApplication::processEvents(QEventLoop::AllEvents, 10);
}

void visitViews(MainWindow& window, const QString& model, const QString& folder, const Visit& visit) {
    Tour(window, model, folder, visit).run();
}

}  // namespace tidemark::testing
