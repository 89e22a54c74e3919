// SPDX-License-Identifier: Apache-2.0
// Shows the window with the fake probe and saves pictures of it, to be looked at: look FOLDER [light|dark [MODEL]].
// With a model, the real probe measures it.
#include "app/window/mainwindow.h"
#include "engine/gpus/catalogue.h"
#include "tests/window/synthetic.h"

#include <QApplication>
#include <QFile>
#include <QStandardPaths>
#include <QTabWidget>
#include <QTimer>

int main(int argc, char** argv) {
    QStandardPaths::setTestModeEnabled(true);
    QApplication app(argc, argv);
    app.setOrganizationName(QStringLiteral("tidemark-look"));
    app.setApplicationName(QStringLiteral("tidemark"));
    QSettings().clear();
    const QStringList arguments = app.arguments();
    const QString folder = arguments.value(1, QStringLiteral("."));
    const bool dark = arguments.value(2) == QLatin1String("dark");
    tidemark::Installation installation = tidemark::Installation::find();
    const QString model = arguments.value(3);
    std::vector<tidemark::Gpu> gpus = tidemark::syntheticGpus();
    if (model.isEmpty())
        installation.probe = QStringLiteral(FAKE_PROBE);
    else if (auto catalogue = tidemark::Catalogue::load(installation.catalogue.toStdString()))
        gpus = catalogue->all();
    tidemark::MainWindow window(installation, gpus);
    window.setThemeMode(dark ? tidemark::ThemeMode::Dark : tidemark::ThemeMode::Light);
    window.resize(1440, 900);
    window.show();
    const QString stem = folder + (dark ? QStringLiteral("/dark-") : QStringLiteral("/light-"));
    QTimer::singleShot(200, &app, [&] {
        window.grab().save(stem + QStringLiteral("empty.png"));
        QFile file(folder + QStringLiteral("/resnet50.pt"));
        if (file.open(QIODevice::WriteOnly)) file.write("PK");
        file.close();
        window.openFile(model.isEmpty() ? file.fileName() : model);
    });
    QTimer::singleShot(4000, &app, [&] {
        window.grab().save(stem + QStringLiteral("plan.png"));
        window.exportReport(stem + QStringLiteral("report.pdf"));
        window.duplicateVariant();
        tidemark::Settings settings = window.document().current()->settings;
        settings.precision = tidemark::Precision::AmpBf16;
        settings.checkpoint.mode = tidemark::CheckpointMode::All;
        tidemark::Plan plan = window.document().plan();
        plan.variants.back().settings = settings;
        window.document().edit(plan, QStringLiteral("look"));
        window.findChild<QTabWidget*>()->setCurrentIndex(1);
    });
    QTimer::singleShot(6500, &app, [&] {
        window.grab().save(stem + QStringLiteral("compare.png"));
        window.exportReport(stem + QStringLiteral("compare.pdf"));
        app.quit();
    });
    return app.exec();
}
