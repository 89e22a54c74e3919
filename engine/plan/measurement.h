// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/base/bytes.h"
#include "engine/base/result.h"

#include <nlohmann/json_fwd.hpp>

#include <array>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tidemark {

/// What a live allocation holds. Workspace: scratch of cuBLAS and cuDNN. Temporary: everything else that dies
/// before the end of the forward pass or is made in backward and optimizer. GradientBuckets: what DistributedDataParallel
/// sends to the other cards, and the gradients themselves where they are views of it.
enum class Category { Weights, Buffers, Gradients, GradientBuckets, OptimizerState, Activations, Input, Workspace, Temporary };
constexpr std::size_t kCategoryCount = 9;
constexpr std::array<Category, kCategoryCount> kCategories{
    Category::Weights,     Category::Buffers, Category::Gradients, Category::GradientBuckets, Category::OptimizerState,
    Category::Activations, Category::Input,   Category::Workspace, Category::Temporary};
/// "weights", "optimizer_state", …: the key in JSON.
std::string_view keyOf(Category category);

/// Bytes by category; the sum is allocated memory at one moment, exactly.
struct CategoryBytes {
    std::array<Bytes, kCategoryCount> bytes{};

    Bytes& operator[](Category c) { return bytes[static_cast<std::size_t>(c)]; }
    Bytes operator[](Category c) const { return bytes[static_cast<std::size_t>(c)]; }
    Bytes total() const;
};

/// torch.cuda.max_memory_allocated and max_memory_reserved of one iteration.
struct Peak {
    Bytes allocated;
    Bytes reserved;
};

/// LibTorch's own out-of-memory error, after its own retry.
struct OutOfMemory {
    Bytes requested;      ///< the allocation that failed
    std::string phase;    ///< "load", "forward", "backward", "optimizer"
    std::string layer;    ///< module path, empty when unknown
    std::string message;  ///< LibTorch's first sentence
};

/// Total memory of a device, from one size up to below another; without an end when `below` is empty.
struct MemoryRange {
    Bytes from;
    std::optional<Bytes> below;
    bool contains(Bytes total) const { return total >= from && (!below || total < *below); }
};

struct NamedCount {
    std::string name;
    std::int64_t count = 0;
};

/// What one layer takes in the steady step. All sizes are of the layer itself, without its children, so that any
/// column sums to the whole. Index i of Measurement::layers belongs to ModelInfo::layers[i].
struct LayerUse {
    std::string output;          ///< "float32[32, 64, 112, 112]"; empty when it never ran
    int calls = 0;               ///< forward calls per micro-batch
    Bytes saved;                 ///< activations alive at the end of forward
    Bytes gradients;
    Bytes optimizerState;
    Bytes forwardTemporary;      ///< peak of what its forward allocated and freed
    Bytes backwardTemporary;
    Bytes liveAtPeak;            ///< bytes of the allocated peak that belong to this layer
    std::int64_t multiplyAccumulates = 0;
    std::int64_t deviceReads = 0;
};

/// One call of a module in the forward pass of the first micro-batch.
struct ModuleCall {
    int layer = -1;              ///< index into ModelInfo::layers
    std::string output;          ///< as LayerUse::output, of this call
};

/// One allocation of the steady step. Moments count allocator events from 0; `freed` is −1 for what outlives
/// the step, `born` is −1 for what was there before it.
struct Allocation {
    int born = -1;
    int freed = -1;
    Bytes bytes;                 ///< the allocator's rounded block
    Category category = Category::Temporary;
    int layer = -1;              ///< index into ModelInfo::layers
    int op = -1;                 ///< index into Timeline::ops
    int shape = -1;              ///< index into Timeline::shapes
    int line = -1;               ///< index into Timeline::lines: the model's own line that asked for it
    std::int64_t address = 0;    ///< on the device
};

/// A piece of device memory that the caching allocator asked the driver for. Moments as in Allocation: it is there
/// before the event `born`, and gone before the event `freed`.
struct Segment {
    int born = -1;
    int freed = -1;
    std::int64_t address = 0;
    Bytes bytes;
};

/// A piece of source as TorchScript keeps it, usually one function. Traced models keep no text.
struct SourceText {
    std::string file;
    int firstLine = 1;           ///< number in the file of the first line of `text`
    std::string text;
};

struct SourceLine {
    int source = -1;             ///< index into Timeline::sources
    int line = 0;                ///< number in the file
};

struct Phase {
    std::string name;            ///< "forward", "backward", "optimizer", with " 2/4" when accumulating
    int begin = 0;               ///< first event
    int end = 0;                 ///< one past the last
};

struct Timeline {
    int events = 0;
    int peakEvent = 0;           ///< allocated memory is highest right after this event
    std::vector<Allocation> allocations;
    std::vector<Segment> segments;
    std::vector<Phase> phases;
    std::vector<std::string> ops;
    std::vector<std::string> shapes;
    std::vector<SourceText> sources;
    std::vector<SourceLine> lines;
    std::vector<Bytes> reserved;  ///< after each event
};

/// The answer of tidemark-probe to one request.
struct Measurement {
    std::vector<Peak> iterations;
    Peak first;                  ///< iteration 1: optimizer state appears, cuDNN benchmarks
    Peak steady;                 ///< the last iteration
    Bytes baseline;              ///< allocated after loading the model
    CategoryBytes categories;    ///< at the steady allocated peak; sums to steady.allocated
    std::string peakPhase;       ///< the phase in which the steady peak lies
    std::string peakLayer;
    std::int64_t deviceReads = 0;                 ///< values the host read back per step (they read as zero)
    std::vector<NamedCount> deviceReadLayers;
    std::vector<NamedCount> unmodelledCalls;      ///< library functions answered by a generated stub
    std::optional<OutOfMemory> outOfMemory;
    /// With any device of these sizes the run would have been the same: the driver granted what it granted and refused
    /// what it refused. Empty where that is not known.
    std::optional<MemoryRange> sameWithin;
    std::int64_t allocationRetries = 0;
    std::int64_t outOfMemoryErrors = 0;           ///< that LibTorch raised, those among them that it caught itself
    std::int64_t checkpointedBlocks = 0;
    double recomputedOperators = 0;               ///< recomputed forward operators / forward operators
    std::chrono::microseconds stepTime{0};
    std::vector<LayerUse> layers;                 ///< empty unless detail was asked for
    std::vector<ModuleCall> moduleCalls;          ///< as the calls ended; empty unless detail was asked for
    std::optional<Timeline> timeline;
    std::vector<Message> warnings;

    /// What the step needs at any time: the highest peak of all iterations.
    Peak highest() const;
};

nlohmann::json toJson(const Measurement& measurement);
/// "forward 2" in words for people; a phase not known here as it is.
Message nameOfPhase(const std::string& phase);

Result<Measurement> measurementFromJson(const nlohmann::json& json);

}  // namespace tidemark
