// SPDX-License-Identifier: Apache-2.0
// Drives the null libraries as a program would that knows only NVIDIA's headers: loaded by name, one after the other.
#include "engine/nullgpu/control.h"

#include <QFile>
#include <QTest>

#include <cuda.h>
#include <cuda_runtime_api.h>
#include <dlfcn.h>

#include <cstring>
#include <functional>
#include <map>
#include <string>

namespace {

constexpr std::uint64_t kMiB = 1u << 20;
constexpr std::uint64_t kMemory = 1024 * kMiB;

/// A function of the loaded libraries with the type its header gives it.
template <class Function>
Function* find(const char* name) {
    auto* function = reinterpret_cast<Function*>(dlsym(RTLD_DEFAULT, name));
    if (!function)
        qFatal("%s is missing", name);
    return function;
}
#define CALL(name) find<decltype(name)>(#name)
/// For functions whose headers need not be installed: all arguments are ints or pointers.
template <class... Arguments>
int call(const char* name, Arguments... arguments) {
    return find<int(Arguments...)>(name)(arguments...);
}

/// Runs the function on a result full of 0xAA and tells whether it wrote all of it.
template <class T>
bool writes(const std::function<void(T*)>& function) {
    T first;
    T second;
    std::memset(&first, 0xAA, sizeof first);
    std::memset(&second, 0x55, sizeof second);
    function(&first);
    function(&second);
    return std::memcmp(&first, &second, sizeof first) == 0;
}

TidemarkNullCounters counters() {
    TidemarkNullCounters result;
    CALL(tidemarkNullCounters)(&result);
    return result;
}

std::map<std::string, std::uint64_t> unmodelled() {
    std::map<std::string, std::uint64_t> calls;
    CALL(tidemarkNullForEachUnmodelled)(
        [](const char* name, uint64_t count, void* context) {
            (*static_cast<std::map<std::string, std::uint64_t>*>(context))[name] = count;
        },
        &calls);
    return calls;
}

std::size_t freeMemory() {
    std::size_t free = 0;
    std::size_t total = 0;
    CALL(cudaMemGetInfo)(&free, &total);
    return free;
}

}  // namespace

class NullRuntimeTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() {
        qputenv("TIDEMARK_NULL_DEVICE", R"({"name": "A test card", "capability_major": 8, "capability_minor": 6,
            "multiprocessors": 10, "memory": 1073741824, "threads_per_multiprocessor": 1536,
            "blocks_per_multiprocessor": 16, "shared_memory_per_block_optin": 101376,
            "shared_memory_per_multiprocessor": 102400})");
        QFile order(QString(TIDEMARK_NULL_DIR) + "/preload-order.txt");
        QVERIFY(order.open(QIODevice::ReadOnly));
        for (const QByteArray& name : order.readAll().simplified().split(' ')) {
            const QByteArray path = TIDEMARK_NULL_DIR "/" + name;
            QVERIFY2(dlopen(path.constData(), RTLD_NOW | RTLD_GLOBAL), dlerror());
        }
    }
    void init() {
        CALL(tidemarkNullSetTotalMemory)(0);
        CALL(tidemarkNullSetContextMemory)(0);
        CALL(tidemarkNullResetCounters)();
    }

    void theCardIsTheDescribedOne() {
        cudaDeviceProp properties;
        QCOMPARE(CALL(cudaGetDeviceProperties)(&properties, 0), cudaSuccess);
        QCOMPARE(QString(properties.name), QString("A test card"));
        QCOMPARE(properties.major, 8);
        QCOMPARE(properties.minor, 6);
        QCOMPARE(properties.multiProcessorCount, 10);
        QCOMPARE(properties.totalGlobalMem, std::size_t{kMemory});
        QCOMPARE(properties.sharedMemPerBlockOptin, std::size_t{101376});
        QCOMPARE(CALL(cudaGetDeviceProperties)(&properties, 1), cudaErrorInvalidDevice);
        int multiprocessors = 0;
        QCOMPARE(CALL(cudaDeviceGetAttribute)(&multiprocessors, cudaDevAttrMultiProcessorCount, 0), cudaSuccess);
        QCOMPARE(multiprocessors, 10);
    }

    void memoryIsTakenAndGivenBackIn2MiBUnits() {
        const std::size_t before = freeMemory();
        void* address = nullptr;
        QCOMPARE(CALL(cudaMalloc)(&address, 1), cudaSuccess);
        QCOMPARE(before - freeMemory(), std::size_t{2 * kMiB});
        QCOMPARE(CALL(cudaFree)(address), cudaSuccess);
        QCOMPARE(freeMemory(), before);
        QCOMPARE(CALL(cudaFree)(address), cudaErrorInvalidValue);
        QCOMPARE(CALL(cudaFree)(nullptr), cudaSuccess);
    }

    void livingAllocationsDoNotOverlap() {
        constexpr std::size_t kSize = 3 * kMiB;
        std::map<std::uintptr_t, void*> living;
        for (int i = 0; i < 20; ++i) {
            void* address = nullptr;
            QCOMPARE(CALL(cudaMalloc)(&address, kSize), cudaSuccess);
            living[reinterpret_cast<std::uintptr_t>(address)] = address;
            if (i % 3 == 2) {
                QCOMPARE(CALL(cudaFree)(living.begin()->second), cudaSuccess);
                living.erase(living.begin());
            }
        }
        std::uintptr_t end = 0;
        for (const auto& [begin, address] : living) {
            QVERIFY(begin >= end);
            QCOMPARE(begin % (2 * kMiB), std::uintptr_t{0});
            end = begin + kSize;
        }
        for (const auto& [begin, address] : living)
            CALL(cudaFree)(address);
    }

    void moreThanTheCardHasIsRefused() {
        void* address = nullptr;
        QCOMPARE(CALL(cudaMalloc)(&address, kMemory + 1), cudaErrorMemoryAllocation);
        QVERIFY(!address);
        QCOMPARE(CALL(cudaGetLastError)(), cudaErrorMemoryAllocation);
        QCOMPARE(CALL(cudaGetLastError)(), cudaSuccess);
        QCOMPARE(CALL(cudaMalloc)(&address, kMemory), cudaSuccess);
        CALL(cudaFree)(address);
    }

    void theLimitMovesAtRunTime() {
        void* address = nullptr;
        CALL(tidemarkNullSetTotalMemory)(100 * kMiB);
        QCOMPARE(CALL(cudaMalloc)(&address, 101 * kMiB), cudaErrorMemoryAllocation);
        QCOMPARE(CALL(cudaMalloc)(&address, 100 * kMiB), cudaSuccess);
        CALL(cudaFree)(address);
        CALL(tidemarkNullSetContextMemory)(10 * kMiB);
        QCOMPARE(freeMemory(), std::size_t{90 * kMiB});
        QCOMPARE(CALL(cudaMalloc)(&address, 92 * kMiB), cudaErrorMemoryAllocation);
        CALL(tidemarkNullSetTotalMemory)(0);
        QCOMPARE(freeMemory(), std::size_t{kMemory - 10 * kMiB});
        CALL(cudaGetLastError)();
    }

    void rangeLiesBetweenWhatWasGrantedAndRefused() {
        std::uint64_t granted = 0;
        std::uint64_t refused = 0;
        const std::uint64_t before = kMemory - freeMemory();
        void* address = nullptr;
        CALL(tidemarkNullResetMemoryRange)();
        QCOMPARE(CALL(cudaMalloc)(&address, 30 * kMiB), cudaSuccess);
        CALL(cudaFree)(address);
        CALL(tidemarkNullMemoryRange)(&granted, &refused);
        QCOMPARE(granted, before + 30 * kMiB);
        QCOMPARE(refused, UINT64_MAX);
        CALL(tidemarkNullSetTotalMemory)(before + 40 * kMiB);
        for (const std::size_t size : {90 * kMiB, 50 * kMiB, 60 * kMiB})
            QCOMPARE(CALL(cudaMalloc)(&address, size), cudaErrorMemoryAllocation);
        CALL(tidemarkNullMemoryRange)(&granted, &refused);
        QCOMPARE(granted, before + 30 * kMiB);
        QCOMPARE(refused, before + 50 * kMiB);
        CALL(tidemarkNullSetTotalMemory)(0);
        CALL(cudaGetLastError)();
    }

    void usedMemoryKeepsItsPeak() {
        void* first = nullptr;
        void* second = nullptr;
        CALL(cudaMalloc)(&first, 10 * kMiB);
        CALL(cudaMalloc)(&second, 20 * kMiB);
        CALL(cudaFree)(second);
        QCOMPARE(CALL(tidemarkNullUsedMemory)(), 10 * kMiB);
        QCOMPARE(CALL(tidemarkNullPeakUsedMemory)(), 30 * kMiB);
        CALL(tidemarkNullResetCounters)();
        QCOMPARE(CALL(tidemarkNullPeakUsedMemory)(), 10 * kMiB);
        CALL(cudaFree)(first);
    }

    void physicalMemoryCountsAndAddressesDoNot() {
        const std::size_t before = freeMemory();
        CUdeviceptr address = 0;
        QCOMPARE(find<CUresult(CUdeviceptr*, size_t, size_t, CUdeviceptr, unsigned long long)>("cuMemAddressReserve")(
                     &address, 4 * kMemory, 0, 0, 0),
                 CUDA_SUCCESS);
        QCOMPARE(freeMemory(), before);
        const auto create = find<CUresult(CUmemGenericAllocationHandle*, size_t, const CUmemAllocationProp*,
                                          unsigned long long)>("cuMemCreate");
        CUmemGenericAllocationHandle handle = 0;
        CUmemGenericAllocationHandle tooMuch = 0;
        QCOMPARE(create(&handle, 20 * kMiB, nullptr, 0), CUDA_SUCCESS);
        QCOMPARE(before - freeMemory(), std::size_t{20 * kMiB});
        QCOMPARE(create(&tooMuch, kMemory, nullptr, 0), CUDA_ERROR_OUT_OF_MEMORY);
        QCOMPARE(find<CUresult(CUmemGenericAllocationHandle)>("cuMemRelease")(handle), CUDA_SUCCESS);
        QCOMPARE(find<CUresult(CUmemGenericAllocationHandle)>("cuMemRelease")(handle), CUDA_ERROR_INVALID_VALUE);
        QCOMPARE(freeMemory(), before);
        QCOMPARE(find<CUresult(CUdeviceptr, size_t)>("cuMemAddressFree")(address, 0), CUDA_SUCCESS);
    }

    void pointersKnowWhereTheyPoint() {
        const auto typeOf = [](const void* address) {
            cudaPointerAttributes attributes;
            CALL(cudaPointerGetAttributes)(&attributes, address);
            return attributes.type;
        };
        void* onDevice = nullptr;
        void* pinned = nullptr;
        int onHost = 0;
        CALL(cudaMalloc)(&onDevice, 100);
        CALL(cudaHostAlloc)(&pinned, 100, 0);
        QCOMPARE(typeOf(onDevice), cudaMemoryTypeDevice);
        QCOMPARE(typeOf(static_cast<char*>(onDevice) + 99), cudaMemoryTypeDevice);
        QCOMPARE(typeOf(pinned), cudaMemoryTypeHost);
        QCOMPARE(typeOf(&onHost), cudaMemoryTypeUnregistered);
        CALL(cudaHostRegister)(&onHost, sizeof onHost, 0);
        QCOMPARE(typeOf(&onHost), cudaMemoryTypeHost);
        CALL(cudaHostUnregister)(&onHost);
        QCOMPARE(typeOf(&onHost), cudaMemoryTypeUnregistered);
        CALL(cudaFree)(onDevice);
        QCOMPARE(CALL(cudaFreeHost)(pinned), cudaSuccess);
    }

    void deviceMemoryReadsAsZeroAndReadsAreCounted() {
        void* onDevice = nullptr;
        CALL(cudaMalloc)(&onDevice, 64);
        int values[4] = {1, 2, 3, 4};
        CALL(cudaMemcpy)(onDevice, values, sizeof values, cudaMemcpyHostToDevice);
        QCOMPARE(counters().deviceReads, std::uint64_t{0});
        CALL(cudaMemcpyAsync)(values, onDevice, sizeof values, cudaMemcpyDeviceToHost, nullptr);
        for (const int value : values)
            QCOMPARE(value, 0);
        QCOMPARE(counters().deviceReads, std::uint64_t{1});
        QCOMPARE(counters().deviceReadBytes, std::uint64_t{sizeof values});
        CALL(cudaFree)(onDevice);
    }

    void keptCopiesReadBackAsWrittenUntilTheyAreForgotten() {
        void* first = nullptr;
        void* second = nullptr;
        CALL(cudaMalloc)(&first, 64);
        CALL(cudaMalloc)(&second, 64);
        const int written[2] = {7, 8};
        int read[2] = {};
        CALL(tidemarkNullKeepCopies)(1);
        CALL(cudaMemcpy)(first, written, sizeof written, cudaMemcpyHostToDevice);
        CALL(cudaMemcpy)(second, first, sizeof written, cudaMemcpyDeviceToDevice);
        CALL(cudaMemcpy)(read, second, sizeof read, cudaMemcpyDeviceToHost);
        QCOMPARE(read[1], 8);
        QCOMPARE(counters().deviceReads, std::uint64_t{0});
        CALL(tidemarkNullKeepCopies)(0);
        CALL(cudaMemcpy)(read, second, sizeof read, cudaMemcpyDeviceToHost);
        QCOMPARE(read[1], 0);
        QCOMPARE(counters().deviceReads, std::uint64_t{1});
        CALL(cudaFree)(first);
        CALL(cudaFree)(second);
    }

    void hostCopiesStayCopiesAndAreNoReads() {
        const int from[2] = {7, 8};
        int to[2] = {};
        CALL(cudaMemcpy)(to, from, sizeof from, cudaMemcpyDefault);
        QCOMPARE(to[1], 8);
        QCOMPARE(counters().deviceReads, std::uint64_t{0});
    }

    void rowsOutsideTheWidthStayUntouched() {
        void* onDevice = nullptr;
        CALL(cudaMalloc)(&onDevice, 64);
        char target[8];
        std::memset(target, 9, sizeof target);
        CALL(cudaMemcpy2D)(target, 4, onDevice, 4, 2, 2, cudaMemcpyDeviceToHost);
        QCOMPARE(QByteArray(target, 8), QByteArray("\0\0\x09\x09\0\0\x09\x09", 8));
        QCOMPARE(counters().deviceReads, std::uint64_t{1});
        QCOMPARE(counters().deviceReadBytes, std::uint64_t{4});
        CALL(cudaFree)(onDevice);
    }

    void readsAreToldToTheCallback() {
        void* onDevice = nullptr;
        CALL(cudaMalloc)(&onDevice, 64);
        std::uint64_t told = 0;
        CALL(tidemarkNullOnDeviceRead)([](uint64_t bytes, void* sum) { *static_cast<std::uint64_t*>(sum) += bytes; },
                                       &told);
        double value = 1;
        CALL(cudaMemcpy)(&value, onDevice, sizeof value, cudaMemcpyDeviceToHost);
        CALL(tidemarkNullOnDeviceRead)(nullptr, nullptr);
        CALL(cudaMemcpy)(&value, onDevice, sizeof value, cudaMemcpyDeviceToHost);
        QCOMPARE(told, std::uint64_t{sizeof value});
        CALL(cudaFree)(onDevice);
    }

    void onlyFunctionsNobodyThoughtOfAreReported() {
        QVERIFY(unmodelled().empty());
        call("cudaFuncSetAttribute", static_cast<void*>(nullptr), 0, 0);
        QVERIFY(unmodelled().empty());
        QCOMPARE(call("cudaGraphLaunch", static_cast<void*>(nullptr), static_cast<void*>(nullptr)), 0);
        QCOMPARE(call("cudaGraphLaunch", static_cast<void*>(nullptr), static_cast<void*>(nullptr)), 0);
        QCOMPARE(unmodelled().at("cudaGraphLaunch"), std::uint64_t{2});
        CALL(tidemarkNullResetCounters)();
        QVERIFY(unmodelled().empty());
        call("cudaGraphLaunch", static_cast<void*>(nullptr), static_cast<void*>(nullptr));
        QCOMPARE(unmodelled().at("cudaGraphLaunch"), std::uint64_t{1});
    }

    void launchesComeWithTheirConfigurationAndAreCounted() {
        const auto push = find<unsigned(dim3, dim3, size_t, cudaStream_t)>("__cudaPushCallConfiguration");
        const auto pop = find<cudaError_t(dim3*, dim3*, size_t*, void*)>("__cudaPopCallConfiguration");
        push(dim3(1, 2, 3), dim3(4), 5, nullptr);
        push(dim3(6), dim3(7), 8, nullptr);
        dim3 grid;
        dim3 block;
        std::size_t shared = 0;
        cudaStream_t stream = nullptr;
        QCOMPARE(pop(&grid, &block, &shared, &stream), cudaSuccess);
        QCOMPARE(grid.x, 6u);
        QCOMPARE(pop(&grid, &block, &shared, &stream), cudaSuccess);
        QCOMPARE(grid.z, 3u);
        QCOMPARE(shared, std::size_t{5});
        QCOMPARE(pop(&grid, &block, &shared, &stream), cudaErrorMissingConfiguration);
        CALL(cudaLaunchKernel)(nullptr, grid, block, nullptr, 0, nullptr);
        QCOMPARE(counters().launches, std::uint64_t{1});
        CALL(cudaGetLastError)();
    }

    void occupancyFollowsThreadsBlocksAndSharedMemory_data() {
        QTest::addColumn<int>("threads");
        QTest::addColumn<int>("sharedMemory");
        QTest::addColumn<int>("blocks");
        QTest::newRow("threads limit") << 256 << 0 << 6;
        QTest::newRow("threads are counted in warps") << 257 << 0 << 5;
        QTest::newRow("block slots limit") << 32 << 0 << 16;
        QTest::newRow("shared memory limits") << 32 << 49152 << 2;
        QTest::newRow("too many threads") << 2048 << 0 << 0;
    }
    void occupancyFollowsThreadsBlocksAndSharedMemory() {
        QFETCH(int, threads);
        QFETCH(int, sharedMemory);
        int blocks = -1;
        const auto occupancy = find<cudaError_t(int*, const void*, int, size_t)>(
            "cudaOccupancyMaxActiveBlocksPerMultiprocessor");
        QCOMPARE(occupancy(&blocks, nullptr, threads, static_cast<std::size_t>(sharedMemory)), cudaSuccess);
        QTEST(blocks, "blocks");
    }

    void eventsLieApart() {
        cudaEvent_t begin = nullptr;
        cudaEvent_t end = nullptr;
        find<cudaError_t(cudaEvent_t*)>("cudaEventCreate")(&begin);
        find<cudaError_t(cudaEvent_t*)>("cudaEventCreate")(&end);
        CALL(cudaEventRecord)(begin, nullptr);
        CALL(cudaEventRecord)(end, nullptr);
        float milliseconds = -1;
        CALL(cudaEventElapsedTime)(&milliseconds, begin, end);
        QVERIFY(milliseconds > 0);
        CALL(cudaEventDestroy)(begin);
        CALL(cudaEventDestroy)(end);
    }

    void driverEntriesAreTheNewestVersions() {
        const auto entry = find<cudaError_t(const char*, void**, unsigned, unsigned long long,
                                            cudaDriverEntryPointQueryResult*)>("cudaGetDriverEntryPointByVersion");
        void* function = nullptr;
        cudaDriverEntryPointQueryResult status;
        entry("cuMemAlloc", &function, 13000, 0, &status);
        QCOMPARE(status, cudaDriverEntryPointSuccess);
        QCOMPARE(function, dlsym(RTLD_DEFAULT, "cuMemAlloc_v2"));
        entry("cuNothingOfThatName", &function, 13000, 0, &status);
        QCOMPARE(status, cudaDriverEntryPointSymbolNotFound);
        QVERIFY(!function);
    }

    void everyResultIsWritten_data() {
        QTest::addColumn<std::function<bool()>>("written");
        const auto row = [](const char* name, std::function<bool()> written) { QTest::newRow(name) << written; };
        const auto size = [&](const char* name, std::function<void(std::size_t*)> function) {
            row(name, [=] { return writes<std::size_t>(function); });
        };
        const auto integer = [&](const char* name, std::function<void(int*)> function) {
            row(name, [=] { return writes<int>(function); });
        };
        void* const none = nullptr;
        row("cudaDeviceProp", [] {
            return writes<cudaDeviceProp>([](cudaDeviceProp* p) { CALL(cudaGetDeviceProperties)(p, 0); });
        });
        row("cudaFuncAttributes", [] {
            return writes<cudaFuncAttributes>([](cudaFuncAttributes* a) {
                find<cudaError_t(cudaFuncAttributes*, const void*)>("cudaFuncGetAttributes")(a, nullptr);
            });
        });
        row("cudaPointerAttributes", [] {
            return writes<cudaPointerAttributes>(
                [](cudaPointerAttributes* a) { CALL(cudaPointerGetAttributes)(a, nullptr); });
        });
        row("capture status", [] {
            return writes<cudaStreamCaptureStatus>(
                [](cudaStreamCaptureStatus* s) { CALL(cudaStreamIsCapturing)(nullptr, s); });
        });
        row("memory pool attribute", [] {
            return writes<std::uint64_t>([](std::uint64_t* v) {
                CALL(cudaMemPoolGetAttribute)(nullptr, cudaMemPoolAttrReservedMemCurrent, v);
            });
        });
        integer("cudaDriverGetVersion", [](int* v) { CALL(cudaDriverGetVersion)(v); });
        integer("cudaDeviceCanAccessPeer", [](int* v) { CALL(cudaDeviceCanAccessPeer)(v, 0, 0); });
        integer("cudnnGetProperty", [](int* v) { call("cudnnGetProperty", 0, v); });
        integer("cublasGetVersion", [=](int* v) { call("cublasGetVersion_v2", none, v); });
        integer("cublasGetProperty", [](int* v) { call("cublasGetProperty", 1, v); });
        integer("cuptiGetVersion", [](int* v) { call("cuptiGetVersion", v); });
        integer("ncclGetVersion", [](int* v) { call("ncclGetVersion", v); });
        integer("ncclCommGetAsyncError", [=](int* v) { call("ncclCommGetAsyncError", none, v); });
        integer("nvmlDeviceGetCount", [](int* v) { call("nvmlDeviceGetCount_v2", v); });
        integer("cusparseXbsrsv2_zeroPivot", [=](int* v) { call("cusparseXbsrsv2_zeroPivot", none, none, v); });
        size("cudnnDropoutGetStatesSize", [=](std::size_t* v) { call("cudnnDropoutGetStatesSize", none, v); });
        size("batch norm forward", [=](std::size_t* v) {
            call("cudnnGetBatchNormalizationForwardTrainingExWorkspaceSize", none, 0, 0, none, none, none, none, none,
                 v);
        });
        size("batch norm backward", [=](std::size_t* v) {
            call("cudnnGetBatchNormalizationBackwardExWorkspaceSize", none, 0, 0, none, none, none, none, none, none,
                 none, v);
        });
        size("batch norm reserve", [=](std::size_t* v) {
            call("cudnnGetBatchNormalizationTrainingExReserveSpaceSize", none, 0, 0, none, none, v);
        });
        size("convolution forward", [=](std::size_t* v) {
            call("cudnnGetConvolutionForwardWorkspaceSize", none, none, none, none, none, 0, v);
        });
        size("nvrtcGetPTXSize", [=](std::size_t* v) { call("nvrtcGetPTXSize", none, v); });
        size("nvrtcGetProgramLogSize", [=](std::size_t* v) { call("nvrtcGetProgramLogSize", none, v); });
        size("cusparseXcoosort", [=](std::size_t* v) {
            call("cusparseXcoosort_bufferSizeExt", none, 1, 1, 1, none, none, v);
        });
        integer("cusolver gesvd", [=](int* v) { call("cusolverDnSgesvd_bufferSize", none, 8, 4, v); });
        integer("cusolver getrf", [=](int* v) { call("cusolverDnDgetrf_bufferSize", none, 8, 4, none, 8, v); });
        integer("cusolver ungqr", [=](int* v) {
            call("cusolverDnCungqr_bufferSize", none, 8, 4, 4, none, 8, none, v);
        });
        integer("cusolver heevd", [=](int* v) {
            call("cusolverDnZheevd_bufferSize", none, 0, 0, 4, none, 4, none, v);
        });
        row("cublasLt heuristic", [=] {
            return writes<std::array<char, 96>>([=](std::array<char, 96>* result) {
                int found = 0;
                call("cublasLtMatmulAlgoGetHeuristic", none, none, none, none, none, none, none, 1,
                     static_cast<void*>(result), &found);
            });
        });
        row("cublasLt capability", [=] {
            return writes<std::array<char, 16>>([=](std::array<char, 16>* result) {
                std::size_t written = 0;
                call("cublasLtMatmulAlgoCapGetAttribute", none, 0, static_cast<void*>(result), sizeof *result,
                     &written);
            });
        });
    }
    void everyResultIsWritten() {
        QFETCH(std::function<bool()>, written);
        QVERIFY(written());
    }

    void cudnnReportsOneVersionEverywhere() {
        int major = 0;
        int minor = 0;
        int patch = 0;
        call("cudnnGetProperty", 0, &major);
        call("cudnnGetProperty", 1, &minor);
        call("cudnnGetProperty", 2, &patch);
        const auto version = static_cast<std::size_t>(major * 10000 + minor * 100 + patch);
        QCOMPARE(find<std::size_t()>("cudnnGetVersion")(), version);
        QCOMPARE(major, 9);
    }

    void convolutionsNeedNoWorkspaceUnlessAsked() {
        QCOMPARE(QString(CALL(tidemarkNullWorkspaceSource)()), QString("none"));
        QCOMPARE(QString(CALL(tidemarkNullWorkspaceProblem)()), QString());
    }
};

QTEST_GUILESS_MAIN(NullRuntimeTest)
#include "tst_nullruntime.moc"
