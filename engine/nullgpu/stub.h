// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>

/// The count of one library function that nobody wrote by hand. Lives in static memory beside its stub and is
/// linked into a list at its first call.
struct TidemarkNullStub {
    const char* name;
    std::atomic<std::uint64_t> count{0};
    TidemarkNullStub* next = nullptr;
};

extern "C" void tidemarkNullCountStub(TidemarkNullStub* stub);

/// A function that takes whatever it is given, counts itself and reports success. The wide return type makes
/// functions that return a pointer or a size return zero as well.
#define TIDEMARK_NULL_STUB(function)                          \
    long long function(void) {                                \
        static constinit TidemarkNullStub stub{#function};    \
        tidemarkNullCountStub(&stub);                         \
        return 0;                                             \
    }

/// A function that is known to need no more than this.
#define TIDEMARK_NULL_NOTHING(function) \
    long long function(void) { return 0; }
