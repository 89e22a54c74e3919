// SPDX-License-Identifier: Apache-2.0
// A stand-in for tidemark-probe without LibTorch. It speaks the same protocol about a made-up network whose memory
// is a formula, and misbehaves on request: the "model" is a JSON file that says how.
//
//   slow_ms            every measurement takes that long
//   crash_at_batch     the process dies of a signal instead of answering a measurement of that batch
//   crash_once         name of a file: die and create it, unless it exists
//   crash_workspace    die when measuring with that workspace source
//   hang_at_batch      never answer a measurement of that batch
//   garbage_at_batch   write a line that is no JSON
//   error_at_batch     answer with step_failed
//   fallback_at_batch  tell of an out-of-memory error that LibTorch caught
//   open_error         answer the opening with this error code
//   per_example_mib    activations of one example (default 16)
//
// The environment variable FAKEPROBE_START makes it exit or crash before it reads anything; FAKEPROBE_LOG names a file
// to which it appends one line for each request.
#include "engine/plan/errors.h"
#include "engine/plan/measurement.h"
#include "engine/plan/modelinfo.h"
#include "engine/plan/settings.h"

#include <nlohmann/json.hpp>

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iostream>
#include <thread>

using namespace tidemark;
using nlohmann::json;

namespace {

struct Options {
    std::string gpu = "a100-80gb";
    std::string workspace = "cudnn";
    std::int64_t memory = 0;
    bool real = false;
};

[[noreturn]] void die() {
    std::signal(SIGABRT, SIG_DFL);
    std::abort();
}

ModelInfo fakeModel(const std::string& path) {
    ModelInfo model;
    model.file = path;
    model.name = "FakeNet";
    model.layers = {{"", "FakeNet", "FakeNet", -1, 0, 0, {}, {}},
                    {"stem", "stem", "Conv2d", 0, 1024, 1024, Bytes{4096}, {}},
                    {"blocks", "blocks", "Sequential", 0, 0, 0, {}, {}},
                    {"blocks.0", "0", "Block", 2, 1 << 22, 1 << 22, kMiB * 16, kMiB},
                    {"blocks.1", "1", "Block", 2, 1 << 22, 1 << 22, kMiB * 16, kMiB},
                    {"head", "head", "Linear", 0, 1 << 20, 1 << 20, kMiB * 4, {}}};
    model.blocks = {{"Block", {"blocks.0", "blocks.1"}}};
    model.inputs = {parseInputSpec("float32[B,3,64,64]").value()};
    model.inputSource = InputSource::FirstLayer;
    return model;
}

int checkpointedBlocks(const Settings& s) {
    switch (s.checkpoint.mode) {
    case CheckpointMode::None: return 0;
    case CheckpointMode::First: return std::min(s.checkpoint.count, 2);
    case CheckpointMode::Layers: return static_cast<int>(s.checkpoint.layers.size());
    default: return 2;
    }
}

/// State tensors per parameter of the optimizer.
int statesOf(const OptimizerSettings& o) {
    switch (o.kind) {
    case OptimizerKind::None:
    case OptimizerKind::Sgd: return 0;
    case OptimizerKind::Adam:
    case OptimizerKind::AdamW: return 2;
    default: return 1;
    }
}

/// Live bytes at the peak by layer (columns of the fake model) and category.
std::vector<Allocation> fakeAllocations(const ModelInfo& model, const Settings& s, Bytes perExample) {
    std::vector<Allocation> all;
    const bool train = s.mode == StepMode::Train || s.mode == StepMode::TrainAndEval;
    const bool half = s.precision != Precision::Fp32;
    const int checkpointed = checkpointedBlocks(s);
    const auto add = [&](Category category, int layer, Bytes bytes, int born, int freed) {
        if (bytes > Bytes{}) all.push_back({born, freed, bytes, category, layer, 0, 0});
    };
    add(Category::Input, 0, Bytes{3 * 64 * 64 * 4} * s.batch, 0, 20);
    for (std::size_t i = 0; i < model.layers.size(); ++i) {
        const LayerInfo& layer = model.layers[i];
        const int index = static_cast<int>(i);
        add(Category::Weights, index, layer.weights, -1, -1);
        add(Category::Buffers, index, layer.buffers, -1, -1);
        if (train) {
            add(Category::Gradients, index, layer.weights, 2, -1);
            add(Category::OptimizerState, index, layer.weights * statesOf(s.optimizer), -1, -1);
        }
        if (layer.type == "Block" && train) {
            Bytes saved = perExample * s.batch;
            if (half) saved = Bytes{saved.count / 2};
            if (layer.path == "blocks.0" ? checkpointed > 0 : checkpointed > 1) saved = Bytes{saved.count / 4};
            add(Category::Activations, index, saved, 1, 15);
        }
    }
    add(Category::Temporary, 5, kMiB * 2, 3, 4);
    return all;
}

Bytes roundedUp(Bytes bytes) { return Bytes{(bytes.count + kMiB.count * 20 - 1) / (kMiB.count * 20) * kMiB.count * 20}; }

Measurement fakeMeasurement(const ModelInfo& model, const Settings& s, const json& request, Bytes perExample) {
    Measurement m;
    const std::vector<Allocation> live = fakeAllocations(model, s, perExample);
    m.layers.resize(model.layers.size());
    for (const Allocation& a : live) {
        m.categories[a.category] += a.bytes;
        LayerUse& use = m.layers[static_cast<std::size_t>(a.layer)];
        use.calls = 1;
        use.liveAtPeak += a.bytes;
        if (a.category == Category::Activations) use.saved += a.bytes;
        if (a.category == Category::Gradients) use.gradients += a.bytes;
        if (a.category == Category::OptimizerState) use.optimizerState += a.bytes;
    }
    m.steady = {m.categories.total(), roundedUp(m.categories.total())};
    m.first = {m.steady.allocated - m.categories[Category::OptimizerState], m.steady.reserved};
    m.iterations.assign(static_cast<std::size_t>(s.iterations), m.steady);
    m.iterations.front() = m.first;
    m.baseline = model.weightBytes() + model.bufferBytes();
    m.peakPhase = "backward";
    m.peakLayer = "blocks.1";
    m.checkpointedBlocks = checkpointedBlocks(s);
    m.recomputedOperators = 0.25 * static_cast<double>(m.checkpointedBlocks);
    m.stepTime = std::chrono::microseconds(100);
    const Bytes limit{request.value("memory_limit", std::int64_t{0})};
    if (limit > Bytes{} && m.steady.allocated > limit)
        m.outOfMemory = OutOfMemory{perExample * s.batch, "forward", "blocks.1", "CUDA out of memory."};
    const json detail = request.value("detail", json::array());
    if (std::find(detail.begin(), detail.end(), "timeline") != detail.end()) {
        Timeline t;
        t.events = 21;
        t.peakEvent = 3;
        t.allocations = live;
        t.phases = {{"forward", 0, 2}, {"backward", 2, 16}, {"optimizer", 16, 21}};
        t.ops = {"aten::empty"};
        t.shapes = {"float32[1]"};
        t.reserved.assign(21, m.steady.reserved);
        m.timeline = std::move(t);
    }
    if (std::find(detail.begin(), detail.end(), "layers") == detail.end()) m.layers.clear();
    return m;
}

class FakeProbe {
public:
    explicit FakeProbe(Options options) : m_options(std::move(options)) {}

    json answer(const json& request) {
        const std::string op = request.value("op", "");
        json reply{{"id", request.value("id", 0)}, {"ok", true}};
        if (op == "hello")
            hello(&reply);
        else if (op == "open")
            open(request, &reply);
        else
            measure(request, &reply);
        return reply;
    }

private:
    static void refuse(json* reply, Error error) {
        (*reply)["ok"] = false;
        (*reply)["error"] = toJson(error);
    }

    void hello(json* reply) const {
        reply->update({{"protocol", 1},
                       {"torch_version", "2.15.0"},
                       {"cudnn_version", 92600},
                       {"workspace", m_options.workspace == "cudnn" ? "cudnn 9.26.1" : m_options.workspace},
                       {"workspace_problem", ""},
                       {"device",
                        {{"name", m_options.gpu},
                         {"capability", "8.0"},
                         {"memory", m_options.memory},
                         {"real", m_options.real}}}});
    }

    void open(const json& request, json* reply) {
        m_path = request.value("path", "");
        std::ifstream file(m_path);
        m_script = json::parse(file, nullptr, false);
        if (!m_script.is_object())
            return refuse(reply, {ErrorCode::NotTorchScript, "\"" + m_path + "\" is no TorchScript file.", ""});
        if (m_script.contains("open_error"))
            return refuse(reply, {errorCodeFromKey(m_script.value("open_error", "")), "The model cannot be opened.", ""});
        (*reply)["model"] = toJson(fakeModel(m_path));
    }

    void misbehave(const Settings& s) {
        if (m_script.value("crash_at_batch", 0) == s.batch) die();
        if (m_script.value("crash_workspace", "") == nameOf(s.workspace)) die();
        if (const std::string once = m_script.value("crash_once", ""); !once.empty() && !std::ifstream(once)) {
            std::ofstream(once) << "died";
            die();
        }
        if (m_script.value("hang_at_batch", 0) == s.batch)
            while (true) std::this_thread::sleep_for(std::chrono::seconds(1));
        if (m_script.value("garbage_at_batch", 0) == s.batch) std::cout << "Warning: this is no answer" << std::endl;
        std::this_thread::sleep_for(std::chrono::milliseconds(m_script.value("slow_ms", 0)));
    }

    void measure(const json& request, json* reply) {
        auto read = settingsFromJson(request.value("settings", json::object()));
        auto settings = read.ok() ? validated(std::move(read).value()) : read;
        if (!settings.ok()) return refuse(reply, settings.error());
        misbehave(settings.value());
        if (m_script.value("error_at_batch", 0) == settings->batch)
            return refuse(reply, {ErrorCode::StepFailed, "The layer \"head\" failed.", "sizes differ"});
        const Bytes perExample = kMiB * m_script.value("per_example_mib", 16);
        Measurement measurement = fakeMeasurement(fakeModel(m_path), settings.value(), request, perExample);
        if (m_script.value("fallback_at_batch", 0) == settings->batch) measurement.outOfMemoryErrors = 1;
        (*reply)["measurement"] = toJson(measurement);
    }

    Options m_options;
    std::string m_path;
    json m_script;
};

Options readOptions(int argc, char** argv) {
    Options options;
    for (int i = 1; i < argc; ++i) {
        const std::string name = argv[i];
        if (name == "--real") options.real = true;
        if (i + 1 == argc) break;
        if (name == "--gpu") options.gpu = argv[i + 1];
        if (name == "--workspace") options.workspace = argv[i + 1];
        if (name == "--memory") options.memory = std::atoll(argv[i + 1]);
    }
    return options;
}

}  // namespace

int main(int argc, char** argv) {
    if (argc > 1 && std::strcmp(argv[1], "--nursery") == 0) return 2;
    const char* start = std::getenv("FAKEPROBE_START");
    if (start && std::strcmp(start, "exit") == 0) {
        std::cerr << "cannot load LibTorch" << std::endl;
        return 7;
    }
    if (start && std::strcmp(start, "crash") == 0) die();
    const char* log = std::getenv("FAKEPROBE_LOG");
    FakeProbe probe(readOptions(argc, argv));
    for (std::string line; std::getline(std::cin, line);) {
        const json request = json::parse(line, nullptr, false);
        if (!request.is_object()) continue;
        if (log) {
            const json settings = request.value("settings", json::object());
            std::ofstream(log, std::ios::app) << getpid() << ' ' << request.value("op", "") << ' '
                                              << settings.value("batch", 0) << '\n';
        }
        std::cout << probe.answer(request).dump() << std::endl;
    }
    return 0;
}
