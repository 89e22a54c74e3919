// SPDX-License-Identifier: Apache-2.0
#include "engine/probe/realdevice.h"

#include <cuda.h>
#include <fmt/format.h>

#include <dlfcn.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdlib>
#include <vector>

namespace tidemark {
namespace {

/// What is used of nvml.h, which comes with no wheel: NVML API Reference, "Device Queries".
struct NvmlMemory {
    unsigned long long total;
    unsigned long long free;
    unsigned long long used;
};
struct NvmlProcess {
    unsigned pid;
    unsigned long long usedGpuMemory;
    unsigned gpuInstanceId;
    unsigned computeInstanceId;
};
constexpr int kNvmlSuccess = 0;
constexpr unsigned long long kNvmlNotAvailable = ~0ull;
/// A driver that shows a share of the card to CUDA (MIG, vGPU) tells the whole card through NVML: other totals.
constexpr double kSameTotal = 0.1;

Error unavailable(Message sentence) { return {ErrorCode::WorkerUnavailable, std::move(sentence), {}}; }

/// Calls a function of a library by its name; the given value where it has none of that name.
template <class Function, class Return, class... Arguments>
Return call(void* library, const char* name, Return otherwise, Arguments... arguments) {
    const auto function = library ? reinterpret_cast<Function*>(dlsym(library, name)) : nullptr;
    return function ? static_cast<Return>(function(arguments...)) : otherwise;
}

int attribute(void* driver, int which, int device) {
    int value = 0;
    call<decltype(cuDeviceGetAttribute)>(driver, "cuDeviceGetAttribute", 1, &value, static_cast<CUdevice_attribute>(which), device);
    return value;
}

std::string idFrom(const std::string& name) {
    std::string id;
    for (const char c : name) {
        if (std::isalnum(static_cast<unsigned char>(c)))
            id += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
        else if (!id.empty() && id.back() != '-')
            id += '-';
    }
    return id;
}

std::string labelFrom(std::string name) {
    for (const char* prefix : {"NVIDIA ", "GeForce "})
        if (name.starts_with(prefix)) name.erase(0, std::string_view(prefix).size());
    return name;
}

}  // namespace

void* openDriverLibrary(const char* name) {
    const char* folder = std::getenv("TIDEMARK_REAL_LIBRARIES");
    if (folder && *folder)
        if (void* library = dlopen(fmt::format("{}/{}", folder, name).c_str(), RTLD_NOW | RTLD_GLOBAL)) return library;
    return dlopen(name, RTLD_NOW | RTLD_GLOBAL);
}

Result<RealDevice> RealDevice::find() {
    void* driver = openDriverLibrary("libcuda.so.1");
    if (!driver) return unavailable(Message::tr("This machine has no NVIDIA driver (libcuda.so.1 was not found)."));
    const int initialised = call<decltype(cuInit)>(driver, "cuInit", -1, 0u);
    int count = 0;
    if (initialised == CUDA_SUCCESS) call<decltype(cuDeviceGetCount)>(driver, "cuDeviceGetCount", 1, &count);
    if (initialised == CUDA_ERROR_NO_DEVICE || (initialised == CUDA_SUCCESS && count == 0))
        return unavailable(Message::tr("The NVIDIA driver finds no GPU in this machine, or CUDA_VISIBLE_DEVICES hides it."));
    if (initialised != CUDA_SUCCESS) {
        const char* text = nullptr;
        call<decltype(cuGetErrorString)>(driver, "cuGetErrorString", 1, static_cast<CUresult>(initialised), &text);
        return unavailable(Message::tr("The NVIDIA driver does not start: {}.", text ? std::string(text) : fmt::format("error {}", initialised)));
    }
    int version = 0;
    call<decltype(cuDriverGetVersion)>(driver, "cuDriverGetVersion", 1, &version);
    if (version / 1000 < CUDA_VERSION / 1000)
        return unavailable(Message::tr("The NVIDIA driver is too old: it serves CUDA {}.{}, and this LibTorch needs {}.0 or later.",
                                       version / 1000, version % 1000 / 10, CUDA_VERSION / 1000));
    CUdevice device = 0;
    call<decltype(cuDeviceGet)>(driver, "cuDeviceGet", 1, &device, 0);
    RealDevice real;
    real.m_cuda = driver;
    real.m_driver = fmt::format("CUDA {}.{}", version / 1000, version % 1000 / 10);
    real.describe(driver, device);
    real.askNvml();
    return real;
}

void RealDevice::describe(void* driver, int device) {
    char text[256] = "";
    call<decltype(cuDeviceGetName)>(driver, "cuDeviceGetName", 1, text, static_cast<int>(sizeof text), device);
    m_gpu.name = text;
    char bus[64] = "";
    call<decltype(cuDeviceGetPCIBusId)>(driver, "cuDeviceGetPCIBusId", 1, bus, static_cast<int>(sizeof bus), device);
    m_busId = bus;
    std::size_t memory = 0;
    call<CUresult(std::size_t*, CUdevice)>(driver, "cuDeviceTotalMem_v2", 1, &memory, device);
    const auto ask = [&](int which) { return attribute(driver, which, device); };
    m_gpu.id = idFrom(m_gpu.name);
    m_gpu.label = labelFrom(m_gpu.name);
    m_gpu.memory = Bytes{static_cast<std::int64_t>(memory)};
    m_gpu.capabilityMajor = ask(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR);
    m_gpu.capabilityMinor = ask(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR);
    m_gpu.multiprocessors = ask(CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT);
    m_gpu.threadsPerMultiprocessor = ask(CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR);
    m_gpu.blocksPerMultiprocessor = ask(CU_DEVICE_ATTRIBUTE_MAX_BLOCKS_PER_MULTIPROCESSOR);
    m_gpu.sharedMemoryPerBlockOptin = Bytes{ask(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN)};
    m_gpu.sharedMemoryPerMultiprocessor = Bytes{ask(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR)};
    m_gpu.l2Cache = Bytes{ask(CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE)};
    m_gpu.memoryBusWidth = ask(CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH);
    m_gpu.clockKHz = ask(CU_DEVICE_ATTRIBUTE_CLOCK_RATE);
    m_gpu.memoryClockKHz = ask(CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE);
    m_gpu.source = "the driver of this machine";
}

void RealDevice::askNvml() {
    void* nvml = openDriverLibrary("libnvidia-ml.so.1");
    if (!nvml || call<int()>(nvml, "nvmlInit_v2", 1) != kNvmlSuccess) return;
    char version[96] = "";
    if (call<int(char*, unsigned)>(nvml, "nvmlSystemGetDriverVersion", 1, version, unsigned{sizeof version}) == kNvmlSuccess)
        m_driver = version;
    void* device = nullptr;
    if (call<int(const char*, void**)>(nvml, "nvmlDeviceGetHandleByPciBusId_v2", 1, m_busId.c_str(), &device) != kNvmlSuccess) return;
    NvmlMemory memory{};
    if (call<int(void*, NvmlMemory*)>(nvml, "nvmlDeviceGetMemoryInfo", 1, device, &memory) != kNvmlSuccess) return;
    const double total = static_cast<double>(m_gpu.memory.count);
    if (std::abs(static_cast<double>(memory.total) - total) > kSameTotal * total) return;
    m_nvml = nvml;
    m_nvmlDevice = device;
    m_before = Bytes{static_cast<std::int64_t>(memory.total - memory.free)};
}

std::optional<Bytes> RealDevice::ownByNvml() const {
    using Ask = int(void*, unsigned*, NvmlProcess*);
    if (!m_nvml) return std::nullopt;
    // Room for processes that start between asking for their number and asking for them.
    unsigned count = 0;
    call<Ask>(m_nvml, "nvmlDeviceGetComputeRunningProcesses_v3", 1, m_nvmlDevice, &count, static_cast<NvmlProcess*>(nullptr));
    std::vector<NvmlProcess> processes(count + 16);
    count = static_cast<unsigned>(processes.size());
    if (call<Ask>(m_nvml, "nvmlDeviceGetComputeRunningProcesses_v3", 1, m_nvmlDevice, &count, processes.data()) != kNvmlSuccess)
        return std::nullopt;
    processes.resize(count);
    const auto own = std::find_if(processes.begin(), processes.end(),
                                  [](const NvmlProcess& p) { return p.pid == static_cast<unsigned>(getpid()); });
    if (own == processes.end() || own->usedGpuMemory == kNvmlNotAvailable) return std::nullopt;
    return Bytes{static_cast<std::int64_t>(own->usedGpuMemory)};
}

std::optional<DeviceUse> RealDevice::use() const {
    NvmlMemory memory{};
    if (!m_nvml || call<int(void*, NvmlMemory*)>(m_nvml, "nvmlDeviceGetMemoryInfo", 1, m_nvmlDevice, &memory) != kNvmlSuccess)
        return std::nullopt;
    DeviceUse use;
    use.total = Bytes{static_cast<std::int64_t>(memory.total)};
    use.free = Bytes{static_cast<std::int64_t>(memory.free)};
    const Bytes used = use.total - use.free;
    use.ours = std::clamp(ownByNvml().value_or(used - *m_before), Bytes{}, used);
    use.others = used - use.ours;
    return use;
}

std::optional<ProcessReading> RealDevice::process(Bytes reserved) const {
    if (const auto own = ownByNvml(); own && *own >= reserved) return ProcessReading{*own, reserved, ProcessSource::Nvml};
    if (const auto now = use(); now && now->ours >= reserved) return ProcessReading{now->ours, reserved, ProcessSource::Difference};
    std::size_t free = 0;
    std::size_t total = 0;
    if (call<CUresult(std::size_t*, std::size_t*)>(m_cuda, "cuMemGetInfo_v2", CUDA_ERROR_NOT_FOUND, &free, &total) != CUDA_SUCCESS)
        return std::nullopt;
    return ProcessReading{Bytes{static_cast<std::int64_t>(total - free)}, reserved, ProcessSource::WholeCard};
}

}  // namespace tidemark
