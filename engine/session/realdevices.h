// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/gpus/catalogue.h"
#include "engine/plan/probepoint.h"
#include "engine/session/installation.h"

#include <QObject>
#include <QProcess>

#include <optional>
#include <string>

namespace tidemark {

/// The NVIDIA GPU of this machine, as the driver describes it.
struct InstalledGpu {
    Gpu gpu;                       ///< the card of the catalogue where there is one of that name, else made from the driver's figures
    std::string driver;            ///< version
    std::optional<DeviceUse> use;  ///< when it was asked
};

/// Asks `tidemark-probe --devices` for the GPU of this machine: a process of its own, so that a broken driver takes
/// nothing down. The answer is one call of found() or missing().
class RealDevices : public QObject {
    Q_OBJECT
public:
    RealDevices(Installation installation, std::vector<Gpu> catalogue, QObject* parent = nullptr);
    ~RealDevices() override;

    void ask();
    /// The same, waited for. Needs no event loop.
    static Result<InstalledGpu> find(const Installation& installation, const std::vector<Gpu>& catalogue);

signals:
    void found(const tidemark::InstalledGpu& gpu);
    /// Why there is none to use: one sentence.
    void missing(const tidemark::Error& why);

private:
    void report();

    Installation m_installation;
    std::vector<Gpu> m_catalogue;
    QProcess m_process;
    bool m_reported = false;
};

}  // namespace tidemark

Q_DECLARE_METATYPE(tidemark::InstalledGpu)
