// SPDX-License-Identifier: Apache-2.0
#include "app/window/settingsstore.h"

#include <QDir>
#include <QFileInfo>
#include <QStandardPaths>

namespace tidemark {
namespace {

constexpr qsizetype kRecentFiles = 10;

}  // namespace

ThemeMode SettingsStore::theme() const {
    const QString name = text(QStringLiteral("theme"));
    return name == QLatin1String("dark")    ? ThemeMode::Dark
           : name == QLatin1String("light") ? ThemeMode::Light
                                            : ThemeMode::System;
}

void SettingsStore::setTheme(ThemeMode mode) {
    setText(QStringLiteral("theme"), mode == ThemeMode::Dark    ? QStringLiteral("dark")
                                     : mode == ThemeMode::Light ? QStringLiteral("light")
                                                                : QStringLiteral("system"));
}

ByteUnits SettingsStore::units() const {
    return text(QStringLiteral("units")) == QLatin1String("decimal") ? ByteUnits::Decimal : ByteUnits::Binary;
}

void SettingsStore::setUnits(ByteUnits units) {
    setText(QStringLiteral("units"),
            units == ByteUnits::Decimal ? QStringLiteral("decimal") : QStringLiteral("binary"));
}

QStringList SettingsStore::recentFiles() const {
    QStringList files;
    for (const QString& file : m_settings.value(QStringLiteral("recentFiles")).toStringList())
        if (QFileInfo::exists(file)) files << file;
    return files;
}

void SettingsStore::addRecentFile(const QString& file) {
    QStringList files = m_settings.value(QStringLiteral("recentFiles")).toStringList();
    files.removeAll(file);
    files.prepend(file);
    set(QStringLiteral("recentFiles"), files.mid(0, kRecentFiles));
}

void SettingsStore::clearRecentFiles() { set(QStringLiteral("recentFiles"), QStringList()); }

void SettingsStore::resetLayout() {
    if (!isReadOnly()) m_settings.remove(QStringLiteral("layout"));
}

QString SettingsStore::recoveryFile() {
    const QString folder = QStandardPaths::writableLocation(QStandardPaths::AppDataLocation);
    QDir().mkpath(folder);
    return folder + QStringLiteral("/recovery.tidemark");
}

}  // namespace tidemark
