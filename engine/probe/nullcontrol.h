// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/base/bytes.h"
#include "engine/nullgpu/control.h"
#include "engine/plan/measurement.h"

#include <optional>
#include <string>
#include <vector>

namespace tidemark {

/// The null GPU's control functions as far as this process has them: on a real driver there are none, and every
/// call here does nothing.
class NullControl {
public:
    NullControl();

    bool present() const { return m_counters != nullptr; }
    TidemarkNullCounters counters() const;
    void resetCounters() const;
    /// 0: the described card's.
    void setTotalMemory(Bytes total) const;
    void resetMemoryRange() const;
    /// Since the last reset; nothing on a real driver.
    std::optional<MemoryRange> memoryRange() const;
    void onDeviceRead(void (*callback)(std::uint64_t bytes, void* context), void* context) const;
    /// What is copied to the device reads back as it was written, until told otherwise.
    void keepCopies(bool keep) const;
    std::vector<NamedCount> unmodelledCalls() const;
    /// "cudnn 9.26.0", "estimate", "none"; empty on a real driver.
    std::string workspaceSource() const;
    std::string workspaceProblem() const;

private:
    decltype(&tidemarkNullCounters) m_counters;
    decltype(&tidemarkNullResetCounters) m_reset;
    decltype(&tidemarkNullSetTotalMemory) m_setTotal;
    decltype(&tidemarkNullResetMemoryRange) m_resetRange;
    decltype(&tidemarkNullMemoryRange) m_range;
    decltype(&tidemarkNullOnDeviceRead) m_onRead;
    decltype(&tidemarkNullKeepCopies) m_keepCopies;
    decltype(&tidemarkNullForEachUnmodelled) m_unmodelled;
    decltype(&tidemarkNullWorkspaceSource) m_source;
    decltype(&tidemarkNullWorkspaceProblem) m_problem;
};

}  // namespace tidemark
