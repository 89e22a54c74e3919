// SPDX-License-Identifier: Apache-2.0
// libnvidia-ml: what LibTorch looks up by name when it describes an out-of-memory error or asks for a fabric.
// Declared here because nvml.h comes with no wheel. A process sees itself and, where the described card has memory of
// other programs, one more.
#include "engine/nullgpu/core.h"

#include <unistd.h>

#include <cstdio>

namespace {
constexpr int kSuccess = 0;
constexpr int kNotSupported = 3;
constexpr int kNotFound = 6;
constexpr int kInsufficientSize = 7;
constexpr unsigned kOtherProcess = 1;

struct Memory {
    unsigned long long total;
    unsigned long long free;
    unsigned long long used;
};

struct ProcessInfo {
    unsigned pid;
    unsigned long long usedGpuMemory;
    unsigned gpuInstanceId;
    unsigned computeInstanceId;
};

void* const kDevice = reinterpret_cast<void*>(0x10);
}  // namespace

extern "C" {

int nvmlInit_v2(void) { return kSuccess; }
int nvmlInit(void) { return kSuccess; }
int nvmlShutdown(void) { return kSuccess; }
const char* nvmlErrorString(int status) { return status == kSuccess ? "Success" : "Not Supported"; }
int nvmlSystemGetCudaDriverVersion_v2(int* version) {
    *version = TIDEMARK_CUDA_VERSION;
    return kSuccess;
}
int nvmlDeviceGetCount_v2(unsigned* count) {
    *count = 1;
    return kSuccess;
}
int nvmlDeviceGetHandleByIndex_v2(unsigned index, void** device) {
    *device = index == 0 ? kDevice : nullptr;
    return index == 0 ? kSuccess : kNotFound;
}
int nvmlDeviceGetHandleByPciBusId_v2(const char*, void** device) { return nvmlDeviceGetHandleByIndex_v2(0, device); }
int nvmlDeviceGetHandleByUUID(const char*, void** device) { return nvmlDeviceGetHandleByIndex_v2(0, device); }
int nvmlDeviceGetUUID(void*, char* uuid, unsigned length) {
    std::snprintf(uuid, length, "GPU-11111111-1111-1111-1111-111111111111");
    return kSuccess;
}
int nvmlDeviceGetNvLinkRemoteDeviceType(void*, unsigned, unsigned* type) {
    *type = 0xFF;
    return kNotSupported;
}
int nvmlDeviceGetNvLinkRemotePciInfo_v2(void*, unsigned, void*) { return kNotSupported; }
int nvmlDeviceGetComputeRunningProcesses(void*, unsigned* count, void*) {
    *count = 0;
    return kSuccess;
}
int nvmlSystemGetDriverVersion(char* version, unsigned length) {
    std::snprintf(version, length, "%s", tidemark::nullgpu::device().driver.c_str());
    return kSuccess;
}
int nvmlDeviceGetMemoryInfo(void*, Memory* memory) {
    const auto [free, total] = tidemark::nullgpu::memoryInfo();
    *memory = {total, free, total - free};
    return kSuccess;
}
int nvmlDeviceGetComputeRunningProcesses_v3(void*, unsigned* count, ProcessInfo* processes) {
    const auto ours = tidemark::nullgpu::processMemory();
    const auto others = tidemark::nullgpu::device().otherMemory;
    const unsigned needed = (ours > 0) + (others > 0);
    const unsigned room = *count;
    *count = needed;
    if (room < needed)
        return kInsufficientSize;
    if (ours > 0)
        *processes++ = {static_cast<unsigned>(getpid()), ours, 0, 0};
    if (others > 0)
        *processes = {kOtherProcess, others, 0, 0};
    return kSuccess;
}
int nvmlDeviceGetGpuFabricInfoV(void*, void*) { return kNotSupported; }
}
