// SPDX-License-Identifier: Apache-2.0
#include "engine/plan/modelinfo.h"

#include "engine/plan/errors.h"
#include "engine/plan/jsonfields.h"

#include <fmt/format.h>

#include <array>
#include <utility>

namespace tidemark {
namespace {

constexpr std::array<std::pair<InputSource, std::string_view>, 3> kInputSources{
    {{InputSource::TracedInputs, "traced_inputs"}, {InputSource::FirstLayer, "first_layer"}, {InputSource::None, "none"}}};

std::string_view keyOf(InputSource source) {
    for (const auto& [value, key] : kInputSources)
        if (value == source) return key;
    return "none";
}

Result<InputSource> inputSourceFromKey(std::string_view text) {
    for (const auto& [value, key] : kInputSources)
        if (key == text) return value;
    return Error{ErrorCode::Internal, Message::tr("\"{}\" is no known source of the input.", text), {}};
}

nlohmann::json toJson(const LayerInfo& layer) {
    nlohmann::json json{{"path", layer.path},             {"name", layer.name},
                        {"type", layer.type},             {"parent", layer.parent},
                        {"parameters", layer.parameters}, {"trainable", layer.trainable},
                        {"weights", layer.weights.count}, {"buffers", layer.buffers.count}};
    if (!layer.weightShape.empty()) json["weight_shape"] = layer.weightShape;
    if (layer.inPlace) json["in_place"] = *layer.inPlace;
    return json;
}

void readLayers(const nlohmann::json& array, std::vector<LayerInfo>* out, JsonFields* parent) {
    if (!array.is_array()) return parent->fail("layers", Message::tr("must be a list"));
    out->resize(array.size());
    for (std::size_t i = 0; i < out->size() && !parent->failed(); ++i) {
        JsonFields fields(array[i], parent->pathOf(fmt::format("layers[{}].", i)), ErrorCode::Internal);
        LayerInfo& layer = (*out)[i];
        fields.required("path", layer.path);
        fields.required("name", layer.name);
        fields.required("type", layer.type);
        fields.required("parent", layer.parent);
        fields.required("parameters", layer.parameters);
        fields.optional("trainable", layer.trainable);
        fields.required("weights", layer.weights);
        fields.required("buffers", layer.buffers);
        fields.optional("weight_shape", layer.weightShape);
        bool inPlace = false;
        fields.optional("in_place", inPlace);
        if (fields.find("in_place")) layer.inPlace = inPlace;
        // Pre-order: whoever walks up the parents must end at the root.
        if (layer.parent < -1 || layer.parent >= static_cast<int>(i)) fields.fail("parent", Message::tr("points at no earlier layer"));
        if (fields.failed()) parent->keep(fields.error());
    }
}

void readBlocks(const nlohmann::json& array, std::vector<BlockGroup>* out, JsonFields* parent) {
    if (!array.is_array()) return parent->fail("blocks", Message::tr("must be a list"));
    out->resize(array.size());
    for (std::size_t i = 0; i < out->size(); ++i) {
        JsonFields fields(array[i], parent->pathOf(fmt::format("blocks[{}].", i)), ErrorCode::Internal);
        fields.required("type", (*out)[i].type);
        fields.required("paths", (*out)[i].paths);
        if (fields.failed()) return parent->keep(fields.error());
    }
}

}  // namespace

std::int64_t ModelInfo::parameterCount() const {
    std::int64_t sum = 0;
    for (const LayerInfo& layer : layers) sum += layer.parameters;
    return sum;
}

std::int64_t ModelInfo::trainableCount() const {
    std::int64_t sum = 0;
    for (const LayerInfo& layer : layers) sum += layer.trainable;
    return sum;
}

Bytes ModelInfo::weightBytes() const {
    Bytes sum;
    for (const LayerInfo& layer : layers) sum += layer.weights;
    return sum;
}

Bytes ModelInfo::bufferBytes() const {
    Bytes sum;
    for (const LayerInfo& layer : layers) sum += layer.buffers;
    return sum;
}

std::vector<std::string> ModelInfo::blockPaths() const {
    std::vector<std::string> paths;
    for (const BlockGroup& group : blocks) paths.insert(paths.end(), group.paths.begin(), group.paths.end());
    return paths;
}

int ModelInfo::indexOf(const std::string& path) const {
    for (std::size_t i = 0; i < layers.size(); ++i)
        if (layers[i].path == path) return static_cast<int>(i);
    return -1;
}

nlohmann::json toJson(const ModelInfo& model) {
    nlohmann::json layers = nlohmann::json::array();
    for (const LayerInfo& layer : model.layers) layers.push_back(toJson(layer));
    nlohmann::json blocks = nlohmann::json::array();
    for (const BlockGroup& group : model.blocks) blocks.push_back({{"type", group.type}, {"paths", group.paths}});
    std::vector<std::string> inputs;
    for (const InputSpec& input : model.inputs) inputs.push_back(formatInputSpec(input));
    return {{"file", model.file},
            {"name", model.name},
            {"traced", model.traced},
            {"weightless", model.weightless},
            {"layers", std::move(layers)},
            {"blocks", std::move(blocks)},
            {"inputs", inputs},
            {"input_source", keyOf(model.inputSource)},
            {"input_question", toJson(model.inputQuestion)},
            {"warnings", toJson(model.warnings)}};
}

Result<ModelInfo> modelInfoFromJson(const nlohmann::json& json) {
    ModelInfo model;
    JsonFields fields(json, "model.", ErrorCode::Internal);
    fields.required("file", model.file);
    fields.required("name", model.name);
    fields.optional("traced", model.traced);
    fields.optional("weightless", model.weightless);
    if (const auto* layers = fields.find("layers"))
        readLayers(*layers, &model.layers, &fields);
    else
        fields.fail("layers", Message::tr("is missing"));
    if (const auto* blocks = fields.find("blocks")) readBlocks(*blocks, &model.blocks, &fields);
    fields.optionalInputs("inputs", &model.inputs);
    fields.named("input_source", model.inputSource, inputSourceFromKey);
    fields.optional("input_question", model.inputQuestion);
    fields.optional("warnings", model.warnings);
    if (fields.failed()) return fields.error();
    return model;
}

}  // namespace tidemark
