// SPDX-License-Identifier: Apache-2.0
#include "app/window/language.h"

#include <QCoreApplication>
#include <QDir>
#include <QLibraryInfo>
#include <QLocale>
#include <QTranslator>

namespace tidemark {
namespace {

const QLatin1String kFolder(":/translations");
const QLatin1String kPrefix("tidemark_");
const QLatin1String kName("tidemark language");

/// Qt's own buttons, under the context in which it looks for them: not every system installs Qt's translations.
[[maybe_unused]] constexpr const char* kButtons[] = {
    QT_TRANSLATE_NOOP("QPlatformTheme", "OK"),      QT_TRANSLATE_NOOP("QPlatformTheme", "Save"),
    QT_TRANSLATE_NOOP("QPlatformTheme", "Open"),    QT_TRANSLATE_NOOP("QPlatformTheme", "&Yes"),
    QT_TRANSLATE_NOOP("QPlatformTheme", "&No"),     QT_TRANSLATE_NOOP("QPlatformTheme", "Close"),
    QT_TRANSLATE_NOOP("QPlatformTheme", "Cancel"),  QT_TRANSLATE_NOOP("QPlatformTheme", "Discard"),
    QT_TRANSLATE_NOOP("QPlatformTheme", "Retry"),   QT_TRANSLATE_NOOP("QPlatformTheme", "Apply"),
    QT_TRANSLATE_NOOP("QPlatformTheme", "Help"),    QT_TRANSLATE_NOOP("QPlatformTheme", "Reset"),
    QT_TRANSLATE_NOOP("QPlatformTheme", "Restore Defaults")};

void install(QCoreApplication& application, const QLocale& locale, const QString& name, const QString& folder) {
    auto* translator = new QTranslator(&application);
    translator->setObjectName(kName);
    if (translator->load(locale, name, QStringLiteral("_"), folder))
        QCoreApplication::installTranslator(translator);
    else
        delete translator;
}

}  // namespace

QStringList availableLanguages() {
    QStringList codes{QStringLiteral("en")};
    for (QString name : QDir(kFolder).entryList({kPrefix + QStringLiteral("*.qm")}, QDir::Files, QDir::Name))
        codes << name.remove(kPrefix).remove(QStringLiteral(".qm"));
    return codes;
}

QString languageName(const QString& code) {
    const QLocale locale(code);
    return locale.language() == QLocale::English ? QStringLiteral("English") : locale.nativeLanguageName();
}

void installLanguage(QCoreApplication& application, const QString& code) {
    // Removing one tells the windows as well: they start anew when all is done.
    qDeleteAll(application.findChildren<QTranslator*>(kName, Qt::FindDirectChildrenOnly));
    const QLocale locale = code.isEmpty() ? QLocale::system() : QLocale(code);
    if (locale.language() == QLocale::English || locale.language() == QLocale::C) return;
    // Qt's own words, as on the buttons of dialogs, come first: the later translator is asked before them.
    install(application, locale, QStringLiteral("qtbase"), QLibraryInfo::path(QLibraryInfo::TranslationsPath));
    install(application, locale, QStringLiteral("tidemark"), kFolder);
}

}  // namespace tidemark
