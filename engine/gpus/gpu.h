// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/base/bytes.h"
#include "engine/base/message.h"

#include <string>
#include <vector>

namespace tidemark {

/// The part of a process's device memory that is neither tensors nor cached segments: CUDA context, loaded
/// kernels, library handles. Depends on driver and card, hence the range.
struct ContextSize {
    Bytes expected;
    Bytes low;
    Bytes high;
    Message source;      ///< where the figures come from
    bool operator==(const ContextSize&) const = default;
};

/// One graphics card as the catalogue (resources/gpus.json) describes it.
struct Gpu {
    std::string id;            ///< stable key, lower case: "a100-80gb"
    std::string name;          ///< as the driver reports it: "NVIDIA A100-SXM4-80GB"
    std::string label;         ///< short name for people: "A100 80GB"
    std::vector<std::string> aliases;
    std::string architecture;  ///< "Ampere"
    int capabilityMajor = 0;
    int capabilityMinor = 0;
    int multiprocessors = 0;
    Bytes memory;              ///< total as cudaMemGetInfo reports it
    int threadsPerMultiprocessor = 0;
    int blocksPerMultiprocessor = 0;
    Bytes sharedMemoryPerBlockOptin;
    Bytes sharedMemoryPerMultiprocessor;
    Bytes l2Cache;
    int memoryBusWidth = 0;    ///< bits
    int clockKHz = 0;
    int memoryClockKHz = 0;
    ContextSize context;
    bool supported = true;     ///< false: the LibTorch builds we follow have no kernels for it (before 7.5)
    std::string source;        ///< documents the figures come from

    /// "8.0"
    std::string capability() const;
};

}  // namespace tidemark
