// SPDX-License-Identifier: Apache-2.0
#include "engine/session/calibrationstore.h"

#include <QDateTime>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QSaveFile>
#include <QStandardPaths>

#include <fmt/format.h>

namespace tidemark {
namespace {

QString defaultFile() {
    if (const QString chosen = qEnvironmentVariable("TIDEMARK_CALIBRATION"); !chosen.isEmpty()) return chosen;
    return QStandardPaths::writableLocation(QStandardPaths::AppConfigLocation) + QStringLiteral("/calibration.json");
}

}  // namespace

Result<Calibration> calibrationOf(const InstalledGpu& installed, const std::string& torchVersion, const std::vector<CalibrationPair>& pairs) {
    auto calibration = calibrationFrom(pairs);
    if (!calibration) return calibration;
    calibration->card = installed.gpu.name;
    calibration->memory = installed.gpu.memory;
    calibration->driver = installed.driver;
    calibration->torch = torchVersion;
    calibration->when = QDateTime::currentDateTime().toString(Qt::ISODate).toStdString();
    return calibration;
}

CalibrationStore::CalibrationStore() : m_file(defaultFile()) {}

Result<std::vector<Calibration>> CalibrationStore::load() const {
    QFile file(m_file);
    if (!file.exists()) return std::vector<Calibration>();
    if (!file.open(QIODevice::ReadOnly))
        return Error{ErrorCode::FileUnreadable,
                     Message::tr("The calibration in {} cannot be read: {}.", m_file.toStdString(), file.errorString().toStdString()), {}};
    return calibrationsFromText(file.readAll().toStdString(), m_file.toStdString());
}

Result<std::vector<Calibration>> CalibrationStore::add(const Calibration& fresh) const {
    auto known = load();
    if (!known) return known;
    remember(&known.value(), fresh);
    QDir().mkpath(QFileInfo(m_file).absolutePath());
    QSaveFile file(m_file);
    if (!file.open(QIODevice::WriteOnly) || file.write(QByteArray::fromStdString(calibrationText(known.value()))) < 0 || !file.commit())
        return Error{ErrorCode::FileUnreadable,
                     Message::tr("The calibration cannot be written to {}: {}.", m_file.toStdString(), file.errorString().toStdString()), {}};
    return known;
}

std::vector<Gpu> CalibrationStore::applyTo(std::vector<Gpu> gpus) const {
    const auto known = load();
    if (known)
        for (Gpu& gpu : gpus) gpu = calibrated(std::move(gpu), known.value());
    return gpus;
}

void CalibrationStore::applyTo(Catalogue* catalogue) const {
    if (const auto known = load())
        catalogue->change([&](Gpu& gpu) { gpu = calibrated(gpu, known.value()); });
}

}  // namespace tidemark
