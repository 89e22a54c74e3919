// SPDX-License-Identifier: Apache-2.0
#include "engine/nullgpu/control.h"
#include "engine/nullgpu/core.h"

#include <atomic>
#include <cstring>
#include <map>
#include <mutex>
#include <vector>

namespace tidemark::nullgpu {

namespace {

/// Larger copies are data, not indices or sizes.
constexpr std::size_t kLargestKept = 1 << 20;

struct KeptCopies {
    std::atomic<bool> on = false;
    std::mutex mutex;
    std::map<const void*, std::vector<char>> contents;  ///< by device address
};

KeptCopies& keptCopies() {
    static KeptCopies* const state = new KeptCopies;
    return *state;
}

}  // namespace

bool copyKept(void* to, const void* from, std::size_t size) {
    KeptCopies& state = keptCopies();
    if (!state.on)
        return false;
    const std::lock_guard lock(state.mutex);
    const bool reads = isDeviceAddress(from);
    const auto kept = reads ? state.contents.find(from) : state.contents.end();
    const bool known = kept != state.contents.end() && kept->second.size() >= size;
    if (isDeviceAddress(to)) {
        state.contents.erase(to);
        if (size > kLargestKept || (reads && !known))
            return false;
        const char* const content = reads ? kept->second.data() : static_cast<const char*>(from);
        state.contents[to] = std::vector<char>(content, content + size);
        return false;
    }
    if (!known)
        return false;
    std::memcpy(to, kept->second.data(), size);
    return true;
}

}  // namespace tidemark::nullgpu

using namespace tidemark::nullgpu;

extern "C" void tidemarkNullKeepCopies(int keep) {
    KeptCopies& state = keptCopies();
    const std::lock_guard lock(state.mutex);
    state.on = keep != 0;
    state.contents.clear();
}
