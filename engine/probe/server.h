// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace tidemark {

/// What the launcher tells the part of tidemark-probe that uses LibTorch.
struct ProbeOptions {
    int outputDescriptor = 1;      ///< where answers go; standard output itself is redirected to standard error
    bool realDevice = false;
};

}  // namespace tidemark

/// Serves requests from standard input until it ends (see PROTOCOL.md). Returns the exit status.
extern "C" int tidemarkServe(const tidemark::ProbeOptions* options);
