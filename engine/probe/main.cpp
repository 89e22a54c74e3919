// SPDX-License-Identifier: Apache-2.0
// tidemark-probe: runs training steps on a GPU that is not there (or, with --real, on the one that is) and answers
// questions about their memory. See PROTOCOL.md.

#include "engine/gpus/catalogue.h"
#include "engine/plan/errors.h"
#include "engine/probe/nursery.h"
#include "engine/probe/realdevice.h"
#include "engine/probe/server.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <dlfcn.h>
#include <signal.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <optional>
#include <thread>

namespace {

namespace fs = std::filesystem;
using namespace tidemark;

struct Arguments {
    std::string gpu = "a100-80gb";
    std::string catalogue;
    std::string workspace = "none";
    std::string cudnn;
    std::string allocator;
    std::string device;
    std::string nursery;
    std::string from;
    std::string model;
    std::int64_t memory = 0;
    int gauge = 0;
    bool real = false;
    bool devices = false;
};

/// The folder of build products: …/lib beside …/bin, or …/lib/tidemark after installation.
fs::path libraryFolder() {
    const fs::path prefix = fs::read_symlink("/proc/self/exe").parent_path().parent_path();
    const fs::path installed = prefix / "lib" / "tidemark";
    return fs::exists(installed) ? installed : prefix / "lib";
}

fs::path catalogueFile(const Arguments& arguments) {
    if (!arguments.catalogue.empty()) return arguments.catalogue;
    if (const char* folder = std::getenv("TIDEMARK_RESOURCES")) return fs::path(folder) / "gpus.json";
    const fs::path installed = fs::read_symlink("/proc/self/exe").parent_path().parent_path() / "share" / "tidemark" / "gpus.json";
    return fs::exists(installed) ? installed : fs::path(TIDEMARK_SOURCE_RESOURCES) / "gpus.json";
}

/// Loads every library in `preload-order.txt`, so that LibTorch's own needs are met by these.
bool loadLibraries(const fs::path& folder, Message* problem) {
    std::ifstream order(folder / "preload-order.txt");
    if (!order) {
        *problem = Message::tr("The libraries listed in preload-order.txt are missing from {}.", folder.string());
        return false;
    }
    for (std::string name; std::getline(order, name);) {
        if (name.empty()) continue;
        if (!dlopen((folder / name).c_str(), RTLD_NOW | RTLD_GLOBAL)) {
            *problem = Message::tr("A library cannot be loaded: {}.", std::string(dlerror()));
            return false;
        }
    }
    return true;
}

/// Says why there will be no answers: to people, and to a program that waits for them.
int fail(const Message& sentence, int descriptor = STDOUT_FILENO) {
    fmt::print(stderr, "tidemark-probe: {}\n", sentence.english());
    const Error error{ErrorCode::WorkerUnavailable, sentence, {}};
    const std::string line = nlohmann::json{{"id", 0}, {"ok", false}, {"error", toJson(error)}}.dump() + '\n';
    [[maybe_unused]] const auto written = write(descriptor, line.data(), line.size());
    return 1;
}

/// The described card as the null GPU reads it.
Result<std::string> deviceDescription(const Arguments& arguments) {
    if (!arguments.device.empty()) return arguments.device;
    const auto catalogue = Catalogue::load(catalogueFile(arguments).string());
    if (!catalogue) return catalogue.error();
    auto gpu = catalogue->find(arguments.gpu);
    if (!gpu) return gpu.error();
    if (arguments.memory > 0) gpu->memory = Bytes{arguments.memory};
    return nullDeviceJson(gpu.value());
}

/// What LibTorch reads from the environment, once.
void setEnvironment(const Arguments& arguments) {
    if (!arguments.allocator.empty()) {
        setenv("PYTORCH_ALLOC_CONF", arguments.allocator.c_str(), 1);
        setenv("PYTORCH_CUDA_ALLOC_CONF", arguments.allocator.c_str(), 1);
    }
    setenv("CUDA_MODULE_LOADING", "LAZY", 0);
    setenv("OMP_NUM_THREADS", "1", 1);
    setenv("TORCH_SYMBOLIZE_MODE", "dladdr", 0);
}

/// What the null GPU reads from the environment.
Result<std::vector<std::string>> nullEnvironment(const Arguments& arguments) {
    const auto description = deviceDescription(arguments);
    if (!description) return description.error();
    std::vector<std::string> environment{"TIDEMARK_NULL_DEVICE=" + description.value(),
                                         "TIDEMARK_WORKSPACE=" + arguments.workspace};
    if (!arguments.cudnn.empty()) environment.push_back("TIDEMARK_CUDNN=" + arguments.cudnn);
    return environment;
}

/// Describes the card and loads the null GPU; a problem is one sentence.
std::optional<Message> becomeNull(const Arguments& arguments, const fs::path& libraries) {
    const auto environment = nullEnvironment(arguments);
    if (!environment) return environment.error().message;
    for (const std::string& variable : environment.value()) {
        const auto equals = variable.find('=');
        setenv(variable.substr(0, equals).c_str(), variable.c_str() + equals + 1, 1);
    }
    Message problem;
    if (!loadLibraries(libraries / "nullgpu", &problem)) return problem;
    return std::nullopt;
}

/// LibTorch finds NVIDIA's libraries by itself, unless a folder is named for them.
std::optional<Message> becomeReal() {
    const char* folder = std::getenv("TIDEMARK_REAL_LIBRARIES");
    Message problem;
    if (folder && fs::exists(fs::path(folder) / "preload-order.txt") && !loadLibraries(folder, &problem)) return problem;
    return std::nullopt;
}

/// The real GPU and its use now, or why there is none, as one line of JSON.
int listDevices() {
    nlohmann::json answer{{"devices", nlohmann::json::array()}, {"problem", ""}};
    if (const auto device = RealDevice::find()) {
        nlohmann::json entry{{"device", nlohmann::json::parse(nullDeviceJson(device->gpu()))},
                             {"id", device->gpu().id},
                             {"label", device->gpu().label},
                             {"driver", device->driver()}};
        if (const auto use = device->use()) entry["use"] = toJson(*use);
        answer["devices"].push_back(entry);
    } else {
        answer["problem"] = toJson(device.error().message);
    }
    fmt::print("{}\n", answer.dump());
    return 0;
}

/// Writes a reading of the card every so many milliseconds, beside the answers, until the process ends.
void writeReadings(const RealDevice& device, int milliseconds, int descriptor, std::mutex& lock) {
    for (;; std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds))) {
        const auto use = device.use();
        if (!use) return;
        const std::string line = nlohmann::json{{"id", 0}, {"use", toJson(*use)}}.dump() + '\n';
        const std::lock_guard guard(lock);
        if (write(descriptor, line.data(), line.size()) < 0) return;
    }
}

/// Why LibTorch did not load, with what to do about it.
Message explainedLoadFailure(const Arguments& arguments) {
    const std::string raw = dlerror();
    if (!arguments.real) return Message::tr("LibTorch cannot be loaded: {}.", raw);
    return Message::tr(
        "LibTorch cannot use the GPU because NVIDIA's libraries are not all installed ({}); packaging/quickstart "
        "installs them where it finds a driver.",
        raw);
}

void addOptions(CLI::App& app, Arguments& arguments) {
    app.add_option("--gpu", arguments.gpu, "Card of the catalogue to describe to LibTorch");
    app.add_flag("--real", arguments.real, "Use this machine's NVIDIA driver instead");
    app.add_option("--catalogue", arguments.catalogue, "gpus.json");
    app.add_flag("--devices", arguments.devices, "Describe this machine's GPU as one line of JSON and end");
    app.add_option("--device", arguments.device, "Description of a card that is not in the catalogue, as JSON");
    app.add_option("--gauge", arguments.gauge, "With --real: write a reading of the card every so many milliseconds");
    app.add_option("--memory", arguments.memory, "Total memory of the described card in bytes");
    app.add_option("--workspace", arguments.workspace, "Where convolution workspaces come from")
        ->check(CLI::IsMember({"cudnn", "estimate", "estimate-low", "estimate-high", "none"}));
    app.add_option("--cudnn", arguments.cudnn, "libcudnn.so.9 that answers for workspaces");
    app.add_option("--allocator", arguments.allocator, "Value of PYTORCH_ALLOC_CONF");
    app.add_option("--nursery", arguments.nursery, "Listen at this socket and become a probe for each who asks");
    app.add_option("--read", arguments.model, "With --nursery: a model that will be opened");
    app.add_option("--from", arguments.from, "Be the front of a probe out of the nursery at this socket, if it is there");
}

/// Answers keep the real standard output; whatever libraries print goes to standard error.
void takeOutput(ProbeOptions* options) {
    options->outputDescriptor = dup(STDOUT_FILENO);
    dup2(STDERR_FILENO, STDOUT_FILENO);
}

}  // namespace

int main(int argc, char** argv) {
    Arguments arguments;
    CLI::App app{"Measures training steps on a GPU that is not there. Reads requests and writes answers as JSON lines."};
    addOptions(app, arguments);
    CLI11_PARSE(app, argc, argv);

    if (!arguments.from.empty()) {
        const auto environment = nullEnvironment(arguments);
        if (!environment) return fail(environment.error().message);
        if (const auto status = runFromNursery(arguments.from, environment.value())) return *status;
    }
    // A step may run for long; nobody waits for it any more when the one who asked is gone. A nursery tidies up first.
    if (arguments.nursery.empty()) prctl(PR_SET_PDEATHSIG, SIGKILL);
    Nursery nursery;
    if (!arguments.nursery.empty()) {
        if (const auto problem = nursery.listen(arguments.nursery)) return fail(*problem);
        fmt::print("listening\n");
        std::fflush(stdout);
    }

    const fs::path libraries = libraryFolder();
    setEnvironment(arguments);
    if (arguments.real || arguments.devices) {
        if (const auto problem = becomeReal()) return fail(*problem);
    } else if (const auto problem = becomeNull(arguments, libraries)) {
        return fail(*problem);
    }
    if (arguments.devices) return listDevices();
    std::optional<RealDevice> real;
    if (arguments.real) {
        auto device = RealDevice::find();
        if (!device) return fail(device.error().message);
        real.emplace(std::move(device).value());
    }

    ProbeOptions options;
    std::mutex outputLock;
    options.realDevice = real ? &*real : nullptr;
    options.outputLock = &outputLock;
    if (arguments.nursery.empty()) {
        takeOutput(&options);
    } else {
        options.modelToRead = arguments.model;
        options.beforeDevice = [&] {
            nursery.serve();
            takeOutput(&options);
        };
    }

    void* step = dlopen((libraries / "libtidemark_step.so").c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!step) return fail(explainedLoadFailure(arguments), options.outputDescriptor);
    const auto serve = reinterpret_cast<decltype(&tidemarkServe)>(dlsym(step, "tidemarkServe"));
    if (!serve)
        return fail(Message::tr("libtidemark_step.so is from another version; build again."), options.outputDescriptor);
    if (real && arguments.gauge > 0)
        std::thread(writeReadings, std::cref(*real), arguments.gauge, options.outputDescriptor, std::ref(outputLock)).detach();
    // LibTorch's autograd threads and cuDNN's exit handlers do not survive an orderly shutdown.
    _exit(serve(&options));
}
