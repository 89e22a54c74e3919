// SPDX-License-Identifier: Apache-2.0
// Shows the window with the fake probe and saves pictures of every view, to be looked at:
//   tidemark_look FOLDER [light|dark [LANGUAGE [MODEL]]]
// With a model, the real probe measures it. QT_SCALE_FACTOR=2 draws for a display of twice the density.
#include "app/window/language.h"
#include "app/window/mainwindow.h"
#include "engine/gpus/catalogue.h"
#include "tests/window/synthetic.h"
#include "widgets/settingspanel.h"

#include <QApplication>
#include <QElapsedTimer>
#include <QFile>
#include <QMenu>
#include <QScrollBar>
#include <QSettings>
#include <QStandardPaths>
#include <QTabWidget>
#include <QToolButton>

#include <functional>

using namespace tidemark;

namespace {

void waitUntil(const std::function<bool()>& condition) {
    QElapsedTimer timer;
    timer.start();
    while (!condition() && timer.elapsed() < 30000) QApplication::processEvents(QEventLoop::WaitForMoreEvents, 20);
    for (int i = 0; i < 20; ++i) QApplication::processEvents(QEventLoop::AllEvents, 10);
}

/// Saves pictures under the names of what they show.
class Camera {
public:
    Camera(MainWindow& window, QString stem) : m_window(window), m_stem(std::move(stem)) {}

    void take(const QString& name) { take(&m_window, name); }
    void take(QWidget* widget, const QString& name) {
        waitUntil([] { return true; });
        widget->grab().save(m_stem + name + QStringLiteral(".png"));
    }
    /// A dialog of the window by its name, closed afterwards.
    void takeDialog(const char* dialog) {
        if (auto* found = m_window.findChild<QWidget*>(QLatin1String(dialog))) {
            take(found, QLatin1String(dialog));
            found->close();
        }
    }
    void settle() {
        waitUntil([this] { return m_window.isSettled(); });
    }

private:
    MainWindow& m_window;
    QString m_stem;
};

void takeMenus(MainWindow& window, Camera& camera) {
    int number = 0;
    for (QMenu* menu : window.findChildren<QMenu*>()) {
        if (menu->parent() != window.menuWidget()) continue;
        menu->adjustSize();
        camera.take(menu, QStringLiteral("menu%1").arg(++number));
    }
}

void takePages(MainWindow& window, Camera& camera) {
    auto* pages = window.findChild<QTabWidget*>();
    for (int page = 0; page < pages->count(); ++page) {
        if (!pages->isTabVisible(page)) continue;
        pages->setCurrentIndex(page);
        camera.settle();
        camera.take(QStringLiteral("page%1").arg(page));
    }
    pages->setCurrentIndex(0);
}

}  // namespace

int main(int argc, char** argv) {
    QStandardPaths::setTestModeEnabled(true);
    QApplication app(argc, argv);
    app.setOrganizationName(QStringLiteral("tidemark-look"));
    app.setApplicationName(QStringLiteral("tidemark"));
    QSettings().clear();
    const QStringList arguments = app.arguments();
    const QString folder = arguments.value(1, QStringLiteral("."));
    const QString theme = arguments.value(2, QStringLiteral("light"));
    const QString language = arguments.value(3, QStringLiteral("en"));
    installLanguage(app, language);
    Installation installation = Installation::find();
    QString model = arguments.value(4);
    std::vector<Gpu> gpus = syntheticGpus();
    if (model.isEmpty()) {
        installation.probe = QStringLiteral(FAKE_PROBE);
        model = folder + QStringLiteral("/resnet50.pt");
        QFile file(model);
        if (file.open(QIODevice::WriteOnly)) file.write("PK");
    } else if (auto catalogue = Catalogue::load(installation.catalogue.toStdString()))
        gpus = catalogue->all();

    MainWindow window(installation, gpus);
    window.setThemeMode(theme == QLatin1String("dark") ? ThemeMode::Dark : ThemeMode::Light);
    window.resize(1440, 900);
    window.show();
    Camera camera(window, QStringLiteral("%1/%2-%3-").arg(folder, theme, language));
    camera.take(QStringLiteral("empty"));
    window.openFile(model);
    camera.settle();
    camera.take(QStringLiteral("hints"));
    window.hideHints();
    takePages(window, camera);
    takeMenus(window, camera);

    auto* panel = window.findChild<SettingsPanel*>();
    for (QToolButton* button : panel->findChildren<QToolButton*>()) button->setChecked(true);
    waitUntil([] { return true; });
    panel->verticalScrollBar()->setValue(panel->verticalScrollBar()->maximum());
    camera.take(QStringLiteral("settings"));

    window.duplicateVariant();
    Plan plan = window.document().plan();
    plan.variants.back().settings.precision = Precision::AmpBf16;
    plan.variants.back().settings.checkpoint.mode = CheckpointMode::All;
    window.document().edit(plan, QStringLiteral("look"));
    camera.settle();
    window.findChild<QTabWidget*>()->setCurrentIndex(1);
    camera.take(QStringLiteral("comparison"));
    window.exportReport(folder + QStringLiteral("/%1-%2.pdf").arg(theme, language));
    window.exportReport(folder + QStringLiteral("/%1-%2.html").arg(theme, language));
    camera.take(QStringLiteral("note"));
    window.showHelp();
    camera.takeDialog("help");
    window.showShortcuts();
    camera.takeDialog("shortcuts");
    window.resize(1024, 640);
    camera.take(QStringLiteral("small"));
    QFile bad(folder + QStringLiteral("/bad.pt"));
    if (bad.open(QIODevice::WriteOnly)) bad.write("no model");
    bad.close();
    window.openFile(bad.fileName());
    waitUntil([&] { return !window.session().busy(); });
    window.resize(1440, 900);
    camera.take(QStringLiteral("refused"));
    return 0;
}
