// SPDX-License-Identifier: Apache-2.0
// cuSOLVER: handles and buffer sizes. The sizes are assumptions of the order LAPACK needs (a panel of 32 columns
// for factorisations, one or two copies of the matrix for eigen- and singular values); NVIDIA documents none.
#include "engine/nullgpu/core.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace {

using Status = int;
constexpr Status kSuccess = 0;
constexpr std::int64_t kPanel = 32;

struct Descriptor {
    void* stream = nullptr;
};

Status create(void** descriptor) {
    *descriptor = new Descriptor;
    return kSuccess;
}
Status destroy(void* descriptor) {
    delete static_cast<Descriptor*>(descriptor);
    return kSuccess;
}

/// Elements, as the functions with typed names count.
Status elements(int* count, std::int64_t value) {
    *count = static_cast<int>(std::clamp<std::int64_t>(value, 1, INT32_MAX));
    return kSuccess;
}

/// Bytes of one element of a cudaDataType.
std::int64_t elementSize(int type) {
    return type == 1 || type == 4 ? 8 : type == 5 ? 16 : 4;
}

Status bytes(std::size_t* onDevice, std::size_t* onHost, std::int64_t count, int type) {
    *onDevice = static_cast<std::size_t>(std::max<std::int64_t>(count, 1) * elementSize(type));
    *onHost = 0;
    return kSuccess;
}

std::int64_t panel(std::int64_t m, std::int64_t n) {
    return std::max(m, n) * kPanel;
}

}  // namespace

/// The buffer size functions of one element type: S, D, C or Z. The two names of a function differ between real
/// (org, orm, sy) and complex (ung, unm, he) types.
#define TIDEMARK_SOLVER_SIZES(T, orgqr, ormqr, syevd, syevj)                                                           \
    Status cusolverDn##T##potrf_bufferSize(void*, int, int n, void*, int, int* size) {                                \
        return elements(size, panel(n, n));                                                                            \
    }                                                                                                                  \
    Status cusolverDn##T##getrf_bufferSize(void*, int m, int n, void*, int, int* size) {                              \
        return elements(size, panel(m, n));                                                                            \
    }                                                                                                                  \
    Status cusolverDn##T##geqrf_bufferSize(void*, int m, int n, void*, int, int* size) {                              \
        return elements(size, panel(m, n));                                                                            \
    }                                                                                                                  \
    Status cusolverDn##T##orgqr##_bufferSize(void*, int m, int n, int, void*, int, void*, int* size) {                \
        return elements(size, panel(m, n));                                                                            \
    }                                                                                                                  \
    Status cusolverDn##T##ormqr##_bufferSize(void*, int, int, int m, int n, int, void*, int, void*, void*, int,        \
                                             int* size) {                                                             \
        return elements(size, panel(m, n));                                                                            \
    }                                                                                                                  \
    Status cusolverDn##T##sytrf_bufferSize(void*, int n, void*, int, int* size) {                                     \
        return elements(size, panel(n, n));                                                                            \
    }                                                                                                                  \
    Status cusolverDn##T##gesvd_bufferSize(void*, int m, int n, int* size) {                                          \
        return elements(size, panel(m, n) + std::int64_t{m} * n);                                                     \
    }                                                                                                                  \
    Status cusolverDn##T##syevd##_bufferSize(void*, int, int, int n, void*, int, void*, int* size) {                  \
        return elements(size, 2 * std::int64_t{n} * n + panel(n, n));                                                 \
    }                                                                                                                  \
    Status cusolverDn##T##syevj##_bufferSize(void*, int, int, int n, void*, int, void*, int* size, void*) {           \
        return elements(size, std::int64_t{n} * n);                                                                   \
    }                                                                                                                  \
    Status cusolverDn##T##syevj##Batched_bufferSize(void*, int, int, int n, void*, int, void*, int* size, void*,      \
                                                    int batch) {                                                      \
        return elements(size, std::int64_t{batch} * n * n);                                                           \
    }                                                                                                                  \
    Status cusolverDn##T##gesvdj_bufferSize(void*, int, int, int m, int n, void*, int, void*, void*, int, void*, int, \
                                            int* size, void*) {                                                       \
        return elements(size, std::int64_t{m} * n + panel(m, n));                                                     \
    }                                                                                                                  \
    Status cusolverDn##T##gesvdjBatched_bufferSize(void*, int, int m, int n, void*, int, void*, void*, int, void*,    \
                                                   int, int* size, void*, int batch) {                                \
        return elements(size, std::int64_t{batch} * m * n);                                                           \
    }                                                                                                                  \
    Status cusolverDn##T##gesvdaStridedBatched_bufferSize(void*, int, int, int m, int n, void*, int, long long,       \
                                                          void*, long long, void*, int, long long, void*, int,        \
                                                          long long, int* size, int batch) {                          \
        return elements(size, std::int64_t{batch} * m * n);                                                           \
    }

extern "C" {

Status cusolverDnCreate(void** handle) { return create(handle); }
Status cusolverDnDestroy(void* handle) { return destroy(handle); }
Status cusolverDnSetStream(void* handle, void* stream) {
    static_cast<Descriptor*>(handle)->stream = stream;
    return kSuccess;
}
Status cusolverDnGetStream(void* handle, void** stream) {
    *stream = static_cast<Descriptor*>(handle)->stream;
    return kSuccess;
}
Status cusolverDnCreateParams(void** parameters) { return create(parameters); }
Status cusolverDnDestroyParams(void* parameters) { return destroy(parameters); }
Status cusolverDnCreateGesvdjInfo(void** info) { return create(info); }
Status cusolverDnDestroyGesvdjInfo(void* info) { return destroy(info); }
Status cusolverDnCreateSyevjInfo(void** info) { return create(info); }
Status cusolverDnDestroySyevjInfo(void* info) { return destroy(info); }
Status cusolverDnXgesvdjSetTolerance(void*, double) { return kSuccess; }
Status cusolverDnXgesvdjSetMaxSweeps(void*, int) { return kSuccess; }
Status cusolverDnXgesvdjSetSortEig(void*, int) { return kSuccess; }

TIDEMARK_SOLVER_SIZES(S, orgqr, ormqr, syevd, syevj)
TIDEMARK_SOLVER_SIZES(D, orgqr, ormqr, syevd, syevj)
TIDEMARK_SOLVER_SIZES(C, ungqr, unmqr, heevd, heevj)
TIDEMARK_SOLVER_SIZES(Z, ungqr, unmqr, heevd, heevj)

Status cusolverDnXpotrf_bufferSize(void*, void*, int, std::int64_t n, int type, const void*, std::int64_t, int,
                                   std::size_t* onDevice, std::size_t* onHost) {
    return bytes(onDevice, onHost, panel(n, n), type);
}
Status cusolverDnXgeqrf_bufferSize(void*, void*, std::int64_t m, std::int64_t n, int type, const void*, std::int64_t,
                                   int, const void*, int, std::size_t* onDevice, std::size_t* onHost) {
    return bytes(onDevice, onHost, panel(m, n), type);
}
Status cusolverDnXsytrs_bufferSize(void*, int, std::int64_t n, std::int64_t columns, int type, const void*,
                                   std::int64_t, const std::int64_t*, int, void*, std::int64_t, std::size_t* onDevice,
                                   std::size_t* onHost) {
    return bytes(onDevice, onHost, n * columns, type);
}
Status cusolverDnXsyevd_bufferSize(void*, void*, int, int, std::int64_t n, int type, const void*, std::int64_t, int,
                                   const void*, int, std::size_t* onDevice, std::size_t* onHost) {
    return bytes(onDevice, onHost, 2 * n * n + panel(n, n), type);
}
Status cusolverDnXsyevBatched_bufferSize(void*, void*, int, int, std::int64_t n, int type, const void*, std::int64_t,
                                         int, const void*, int, std::size_t* onDevice, std::size_t* onHost,
                                         std::int64_t batch) {
    return bytes(onDevice, onHost, batch * n * n, type);
}
Status cusolverDnXgeev_bufferSize(void*, void*, int, int, std::int64_t n, int type, const void*, std::int64_t, int,
                                  const void*, int, const void*, std::int64_t, int, const void*, std::int64_t, int,
                                  std::size_t* onDevice, std::size_t* onHost) {
    return bytes(onDevice, onHost, 2 * n * n + panel(n, n), type);
}
}
