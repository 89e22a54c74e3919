// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace tidemark::nullgpu {

enum class ConvolutionKind { Forward, BackwardData, BackwardFilter };

/// What an estimate of a convolution's workspace depends on.
struct Convolution {
    ConvolutionKind kind = ConvolutionKind::Forward;
    int dataType = 0;           ///< cuDNN's number
    bool channelsLast = false;
    bool depthwise = false;     ///< as many groups as input channels, more than one
    std::uint64_t bytes = 0;    ///< input + output + weights
};

/// Which end of the estimate's range.
enum class Band { Low, Expected, High };

/// Whether a card of this capability (major) has tensor cores for the type; fp32 runs on them as TF32.
bool hasTensorCores(int dataType, int capabilityMajor);

/// Bytes of workspace the engine that cuDNN prefers would take, with or without tensor cores. From 39,744 answers
/// of cuDNN 9.26 for convolutions of image models; README.md holds the table.
std::uint64_t estimateWorkspace(const Convolution& convolution, bool tensorCores, Band band);

}  // namespace tidemark::nullgpu
