// SPDX-License-Identifier: Apache-2.0
// cuBLASLt: opaque descriptors and one heuristic result that needs no workspace. LibTorch allocates its
// workspace before it asks, so the result's own size changes nothing.
#include "engine/nullgpu/core.h"

#include <array>
#include <cstdint>
#include <cstdlib>
#include <cstring>

using namespace tidemark::nullgpu;

namespace {

using Status = int;
constexpr Status kSuccess = 0;
constexpr Status kNotInitialized = 1;
constexpr Status kInvalidValue = 7;

/// Larger than any of cuBLASLt's semi-opaque descriptors (256 bytes).
struct Descriptor {
    std::array<std::uint64_t, 32> data{};
};

/// cublasLtMatmulAlgo_t
struct Algorithm {
    std::array<std::uint64_t, 8> data{};
};

/// cublasLtMatmulHeuristicResult_t
struct HeuristicResult {
    Algorithm algorithm;
    std::size_t workspaceSize = 0;
    Status state = kSuccess;
    float wavesCount = 1.0F;
    std::array<int, 4> reserved{};
};
static_assert(sizeof(HeuristicResult) == 96);

Status create(void** descriptor) {
    *descriptor = new Descriptor;
    return kSuccess;
}
Status destroy(void* descriptor) {
    delete static_cast<Descriptor*>(descriptor);
    return kSuccess;
}
Status zero(void* buffer, std::size_t size, std::size_t* written) {
    if (buffer)
        std::memset(buffer, 0, size);
    if (written)
        *written = size;
    return kSuccess;
}

}  // namespace

extern "C" {

std::size_t cublasLtGetVersion(void) { return TIDEMARK_CUBLAS_VERSION; }
std::size_t cublasLtGetCudartVersion(void) { return TIDEMARK_CUDA_VERSION; }
const char* cublasLtGetStatusName(Status status) {
    return status == kSuccess ? "CUBLAS_STATUS_SUCCESS" : "CUBLAS_STATUS_NOT_SUPPORTED";
}
const char* cublasLtGetStatusString(Status status) { return status == kSuccess ? "success" : "not supported"; }
/// LibTorch never asks for a handle, cuDNN does. Refused, cuDNN leaves out the engines that are built on cuBLASLt, as
/// it does on a machine without a GPU; see README.md.
Status cublasLtCreate(void** handle) {
    if (std::getenv("TIDEMARK_CUDNN_WITHOUT_CUBLASLT")) {
        *handle = nullptr;
        return kNotInitialized;
    }
    return create(handle);
}
Status cublasLtDestroy(void* handle) { return destroy(handle); }
Status cublasLtMatmulDescCreate(void** descriptor, int, int) { return create(descriptor); }
Status cublasLtMatmulDescDestroy(void* descriptor) { return destroy(descriptor); }
Status cublasLtMatmulDescSetAttribute(void*, int, const void*, std::size_t) { return kSuccess; }
Status cublasLtMatrixLayoutCreate(void** layout, int, std::uint64_t, std::uint64_t, std::int64_t) {
    return create(layout);
}
Status cublasLtMatrixLayoutDestroy(void* layout) { return destroy(layout); }
Status cublasLtMatrixLayoutSetAttribute(void*, int, const void*, std::size_t) { return kSuccess; }
Status cublasLtMatmulPreferenceCreate(void** preference) { return create(preference); }
Status cublasLtMatmulPreferenceDestroy(void* preference) { return destroy(preference); }
Status cublasLtMatmulPreferenceSetAttribute(void*, int, const void*, std::size_t) { return kSuccess; }
Status cublasLtMatrixTransformDescCreate(void** descriptor, int) { return create(descriptor); }
Status cublasLtMatrixTransformDescDestroy(void* descriptor) { return destroy(descriptor); }

Status cublasLtMatmulAlgoGetHeuristic(void*, void*, void*, void*, void*, void*, void*, int requested,
                                      HeuristicResult* results, int* found) {
    *found = 0;
    if (requested < 1)
        return kInvalidValue;
    results[0] = HeuristicResult{};
    *found = 1;
    return kSuccess;
}
Status cublasLtMatmulAlgoGetIds(void*, int, int, int, int, int, int, int requested, int* ids, int* found) {
    *found = requested > 0 ? 1 : 0;
    if (requested > 0)
        ids[0] = 0;
    return kSuccess;
}
Status cublasLtMatmulAlgoInit(void*, int, int, int, int, int, int, int, Algorithm* algorithm) {
    *algorithm = Algorithm{};
    return kSuccess;
}
Status cublasLtMatmulAlgoCheck(void*, void*, void*, void*, void*, void*, const Algorithm*, HeuristicResult* result) {
    *result = HeuristicResult{};
    return kSuccess;
}
Status cublasLtMatmulAlgoConfigGetAttribute(const Algorithm*, int, void* buffer, std::size_t size,
                                            std::size_t* written) {
    return zero(buffer, size, written);
}
Status cublasLtMatmulAlgoConfigSetAttribute(Algorithm*, int, const void*, std::size_t) { return kSuccess; }
Status cublasLtMatmulAlgoCapGetAttribute(const Algorithm*, int, void* buffer, std::size_t size, std::size_t* written) {
    return zero(buffer, size, written);
}
Status cublasLtMatmul(...) {
    count(Work::Gemm);
    return kSuccess;
}
}
