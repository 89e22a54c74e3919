// SPDX-License-Identifier: Apache-2.0
// cuDNN's recurrent networks and dropout: where the parts of the weights lie, and how much memory a call needs.
#include "engine/nullgpu/core.h"
#include "engine/nullgpu/cudnn_types.h"

#include <cstdint>

using namespace tidemark::nullgpu;
using namespace tidemark::nullgpu::cudnn;

extern "C" Status cudnnSetTensorNdDescriptor(void* descriptor, int dataType, int rank, const int* dimensions,
                                             const int* strides);

namespace {

struct Dropout {
    float probability = 0;
    std::size_t stateSize = 0;
};

struct Sequence {
    int dataType = Float;
    int steps = 0;
    int batch = 0;
    int features = 0;
};

struct Rnn {
    int mode = RnnTanh;
    int bias = kRnnNoBias;
    bool bidirectional = false;
    int dataType = Float;
    int inputSize = 0;
    int hiddenSize = 0;
    int projectionSize = 0;
    int layers = 0;

    int gates() const { return mode == RnnLstm ? 4 : mode == RnnGru ? 3 : 1; }
    int directions() const { return bidirectional ? 2 : 1; }
    int pseudoLayers() const { return layers * directions(); }
    int outputSize() const { return projectionSize > 0 ? projectionSize : hiddenSize; }
    bool projects() const { return outputSize() != hiddenSize; }
    /// Matrices of one pseudo-layer: one per gate for the input, one per gate for the state, the projection.
    int matrices() const { return 2 * gates() + (projects() ? 1 : 0); }

    struct Shape {
        int rows;
        int columns;
    };
    Shape matrix(int pseudoLayer, int index) const {
        if (index < gates())
            return {hiddenSize, pseudoLayer < directions() ? inputSize : outputSize() * directions()};
        if (index < 2 * gates())
            return {hiddenSize, outputSize()};
        return {outputSize(), hiddenSize};
    }

    /// Elements before a matrix, counting layer by layer; past the last one: of all matrices.
    std::size_t matrixOffset(int pseudoLayer, int index) const {
        std::size_t elements = 0;
        for (int layer = 0; layer < pseudoLayers(); ++layer) {
            for (int i = 0; i < matrices(); ++i) {
                if (layer == pseudoLayer && i == index)
                    return elements;
                const Shape shape = matrix(layer, i);
                elements += static_cast<std::size_t>(shape.rows) * static_cast<std::size_t>(shape.columns);
            }
        }
        return elements;
    }
    /// The biases follow all matrices: one vector for each input and state matrix.
    std::size_t biasOffset(int pseudoLayer, int index) const {
        const auto vectors = static_cast<std::size_t>(pseudoLayer * 2 * gates() + index);
        return matrixOffset(-1, -1) + vectors * static_cast<std::size_t>(hiddenSize);
    }
    std::size_t weightElements() const {
        return bias == kRnnNoBias ? matrixOffset(-1, -1) : biasOffset(pseudoLayers(), 0);
    }
};

Rnn& rnn(void* descriptor) {
    return *static_cast<Rnn*>(descriptor);
}

char* offset(const void* base, std::size_t bytes) {
    return static_cast<char*>(const_cast<void*>(base)) + bytes;
}

}  // namespace

extern "C" {

Status cudnnCreateDropoutDescriptor(void** descriptor) {
    *descriptor = new Dropout;
    return kSuccess;
}
Status cudnnDestroyDropoutDescriptor(void* descriptor) {
    delete static_cast<Dropout*>(descriptor);
    return kSuccess;
}
Status cudnnSetDropoutDescriptor(void* descriptor, void*, float probability, void*, std::size_t size,
                                 unsigned long long) {
    *static_cast<Dropout*>(descriptor) = {probability, size};
    return kSuccess;
}
Status cudnnRestoreDropoutDescriptor(void* descriptor, void* handle, float probability, void* states,
                                     std::size_t size, unsigned long long seed) {
    return cudnnSetDropoutDescriptor(descriptor, handle, probability, states, size, seed);
}
/// An assumption: a 48-byte generator for each of 1024 threads on every multiprocessor.
Status cudnnDropoutGetStatesSize(void*, std::size_t* size) {
    *size = std::size_t{48} * 1024 * static_cast<std::size_t>(device().multiprocessors);
    return kSuccess;
}

Status cudnnCreateRNNDescriptor(void** descriptor) {
    *descriptor = new Rnn;
    return kSuccess;
}
Status cudnnDestroyRNNDescriptor(void* descriptor) {
    delete static_cast<Rnn*>(descriptor);
    return kSuccess;
}
Status cudnnSetRNNDescriptor_v8(void* descriptor, int, int mode, int bias, int direction, int, int dataType, int, int,
                                std::int32_t inputSize, std::int32_t hiddenSize, std::int32_t projectionSize,
                                std::int32_t layers, void*, std::uint32_t) {
    rnn(descriptor) = {mode,       bias,           direction == kRnnBidirectional, dataType, inputSize,
                       hiddenSize, projectionSize, layers};
    return kSuccess;
}
Status cudnnCreateRNNDataDescriptor(void** descriptor) {
    *descriptor = new Sequence;
    return kSuccess;
}
Status cudnnDestroyRNNDataDescriptor(void* descriptor) {
    delete static_cast<Sequence*>(descriptor);
    return kSuccess;
}
Status cudnnSetRNNDataDescriptor(void* descriptor, int dataType, int, int steps, int batch, int features, const int*,
                                 void*) {
    *static_cast<Sequence*>(descriptor) = {dataType, steps, batch, features};
    return kSuccess;
}

Status cudnnGetRNNWeightSpaceSize(void*, void* descriptor, std::size_t* size) {
    const Rnn& network = rnn(descriptor);
    *size = network.weightElements() * elementSize(network.dataType);
    return kSuccess;
}
Status cudnnGetRNNWeightParams(void*, void* descriptor, std::int32_t pseudoLayer, std::size_t, const void* weights,
                               std::int32_t index, void* matrixDescriptor, void** matrix, void* biasDescriptor,
                               void** bias) {
    const Rnn& network = rnn(descriptor);
    const std::size_t size = elementSize(network.dataType);
    const auto [rows, columns] = network.matrix(pseudoLayer, index);
    const bool hasBias = network.bias != kRnnNoBias && index < 2 * network.gates();
    if (matrix)
        *matrix = offset(weights, network.matrixOffset(pseudoLayer, index) * size);
    if (bias)
        *bias = hasBias ? offset(weights, network.biasOffset(pseudoLayer, index) * size) : nullptr;
    const int matrixShape[] = {1, rows, columns};
    const int matrixStrides[] = {rows * columns, columns, 1};
    if (matrixDescriptor)
        cudnnSetTensorNdDescriptor(matrixDescriptor, network.dataType, 3, matrixShape, matrixStrides);
    const int biasShape[] = {1, rows, 1};
    const int biasStrides[] = {rows, 1, 1};
    if (biasDescriptor)
        cudnnSetTensorNdDescriptor(biasDescriptor, network.dataType, hasBias ? 3 : 0, biasShape, biasStrides);
    return kSuccess;
}

/// Assumptions: only a device could tell. The reserve keeps T·B·H·(a·L + L − 1) elements, a = 5 for LSTM (four gates
/// and the cell), 6 for GRU, 2 for plain networks; the workspace holds one layer's gates of all steps.
Status cudnnGetRNNTempSpaceSizes(void*, void* descriptor, int forwardMode, void* sequence, std::size_t* workspace,
                                 std::size_t* reserve) {
    const Rnn& network = rnn(descriptor);
    const auto& input = *static_cast<const Sequence*>(sequence);
    const std::size_t layerSize = static_cast<std::size_t>(input.steps) * static_cast<std::size_t>(input.batch) *
                                  static_cast<std::size_t>(network.hiddenSize * network.directions()) *
                                  elementSize(network.dataType);
    const int kept = network.mode == RnnLstm ? 5 : network.mode == RnnGru ? 6 : 2;
    if (workspace)
        *workspace = layerSize * static_cast<std::size_t>(network.gates());
    if (reserve)
        *reserve = forwardMode == kForwardTraining
                       ? layerSize * static_cast<std::size_t>(kept * network.layers + network.layers - 1)
                       : 0;
    return kSuccess;
}
Status cudnnRNNForward(...) { return kSuccess; }
Status cudnnRNNBackwardData_v8(...) { return kSuccess; }
Status cudnnRNNBackwardWeights_v8(...) { return kSuccess; }
}
