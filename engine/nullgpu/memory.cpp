// SPDX-License-Identifier: Apache-2.0
#include "engine/nullgpu/control.h"
#include "engine/nullgpu/core.h"

#include <sys/mman.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>
#include <unordered_map>

namespace tidemark::nullgpu {

namespace {

constexpr std::uint64_t kGranularity = 2u << 20;
/// A fixed place where nothing else is mapped as a rule, so that two runs give equal addresses.
constexpr std::uint64_t kPreferredBase = 0x200000000000;
constexpr std::uint64_t kAddressSpace = std::uint64_t{16} << 40;
constexpr std::uint64_t kSmallestAddressSpace = std::uint64_t{1} << 36;
constexpr std::uint64_t kSymbolSpacing = 256;

std::uint64_t roundUp(std::uint64_t value, std::uint64_t unit) {
    return (value + unit - 1) / unit * unit;
}

/// The device's addresses: reserved in this process, but inaccessible, so that host code which follows a device
/// pointer crashes here instead of reading nonsense.
class AddressSpace {
public:
    AddressSpace() {
        m_size = kAddressSpace;
        void* place = map(reinterpret_cast<void*>(kPreferredBase));
        while (place == MAP_FAILED && m_size > kSmallestAddressSpace) {
            m_size /= 2;
            place = map(nullptr);
        }
        if (place == MAP_FAILED) {
            std::perror("null GPU: no address space for device memory");
            std::abort();
        }
        m_base = roundUp(reinterpret_cast<std::uint64_t>(place), kGranularity);
        m_size -= kGranularity;
        m_used[m_base] = kGranularity;  // holds the `__device__` variables
    }

    /// First fit; 0 when there is no room.
    std::uint64_t reserve(std::uint64_t size, std::uint64_t alignment) {
        alignment = std::max(alignment, kGranularity);
        std::uint64_t at = m_base;
        for (const auto& [begin, length] : m_used) {
            if (roundUp(at, alignment) + size <= begin)
                break;
            at = begin + length;
        }
        at = roundUp(at, alignment);
        if (at + size > m_base + m_size)
            return 0;
        m_used[at] = size;
        return at;
    }

    /// Bytes given back, 0 when nothing begins there.
    std::uint64_t release(std::uint64_t address) {
        const auto it = m_used.find(address);
        if (it == m_used.end())
            return 0;
        const std::uint64_t size = it->second;
        m_used.erase(it);
        return size;
    }

    bool find(std::uint64_t address, std::uint64_t* base, std::size_t* size) const {
        auto it = m_used.upper_bound(address);
        if (it == m_used.begin())
            return false;
        --it;
        if (address >= it->first + it->second)
            return false;
        *base = it->first;
        *size = it->second;
        return true;
    }

    std::uint64_t base() const { return m_base; }
    bool contains(std::uint64_t address) const { return address >= m_base && address < m_base + m_size; }

private:
    void* map(void* hint) const {
        return mmap(hint, m_size + kGranularity, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    }

    std::uint64_t m_base = 0;
    std::uint64_t m_size = 0;
    std::map<std::uint64_t, std::uint64_t> m_used;
};

struct Memory {
    std::mutex mutex;
    AddressSpace addresses;
    std::unordered_map<std::uint64_t, std::uint64_t> allocated;  // address -> physical bytes
    std::unordered_map<std::uint64_t, std::uint64_t> physical;   // handle -> bytes
    std::uint64_t nextHandle = 1;
    std::uint64_t used = 0;
    std::uint64_t peak = 0;
    std::uint64_t limit = 0;  // 0: the described card's
    std::uint64_t highestGranted = 0;
    std::uint64_t lowestRefused = UINT64_MAX;
    std::uint64_t context = 0;
    bool touched = false;  // a described context comes with the first allocation
    std::unordered_map<const void*, void*> symbols;

    std::uint64_t taken() const { return used + context + (touched ? device().contextMemory : 0); }
    std::uint64_t total() const { return limit ? limit : device().memory; }
    bool take(std::uint64_t size) {
        const std::uint64_t wanted = used + context + device().contextMemory + device().otherMemory + size;
        if (wanted > total()) {
            lowestRefused = std::min(lowestRefused, wanted);
            return false;
        }
        highestGranted = std::max(highestGranted, wanted);
        used += size;
        touched = true;
        peak = std::max(peak, used);
        return true;
    }
};

/// Never destroyed: exit handlers of LibTorch still free memory.
Memory& memory() {
    static Memory* const state = new Memory;
    return *state;
}

struct HostMemory {
    std::mutex mutex;
    std::map<std::uintptr_t, std::size_t> blocks;  // ours and registered ones
    std::unordered_map<std::uintptr_t, std::size_t> mapped;
};

HostMemory& hostMemory() {
    static HostMemory* const state = new HostMemory;
    return *state;
}

}  // namespace

MemoryError allocate(void** address, std::size_t size) {
    *address = nullptr;
    if (size == 0)
        return MemoryError::None;
    Memory& state = memory();
    const std::lock_guard lock(state.mutex);
    const std::uint64_t bytes = roundUp(size, kGranularity);
    if (!state.take(bytes))
        return MemoryError::OutOfMemory;
    const std::uint64_t at = state.addresses.reserve(bytes, kGranularity);
    if (at == 0) {
        state.used -= bytes;
        return MemoryError::OutOfMemory;
    }
    state.allocated[at] = bytes;
    *address = reinterpret_cast<void*>(at);
    return MemoryError::None;
}

MemoryError release(void* address) {
    if (!address)
        return MemoryError::None;
    Memory& state = memory();
    const std::lock_guard lock(state.mutex);
    const auto it = state.allocated.find(reinterpret_cast<std::uint64_t>(address));
    if (it == state.allocated.end())
        return MemoryError::InvalidValue;
    state.used -= it->second;
    state.addresses.release(it->first);
    state.allocated.erase(it);
    return MemoryError::None;
}

MemoryInfo memoryInfo() {
    Memory& state = memory();
    const std::lock_guard lock(state.mutex);
    const std::uint64_t taken = state.taken() + device().otherMemory;
    return {taken < state.total() ? state.total() - taken : 0, state.total()};
}

std::uint64_t processMemory() {
    Memory& state = memory();
    const std::lock_guard lock(state.mutex);
    return state.touched ? state.taken() : 0;
}

MemoryError reserveAddresses(std::uint64_t* address, std::size_t size, std::size_t alignment) {
    Memory& state = memory();
    const std::lock_guard lock(state.mutex);
    *address = state.addresses.reserve(roundUp(size, kGranularity), alignment);
    return *address ? MemoryError::None : MemoryError::OutOfMemory;
}

MemoryError releaseAddresses(std::uint64_t address) {
    Memory& state = memory();
    const std::lock_guard lock(state.mutex);
    return state.addresses.release(address) ? MemoryError::None : MemoryError::InvalidValue;
}

MemoryError createPhysical(std::uint64_t* handle, std::size_t size) {
    Memory& state = memory();
    const std::lock_guard lock(state.mutex);
    *handle = 0;
    if (!state.take(size))
        return MemoryError::OutOfMemory;
    *handle = state.nextHandle++;
    state.physical[*handle] = size;
    return MemoryError::None;
}

MemoryError releasePhysical(std::uint64_t handle) {
    Memory& state = memory();
    const std::lock_guard lock(state.mutex);
    const auto it = state.physical.find(handle);
    if (it == state.physical.end())
        return MemoryError::InvalidValue;
    state.used -= it->second;
    state.physical.erase(it);
    return MemoryError::None;
}

bool isDeviceAddress(const void* address) {
    return memory().addresses.contains(reinterpret_cast<std::uint64_t>(address));
}

bool findRange(const void* address, std::uint64_t* base, std::size_t* size) {
    Memory& state = memory();
    const std::lock_guard lock(state.mutex);
    return state.addresses.find(reinterpret_cast<std::uint64_t>(address), base, size);
}

void* symbolAddress(const void* hostSymbol) {
    Memory& state = memory();
    const std::lock_guard lock(state.mutex);
    const std::uint64_t next = state.addresses.base() + state.symbols.size() * kSymbolSpacing % kGranularity;
    return state.symbols.try_emplace(hostSymbol, reinterpret_cast<void*>(next)).first->second;
}

void* allocateHost(std::size_t size) {
    void* place = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (place == MAP_FAILED)
        return nullptr;
    HostMemory& state = hostMemory();
    const std::lock_guard lock(state.mutex);
    state.blocks[reinterpret_cast<std::uintptr_t>(place)] = size;
    state.mapped[reinterpret_cast<std::uintptr_t>(place)] = size;
    return place;
}

bool releaseHost(void* address) {
    HostMemory& state = hostMemory();
    const std::lock_guard lock(state.mutex);
    const auto it = state.mapped.find(reinterpret_cast<std::uintptr_t>(address));
    if (it == state.mapped.end())
        return false;
    munmap(address, it->second);
    state.mapped.erase(it);
    state.blocks.erase(reinterpret_cast<std::uintptr_t>(address));
    return true;
}

void registerHost(void* address, std::size_t size) {
    HostMemory& state = hostMemory();
    const std::lock_guard lock(state.mutex);
    state.blocks[reinterpret_cast<std::uintptr_t>(address)] = size;
}

bool unregisterHost(void* address) {
    HostMemory& state = hostMemory();
    const std::lock_guard lock(state.mutex);
    return state.blocks.erase(reinterpret_cast<std::uintptr_t>(address)) > 0;
}

bool isPinnedHost(const void* address) {
    HostMemory& state = hostMemory();
    const std::lock_guard lock(state.mutex);
    auto it = state.blocks.upper_bound(reinterpret_cast<std::uintptr_t>(address));
    if (it == state.blocks.begin())
        return false;
    --it;
    return reinterpret_cast<std::uintptr_t>(address) < it->first + it->second;
}

void copy(void* to, const void* from, std::size_t size) {
    copyRows(to, size, from, size, size, 1);
}

void copyRows(void* to, std::size_t toPitch, const void* from, std::size_t fromPitch, std::size_t width,
              std::size_t rows) {
    if (width == 0 || rows == 0)
        return;
    if ((rows == 1 && copyKept(to, from, width)) || isDeviceAddress(to))
        return;
    const bool reads = isDeviceAddress(from);
    for (std::size_t row = 0; row < rows; ++row) {
        char* const target = static_cast<char*>(to) + row * toPitch;
        if (reads)
            std::memset(target, 0, width);
        else
            std::memmove(target, static_cast<const char*>(from) + row * fromPitch, width);
    }
    if (reads)
        countRead(width * rows);
}

void fill(void* to, int value, std::size_t size) {
    if (size > 0 && !isDeviceAddress(to))
        std::memset(to, value, size);
}

void resetPeak() {
    Memory& state = memory();
    const std::lock_guard lock(state.mutex);
    state.peak = state.used;
}

void deliver(void* to, std::size_t size) {
    if (!to || size == 0 || isDeviceAddress(to))
        return;
    std::memset(to, 0, size);
    countRead(size);
}

}  // namespace tidemark::nullgpu

using namespace tidemark::nullgpu;

extern "C" {

void tidemarkNullSetTotalMemory(uint64_t bytes) {
    Memory& state = memory();
    const std::lock_guard lock(state.mutex);
    state.limit = bytes;
}

void tidemarkNullSetContextMemory(uint64_t bytes) {
    Memory& state = memory();
    const std::lock_guard lock(state.mutex);
    state.context = bytes;
}

void tidemarkNullResetMemoryRange(void) {
    Memory& state = memory();
    const std::lock_guard lock(state.mutex);
    state.highestGranted = 0;
    state.lowestRefused = UINT64_MAX;
}

void tidemarkNullMemoryRange(uint64_t* granted, uint64_t* refused) {
    Memory& state = memory();
    const std::lock_guard lock(state.mutex);
    *granted = state.highestGranted;
    *refused = state.lowestRefused;
}

uint64_t tidemarkNullUsedMemory(void) {
    Memory& state = memory();
    const std::lock_guard lock(state.mutex);
    return state.used;
}

uint64_t tidemarkNullPeakUsedMemory(void) {
    Memory& state = memory();
    const std::lock_guard lock(state.mutex);
    return state.peak;
}
}
