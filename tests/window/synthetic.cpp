// SPDX-License-Identifier: Apache-2.0
#include "tests/window/synthetic.h"

#include <algorithm>
#include <cmath>

namespace tidemark {
namespace {

constexpr std::int64_t kFloat = 4;
constexpr std::size_t kBlocksOfResNet50 = 16;

/// Output of a layer for one example.
struct Shape {
    std::int64_t channels = 0;
    std::int64_t side = 0;
    std::int64_t elements() const { return channels * side * side; }
};

class Builder {
public:
    ModelInfo model;
    std::vector<Shape> outputs;

    int add(const std::string& path, const std::string& type, int parent, std::int64_t parameters, std::int64_t buffers,
            Shape output) {
        LayerInfo layer;
        layer.path = path;
        const auto dot = path.rfind('.');
        layer.name = dot == std::string::npos ? path : path.substr(dot + 1);
        layer.type = type;
        layer.parent = parent;
        layer.parameters = layer.trainable = parameters;
        layer.weights = {parameters * kFloat};
        layer.buffers = {buffers * kFloat};
        model.layers.push_back(layer);
        outputs.push_back(output);
        return static_cast<int>(model.layers.size()) - 1;
    }

    void convolution(const std::string& path, int parent, std::int64_t in, std::int64_t out, std::int64_t kernel,
                     std::int64_t side) {
        add(path, "Conv2d", parent, in * out * kernel * kernel, 0, {out, side});
    }
    void norm(const std::string& path, int parent, std::int64_t channels, std::int64_t side) {
        add(path, "BatchNorm2d", parent, 2 * channels, 2 * channels, {channels, side});
    }

    void bottleneck(const std::string& path, int parent, std::int64_t in, std::int64_t width, std::int64_t side,
                    bool first) {
        const int block = add(path, "Bottleneck", parent, 0, 0, {4 * width, side});
        convolution(path + ".conv1", block, in, width, 1, side);
        norm(path + ".bn1", block, width, side);
        convolution(path + ".conv2", block, width, width, 3, side);
        norm(path + ".bn2", block, width, side);
        convolution(path + ".conv3", block, width, 4 * width, 1, side);
        norm(path + ".bn3", block, 4 * width, side);
        add(path + ".relu", "ReLU", block, 0, 0, {});
        if (!first) return;
        const int down = add(path + ".downsample", "Sequential", block, 0, 0, {4 * width, side});
        convolution(path + ".downsample.0", down, in, 4 * width, 1, side);
        norm(path + ".downsample.1", down, 4 * width, side);
    }
};

Builder built(int depth) {
    Builder b;
    b.model.file = "resnet50.pt";
    b.model.name = "ResNet";
    b.add("", "ResNet", -1, 0, 0, {1000, 1});
    b.model.layers[0].name = "ResNet";
    b.convolution("conv1", 0, 3, 64, 7, 112);
    b.norm("bn1", 0, 64, 112);
    b.add("relu", "ReLU", 0, 0, 0, {});
    b.add("maxpool", "MaxPool2d", 0, 0, 0, {64, 56});
    static constexpr int kBlocks[] = {3, 4, 6, 3};
    BlockGroup group{"Bottleneck", {}};
    std::int64_t in = 64;
    for (int stage = 0; stage < 4; ++stage) {
        const std::int64_t width = 64 << stage;
        const std::int64_t side = 56 >> stage;
        const std::string name = "layer" + std::to_string(stage + 1);
        const int parent = b.add(name, "Sequential", 0, 0, 0, {4 * width, side});
        for (int block = 0; block < kBlocks[stage] * depth; ++block) {
            const std::string path = name + "." + std::to_string(block);
            b.bottleneck(path, parent, in, width, side, block == 0);
            group.paths.push_back(path);
            in = 4 * width;
        }
    }
    b.add("avgpool", "AdaptiveAvgPool2d", 0, 0, 0, {2048, 1});
    b.add("fc", "Linear", 0, 2048 * 1000 + 1000, 0, {1000, 1});
    b.model.blocks = {group};
    InputSpec input;
    input.shape = {{0, "B"}, {3, ""}, {224, ""}, {224, ""}};
    b.model.inputs = {input};
    b.model.inputSource = InputSource::FirstLayer;
    return b;
}

double activationScale(Precision precision) { return precision == Precision::Fp32 ? 1.0 : 0.53; }
double weightScale(Precision precision) {
    return precision == Precision::Fp16 || precision == Precision::Bf16 ? 0.5 : 1.0;
}

int statesOf(OptimizerKind kind) {
    switch (kind) {
    case OptimizerKind::Adam:
    case OptimizerKind::AdamW: return 2;
    case OptimizerKind::None:
    case OptimizerKind::Sgd: return 0;
    default: return 1;
    }
}

Bytes rounded(double bytes) { return {static_cast<std::int64_t>(std::ceil(bytes / 512.0)) * 512}; }

/// Writes a step as a list of allocations, counting events.
class Recorder {
public:
    Timeline timeline;

    int alloc(Bytes bytes, Category category, int layer, int op) {
        if (bytes.count <= 0) return -1;
        Allocation a;
        a.born = timeline.events++;
        a.bytes = bytes;
        a.category = category;
        a.layer = layer;
        a.op = op;
        timeline.allocations.push_back(a);
        return static_cast<int>(timeline.allocations.size()) - 1;
    }
    void resident(Bytes bytes, Category category, int layer) {
        if (bytes.count <= 0) return;
        Allocation a;
        a.bytes = bytes;
        a.category = category;
        a.layer = layer;
        timeline.allocations.push_back(a);
    }
    void free(int index) {
        if (index >= 0) timeline.allocations[index].freed = timeline.events++;
    }
    void phase(const std::string& name, int begin) { timeline.phases.push_back({name, begin, timeline.events}); }
};

void recordForward(Recorder& r, const Builder& b, const Settings& s, const std::vector<bool>& recomputed,
                   std::vector<int>& saved) {
    const double scale = kFloat * static_cast<double>(s.batch) * activationScale(s.precision);
    for (std::size_t i = 1; i < b.model.layers.size(); ++i) {
        const auto& layer = b.model.layers[i];
        const Bytes output = rounded(scale * static_cast<double>(b.outputs[i].elements()));
        if (layer.type == "Sequential" || layer.type == "Bottleneck" || layer.type == "ReLU") continue;
        const int scratch =
            layer.type == "Conv2d" && s.workspace != WorkspaceSource::None
                ? r.alloc(rounded(static_cast<double>(output.count) * 0.3), Category::Workspace, static_cast<int>(i), 0)
                : -1;
        const bool kept = s.mode == StepMode::Train && !recomputed[i];
        const int made = r.alloc(output, kept ? Category::Activations : Category::Temporary, static_cast<int>(i), 0);
        r.free(scratch);
        if (kept)
            saved[i] = made;
        else
            r.free(made);
    }
}

void recordBackward(Recorder& r, const Builder& b, const Settings& s, std::vector<int>& saved,
                    std::vector<int>& gradients) {
    const double scale = kFloat * static_cast<double>(s.batch) * activationScale(s.precision);
    for (std::size_t i = b.model.layers.size(); i-- > 1;) {
        const auto& layer = b.model.layers[i];
        const int incoming = r.alloc(rounded(scale * static_cast<double>(b.outputs[i].elements())), Category::Temporary,
                                     static_cast<int>(i), 1);
        if (gradients[i] < 0)
            gradients[i] = r.alloc(rounded(static_cast<double>(layer.weights.count) * weightScale(s.precision)),
                                   Category::Gradients, static_cast<int>(i), 1);
        r.free(saved[i]);
        r.free(incoming);
        saved[i] = -1;
    }
}

std::vector<bool> recomputedLayers(const ModelInfo& model, const CheckpointSettings& checkpoint) {
    std::vector<bool> marks(model.layers.size(), false);
    std::vector<std::string> paths = model.blockPaths();
    if (checkpoint.mode == CheckpointMode::None) paths.clear();
    if (checkpoint.mode == CheckpointMode::First)
        paths.resize(std::min<std::size_t>(paths.size(), static_cast<std::size_t>(checkpoint.count)));
    if (checkpoint.mode == CheckpointMode::Layers) paths = checkpoint.layers;
    for (std::size_t i = 1; i < model.layers.size(); ++i) {
        const auto& path = model.layers[i].path;
        marks[i] = std::any_of(paths.begin(), paths.end(),
                               [&](const std::string& p) { return path == p || path.rfind(p + ".", 0) == 0; });
    }
    return marks;
}

Recorder recorded(const Builder& b, const Settings& s) {
    Recorder r;
    r.timeline.ops = {"aten::forward", "aten::backward", "optimizer"};
    const double weights = weightScale(s.precision);
    for (std::size_t i = 0; i < b.model.layers.size(); ++i) {
        const auto& layer = b.model.layers[i];
        r.resident(rounded(static_cast<double>(layer.weights.count) * weights), Category::Weights, static_cast<int>(i));
        r.resident(rounded(static_cast<double>(layer.buffers.count)), Category::Buffers, static_cast<int>(i));
        if (s.mode == StepMode::Train)
            r.resident(rounded(static_cast<double>(layer.weights.count) * weights * statesOf(s.optimizer.kind)),
                       Category::OptimizerState, static_cast<int>(i));
    }
    r.resident(rounded(static_cast<double>(s.batch) * 3 * 224 * 224 * kFloat), Category::Input, -1);
    const std::vector<bool> recomputed = recomputedLayers(b.model, s.checkpoint);
    std::vector<int> gradients(b.model.layers.size(), -1);
    for (int micro = 0; micro < s.accumulate; ++micro) {
        const std::string suffix =
            s.accumulate > 1 ? " " + std::to_string(micro + 1) + "/" + std::to_string(s.accumulate) : "";
        std::vector<int> saved(b.model.layers.size(), -1);
        int begin = r.timeline.events;
        recordForward(r, b, s, recomputed, saved);
        r.phase("forward" + suffix, begin);
        if (s.mode != StepMode::Train) continue;
        begin = r.timeline.events;
        recordBackward(r, b, s, saved, gradients);
        r.phase("backward" + suffix, begin);
    }
    if (s.mode == StepMode::Train) {
        const int begin = r.timeline.events;
        r.free(
            r.alloc(rounded(static_cast<double>(b.model.weightBytes().count) * weights), Category::Temporary, -1, 2));
        for (const int gradient : gradients) r.free(gradient);
        r.phase("optimizer", begin);
    }
    return r;
}

void sumUp(Measurement& m, const Timeline& t, const ModelInfo& model) {
    std::vector<std::int64_t> total(t.events, 0);
    for (const auto& a : t.allocations)
        for (int e = std::max(a.born, 0); e < (a.freed < 0 ? t.events : a.freed); ++e) total[e] += a.bytes.count;
    const auto peak = std::max_element(total.begin(), total.end());
    const int at = static_cast<int>(peak - total.begin());
    m.layers.assign(model.layers.size(), {});
    for (const auto& a : t.allocations) {
        if (a.born > at || (a.freed >= 0 && a.freed <= at)) continue;
        m.categories[a.category] += a.bytes;
        m.layers[static_cast<std::size_t>(std::max(a.layer, 0))].liveAtPeak += a.bytes;
    }
    m.steady.allocated = {*peak};
    m.steady.reserved = {(*peak * 108 / 100 / (2 << 20) + 1) * (2 << 20)};
    for (const auto& phase : t.phases)
        if (at >= phase.begin && at < phase.end) m.peakPhase = phase.name;
    for (const auto& a : t.allocations)
        if (a.born == at && a.layer > 0) m.peakLayer = model.layers[a.layer].path;
}

}  // namespace

ModelInfo syntheticModel(int depth) { return built(depth).model; }

Measurement syntheticMeasurement(const ModelInfo& model, const Settings& settings, Bytes memoryLimit, bool layers,
                                 bool timeline) {
    const Builder b = built(static_cast<int>(model.blockPaths().size() / kBlocksOfResNet50));
    Recorder r = recorded(b, settings);
    Measurement m;
    sumUp(m, r.timeline, model);
    int at = 0;
    std::int64_t highest = -1;
    std::vector<std::int64_t> total(r.timeline.events, 0);
    for (const auto& a : r.timeline.allocations)
        for (int e = std::max(a.born, 0); e < (a.freed < 0 ? r.timeline.events : a.freed); ++e)
            total[e] += a.bytes.count;
    for (int e = 0; e < r.timeline.events; ++e)
        if (total[e] > highest) {
            highest = total[e];
            at = e;
        }
    r.timeline.peakEvent = at;
    r.timeline.reserved.assign(r.timeline.events, m.steady.reserved);
    m.first = m.steady;
    m.iterations.assign(static_cast<std::size_t>(settings.iterations), m.steady);
    m.stepTime = std::chrono::milliseconds(5);
    if (memoryLimit.count > 0 && m.steady.reserved > memoryLimit)
        m.outOfMemory = OutOfMemory{m.steady.reserved - memoryLimit, "backward", m.peakLayer, "CUDA out of memory."};
    for (const auto& a : r.timeline.allocations) {
        if (a.layer < 0) continue;
        LayerUse& use = m.layers[a.layer];
        if (a.category == Category::Activations) use.saved += a.bytes;
        if (a.category == Category::Gradients) use.gradients += a.bytes;
        if (a.category == Category::OptimizerState) use.optimizerState += a.bytes;
        if (a.category == Category::Temporary && a.op == 1)
            use.backwardTemporary = std::max(use.backwardTemporary, a.bytes);
        if (a.category == Category::Workspace) use.forwardTemporary = std::max(use.forwardTemporary, a.bytes);
    }
    for (std::size_t i = 0; i < model.layers.size(); ++i) {
        const Shape shape = b.outputs[i];
        m.layers[i].calls = 1;
        if (shape.elements() == 0) continue;
        m.layers[i].output =
            "float32[" + std::to_string(settings.batch) + ", " + std::to_string(shape.channels) +
            (shape.side > 1 ? ", " + std::to_string(shape.side) + ", " + std::to_string(shape.side) : "") + "]";
        if (model.layers[i].type == "Conv2d")
            m.layers[i].multiplyAccumulates = settings.batch * model.layers[i].parameters * shape.side * shape.side;
    }
    if (!layers) m.layers.clear();
    if (timeline) m.timeline = std::move(r.timeline);
    return m;
}

std::vector<Gpu> syntheticGpus() {
    const auto card = [](const char* id, const char* label, const char* architecture, int major, int minor,
                         double gib) {
        Gpu gpu;
        gpu.id = id;
        gpu.name = std::string("NVIDIA ") + label;
        gpu.label = label;
        gpu.architecture = architecture;
        gpu.capabilityMajor = major;
        gpu.capabilityMinor = minor;
        gpu.memory = {static_cast<std::int64_t>(gib * 1024) * 1024 * 1024};
        gpu.context = {kMiB * 450, kMiB * 380, kMiB * 560, "test"};
        return gpu;
    };
    return {card("t4", "T4", "Turing", 7, 5, 14.56), card("rtx-3090", "RTX 3090", "Ampere", 8, 6, 23.69),
            card("rtx-4090", "RTX 4090", "Ada", 8, 9, 23.52), card("a100-80gb", "A100 80GB", "Ampere", 8, 0, 79.25),
            card("h200", "H200", "Hopper", 9, 0, 139.8)};
}

}  // namespace tidemark
