// SPDX-License-Identifier: Apache-2.0
// The CUDA runtime: devices, memory, streams, events, kernel launches. All work is done at once, by doing nothing.
#include "engine/nullgpu/core.h"

#include <cuda_runtime_api.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstring>
#include <mutex>
#include <unordered_map>
#include <utility>
#include <vector>

using namespace tidemark::nullgpu;

namespace {

thread_local cudaError_t lastError = cudaSuccess;

cudaError_t fail(cudaError_t error) {
    lastError = error;
    return error;
}

cudaError_t resultOf(MemoryError error) {
    switch (error) {
    case MemoryError::None: return cudaSuccess;
    case MemoryError::OutOfMemory: return fail(cudaErrorMemoryAllocation);
    case MemoryError::InvalidValue: return fail(cudaErrorInvalidValue);
    }
    return fail(cudaErrorUnknown);
}

template <class T>
T handle(std::uintptr_t number) {
    return reinterpret_cast<T>(number);
}

struct Stream {
    unsigned flags = 0;
    int priority = 0;
    unsigned long long id = 0;
};

struct Event {
    unsigned long long tick = 0;
};

std::atomic<unsigned long long> nextStreamId{1};
std::atomic<unsigned long long> clockTicks{1};

/// The default streams are the small numbers 0, 1 and 2; all others are ours.
Stream* ownStream(cudaStream_t stream) {
    return reinterpret_cast<std::uintptr_t>(stream) > 16 ? reinterpret_cast<Stream*>(stream) : nullptr;
}

struct CallConfiguration {
    dim3 grid;
    dim3 block;
    std::size_t sharedMemory;
    cudaStream_t stream;
};
thread_local std::vector<CallConfiguration> callConfigurations;

struct ErrorText {
    cudaError_t error;
    const char* name;
    const char* text;
};
constexpr ErrorText kErrors[] = {
    {cudaSuccess, "cudaSuccess", "no error"},
    {cudaErrorInvalidValue, "cudaErrorInvalidValue", "invalid argument"},
    {cudaErrorMemoryAllocation, "cudaErrorMemoryAllocation", "out of memory"},
    {cudaErrorInvalidDevice, "cudaErrorInvalidDevice", "invalid device ordinal"},
    {cudaErrorMissingConfiguration, "cudaErrorMissingConfiguration", "missing configuration"},
    {cudaErrorNotSupported, "cudaErrorNotSupported", "operation not supported"},
    {cudaErrorStreamCaptureUnsupported, "cudaErrorStreamCaptureUnsupported",
     "operation not permitted when stream is capturing"},
};
constexpr ErrorText kUnknownError{cudaErrorUnknown, "cudaErrorUnknown", "unknown error"};

const ErrorText& textOf(cudaError_t error) {
    for (const ErrorText& known : kErrors)
        if (known.error == error)
            return known;
    return kUnknownError;
}

void describeLimits(const Device& card, cudaDeviceProp* properties) {
    const auto value = [&](cudaDeviceAttr attribute) { return card.attribute(attribute); };
    properties->sharedMemPerBlock = static_cast<std::size_t>(value(cudaDevAttrMaxSharedMemoryPerBlock));
    properties->sharedMemPerBlockOptin = static_cast<std::size_t>(card.sharedMemoryPerBlockOptin);
    properties->sharedMemPerMultiprocessor = static_cast<std::size_t>(card.sharedMemoryPerMultiprocessor);
    properties->reservedSharedMemPerBlock = static_cast<std::size_t>(value(cudaDevAttrReservedSharedMemoryPerBlock));
    properties->regsPerBlock = value(cudaDevAttrMaxRegistersPerBlock);
    properties->regsPerMultiprocessor = value(cudaDevAttrMaxRegistersPerMultiprocessor);
    properties->warpSize = value(cudaDevAttrWarpSize);
    properties->memPitch = static_cast<std::size_t>(value(cudaDevAttrMaxPitch));
    properties->maxThreadsPerBlock = value(cudaDevAttrMaxThreadsPerBlock);
    properties->maxThreadsDim[0] = value(cudaDevAttrMaxBlockDimX);
    properties->maxThreadsDim[1] = value(cudaDevAttrMaxBlockDimY);
    properties->maxThreadsDim[2] = value(cudaDevAttrMaxBlockDimZ);
    properties->maxGridSize[0] = value(cudaDevAttrMaxGridDimX);
    properties->maxGridSize[1] = value(cudaDevAttrMaxGridDimY);
    properties->maxGridSize[2] = value(cudaDevAttrMaxGridDimZ);
    properties->totalConstMem = static_cast<std::size_t>(value(cudaDevAttrTotalConstantMemory));
    properties->textureAlignment = static_cast<std::size_t>(value(cudaDevAttrTextureAlignment));
    properties->texturePitchAlignment = static_cast<std::size_t>(value(cudaDevAttrTexturePitchAlignment));
    properties->surfaceAlignment = static_cast<std::size_t>(value(cudaDevAttrSurfaceAlignment));
    properties->persistingL2CacheMaxSize = value(cudaDevAttrMaxPersistingL2CacheSize);
    properties->accessPolicyMaxWindowSize = value(cudaDevAttrMaxAccessPolicyWindowSize);
    properties->asyncEngineCount = value(cudaDevAttrAsyncEngineCount);
    properties->memoryPoolsSupported = value(cudaDevAttrMemoryPoolsSupported);
    properties->clusterLaunch = value(cudaDevAttrClusterLaunch);
    properties->hostNumaId = -1;
}

void describeAbilities(cudaDeviceProp* properties) {
    properties->canMapHostMemory = 1;
    properties->concurrentKernels = 1;
    properties->unifiedAddressing = 1;
    properties->streamPrioritiesSupported = 1;
    properties->globalL1CacheSupported = 1;
    properties->localL1CacheSupported = 1;
    properties->managedMemory = 1;
    properties->concurrentManagedAccess = 1;
    properties->computePreemptionSupported = 1;
    properties->canUseHostPointerForRegisteredMem = 1;
    properties->cooperativeLaunch = 1;
    properties->hostRegisterSupported = 1;
    properties->ipcEventSupported = 1;
}

}  // namespace

extern "C" {

cudaError_t cudaGetLastError(void) { return std::exchange(lastError, cudaSuccess); }
cudaError_t cudaPeekAtLastError(void) { return lastError; }
const char* cudaGetErrorString(cudaError_t error) { return textOf(error).text; }
const char* cudaGetErrorName(cudaError_t error) { return textOf(error).name; }
cudaError_t cudaDriverGetVersion(int* version) {
    *version = TIDEMARK_CUDA_VERSION;
    return cudaSuccess;
}
cudaError_t cudaRuntimeGetVersion(int* version) { return cudaDriverGetVersion(version); }

cudaError_t cudaGetDeviceCount(int* count) {
    *count = 1;
    return cudaSuccess;
}
cudaError_t cudaGetDevice(int* device) {
    *device = 0;
    return cudaSuccess;
}
cudaError_t cudaSetDevice(int device) { return device == 0 ? cudaSuccess : fail(cudaErrorInvalidDevice); }
cudaError_t cudaInitDevice(int device, unsigned, unsigned) { return cudaSetDevice(device); }
cudaError_t cudaGetDeviceFlags(unsigned* flags) {
    *flags = 0;
    return cudaSuccess;
}
cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int) {
    *value = device().attribute(attribute);
    return cudaSuccess;
}
cudaError_t cudaDeviceGetPCIBusId(char* id, int length, int) {
    std::snprintf(id, static_cast<std::size_t>(length), "0000:01:00.0");
    return cudaSuccess;
}
cudaError_t cudaDeviceGetByPCIBusId(int* device, const char*) {
    *device = 0;
    return cudaSuccess;
}
cudaError_t cudaDeviceCanAccessPeer(int* can, int, int) {
    *can = 0;
    return cudaSuccess;
}
cudaError_t cudaDeviceGetP2PAttribute(int* value, cudaDeviceP2PAttr, int, int) {
    *value = 0;
    return cudaSuccess;
}
cudaError_t cudaDeviceGetStreamPriorityRange(int* least, int* greatest) {
    if (least)
        *least = 0;
    if (greatest)
        *greatest = -5;
    return cudaSuccess;
}
cudaError_t cudaDeviceGetLimit(size_t* value, cudaLimit) {
    *value = 8u << 20;
    return cudaSuccess;
}
cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int index) {
    std::memset(properties, 0, sizeof *properties);
    if (index != 0)
        return fail(cudaErrorInvalidDevice);
    const Device& card = device();
    std::snprintf(properties->name, sizeof properties->name, "%s", card.name.c_str());
    std::memset(&properties->uuid, 0x11, sizeof properties->uuid);
    properties->totalGlobalMem = memoryInfo().total;
    properties->major = card.capabilityMajor;
    properties->minor = card.capabilityMinor;
    properties->multiProcessorCount = card.multiprocessors;
    properties->maxThreadsPerMultiProcessor = card.threadsPerMultiprocessor;
    properties->maxBlocksPerMultiProcessor = card.blocksPerMultiprocessor;
    properties->l2CacheSize = card.l2Cache;
    properties->memoryBusWidth = card.memoryBusWidth;
    properties->pciBusID = 1;
    describeLimits(card, properties);
    describeAbilities(properties);
    return cudaSuccess;
}

cudaError_t cudaGetDriverEntryPointByVersion(const char* name, void** function, unsigned, unsigned long long,
                                             cudaDriverEntryPointQueryResult* status) {
    *function = driverEntry(name);
    if (status)
        *status = *function ? cudaDriverEntryPointSuccess : cudaDriverEntryPointSymbolNotFound;
    return cudaSuccess;
}
cudaError_t cudaGetDriverEntryPoint(const char* name, void** function, unsigned long long flags,
                                    cudaDriverEntryPointQueryResult* status) {
    return cudaGetDriverEntryPointByVersion(name, function, TIDEMARK_CUDA_VERSION, flags, status);
}
cudaError_t cudaGetExportTable(const void** table, const cudaUUID_t*) {
    *table = nullptr;
    return fail(cudaErrorNotSupported);
}

cudaError_t cudaMemGetInfo(size_t* free, size_t* total) {
    const MemoryInfo info = memoryInfo();
    if (free)
        *free = info.free;
    if (total)
        *total = info.total;
    return cudaSuccess;
}
cudaError_t cudaMalloc(void** address, size_t size) { return resultOf(allocate(address, size)); }
cudaError_t cudaFree(void* address) {
    if (address && !isDeviceAddress(address))
        return releaseHost(address) ? cudaSuccess : fail(cudaErrorInvalidValue);
    return resultOf(release(address));
}
/// The stream-ordered pool is accounted like plain allocations, without the pool's own caching.
cudaError_t cudaMallocAsync(void** address, size_t size, cudaStream_t) { return cudaMalloc(address, size); }
cudaError_t cudaFreeAsync(void* address, cudaStream_t) { return cudaFree(address); }
cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t* pool, int) {
    *pool = handle<cudaMemPool_t>(0x40);
    return cudaSuccess;
}
cudaError_t cudaDeviceGetMemPool(cudaMemPool_t* pool, int device) { return cudaDeviceGetDefaultMemPool(pool, device); }
cudaError_t cudaMemPoolCreate(cudaMemPool_t* pool, const cudaMemPoolProps*) {
    return cudaDeviceGetDefaultMemPool(pool, 0);
}
cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t, cudaMemPoolAttr, void* value) {
    std::memset(value, 0, sizeof(std::uint64_t));
    return cudaSuccess;
}
cudaError_t cudaDeviceGetGraphMemAttribute(int, cudaGraphMemAttributeType, void* value) {
    std::memset(value, 0, sizeof(std::uint64_t));
    return cudaSuccess;
}

cudaError_t cudaHostAlloc(void** address, size_t size, unsigned) {
    *address = size ? allocateHost(size) : nullptr;
    return size && !*address ? fail(cudaErrorMemoryAllocation) : cudaSuccess;
}
cudaError_t cudaMallocHost(void** address, size_t size) { return cudaHostAlloc(address, size, 0); }
/// Managed memory starts on the host, where host code may touch it; it takes nothing from the device.
cudaError_t cudaMallocManaged(void** address, size_t size, unsigned) { return cudaHostAlloc(address, size, 0); }
cudaError_t cudaFreeHost(void* address) {
    return !address || releaseHost(address) ? cudaSuccess : fail(cudaErrorInvalidValue);
}
cudaError_t cudaHostRegister(void* address, size_t size, unsigned) {
    registerHost(address, size);
    return cudaSuccess;
}
cudaError_t cudaHostUnregister(void* address) {
    return unregisterHost(address) ? cudaSuccess : fail(cudaErrorInvalidValue);
}
cudaError_t cudaHostGetDevicePointer(void** deviceAddress, void* address, unsigned) {
    *deviceAddress = address;
    return cudaSuccess;
}
cudaError_t cudaHostGetFlags(unsigned* flags, void*) {
    *flags = 0;
    return cudaSuccess;
}
cudaError_t cudaPointerGetAttributes(cudaPointerAttributes* attributes, const void* address) {
    std::memset(attributes, 0, sizeof *attributes);
    void* const plain = const_cast<void*>(address);
    if (isDeviceAddress(address)) {
        attributes->type = cudaMemoryTypeDevice;
        attributes->devicePointer = plain;
    } else if (isPinnedHost(address)) {
        attributes->type = cudaMemoryTypeHost;
        attributes->devicePointer = plain;
        attributes->hostPointer = plain;
    } else {
        attributes->type = cudaMemoryTypeUnregistered;
        attributes->device = cudaInvalidDeviceId;
        attributes->hostPointer = plain;
    }
    return cudaSuccess;
}

cudaError_t cudaMemcpy(void* to, const void* from, size_t size, cudaMemcpyKind) {
    copy(to, from, size);
    return cudaSuccess;
}
cudaError_t cudaMemcpyAsync(void* to, const void* from, size_t size, cudaMemcpyKind, cudaStream_t) {
    copy(to, from, size);
    return cudaSuccess;
}
cudaError_t cudaMemcpy2D(void* to, size_t toPitch, const void* from, size_t fromPitch, size_t width, size_t height,
                         cudaMemcpyKind) {
    copyRows(to, toPitch, from, fromPitch, width, height);
    return cudaSuccess;
}
cudaError_t cudaMemcpy2DAsync(void* to, size_t toPitch, const void* from, size_t fromPitch, size_t width,
                              size_t height, cudaMemcpyKind, cudaStream_t) {
    copyRows(to, toPitch, from, fromPitch, width, height);
    return cudaSuccess;
}
cudaError_t cudaMemcpyPeer(void* to, int, const void* from, int, size_t size) {
    copy(to, from, size);
    return cudaSuccess;
}
cudaError_t cudaMemcpyPeerAsync(void* to, int, const void* from, int, size_t size, cudaStream_t) {
    copy(to, from, size);
    return cudaSuccess;
}
cudaError_t cudaMemcpyToSymbol(const void*, const void*, size_t, size_t, cudaMemcpyKind) { return cudaSuccess; }
cudaError_t cudaMemcpyToSymbolAsync(const void*, const void*, size_t, size_t, cudaMemcpyKind, cudaStream_t) {
    return cudaSuccess;
}
cudaError_t cudaMemcpyFromSymbol(void* to, const void*, size_t size, size_t, cudaMemcpyKind) {
    deliver(to, size);
    return cudaSuccess;
}
cudaError_t cudaMemcpyFromSymbolAsync(void* to, const void*, size_t size, size_t, cudaMemcpyKind, cudaStream_t) {
    deliver(to, size);
    return cudaSuccess;
}
cudaError_t cudaMemset(void* to, int value, size_t size) {
    fill(to, value, size);
    return cudaSuccess;
}
cudaError_t cudaMemsetAsync(void* to, int value, size_t size, cudaStream_t) { return cudaMemset(to, value, size); }
cudaError_t cudaGetSymbolAddress(void** address, const void* symbol) {
    *address = symbolAddress(symbol);
    return cudaSuccess;
}
cudaError_t cudaGetSymbolSize(size_t* size, const void*) {
    *size = 8;
    return cudaSuccess;
}

cudaError_t cudaIpcGetMemHandle(cudaIpcMemHandle_t* result, void*) {
    std::memset(result, 0, sizeof *result);
    return fail(cudaErrorNotSupported);
}
cudaError_t cudaIpcOpenMemHandle(void** address, cudaIpcMemHandle_t, unsigned) {
    *address = nullptr;
    return fail(cudaErrorNotSupported);
}
cudaError_t cudaIpcGetEventHandle(cudaIpcEventHandle_t* result, cudaEvent_t) {
    std::memset(result, 0, sizeof *result);
    return fail(cudaErrorNotSupported);
}
cudaError_t cudaIpcOpenEventHandle(cudaEvent_t* event, cudaIpcEventHandle_t) {
    *event = nullptr;
    return fail(cudaErrorNotSupported);
}

cudaError_t cudaStreamCreateWithPriority(cudaStream_t* stream, unsigned flags, int priority) {
    *stream = reinterpret_cast<cudaStream_t>(new Stream{flags, priority, nextStreamId++});
    return cudaSuccess;
}
cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned flags) {
    return cudaStreamCreateWithPriority(stream, flags, 0);
}
cudaError_t cudaStreamCreate(cudaStream_t* stream) { return cudaStreamCreateWithPriority(stream, 0, 0); }
cudaError_t cudaStreamDestroy(cudaStream_t stream) {
    delete ownStream(stream);
    return cudaSuccess;
}
cudaError_t cudaStreamGetPriority(cudaStream_t stream, int* priority) {
    const Stream* own = ownStream(stream);
    *priority = own ? own->priority : 0;
    return cudaSuccess;
}
cudaError_t cudaStreamGetFlags(cudaStream_t stream, unsigned* flags) {
    const Stream* own = ownStream(stream);
    *flags = own ? own->flags : 0;
    return cudaSuccess;
}
cudaError_t cudaStreamGetId(cudaStream_t stream, unsigned long long* id) {
    const Stream* own = ownStream(stream);
    *id = own ? own->id : reinterpret_cast<std::uintptr_t>(stream);
    return cudaSuccess;
}
cudaError_t cudaStreamGetDevice(cudaStream_t, int* device) {
    *device = 0;
    return cudaSuccess;
}
cudaError_t cudaStreamQuery(cudaStream_t) { return cudaSuccess; }
cudaError_t cudaStreamSynchronize(cudaStream_t) { return cudaSuccess; }
cudaError_t cudaStreamWaitEvent(cudaStream_t, cudaEvent_t, unsigned) { return cudaSuccess; }
cudaError_t cudaDeviceSynchronize(void) { return cudaSuccess; }
cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t callback, void* data, unsigned) {
    callback(stream, cudaSuccess, data);
    return cudaSuccess;
}
cudaError_t cudaLaunchHostFunc(cudaStream_t, cudaHostFn_t function, void* data) {
    function(data);
    return cudaSuccess;
}

cudaError_t cudaStreamIsCapturing(cudaStream_t, cudaStreamCaptureStatus* status) {
    *status = cudaStreamCaptureStatusNone;
    return cudaSuccess;
}
cudaError_t cudaStreamGetCaptureInfo(cudaStream_t, cudaStreamCaptureStatus* status, unsigned long long* id,
                                     cudaGraph_t* graph, const cudaGraphNode_t** dependencies,
                                     const cudaGraphEdgeData** edges, size_t* dependencyCount) {
    if (status)
        *status = cudaStreamCaptureStatusNone;
    if (id)
        *id = 0;
    if (graph)
        *graph = nullptr;
    if (dependencies)
        *dependencies = nullptr;
    if (edges)
        *edges = nullptr;
    if (dependencyCount)
        *dependencyCount = 0;
    return cudaSuccess;
}
cudaError_t cudaStreamBeginCapture(cudaStream_t, cudaStreamCaptureMode) { return fail(cudaErrorNotSupported); }
cudaError_t cudaStreamBeginCaptureToGraph(cudaStream_t, cudaGraph_t, const cudaGraphNode_t*, const cudaGraphEdgeData*,
                                          size_t, cudaStreamCaptureMode) {
    return fail(cudaErrorNotSupported);
}
cudaError_t cudaStreamEndCapture(cudaStream_t, cudaGraph_t* graph) {
    *graph = nullptr;
    return fail(cudaErrorNotSupported);
}
cudaError_t cudaThreadExchangeStreamCaptureMode(cudaStreamCaptureMode* mode) {
    thread_local cudaStreamCaptureMode current = cudaStreamCaptureModeGlobal;
    std::swap(current, *mode);
    return cudaSuccess;
}
cudaError_t cudaGraphInstantiate(cudaGraphExec_t* executable, cudaGraph_t, unsigned long long) {
    *executable = nullptr;
    return fail(cudaErrorNotSupported);
}
cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t* executable, cudaGraph_t graph, unsigned long long flags) {
    return cudaGraphInstantiate(executable, graph, flags);
}
cudaError_t cudaGraphGetNodes(cudaGraph_t, cudaGraphNode_t*, size_t* count) {
    if (count)
        *count = 0;
    return cudaSuccess;
}
cudaError_t cudaGraphNodeGetDependencies(cudaGraphNode_t, cudaGraphNode_t*, cudaGraphEdgeData*, size_t* count) {
    if (count)
        *count = 0;
    return cudaSuccess;
}
cudaError_t cudaGraphAddNode(cudaGraphNode_t* node, cudaGraph_t, const cudaGraphNode_t*, const cudaGraphEdgeData*,
                             size_t, cudaGraphNodeParams*) {
    *node = nullptr;
    return fail(cudaErrorNotSupported);
}
cudaError_t cudaGraphConditionalHandleCreate(cudaGraphConditionalHandle* result, cudaGraph_t, unsigned, unsigned) {
    *result = 0;
    return fail(cudaErrorNotSupported);
}
cudaError_t cudaUserObjectCreate(cudaUserObject_t* object, void*, cudaHostFn_t, unsigned, unsigned) {
    *object = handle<cudaUserObject_t>(0x70);
    return cudaSuccess;
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned) {
    *event = reinterpret_cast<cudaEvent_t>(new Event);
    return cudaSuccess;
}
cudaError_t cudaEventCreate(cudaEvent_t* event) { return cudaEventCreateWithFlags(event, 0); }
cudaError_t cudaEventDestroy(cudaEvent_t event) {
    delete reinterpret_cast<Event*>(event);
    return cudaSuccess;
}
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t) {
    reinterpret_cast<Event*>(event)->tick = clockTicks++;
    return cudaSuccess;
}
cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream, unsigned) {
    return cudaEventRecord(event, stream);
}
cudaError_t cudaEventQuery(cudaEvent_t) { return cudaSuccess; }
cudaError_t cudaEventSynchronize(cudaEvent_t) { return cudaSuccess; }
/// Every recorded event lies a microsecond after the one before.
cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t start, cudaEvent_t end) {
    const auto ticks = static_cast<long long>(reinterpret_cast<Event*>(end)->tick) -
                       static_cast<long long>(reinterpret_cast<Event*>(start)->tick);
    *milliseconds = static_cast<float>(ticks) * 1e-3f;
    return cudaSuccess;
}

void** __cudaRegisterFatBinary(void*) {
    static void* registered[4];
    return registered;
}
void __cudaRegisterFatBinaryEnd(void**) {}
void __cudaUnregisterFatBinary(void**) {}
void __cudaRegisterFunction(void**, const char*, char*, const char*, int, uint3*, uint3*, dim3*, dim3*, int*) {}
void __cudaRegisterVar(void**, char*, char*, const char*, int, size_t, int, int) {}
void __cudaRegisterHostVar(void**, const char*, char*, size_t) {}
void __cudaRegisterManagedVar(void**, void**, char*, const char*, int, size_t, int, int) {}
char __cudaInitModule(void**) { return 1; }
unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t sharedMemory, cudaStream_t stream) {
    callConfigurations.push_back({grid, block, sharedMemory, stream});
    return 0;
}
cudaError_t __cudaPopCallConfiguration(dim3* grid, dim3* block, size_t* sharedMemory, void* stream) {
    if (callConfigurations.empty())
        return fail(cudaErrorMissingConfiguration);
    const CallConfiguration call = callConfigurations.back();
    callConfigurations.pop_back();
    *grid = call.grid;
    *block = call.block;
    *sharedMemory = call.sharedMemory;
    *static_cast<cudaStream_t*>(stream) = call.stream;
    return cudaSuccess;
}
/// A kernel's handle is the address of its host function.
cudaError_t cudaGetKernel(cudaKernel_t* kernel, const void* function) {
    *kernel = reinterpret_cast<cudaKernel_t>(const_cast<void*>(function));
    return cudaSuccess;
}
cudaError_t __cudaGetKernel(cudaKernel_t* kernel, const void* function) { return cudaGetKernel(kernel, function); }
cudaError_t cudaGetFuncBySymbol(cudaFunction_t* function, const void* symbol) {
    *function = reinterpret_cast<cudaFunction_t>(const_cast<void*>(symbol));
    return cudaSuccess;
}
cudaError_t __cudaLaunchKernel(cudaKernel_t, dim3, dim3, void**, size_t, cudaStream_t) {
    count(Work::Launch);
    return cudaSuccess;
}
cudaError_t __cudaLaunchKernel_ptsz(cudaKernel_t, dim3, dim3, void**, size_t, cudaStream_t) {
    count(Work::Launch);
    return cudaSuccess;
}
cudaError_t cudaLaunchKernel(const void*, dim3, dim3, void**, size_t, cudaStream_t) {
    count(Work::Launch);
    return cudaSuccess;
}
cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t*, const void*, void**) {
    count(Work::Launch);
    return cudaSuccess;
}
cudaError_t cudaLaunchCooperativeKernel(const void*, dim3, dim3, void**, size_t, cudaStream_t) {
    count(Work::Launch);
    return cudaSuccess;
}
cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, const void*) {
    std::memset(attributes, 0, sizeof *attributes);
    attributes->maxThreadsPerBlock = 1024;
    attributes->numRegs = 32;
    attributes->ptxVersion = device().kernelArchitecture();
    attributes->binaryVersion = attributes->ptxVersion;
    attributes->maxDynamicSharedSizeBytes = device().attribute(cudaDevAttrMaxSharedMemoryPerBlock);
    attributes->preferredShmemCarveout = -1;
    return cudaSuccess;
}
cudaError_t cudaFuncGetName(const char** name, const void*) {
    *name = "kernel";
    return cudaSuccess;
}
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, const void*, int threads,
                                                                   size_t sharedMemory, unsigned) {
    *blocks = activeBlocks(threads, sharedMemory);
    return cudaSuccess;
}
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, const void* function, int threads,
                                                          size_t sharedMemory) {
    return cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, function, threads, sharedMemory, 0);
}
cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t* size, const void*, int, int) {
    *size = static_cast<std::size_t>(device().sharedMemoryPerBlockOptin);
    return cudaSuccess;
}
cudaError_t cudaOccupancyMaxActiveClusters(int* clusters, const void*, const cudaLaunchConfig_t*) {
    *clusters = std::max(1, device().multiprocessors / 2);
    return cudaSuccess;
}
cudaError_t cudaOccupancyMaxPotentialClusterSize(int* size, const void*, const cudaLaunchConfig_t*) {
    *size = 8;
    return cudaSuccess;
}

cudaError_t cudaLibraryLoadData(cudaLibrary_t* library, const void*, cudaJitOption*, void**, unsigned,
                                cudaLibraryOption*, void**, unsigned) {
    *library = handle<cudaLibrary_t>(0x50);
    return cudaSuccess;
}
cudaError_t cudaLibraryLoadFromFile(cudaLibrary_t* library, const char*, cudaJitOption*, void**, unsigned,
                                    cudaLibraryOption*, void**, unsigned) {
    *library = handle<cudaLibrary_t>(0x50);
    return cudaSuccess;
}
cudaError_t cudaLibraryGetKernel(cudaKernel_t* kernel, cudaLibrary_t, const char*) {
    *kernel = handle<cudaKernel_t>(0x60);
    return cudaSuccess;
}
cudaError_t cudaLibraryGetKernelCount(unsigned* count, cudaLibrary_t) {
    *count = 1;
    return cudaSuccess;
}
cudaError_t cudaLibraryGetGlobal(void** address, size_t* size, cudaLibrary_t library, const char*) {
    if (address)
        *address = symbolAddress(library);
    if (size)
        *size = 8;
    return cudaSuccess;
}
cudaError_t cudaLibraryGetManaged(void** address, size_t* size, cudaLibrary_t library, const char* name) {
    return cudaLibraryGetGlobal(address, size, library, name);
}
cudaError_t cudaLibraryGetUnifiedFunction(void** function, cudaLibrary_t, const char*) {
    *function = nullptr;
    return fail(cudaErrorNotSupported);
}
}
