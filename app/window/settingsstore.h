// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/base/bytes.h"
#include "widgets/theme.h"

#include <QByteArray>
#include <QSettings>
#include <QStringList>

namespace tidemark {

/// What the program remembers between two starts, in QSettings under plain names.
class SettingsStore {
public:
    enum class Access { ReadWrite, ReadOnly };
    /// One that is read only takes no note of anything: whoever sets a value finds the old one.
    explicit SettingsStore(Access access = Access::ReadWrite) : m_access(access) {}
    bool isReadOnly() const { return m_access == Access::ReadOnly; }

    QByteArray bytes(const QString& key) const { return m_settings.value(key).toByteArray(); }
    void setBytes(const QString& key, const QByteArray& value) { set(key, value); }
    bool flag(const QString& key, bool fallback = false) const { return m_settings.value(key, fallback).toBool(); }
    void setFlag(const QString& key, bool value) { set(key, value); }
    QString text(const QString& key, const QString& fallback = {}) const {
        return m_settings.value(key, fallback).toString();
    }
    void setText(const QString& key, const QString& value) { set(key, value); }

    ThemeMode theme() const;
    void setTheme(ThemeMode mode);
    ByteUnits units() const;
    void setUnits(ByteUnits units);

    /// Newest first, existing files only.
    QStringList recentFiles() const;
    void addRecentFile(const QString& file);
    void clearRecentFiles();

    /// Forgets window, docks, columns and splitters; keeps choices such as theme and units.
    void resetLayout();
    void sync() { m_settings.sync(); }

    /// Where the plan being edited is kept against a crash.
    static QString recoveryFile();

private:
    void set(const QString& key, const QVariant& value) {
        if (!isReadOnly()) m_settings.setValue(key, value);
    }

    Access m_access;
    QSettings m_settings;
};

}  // namespace tidemark
