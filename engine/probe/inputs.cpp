// SPDX-License-Identifier: Apache-2.0
#include "engine/probe/inputs.h"

#include "engine/probe/tensortypes.h"

#include <ATen/ATen.h>

#include <fmt/format.h>

namespace tidemark {
namespace {

std::optional<std::int64_t> sizeOf(const Dim& dim, const Settings& settings) {
    if (dim.axis.empty()) return dim.size;
    if (dim.axis == "B") return settings.batch;
    if (const auto axis = settings.axes.find(dim.axis); axis != settings.axes.end()) return axis->second;
    return dim.size > 0 ? std::optional(dim.size) : std::nullopt;
}

at::Tensor makeTensor(const InputSpec& spec, const Settings& settings) {
    std::vector<std::int64_t> sizes;
    for (const Dim& dim : spec.shape) sizes.push_back(*sizeOf(dim, settings));
    const at::ScalarType type = convertedType(*dtypeFromName(spec.dtype), settings.precision);
    const auto format = memoryFormatOf(sizes.size(), settings.channelsLast);
    return at::empty(sizes, at::device(at::kCUDA).dtype(type), format).zero_();
}

}  // namespace

Result<std::vector<InputSpec>> inputSpecs(const ModelInfo& model, const Settings& settings) {
    const std::vector<InputSpec>& specs = settings.inputs.empty() ? model.inputs : settings.inputs;
    if (specs.empty()) return Error{ErrorCode::InputNeeded, model.inputQuestion, {}};
    for (const InputSpec& spec : specs) {
        if (!dtypeFromName(spec.dtype))
            return Error{ErrorCode::InputInvalid, Message::tr("{} is no dtype Tidemark knows; use float32, float16, bfloat16, int64, int32 or bool.", spec.dtype), {}};
        for (const Dim& dim : spec.shape)
            if (!sizeOf(dim, settings))
                return Error{ErrorCode::InputInvalid, Message::tr("The axis {} of {} has no size; give it one.", dim.axis, formatInputSpec(spec)), {}};
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
