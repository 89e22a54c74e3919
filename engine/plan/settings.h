// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/base/bytes.h"
#include "engine/base/result.h"

#include <nlohmann/json_fwd.hpp>

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace tidemark {

enum class Precision { Fp32, AmpFp16, AmpBf16, Fp16, Bf16 };
enum class OptimizerKind { None, Sgd, Momentum, Nesterov, Adam, AdamW, RmsProp, Adagrad, Custom };
/// How torch.optim runs the update. Default is what Python picks on CUDA: foreach.
enum class OptimizerImpl { Default, Foreach, Fused, ForLoop };
enum class CheckpointMode { None, All, First, Every, Layers };
/// Train: the training step. Infer: forward under inference_mode. EvalAfterTrain: the same with gradients
/// freed but optimizer state resident. TrainAndEval: the larger of both.
enum class StepMode { Train, Infer, EvalAfterTrain, TrainAndEval };
enum class WorkspaceSource { Cudnn, Estimate, None };
enum class LossKind { CrossEntropy, BceWithLogits, Mse, Mean, Model };
/// GradScaler is what people use with fp16 autocast; Auto means on exactly there.
enum class GradScalerUse { Auto, On, Off };

/// One dimension of an input: a fixed size, or a named axis ("B" is the batch, others are Settings::axes).
struct Dim {
    std::int64_t size = 0;  ///< of a named axis: what it has unless Settings::axes says otherwise; 0 for none
    std::string axis;       ///< empty for a fixed size
    bool operator==(const Dim&) const = default;
};

/// One tensor argument of forward(): `name=float32[B,3,224,224]`. The name is empty for the argument at
/// that position; dtype is PyTorch's name without "torch." (float32, int64, bool, …).
struct InputSpec {
    std::string name;
    std::string dtype = "float32";
    std::vector<Dim> shape;
    bool operator==(const InputSpec&) const = default;
};

/// Reads `[NAME=]DTYPE[D,D,…]`, D a size, the name of an axis, or both (`S=128`). Error: InputInvalid with the offending part.
Result<InputSpec> parseInputSpec(std::string_view text);
std::string formatInputSpec(const InputSpec& spec);

struct OptimizerSettings {
    OptimizerKind kind = OptimizerKind::AdamW;
    OptimizerImpl impl = OptimizerImpl::Default;
    bool weightDecay = false;  ///< a non-zero weight decay (AdamW always has one)
    bool amsgrad = false;
    /// Custom only: bytes of state per parameter element and whether the update needs a full-size temporary.
    double stateBytesPerElement = 4.0;
    bool operator==(const OptimizerSettings&) const = default;
};

/// Activation checkpointing as torch.utils.checkpoint(use_reentrant=False) does it. Units are the repeated
/// blocks of the model (ModelInfo::blocks) or the layers named by hand.
struct CheckpointSettings {
    CheckpointMode mode = CheckpointMode::None;
    int count = 0;                    ///< First: how many blocks. Every: the stride.
    std::vector<std::string> layers;  ///< Layers: module paths
    bool operator==(const CheckpointSettings&) const = default;
};

/// PYTORCH_ALLOC_CONF as far as it changes memory. Zero or empty leaves LibTorch's default.
struct AllocatorSettings {
    bool expandableSegments = false;
    std::int64_t maxSplitSizeMiB = 0;
    double garbageCollectionThreshold = 0;
    int roundupPower2Divisions = 0;
    bool operator==(const AllocatorSettings&) const = default;

    /// The value of PYTORCH_ALLOC_CONF; empty for all defaults.
    std::string toEnvironment() const;
};

/// The same step on each of several cards, as torch.nn.parallel.DistributedDataParallel runs it. Names and defaults are
/// those of its constructor; the batch is that of one card.
struct DataParallelSettings {
    int cards = 1;                      ///< 1: without DistributedDataParallel
    int bucketCapMiB = 0;               ///< 0: PyTorch's default, 25 MiB with a first bucket of 1 MiB
    bool gradientAsBucketView = false;
    bool staticGraph = false;
    bool findUnusedParameters = false;
    bool broadcastBuffers = true;       ///< in every forward pass
    bool noSync = true;                 ///< all micro-batches of a step but the last run within no_sync()
    bool operator==(const DataParallelSettings&) const = default;
};

/// Everything about a training step that changes its memory, except the card.
struct Settings {
    std::int64_t batch = 32;                   ///< micro-batch: examples per forward pass
    std::vector<InputSpec> inputs;             ///< empty: the model's own (ModelInfo::inputs)
    std::map<std::string, std::int64_t> axes;  ///< sizes of the named axes other than the batch
    StepMode mode = StepMode::Train;
    Precision precision = Precision::Fp32;
    bool matmulTf32 = false;                   ///< torch.backends.cuda.matmul.allow_tf32
    bool cudnnTf32 = true;                     ///< torch.backends.cudnn.allow_tf32 (PyTorch's default)
    GradScalerUse gradScaler = GradScalerUse::Auto;
    OptimizerSettings optimizer;
    int accumulate = 1;                        ///< micro-batches per optimizer step
    CheckpointSettings checkpoint;
    LossKind loss = LossKind::CrossEntropy;
    bool channelsLast = false;
    bool zeroGradToNone = true;
    bool keepOutput = false;                   ///< the loop's `out` and `loss` stay bound until the next iteration
    bool clipGradNorm = false;
    bool ema = false;                          ///< a second copy of the weights
    std::vector<std::string> frozen;           ///< module paths whose parameters get no gradient
    WorkspaceSource workspace = WorkspaceSource::Cudnn;
    bool cudnnBenchmark = false;               ///< torch.backends.cudnn.benchmark
    bool cudnnDeterministic = false;           ///< torch.backends.cudnn.deterministic
    AllocatorSettings allocator;
    DataParallelSettings dataParallel;         ///< training only
    int iterations = 3;

    bool operator==(const Settings&) const = default;
    std::int64_t effectiveBatch() const { return batch * accumulate * dataParallel.cards; }
    bool usesDataParallel() const { return dataParallel.cards > 1 && mode != StepMode::Infer; }
};

/// Names as the command line, plan files and the probe protocol write them ("amp-fp16", "for-loop", …).
std::string_view nameOf(Precision);
std::string_view nameOf(OptimizerKind);
std::string_view nameOf(OptimizerImpl);
std::string_view nameOf(CheckpointMode);
std::string_view nameOf(StepMode);
std::string_view nameOf(WorkspaceSource);
std::string_view nameOf(LossKind);
std::string_view nameOf(GradScalerUse);

/// The inverse; SettingInvalid lists the known names.
Result<Precision> precisionFromName(std::string_view);
Result<OptimizerKind> optimizerFromName(std::string_view);
Result<OptimizerImpl> optimizerImplFromName(std::string_view);
Result<StepMode> stepModeFromName(std::string_view);
Result<WorkspaceSource> workspaceFromName(std::string_view);
Result<LossKind> lossFromName(std::string_view);
Result<GradScalerUse> gradScalerFromName(std::string_view);

/// `none`, `all`, a number N (the first N blocks), `every:K`, or `layers:a.b,c.d`.
Result<CheckpointSettings> checkpointFromText(std::string_view);
std::string checkpointText(const CheckpointSettings&);

nlohmann::json toJson(const Settings& settings);
/// Missing fields keep their default; an unknown field or a wrong type is SettingInvalid naming the field.
Result<Settings> settingsFromJson(const nlohmann::json& json);

/// The settings with one of them changed as a person writes it: "precision=amp-bf16", "optimizer=adam", "batch=64",
/// "optimizer.impl=fused", "axes.S=512". Keys are those of the JSON, "-" may stand for "_".
Result<Settings> withSetting(const Settings& settings, std::string_view assignment);

/// Checks ranges (batch ≥ 1, 1 ≤ accumulate, 2 ≤ iterations ≤ 100, axes ≥ 1): the first violation as a sentence.
Result<Settings> validated(Settings settings);

}  // namespace tidemark
