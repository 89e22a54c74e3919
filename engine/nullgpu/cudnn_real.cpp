// SPDX-License-Identifier: Apache-2.0
#include "engine/nullgpu/cudnn_real.h"

#include "engine/nullgpu/core.h"

#include <nlohmann/json.hpp>

#include <cuda.h>
#include <dlfcn.h>

#include <algorithm>

namespace tidemark::nullgpu {

namespace {

using namespace cudnn;

/// The capabilities a cuDNN 9 for CUDA 13 answers for, and the first version that was seen to do so: 9.10 dies on
/// Blackwell cards, 9.19 and 9.26 do not.
struct Supported {
    int capability;
    std::size_t since;
};
constexpr Supported kSupported[] = {
    {75, 90000}, {80, 90000}, {86, 90000}, {87, 90000}, {89, 90000}, {90, 90000},
    {100, 91900}, {103, 91900}, {110, 91900}, {120, 91900}, {121, 91900},
};
constexpr int kMostMultiprocessors = 256;  // cuDNN divides by figures derived from this

int deviceAttributeOf(int descriptorType) {
    switch (descriptorType) {
    case EngineHeuristicsDescriptor: return HeuristicsDeviceProperties;
    case EngineDescriptor: return EngineDeviceProperties;
    case ExecutionPlanDescriptor: return PlanDeviceProperties;
    default: return 0;
    }
}

}  // namespace

std::string cudnnDeviceJson() {
    const Device& card = device();
    const auto value = [&](CUdevice_attribute attribute) { return card.attribute(attribute); };
    const nlohmann::json json{
        {"deviceVer", card.version()},
        {"deviceName", card.name},
        {"multiProcessorCount", card.multiprocessors},
        {"warpSize", value(CU_DEVICE_ATTRIBUTE_WARP_SIZE)},
        {"maxSharedMemoryPerBlock", value(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK)},
        {"maxSharedMemoryPerBlockOptin", card.sharedMemoryPerBlockOptin},
        {"reservedSharedMemoryPerBlock", value(CU_DEVICE_ATTRIBUTE_RESERVED_SHARED_MEMORY_PER_BLOCK)},
        {"maxRegistersPerSM", value(CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_MULTIPROCESSOR)},
        {"maxCtasPerSM", card.blocksPerMultiprocessor},
        {"maxThreadsPerBlock", value(CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK)},
        {"maxThreadsPerSM", card.threadsPerMultiprocessor},
        {"regsPerBlock", value(CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_BLOCK)},
        {"totalGlobalMem", card.memory},
        {"smClockRateKHz", card.clockKHz},
        {"memClockRateKHz", card.memoryClockKHz},
        {"l2CacheSize", card.l2Cache},
        {"maxBlockSize",
         {value(CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_X), value(CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Y),
          value(CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Z)}},
        {"maxGridSize",
         {value(CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X), value(CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Y),
          value(CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Z)}},
        {"supportCoopLaunch", 1},
        {"pciDeviceId", 0},
        {"isTccDriver", 0},
        {"cudaDeviceId", 0},
        {"driverVer", TIDEMARK_CUDA_VERSION},
    };
    return json.dump();
}

std::string said(const Message& message) {
    nlohmann::json values = nlohmann::json::array();
    for (const Message& value : message.values()) values.push_back(value.english());
    return nlohmann::json{{"words", message.words()}, {"values", values}}.dump(
        -1, ' ', false, nlohmann::json::error_handler_t::replace);
}

RealCudnn* RealCudnn::load(const std::string& path, std::string* problem) {
    void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!library) {
        *problem = said(Message::tr("cuDNN cannot be loaded: {}", std::string(dlerror())));
        return nullptr;
    }
    // Never deleted: LibTorch destroys descriptors as late as in its exit handlers.
    auto* cudnn = new RealCudnn;
    if (cudnn->resolve(library, problem))
        return cudnn;
    delete cudnn;
    return nullptr;
}

bool RealCudnn::resolve(void* library, std::string* problem) {
    const auto find = [&](auto* function, const char* name) {
        *function = reinterpret_cast<std::remove_pointer_t<decltype(function)>>(dlsym(library, name));
        if (!*function && problem->empty()) *problem = said(Message::tr("this cuDNN has no {}", name));
    };
    find(&m_version, "cudnnGetVersion");
    find(&m_errorString, "cudnnGetErrorString");
    find(&m_lastError, "cudnnGetLastErrorString");
    find(&m_create, "cudnnBackendCreateDescriptor");
    find(&m_destroy, "cudnnBackendDestroyDescriptor");
    find(&m_set, "cudnnBackendSetAttribute");
    find(&m_get, "cudnnBackendGetAttribute");
    find(&m_finalize, "cudnnBackendFinalize");
    if (problem->empty())
        *problem = refusal(m_version());
    return problem->empty();
}

bool RealCudnn::describeDevice(std::string* problem) {
    const std::string json = cudnnDeviceJson();
    Status status = m_create(DevicePropertiesDescriptor, &m_deviceProperties);
    if (status == kSuccess)  // the text must be NUL-terminated as well as counted
        status = m_set(m_deviceProperties, DevicePropertiesJson, TypeChar, static_cast<std::int64_t>(json.size()),
                       json.c_str());
    if (status == kSuccess)
        status = m_finalize(m_deviceProperties);
    if (status == kSuccess)
        return true;
    char text[256] = "";
    m_lastError(text, sizeof text);
    *problem = said(Message::tr("cuDNN does not take the description of {}: {}", device().name, text));
    return false;
}

std::string RealCudnn::refusal(std::size_t version) {
    const Device& card = device();
    const int capability = card.capabilityMajor * 10 + card.capabilityMinor;
    const bool known = std::any_of(std::begin(kSupported), std::end(kSupported), [&](const Supported& entry) {
        return entry.capability == capability && version >= entry.since;
    });
    if (!known)
        return said(Message::tr("this cuDNN does not support compute capability {}.{}", card.capabilityMajor,
                                card.capabilityMinor));
    if (card.multiprocessors > kMostMultiprocessors)
        return said(Message::tr("cuDNN is not asked about a card with {} multiprocessors", card.multiprocessors));
    return {};
}

RealCudnn::Status RealCudnn::create(int type, void** descriptor) {
    const Status status = m_create(type, descriptor);
    if (const int attribute = deviceAttributeOf(type); attribute && status == kSuccess) {
        const std::lock_guard lock(m_mutex);
        m_takesDevice[*descriptor] = attribute;
    }
    return status;
}

RealCudnn::Status RealCudnn::destroy(void* descriptor) {
    {
        const std::lock_guard lock(m_mutex);
        m_takesDevice.erase(descriptor);
        m_configurations.erase(descriptor);
        m_uncompiled.erase(descriptor);
    }
    return m_destroy(descriptor);
}

RealCudnn::Status RealCudnn::setAttribute(void* descriptor, int name, int type, std::int64_t count,
                                          const void* values) {
    if (name == GraphHandle || name == PlanHandle)
        return kSuccess;
    if (name == PlanEngineConfig && count == 1) {
        const std::lock_guard lock(m_mutex);
        m_configurations[descriptor] = *static_cast<void* const*>(values);
    }
    return m_set(descriptor, name, type, count, values);
}

RealCudnn::Status RealCudnn::getAttribute(void* descriptor, int name, int type, std::int64_t wanted,
                                          std::int64_t* count, void* values) {
    bool compileNow = false;
    {
        const std::lock_guard lock(m_mutex);
        if (const auto it = m_uncompiled.find(descriptor); it != m_uncompiled.end()) {
            if (name == PlanWorkspaceSize && wanted == 1) {
                *static_cast<std::int64_t*>(values) = it->second;
                if (count)
                    *count = 1;
                return kSuccess;
            }
            m_uncompiled.erase(it);
            compileNow = true;
        }
    }
    if (compileNow) {
        if (const Status status = finalizeNow(descriptor); status != kSuccess)
            return status;
    }
    return m_get(descriptor, name, type, wanted, count, values);
}

bool RealCudnn::needsCompilation(void* configuration) {
    void* engine = nullptr;
    if (m_create(EngineDescriptor, &engine) != kSuccess)
        return false;
    constexpr std::int64_t kNotes = 16;
    int notes[kNotes];
    std::int64_t count = 0;
    if (m_get(configuration, ConfigEngine, TypeDescriptor, 1, &count, &engine) != kSuccess ||
        m_get(engine, EngineBehaviorNote, TypeBehaviorNote, kNotes, &count, notes) != kSuccess)
        count = 0;
    m_destroy(engine);
    return std::find(notes, notes + count, NoteRuntimeCompilation) != notes + count;
}

RealCudnn::Status RealCudnn::finalize(void* descriptor) {
    void* configuration = nullptr;
    {
        const std::lock_guard lock(m_mutex);
        if (const auto it = m_configurations.find(descriptor); it != m_configurations.end())
            configuration = it->second;
    }
    if (configuration && needsCompilation(configuration)) {
        std::int64_t count = 0;
        std::int64_t workspace = 0;
        if (m_get(configuration, ConfigWorkspaceSize, TypeInt64, 1, &count, &workspace) == kSuccess && count == 1) {
            const std::lock_guard lock(m_mutex);
            m_uncompiled[descriptor] = workspace;
            return kSuccess;
        }
    }
    return finalizeNow(descriptor);
}

RealCudnn::Status RealCudnn::finalizeNow(void* descriptor) {
    int attribute = 0;
    {
        const std::lock_guard lock(m_mutex);
        if (const auto it = m_takesDevice.find(descriptor); it != m_takesDevice.end())
            attribute = it->second;
    }
    if (attribute) {
        const Status status = m_set(descriptor, attribute, TypeDescriptor, 1, &m_deviceProperties);
        if (status != kSuccess)
            return status;
    }
    return m_finalize(descriptor);
}

}  // namespace tidemark::nullgpu
