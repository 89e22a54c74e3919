// SPDX-License-Identifier: Apache-2.0
// cuFFT plans. LibTorch allocates the work area itself, with the size it is told here.
#include "engine/nullgpu/core.h"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <map>
#include <mutex>

namespace {

using Status = int;
constexpr Status kSuccess = 0;

struct Plans {
    std::mutex mutex;
    std::map<int, std::size_t> workSizes;
    int next = 1;
};

Plans& plans() {
    static Plans* const state = new Plans;
    return *state;
}

/// Bytes of one element of a cudaDataType; complex types are counted whole.
std::size_t elementSize(int type) {
    switch (type) {
    case 1: return 8;    // double
    case 2: return 2;    // half
    case 4: return 8;    // complex float
    case 5: return 16;   // complex double
    case 6: return 4;    // complex half
    case 14: return 2;   // bfloat16
    case 15: return 4;   // complex bfloat16
    default: return 4;
    }
}

/// Transforms whose lengths have only the prime factors 2, 3, 5 and 7 run in place of each other.
bool hasSmallFactors(long long n) {
    for (const long long factor : {2, 3, 5, 7})
        while (n > 1 && n % factor == 0)
            n /= factor;
    return n == 1;
}

}  // namespace

extern "C" {

Status cufftCreate(int* plan) {
    Plans& state = plans();
    const std::lock_guard lock(state.mutex);
    *plan = state.next++;
    state.workSizes[*plan] = 0;
    return kSuccess;
}
Status cufftDestroy(int plan) {
    Plans& state = plans();
    const std::lock_guard lock(state.mutex);
    state.workSizes.erase(plan);
    return kSuccess;
}
Status cufftSetAutoAllocation(int, int) { return kSuccess; }
Status cufftSetStream(int, void*) { return kSuccess; }
Status cufftSetWorkArea(int, void*) { return kSuccess; }
Status cufftGetSize(int plan, std::size_t* size) {
    Plans& state = plans();
    const std::lock_guard lock(state.mutex);
    *size = state.workSizes[plan];
    return kSuccess;
}

/// The size is an assumption: one copy of the complex data where more than one pass over memory is needed (several
/// dimensions, long rows), twice that for lengths that need Bluestein's algorithm, nothing for short rows.
Status cufftXtMakePlanMany(int plan, int rank, long long* n, long long*, long long, long long, int inputType,
                           long long*, long long, long long, int outputType, long long batch, std::size_t* workSize,
                           int) {
    constexpr long long kOnePassLength = 4096;
    const bool toReal = outputType < 4 || outputType == 14;
    const std::size_t complexSize = std::max(elementSize(inputType), elementSize(outputType));
    std::size_t elements = static_cast<std::size_t>(batch);
    bool small = true;
    bool onePass = rank == 1;
    for (int i = 0; i < rank; ++i) {
        const bool halved = i == rank - 1 && (toReal || inputType < 4 || inputType == 14);
        elements *= static_cast<std::size_t>(halved ? n[i] / 2 + 1 : n[i]);
        small = small && hasSmallFactors(n[i]);
        onePass = onePass && n[i] <= kOnePassLength;
    }
    const std::size_t copies = !small ? 2 : onePass ? 0 : 1;
    const std::size_t size = copies * elements * complexSize;
    Plans& state = plans();
    const std::lock_guard lock(state.mutex);
    state.workSizes[plan] = size;
    if (workSize)
        *workSize = size;
    return kSuccess;
}
Status cufftXtExec(int, void*, void*, int) {
    tidemark::nullgpu::count(tidemark::nullgpu::Work::Launch);
    return kSuccess;
}
}
