// SPDX-License-Identifier: Apache-2.0
#include "app/startwindow.h"

#include "app/window/language.h"
#include "app/window/mainwindow.h"
#include "app/window/screenshot.h"
#include "engine/gpus/catalogue.h"
#include "engine/session/owncards.h"
#include "engine/session/installation.h"

#include <QApplication>

#include <iostream>

namespace tidemark {

int startWindow(int argc, char** argv) {
    QApplication app(argc, argv);
    QApplication::setApplicationDisplayName("Tidemark");
    const Installation installation = Installation::find();
    auto catalogue = Catalogue::load(installation.catalogue.toStdString());
    if (!catalogue) {
        std::cerr << "tidemark: " << catalogue.error().message.english() << '\n';
        return 1;
    }
    if (const auto error = OwnCards().applyTo(&catalogue.value())) std::cerr << "tidemark: " << error->message.english() << '\n';
    QStringList files = QApplication::arguments().mid(1);
    const auto screenshot = ScreenshotOrder::takeFrom(files);
    installLanguage(app, screenshot && !screenshot->language.isEmpty() ? screenshot->language
                                                                        : SettingsStore().text(QStringLiteral("language")));
    // A picture leaves no trace in what the user has set.
    const auto access = screenshot ? SettingsStore::Access::ReadOnly : SettingsStore::Access::ReadWrite;
    MainWindow window(installation, catalogue.value().all(), access);
    window.show();
    if (!screenshot) window.beginSession();
    if (files.isEmpty() && !screenshot) window.restoreLastSession();
    window.openFiles(files);
    if (screenshot) takeScreenshot(window, *screenshot);
    return QApplication::exec();
}

}  // namespace tidemark
