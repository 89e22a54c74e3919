// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/base/bytes.h"
#include "engine/base/result.h"
#include "engine/plan/settings.h"

#include <nlohmann/json_fwd.hpp>

#include <optional>
#include <string>
#include <vector>

namespace tidemark {

/// Where the default input description comes from.
enum class InputSource { TracedInputs, FirstLayer, None };

/// One module of the model. Layers are listed in pre-order; the root has the empty path and parent −1.
struct LayerInfo {
    std::string path;              ///< "layer1.0.conv1"
    std::string name;              ///< last part of the path; the model's type name for the root
    std::string type;              ///< "Conv2d"
    int parent = -1;               ///< index into ModelInfo::layers
    std::int64_t parameters = 0;   ///< elements owned by this module itself, tied ones counted at their first owner
    std::int64_t trainable = 0;    ///< of these, with requires_grad
    Bytes weights;                 ///< bytes of its own parameters in the file's dtype
    Bytes buffers;                 ///< bytes of its own buffers
    std::vector<std::int64_t> weightShape = {};  ///< of its parameter "weight", empty when it has none
    std::optional<bool> inPlace = {};   ///< of activation functions that can be; unknown in traced files
};

/// Siblings of one type that can be checkpointed one by one: the units of CheckpointSettings.
struct BlockGroup {
    std::string type;                ///< "Bottleneck"
    std::vector<std::string> paths;  ///< in execution order as registered
};

struct ModelInfo {
    std::string file;
    std::string name;                ///< class name of the root module
    bool traced = false;             ///< exported by torch.jit.trace rather than scripted
    bool weightless = false;         ///< at least one weight is a stride-0 tensor
    std::vector<LayerInfo> layers;
    std::vector<BlockGroup> blocks;
    std::vector<InputSpec> inputs;   ///< default inputs; empty when inputSource is None
    InputSource inputSource = InputSource::None;
    Message inputQuestion;       ///< what to ask the user when inputSource is None
    std::vector<Message> warnings;

    std::int64_t parameterCount() const;
    std::int64_t trainableCount() const;
    Bytes weightBytes() const;
    Bytes bufferBytes() const;
    /// Paths of all blocks in order: what CheckpointMode::First counts.
    std::vector<std::string> blockPaths() const;
    /// Index of the layer with this path, −1 when there is none.
    int indexOf(const std::string& path) const;
};

nlohmann::json toJson(const ModelInfo& model);
Result<ModelInfo> modelInfoFromJson(const nlohmann::json& json);

}  // namespace tidemark
