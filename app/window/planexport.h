// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/window/document.h"
#include "engine/plan/measurement.h"
#include "engine/plan/modelinfo.h"

#include <QByteArray>

#include <functional>

namespace tidemark {

class VariantPlanner;

/// The plan as planToJson() writes it, and in each variant what was measured: peaks, kinds, verdict, largest batch,
/// curve and layers, sizes in bytes. The file still opens as a plan.
QByteArray planWithFigures(const Plan& plan, const QString& folder,
                           const std::function<const VariantPlanner*(int variant)>& plannerOf);

/// Bytes at the peak by layer for Model Explorer: its node data, keyed by the paths of the layers, and a graph of the
/// layers in the order they ran whose nodes have these ids. The probed file itself is none that it can open.
struct ModelExplorerFiles {
    QByteArray nodeData;
    QByteArray graph;
};
ModelExplorerFiles modelExplorerFiles(const ModelInfo& model, const Measurement& measurement);

}  // namespace tidemark
