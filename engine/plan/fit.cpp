// SPDX-License-Identifier: Apache-2.0
#include "engine/plan/fit.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <string_view>

namespace tidemark {
namespace {

/// The largest workspace of the step where the timeline shows it, else what is live at the peak.
Bytes largestWorkspace(const Measurement& m) {
    Bytes largest = m.categories[Category::Workspace];
    if (m.timeline)
        for (const Allocation& a : m.timeline->allocations)
            if (a.category == Category::Workspace) largest = std::max(largest, a.bytes);
    return largest;
}

std::string largestText(const LargestBatch& largest) {
    if (largest.batch == 0) return "; not even a batch of 1 fits";
    const char* gap = largest.monotone ? "" : ", though single larger ones fit";
    return fmt::format("; largest batch {}{}{}", largest.batch, largest.limitReached ? " or more" : "", gap);
}

}  // namespace

Bytes capacityOf(const Gpu& gpu, const Reserve& reserve) {
    const auto share = std::llround(static_cast<double>(gpu.memory.count) * std::clamp(reserve.fraction, 0.0, 1.0));
    return std::max(Bytes{}, gpu.memory - reserve.absolute - reserve.display - Bytes{share});
}

Bytes allocatorLimit(const Gpu& gpu, const Reserve& reserve) {
    return std::max(Bytes{1}, capacityOf(gpu, reserve) - gpu.context.expected);
}

WorkspaceBand workspaceBand(const Measurement& measurement, bool estimated) {
    if (!estimated) return {};
    const Bytes workspace = largestWorkspace(measurement);
    return {workspace, std::max(Bytes{workspace.count / 2}, kMiB * 32)};
}

ProcessMemory processMemory(Bytes reserved, const ContextSize& context, const WorkspaceBand& band) {
    return {reserved + context.expected, std::max(Bytes{}, reserved - band.below) + context.low,
            reserved + band.above + context.high};
}

ProcessMemory processMemory(const Measurement& measurement, const Gpu& gpu, bool estimated) {
    return processMemory(measurement.highest().reserved, gpu.context, workspaceBand(measurement, estimated));
}

bool needsLimitedRun(const Measurement& unlimited, const Gpu& gpu, const Reserve& reserve) {
    const Bytes limit = allocatorLimit(gpu, reserve);
    return unlimited.highest().reserved > limit && unlimited.highest().allocated <= limit;
}

Fit judge(const Measurement& unlimited, const Measurement* limited, const Gpu& gpu, const Reserve& reserve,
          bool estimated) {
    Fit fit;
    fit.capacity = capacityOf(gpu, reserve);
    fit.process = processMemory(unlimited, gpu, estimated);
    const bool roomy = fit.process.value <= fit.capacity && !unlimited.outOfMemory;
    if (!roomy && limited && !limited->outOfMemory) {
        fit.afterRetry = true;
        fit.process = processMemory(*limited, gpu, estimated);
    }
    fit.spare = fit.capacity - fit.process.value;
    if (!roomy && limited) fit.outOfMemory = limited->outOfMemory;
    if (!roomy && !fit.outOfMemory) fit.outOfMemory = unlimited.outOfMemory;
    if (roomy || fit.afterRetry)
        fit.level = fit.process.high <= fit.capacity && !fit.afterRetry ? FitLevel::Fits : FitLevel::Tight;
    return fit;
}

std::string withArticle(const Gpu& gpu) {
    const std::string& label = gpu.label.empty() ? gpu.name : gpu.label;
    // Letters that are spoken with a vowel first: an A100, an H100, an L4, an RTX 4090.
    const bool vowel = !label.empty() && std::string_view("AEFHILMNORSX").find(label.front()) != std::string_view::npos;
    const bool word = label.size() > 1 && std::islower(static_cast<unsigned char>(label[1]));
    const bool vowelWord = word && std::string_view("AEIOU").find(label.front()) != std::string_view::npos;
    return fmt::format("{} {}", (word ? vowelWord : vowel) ? "an" : "a", label);
}

std::string verdictSentence(const Fit& fit, const Gpu& gpu, const std::optional<LargestBatch>& largest) {
    const std::string tail = largest ? largestText(*largest) : std::string();
    switch (fit.level) {
    case FitLevel::Fits:
        return fmt::format("Fits {} with {} to spare{}.", withArticle(gpu), formatBytes(fit.spare), tail);
    case FitLevel::Tight:
        if (fit.afterRetry)
            return fmt::format("Just fits {}, because LibTorch gives cached blocks back when it runs out{}.",
                               withArticle(gpu), tail);
        return fmt::format("Probably fits {} with {} to spare, but may take up to {} more{}.", withArticle(gpu),
                           formatBytes(fit.spare), formatBytes(fit.process.high - fit.process.value), tail);
    case FitLevel::DoesNotFit: break;
    }
    if (fit.spare < Bytes{})
        return fmt::format("Does not fit {}: {} too much{}.", withArticle(gpu), formatBytes(-fit.spare), tail);
    return fmt::format("Does not fit {}{}.", withArticle(gpu), tail);
}

}  // namespace tidemark
