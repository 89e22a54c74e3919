// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/base/result.h"
#include "engine/gpus/gpu.h"
#include "engine/plan/probepoint.h"

#include <optional>
#include <string>

namespace tidemark {

/// The NVIDIA GPU of this machine that LibTorch will use: the first of those visible. Asks driver and NVML by name, so
/// that the program starts without either, and takes no memory of the device.
class RealDevice {
public:
    /// Errors (WorkerUnavailable) are one sentence for people without a GPU: no driver, none found, driver too old.
    static Result<RealDevice> find();

    /// Described like a card of the catalogue; the context is unknown.
    const Gpu& gpu() const { return m_gpu; }
    /// "580.95.05"; "CUDA 13.0" where NVML does not tell.
    const std::string& driver() const { return m_driver; }

    /// How the card's memory is shared out now; empty where NVML is missing. Callable from any thread.
    std::optional<DeviceUse> use() const;
    /// This process's memory now; empty when nothing tells. The caller's thread has the device's context, or NVML answers.
    std::optional<ProcessReading> process(Bytes reserved) const;

private:
    RealDevice() = default;
    void describe(void* driver, int device);
    void askNvml();
    std::optional<Bytes> ownByNvml() const;

    Gpu m_gpu;
    std::string m_driver;
    std::string m_busId;
    void* m_cuda = nullptr;         ///< handles of libraries, kept open for good
    void* m_nvml = nullptr;
    void* m_nvmlDevice = nullptr;
    std::optional<Bytes> m_before;  ///< in use on the card before this process took any of it
};

/// Loads the library of this name from the folder that TIDEMARK_REAL_LIBRARIES names, else as the system finds it.
void* openDriverLibrary(const char* name);

}  // namespace tidemark
