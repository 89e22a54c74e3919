// SPDX-License-Identifier: Apache-2.0
// Saves pictures of every view, to be looked at, and says which texts are cut:
//   tidemark_look FOLDER [light|dark [LANGUAGE [MODEL]]]
// Without a model the fake probe answers. With one, the real probe measures it; where TIDEMARK_REAL_LIBRARIES names the
// stand-in libraries, the null GPU poses as this machine's. QT_SCALE_FACTOR=2 draws for a display of twice the density.
#include "app/window/language.h"
#include "app/window/mainwindow.h"
#include "engine/gpus/catalogue.h"
#include "tests/window/clippedtexts.h"
#include "tests/window/synthetic.h"
#include "tests/window/views.h"

#include <QApplication>
#include <QFile>
#include <QSettings>
#include <QStandardPaths>

#include <iostream>

using namespace tidemark;

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
    const QString stem = QStringLiteral("%1/%2-%3-").arg(folder, theme, language);
    testing::visitViews(window, model, folder, [&](QWidget* view, const QString& name) {
        view->grab().save(stem + name + QStringLiteral(".png"));
        for (const QString& text : testing::clippedTexts(view))
            std::cout << qUtf8Printable(name) << ": " << qUtf8Printable(text) << '\n';
    });
    return 0;
}
