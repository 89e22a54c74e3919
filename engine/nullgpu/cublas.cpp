// SPDX-License-Identifier: Apache-2.0
// cuBLAS: handles, modes and results on the host. Declared here by its binary interface (enumerations are int,
// handles and descriptors are pointers), so that no cuBLAS header is needed to build.
#include "engine/nullgpu/core.h"

#include <complex>
#include <cstddef>

using namespace tidemark::nullgpu;

namespace {

using Status = int;
constexpr Status kSuccess = 0;

struct Handle {
    void* stream = nullptr;
    int mathMode = 0;
    int pointerMode = 0;
    int atomicsMode = 0;
    int multiprocessorTarget = 0;
};

Handle& in(void* handle) {
    return *static_cast<Handle*>(handle);
}

Status product() {
    count(Work::Gemm);
    return kSuccess;
}

/// The version's part: 0 major, 1 minor, 2 patch.
int versionPart(int which) {
    constexpr int kVersion = TIDEMARK_CUBLAS_VERSION;
    return which == 0 ? kVersion / 10000 : which == 1 ? kVersion / 100 % 100 : kVersion % 100;
}

/// Index results count from 1, as in BLAS; an index of 0 would make callers look before the vector.
Status firstIndex(int* result) {
    if (result && !isDeviceAddress(result)) {
        deliver(result, sizeof *result);
        *result = 1;
    }
    return kSuccess;
}

template <class T>
Status zero(T* result) {
    deliver(result, sizeof *result);
    return kSuccess;
}

}  // namespace

extern "C" {

Status cublasCreate_v2(void** handle) {
    *handle = new Handle;
    return kSuccess;
}
Status cublasDestroy_v2(void* handle) {
    delete static_cast<Handle*>(handle);
    return kSuccess;
}
Status cublasGetVersion_v2(void*, int* version) {
    *version = TIDEMARK_CUBLAS_VERSION;
    return kSuccess;
}
Status cublasGetProperty(int which, int* value) {
    *value = versionPart(which);
    return kSuccess;
}
std::size_t cublasGetCudartVersion(void) { return TIDEMARK_CUDA_VERSION; }
const char* cublasGetStatusName(Status status) {
    return status == kSuccess ? "CUBLAS_STATUS_SUCCESS" : "CUBLAS_STATUS_NOT_SUPPORTED";
}
const char* cublasGetStatusString(Status status) { return status == kSuccess ? "success" : "not supported"; }
Status cublasSetStream_v2(void* handle, void* stream) {
    in(handle).stream = stream;
    return kSuccess;
}
Status cublasGetStream_v2(void* handle, void** stream) {
    *stream = in(handle).stream;
    return kSuccess;
}
Status cublasSetMathMode(void* handle, int mode) {
    in(handle).mathMode = mode;
    return kSuccess;
}
Status cublasGetMathMode(void* handle, int* mode) {
    *mode = in(handle).mathMode;
    return kSuccess;
}
Status cublasSetPointerMode_v2(void* handle, int mode) {
    in(handle).pointerMode = mode;
    return kSuccess;
}
Status cublasGetPointerMode_v2(void* handle, int* mode) {
    *mode = in(handle).pointerMode;
    return kSuccess;
}
Status cublasSetAtomicsMode(void* handle, int mode) {
    in(handle).atomicsMode = mode;
    return kSuccess;
}
Status cublasGetAtomicsMode(void* handle, int* mode) {
    *mode = in(handle).atomicsMode;
    return kSuccess;
}
Status cublasSetSmCountTarget(void* handle, int target) {
    in(handle).multiprocessorTarget = target;
    return kSuccess;
}
Status cublasGetSmCountTarget(void* handle, int* target) {
    *target = in(handle).multiprocessorTarget;
    return kSuccess;
}
Status cublasSetWorkspace_v2(void*, void*, std::size_t) { return kSuccess; }

Status cublasGemmEx(...) { return product(); }
Status cublasGemmStridedBatchedEx(...) { return product(); }
Status cublasSgemmEx(...) { return product(); }
Status cublasSgemm_v2(...) { return product(); }
Status cublasDgemm_v2(...) { return product(); }
Status cublasCgemm_v2(...) { return product(); }
Status cublasZgemm_v2(...) { return product(); }
Status cublasSgemmBatched(...) { return product(); }
Status cublasDgemmBatched(...) { return product(); }
Status cublasCgemmBatched(...) { return product(); }
Status cublasZgemmBatched(...) { return product(); }
Status cublasSgemmStridedBatched(...) { return product(); }
Status cublasDgemmStridedBatched(...) { return product(); }
Status cublasCgemmStridedBatched(...) { return product(); }
Status cublasZgemmStridedBatched(...) { return product(); }

Status cublasSdot_v2(void*, int, const void*, int, const void*, int, float* result) { return zero(result); }
Status cublasDdot_v2(void*, int, const void*, int, const void*, int, double* result) { return zero(result); }
Status cublasCdotu_v2(void*, int, const void*, int, const void*, int, std::complex<float>* r) { return zero(r); }
Status cublasCdotc_v2(void*, int, const void*, int, const void*, int, std::complex<float>* r) { return zero(r); }
Status cublasZdotu_v2(void*, int, const void*, int, const void*, int, std::complex<double>* r) { return zero(r); }
Status cublasZdotc_v2(void*, int, const void*, int, const void*, int, std::complex<double>* r) { return zero(r); }
/// The result's type is a cudaDataType: 2 is half, 14 is bfloat16, 1 is double, 0 is float.
Status cublasDotEx(void*, int, const void*, int, int, const void*, int, int, void* result, int type, int) {
    deliver(result, type == 1 ? 8 : type == 0 ? 4 : 2);
    return kSuccess;
}
Status cublasSnrm2_v2(void*, int, const void*, int, float* result) { return zero(result); }
Status cublasDnrm2_v2(void*, int, const void*, int, double* result) { return zero(result); }
Status cublasScnrm2_v2(void*, int, const void*, int, float* result) { return zero(result); }
Status cublasDznrm2_v2(void*, int, const void*, int, double* result) { return zero(result); }
Status cublasSasum_v2(void*, int, const void*, int, float* result) { return zero(result); }
Status cublasDasum_v2(void*, int, const void*, int, double* result) { return zero(result); }
Status cublasScasum_v2(void*, int, const void*, int, float* result) { return zero(result); }
Status cublasDzasum_v2(void*, int, const void*, int, double* result) { return zero(result); }
Status cublasIsamax_v2(void*, int, const void*, int, int* result) { return firstIndex(result); }
Status cublasIdamax_v2(void*, int, const void*, int, int* result) { return firstIndex(result); }
Status cublasIcamax_v2(void*, int, const void*, int, int* result) { return firstIndex(result); }
Status cublasIzamax_v2(void*, int, const void*, int, int* result) { return firstIndex(result); }
Status cublasIsamin_v2(void*, int, const void*, int, int* result) { return firstIndex(result); }
Status cublasIdamin_v2(void*, int, const void*, int, int* result) { return firstIndex(result); }
Status cublasIcamin_v2(void*, int, const void*, int, int* result) { return firstIndex(result); }
Status cublasIzamin_v2(void*, int, const void*, int, int* result) { return firstIndex(result); }

Status cublasGetVectorAsync(int n, int elementSize, const void* from, int fromStep, void* to, int toStep, void*) {
    const auto size = static_cast<std::size_t>(elementSize);
    copyRows(to, size * static_cast<std::size_t>(toStep), from, size * static_cast<std::size_t>(fromStep), size,
             static_cast<std::size_t>(n));
    return kSuccess;
}
Status cublasGetMatrixAsync(int rows, int columns, int elementSize, const void* from, int fromLeading, void* to,
                            int toLeading, void*) {
    const auto size = static_cast<std::size_t>(elementSize);
    copyRows(to, size * static_cast<std::size_t>(toLeading), from, size * static_cast<std::size_t>(fromLeading),
             size * static_cast<std::size_t>(rows), static_cast<std::size_t>(columns));
    return kSuccess;
}
Status cublasSetVectorAsync(int, int, const void*, int, void*, int, void*) { return kSuccess; }
Status cublasSetMatrixAsync(int, int, int, const void*, int, void*, int, void*) { return kSuccess; }

/// Batched factorisations write their status of the arguments to the host.
Status cublasSgeqrfBatched(void*, int, int, void*, int, void*, int* info, int) { return zero(info); }
Status cublasDgeqrfBatched(void*, int, int, void*, int, void*, int* info, int) { return zero(info); }
Status cublasCgeqrfBatched(void*, int, int, void*, int, void*, int* info, int) { return zero(info); }
Status cublasZgeqrfBatched(void*, int, int, void*, int, void*, int* info, int) { return zero(info); }
Status cublasSgetrsBatched(void*, int, int, int, void*, int, void*, void*, int, int* info, int) { return zero(info); }
Status cublasDgetrsBatched(void*, int, int, int, void*, int, void*, void*, int, int* info, int) { return zero(info); }
Status cublasCgetrsBatched(void*, int, int, int, void*, int, void*, void*, int, int* info, int) { return zero(info); }
Status cublasZgetrsBatched(void*, int, int, int, void*, int, void*, void*, int, int* info, int) { return zero(info); }
Status cublasSgelsBatched(void*, int, int, int, int, void*, int, void*, int, int* info, void*, int) {
    return zero(info);
}
Status cublasDgelsBatched(void*, int, int, int, int, void*, int, void*, int, int* info, void*, int) {
    return zero(info);
}
Status cublasCgelsBatched(void*, int, int, int, int, void*, int, void*, int, int* info, void*, int) {
    return zero(info);
}
Status cublasZgelsBatched(void*, int, int, int, int, void*, int, void*, int, int* info, void*, int) {
    return zero(info);
}
}
