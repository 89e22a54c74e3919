// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/autocast_mode.h>
#include <c10/core/ScalarType.h>

namespace tidemark {

/// Autocast for CUDA operators; default-constructed: as it is now.
struct AutocastState {
    bool enabled = at::autocast::is_autocast_enabled(at::kCUDA);
    at::ScalarType dtype = at::autocast::get_autocast_dtype(at::kCUDA);
    bool cache = at::autocast::is_autocast_cache_enabled();
};

/// `with torch.autocast("cuda", …)`: leaving the outermost one clears the cache of cast weights.
class AutocastScope {
public:
    explicit AutocastScope(const AutocastState& state) {
        set(state);
        at::autocast::increment_nesting();
    }
    ~AutocastScope() {
        if (at::autocast::decrement_nesting() == 0) at::autocast::clear_cache();
        set(m_before);
    }
    AutocastScope(const AutocastScope&) = delete;
    AutocastScope& operator=(const AutocastScope&) = delete;

private:
    static void set(const AutocastState& state) {
        at::autocast::set_autocast_enabled(at::kCUDA, state.enabled);
        at::autocast::set_autocast_dtype(at::kCUDA, state.dtype);
        at::autocast::set_autocast_cache_enabled(state.cache);
    }

    AutocastState m_before;
};

}  // namespace tidemark
