/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TIDEMARK_NULLGPU_CONTROL_H
#define TIDEMARK_NULLGPU_CONTROL_H

#include <stdint.h>

/* How a program that knows it runs over the null GPU talks to it. The functions are exported by the null
 * libcuda.so.1; look them up with dlsym(), so that the same program also runs on a real driver, where they
 * are absent. All of them may be called from any thread. */
#ifdef __cplusplus
extern "C" {
#endif

struct TidemarkNullCounters {
    uint64_t deviceReads;     /* copies from device to host: every value in them reads as zero */
    uint64_t deviceReadBytes;
    uint64_t launches;        /* kernels */
    uint64_t gemms;           /* cuBLAS and cuBLASLt matrix products */
    uint64_t convolutions;    /* executed cuDNN plans and legacy convolution calls */
};

/* Total memory of the device from now on; 0 brings back the described card's. What is allocated stays. */
void tidemarkNullSetTotalMemory(uint64_t bytes);

/* Memory that counts as taken by the CUDA context, so that allocations fail where they would on a card of this
 * size; 0 at the start. */
void tidemarkNullSetContextMemory(uint64_t bytes);

/* Memory of the device in use by cudaMalloc and its kin, without the context, and its highest value so far. */
uint64_t tidemarkNullUsedMemory(void);
uint64_t tidemarkNullPeakUsedMemory(void);

/* The highest total that the device had to have for what it granted since the last reset, and the lowest that it
 * would have needed for what it refused, UINT64_MAX when it refused nothing. With any total memory from the one up
 * to below the other it would have answered the same. */
void tidemarkNullResetMemoryRange(void);
void tidemarkNullMemoryRange(uint64_t* granted, uint64_t* refused);

void tidemarkNullCounters(struct TidemarkNullCounters* counters);

/* Sets all counters, the unmodelled calls' too, to zero, and the peak to what is in use. */
void tidemarkNullResetCounters(void);

/* Calls visit for every function that was called since the last reset and that a generated stub answered. */
void tidemarkNullForEachUnmodelled(void (*visit)(const char* name, uint64_t count, void* context), void* context);

/* Calls callback on the reading thread at each copy from device to host; a null callback ends this. */
void tidemarkNullOnDeviceRead(void (*callback)(uint64_t bytes, void* context), void* context);

/* From now on (1) until told otherwise (0): what is copied to the device, up to 1 MiB a piece, reads back as it was
 * written, for code that sends sizes or indices through the device to itself. Kernels leave it as it is, so that a
 * block that is used again reads as its former content: keep copies for a few calls only. Off at the start. */
void tidemarkNullKeepCopies(int keep);

/* Where the sizes of convolution workspaces come from: "cudnn 9.26.1", "estimate", "estimate-low",
 * "estimate-high" or "none". Settled at the first convolution, or by this call. */
const char* tidemarkNullWorkspaceSource(void);

/* Why the wish in TIDEMARK_WORKSPACE=cudnn was not granted, one sentence; empty when it was, or was not made. */
const char* tidemarkNullWorkspaceProblem(void);

#ifdef __cplusplus
}
#endif
#endif
