// SPDX-License-Identifier: Apache-2.0
// NCCL: communicators of one rank that move nothing.
#include "engine/nullgpu/core.h"

#include <cstddef>
#include <cstring>

using namespace tidemark::nullgpu;

namespace {

using Status = int;
constexpr Status kSuccess = 0;
constexpr Status kUnhandledCudaError = 1;

/// ncclUniqueId, passed by value.
struct UniqueId {
    char internal[128];
};

struct Communicator {
    int ranks = 1;
    int rank = 0;
};

Status create(void** communicator, int ranks, int rank) {
    *communicator = new Communicator{ranks, rank};
    return kSuccess;
}
Status destroy(void* communicator) {
    delete static_cast<Communicator*>(communicator);
    return kSuccess;
}

}  // namespace

extern "C" {

Status ncclGetVersion(int* version) {
    *version = TIDEMARK_NCCL_VERSION;
    return kSuccess;
}
const char* ncclGetErrorString(Status status) { return status == kSuccess ? "no error" : "unhandled cuda error"; }
const char* ncclGetLastError(void*) { return ""; }
Status ncclGetUniqueId(UniqueId* id) {
    std::memset(id, 0, sizeof *id);
    return kSuccess;
}
Status ncclCommGetUniqueId(void*, UniqueId* id) { return ncclGetUniqueId(id); }
Status ncclCommInitRank(void** communicator, int ranks, UniqueId, int rank) {
    return create(communicator, ranks, rank);
}
Status ncclCommInitRankConfig(void** communicator, int ranks, UniqueId, int rank, void*) {
    return create(communicator, ranks, rank);
}
Status ncclCommInitRankScalable(void** communicator, int ranks, int rank, int, UniqueId*, void*) {
    return create(communicator, ranks, rank);
}
Status ncclCommInitAll(void** communicators, int count, const int*) {
    for (int i = 0; i < count; ++i)
        create(&communicators[i], count, i);
    return kSuccess;
}
Status ncclCommSplit(void*, int, int, void** communicator, void*) { return create(communicator, 1, 0); }
Status ncclCommShrink(void*, int*, int, void** communicator, void*, int) { return create(communicator, 1, 0); }
Status ncclCommDestroy(void* communicator) { return destroy(communicator); }
Status ncclCommAbort(void* communicator) { return destroy(communicator); }
Status ncclCommGetAsyncError(void*, Status* status) {
    *status = kSuccess;
    return kSuccess;
}
Status ncclCommCount(const void* communicator, int* count) {
    *count = static_cast<const Communicator*>(communicator)->ranks;
    return kSuccess;
}
Status ncclCommUserRank(const void* communicator, int* rank) {
    *rank = static_cast<const Communicator*>(communicator)->rank;
    return kSuccess;
}
Status ncclCommMemStats(void*, int, std::size_t* value) {
    *value = 0;
    return kSuccess;
}
Status ncclCommRegister(void*, void* buffer, std::size_t, void** handle) {
    *handle = buffer;
    return kSuccess;
}
Status ncclCommWindowRegister(void*, void* buffer, std::size_t, void** window, int) {
    *window = buffer;
    return kSuccess;
}
Status ncclWinGetUserPtr(void*, void* window, void** pointer) {
    *pointer = window;
    return kSuccess;
}
Status ncclMemAlloc(void** address, std::size_t size) {
    return allocate(address, size) == MemoryError::None ? kSuccess : kUnhandledCudaError;
}
Status ncclMemFree(void* address) {
    return release(address) == MemoryError::None ? kSuccess : kUnhandledCudaError;
}
Status ncclRedOpCreatePreMulSum(int* operation, void*, int, int, void*) {
    *operation = 5;
    return kSuccess;
}
}
