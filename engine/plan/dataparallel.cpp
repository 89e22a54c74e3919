// SPDX-License-Identifier: Apache-2.0
#include "engine/plan/dataparallel.h"

#include <fmt/format.h>

#include <algorithm>

namespace tidemark {
namespace {

Bytes partOf(Bytes whole, int cards) { return Bytes{(whole.count + cards - 1) / cards}; }
Bytes share(Bytes whole, int percent) { return Bytes{whole.count / 100 * percent}; }

/// Gradients have the dtype and size of their parameters.
Bytes gradientBytes(const ModelInfo& model) {
    Bytes sum;
    for (const LayerInfo& layer : model.layers)
        if (layer.parameters > 0) sum += Bytes{layer.weights.count / layer.parameters * layer.trainable};
    return sum;
}

Bytes largestLayer(const ModelInfo& model) {
    Bytes largest;
    for (const LayerInfo& layer : model.layers) largest = std::max(largest, layer.weights);
    return largest;
}

}  // namespace

std::vector<DataParallelEstimate> dataParallelEstimates(const ModelInfo& model, const Measurement& measurement,
                                                        int cards) {
    const Bytes gradients = gradientBytes(model);
    if (cards < 2 || gradients == Bytes{}) return {};
    const Bytes peak = measurement.steady.allocated;
    const CategoryBytes& at = measurement.categories;
    const Bytes state = at[Category::OptimizerState] - partOf(at[Category::OptimizerState], cards);
    const Bytes freedGradients = at[Category::Gradients] - partOf(at[Category::Gradients], cards);
    const Bytes freedWeights = at[Category::Weights] - partOf(at[Category::Weights], cards);
    const Bytes gathered = std::min(largestLayer(model), freedWeights);
    return {
        {"DDP", Message::tr("buckets of {} beside the gradients", formatBytes(gradients)), peak + gradients,
         peak + gradients},
        {"DDP, gradient_as_bucket_view", Message::tr("gradients are views of the buckets, which are there from the first step on"),
         peak + (gradients - std::min(gradients, at[Category::Gradients])),
         peak + (gradients - std::min(gradients, at[Category::Gradients]))},
        {Message::tr("Rule of thumb"), Message::tr("10 to 15 % more than one card"), peak + share(peak, 10), peak + share(peak, 15)},
        {"ZeRO-1", Message::tr("optimizer state over {} cards", cards), peak - state, peak - state},
        {"ZeRO-2", Message::tr("optimizer state and gradients over {} cards", cards), peak - state - freedGradients,
         peak - state - freedGradients},
        {"ZeRO-3", Message::tr("weights as well, the largest layer gathered while it runs, over {} cards", cards),
         peak - state - freedGradients - freedWeights + gathered,
         peak - state - freedGradients - freedWeights + gathered},
    };
}

}  // namespace tidemark
