// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/gpus/catalogue.h"
#include "engine/plan/calibration.h"
#include "engine/session/realdevices.h"

#include <QString>

namespace tidemark {

/// What the pairs say of this card and driver, dated now. Errors are calibrationFrom()'s.
Result<Calibration> calibrationOf(const InstalledGpu& installed, const std::string& torchVersion, const std::vector<CalibrationPair>& pairs);

/// The user's calibrations in calibration.json of the configuration folder, or in the file that TIDEMARK_CALIBRATION
/// names. The format is told in engine/session/README.md.
class CalibrationStore {
public:
    CalibrationStore();
    explicit CalibrationStore(QString file) : m_file(std::move(file)) {}

    const QString& file() const { return m_file; }
    /// Empty where nothing was calibrated yet.
    Result<std::vector<Calibration>> load() const;
    /// Puts it in the place of the one of the same card and driver, and writes the file. An unreadable file is not
    /// overwritten: the error says so.
    Result<std::vector<Calibration>> add(const Calibration& fresh) const;
    /// The cards of the catalogue with what was measured on them. An unreadable file changes nothing and is told by load().
    std::vector<Gpu> applyTo(std::vector<Gpu> gpus) const;
    void applyTo(Catalogue* catalogue) const;

private:
    QString m_file;
};

}  // namespace tidemark
