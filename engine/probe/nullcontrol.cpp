// SPDX-License-Identifier: Apache-2.0
#include "engine/probe/nullcontrol.h"

#include <dlfcn.h>

#include <algorithm>
#include <cstdint>

namespace tidemark {
namespace {

template <class Function>
void resolve(Function& function, const char* name) {
    function = reinterpret_cast<Function>(dlsym(RTLD_DEFAULT, name));
}

}  // namespace

NullControl::NullControl() {
    resolve(m_counters, "tidemarkNullCounters");
    resolve(m_reset, "tidemarkNullResetCounters");
    resolve(m_setTotal, "tidemarkNullSetTotalMemory");
    resolve(m_resetRange, "tidemarkNullResetMemoryRange");
    resolve(m_range, "tidemarkNullMemoryRange");
    resolve(m_onRead, "tidemarkNullOnDeviceRead");
    resolve(m_keepCopies, "tidemarkNullKeepCopies");
    resolve(m_unmodelled, "tidemarkNullForEachUnmodelled");
    resolve(m_source, "tidemarkNullWorkspaceSource");
    resolve(m_problem, "tidemarkNullWorkspaceProblem");
}

TidemarkNullCounters NullControl::counters() const {
    TidemarkNullCounters counters{};
    if (m_counters) m_counters(&counters);
    return counters;
}

void NullControl::resetCounters() const {
    if (m_reset) m_reset();
}

void NullControl::setTotalMemory(Bytes total) const {
    if (m_setTotal) m_setTotal(static_cast<std::uint64_t>(total.count));
}

void NullControl::resetMemoryRange() const {
    if (m_resetRange) m_resetRange();
}

std::optional<MemoryRange> NullControl::memoryRange() const {
    if (!m_range) return std::nullopt;
    std::uint64_t granted = 0;
    std::uint64_t refused = 0;
    m_range(&granted, &refused);
    MemoryRange range{Bytes{static_cast<std::int64_t>(granted)}, {}};
    if (refused <= std::uint64_t{INT64_MAX}) range.below = Bytes{static_cast<std::int64_t>(refused)};
    return range;
}

void NullControl::onDeviceRead(void (*callback)(std::uint64_t, void*), void* context) const {
    if (m_onRead) m_onRead(callback, context);
}

void NullControl::keepCopies(bool keep) const {
    if (m_keepCopies) m_keepCopies(keep ? 1 : 0);
}

std::vector<NamedCount> NullControl::unmodelledCalls() const {
    std::vector<NamedCount> calls;
    if (!m_unmodelled) return calls;
    m_unmodelled(
        [](const char* name, std::uint64_t count, void* context) {
            static_cast<std::vector<NamedCount>*>(context)->push_back({name, static_cast<std::int64_t>(count)});
        },
        &calls);
    std::sort(calls.begin(), calls.end(), [](const NamedCount& a, const NamedCount& b) { return a.name < b.name; });
    return calls;
}

std::string NullControl::workspaceSource() const { return m_source ? m_source() : ""; }
std::string NullControl::workspaceProblem() const { return m_problem ? m_problem() : ""; }

}  // namespace tidemark
