// SPDX-License-Identifier: Apache-2.0
#include "engine/nullgpu/core.h"

#include <nlohmann/json.hpp>

#include <cuda.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <iterator>
#include <stdexcept>

namespace tidemark::nullgpu {

namespace {

constexpr int kKernelArchitectures[] = {TIDEMARK_TORCH_ARCHITECTURES};
constexpr int kReservedSharedMemoryPerBlock = 1024;

template <class T>
void read(const nlohmann::json& json, const char* key, T* value) {
    if (const auto it = json.find(key); it != json.end())
        it->get_to(*value);
}

Device describedDevice() {
    const char* text = std::getenv("TIDEMARK_NULL_DEVICE");
    if (!text || !*text)
        return {};
    try {
        return Device::fromJson(text);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "TIDEMARK_NULL_DEVICE does not describe a device: %s\n", error.what());
        std::abort();
    }
}

}  // namespace

Device Device::fromJson(const std::string& text) {
    const auto json = nlohmann::json::parse(text);
    if (!json.is_object())
        throw std::invalid_argument("a JSON object is expected");
    Device device;
    read(json, "name", &device.name);
    read(json, "capability_major", &device.capabilityMajor);
    read(json, "capability_minor", &device.capabilityMinor);
    read(json, "multiprocessors", &device.multiprocessors);
    read(json, "memory", &device.memory);
    read(json, "threads_per_multiprocessor", &device.threadsPerMultiprocessor);
    read(json, "blocks_per_multiprocessor", &device.blocksPerMultiprocessor);
    read(json, "shared_memory_per_block_optin", &device.sharedMemoryPerBlockOptin);
    read(json, "shared_memory_per_multiprocessor", &device.sharedMemoryPerMultiprocessor);
    read(json, "l2_cache", &device.l2Cache);
    read(json, "memory_bus_width", &device.memoryBusWidth);
    read(json, "clock_khz", &device.clockKHz);
    read(json, "memory_clock_khz", &device.memoryClockKHz);
    read(json, "context_memory", &device.contextMemory);
    read(json, "other_memory", &device.otherMemory);
    read(json, "driver", &device.driver);
    if (device.multiprocessors < 1 || device.threadsPerMultiprocessor < 32 || device.blocksPerMultiprocessor < 1 ||
        device.capabilityMajor < 1 || device.memory == 0)
        throw std::invalid_argument("multiprocessors, threads, blocks, capability and memory must be positive");
    return device;
}

int Device::kernelArchitecture() const {
    const int own = capabilityMajor * 10 + capabilityMinor;
    int best = 0;
    for (const int architecture : kKernelArchitectures)
        if (architecture / 10 == capabilityMajor && architecture <= own)
            best = std::max(best, architecture);
    return best ? best : own;
}

/// Limits that are equal on all supported cards: CUDA C++ Programming Guide 13.0, "Technical Specifications per
/// Compute Capability".
int Device::attribute(int which) const {
    switch (which) {
    case CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK:
    case CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_X:
    case CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Y: return 1024;
    case CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Z: return 64;
    case CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X:
    case CU_DEVICE_ATTRIBUTE_MAX_PITCH: return 2147483647;
    case CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Y:
    case CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Z: return 65535;
    case CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK: return 49152;
    case CU_DEVICE_ATTRIBUTE_TOTAL_CONSTANT_MEMORY: return 65536;
    case CU_DEVICE_ATTRIBUTE_WARP_SIZE: return 32;
    case CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_BLOCK:
    case CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_MULTIPROCESSOR: return 65536;
    case CU_DEVICE_ATTRIBUTE_CLOCK_RATE: return clockKHz;
    case CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE: return memoryClockKHz;
    case CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH: return memoryBusWidth;
    case CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE: return l2Cache;
    case CU_DEVICE_ATTRIBUTE_MAX_PERSISTING_L2_CACHE_SIZE: return l2Cache / 4 * 3;
    case CU_DEVICE_ATTRIBUTE_MAX_ACCESS_POLICY_WINDOW_SIZE: return 134213632;
    case CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR: return threadsPerMultiprocessor;
    case CU_DEVICE_ATTRIBUTE_MAX_BLOCKS_PER_MULTIPROCESSOR: return blocksPerMultiprocessor;
    case CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT: return multiprocessors;
    case CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR: return capabilityMajor;
    case CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR: return capabilityMinor;
    case CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR: return sharedMemoryPerMultiprocessor;
    case CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN: return sharedMemoryPerBlockOptin;
    case CU_DEVICE_ATTRIBUTE_RESERVED_SHARED_MEMORY_PER_BLOCK: return kReservedSharedMemoryPerBlock;
    case CU_DEVICE_ATTRIBUTE_TEXTURE_ALIGNMENT:
    case CU_DEVICE_ATTRIBUTE_SURFACE_ALIGNMENT: return 512;
    case CU_DEVICE_ATTRIBUTE_TEXTURE_PITCH_ALIGNMENT: return 32;
    case CU_DEVICE_ATTRIBUTE_ASYNC_ENGINE_COUNT: return 3;
    case CU_DEVICE_ATTRIBUTE_PCI_BUS_ID: return 1;
    case CU_DEVICE_ATTRIBUTE_CLUSTER_LAUNCH: return capabilityMajor >= 9;
    case CU_DEVICE_ATTRIBUTE_CAN_MAP_HOST_MEMORY:
    case CU_DEVICE_ATTRIBUTE_CONCURRENT_KERNELS:
    case CU_DEVICE_ATTRIBUTE_GPU_OVERLAP:
    case CU_DEVICE_ATTRIBUTE_UNIFIED_ADDRESSING:
    case CU_DEVICE_ATTRIBUTE_STREAM_PRIORITIES_SUPPORTED:
    case CU_DEVICE_ATTRIBUTE_GLOBAL_L1_CACHE_SUPPORTED:
    case CU_DEVICE_ATTRIBUTE_LOCAL_L1_CACHE_SUPPORTED:
    case CU_DEVICE_ATTRIBUTE_MANAGED_MEMORY:
    case CU_DEVICE_ATTRIBUTE_CONCURRENT_MANAGED_ACCESS:
    case CU_DEVICE_ATTRIBUTE_COMPUTE_PREEMPTION_SUPPORTED:
    case CU_DEVICE_ATTRIBUTE_CAN_USE_HOST_POINTER_FOR_REGISTERED_MEM:
    case CU_DEVICE_ATTRIBUTE_COOPERATIVE_LAUNCH:
    case CU_DEVICE_ATTRIBUTE_HOST_REGISTER_SUPPORTED:
    case CU_DEVICE_ATTRIBUTE_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED:
    case CU_DEVICE_ATTRIBUTE_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR_SUPPORTED:
    case CU_DEVICE_ATTRIBUTE_MEMORY_POOLS_SUPPORTED: return 1;
    case CU_DEVICE_ATTRIBUTE_HOST_NUMA_ID: return -1;
    default: return 0;
    }
}

const Device& device() {
    static const Device* const described = new Device(describedDevice());
    return *described;
}

int activeBlocks(int threadsPerBlock, std::size_t dynamicSharedMemory) {
    const Device& card = device();
    const int threads = (std::max(threadsPerBlock, 1) + 31) / 32 * 32;
    if (threads > card.threadsPerMultiprocessor)
        return 0;
    int blocks = std::min(card.blocksPerMultiprocessor, card.threadsPerMultiprocessor / threads);
    if (dynamicSharedMemory > 0) {
        const std::size_t perBlock = dynamicSharedMemory + kReservedSharedMemoryPerBlock;
        blocks = std::min(blocks, static_cast<int>(card.sharedMemoryPerMultiprocessor / perBlock));
    }
    return blocks;
}

}  // namespace tidemark::nullgpu
