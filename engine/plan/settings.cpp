// SPDX-License-Identifier: Apache-2.0
#include "engine/plan/settings.h"

#include "engine/plan/jsonfields.h"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <map>
#include <utility>

namespace tidemark {
namespace {

template <class E, std::size_t N>
using Names = std::array<std::pair<E, std::string_view>, N>;

constexpr Names<Precision, 5> kPrecisions{{{Precision::Fp32, "fp32"},
                                           {Precision::AmpFp16, "amp-fp16"},
                                           {Precision::AmpBf16, "amp-bf16"},
                                           {Precision::Fp16, "fp16"},
                                           {Precision::Bf16, "bf16"}}};
constexpr Names<OptimizerKind, 9> kOptimizers{{{OptimizerKind::None, "none"},
                                               {OptimizerKind::Sgd, "sgd"},
                                               {OptimizerKind::Momentum, "momentum"},
                                               {OptimizerKind::Nesterov, "nesterov"},
                                               {OptimizerKind::Adam, "adam"},
                                               {OptimizerKind::AdamW, "adamw"},
                                               {OptimizerKind::RmsProp, "rmsprop"},
                                               {OptimizerKind::Adagrad, "adagrad"},
                                               {OptimizerKind::Custom, "custom"}}};
constexpr Names<OptimizerImpl, 4> kImpls{{{OptimizerImpl::Default, "default"},
                                          {OptimizerImpl::Foreach, "foreach"},
                                          {OptimizerImpl::Fused, "fused"},
                                          {OptimizerImpl::ForLoop, "for-loop"}}};
constexpr Names<CheckpointMode, 5> kCheckpointModes{{{CheckpointMode::None, "none"},
                                                     {CheckpointMode::All, "all"},
                                                     {CheckpointMode::First, "first"},
                                                     {CheckpointMode::Every, "every"},
                                                     {CheckpointMode::Layers, "layers"}}};
constexpr Names<StepMode, 4> kModes{{{StepMode::Train, "train"},
                                     {StepMode::Infer, "infer"},
                                     {StepMode::EvalAfterTrain, "eval-after-train"},
                                     {StepMode::TrainAndEval, "train-and-eval"}}};
constexpr Names<WorkspaceSource, 3> kWorkspaces{{{WorkspaceSource::Cudnn, "cudnn"},
                                                 {WorkspaceSource::Estimate, "estimate"},
                                                 {WorkspaceSource::None, "none"}}};
constexpr Names<LossKind, 5> kLosses{{{LossKind::CrossEntropy, "cross-entropy"},
                                      {LossKind::BceWithLogits, "bce"},
                                      {LossKind::Mse, "mse"},
                                      {LossKind::Mean, "mean"},
                                      {LossKind::Model, "model"}}};
constexpr Names<GradScalerUse, 3> kScalers{
    {{GradScalerUse::Auto, "auto"}, {GradScalerUse::On, "on"}, {GradScalerUse::Off, "off"}}};

template <class E, std::size_t N>
std::string_view nameIn(const Names<E, N>& names, E value) {
    for (const auto& [known, name] : names)
        if (known == value) return name;
    return {};
}

template <class E, std::size_t N>
Result<E> valueIn(const Names<E, N>& names, const Message& what, std::string_view text) {
    std::string known;
    for (const auto& [value, name] : names) {
        if (name == text) return value;
        known += fmt::format("{}{}", known.empty() ? "" : ", ", name);
    }
    return Error{ErrorCode::SettingInvalid, Message::tr("\"{}\" is no {}; known are {}.", text, what, known), {}};
}

Error invalid(Message message) { return {ErrorCode::SettingInvalid, std::move(message), {}}; }

bool parseCount(std::string_view text, int* out) {
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), *out);
    return error == std::errc{} && end == text.data() + text.size() && *out >= 0;
}

nlohmann::json optimizerJson(const OptimizerSettings& o) {
    nlohmann::json json{{"kind", nameOf(o.kind)},
                        {"impl", nameOf(o.impl)},
                        {"weight_decay", o.weightDecay},
                        {"amsgrad", o.amsgrad}};
    if (o.kind == OptimizerKind::Custom) json["state_bytes_per_element"] = o.stateBytesPerElement;
    return json;
}

void readOptimizer(JsonFields& fields, OptimizerSettings* out) {
    fields.named("kind", out->kind, optimizerFromName);
    fields.named("impl", out->impl, optimizerImplFromName);
    fields.optional("weight_decay", out->weightDecay);
    fields.optional("amsgrad", out->amsgrad);
    fields.optional("state_bytes_per_element", out->stateBytesPerElement);
}

nlohmann::json allocatorJson(const AllocatorSettings& a) {
    return {{"expandable_segments", a.expandableSegments},
            {"max_split_size_mib", a.maxSplitSizeMiB},
            {"garbage_collection_threshold", a.garbageCollectionThreshold},
            {"roundup_power2_divisions", a.roundupPower2Divisions}};
}

void readAllocator(JsonFields& fields, AllocatorSettings* out) {
    fields.optional("expandable_segments", out->expandableSegments);
    fields.optional("max_split_size_mib", out->maxSplitSizeMiB);
    fields.optional("garbage_collection_threshold", out->garbageCollectionThreshold);
    fields.optional("roundup_power2_divisions", out->roundupPower2Divisions);
}

nlohmann::json dataParallelJson(const DataParallelSettings& d) {
    return {{"cards", d.cards},
            {"bucket_cap_mb", d.bucketCapMiB},
            {"gradient_as_bucket_view", d.gradientAsBucketView},
            {"static_graph", d.staticGraph},
            {"find_unused_parameters", d.findUnusedParameters},
            {"broadcast_buffers", d.broadcastBuffers},
            {"no_sync", d.noSync}};
}

void readDataParallel(JsonFields& fields, DataParallelSettings* out) {
    fields.optional("cards", out->cards);
    fields.optional("bucket_cap_mb", out->bucketCapMiB);
    fields.optional("gradient_as_bucket_view", out->gradientAsBucketView);
    fields.optional("static_graph", out->staticGraph);
    fields.optional("find_unused_parameters", out->findUnusedParameters);
    fields.optional("broadcast_buffers", out->broadcastBuffers);
    fields.optional("no_sync", out->noSync);
}

Message violationOf(const DataParallelSettings& d) {
    if (d.cards < 1 || d.cards > 65536) return Message::tr("The number of cards must lie between 1 and 65536, not {}.", d.cards);
    if (d.bucketCapMiB < 0 || d.bucketCapMiB > 65536)
        return Message::tr("The bucket size must lie between 0 (PyTorch's default) and 65536 MiB, not {}.", d.bucketCapMiB);
    return {};
}

Message violationOf(const AllocatorSettings& a) {
    if (a.maxSplitSizeMiB != 0 && a.maxSplitSizeMiB < 20) return Message::tr("max_split_size_mb must be at least 20 MiB.");
    if (a.garbageCollectionThreshold < 0 || a.garbageCollectionThreshold >= 1)
        return Message::tr("The garbage collection threshold must lie between 0 and 1.");
    const int divisions = a.roundupPower2Divisions;
    if (divisions < 0 || divisions > 64 || (divisions & (divisions - 1)) != 0)
        return Message::tr("roundup_power2_divisions must be a power of two up to 64.");
    return {};
}

/// An axis that one input gives a size has it wherever it is named: float32[B,3,S=224,S].
Message shareAxisSizes(std::vector<InputSpec>* inputs) {
    std::map<std::string, std::int64_t> sizes;
    for (const InputSpec& input : *inputs)
        for (const Dim& dim : input.shape)
            if (dim.size > 0 && !dim.axis.empty() && dim.axis != "B" && sizes.try_emplace(dim.axis, dim.size).first->second != dim.size)
                return Message::tr("The axis {} has two sizes, {} and {}.", dim.axis, sizes[dim.axis], dim.size);
    for (InputSpec& input : *inputs)
        for (Dim& dim : input.shape)
            if (const auto known = sizes.find(dim.axis); known != sizes.end()) dim.size = known->second;
    return {};
}

Message violationOf(const Settings& s) {
    if (s.batch < 1) return Message::tr("The batch must be at least 1, not {}.", s.batch);
    if (s.accumulate < 1) return Message::tr("Accumulation needs at least 1 micro-batch, not {}.", s.accumulate);
    if (s.iterations < 2 || s.iterations > 100)
        return Message::tr("The number of iterations must lie between 2 and 100, not {}.", s.iterations);
    for (const auto& [axis, size] : s.axes)
        if (size < 1) return Message::tr("The axis {} must be at least 1, not {}.", axis, size);
    for (const InputSpec& input : s.inputs)
        for (const Dim& dim : input.shape)
            if (!dim.axis.empty() && dim.axis != "B" && dim.size <= 0 && !s.axes.contains(dim.axis))
                return Message::tr("The axis {} of the input {} has no size.", dim.axis, formatInputSpec(input));
    if (s.checkpoint.count < 0) return Message::tr("The number of checkpointed blocks cannot be negative.");
    if (s.checkpoint.mode == CheckpointMode::Every && s.checkpoint.count < 1)
        return Message::tr("Checkpointing every k-th block needs a k of at least 1.");
    if (s.checkpoint.mode == CheckpointMode::Layers && s.checkpoint.layers.empty())
        return Message::tr("Checkpointing chosen layers needs at least one layer.");
    if (s.optimizer.stateBytesPerElement < 0 || s.optimizer.stateBytesPerElement > 64)
        return Message::tr("The optimizer state must lie between 0 and 64 bytes per element.");
    if (Message violation = violationOf(s.dataParallel); !violation.empty()) return violation;
    return violationOf(s.allocator);
}

}  // namespace

std::string_view nameOf(Precision v) { return nameIn(kPrecisions, v); }
std::string_view nameOf(OptimizerKind v) { return nameIn(kOptimizers, v); }
std::string_view nameOf(OptimizerImpl v) { return nameIn(kImpls, v); }
std::string_view nameOf(CheckpointMode v) { return nameIn(kCheckpointModes, v); }
std::string_view nameOf(StepMode v) { return nameIn(kModes, v); }
std::string_view nameOf(WorkspaceSource v) { return nameIn(kWorkspaces, v); }
std::string_view nameOf(LossKind v) { return nameIn(kLosses, v); }
std::string_view nameOf(GradScalerUse v) { return nameIn(kScalers, v); }

Result<Precision> precisionFromName(std::string_view s) { return valueIn(kPrecisions, Message::tr("precision"), s); }
Result<OptimizerKind> optimizerFromName(std::string_view s) { return valueIn(kOptimizers, Message::tr("optimizer"), s); }
Result<OptimizerImpl> optimizerImplFromName(std::string_view s) {
    return valueIn(kImpls, Message::tr("optimizer implementation"), s);
}
Result<StepMode> stepModeFromName(std::string_view s) { return valueIn(kModes, Message::tr("mode"), s); }
Result<WorkspaceSource> workspaceFromName(std::string_view s) { return valueIn(kWorkspaces, Message::tr("workspace source"), s); }
Result<LossKind> lossFromName(std::string_view s) { return valueIn(kLosses, Message::tr("loss"), s); }
Result<GradScalerUse> gradScalerFromName(std::string_view s) { return valueIn(kScalers, Message::tr("use of the gradient scaler"), s); }

Result<CheckpointSettings> checkpointFromText(std::string_view text) {
    CheckpointSettings result;
    if (text == "none") return result;
    if (text == "all") {
        result.mode = CheckpointMode::All;
        return result;
    }
    if (text.starts_with("layers:")) {
        result.mode = CheckpointMode::Layers;
        for (std::string_view rest = text.substr(7); !rest.empty();) {
            const auto comma = rest.find(',');
            if (comma != 0) result.layers.emplace_back(rest.substr(0, comma));
            rest = comma == std::string_view::npos ? std::string_view{} : rest.substr(comma + 1);
        }
        if (!result.layers.empty()) return result;
    } else if (text.starts_with("every:")) {
        result.mode = CheckpointMode::Every;
        if (parseCount(text.substr(6), &result.count) && result.count > 0) return result;
    } else if (parseCount(text, &result.count)) {
        result.mode = result.count == 0 ? CheckpointMode::None : CheckpointMode::First;
        return result;
    }
    return invalid(fmt::format("\"{}\" is no checkpoint choice; write none, all, a number of blocks, every:K or "
                               "layers:a.b,c.d.",
                               text));
}

std::string checkpointText(const CheckpointSettings& checkpoint) {
    switch (checkpoint.mode) {
    case CheckpointMode::None: return "none";
    case CheckpointMode::All: return "all";
    case CheckpointMode::First: return std::to_string(checkpoint.count);
    case CheckpointMode::Every: return fmt::format("every:{}", checkpoint.count);
    case CheckpointMode::Layers: return fmt::format("layers:{}", fmt::join(checkpoint.layers, ","));
    }
    return "none";
}

std::string AllocatorSettings::toEnvironment() const {
    std::vector<std::string> parts;
    if (expandableSegments) parts.emplace_back("expandable_segments:True");
    if (maxSplitSizeMiB > 0) parts.push_back(fmt::format("max_split_size_mb:{}", maxSplitSizeMiB));
    if (garbageCollectionThreshold > 0)
        parts.push_back(fmt::format("garbage_collection_threshold:{}", garbageCollectionThreshold));
    if (roundupPower2Divisions > 0)
        parts.push_back(fmt::format("roundup_power2_divisions:{}", roundupPower2Divisions));
    return fmt::format("{}", fmt::join(parts, ","));
}

nlohmann::json toJson(const Settings& s) {
    std::vector<std::string> inputs;
    for (const InputSpec& input : s.inputs) inputs.push_back(formatInputSpec(input));
    return {{"batch", s.batch},
            {"inputs", inputs},
            {"axes", s.axes},
            {"mode", nameOf(s.mode)},
            {"precision", nameOf(s.precision)},
            {"matmul_tf32", s.matmulTf32},
            {"cudnn_tf32", s.cudnnTf32},
            {"grad_scaler", nameOf(s.gradScaler)},
            {"optimizer", optimizerJson(s.optimizer)},
            {"accumulate", s.accumulate},
            {"checkpoint", checkpointText(s.checkpoint)},
            {"loss", nameOf(s.loss)},
            {"channels_last", s.channelsLast},
            {"zero_grad_to_none", s.zeroGradToNone},
            {"keep_output", s.keepOutput},
            {"clip_grad_norm", s.clipGradNorm},
            {"ema", s.ema},
            {"frozen", s.frozen},
            {"workspace", nameOf(s.workspace)},
            {"cudnn_benchmark", s.cudnnBenchmark},
            {"cudnn_deterministic", s.cudnnDeterministic},
            {"allocator", allocatorJson(s.allocator)},
            {"data_parallel", dataParallelJson(s.dataParallel)},
            {"iterations", s.iterations}};
}

Result<Settings> settingsFromJson(const nlohmann::json& json) {
    Settings s;
    JsonFields fields(json, "", ErrorCode::SettingInvalid);
    fields.optional("batch", s.batch);
    fields.optionalInputs("inputs", &s.inputs);
    fields.optional("axes", s.axes);
    fields.named("mode", s.mode, stepModeFromName);
    fields.named("precision", s.precision, precisionFromName);
    fields.optional("matmul_tf32", s.matmulTf32);
    fields.optional("cudnn_tf32", s.cudnnTf32);
    fields.named("grad_scaler", s.gradScaler, gradScalerFromName);
    if (const auto* optimizer = fields.find("optimizer"); optimizer && optimizer->is_string())
        fields.named("optimizer", s.optimizer.kind, optimizerFromName);
    else
        fields.object("optimizer", [&](JsonFields& inner) { readOptimizer(inner, &s.optimizer); });
    fields.optional("accumulate", s.accumulate);
    fields.named("checkpoint", s.checkpoint, checkpointFromText);
    fields.named("loss", s.loss, lossFromName);
    fields.optional("channels_last", s.channelsLast);
    fields.optional("zero_grad_to_none", s.zeroGradToNone);
    fields.optional("keep_output", s.keepOutput);
    fields.optional("clip_grad_norm", s.clipGradNorm);
    fields.optional("ema", s.ema);
    fields.optional("frozen", s.frozen);
    fields.named("workspace", s.workspace, workspaceFromName);
    fields.optional("cudnn_benchmark", s.cudnnBenchmark);
    fields.optional("cudnn_deterministic", s.cudnnDeterministic);
    fields.object("allocator", [&](JsonFields& inner) { readAllocator(inner, &s.allocator); });
    fields.object("data_parallel", [&](JsonFields& inner) { readDataParallel(inner, &s.dataParallel); });
    fields.optional("iterations", s.iterations);
    fields.rejectUnknown();
    if (fields.failed()) return fields.error();
    return s;
}

Result<Settings> withSetting(const Settings& settings, std::string_view assignment) {
    const auto equals = assignment.find('=');
    if (equals == std::string_view::npos || equals == 0)
        return invalid(fmt::format("\"{}\" is no setting; write it as key=value.", assignment));
    std::string key(assignment.substr(0, equals));
    const std::string value(assignment.substr(equals + 1));
    const bool axis = key.starts_with("axes.");
    for (char& c : key) c = c == '.' ? '/' : c == '-' && !axis ? '_' : c;
    if (key == "optimizer") key = "optimizer/kind";
    nlohmann::json json = toJson(settings);
    nlohmann::json parsed = nlohmann::json::parse(value, nullptr, false);
    // "checkpoint=3" is a text in the JSON, "batch=3" a number.
    if (parsed.is_discarded() || key == "checkpoint") parsed = value;
    if (key == "inputs" || key == "frozen") parsed = nlohmann::json::array({value});
    if (key.find('/') != std::string::npos && !json.contains(key.substr(0, key.find('/'))))
        return invalid(Message::tr("The field \"{}\" is not known.", assignment.substr(0, equals)));
    try {
        json[nlohmann::json::json_pointer("/" + key)] = std::move(parsed);
    } catch (const nlohmann::json::exception&) {
        return invalid(Message::tr("The field \"{}\" is not known.", assignment.substr(0, equals)));
    }
    return settingsFromJson(json);
}

Result<Settings> validated(Settings settings) {
    if (Message conflict = shareAxisSizes(&settings.inputs); !conflict.empty()) return invalid(std::move(conflict));
    if (Message violation = violationOf(settings); !violation.empty()) return invalid(std::move(violation));
    return settings;
}

}  // namespace tidemark
