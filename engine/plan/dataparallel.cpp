// SPDX-License-Identifier: Apache-2.0
#include "engine/plan/dataparallel.h"

#include <algorithm>

namespace tidemark {
namespace {

Bytes partOf(Bytes whole, int cards) { return Bytes{(whole.count + cards - 1) / cards}; }
Bytes share(Bytes whole, int percent) { return Bytes{whole.count / 100 * percent}; }

/// What sharding over the cards takes off each of them.
Bytes freed(Bytes whole, int cards) { return whole - partOf(whole, cards); }

Bytes largestLayer(const ModelInfo& model) {
    Bytes largest;
    for (const LayerInfo& layer : model.layers) largest = std::max(largest, layer.weights);
    return largest;
}

DataParallelRow measuredRow(Message name, Message assumption, const Measurement& step) {
    return {std::move(name), std::move(assumption), step.steady.allocated, step.steady.allocated, true};
}

DataParallelRow estimatedRow(Message name, Message assumption, Bytes allocated) {
    return {std::move(name), std::move(assumption), allocated, allocated, false};
}

/// "gradient buckets of 97.5 MiB": as they are at the peak.
Message bucketsText(const Measurement& step) {
    return Message::tr("measured; gradient buckets of {}", formatBytes(step.categories[Category::GradientBuckets]));
}

}  // namespace

std::array<Settings, 3> dataParallelSteps(const Settings& settings) {
    std::array<Settings, 3> steps{settings, settings, settings};
    steps[0].dataParallel.cards = 1;
    steps[1].dataParallel.gradientAsBucketView = false;
    steps[2].dataParallel.gradientAsBucketView = true;
    return steps;
}

std::vector<DataParallelRow> dataParallelTable(const ModelInfo& model, const Settings& settings,
                                               const std::array<Measurement, 3>& steps) {
    if (!settings.usesDataParallel() || model.trainableCount() == 0) return {};
    const int cards = settings.dataParallel.cards;
    const Bytes peak = steps[0].steady.allocated;
    const CategoryBytes& at = steps[0].categories;
    const Bytes first = peak - freed(at[Category::OptimizerState], cards);
    const Bytes second = first - freed(at[Category::Gradients], cards);
    const Bytes freedWeights = freed(at[Category::Weights], cards);
    const Bytes third = second - freedWeights + std::min(largestLayer(model), freedWeights);
    return {
        measuredRow(Message::tr("One card alone"), Message::tr("measured"), steps[0]),
        measuredRow("DDP", bucketsText(steps[1]), steps[1]),
        measuredRow("DDP, gradient_as_bucket_view",
                    Message::tr("measured; gradients are views of the buckets once they have arrived"), steps[2]),
        {Message::tr("Rule of thumb for DDP"), Message::tr("10 to 15 % more than one card"), peak + share(peak, 10),
         peak + share(peak, 15), false},
        estimatedRow("ZeRO-1", Message::tr("estimated: optimizer state over {} cards", cards), first),
        estimatedRow("ZeRO-2", Message::tr("estimated: optimizer state and gradients over {} cards", cards), second),
        estimatedRow(
            "ZeRO-3",
            Message::tr("estimated: weights as well, the largest layer gathered while it runs, over {} cards", cards),
            third),
    };
}

}  // namespace tidemark
