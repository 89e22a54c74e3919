// SPDX-License-Identifier: Apache-2.0
#include "engine/plan/advice.h"

#include <algorithm>

namespace tidemark {
namespace {

bool trains(const Settings& s) { return s.mode == StepMode::Train || s.mode == StepMode::TrainAndEval; }

void addFreeChanges(const Settings& s, std::vector<Advice>* list) {
    if (trains(s) && !s.zeroGradToNone) {
        Settings changed = s;
        changed.zeroGradToNone = true;
        list->push_back(
            {Message::tr("Set gradients to none"), Message::tr("zero_grad(set_to_none=True), PyTorch's default"), AdviceCost::Free, changed});
    }
    const bool canFuse = s.optimizer.kind == OptimizerKind::Adam || s.optimizer.kind == OptimizerKind::AdamW ||
                         s.optimizer.kind == OptimizerKind::Sgd || s.optimizer.kind == OptimizerKind::Momentum;
    if (trains(s) && canFuse && s.optimizer.impl != OptimizerImpl::Fused) {
        Settings changed = s;
        changed.optimizer.impl = OptimizerImpl::Fused;
        list->push_back(
            {Message::tr("Fused optimizer"), Message::tr("fused=True: no temporary copies in the update"), AdviceCost::Free, changed});
    }
    if (!s.allocator.expandableSegments) {
        Settings changed = s;
        changed.allocator.expandableSegments = true;
        list->push_back({Message::tr("Expandable segments"), Message::tr("PYTORCH_ALLOC_CONF=expandable_segments:True: less fragmentation"),
                         AdviceCost::Setup, changed});
    }
    if (!s.channelsLast && s.precision != Precision::Fp32) {
        Settings changed = s;
        changed.channelsLast = true;
        list->push_back(
            {Message::tr("Channels last"), Message::tr("often faster, and smaller convolution workspaces"), AdviceCost::Setup, changed});
    }
}

void addPrecisions(const Settings& s, std::vector<Advice>* list) {
    if (s.precision != Precision::Fp32) return;
    Settings changed = s;
    changed.precision = Precision::AmpBf16;
    list->push_back({Message::tr("Automatic mixed precision, bf16"), Message::tr("autocast; weights stay fp32"), AdviceCost::Precision, changed});
    changed.precision = Precision::AmpFp16;
    list->push_back({Message::tr("Automatic mixed precision, fp16"), Message::tr("autocast with a gradient scaler; weights stay fp32"),
                     AdviceCost::Precision, changed});
}

void addCheckpointing(const ModelInfo& model, const Settings& s, std::vector<Advice>* list) {
    const auto blocks = static_cast<int>(model.blockPaths().size());
    if (!trains(s) || s.checkpoint.mode == CheckpointMode::All) return;
    const int now = s.checkpoint.mode == CheckpointMode::First ? s.checkpoint.count : 0;
    constexpr int kParts = 4;
    for (int part = 1, last = now; part < kParts; ++part) {
        const int count = blocks * part / kParts;
        if (count <= last) continue;
        last = count;
        Settings changed = s;
        changed.checkpoint = {CheckpointMode::First, count, {}};
        list->push_back({Message::tr("Checkpoint {} of {} blocks", count, blocks), Message::tr("their forward pass runs twice"),
                         AdviceCost::Speed, changed});
    }
    if (blocks > now) {
        Settings changed = s;
        changed.checkpoint = {CheckpointMode::All, 0, {}};
        list->push_back({Message::tr("Checkpoint all {} blocks", blocks), Message::tr("their forward pass runs twice"),
                         AdviceCost::Speed, changed});
    }
}

void addAccumulation(const Settings& s, std::vector<Advice>* list) {
    if (!trains(s)) return;
    // Halves, while the effective batch can be kept; whoever needs more can ask again from there.
    constexpr std::int64_t kMostParts = 16;
    for (std::int64_t batch = s.batch, factor = 1; batch % 2 == 0 && factor < kMostParts;) {
        batch /= 2;
        factor *= 2;
        Settings changed = s;
        changed.batch = batch;
        changed.accumulate = static_cast<int>(s.accumulate * factor);
        list->push_back({Message::tr("{} micro-batches of {}", changed.accumulate, batch),
                         Message::tr("the same effective batch in more passes; batch norm sees the micro-batch"), AdviceCost::Speed,
                         changed});
    }
}

void addOptimizers(const Settings& s, std::vector<Advice>* list) {
    const bool two = s.optimizer.kind == OptimizerKind::Adam || s.optimizer.kind == OptimizerKind::AdamW;
    if (!trains(s) || !two) return;
    Settings changed = s;
    changed.optimizer = {OptimizerKind::Custom, OptimizerImpl::Default, s.optimizer.weightDecay, false, 2.0};
    list->push_back({Message::tr("8-bit optimizer state"), Message::tr("two bytes a parameter instead of eight; needs another library"),
                     AdviceCost::Training, changed});
    changed.optimizer = {OptimizerKind::Momentum, OptimizerImpl::Default, s.optimizer.weightDecay, false, 4.0};
    list->push_back(
        {Message::tr("SGD with momentum"), Message::tr("one state instead of two; needs other learning rates"), AdviceCost::Training, changed});
}

}  // namespace

Message titleOf(AdviceCost cost) {
    switch (cost) {
    case AdviceCost::Free: return Message::tr("free");
    case AdviceCost::Setup: return Message::tr("set-up");
    case AdviceCost::Precision: return Message::tr("precision");
    case AdviceCost::Speed: return Message::tr("speed");
    case AdviceCost::Training: return Message::tr("training changes");
    }
    return {};
}

std::vector<Advice> adviceFor(const ModelInfo& model, const Settings& settings) {
    std::vector<Advice> list;
    addFreeChanges(settings, &list);
    addPrecisions(settings, &list);
    addCheckpointing(model, settings, &list);
    addAccumulation(settings, &list);
    addOptimizers(settings, &list);
    std::stable_sort(list.begin(), list.end(), [](const Advice& a, const Advice& b) { return a.cost < b.cost; });
    return list;
}

std::vector<Settings> checkpointSteps(const ModelInfo& model, const Settings& settings, int most) {
    const auto blocks = static_cast<int>(model.blockPaths().size());
    if (blocks == 0 || !trains(settings)) return {};
    std::vector<Settings> steps;
    const int last = std::min(blocks, most - 1);
    for (int i = 0; i <= last; ++i) {
        const int count = i * blocks / last;
        steps.push_back(settings);
        steps.back().checkpoint = {count == 0 ? CheckpointMode::None : CheckpointMode::First, count, {}};
    }
    return steps;
}

MeasuredAdvice measuredAdvice(const Advice& advice, const Fit& fit, Bytes before, const Measurement& measurement) {
    return {advice, fit, before - fit.process.value, measurement.recomputedOperators};
}

RecomputePoint recomputePoint(const Settings& settings, const Fit& fit, const Measurement& measurement) {
    const Peak peak = measurement.highest();
    return {settings.checkpoint.count, peak.allocated, peak.reserved, fit.process.value,
            measurement.recomputedOperators};
}

std::vector<MeasuredAdvice> ranked(std::vector<MeasuredAdvice> advice) {
    std::erase_if(advice, [](const MeasuredAdvice& a) { return a.saved <= Bytes{}; });
    std::stable_sort(advice.begin(), advice.end(), [](const MeasuredAdvice& a, const MeasuredAdvice& b) {
        if (a.fit.fits() != b.fit.fits()) return a.fit.fits();
        if (a.fit.fits()) return a.advice.cost < b.advice.cost;
        return a.saved > b.saved;
    });
    return advice;
}

}  // namespace tidemark
