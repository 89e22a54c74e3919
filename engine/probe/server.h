// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <mutex>
#include <string>

namespace tidemark {

class RealDevice;

/// What the launcher tells the part of tidemark-probe that uses LibTorch.
struct ProbeOptions {
    int outputDescriptor = 1;      ///< where answers go; standard output itself is redirected to standard error
    std::mutex* outputLock = nullptr;       ///< held while a line is written: the launcher writes readings of the card
    const RealDevice* realDevice = nullptr; ///< null: the null GPU
    std::string modelToRead;                ///< is read before anything else; opening it takes less time then
    std::function<void()> beforeDevice;     ///< called when LibTorch is ready and has not yet looked at the device
};

}  // namespace tidemark

/// Serves requests from standard input until it ends (see PROTOCOL.md). Returns the exit status.
extern "C" int tidemarkServe(const tidemark::ProbeOptions* options);
