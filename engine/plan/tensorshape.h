// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/plan/modelinfo.h"
#include "engine/plan/settings.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tidemark {

/// The shape of a tensor as measurements write it.
struct TensorShape {
    std::string dtype;
    std::vector<std::int64_t> sizes;

    /// Product of the sizes from dimension `from` on.
    std::int64_t elements(std::size_t from = 0) const;
    Bytes bytes() const;
};

/// Reads "float32[32, 64]"; a tuple of outputs counts with its first one.
std::optional<TensorShape> parseShape(std::string_view text);
/// Of one element of PyTorch's type without "torch.".
std::int64_t elementBytes(std::string_view dtype);
/// The inputs with the batch and the axes of the settings put in.
std::vector<TensorShape> inputShapes(const ModelInfo& model, const Settings& settings, std::int64_t batch);

}  // namespace tidemark
