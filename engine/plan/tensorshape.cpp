// SPDX-License-Identifier: Apache-2.0
#include "engine/plan/tensorshape.h"

#include <algorithm>
#include <charconv>

namespace tidemark {

std::int64_t TensorShape::elements(std::size_t from) const {
    std::int64_t product = 1;
    for (std::size_t i = from; i < sizes.size(); ++i) product *= sizes[i];
    return product;
}

Bytes TensorShape::bytes() const { return Bytes{elements() * elementBytes(dtype)}; }

std::optional<TensorShape> parseShape(std::string_view text) {
    const auto open = text.find('[');
    const auto close = text.find(']');
    if (open == std::string_view::npos || close == std::string_view::npos || close < open) return {};
    TensorShape shape;
    shape.dtype = text.substr(0, open);
    for (std::string_view rest = text.substr(open + 1, close - open - 1); !rest.empty();) {
        while (!rest.empty() && (rest.front() == ' ' || rest.front() == ',')) rest.remove_prefix(1);
        std::int64_t size = 0;
        const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), size);
        if (error != std::errc{}) break;
        shape.sizes.push_back(size);
        rest.remove_prefix(static_cast<std::size_t>(end - rest.data()));
    }
    return shape;
}

std::int64_t elementBytes(std::string_view dtype) {
    if (dtype.ends_with("64")) return 8;
    if (dtype == "complex128") return 16;
    if (dtype.ends_with("16")) return 2;
    if (dtype.ends_with("8") || dtype == "bool") return 1;
    return 4;
}

std::vector<TensorShape> inputShapes(const ModelInfo& model, const Settings& settings, std::int64_t batch) {
    std::vector<TensorShape> shapes;
    for (const InputSpec& input : settings.inputs.empty() ? model.inputs : settings.inputs) {
        TensorShape shape{input.dtype, {}};
        for (const Dim& dim : input.shape) {
            const auto axis = settings.axes.find(dim.axis);
            const std::int64_t own = axis != settings.axes.end() ? axis->second : std::max<std::int64_t>(dim.size, 1);
            shape.sizes.push_back(dim.axis == "B" ? batch : own);
        }
        shapes.push_back(std::move(shape));
    }
    return shapes;
}

}  // namespace tidemark
