// SPDX-License-Identifier: Apache-2.0
#include "engine/plan/rulesofthumb.h"

#include "engine/plan/tensorshape.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace tidemark {
namespace {

/// torchsummary and torchinfo think in floats whatever the model computes in.
constexpr std::int64_t kFloatBytes = 4;

std::vector<bool> withChildren(const ModelInfo& model) {
    std::vector<bool> parents(model.layers.size(), false);
    for (const LayerInfo& layer : model.layers)
        if (layer.parent >= 0) parents[static_cast<std::size_t>(layer.parent)] = true;
    return parents;
}

bool isHooked(const LayerInfo& layer) {
    return layer.parent >= 0 && layer.type != "Sequential" && layer.type != "ModuleList";
}

/// torchsummary counts attributes named weight and bias only. Modules with children keep theirs under other names
/// (class tokens, position embeddings, in_proj_weight).
std::int64_t weightAndBias(const LayerInfo& layer, bool hasChildren) { return hasChildren ? 0 : layer.parameters; }

struct Call {
    std::size_t layer;
    TensorShape output;
};

std::vector<Call> hookedCalls(const ModelInfo& model, const Measurement& m) {
    std::vector<Call> calls;
    for (const ModuleCall& call : m.moduleCalls) {
        const auto index = static_cast<std::size_t>(call.layer);
        if (call.layer < 0 || index >= model.layers.size() || !isHooked(model.layers[index])) continue;
        if (const auto shape = parseShape(call.output)) calls.push_back({index, *shape});
    }
    if (!m.moduleCalls.empty()) return calls;
    // Without the list of calls, each call of a layer counts with the shape of its last one.
    for (std::size_t i = 0; i < model.layers.size() && i < m.layers.size(); ++i) {
        if (!isHooked(model.layers[i]) || m.layers[i].calls == 0) continue;
        if (const auto shape = parseShape(m.layers[i].output))
            for (int call = 0; call < m.layers[i].calls; ++call) calls.push_back({i, *shape});
    }
    return calls;
}

Bytes scaled(Bytes bytes, double factor) { return Bytes{std::llround(static_cast<double>(bytes.count) * factor)}; }

}  // namespace

std::vector<SummaryRow> torchsummaryRows(const ModelInfo& model, const Measurement& measurement) {
    const std::vector<bool> parents = withChildren(model);
    std::vector<SummaryRow> rows;
    for (const Call& call : hookedCalls(model, measurement)) {
        const LayerInfo& layer = model.layers[call.layer];
        std::string shape = "[-1";
        for (std::size_t i = 1; i < call.output.sizes.size(); ++i) shape += fmt::format(", {}", call.output.sizes[i]);
        rows.push_back({fmt::format("{}-{}", layer.type, rows.size() + 1), shape + "]",
                        weightAndBias(layer, parents[call.layer])});
    }
    return rows;
}

SummaryFigures torchsummaryFigures(const ModelInfo& model, const Settings& settings, const Measurement& measurement) {
    const std::vector<bool> parents = withChildren(model);
    SummaryFigures figures;
    for (const Call& call : hookedCalls(model, measurement)) {
        const LayerInfo& layer = model.layers[call.layer];
        figures.pass += Bytes{2 * kFloatBytes * call.output.elements(1)};
        const std::int64_t parameters = weightAndBias(layer, parents[call.layer]);
        figures.parameterCount += parameters;
        if (layer.trainable > 0) figures.trainableCount += parameters;
    }
    figures.parameters = Bytes{figures.parameterCount * kFloatBytes};
    // It multiplies the sizes of all inputs with each other rather than adding the inputs up.
    std::int64_t product = 1;
    for (const TensorShape& input : inputShapes(model, settings, 1)) product *= input.elements(1);
    figures.input = Bytes{product * kFloatBytes};
    return figures;
}

SummaryFigures torchinfoFigures(const ModelInfo& model, const Settings& settings, const Measurement& measurement) {
    const std::vector<bool> parents = withChildren(model);
    SummaryFigures figures;
    for (const Call& call : hookedCalls(model, measurement)) {
        const LayerInfo& layer = model.layers[call.layer];
        if (parents[call.layer] || layer.parameters == 0) continue;
        figures.pass += Bytes{2 * elementBytes(call.output.dtype) * call.output.elements(0)};
    }
    // Only the bytes of modules without children, but the count of all.
    for (std::size_t i = 0; i < model.layers.size(); ++i)
        if (!parents[i] && i < measurement.layers.size() && measurement.layers[i].calls > 0)
            figures.parameters += model.layers[i].weights;
    figures.parameterCount = model.parameterCount();
    figures.trainableCount = model.trainableCount();
    for (const TensorShape& input : inputShapes(model, settings, settings.batch))
        figures.input += Bytes{elementBytes(input.dtype) * input.elements(0)};
    return figures;
}

std::vector<FormulaTerm> formulaTerms(const ModelInfo& model, const Settings& settings,
                                      const Measurement& measurement) {
    const SummaryFigures one = torchsummaryFigures(model, settings, measurement);
    const Bytes forward{one.pass.count / 2};
    std::vector<FormulaTerm> terms{
        {Message::tr("batch × input"), one.input * settings.batch, {Category::Input}, {}},
        {Message::tr("batch × forward"), forward * settings.batch, {Category::Activations}, {}},
        {Message::tr("parameters"), one.parameters, {Category::Weights, Category::Buffers}, {}},
        {Message::tr("batch × forward, for backward"), forward * settings.batch, {Category::Temporary, Category::Workspace}, {}},
        {Message::tr("left out"), {}, {Category::Gradients, Category::GradientBuckets, Category::OptimizerState}, {}}};
    for (FormulaTerm& term : terms)
        for (const Category category : term.stands) term.measured += measurement.categories[category];
    return terms;
}

double RuleOfThumb::error() const {
    if (truth.count == 0) return 0;
    return static_cast<double>((says - truth).count) / static_cast<double>(truth.count);
}

std::vector<RuleOfThumb> rulesOfThumb(const ModelInfo& model, const Settings& settings, const Measurement& m,
                                      const ProcessMemory& process, const Measurement* mixed) {
    const SummaryFigures one = torchsummaryFigures(model, settings, m);
    const Bytes allocated = m.highest().allocated;
    const Bytes forward{one.pass.count / 2};
    std::vector<RuleOfThumb> rules;
    rules.push_back({Message::tr("torchsummary's total times the batch"), Message::tr("(input + forward/backward + parameters) × batch"),
                     one.total() * settings.batch, allocated, Message::tr("allocated")});
    rules.push_back({Message::tr("the same with half as much again for safety"), Message::tr("total × 1.5 × batch"),
                     scaled(one.total() * settings.batch, 1.5), process.value, Message::tr("process")});
    rules.push_back({Message::tr("term by term"), Message::tr("batch × (input + forward) + parameters + batch × forward"),
                     (one.input + forward) * settings.batch + one.parameters + forward * settings.batch, allocated,
                     Message::tr("allocated")});
    const SummaryFigures info = torchinfoFigures(model, settings, m);
    rules.push_back(
        {Message::tr("torchinfo's total"), Message::tr("input + forward/backward + parameters"), info.total(), allocated, Message::tr("allocated")});
    rules.push_back({Message::tr("allocated and 500 MB for the system"), Message::tr("allocated + 500 MB"), allocated + Bytes{500'000'000},
                     process.value, Message::tr("process")});
    rules.push_back(
        {Message::tr("allocated and a quarter for safety"), Message::tr("allocated × 1.25"), scaled(allocated, 1.25), process.value, Message::tr("process")});
    // DistributedDataParallel keeps every gradient a second time, in the buckets that it sends.
    Bytes buckets;
    for (const LayerInfo& layer : model.layers)
        if (layer.parameters > 0)
            buckets +=
                scaled(layer.weights, static_cast<double>(layer.trainable) / static_cast<double>(layer.parameters));
    rules.push_back({Message::tr("data parallel takes 10 to 15 % more"), Message::tr("allocated × 1.125"), scaled(allocated, 1.125),
                     allocated + buckets, Message::tr("allocated with DDP's buckets")});
    if (mixed && settings.precision == Precision::Fp32)
        rules.push_back({Message::tr("mixed precision halves the memory"), Message::tr("allocated ÷ 2"), scaled(allocated, 0.5),
                         mixed->highest().allocated, Message::tr("allocated under AMP")});
    return rules;
}

}  // namespace tidemark
