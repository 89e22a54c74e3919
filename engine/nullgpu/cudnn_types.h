// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

/// The part of cuDNN's binary interface that the null cuDNN speaks: values of the enumerations in cudnn_graph.h,
/// cudnn_ops.h and cudnn_adv.h (cuDNN 9; within a major version they do not change). Spelled out here so that the
/// build needs no cuDNN.
namespace tidemark::nullgpu::cudnn {

using Status = int;
constexpr Status kSuccess = 0;
constexpr Status kBadParam = 2000;
constexpr Status kNotSupported = 3000;
constexpr Status kInternalError = 4000;

constexpr int kMaxDimensions = 8;

enum DataType : int {
    Float = 0,
    Double = 1,
    Half = 2,
    Int8 = 3,
    Int32 = 4,
    UInt8 = 6,
    BFloat16 = 9,
    Int64 = 10,
    Boolean = 11,
};

/// Bytes of one element.
std::size_t elementSize(int dataType);

enum DescriptorType : int {
    ConvolutionDescriptor = 1,
    EngineDescriptor = 2,
    EngineConfigDescriptor = 3,
    EngineHeuristicsDescriptor = 4,
    ExecutionPlanDescriptor = 5,
    ConvolutionForward = 10,
    ConvolutionBackwardFilter = 11,
    ConvolutionBackwardData = 12,
    OperationGraphDescriptor = 15,
    VariantPackDescriptor = 16,
    TensorDescriptor = 17,
    DevicePropertiesDescriptor = 38,
};

enum AttributeType : int {
    TypeHandle = 0,
    TypeBoolean = 2,
    TypeInt64 = 3,
    TypeDouble = 5,
    TypeVoidPointer = 6,
    TypeDescriptor = 15,
    TypeBehaviorNote = 19,
    TypeChar = 24,
    TypeFraction = 26,
};

/// Bytes of one value of an attribute.
std::size_t attributeSize(int attributeType);

enum AttributeName : int {
    HeuristicsMode = 200,
    HeuristicsResults = 202,
    HeuristicsDeviceProperties = 204,
    ConfigEngine = 300,
    ConfigWorkspaceSize = 303,
    ConfigSharedMemoryUsed = 304,
    PlanHandle = 400,
    PlanEngineConfig = 401,
    PlanWorkspaceSize = 402,
    PlanDeviceProperties = 407,
    ForwardWeights = 703,
    ForwardInput = 704,
    ForwardOutput = 705,
    BackwardDataWeights = 709,
    BackwardDataInput = 710,
    BackwardDataOutput = 711,
    BackwardFilterWeights = 715,
    BackwardFilterInput = 716,
    BackwardFilterOutput = 717,
    GraphHandle = 800,
    GraphEngineCount = 802,
    TensorDataType = 901,
    TensorDimensions = 902,
    TensorStrides = 903,
    EngineGlobalIndex = 1301,
    EngineNumericalNote = 1303,
    EngineBehaviorNote = 1305,
    EngineDeviceProperties = 1307,
    DevicePropertiesJson = 2702,
};

enum NumericalNote : int { NoteTensorCore = 0 };
enum BehaviorNote : int { NoteRuntimeCompilation = 0 };

enum RnnMode : int { RnnRelu = 0, RnnTanh = 1, RnnLstm = 2, RnnGru = 3 };
constexpr int kRnnNoBias = 0;
constexpr int kRnnBidirectional = 1;
constexpr int kForwardTraining = 1;

/// A tensor or filter of the legacy interface.
struct Tensor {
    int dataType = Float;
    int format = 0;
    int rank = 0;
    std::array<int, kMaxDimensions> dimensions{};
    std::array<int, kMaxDimensions> strides{};
};

}  // namespace tidemark::nullgpu::cudnn
