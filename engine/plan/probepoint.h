// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/plan/measurement.h"

#include <nlohmann/json_fwd.hpp>

#include <optional>
#include <string>
#include <vector>

namespace tidemark {

/// How the memory of a card is shared out at one moment, as nvidia-smi would tell.
struct DeviceUse {
    Bytes total;
    Bytes free;
    Bytes ours;    ///< of the probe's process
    Bytes others;  ///< of other programs, the desktop and the driver
    bool operator==(const DeviceUse&) const = default;
};

/// Where a figure for the memory of the probe's process comes from: NVML's list of processes; the card's memory in use
/// compared with before the probe used it (NVML does not know our process, in a container say); everything in use on
/// the card, other programs included.
enum class ProcessSource { Nvml, Difference, WholeCard };
std::string_view nameOf(ProcessSource source);

/// A process on a real card once a step has run and LibTorch still holds its segments.
struct ProcessReading {
    Bytes process;
    Bytes reserved;  ///< by the caching allocator at the same moment
    ProcessSource source = ProcessSource::Nvml;

    /// CUDA context, loaded kernels, libraries: what is not the allocator's.
    Bytes context() const { return process - reserved; }
};

/// One row of torch.cuda.memory_summary(): bytes or a number of things.
struct MemoryStatistic {
    std::string name;   ///< "allocated_bytes", "segment", …: LibTorch's own names
    std::int64_t current = 0;
    std::int64_t peak = 0;
    std::int64_t allocated = 0;  ///< in total since the step began
    std::int64_t freed = 0;
    bool operator==(const MemoryStatistic&) const = default;

    bool isBytes() const;
    /// "Allocated memory"
    Message title() const;
};

/// One measurement on the real card. Exactly one of `measurement` and `error` is there; a step that ran out of memory
/// is a measurement (Measurement::outOfMemory).
struct ProbePoint {
    std::int64_t batch = 1;
    std::optional<Measurement> measurement;
    std::optional<ProcessReading> reading;    ///< missing when the driver does not tell
    std::vector<MemoryStatistic> statistics;
    std::optional<Error> error;               ///< the probe was killed, the model failed, the time was over

    bool outOfMemory() const { return measurement && measurement->outOfMemory; }
    /// A step that ran to its end.
    bool complete() const { return measurement && !measurement->outOfMemory; }
    /// The highest process memory of the step: reserved at its peak, and the context.
    std::optional<Bytes> process() const;
};

/// "measurement", "process" and "statistics" of an answer of tidemark-probe --real.
Result<ProbePoint> probePointFromAnswer(const nlohmann::json& answer, std::int64_t batch);
nlohmann::json toJson(const ProcessReading& reading);
nlohmann::json toJson(const MemoryStatistic& statistic);
nlohmann::json toJson(const DeviceUse& use);
Result<DeviceUse> deviceUseFromJson(const nlohmann::json& json);

/// One sentence on how the measured step compares with the planned one, without the batch: "Process memory 3.10 GiB,
/// 98.0 MiB (3.2 %) more than planned: reserved memory is the plan's to the byte, the context takes 98.0 MiB more."
/// `context` is what the plan expects of it; `planned` may be null.
Message differenceSentence(const ProbePoint& point, const Measurement* planned, Bytes context);

}  // namespace tidemark
