// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

/// What the stand-in libraries share. The state is one per process, as a driver's is, and lives in the null
/// libcuda.so.1; the others link to it.
namespace tidemark::nullgpu {

/// The card that is described to LibTorch. Sizes in bytes, clocks in kHz.
struct Device {
    std::string name = "NVIDIA A100-SXM4-80GB";
    int capabilityMajor = 8;
    int capabilityMinor = 0;
    int multiprocessors = 108;
    std::uint64_t memory = 84987084800;
    int threadsPerMultiprocessor = 2048;
    int blocksPerMultiprocessor = 32;
    int sharedMemoryPerBlockOptin = 166912;
    int sharedMemoryPerMultiprocessor = 167936;
    int l2Cache = 41943040;
    int memoryBusWidth = 5120;
    int clockKHz = 1410000;
    int memoryClockKHz = 1593000;
    /// What a driver would take besides tensors, and what other programs have: both count as used. With them the null
    /// GPU can pose as a real one.
    std::uint64_t contextMemory = 0;
    std::uint64_t otherMemory = 0;
    std::string driver = "1.0";

    /// Reads the JSON object of TIDEMARK_NULL_DEVICE; missing fields keep the values above.
    /// Throws std::exception with a readable message when the text is no such object.
    static Device fromJson(const std::string& text);

    /// 100·major + 10·minor, as cuDNN writes it.
    int version() const { return capabilityMajor * 100 + capabilityMinor * 10; }

    /// The architecture (86 for 8.6 and 8.9) whose kernels of this LibTorch the driver would choose.
    int kernelArchitecture() const;

    /// The value of a CUdevice_attribute, which cudaDeviceAttr numbers in the same way; 0 for unknown ones.
    int attribute(int which) const;
};

/// The described device; TIDEMARK_NULL_DEVICE is read at the first call. Ends the process with a sentence on
/// standard error when the description is unreadable: an answer for another card would be worse than none.
const Device& device();

/// Thread blocks of this size that one multiprocessor holds at a time, going by threads, block slots and shared
/// memory. Registers are not considered: the kernels' needs are unknown here.
int activeBlocks(int threadsPerBlock, std::size_t dynamicSharedMemory);

enum class MemoryError { None, OutOfMemory, InvalidValue };

struct MemoryInfo {
    std::uint64_t free;
    std::uint64_t total;
};

/// Allocates device memory: an address range nobody can access, rounded up to 2 MiB.
MemoryError allocate(void** address, std::size_t size);
MemoryError release(void* address);
MemoryInfo memoryInfo();
/// What NVML would show for this process: nothing before its first allocation, then with the context.
std::uint64_t processMemory();

/// Address ranges and physical memory apart, for the driver's virtual memory functions.
MemoryError reserveAddresses(std::uint64_t* address, std::size_t size, std::size_t alignment);
MemoryError releaseAddresses(std::uint64_t address);
MemoryError createPhysical(std::uint64_t* handle, std::size_t size);
MemoryError releasePhysical(std::uint64_t handle);

bool isDeviceAddress(const void* address);
/// The allocation or reservation that holds an address; false when there is none.
bool findRange(const void* address, std::uint64_t* base, std::size_t* size);
/// A device address that stands for a `__device__` variable, always the same for one variable.
void* symbolAddress(const void* hostSymbol);

/// Pinned host memory: real, zeroed, and remembered for pointer queries.
void* allocateHost(std::size_t size);
bool releaseHost(void* address);
void registerHost(void* address, std::size_t size);
bool unregisterHost(void* address);
bool isPinnedHost(const void* address);

/// memcpy where device memory swallows what is written and reads as zeros. Reads are counted.
void copy(void* to, const void* from, std::size_t size);
/// `rows` rows of `width` bytes; counted as one read.
void copyRows(void* to, std::size_t toPitch, const void* from, std::size_t fromPitch, std::size_t width,
              std::size_t rows);
/// A copy of one piece while copies are kept (tidemarkNullKeepCopies): remembers what goes to the device. True when
/// it was a read that got what was written there; it is not counted then.
bool copyKept(void* to, const void* from, std::size_t size);
void fill(void* to, int value, std::size_t size);
/// Zeroes a result that a library function writes to the host or the device. Counted when it is on the host.
void deliver(void* to, std::size_t size);

/// Counts one copy from device to host.
void countRead(std::uint64_t bytes);
/// Makes what is in use now the highest use of memory so far.
void resetPeak();

enum class Work { Launch, Gemm, Convolution };
void count(Work work);

/// The driver function of this name, in the newest version this library has; null when there is none.
void* driverEntry(const char* name);

/// Where convolution workspaces come from, and why not from where they were asked for.
struct WorkspaceState {
    std::string source = "none";
    std::string problem;
};
/// The null cuDNN says at its loading how to learn this.
void setWorkspaceResolver(const WorkspaceState& (*resolve)());

}  // namespace tidemark::nullgpu
