// SPDX-License-Identifier: Apache-2.0
// cuDNN's backend (graph) interface, which LibTorch uses for convolutions and for cuDNN attention. Either all calls
// go on to the user's real cuDNN, or descriptors are kept here and plans get an estimated workspace.
#include "engine/nullgpu/core.h"
#include "engine/nullgpu/cudnn_remembered.h"
#include "engine/nullgpu/cudnn_types.h"
#include "engine/nullgpu/workspace.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

using namespace tidemark::nullgpu;
using namespace tidemark::nullgpu::cudnn;

namespace {

/// Decided once, from TIDEMARK_WORKSPACE and TIDEMARK_CUDNN; without the latter the cuDNN found at build time is asked.
struct Source {
    RememberedCudnn* real = nullptr;
    std::optional<Band> estimate;
    WorkspaceState state;
};

std::optional<Band> bandOf(std::string_view name) {
    if (name == "estimate")
        return Band::Expected;
    if (name == "estimate-low")
        return Band::Low;
    if (name == "estimate-high")
        return Band::High;
    return std::nullopt;
}

Source decideSource() {
    const char* wish = std::getenv("TIDEMARK_WORKSPACE");
    const std::string_view name = wish ? wish : "none";
    Source source;
    if (name == "cudnn") {
        const char* named = std::getenv("TIDEMARK_CUDNN");
        const std::string path = named && *named ? named : TIDEMARK_CUDNN_FOUND;
        if (!path.empty())
            source.real = RememberedCudnn::load(path, cudnnAnswersFolder(), &source.state.problem);
        else
            source.state.problem =
                said(tidemark::Message::tr("there is no cuDNN beside LibTorch, and TIDEMARK_CUDNN names none"));
        source.state.source = source.real ? "cudnn " + source.real->version() : "estimate";
        if (!source.real)
            source.estimate = Band::Expected;
        return source;
    }
    source.estimate = bandOf(name);
    source.state.source = source.estimate ? name : "none";
    return source;
}

const Source& source() {
    static const Source* const decided = new Source(decideSource());
    return *decided;
}

const WorkspaceState& workspaceState() {
    return source().state;
}

[[gnu::constructor]] void announce() {
    setWorkspaceResolver(&workspaceState);
}

struct Attribute {
    int type = 0;
    std::int64_t count = 0;
    std::vector<char> data;
};

/// A descriptor of our own. Operations sum up their convolution when they are finalised, and every descriptor that
/// is given one with a convolution takes it over, up to the plan.
struct Descriptor {
    int type = 0;
    std::map<int, Attribute> attributes;
    std::optional<Convolution> convolution;
    bool tensorCores = false;  ///< of an engine, its configuration and its plan
};

template <class T>
std::vector<T> valuesOf(const Descriptor& descriptor, int name) {
    const auto it = descriptor.attributes.find(name);
    if (it == descriptor.attributes.end())
        return {};
    std::vector<T> values(it->second.data.size() / sizeof(T));
    std::memcpy(values.data(), it->second.data.data(), values.size() * sizeof(T));
    return values;
}

struct OperationTensors {
    ConvolutionKind kind;
    int input;
    int weights;
    int output;
};

std::optional<OperationTensors> tensorsOf(int operationType) {
    switch (operationType) {
    case ConvolutionForward: return {{ConvolutionKind::Forward, ForwardInput, ForwardWeights, ForwardOutput}};
    case ConvolutionBackwardData:
        return {{ConvolutionKind::BackwardData, BackwardDataInput, BackwardDataWeights, BackwardDataOutput}};
    case ConvolutionBackwardFilter:
        return {{ConvolutionKind::BackwardFilter, BackwardFilterInput, BackwardFilterWeights, BackwardFilterOutput}};
    default: return std::nullopt;
    }
}

std::uint64_t bytesOf(const Descriptor& tensor) {
    std::uint64_t bytes = elementSize(valuesOf<int>(tensor, TensorDataType).at(0));
    for (const std::int64_t dimension : valuesOf<std::int64_t>(tensor, TensorDimensions))
        bytes *= static_cast<std::uint64_t>(dimension);
    return bytes;
}

std::optional<Convolution> convolutionOf(const Descriptor& operation) {
    const auto tensors = tensorsOf(operation.type);
    if (!tensors)
        return std::nullopt;
    const auto tensor = [&](int name) -> const Descriptor* {
        const auto pointers = valuesOf<const Descriptor*>(operation, name);
        return pointers.empty() ? nullptr : pointers[0];
    };
    const Descriptor* input = tensor(tensors->input);
    const Descriptor* weights = tensor(tensors->weights);
    const Descriptor* output = tensor(tensors->output);
    if (!input || !weights || !output)
        return std::nullopt;
    const auto shape = valuesOf<std::int64_t>(*input, TensorDimensions);
    const auto strides = valuesOf<std::int64_t>(*input, TensorStrides);
    const auto weightShape = valuesOf<std::int64_t>(*weights, TensorDimensions);
    if (shape.size() < 3 || strides.size() != shape.size() || weightShape.size() < 2)
        return std::nullopt;
    Convolution convolution;
    convolution.kind = tensors->kind;
    convolution.dataType = valuesOf<int>(*input, TensorDataType).at(0);
    convolution.channelsLast = strides[1] == 1 && shape[1] > 1;
    convolution.depthwise = shape[1] > 1 && weightShape[1] == 1;
    convolution.bytes = bytesOf(*input) + bytesOf(*weights) + bytesOf(*output);
    return convolution;
}

std::int64_t workspaceOf(const Descriptor& plan) {
    const auto band = source().estimate;
    if (!band || !plan.convolution)
        return 0;
    return static_cast<std::int64_t>(estimateWorkspace(*plan.convolution, plan.tensorCores, *band));
}

/// Engines the heuristics propose, best first: with tensor cores where the card has them for this type, then
/// without. LibTorch drops the first when it must not use TF32.
std::vector<bool> proposals(const Descriptor& heuristics) {
    const bool tensorCores = heuristics.convolution &&
                             hasTensorCores(heuristics.convolution->dataType, device().capabilityMajor);
    return tensorCores ? std::vector<bool>{true, false} : std::vector<bool>{false};
}

Status answer(std::int64_t value, std::int64_t wanted, std::int64_t* count, void* values) {
    *count = 1;
    if (values && wanted > 0)
        *static_cast<std::int64_t*>(values) = value;
    return kSuccess;
}

Status answerHeuristics(const Descriptor& heuristics, std::int64_t wanted, std::int64_t* count, void* values) {
    const std::vector<bool> engines = proposals(heuristics);
    *count = static_cast<std::int64_t>(engines.size());
    if (!values)
        return kSuccess;
    *count = std::min(*count, wanted);
    for (std::int64_t i = 0; i < *count; ++i) {
        Descriptor* config = static_cast<Descriptor**>(values)[i];
        config->convolution = heuristics.convolution;
        config->tensorCores = engines[static_cast<std::size_t>(i)];
    }
    return kSuccess;
}

Status answerNotes(const Descriptor& engine, std::int64_t wanted, std::int64_t* count, void* values) {
    *count = engine.tensorCores ? 1 : 0;
    if (values && wanted > 0 && engine.tensorCores)
        *static_cast<int*>(values) = NoteTensorCore;
    return kSuccess;
}

/// A descriptor that LibTorch reads out of another one describes the same convolution and engine.
Status answerDescriptor(const Descriptor& from, std::int64_t wanted, std::int64_t* count, void* values) {
    *count = 1;
    if (values && wanted > 0) {
        if (Descriptor* to = *static_cast<Descriptor**>(values)) {
            to->convolution = from.convolution;
            to->tensorCores = from.tensorCores;
        }
    }
    return kSuccess;
}

Status answerStored(const Descriptor& descriptor, int name, int type, std::int64_t wanted, std::int64_t* count,
                    void* values) {
    const auto it = descriptor.attributes.find(name);
    *count = it == descriptor.attributes.end() ? 0 : it->second.count;
    if (*count == 0 || !values || wanted <= 0 || type == TypeDescriptor)
        return kSuccess;
    const std::size_t room = static_cast<std::size_t>(wanted) * attributeSize(type);
    std::memcpy(values, it->second.data.data(), std::min(it->second.data.size(), room));
    return kSuccess;
}

}  // namespace

extern "C" {

const char* cudnnGetErrorString(Status status) {
    if (source().real)
        return source().real->errorString(status);
    return status == kSuccess ? "CUDNN_STATUS_SUCCESS" : "CUDNN_STATUS_NOT_SUPPORTED";
}
void cudnnGetLastErrorString(char* text, std::size_t size) {
    if (source().real)
        source().real->lastError(text, size);
    else if (size > 0)
        *text = '\0';
}

Status cudnnBackendCreateDescriptor(int type, void** descriptor) {
    if (source().real)
        return source().real->create(type, descriptor);
    auto* created = new Descriptor;
    created->type = type;
    *descriptor = created;
    return kSuccess;
}
Status cudnnBackendDestroyDescriptor(void* descriptor) {
    if (source().real)
        return source().real->destroy(descriptor);
    delete static_cast<Descriptor*>(descriptor);
    return kSuccess;
}
Status cudnnBackendInitialize(void*) { return kSuccess; }
Status cudnnBackendFinalize(void* descriptor) {
    if (source().real)
        return source().real->finalize(descriptor);
    auto& own = *static_cast<Descriptor*>(descriptor);
    if (!own.convolution)
        own.convolution = convolutionOf(own);
    return kSuccess;
}
Status cudnnBackendSetAttribute(void* descriptor, int name, int type, std::int64_t count, const void* values) {
    if (source().real)
        return source().real->setAttribute(descriptor, name, type, count, values);
    auto& own = *static_cast<Descriptor*>(descriptor);
    Attribute attribute{type, count, {}};
    if (values && count > 0) {
        const auto* bytes = static_cast<const char*>(values);
        attribute.data.assign(bytes, bytes + static_cast<std::size_t>(count) * attributeSize(type));
    }
    own.attributes[name] = std::move(attribute);
    if (type != TypeDescriptor)
        return kSuccess;
    for (const Descriptor* part : valuesOf<const Descriptor*>(own, name)) {
        if (part && part->convolution && !own.convolution) {
            own.convolution = part->convolution;
            own.tensorCores = part->tensorCores;
        }
    }
    return kSuccess;
}
Status cudnnBackendGetAttribute(void* descriptor, int name, int type, std::int64_t wanted, std::int64_t* count,
                                void* values) {
    if (source().real)
        return source().real->getAttribute(descriptor, name, type, wanted, count, values);
    std::int64_t ignored = 0;
    count = count ? count : &ignored;
    const auto& own = *static_cast<const Descriptor*>(descriptor);
    switch (name) {
    case HeuristicsResults: return answerHeuristics(own, wanted, count, values);
    case ConfigEngine:
    case PlanEngineConfig: return answerDescriptor(own, wanted, count, values);
    case EngineNumericalNote: return answerNotes(own, wanted, count, values);
    case ConfigWorkspaceSize:
    case PlanWorkspaceSize: return answer(workspaceOf(own), wanted, count, values);
    case GraphEngineCount: return answer(2, wanted, count, values);
    case EngineGlobalIndex: return answer(own.tensorCores ? 1 : 0, wanted, count, values);
    case ConfigSharedMemoryUsed: return answer(0, wanted, count, values);
    default: return answerStored(own, name, type, wanted, count, values);
    }
}
Status cudnnBackendExecute(void*, void*, void*) {
    if (source().real)
        source().real->write();
    count(Work::Convolution);
    return kSuccess;
}
}
