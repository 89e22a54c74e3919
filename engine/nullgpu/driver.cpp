// SPDX-License-Identifier: Apache-2.0
// The driver API, as far as LibTorch calls it: contexts, virtual memory (expandable segments), modules of
// run-time compiled kernels. Handles of things that do nothing are small constants that nobody follows.
#include "engine/nullgpu/core.h"

#include <cuda.h>
#include <dlfcn.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <mutex>
#include <string>
#include <unordered_map>

using namespace tidemark::nullgpu;

namespace {

constexpr std::size_t kGranularity = 2u << 20;

template <class T>
T handle(std::uintptr_t number) {
    return reinterpret_cast<T>(number);
}

CUcontext primaryContext() {
    return handle<CUcontext>(0x10);
}

CUresult resultOf(MemoryError error) {
    switch (error) {
    case MemoryError::None: return CUDA_SUCCESS;
    case MemoryError::OutOfMemory: return CUDA_ERROR_OUT_OF_MEMORY;
    case MemoryError::InvalidValue: return CUDA_ERROR_INVALID_VALUE;
    }
    return CUDA_ERROR_UNKNOWN;
}

thread_local CUcontext currentContext = nullptr;

}  // namespace

namespace tidemark::nullgpu {

/// This library, looked for once: asking for its name goes through all of its symbols.
void* ownLibrary() {
    Dl_info self;
    return dladdr(reinterpret_cast<void*>(&cuInit), &self) ? dlopen(self.dli_fname, RTLD_NOW | RTLD_NOLOAD) : nullptr;
}

void* driverEntry(const char* name) {
    static void* const library = ownLibrary();
    static std::mutex mutex;
    static std::unordered_map<std::string, void*> known;
    const std::lock_guard lock(mutex);
    const auto [it, isNew] = known.try_emplace(name, nullptr);
    if (!isNew)
        return it->second;
    for (const char* version : {"_v4", "_v3", "_v2", ""}) {
        it->second = library ? dlsym(library, (it->first + version).c_str()) : nullptr;
        if (it->second)
            break;
    }
    return it->second;
}

}  // namespace tidemark::nullgpu

extern "C" {

CUresult cuInit(unsigned) { return CUDA_SUCCESS; }
CUresult cuDriverGetVersion(int* version) {
    *version = TIDEMARK_CUDA_VERSION;
    return CUDA_SUCCESS;
}
CUresult cuDeviceGetCount(int* count) {
    *count = 1;
    return CUDA_SUCCESS;
}
CUresult cuDeviceGet(CUdevice* device, int ordinal) {
    *device = 0;
    return ordinal == 0 ? CUDA_SUCCESS : CUDA_ERROR_INVALID_DEVICE;
}
CUresult cuDeviceGetAttribute(int* value, CUdevice_attribute attribute, CUdevice) {
    *value = device().attribute(attribute);
    return CUDA_SUCCESS;
}
CUresult cuDeviceGetName(char* name, int length, CUdevice) {
    std::snprintf(name, static_cast<std::size_t>(length), "%s", device().name.c_str());
    return CUDA_SUCCESS;
}
CUresult cuDeviceTotalMem(size_t* bytes, CUdevice) {
    *bytes = memoryInfo().total;
    return CUDA_SUCCESS;
}
CUresult cuDeviceGetPCIBusId(char* id, int length, CUdevice) {
    std::snprintf(id, static_cast<std::size_t>(length), "0000:01:00.0");
    return CUDA_SUCCESS;
}
CUresult cuDeviceGetUuid(CUuuid* uuid, CUdevice) {
    std::memset(uuid, 0x11, sizeof *uuid);
    return CUDA_SUCCESS;
}
CUresult cuGetErrorString(CUresult error, const char** text) {
    *text = error == CUDA_SUCCESS ? "no error" : error == CUDA_ERROR_OUT_OF_MEMORY ? "out of memory" : "driver error";
    return CUDA_SUCCESS;
}
CUresult cuGetErrorName(CUresult error, const char** text) {
    *text = error == CUDA_SUCCESS                ? "CUDA_SUCCESS"
            : error == CUDA_ERROR_OUT_OF_MEMORY  ? "CUDA_ERROR_OUT_OF_MEMORY"
            : error == CUDA_ERROR_INVALID_VALUE  ? "CUDA_ERROR_INVALID_VALUE"
            : error == CUDA_ERROR_NOT_SUPPORTED  ? "CUDA_ERROR_NOT_SUPPORTED"
                                                 : "CUDA_ERROR_UNKNOWN";
    return CUDA_SUCCESS;
}

CUresult cuDevicePrimaryCtxRetain(CUcontext* context, CUdevice) {
    *context = primaryContext();
    return CUDA_SUCCESS;
}
CUresult cuDevicePrimaryCtxGetState(CUdevice, unsigned* flags, int* active) {
    *flags = 0;
    *active = 1;
    return CUDA_SUCCESS;
}
CUresult cuCtxGetCurrent(CUcontext* context) {
    *context = currentContext ? currentContext : primaryContext();
    return CUDA_SUCCESS;
}
CUresult cuCtxSetCurrent(CUcontext context) {
    currentContext = context;
    return CUDA_SUCCESS;
}
CUresult cuCtxPushCurrent(CUcontext context) { return cuCtxSetCurrent(context); }
CUresult cuCtxPopCurrent(CUcontext* context) {
    if (context)
        cuCtxGetCurrent(context);
    currentContext = nullptr;
    return CUDA_SUCCESS;
}
CUresult cuCtxGetDevice(CUdevice* device) {
    *device = 0;
    return CUDA_SUCCESS;
}
CUresult cuStreamGetCtx(CUstream, CUcontext* context) { return cuCtxGetCurrent(context); }

CUresult cuMemGetInfo(size_t* free, size_t* total) {
    const MemoryInfo info = memoryInfo();
    *free = info.free;
    *total = info.total;
    return CUDA_SUCCESS;
}
CUresult cuMemAlloc(CUdeviceptr* address, size_t size) {
    void* place = nullptr;
    const CUresult result = resultOf(allocate(&place, size));
    *address = reinterpret_cast<CUdeviceptr>(place);
    return result;
}
CUresult cuMemFree(CUdeviceptr address) { return resultOf(release(reinterpret_cast<void*>(address))); }
CUresult cuMemGetAddressRange(CUdeviceptr* base, size_t* size, CUdeviceptr address) {
    std::uint64_t begin = 0;
    std::size_t length = 0;
    if (!findRange(reinterpret_cast<void*>(address), &begin, &length))
        return CUDA_ERROR_NOT_FOUND;
    if (base)
        *base = begin;
    if (size)
        *size = length;
    return CUDA_SUCCESS;
}
CUresult cuMemGetAllocationGranularity(size_t* granularity, const CUmemAllocationProp*,
                                       CUmemAllocationGranularity_flags) {
    *granularity = kGranularity;
    return CUDA_SUCCESS;
}
CUresult cuMemAddressReserve(CUdeviceptr* address, size_t size, size_t alignment, CUdeviceptr, unsigned long long) {
    std::uint64_t begin = 0;
    const CUresult result = resultOf(reserveAddresses(&begin, size, alignment));
    *address = begin;
    return result;
}
CUresult cuMemAddressFree(CUdeviceptr address, size_t) { return resultOf(releaseAddresses(address)); }
CUresult cuMemCreate(CUmemGenericAllocationHandle* handle, size_t size, const CUmemAllocationProp*,
                     unsigned long long) {
    std::uint64_t number = 0;
    const CUresult result = resultOf(createPhysical(&number, size));
    *handle = number;
    return result;
}
CUresult cuMemRelease(CUmemGenericAllocationHandle handle) { return resultOf(releasePhysical(handle)); }
CUresult cuMemMap(CUdeviceptr, size_t, size_t, CUmemGenericAllocationHandle, unsigned long long) {
    return CUDA_SUCCESS;
}
CUresult cuMemUnmap(CUdeviceptr, size_t) { return CUDA_SUCCESS; }
CUresult cuMemSetAccess(CUdeviceptr, size_t, const CUmemAccessDesc*, size_t) { return CUDA_SUCCESS; }
CUresult cuMemExportToShareableHandle(void*, CUmemGenericAllocationHandle, CUmemAllocationHandleType,
                                      unsigned long long) {
    return CUDA_ERROR_NOT_SUPPORTED;
}
CUresult cuMemImportFromShareableHandle(CUmemGenericAllocationHandle* handle, void*, CUmemAllocationHandleType) {
    *handle = 0;
    return CUDA_ERROR_NOT_SUPPORTED;
}
CUresult cuMemRetainAllocationHandle(CUmemGenericAllocationHandle* handle, void*) {
    *handle = 0;
    return CUDA_ERROR_NOT_SUPPORTED;
}

CUresult cuPointerGetAttribute(void* data, CUpointer_attribute attribute, CUdeviceptr address) {
    switch (attribute) {
    case CU_POINTER_ATTRIBUTE_MEMORY_TYPE: {
        const bool onDevice = isDeviceAddress(reinterpret_cast<void*>(address));
        *static_cast<unsigned*>(data) = onDevice ? CU_MEMORYTYPE_DEVICE : CU_MEMORYTYPE_HOST;
        return CUDA_SUCCESS;
    }
    case CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL: *static_cast<int*>(data) = 0; return CUDA_SUCCESS;
    case CU_POINTER_ATTRIBUTE_DEVICE_POINTER: *static_cast<CUdeviceptr*>(data) = address; return CUDA_SUCCESS;
    case CU_POINTER_ATTRIBUTE_CONTEXT: *static_cast<CUcontext*>(data) = primaryContext(); return CUDA_SUCCESS;
    default: return CUDA_ERROR_NOT_SUPPORTED;
    }
}
CUresult cuMemcpyDtoH(void* to, CUdeviceptr from, size_t size) {
    copy(to, reinterpret_cast<void*>(from), size);
    return CUDA_SUCCESS;
}
CUresult cuMemcpyDtoHAsync(void* to, CUdeviceptr from, size_t size, CUstream) { return cuMemcpyDtoH(to, from, size); }

CUresult cuModuleLoad(CUmodule* module, const char*) {
    *module = handle<CUmodule>(0x20);
    return CUDA_SUCCESS;
}
CUresult cuModuleLoadData(CUmodule* module, const void*) { return cuModuleLoad(module, nullptr); }
CUresult cuModuleLoadDataEx(CUmodule* module, const void*, unsigned, CUjit_option*, void**) {
    return cuModuleLoad(module, nullptr);
}
CUresult cuModuleGetFunction(CUfunction* function, CUmodule, const char*) {
    *function = handle<CUfunction>(0x30);
    return CUDA_SUCCESS;
}
CUresult cuModuleGetGlobal(CUdeviceptr* address, size_t* size, CUmodule module, const char*) {
    if (address)
        *address = reinterpret_cast<CUdeviceptr>(symbolAddress(module));
    if (size)
        *size = 8;
    return CUDA_SUCCESS;
}
CUresult cuLinkCreate(unsigned, CUjit_option*, void**, CUlinkState* state) {
    *state = handle<CUlinkState>(0x40);
    return CUDA_SUCCESS;
}
CUresult cuLinkComplete(CUlinkState, void** cubin, size_t* size) {
    static char nothing[8];
    *cubin = nothing;
    *size = sizeof nothing;
    return CUDA_SUCCESS;
}
CUresult cuLibraryLoadData(CUlibrary* library, const void*, CUjit_option*, void**, unsigned, CUlibraryOption*, void**,
                           unsigned) {
    *library = handle<CUlibrary>(0x50);
    return CUDA_SUCCESS;
}
CUresult cuLibraryGetKernel(CUkernel* kernel, CUlibrary, const char*) {
    *kernel = handle<CUkernel>(0x60);
    return CUDA_SUCCESS;
}
CUresult cuLibraryGetModule(CUmodule* module, CUlibrary) { return cuModuleLoad(module, nullptr); }
CUresult cuLibraryGetKernelCount(unsigned* count, CUlibrary) {
    *count = 1;
    return CUDA_SUCCESS;
}
CUresult cuLibraryGetGlobal(CUdeviceptr* address, size_t* size, CUlibrary library, const char*) {
    return cuModuleGetGlobal(address, size, reinterpret_cast<CUmodule>(library), nullptr);
}
CUresult cuKernelGetFunction(CUfunction* function, CUkernel) { return cuModuleGetFunction(function, nullptr, nullptr); }
CUresult cuKernelGetLibrary(CUlibrary* library, CUkernel) {
    *library = handle<CUlibrary>(0x50);
    return CUDA_SUCCESS;
}
CUresult cuFuncGetAttribute(int* value, CUfunction_attribute attribute, CUfunction) {
    *value = attribute == CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK ? 1024
             : attribute == CU_FUNC_ATTRIBUTE_NUM_REGS            ? 32
                                                                  : 0;
    return CUDA_SUCCESS;
}
CUresult cuKernelGetAttribute(int* value, CUfunction_attribute attribute, CUkernel, CUdevice) {
    return cuFuncGetAttribute(value, attribute, nullptr);
}
CUresult cuLaunchKernel(CUfunction, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, CUstream,
                        void**, void**) {
    count(Work::Launch);
    return CUDA_SUCCESS;
}
CUresult cuLaunchKernelEx(const CUlaunchConfig*, CUfunction, void**, void**) {
    count(Work::Launch);
    return CUDA_SUCCESS;
}
CUresult cuLaunchCooperativeKernel(CUfunction, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
                                   CUstream, void**) {
    count(Work::Launch);
    return CUDA_SUCCESS;
}
CUresult cuOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, CUfunction, int threads, size_t sharedMemory) {
    *blocks = activeBlocks(threads, sharedMemory);
    return CUDA_SUCCESS;
}
CUresult cuOccupancyMaxActiveClusters(int* clusters, CUfunction, const CUlaunchConfig*) {
    *clusters = std::max(1, device().multiprocessors / 2);
    return CUDA_SUCCESS;
}
CUresult cuOccupancyMaxPotentialClusterSize(int* size, CUfunction, const CUlaunchConfig*) {
    *size = 8;
    return CUDA_SUCCESS;
}
CUresult cuMulticastGetGranularity(size_t* granularity, const CUmulticastObjectProp*,
                                   CUmulticastGranularity_flags) {
    *granularity = kGranularity;
    return CUDA_SUCCESS;
}
CUresult cuMulticastCreate(CUmemGenericAllocationHandle* handle, const CUmulticastObjectProp*) {
    *handle = 0;
    return CUDA_ERROR_NOT_SUPPORTED;
}
CUresult cuGreenCtxCreate(CUgreenCtx* context, CUdevResourceDesc, CUdevice, unsigned) {
    *context = nullptr;
    return CUDA_ERROR_NOT_SUPPORTED;
}

/// The driver's private tables are not imitated; callers then use the public functions.
CUresult cuGetExportTable(const void** table, const CUuuid*) {
    *table = nullptr;
    return CUDA_ERROR_NOT_SUPPORTED;
}
CUresult cuGetProcAddress(const char* name, void** function, int, cuuint64_t,
                          CUdriverProcAddressQueryResult* status) {
    *function = driverEntry(name);
    if (status)
        *status = *function ? CU_GET_PROC_ADDRESS_SUCCESS : CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND;
    return *function ? CUDA_SUCCESS : CUDA_ERROR_NOT_FOUND;
}
}
