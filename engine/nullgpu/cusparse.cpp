// SPDX-License-Identifier: Apache-2.0
// cuSPARSE: handles, matrix descriptors and buffer sizes. The sizes are assumptions; most products of LibTorch's
// sparse tensors need little more than the row offsets.
#include "engine/nullgpu/core.h"

#include <cstddef>
#include <cstdint>

namespace {

using Status = int;
constexpr Status kSuccess = 0;
constexpr std::size_t kSmallBuffer = 256;

struct Descriptor {
    std::int64_t rows = 0;
    std::int64_t columns = 0;
    std::int64_t nonZeros = 0;
};

Status create(void** descriptor, std::int64_t rows = 0, std::int64_t columns = 0, std::int64_t nonZeros = 0) {
    *descriptor = new Descriptor{rows, columns, nonZeros};
    return kSuccess;
}
Status destroy(const void* descriptor) {
    delete static_cast<const Descriptor*>(descriptor);
    return kSuccess;
}
Status size(std::size_t* bytes) {
    *bytes = kSmallBuffer;
    return kSuccess;
}
Status noPivot(int* position) {
    *position = -1;
    return kSuccess;
}

}  // namespace

/// The typed functions with a size among their results.
#define TIDEMARK_SPARSE_SIZES(T)                                                                                     \
    Status cusparse##T##bsrsv2_bufferSize(void*, int, int, int, int, void*, void*, const int*, const int*, int,      \
                                          void*, int* bytes) {                                                       \
        *bytes = static_cast<int>(kSmallBuffer);                                                                     \
        return kSuccess;                                                                                             \
    }                                                                                                                \
    Status cusparse##T##bsrsm2_bufferSize(void*, int, int, int, int, int, int, void*, void*, const int*, const int*, \
                                          int, void*, int* bytes) {                                                  \
        *bytes = static_cast<int>(kSmallBuffer);                                                                     \
        return kSuccess;                                                                                             \
    }                                                                                                                \
    Status cusparse##T##csrgeam2_bufferSizeExt(void*, int, int, const void*, void*, int, const void*, const int*,    \
                                               const int*, const void*, void*, int, const void*, const int*,         \
                                               const int*, void*, const void*, const int*, const int*,               \
                                               std::size_t* bytes) {                                                 \
        return size(bytes);                                                                                          \
    }

extern "C" {

const char* cusparseGetErrorString(Status status) { return status == kSuccess ? "success" : "not supported"; }
const char* cusparseGetErrorName(Status status) {
    return status == kSuccess ? "CUSPARSE_STATUS_SUCCESS" : "CUSPARSE_STATUS_NOT_SUPPORTED";
}
Status cusparseCreate(void** handle) { return create(handle); }
Status cusparseDestroy(void* handle) { return destroy(handle); }
Status cusparseSetStream(void*, void*) { return kSuccess; }
Status cusparseSetPointerMode(void*, int) { return kSuccess; }
Status cusparseCreateMatDescr(void** descriptor) { return create(descriptor); }
Status cusparseDestroyMatDescr(void* descriptor) { return destroy(descriptor); }
Status cusparseCreateBsrsv2Info(void** info) { return create(info); }
Status cusparseDestroyBsrsv2Info(void* info) { return destroy(info); }
Status cusparseCreateBsrsm2Info(void** info) { return create(info); }
Status cusparseDestroyBsrsm2Info(void* info) { return destroy(info); }
Status cusparseSpGEMM_createDescr(void** descriptor) { return create(descriptor); }
Status cusparseSpGEMM_destroyDescr(void* descriptor) { return destroy(descriptor); }
Status cusparseSpSM_createDescr(void** descriptor) { return create(descriptor); }
Status cusparseSpSM_destroyDescr(void* descriptor) { return destroy(descriptor); }
Status cusparseSpSV_createDescr(void** descriptor) { return create(descriptor); }
Status cusparseSpSV_destroyDescr(void* descriptor) { return destroy(descriptor); }
Status cusparseCreateCsr(void** matrix, std::int64_t rows, std::int64_t columns, std::int64_t nonZeros, void*, void*,
                         void*, int, int, int, int) {
    return create(matrix, rows, columns, nonZeros);
}
Status cusparseCreateCoo(void** matrix, std::int64_t rows, std::int64_t columns, std::int64_t nonZeros, void*, void*,
                         void*, int, int, int) {
    return create(matrix, rows, columns, nonZeros);
}
Status cusparseDestroySpMat(const void* matrix) { return destroy(matrix); }
Status cusparseCreateDnMat(void** matrix, std::int64_t rows, std::int64_t columns, std::int64_t, void*, int, int) {
    return create(matrix, rows, columns);
}
Status cusparseDestroyDnMat(const void* matrix) { return destroy(matrix); }
Status cusparseCreateDnVec(void** vector, std::int64_t length, void*, int) { return create(vector, length, 1); }
Status cusparseDestroyDnVec(const void* vector) { return destroy(vector); }
/// A product's matrix has no entries here: counts are data, and data is zero.
Status cusparseSpMatGetSize(const void* matrix, std::int64_t* rows, std::int64_t* columns, std::int64_t* nonZeros) {
    const auto& descriptor = *static_cast<const Descriptor*>(matrix);
    *rows = descriptor.rows;
    *columns = descriptor.columns;
    *nonZeros = descriptor.nonZeros;
    return kSuccess;
}

Status cusparseSpMV_bufferSize(void*, int, const void*, const void*, const void*, const void*, void*, int, int,
                               std::size_t* bytes) {
    return size(bytes);
}
Status cusparseSpMM_bufferSize(void*, int, int, const void*, const void*, const void*, const void*, void*, int, int,
                               std::size_t* bytes) {
    return size(bytes);
}
Status cusparseSDDMM_bufferSize(void*, int, int, const void*, const void*, const void*, const void*, void*, int, int,
                                std::size_t* bytes) {
    return size(bytes);
}
Status cusparseSpSV_bufferSize(void*, int, const void*, const void*, const void*, void*, int, int, void*,
                               std::size_t* bytes) {
    return size(bytes);
}
Status cusparseSpSM_bufferSize(void*, int, int, const void*, const void*, const void*, void*, int, int, void*,
                               std::size_t* bytes) {
    return size(bytes);
}
/// Both are called twice: first without a buffer, to learn its size.
Status cusparseSpGEMM_workEstimation(void*, int, int, const void*, const void*, const void*, const void*, void*, int,
                                     int, void*, std::size_t* bytes, void* buffer) {
    return buffer ? kSuccess : size(bytes);
}
Status cusparseSpGEMM_compute(void*, int, int, const void*, const void*, const void*, const void*, void*, int, int,
                              void*, std::size_t* bytes, void* buffer) {
    return buffer ? kSuccess : size(bytes);
}
Status cusparseXcoosort_bufferSizeExt(void*, int, int, int, const int*, const int*, std::size_t* bytes) {
    return size(bytes);
}
Status cusparseXcsrsort_bufferSizeExt(void*, int, int, int, const int*, const int*, std::size_t* bytes) {
    return size(bytes);
}
Status cusparseXcsrgeam2Nnz(void*, int, int, void*, int, const int*, const int*, void*, int, const int*, const int*,
                            void*, int*, int* nonZeros, void*) {
    tidemark::nullgpu::deliver(nonZeros, sizeof *nonZeros);
    return kSuccess;
}
Status cusparseXbsrsv2_zeroPivot(void*, void*, int* position) { return noPivot(position); }
Status cusparseXbsrsm2_zeroPivot(void*, void*, int* position) { return noPivot(position); }

TIDEMARK_SPARSE_SIZES(S)
TIDEMARK_SPARSE_SIZES(D)
TIDEMARK_SPARSE_SIZES(C)
TIDEMARK_SPARSE_SIZES(Z)
}
