// SPDX-License-Identifier: Apache-2.0
#include "engine/probe/layeruse.h"

#include <algorithm>
#include <string_view>

namespace tidemark {
namespace {

bool isAlive(const Allocation& a, int event) { return a.born <= event && (a.freed < 0 || a.freed > event); }

const Phase* phaseAt(const Timeline& timeline, int event) {
    for (const Phase& phase : timeline.phases)
        if (event >= phase.begin && event < phase.end) return &phase;
    return nullptr;
}

bool startsWith(std::string_view text, std::string_view prefix) { return text.substr(0, prefix.size()) == prefix; }

/// Highest total of what each layer allocated for a while in the phases that begin with `prefix`.
void temporaryPeaks(const Timeline& timeline, std::string_view prefix, Bytes LayerUse::*column, std::vector<LayerUse>& layers) {
    struct Change {
        int event;
        std::size_t layer;
        std::int64_t bytes;
    };
    std::vector<Change> changes;
    for (const Allocation& a : timeline.allocations) {
        if (a.born < 0 || a.freed < 0) continue;
        if (a.category != Category::Temporary && a.category != Category::Workspace) continue;
        const Phase* phase = phaseAt(timeline, a.born);
        if (!phase || !startsWith(phase->name, prefix)) continue;
        const auto layer = static_cast<std::size_t>(std::max(a.layer, 0));
        changes.push_back({a.born, layer, a.bytes.count});
        changes.push_back({a.freed, layer, -a.bytes.count});
    }
    std::sort(changes.begin(), changes.end(), [](const Change& a, const Change& b) { return a.event < b.event; });
    std::vector<std::int64_t> now(layers.size());
    for (const Change& change : changes) {
        now[change.layer] += change.bytes;
        Bytes& highest = layers[change.layer].*column;
        highest = std::max(highest, Bytes{now[change.layer]});
    }
}

}  // namespace

std::vector<bool> checkpointedLayers(const ModelInfo& model, const CheckpointSettings& settings) {
    std::vector<bool> chosen(model.layers.size(), false);
    const auto choose = [&](const std::string& path) {
        if (const int index = model.indexOf(path); index > 0) chosen[static_cast<std::size_t>(index)] = true;
    };
    const std::vector<std::string> blocks = model.blockPaths();
    for (std::size_t i = 0; i < blocks.size(); ++i) {
        const auto position = static_cast<int>(i);
        if (settings.mode == CheckpointMode::All || (settings.mode == CheckpointMode::First && position < settings.count) ||
            (settings.mode == CheckpointMode::Every && settings.count > 0 && position % settings.count == 0))
            choose(blocks[i]);
    }
    if (settings.mode == CheckpointMode::Layers)
        for (const std::string& path : settings.layers) choose(path);
    return chosen;
}

void describePeak(const ModelInfo& model, const Recorder& recorder, const Timeline& timeline, Measurement& measurement) {
    measurement.categories = categoriesAt(timeline, timeline.peakEvent);
    if (const Phase* phase = phaseAt(timeline, timeline.peakEvent)) measurement.peakPhase = phase->name;
    const auto name = [&](int layer) { return layer > 0 ? model.layers[static_cast<std::size_t>(layer)].path : model.name; };
    for (const Allocation& a : timeline.allocations)
        if (a.born == timeline.peakEvent && a.born >= 0) measurement.peakLayer = a.layer < 0 ? "" : name(a.layer);
    const std::vector<std::int64_t>& reads = recorder.deviceReads();
    for (std::size_t i = 0; i < reads.size(); ++i) {
        measurement.deviceReads += reads[i];
        if (reads[i] > 0) measurement.deviceReadLayers.push_back({i == 0 ? "outside the model" : name(static_cast<int>(i) - 1), reads[i]});
    }
}

std::vector<LayerUse> layerUse(const Model& model, const Recorder& recorder, const Timeline& timeline) {
    std::vector<LayerUse> layers(model.info().layers.size());
    const auto microBatches = std::count_if(timeline.phases.begin(), timeline.phases.end(),
                                            [](const Phase& phase) { return startsWith(phase.name, "forward"); });
    for (std::size_t i = 0; i < layers.size(); ++i) {
        layers[i].output = recorder.outputs()[i];
        layers[i].calls = recorder.calls()[i] / static_cast<int>(std::max<std::ptrdiff_t>(microBatches, 1));
        layers[i].multiplyAccumulates = recorder.multiplyAccumulates()[i] / std::max<std::ptrdiff_t>(microBatches, 1);
        layers[i].deviceReads = recorder.deviceReads()[i + 1];
    }
    // The first micro-batch's forward end is where activations are counted; the others hold the same again.
    const auto firstForward = std::find_if(timeline.phases.begin(), timeline.phases.end(),
                                           [](const Phase& phase) { return startsWith(phase.name, "forward"); });
    const int forwardEnd = firstForward == timeline.phases.end() ? -1 : firstForward->end - 1;
    for (const Allocation& a : timeline.allocations) {
        LayerUse& layer = layers[static_cast<std::size_t>(std::max(a.layer, 0))];
        if (isAlive(a, timeline.peakEvent)) layer.liveAtPeak += a.bytes;
        if (a.category == Category::Activations && a.born >= 0 && isAlive(a, forwardEnd)) layer.saved += a.bytes;
        if (a.category == Category::Gradients) layer.gradients += a.bytes;
        if (a.category == Category::OptimizerState && a.freed < 0) layer.optimizerState += a.bytes;
    }
    temporaryPeaks(timeline, "forward", &LayerUse::forwardTemporary, layers);
    temporaryPeaks(timeline, "backward", &LayerUse::backwardTemporary, layers);
    return layers;
}

}  // namespace tidemark
