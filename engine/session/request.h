// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/base/result.h"
#include "engine/gpus/gpu.h"
#include "engine/plan/measurement.h"
#include "engine/plan/modelinfo.h"
#include "engine/plan/settings.h"
#include "engine/session/devicetarget.h"

#include <QMetaType>
#include <QString>

#include <memory>

namespace tidemark {

/// Lanes in order of urgency. In Cursor, Detail and Probe the newest request of a variant supersedes the older ones:
/// those that wait are dropped, one that already runs may still answer (an exact point is never thrown away; tell them
/// apart by id). Search and Curve keep all that were asked for until they are dropped.
enum class Lane { Cursor, Detail, Probe, Search, Curve };

/// How much a measurement tells beyond the peaks and what fills them.
struct Detail {
    bool layers = false;
    bool timeline = false;
    bool peaksOnly = false;  ///< less: the peaks alone, in half the time
    bool operator==(const Detail&) const = default;
    bool covers(Detail wanted) const {
        return (layers || !wanted.layers) && (timeline || !wanted.timeline) && (!peaksOnly || wanted.peaksOnly);
    }
};

/// No limit in practice, 4 TiB: the peak is wanted even where no card could hold it. Not more, because with expandable
/// segments LibTorch reserves as much address space for each stream.
constexpr Bytes kUnlimited{std::int64_t{1} << 42};

/// A whole question to the engine; nothing about it is remembered from earlier ones.
struct MeasureRequest {
    QString model;                    ///< path of the TorchScript file
    Gpu gpu;
    Settings settings;
    Detail detail;
    Bytes memoryLimit = kUnlimited;   ///< what LibTorch may take of the device before it is out of memory
    bool real = false;                ///< run on the GPU of this machine
    Lane lane = Lane::Cursor;
    int variant = 0;                  ///< requests of different variants never supersede each other
    WorkspaceEnd end = WorkspaceEnd::Expected;  ///< with estimated workspaces only

    DeviceTarget target() const {
        DeviceTarget target = DeviceTarget::of(gpu, settings, real);
        target.end = end;
        return target;
    }
};

/// What the worker said about itself.
struct WorkerInfo {
    std::string torchVersion;
    std::string cudnnVersion;         ///< "9.26.1"; empty when workspaces do not come from cuDNN
    std::string workspace;            ///< the source of workspaces in force: "cudnn", "estimate", "none"
    Message workspaceProblem;         ///< why it is not the one asked for; empty when it is
    std::string device;
    Bytes deviceMemory;
    bool real = false;
};

using MeasurementPtr = std::shared_ptr<const Measurement>;

struct Measured {
    MeasureRequest request;
    MeasurementPtr measurement;
    WorkerInfo worker;
    bool cached = false;              ///< answered without a worker
};

}  // namespace tidemark

Q_DECLARE_METATYPE(tidemark::ModelInfo)
Q_DECLARE_METATYPE(tidemark::Measured)
Q_DECLARE_METATYPE(tidemark::Error)
