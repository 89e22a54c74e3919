// SPDX-License-Identifier: Apache-2.0
// tidemark-probe: runs training steps on a GPU that is not there (or, with --real, on the one that is) and answers
// questions about their memory. See PROTOCOL.md.

#include "engine/gpus/catalogue.h"
#include "engine/probe/server.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <dlfcn.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

namespace {

namespace fs = std::filesystem;
using namespace tidemark;

struct Arguments {
    std::string gpu = "a100-80gb";
    std::string catalogue;
    std::string workspace = "none";
    std::string cudnn;
    std::string allocator;
    std::int64_t memory = 0;
    bool real = false;
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
bool loadNullGpu(const fs::path& folder, std::string* problem) {
    std::ifstream order(folder / "preload-order.txt");
    if (!order) {
        *problem = fmt::format("The null GPU's libraries are missing from {}.", folder.string());
        return false;
    }
    for (std::string name; std::getline(order, name);) {
        if (name.empty()) continue;
        if (!dlopen((folder / name).c_str(), RTLD_NOW | RTLD_GLOBAL)) {
            *problem = fmt::format("The null GPU cannot be loaded: {}.", dlerror());
            return false;
        }
    }
    return true;
}

int fail(const std::string& sentence) {
    fmt::print(stderr, "tidemark-probe: {}\n", sentence);
    return 1;
}

/// What LibTorch and the null GPU read from the environment, once.
void setEnvironment(const Arguments& arguments, Gpu gpu) {
    if (arguments.memory > 0) gpu.memory = Bytes{arguments.memory};
    setenv("TIDEMARK_NULL_DEVICE", nullDeviceJson(gpu).c_str(), 1);
    setenv("TIDEMARK_WORKSPACE", arguments.workspace.c_str(), 1);
    if (!arguments.cudnn.empty()) setenv("TIDEMARK_CUDNN", arguments.cudnn.c_str(), 1);
}

}  // namespace

int main(int argc, char** argv) {
    Arguments arguments;
    CLI::App app{"Measures training steps on a GPU that is not there. Reads requests and writes answers as JSON lines."};
    app.add_option("--gpu", arguments.gpu, "Card of the catalogue to describe to LibTorch");
    app.add_flag("--real", arguments.real, "Use this machine's NVIDIA driver instead");
    app.add_option("--catalogue", arguments.catalogue, "gpus.json");
    app.add_option("--memory", arguments.memory, "Total memory of the described card in bytes");
    app.add_option("--workspace", arguments.workspace, "Where convolution workspaces come from")
        ->check(CLI::IsMember({"cudnn", "estimate", "estimate-low", "estimate-high", "none"}));
    app.add_option("--cudnn", arguments.cudnn, "libcudnn.so.9 that answers for workspaces");
    app.add_option("--allocator", arguments.allocator, "Value of PYTORCH_ALLOC_CONF");
    CLI11_PARSE(app, argc, argv);

    const fs::path libraries = libraryFolder();
    if (!arguments.allocator.empty()) {
        setenv("PYTORCH_ALLOC_CONF", arguments.allocator.c_str(), 1);
        setenv("PYTORCH_CUDA_ALLOC_CONF", arguments.allocator.c_str(), 1);
    }
    setenv("CUDA_MODULE_LOADING", "LAZY", 0);
    setenv("OMP_NUM_THREADS", "1", 0);
    setenv("TORCH_SYMBOLIZE_MODE", "dladdr", 0);
    if (!arguments.real) {
        const auto catalogue = Catalogue::load(catalogueFile(arguments).string());
        if (!catalogue) return fail(catalogue.error().message);
        const auto gpu = catalogue->find(arguments.gpu);
        if (!gpu) return fail(gpu.error().message);
        setEnvironment(arguments, gpu.value());
        std::string problem;
        if (!loadNullGpu(libraries / "nullgpu", &problem)) return fail(problem);
    }

    // Answers keep the real standard output; whatever libraries print goes to standard error.
    ProbeOptions options;
    options.realDevice = arguments.real;
    options.outputDescriptor = dup(STDOUT_FILENO);
    dup2(STDERR_FILENO, STDOUT_FILENO);

    void* step = dlopen((libraries / "libtidemark_step.so").c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!step) return fail(fmt::format("LibTorch cannot be loaded: {}.", dlerror()));
    const auto serve = reinterpret_cast<decltype(&tidemarkServe)>(dlsym(step, "tidemarkServe"));
    if (!serve) return fail("libtidemark_step.so is from another version; build again.");
    // LibTorch's autograd threads and cuDNN's exit handlers do not survive an orderly shutdown.
    _exit(serve(&options));
}
