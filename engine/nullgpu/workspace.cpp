// SPDX-License-Identifier: Apache-2.0
#include "engine/nullgpu/workspace.h"

#include "engine/nullgpu/cudnn_types.h"

#include <algorithm>

namespace tidemark::nullgpu {

namespace {

constexpr std::uint64_t kMargin = 32u << 20;

struct Factors {
    double expected;
    double high;
    bool margin;  ///< the high end is never less than 32 MiB above the expected value
};

Factors factorsOf(const Convolution& convolution, bool tensorCores) {
    if (convolution.depthwise)
        return {1.0, 5.0, false};
    if (!tensorCores)
        return {0.0, 1.0, false};
    if (!convolution.channelsLast)
        return {1.0, 1.5, true};
    return {convolution.kind == ConvolutionKind::BackwardFilter ? 0.1 : 0.0, 0.7, true};
}

}  // namespace

bool hasTensorCores(int dataType, int capabilityMajor) {
    switch (dataType) {
    case cudnn::Half: return capabilityMajor >= 7;
    case cudnn::Float:
    case cudnn::BFloat16: return capabilityMajor >= 8;
    default: return false;
    }
}

std::uint64_t estimateWorkspace(const Convolution& convolution, bool tensorCores, Band band) {
    if (band == Band::Low)
        return 0;
    const Factors factors = factorsOf(convolution, tensorCores);
    const auto scaled = [&](double factor) {
        return static_cast<std::uint64_t>(factor * static_cast<double>(convolution.bytes));
    };
    const std::uint64_t expected = scaled(factors.expected);
    if (band == Band::Expected)
        return expected;
    const std::uint64_t high = scaled(factors.high);
    return factors.margin ? std::max(high, expected + kMargin) : high;
}

}  // namespace tidemark::nullgpu
