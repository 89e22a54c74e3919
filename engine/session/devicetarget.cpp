// SPDX-License-Identifier: Apache-2.0
#include "engine/session/devicetarget.h"

#include <fmt/format.h>

namespace tidemark {

DeviceTarget DeviceTarget::of(const Gpu& gpu, const Settings& settings, bool real) {
    return {gpu, settings.workspace, settings.allocator.toEnvironment(), real, 0};
}

std::string DeviceTarget::key() const {
    return fmt::format("{}|{}|{}|{}", real ? "real" : gpu.id, gpu.memory.count, nameOf(workspace), allocator);
}

}  // namespace tidemark
