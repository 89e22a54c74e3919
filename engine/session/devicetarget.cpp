// SPDX-License-Identifier: Apache-2.0
#include "engine/session/devicetarget.h"

#include <fmt/format.h>

namespace tidemark {

DeviceTarget DeviceTarget::of(const Gpu& gpu, const Settings& settings, bool real) {
    return {gpu, settings.workspace, settings.allocator.toEnvironment(), real, 0, WorkspaceEnd::Expected};
}

std::string DeviceTarget::workspaceName() const {
    const std::string name(nameOf(workspace));
    if (workspace != WorkspaceSource::Estimate || end == WorkspaceEnd::Expected) return name;
    return name + (end == WorkspaceEnd::Low ? "-low" : "-high");
}

std::string DeviceTarget::key() const {
    return fmt::format("{}|{}|{}|{}", real ? "real" : gpu.id, gpu.memory.count, workspaceName(), allocator);
}

}  // namespace tidemark
