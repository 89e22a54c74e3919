// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/plan/settings.h"

#include <c10/core/MemoryFormat.h>
#include <c10/core/ScalarType.h>

#include <optional>
#include <string_view>

namespace tidemark {

/// PyTorch's name of a dtype without "torch.": "float32", "bfloat16", "int64".
const char* dtypeName(at::ScalarType type);
/// The inverse; nullopt for a name that no input can have.
std::optional<at::ScalarType> dtypeFromName(std::string_view name);

/// The dtype that model.to(dtype) gives a tensor of this dtype: floating-point ones change under a pure precision,
/// nothing does under fp32 and autocast.
at::ScalarType convertedType(at::ScalarType type, Precision precision);

/// tensor.to(memory_format=torch.channels_last) reorders tensors of four dimensions and, as channels_last_3d, of five.
at::MemoryFormat memoryFormatOf(std::size_t dimensions, bool channelsLast);

}  // namespace tidemark
