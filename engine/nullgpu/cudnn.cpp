// SPDX-License-Identifier: Apache-2.0
// cuDNN's legacy interface: descriptors that remember what they are given, and sizes. Calls that compute do nothing.
#include "engine/nullgpu/core.h"
#include "engine/nullgpu/cudnn_types.h"

#include <algorithm>
#include <cstdint>

using namespace tidemark::nullgpu;
using namespace tidemark::nullgpu::cudnn;

namespace tidemark::nullgpu::cudnn {

std::size_t elementSize(int dataType) {
    switch (dataType) {
    case Double:
    case Int64: return 8;
    case Half:
    case BFloat16: return 2;
    case Int8:
    case UInt8:
    case Boolean: return 1;
    default: return 4;
    }
}

std::size_t attributeSize(int attributeType) {
    switch (attributeType) {
    case TypeHandle:
    case TypeInt64:
    case TypeDouble:
    case TypeVoidPointer:
    case TypeDescriptor: return 8;
    case TypeBoolean:
    case TypeChar: return 1;
    case TypeFraction: return 16;
    default: return 4;
    }
}

}  // namespace tidemark::nullgpu::cudnn

namespace {

struct Handle {
    void* stream = nullptr;
};

/// Descriptors nobody asks about.
struct Opaque {};

template <class T>
Status create(void** descriptor) {
    *descriptor = new T;
    return kSuccess;
}

template <class T>
Status destroy(void* descriptor) {
    delete static_cast<T*>(descriptor);
    return kSuccess;
}

/// cudnnConvolutionFwdAlgoPerf_t and its two kin.
struct AlgorithmPerformance {
    int algorithm = 1;
    Status status = kSuccess;
    float time = 1.0F;
    std::size_t memory = 0;
    int determinism = 1;
    int mathType = 0;
    std::array<int, 3> reserved{};
};
static_assert(sizeof(AlgorithmPerformance) == 48);

/// The legacy interface proposes algorithm 1 (implicit GEMM with precomputed indices and its kin) without workspace.
Status propose(int requested, int* returned, AlgorithmPerformance* results) {
    *returned = requested > 0 ? 1 : 0;
    if (requested > 0)
        results[0] = AlgorithmPerformance{};
    return kSuccess;
}

Status zero(std::size_t* size) {
    *size = 0;
    return kSuccess;
}

Status convolved() {
    count(Work::Convolution);
    return kSuccess;
}

}  // namespace

extern "C" {

std::size_t cudnnGetVersion(void) { return TIDEMARK_CUDNN_VERSION; }
std::size_t cudnnGetMaxDeviceVersion(void) { return TIDEMARK_CUDNN_VERSION; }
std::size_t cudnnGetCudartVersion(void) { return TIDEMARK_CUDA_VERSION; }
Status cudnnGetProperty(int which, int* value) {
    constexpr int kVersion = TIDEMARK_CUDNN_VERSION;
    *value = which == 0 ? kVersion / 10000 : which == 1 ? kVersion / 100 % 100 : kVersion % 100;
    return kSuccess;
}
Status cudnnCreate(void** handle) { return create<Handle>(handle); }
Status cudnnDestroy(void* handle) { return destroy<Handle>(handle); }
Status cudnnSetStream(void* handle, void* stream) {
    static_cast<Handle*>(handle)->stream = stream;
    return kSuccess;
}
Status cudnnGetStream(void* handle, void** stream) {
    *stream = static_cast<Handle*>(handle)->stream;
    return kSuccess;
}

Status cudnnCreateTensorDescriptor(void** tensor) { return create<Tensor>(tensor); }
Status cudnnDestroyTensorDescriptor(void* tensor) { return destroy<Tensor>(tensor); }
Status cudnnSetTensorNdDescriptor(void* descriptor, int dataType, int rank, const int* dimensions,
                                  const int* strides) {
    auto& tensor = *static_cast<Tensor*>(descriptor);
    tensor.dataType = dataType;
    tensor.rank = std::min(rank, kMaxDimensions);
    std::copy_n(dimensions, tensor.rank, tensor.dimensions.begin());
    std::copy_n(strides, tensor.rank, tensor.strides.begin());
    return kSuccess;
}
Status cudnnGetTensorNdDescriptor(const void* descriptor, int wanted, int* dataType, int* rank, int* dimensions,
                                  int* strides) {
    const auto& tensor = *static_cast<const Tensor*>(descriptor);
    *dataType = tensor.dataType;
    *rank = tensor.rank;
    const int n = std::min(wanted, kMaxDimensions);
    if (dimensions)
        std::copy_n(tensor.dimensions.begin(), n, dimensions);
    if (strides)
        std::copy_n(tensor.strides.begin(), n, strides);
    return kSuccess;
}
Status cudnnCreateFilterDescriptor(void** filter) { return create<Tensor>(filter); }
Status cudnnDestroyFilterDescriptor(void* filter) { return destroy<Tensor>(filter); }
Status cudnnSetFilterNdDescriptor(void* descriptor, int dataType, int format, int rank, const int* dimensions) {
    auto& filter = *static_cast<Tensor*>(descriptor);
    filter.dataType = dataType;
    filter.format = format;
    filter.rank = std::min(rank, kMaxDimensions);
    std::copy_n(dimensions, filter.rank, filter.dimensions.begin());
    return kSuccess;
}
Status cudnnGetFilterNdDescriptor(const void* descriptor, int wanted, int* dataType, int* format, int* rank,
                                  int* dimensions) {
    const auto& filter = *static_cast<const Tensor*>(descriptor);
    *dataType = filter.dataType;
    *format = filter.format;
    *rank = filter.rank;
    std::copy_n(filter.dimensions.begin(), std::min(wanted, kMaxDimensions), dimensions);
    return kSuccess;
}

Status cudnnCreateConvolutionDescriptor(void** d) { return create<Opaque>(d); }
Status cudnnDestroyConvolutionDescriptor(void* d) { return destroy<Opaque>(d); }
Status cudnnSetConvolutionNdDescriptor(void*, int, const int*, const int*, const int*, int, int) { return kSuccess; }
Status cudnnSetConvolutionGroupCount(void*, int) { return kSuccess; }
Status cudnnSetConvolutionMathType(void*, int) { return kSuccess; }
Status cudnnCreatePoolingDescriptor(void** d) { return create<Opaque>(d); }
Status cudnnDestroyPoolingDescriptor(void* d) { return destroy<Opaque>(d); }
Status cudnnSetPooling2dDescriptor(void*, int, int, int, int, int, int, int, int) { return kSuccess; }
Status cudnnCreateActivationDescriptor(void** d) { return create<Opaque>(d); }
Status cudnnDestroyActivationDescriptor(void* d) { return destroy<Opaque>(d); }
Status cudnnSetActivationDescriptor(void*, int, int, double) { return kSuccess; }
Status cudnnCreateSpatialTransformerDescriptor(void** d) { return create<Opaque>(d); }
Status cudnnDestroySpatialTransformerDescriptor(void* d) { return destroy<Opaque>(d); }
Status cudnnSetSpatialTransformerNdDescriptor(void*, int, int, int, const int*) { return kSuccess; }
Status cudnnCreateCTCLossDescriptor(void** d) { return create<Opaque>(d); }
Status cudnnDestroyCTCLossDescriptor(void* d) { return destroy<Opaque>(d); }
Status cudnnSetCTCLossDescriptorEx(void*, int, int, int) { return kSuccess; }
Status cudnnSetCTCLossDescriptor_v9(void*, int, int, int, int) { return kSuccess; }

Status cudnnGetConvolutionForwardAlgorithm_v7(void*, void*, void*, void*, void*, int requested, int* returned,
                                              AlgorithmPerformance* results) {
    return propose(requested, returned, results);
}
Status cudnnGetConvolutionBackwardDataAlgorithm_v7(void*, void*, void*, void*, void*, int requested, int* returned,
                                                   AlgorithmPerformance* results) {
    return propose(requested, returned, results);
}
Status cudnnGetConvolutionBackwardFilterAlgorithm_v7(void*, void*, void*, void*, void*, int requested, int* returned,
                                                     AlgorithmPerformance* results) {
    return propose(requested, returned, results);
}
Status cudnnFindConvolutionForwardAlgorithmEx(void*, void*, const void*, void*, const void*, void*, void*, void*,
                                              int requested, int* returned, AlgorithmPerformance* results, void*,
                                              std::size_t) {
    return propose(requested, returned, results);
}
Status cudnnFindConvolutionBackwardDataAlgorithmEx(void*, void*, const void*, void*, const void*, void*, void*, void*,
                                                   int requested, int* returned, AlgorithmPerformance* results, void*,
                                                   std::size_t) {
    return propose(requested, returned, results);
}
Status cudnnFindConvolutionBackwardFilterAlgorithmEx(void*, void*, const void*, void*, const void*, void*, void*,
                                                     void*, int requested, int* returned,
                                                     AlgorithmPerformance* results, void*, std::size_t) {
    return propose(requested, returned, results);
}
Status cudnnGetConvolutionForwardWorkspaceSize(void*, void*, void*, void*, void*, int, std::size_t* size) {
    return zero(size);
}
Status cudnnGetConvolutionBackwardDataWorkspaceSize(void*, void*, void*, void*, void*, int, std::size_t* size) {
    return zero(size);
}
Status cudnnGetConvolutionBackwardFilterWorkspaceSize(void*, void*, void*, void*, void*, int, std::size_t* size) {
    return zero(size);
}
Status cudnnConvolutionForward(...) { return convolved(); }
Status cudnnConvolutionBackwardData(...) { return convolved(); }
Status cudnnConvolutionBackwardFilter(...) { return convolved(); }
Status cudnnConvolutionBiasActivationForward(...) { return convolved(); }

/// Batch normalisation needs no workspace and no reserve in NCHW; for channels-last only a device could tell.
Status cudnnGetBatchNormalizationForwardTrainingExWorkspaceSize(void*, int, int, void*, void*, void*, void*, void*,
                                                                std::size_t* size) {
    return zero(size);
}
Status cudnnGetBatchNormalizationBackwardExWorkspaceSize(void*, int, int, void*, void*, void*, void*, void*, void*,
                                                         void*, std::size_t* size) {
    return zero(size);
}
Status cudnnGetBatchNormalizationTrainingExReserveSpaceSize(void*, int, int, void*, void*, std::size_t* size) {
    return zero(size);
}
Status cudnnBatchNormalizationForwardTrainingEx(...) { return kSuccess; }
Status cudnnBatchNormalizationBackwardEx(...) { return kSuccess; }
Status cudnnBatchNormalizationForwardInference(...) { return kSuccess; }
Status cudnnPoolingForward(...) { return kSuccess; }
Status cudnnSpatialTfGridGeneratorForward(...) { return kSuccess; }
Status cudnnSpatialTfGridGeneratorBackward(...) { return kSuccess; }
Status cudnnSpatialTfSamplerForward(...) { return kSuccess; }
Status cudnnSpatialTfSamplerBackward(...) { return kSuccess; }

/// Alpha and beta of the longest label for each step and sample, in fp32: an assumption after the algorithm.
Status cudnnGetCTCLossWorkspaceSize(void*, const Tensor* probabilities, const void*, const int*,
                                    const int* labelLengths, const int*, int, void*, std::size_t* size) {
    const int samples = probabilities->dimensions[1];
    const int longest = samples > 0 ? *std::max_element(labelLengths, labelLengths + samples) : 0;
    *size = 2 * sizeof(float) * static_cast<std::size_t>(probabilities->dimensions[0]) *
            static_cast<std::size_t>(samples) * static_cast<std::size_t>(2 * longest + 1);
    return kSuccess;
}
Status cudnnGetCTCLossWorkspaceSize_v8(void*, int, void*, const Tensor* probabilities, const void*,
                                       std::size_t* size) {
    constexpr std::size_t kLongestLabel = 255;
    *size = 2 * sizeof(float) * static_cast<std::size_t>(probabilities->dimensions[0]) *
            static_cast<std::size_t>(probabilities->dimensions[1]) * (2 * kLongestLabel + 1);
    return kSuccess;
}
Status cudnnCTCLoss(...) { return kSuccess; }
Status cudnnCTCLoss_v8(...) { return kSuccess; }
}
