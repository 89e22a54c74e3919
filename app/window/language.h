// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QString>
#include <QStringList>

class QCoreApplication;

namespace tidemark {

/// The languages that this build speaks, as names of locales: "en", "zh_CN", …
QStringList availableLanguages();
/// "English", "简体中文": the language in its own words.
QString languageName(const QString& code);
/// Makes the program speak the language; empty: that of the desktop where there is one, English otherwise. Windows
/// that are open are told with a LanguageChange event.
void installLanguage(QCoreApplication& application, const QString& code);

}  // namespace tidemark
