// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/gpus/gpu.h"
#include "engine/plan/settings.h"

#include <string>

namespace tidemark {

/// Where in their range estimated workspaces are taken.
enum class WorkspaceEnd { Expected, Low, High };

/// What is fixed for the life of one worker: LibTorch reads the device and the allocator's configuration once.
struct DeviceTarget {
    Gpu gpu;
    WorkspaceSource workspace = WorkspaceSource::Cudnn;
    std::string allocator;  ///< value of PYTORCH_ALLOC_CONF
    bool real = false;      ///< the NVIDIA driver of this machine instead of the null GPU; `gpu` only names it
    int gaugeMilliseconds = 0;  ///< real only: readings of the card this often, 0 for none
    WorkspaceEnd end = WorkspaceEnd::Expected;  ///< with WorkspaceSource::Estimate only

    static DeviceTarget of(const Gpu& gpu, const Settings& settings, bool real = false);

    /// The source of workspaces as tidemark-probe takes it: "cudnn", "estimate-low", …
    std::string workspaceName() const;
    /// Equal keys can be served by one worker.
    std::string key() const;
};

}  // namespace tidemark
