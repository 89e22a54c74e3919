// SPDX-License-Identifier: Apache-2.0
#include "engine/probe/inputs.h"

#include <ATen/ATen.h>

#include <fmt/format.h>

namespace tidemark {
namespace {

const std::unordered_map<std::string, at::ScalarType>& dtypes() {
    static const std::unordered_map<std::string, at::ScalarType> kTypes{
        {"float32", at::kFloat}, {"float64", at::kDouble}, {"float16", at::kHalf}, {"bfloat16", at::kBFloat16},
        {"int64", at::kLong},    {"int32", at::kInt},      {"int16", at::kShort},  {"int8", at::kChar},
        {"uint8", at::kByte},    {"bool", at::kBool},      {"float", at::kFloat},  {"half", at::kHalf},
        {"long", at::kLong},     {"int", at::kInt},        {"double", at::kDouble}};
    return kTypes;
}

std::optional<std::int64_t> sizeOf(const Dim& dim, const Settings& settings) {
    if (dim.axis.empty()) return dim.size;
    if (dim.axis == "B") return settings.batch;
    if (const auto axis = settings.axes.find(dim.axis); axis != settings.axes.end()) return axis->second;
    return dim.size > 0 ? std::optional(dim.size) : std::nullopt;
}

at::ScalarType typeOf(const InputSpec& spec, Precision precision) {
    const at::ScalarType type = dtypes().at(spec.dtype);
    if (!at::isFloatingType(type)) return type;
    if (precision == Precision::Fp16) return at::kHalf;
    if (precision == Precision::Bf16) return at::kBFloat16;
    return type;
}

at::Tensor makeTensor(const InputSpec& spec, const Settings& settings) {
    std::vector<std::int64_t> sizes;
    for (const Dim& dim : spec.shape) sizes.push_back(*sizeOf(dim, settings));
    at::MemoryFormat format = at::MemoryFormat::Contiguous;
    if (settings.channelsLast && sizes.size() == 4) format = at::MemoryFormat::ChannelsLast;
    if (settings.channelsLast && sizes.size() == 5) format = at::MemoryFormat::ChannelsLast3d;
    return at::empty(sizes, at::device(at::kCUDA).dtype(typeOf(spec, settings.precision)), format).zero_();
}

}  // namespace

Result<std::vector<InputSpec>> inputSpecs(const ModelInfo& model, const Settings& settings) {
    const std::vector<InputSpec>& specs = settings.inputs.empty() ? model.inputs : settings.inputs;
    if (specs.empty()) return Error{ErrorCode::InputNeeded, model.inputQuestion, {}};
    for (const InputSpec& spec : specs) {
        if (dtypes().count(spec.dtype) == 0)
            return Error{ErrorCode::InputInvalid, fmt::format("{} is no dtype Tidemark knows; use float32, float16, bfloat16, int64, int32 or bool.", spec.dtype), {}};
        for (const Dim& dim : spec.shape)
            if (!sizeOf(dim, settings))
                return Error{ErrorCode::InputInvalid, fmt::format("The axis {} of {} has no size; give it one.", dim.axis, formatInputSpec(spec)), {}};
    }
    return specs;
}

Inputs makeInputs(const Model& model, const Settings& settings) {
    Inputs inputs;
    const std::vector<InputSpec> specs = inputSpecs(model.info(), settings).value();
    for (const InputSpec& spec : specs) {
        const at::Tensor tensor = makeTensor(spec, settings);
        inputs.tensors.push_back(tensor);
        if (spec.name.empty()) inputs.positional.emplace_back(tensor);
        else inputs.named.emplace(spec.name, tensor);
    }
    const at::Tensor& first = inputs.tensors.front();
    inputs.tokens = first.dim() == 2 && !first.is_floating_point();
    return inputs;
}

}  // namespace tidemark
