// SPDX-License-Identifier: Apache-2.0
#include "app/commandline/plantext.h"

#include "app/commandline/texttable.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <QFileInfo>

#include <algorithm>

namespace tidemark {
namespace {

using nlohmann::json;

std::string optimizerText(const Settings& s) {
    if (s.mode == StepMode::Infer) return {};
    std::string text = fmt::format(", {}", nameOf(s.optimizer.kind));
    if (s.optimizer.impl != OptimizerImpl::Default) text += fmt::format(" ({})", nameOf(s.optimizer.impl));
    return text;
}

std::string dataParallelText(const Settings& s) {
    const DataParallelSettings& d = s.dataParallel;
    if (!s.usesDataParallel()) return {};
    std::string text = fmt::format(", DistributedDataParallel on each of {} cards", d.cards);
    if (d.bucketCapMiB > 0) text += fmt::format(", buckets of {} MiB", d.bucketCapMiB);
    if (d.gradientAsBucketView) text += ", gradients as bucket views";
    if (d.staticGraph) text += ", static graph";
    if (d.findUnusedParameters) text += ", unused parameters looked for";
    if (!d.broadcastBuffers) text += ", buffers not broadcast";
    if (!d.noSync && s.accumulate > 1) text += ", every micro-batch synchronised";
    return text;
}

std::string modeText(StepMode mode) {
    switch (mode) {
    case StepMode::Train: return "training";
    case StepMode::Infer: return "inference";
    case StepMode::EvalAfterTrain: return "evaluation after training";
    case StepMode::TrainAndEval: return "training and evaluation";
    }
    return {};
}

std::string inputText(const PlanResult& r) {
    const bool own = r.settings.inputs.empty();
    std::vector<std::string> texts;
    for (InputSpec input : own ? r.model.inputs : r.settings.inputs) {
        for (Dim& dim : input.shape) {
            if (dim.axis == "B") dim = {r.settings.batch, {}};
            if (const auto axis = r.settings.axes.find(dim.axis); axis != r.settings.axes.end())
                dim = {axis->second, {}};
        }
        texts.push_back(formatInputSpec(input));
    }
    const char* source = !own                                               ? "given"
                         : r.model.inputSource == InputSource::TracedInputs ? "from the file"
                                                                            : "guessed from the first layer";
    return fmt::format("{} ({})", fmt::join(texts, ", "), source);
}

std::string modelText(const ModelInfo& model) {
    std::string text = fmt::format("{}, {} parameters ({})", model.name, grouped(model.parameterCount()),
                                   formatBytes(model.weightBytes()));
    if (model.trainableCount() != model.parameterCount())
        text += fmt::format(", {} trainable", grouped(model.trainableCount()));
    text += model.traced ? ", traced" : ", scripted";
    if (model.weightless) text += ", without weights";
    return text;
}

std::string workerText(const WorkerInfo& worker) {
    std::string text = fmt::format("LibTorch {}", worker.torchVersion);
    if (worker.workspace == "cudnn")
        text += fmt::format("; convolution workspaces from cuDNN{}{}", worker.cudnnVersion.empty() ? "" : " ",
                            worker.cudnnVersion);
    else if (worker.workspace == "estimate")
        text += "; convolution workspaces estimated";
    else if (worker.workspace == "none")
        text += "; without convolution workspaces";
    return text;
}

/// Mebibytes, so that a column compares at a glance; the fitting unit where those would say 0.
std::string sizeText(Bytes bytes) { return bytes < kMiB ? formatBytes(bytes) : formatMebibytes(bytes); }

std::string peaksText(const PlanResult& r) {
    const Measurement& m = *r.answer.measurement;
    TextTable table({{"Memory"}, {"steady", Align::Right}, {"first step", Align::Right}, {""}});
    table.add({"Allocated", sizeText(m.steady.allocated), sizeText(m.first.allocated), "tensors"});
    table.add({"Reserved", formatMebibytes(m.steady.reserved), formatMebibytes(m.first.reserved),
               "segments of the caching allocator"});
    table.add({"Process", formatMebibytes(r.fit.process.value), "",
               fmt::format("reserved and CUDA context, as nvidia-smi shows it: {} to {}",
                           formatMebibytes(r.fit.process.low), formatMebibytes(r.fit.process.high))});
    return table.text();
}

std::string categoriesText(const Measurement& m) {
    TextTable table({{""}, {"", Align::Right}, {"", Align::Right}});
    const double total = static_cast<double>(m.steady.allocated.count);
    for (Category c : kCategories)
        if (m.categories[c] != Bytes{})
            table.add(
                {titleOf(c), sizeText(m.categories[c]), percentOf(static_cast<double>(m.categories[c].count), total)});
    std::string where = m.peakPhase;
    if (!m.peakLayer.empty()) where += fmt::format("{}{}", where.empty() ? "" : ", ", m.peakLayer);
    return fmt::format("At the peak{}\n{}", where.empty() ? "" : fmt::format(" ({})", where), table.text("  "));
}

std::string countsText(const std::vector<NamedCount>& counts) {
    std::vector<std::string> parts;
    for (const NamedCount& c : counts) parts.push_back(fmt::format("{} ({})", c.name, c.count));
    return fmt::format("{}", fmt::join(parts, ", "));
}

std::string outOfMemoryText(const OutOfMemory& oom) {
    std::string text = fmt::format("LibTorch runs out of memory asking for {}", formatBytes(oom.requested));
    if (!oom.phase.empty()) text += fmt::format(" in {}", oom.phase);
    if (!oom.layer.empty()) text += fmt::format(", layer {}", oom.layer);
    return text + ".";
}

/// "Largest S that fits an A100 80GB: 4096."
std::string largestSizeText(const LargestSize& largest, const Gpu& gpu) {
    if (largest.size == 0) return fmt::format("No size of {} fits {}.", largest.axis, withArticle(gpu));
    const std::string steps = largest.step > 1 ? fmt::format(", in steps of {}", largest.step) : "";
    if (largest.isOnlySize())
        return fmt::format("The only {} that the model takes fits {}: {}.", largest.axis, withArticle(gpu),
                           grouped(largest.size));
    if (largest.limitReached)
        return fmt::format("Any {} up to {} fits {}{}.", largest.axis, grouped(largest.size), withArticle(gpu), steps);
    const char* end = largest.endsModel ? "; the model takes no more" : "";
    const char* gap = largest.monotone ? "" : "; a larger one fits, but not all below it";
    return fmt::format("Largest {} that fits {}: {}{}{}{}.", largest.axis, withArticle(gpu), grouped(largest.size),
                       steps, end, gap);
}

bool asksForCheckpoints(const Settings& s) {
    return s.checkpoint.mode != CheckpointMode::None &&
           !(s.checkpoint.mode == CheckpointMode::First && s.checkpoint.count == 0);
}

/// Why a checkpointed step checkpoints nothing.
std::string withoutCheckpoints(const PlanResult& r) {
    if (r.settings.mode == StepMode::Infer) return "Inference saves nothing for backward, so nothing is checkpointed.";
    if (r.model.blocks.empty())
        return "Nothing is checkpointed: the model has no blocks that repeat. Name layers, as in --checkpoint "
               "layers:a.b,c.";
    return "Nothing is checkpointed.";
}

/// What a reader has to know to trust the figures.
std::vector<std::string> notesOf(const PlanResult& r) {
    const Measurement& m = *r.answer.measurement;
    std::vector<std::string> notes;
    if (r.fit.outOfMemory && !r.fit.fits()) notes.push_back(outOfMemoryText(*r.fit.outOfMemory));
    if (m.outOfMemory) notes.push_back("No memory is large enough for this step: its figures end where it stopped.");
    if (m.checkpointedBlocks > 0 && r.settings.mode != StepMode::Infer)
        notes.push_back(fmt::format("{} block{} checkpointed; {:.0f} % of the forward operators run twice.",
                                    m.checkpointedBlocks, m.checkpointedBlocks == 1 ? "" : "s",
                                    100 * m.recomputedOperators));
    else if (asksForCheckpoints(r.settings) && !m.outOfMemory)
        notes.push_back(withoutCheckpoints(r));
    if (r.settings.usesDataParallel())
        notes.push_back(
            "What NCCL keeps on the card for its connections (NCCL_BUFFSIZE) is no tensor and is not counted.");
    if (r.settings.mode == StepMode::Infer && r.settings.effectiveBatch() != r.settings.batch)
        notes.push_back(
            "Inference has neither micro-batches nor gradients to share: --accumulate and --data-parallel "
            "change nothing.");
    else if (r.settings.effectiveBatch() != r.settings.batch)
        notes.push_back(fmt::format("Effective batch {}.", r.settings.effectiveBatch()));
    if (m.deviceReads > 0)
        notes.push_back(
            fmt::format("The step reads {} value{} back from the device; they read as zero, so branches on data "
                        "take the zero branch{}.",
                        m.deviceReads, m.deviceReads == 1 ? "" : "s",
                        m.deviceReadLayers.empty() ? "" : ": " + countsText(m.deviceReadLayers)));
    if (!m.unmodelledCalls.empty())
        notes.push_back(
            fmt::format("Library calls without a model of their memory: {}.", countsText(m.unmodelledCalls)));
    if (const std::string problem = r.answer.worker.workspaceProblem.english(); !problem.empty())
        notes.push_back(fmt::format("Convolution workspaces are not cuDNN's own: {}.", problem));
    if (!r.largestNote.empty()) notes.push_back(r.largestNote);
    if (!r.gpu.supported) notes.push_back(fmt::format("This LibTorch has no kernels for {}.", withArticle(r.gpu)));
    for (const auto* warnings : {&r.model.warnings, &m.warnings})
        for (const Message& warning : *warnings) notes.push_back(warning.english());
    return notes;
}

json countsJson(const std::vector<NamedCount>& counts) {
    json array = json::array();
    for (const NamedCount& c : counts) array.push_back({{"name", c.name}, {"count", c.count}});
    return array;
}

json peakJson(const Peak& peak) { return {{"allocated", peak.allocated.count}, {"reserved", peak.reserved.count}}; }

std::string_view keyOf(FitLevel level) {
    return level == FitLevel::Fits ? "fits" : level == FitLevel::Tight ? "tight" : "does_not_fit";
}

json outOfMemoryJson(const std::optional<OutOfMemory>& oom) {
    if (!oom) return nullptr;
    return {
        {"requested", oom->requested.count}, {"phase", oom->phase}, {"layer", oom->layer}, {"message", oom->message}};
}

}  // namespace

std::string titleOf(Category category) {
    std::string title(keyOf(category));
    std::replace(title.begin(), title.end(), '_', ' ');
    title.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(title.front())));
    return title;
}

std::string describe(const Settings& s) {
    std::string text =
        fmt::format("{}, batch {}, {}{}", modeText(s.mode), s.batch, nameOf(s.precision), optimizerText(s));
    if (s.accumulate > 1) text += fmt::format(", {} micro-batches a step", s.accumulate);
    if (s.checkpoint.mode != CheckpointMode::None) text += fmt::format(", checkpoint {}", checkpointText(s.checkpoint));
    if (s.channelsLast) text += ", channels last";
    for (const std::string& path : s.frozen) text += fmt::format(", {} frozen", path);
    return text + dataParallelText(s);
}

std::string describe(const Gpu& gpu) {
    return fmt::format("{}, {}, capability {}.{}", gpu.label, formatBytes(gpu.memory), gpu.capabilityMajor,
                       gpu.capabilityMinor);
}

std::string planText(const PlanResult& r) {
    TextTable head({{""}, {""}});
    head.add({"Model", modelText(r.model)});
    head.add({"Input", inputText(r)});
    head.add({"Step", describe(r.settings)});
    head.add({"Card", describe(r.gpu)});
    head.add({"Engine", workerText(r.answer.worker)});
    std::string text =
        fmt::format("{}\n{}\n{}\n{}\n{}\n", QFileInfo(r.answer.request.model).fileName().toStdString(), head.text("  "),
                    peaksText(r), categoriesText(*r.answer.measurement), verdictSentence(r.fit, r.gpu, r.largest));
    if (r.largestSize) text += largestSizeText(*r.largestSize, r.gpu) + '\n';
    for (const std::string& note : notesOf(r)) text += fmt::format("• {}\n", note);
    return text;
}

json categoriesJson(const CategoryBytes& categories) {
    json object = json::object();
    for (Category c : kCategories) object[std::string(tidemark::keyOf(c))] = categories[c].count;
    return object;
}

json modelJson(const ModelInfo& model, const Settings& settings) {
    std::vector<std::string> inputs;
    for (const InputSpec& input : settings.inputs.empty() ? model.inputs : settings.inputs)
        inputs.push_back(formatInputSpec(input));
    return {{"file", model.file},
            {"name", model.name},
            {"parameters", model.parameterCount()},
            {"trainable", model.trainableCount()},
            {"weights", model.weightBytes().count},
            {"buffers", model.bufferBytes().count},
            {"traced", model.traced},
            {"weightless", model.weightless},
            {"inputs", inputs},
            {"blocks", model.blockPaths()}};
}

json gpuJson(const Gpu& gpu) {
    return {{"id", gpu.id},
            {"name", gpu.name},
            {"label", gpu.label},
            {"architecture", gpu.architecture},
            {"capability", fmt::format("{}.{}", gpu.capabilityMajor, gpu.capabilityMinor)},
            {"multiprocessors", gpu.multiprocessors},
            {"memory", gpu.memory.count},
            {"supported", gpu.supported}};
}

json planJson(const PlanResult& r) {
    const Measurement& m = *r.answer.measurement;
    json iterations = json::array();
    for (const Peak& peak : m.iterations) iterations.push_back(peakJson(peak));
    json peak = peakJson(m.steady);
    peak["process"] = {
        {"value", r.fit.process.value.count}, {"low", r.fit.process.low.count}, {"high", r.fit.process.high.count}};
    json result{{"schema", "tidemark.plan/1"},
                {"model", modelJson(r.model, r.settings)},
                {"settings", toJson(r.settings)},
                {"gpu", gpuJson(r.gpu)},
                {"torch_version", r.answer.worker.torchVersion},
                {"cudnn_version", r.answer.worker.cudnnVersion},
                {"workspace", r.answer.worker.workspace},
                {"workspace_problem", r.answer.worker.workspaceProblem.english()},
                {"peak", std::move(peak)},
                {"first", peakJson(m.first)},
                {"baseline", m.baseline.count},
                {"iterations", std::move(iterations)},
                {"categories", categoriesJson(m.categories)},
                {"peak_phase", m.peakPhase},
                {"peak_layer", m.peakLayer},
                {"fits", r.fit.fits()},
                {"fit", keyOf(r.fit.level)},
                {"spare", r.fit.spare.count},
                {"capacity", r.fit.capacity.count},
                {"verdict", verdictSentence(r.fit, r.gpu, r.largest)},
                {"largest_batch", nullptr},
                {"largest_batch_limit_reached", false},
                {"out_of_memory", outOfMemoryJson(r.fit.outOfMemory)},
                {"device_reads", m.deviceReads},
                {"device_read_layers", countsJson(m.deviceReadLayers)},
                {"unmodelled_calls", countsJson(m.unmodelledCalls)},
                {"checkpointed_blocks", m.checkpointedBlocks},
                {"recomputed_operators", m.recomputedOperators},
                {"step_time_us", m.stepTime.count()}};
    if (r.largest) {
        result["largest_batch"] = r.largest->batch;
        result["largest_batch_limit_reached"] = r.largest->limitReached;
        result["largest_batch_monotone"] = r.largest->monotone;
    }
    if (r.largestSize)
        result["largest_size"] = {{"axis", r.largestSize->axis},
                                  {"size", r.largestSize->size},
                                  {"step", r.largestSize->step},
                                  {"limit_reached", r.largestSize->limitReached},
                                  {"ends_model", r.largestSize->endsModel}};
    result["warnings"] = json::array();
    for (const auto* warnings : {&r.model.warnings, &m.warnings})
        for (const Message& warning : *warnings) result["warnings"].push_back(warning.english());
    return result;
}

}  // namespace tidemark
