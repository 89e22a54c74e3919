// SPDX-License-Identifier: Apache-2.0
#include "engine/probe/step.h"

#include "engine/probe/autocast.h"
#include "engine/probe/cudacontext.h"
#include "engine/probe/distributed.h"
#include "engine/probe/exceptions.h"
#include "engine/probe/gradscaler.h"
#include "engine/probe/inputs.h"
#include "engine/probe/layeruse.h"
#include "engine/probe/loss.h"
#include "engine/probe/nullcontrol.h"
#include "engine/probe/optimizer.h"
#include "engine/probe/recorder.h"
#include "engine/probe/tensortypes.h"

#include <ATen/Context.h>
#include <c10/core/InferenceMode.h>
#include <c10/cuda/CUDACachingAllocator.h>
#include <c10/cuda/CUDAFunctions.h>

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <optional>
#include <utility>

namespace tidemark {
namespace {

namespace Allocator = c10::cuda::CUDACachingAllocator;
using Clock = std::chrono::steady_clock;

Peak peakNow() {
    const auto stats = Allocator::getDeviceStats(0);
    return {Bytes{stats.allocated_bytes[0].peak}, Bytes{stats.reserved_bytes[0].peak}};
}

/// LibTorch's own error, or that of a library that finds no room for its handle on a real card.
bool isOutOfMemory(std::string_view what) {
    const auto says = [&](std::string_view words) { return what.find(words) != std::string_view::npos; };
    return says("out of memory") || says("STATUS_ALLOC_FAILED") || says("ALLOCATION_FAILED");
}

/// The sentence in which an operator said what is wrong: TorchScript puts its own trace around it.
std::string causeOf(const std::string& what) {
    const auto mark = what.rfind("RuntimeError: ");
    std::string cause = mark == std::string::npos ? what : what.substr(mark + 14);
    return cause.substr(0, cause.find('\n'));
}

/// c10d's check at the beginning of the second step. Its own words go on for half a page.
bool missesGradients(const std::string& what) {
    return what.find("parameters that were not used in producing loss") != std::string::npos;
}

/// backward() without anything to compute gradients of.
bool trainsNothing(const std::string& what) {
    return what.find("does not require grad and does not have a grad_fn") != std::string::npos;
}

Error asError(const std::exception& e) {
    const std::string what = wordsOf(e);
    if (missesGradients(what))
        return {ErrorCode::StepFailed,
                Message::tr("DistributedDataParallel stops at the second step, because parameters got no gradient in the "
                            "first. Switch on find_unused_parameters, or freeze the layers that take no part."),
                what};
    if (trainsNothing(what))
        return {ErrorCode::StepFailed,
                Message::tr("no parameter takes part in the loss that is trained. Thaw a layer, or plan inference instead of training."),
                what};
    return {isOutOfMemory(what) ? ErrorCode::OutOfMemory : ErrorCode::StepFailed, causeOf(what), what};
}

std::optional<at::ScalarType> autocastType(Precision precision) {
    if (precision == Precision::AmpFp16) return at::kHalf;
    if (precision == Precision::AmpBf16) return at::kBFloat16;
    return std::nullopt;
}

/// `with torch.autocast("cuda", dtype=…)` for the precisions that are autocast, nothing for the others.
class PrecisionScope {
public:
    explicit PrecisionScope(Precision precision) {
        if (const auto type = autocastType(precision)) m_scope.emplace(AutocastState{true, *type, true});
    }

private:
    std::optional<AutocastScope> m_scope;
};

/// A kind of iteration: the training step, or a forward pass for evaluation.
enum class Pass { Train, Evaluate };

/// What the outputs of the first forward pass look like: tensors on the meta device.
struct ExpectedOutputs {
    std::optional<std::vector<at::Tensor>> tensors;
    bool certain = false;  ///< the model said so under these settings
};

/// One run of the loop, from an empty device to the last iteration. Members are what Python's variables would be.
class StepRun {
public:
    StepRun(Model& model, const Settings& settings, int recordedIteration, bool detailed)
        : m_model(model), m_settings(settings), m_recorded(recordedIteration), m_recorder(model.info().layers.size(), detailed) {}

    ~StepRun() {
        m_recorder.stop();
        m_out = c10::IValue();
        m_loss.reset();
        m_distributed.reset();
        m_scaler.reset();
        m_optimizer.reset();
        m_inputs = {};
        m_target.reset();
        m_averages.clear();
        m_model.takeOffDevice();
    }

    /// nullopt on success. After an error with code OutOfMemory, peaks() holds what was reached until then.
    std::optional<Error> run(ExpectedOutputs expected);

    const Recorder& recorder() const { return m_recorder; }
    const std::vector<Peak>& peaks() const { return m_peaks; }
    const std::vector<std::chrono::microseconds>& times() const { return m_times; }
    Bytes baseline() const { return m_baseline; }
    int failedIteration() const { return static_cast<int>(m_peaks.size()) - 1; }
    const std::string& phase() const { return m_phase; }
    /// The outputs were seen to be as expected.
    bool knowsOutputs() const { return m_expected.certain; }
    /// The innermost module that an error left, −1 when there was none.
    int failedModule() const { return m_failedModule; }

private:
    std::optional<Error> prepare();
    void checkOutputs(const c10::IValue& out);
    std::vector<Pass> passes() const;
    void trainIteration();
    void evaluateIteration();
    void forward(bool train, bool synchronise);
    void microBatch(int index);
    void update();
    void startRecording();
    void beginPhase(const std::string& name);
    void endPhase();
    void markGradients();
    void markBuckets();

    Model& m_model;
    const Settings& m_settings;
    int m_recorded;
    Recorder m_recorder;
    ExpectedOutputs m_expected;
    ModuleCallPolicy m_policy;
    std::unique_ptr<DistributedModel> m_distributed;
    std::vector<const TensorSlot*> m_parameterSlots;
    std::unique_ptr<Optimizer> m_optimizer;
    std::optional<GradScaler> m_scaler;
    Inputs m_inputs;
    at::Tensor m_target;
    std::vector<at::Tensor> m_averages;
    c10::IValue m_out;
    at::Tensor m_loss;
    Bytes m_baseline;
    std::vector<Peak> m_peaks;
    std::vector<std::chrono::microseconds> m_times;
    std::string m_phase = "load";
    int m_failedModule = -1;
};

std::vector<Pass> StepRun::passes() const {
    const auto count = static_cast<std::size_t>(m_settings.iterations);
    if (m_settings.mode == StepMode::Train) return std::vector<Pass>(count, Pass::Train);
    if (m_settings.mode == StepMode::Infer) return std::vector<Pass>(count, Pass::Evaluate);
    std::vector<Pass> both(count, Pass::Train);
    both.resize(2 * count, Pass::Evaluate);
    return both;
}

std::optional<Error> StepRun::prepare() {
    m_model.putOnDevice(m_settings);
    m_baseline = Bytes{Allocator::getDeviceStats(0).allocated_bytes[0].current};
    Allocator::emptyCache();
    m_parameterSlots = m_model.parameters();
    std::vector<at::Tensor> parameters;
    for (const TensorSlot* slot : m_parameterSlots) parameters.push_back(slot->device);
    const auto trained = [](const at::Tensor& parameter) { return parameter.requires_grad(); };
    if (m_settings.usesDataParallel() && std::none_of(parameters.begin(), parameters.end(), trained))
        return Error{ErrorCode::SettingInvalid,
                     Message::tr("DistributedDataParallel needs a parameter that is trained, and this model has none."), {}};
    if (m_settings.usesDataParallel())
        m_distributed = std::make_unique<DistributedModel>(m_settings.dataParallel, parameters, m_model.buffers());
    m_inputs = makeInputs(m_model, m_settings);
    m_target = makeTarget(m_settings.loss, *m_expected.tensors, m_inputs.tokens, convertedType(at::kFloat, m_settings.precision));
    if (m_settings.mode != StepMode::Infer) {
        if (m_settings.ema)
            for (const at::Tensor& parameter : parameters) m_averages.push_back(parameter.detach().clone());
        auto optimizer = makeOptimizer(m_settings.optimizer, parameters);
        if (!optimizer) return optimizer.error();
        m_optimizer = std::move(optimizer).value();
        const bool automatic = m_settings.gradScaler == GradScalerUse::Auto && m_settings.precision == Precision::AmpFp16;
        if ((automatic || m_settings.gradScaler == GradScalerUse::On) && m_optimizer) m_scaler.emplace();
    }
    m_policy.layerOf = m_model.layerOf();
    m_policy.checkpointed = checkpointedLayers(m_model.info(), m_settings.checkpoint);
    return std::nullopt;
}

void StepRun::beginPhase(const std::string& name) {
    m_phase = name;
    if (m_recorder.running()) m_recorder.beginPhase(name);
}

void StepRun::endPhase() {
    if (m_recorder.running()) m_recorder.endPhase();
}

/// A tuple that Python refers to no more lets go of its last element first.
void dropFromTheBack(c10::IValue value) {
    if (!value.isTuple()) return;
    std::vector<c10::IValue> elements = value.toTupleRef().elements().vec();
    value = c10::IValue();
    while (!elements.empty()) elements.pop_back();
}

void StepRun::forward(bool train, bool synchronise) {
    const PrecisionScope autocast(m_settings.precision);
    if (m_distributed) m_distributed->beforeForward(synchronise);
    markBuckets();
    if (m_recorder.running()) m_recorder.enterModule(0);
    c10::IValue out;
    try {
        out = m_model.module().get_method("forward")(m_inputs.positional, m_inputs.named);
    } catch (...) {
        if (m_recorder.running()) m_recorder.leaveModule(0, {});
        throw;
    }
    if (m_recorder.running()) m_recorder.leaveModule(0, out);
    checkOutputs(out);
    if (m_distributed) m_distributed->afterForward(out, synchronise);
    if (train) {
        auto loss = computeLoss(m_settings.loss, out, m_target, m_inputs.tokens);
        TORCH_CHECK(loss.ok(), loss.ok() ? "" : loss.error().message.english());
        m_loss = std::move(loss).value();
    }
    if (m_settings.keepOutput) m_out = std::move(out);
    else dropFromTheBack(std::move(out));
    if (!train) return;
    if (m_settings.accumulate > 1) m_loss = m_loss / m_settings.accumulate;
}

/// Once; the passes that follow have the same inputs.
void StepRun::checkOutputs(const c10::IValue& out) {
    if (m_expected.certain) return;
    m_expected.certain = sameShapes(outputTensors(out), *m_expected.tensors);
    TORCH_CHECK(m_expected.certain, "The outputs have another shape than the batch lets expect.");
}

void StepRun::microBatch(int index) {
    const std::string suffix = m_settings.accumulate > 1 ? fmt::format(" {}/{}", index + 1, m_settings.accumulate) : "";
    beginPhase("forward" + suffix);
    forward(true, !m_settings.dataParallel.noSync || index + 1 == m_settings.accumulate);
    if (m_recorder.running()) m_recorder.markActivations();
    endPhase();
    beginPhase("backward" + suffix);
    if (m_scaler) m_scaler->scale(m_loss).backward();
    else m_loss.backward();
    if (!m_settings.keepOutput) m_loss.reset();
    markGradients();
    endPhase();
}

void StepRun::markGradients() {
    if (!m_recorder.running()) return;
    for (const TensorSlot* slot : m_parameterSlots)
        if (slot->device.grad().defined()) m_recorder.mark(slot->device.grad(), Category::Gradients, slot->layer);
}

void StepRun::markBuckets() {
    if (!m_recorder.running() || !m_distributed) return;
    for (const at::Tensor& bucket : m_distributed->buckets()) m_recorder.mark(bucket, Category::GradientBuckets);
}

/// torch.nn.utils.clip_grad_norm_(parameters, 1.0), foreach.
void clipGradientNorm(const std::vector<at::Tensor>& parameters) {
    at::NoGradGuard noGrad;
    std::vector<at::Tensor> gradients;
    for (const at::Tensor& parameter : parameters)
        if (parameter.grad().defined()) gradients.push_back(parameter.grad());
    if (gradients.empty()) return;
    const std::vector<at::Tensor> norms = at::_foreach_norm(gradients, 2.0);
    const at::Tensor total = at::linalg_vector_norm(at::stack(norms), 2.0);
    const at::Tensor coefficient = 1.0 / (total + 1e-6);
    const at::Tensor clamped = at::clamp(coefficient, std::nullopt, 1.0);
    at::_foreach_mul_(gradients, clamped);
}

void StepRun::update() {
    beginPhase("optimizer");
    if (m_settings.clipGradNorm && m_optimizer) {
        if (m_scaler) m_scaler->unscale(*m_optimizer);
        clipGradientNorm(m_optimizer->parameters());
    }
    if (m_scaler) {
        m_scaler->step(*m_optimizer);
        m_scaler->update();
    } else if (m_optimizer) {
        m_optimizer->step(std::nullopt);
    }
    if (!m_averages.empty()) {
        at::NoGradGuard noGrad;
        std::vector<at::Tensor> current;
        for (const TensorSlot* slot : m_parameterSlots) current.push_back(slot->device.detach());
        at::_foreach_lerp_(m_averages, current, 0.001);
    }
    if (m_optimizer) m_optimizer->zeroGrad(m_settings.zeroGradToNone);
    else
        for (const TensorSlot* slot : m_parameterSlots) slot->device.mutable_grad().reset();
    endPhase();
}

void StepRun::trainIteration() {
    for (int i = 0; i < m_settings.accumulate; ++i) microBatch(i);
    update();
}

void StepRun::evaluateIteration() {
    c10::InferenceMode inference(true);
    beginPhase("forward");
    forward(false, true);
    endPhase();
}

void StepRun::startRecording() {
    if (m_distributed)
        for (const at::Tensor& bucket : m_distributed->buckets()) m_recorder.declare(bucket, Category::GradientBuckets);
    for (const TensorSlot& slot : m_model.slots()) {
        m_recorder.declare(slot.current(), slot.isParameter ? Category::Weights : Category::Buffers, slot.layer);
        if (slot.isParameter) m_recorder.declare(slot.device.grad(), Category::Gradients, slot.layer);
    }
    for (const at::Tensor& tensor : m_model.constants()) m_recorder.declare(tensor, Category::Buffers);
    for (const at::Tensor& tensor : m_inputs.tensors) m_recorder.declare(tensor, Category::Input);
    m_recorder.declare(m_target, Category::Input);
    for (const at::Tensor& tensor : outputTensors(m_out)) m_recorder.declare(tensor, Category::Activations, 0);
    m_recorder.declare(m_loss, Category::Activations);
    if (m_optimizer)
        for (const Optimizer::State& state : m_optimizer->state())
            m_recorder.declare(state.tensor, Category::OptimizerState, m_parameterSlots[state.parameter]->layer);
    for (std::size_t i = 0; i < m_averages.size(); ++i)
        m_recorder.declare(m_averages[i], Category::OptimizerState, m_parameterSlots[i]->layer);
    if (m_scaler)
        for (const at::Tensor& tensor : m_scaler->state()) m_recorder.declare(tensor, Category::OptimizerState);
    m_recorder.start();
    m_policy.observer = &m_recorder;
}

std::optional<Error> StepRun::run(ExpectedOutputs expected) {
    m_expected = std::move(expected);
    m_recorder.watchFailures();
    try {
        if (auto error = prepare()) return error;
    } catch (const std::exception& e) {
        m_peaks.push_back(peakNow());
        return asError(e);
    }
    const ActiveModuleCallPolicy active(m_policy);
    const std::vector<Pass> passes = this->passes();
    for (std::size_t i = 0; i < passes.size(); ++i) {
        Allocator::resetPeakStats(0);
        if (i > 0 && passes[i] != passes[i - 1]) m_model.module().train(false);
        if (static_cast<int>(i) == m_recorded) startRecording();
        const auto begin = Clock::now();
        std::optional<Error> failure;
        try {
            if (passes[i] == Pass::Train) trainIteration();
            else evaluateIteration();
            c10::cuda::device_synchronize();  // a real card fails late, and its time counts to the end
        } catch (const std::exception& e) {
            failure = asError(e);
            m_failedModule = active.failedLayer();
        }
        m_times.push_back(std::chrono::duration_cast<std::chrono::microseconds>(Clock::now() - begin));
        m_recorder.stop();
        m_policy.observer = nullptr;
        m_peaks.push_back(peakNow());
        if (failure) return failure;
    }
    return std::nullopt;
}

Error nameLayer(Error error, const Model& model, int layer, std::string_view phase) {
    const std::string where = layer > 0 ? model.info().layers[static_cast<std::size_t>(layer)].path : model.info().name;
    error.message = Message::tr("The model failed in {} ({}): {}", where, nameOfPhase(std::string(phase)), error.message);
    return error;
}

/// Runs the forward pass once for the shapes of the outputs, which the targets follow.
Result<std::vector<at::Tensor>> outputsOf(Model& model, const Settings& settings, bool gradients) {
    std::vector<at::Tensor> shapes;
    std::optional<Error> failure;
    const ModuleCallPolicy policy{model.layerOf(), {}, nullptr};
    const ActiveModuleCallPolicy active(policy);
    try {
        model.putOnDevice(settings);
        // Not inference mode: LibTorch keeps cuDNN's dropout state for good, and training could not save it.
        const at::AutoGradMode mode(gradients);
        const PrecisionScope autocast(settings.precision);
        const Inputs inputs = makeInputs(model, settings);
        const c10::IValue out = model.module().get_method("forward")(inputs.positional, inputs.named);
        shapes = onMeta(outputTensors(out));
    } catch (const std::exception& e) {
        if (!isOutOfMemory(wordsOf(e))) failure = nameLayer(asError(e), model, active.failedLayer(), "forward");
    }
    model.takeOffDevice();
    if (failure) return *failure;
    return shapes;
}

/// An emptied device: no cached segments, no library workspaces, counters at zero.
void resetDevice(const NullControl& control, Bytes memoryLimit) {
    at::cuda::clearCublasWorkspaces();
    Allocator::emptyCache();
    Allocator::resetAccumulatedStats(0);
    Allocator::resetPeakStats(0);
    control.setTotalMemory(memoryLimit);
    control.resetCounters();
}

void applyGlobalSettings(const Settings& settings) {
    at::Context& context = at::globalContext();
    context.setAllowTF32CuBLAS(settings.matmulTf32);
    context.setAllowTF32CuDNN(settings.cudnnTf32);
    context.setBenchmarkCuDNN(settings.cudnnBenchmark);
    context.setDeterministicCuDNN(settings.cudnnDeterministic);
}

Measurement collect(const Model& model, const Settings& settings, const StepRun& run, Detail detail, const NullControl& control) {
    Measurement m;
    m.iterations = run.peaks();
    m.first = m.iterations.front();
    m.steady = m.iterations.back();
    m.baseline = run.baseline();
    m.allocationRetries = Allocator::getDeviceStats(0).num_alloc_retries;
    m.outOfMemoryErrors = Allocator::getDeviceStats(0).num_ooms;
    m.unmodelledCalls = control.unmodelledCalls();
    const auto& times = run.times();
    if (!times.empty()) m.stepTime = *std::min_element(times.begin() + (times.size() > 2 ? 1 : 0), times.end());
    if (detail.peaksOnly) return m;
    const Timeline timeline = run.recorder().timeline();
    describePeak(model.info(), run.recorder(), timeline, m);
    // Out of memory while loading: nothing was recorded, and nothing but weights can be there.
    if (run.phase() == "load") m.categories[Category::Weights] = m.steady.allocated;
    const auto checkpointed = checkpointedLayers(model.info(), settings.checkpoint);
    m.checkpointedBlocks = std::count(checkpointed.begin(), checkpointed.end(), true);
    if (run.recorder().forwardOperators() > 0)
        m.recomputedOperators = static_cast<double>(run.recorder().recomputedOperators()) / static_cast<double>(run.recorder().forwardOperators());
    if (detail.layers) {
        m.layers = layerUse(model, run.recorder(), timeline);
        m.moduleCalls = run.recorder().moduleCalls();
    }
    if (detail.timeline) m.timeline = timeline;
    return m;
}

Result<Measurement> measureMode(Model& model, const Settings& settings, Detail detail, Bytes memoryLimit) {
    const NullControl control;
    applyGlobalSettings(settings);
    if (auto specs = inputSpecs(model.info(), settings); !specs) return specs.error();
    resetDevice(control, memoryLimit);
    bool mayRecordAnother = true;
    ExpectedOutputs outputs{model.outputShapes().expected(settings)};
    // Recording costs as much time as the iteration, so only one is recorded: the last, or the one that fails.
    int recorded = settings.iterations * (settings.mode == StepMode::EvalAfterTrain ? 2 : 1) - 1;
    if (detail.peaksOnly) recorded = -1;
    for (int attempt = 0; attempt < 3; ++attempt) {
        if (!outputs.tensors) {
            auto told = outputsOf(model, settings, false);
            // A model that differentiates while it runs, for a gradient penalty, cannot do so without gradients.
            if (!told && settings.mode != StepMode::Infer) told = outputsOf(model, settings, true);
            if (!told) return told.error();
            outputs = {std::move(told).value(), true};
        }
        resetDevice(control, memoryLimit);
        StepRun run(model, settings, recorded, detail.layers || detail.timeline);
        const auto failure = run.run(outputs);
        if (failure && !run.knowsOutputs()) {
            outputs.tensors.reset();
            continue;
        }
        model.outputShapes().learn(settings, *outputs.tensors);
        if (failure && run.peaks().empty()) return *failure;  // a setting, not the model
        const bool unrecorded = run.phase() != "load" && run.failedIteration() != recorded;
        if (failure && unrecorded && !detail.peaksOnly && std::exchange(mayRecordAnother, false)) {
            recorded = run.failedIteration();
            continue;
        }
        if (failure && failure->code != ErrorCode::OutOfMemory) return nameLayer(*failure, model, run.failedModule(), run.phase());
        Measurement m = collect(model, settings, run, detail, control);
        if (failure) {
            const int layer = run.recorder().failedLayer();
            m.outOfMemory = OutOfMemory{run.recorder().failedRequest(), run.phase(),
                                        layer >= 0 ? model.info().layers[static_cast<std::size_t>(layer)].path : "", failure->message.english()};
        }
        return m;
    }
    return Error{ErrorCode::Internal, Message::tr("The step failed at another place when it was run again."), {}};
}

/// Training and the evaluation after it, told by the one that takes more.
Result<Measurement> measureBoth(Model& model, Settings settings, Detail detail, Bytes memoryLimit) {
    settings.mode = StepMode::Train;
    auto train = measureMode(model, settings, detail, memoryLimit);
    if (!train || train->outOfMemory) return train;
    settings.mode = StepMode::EvalAfterTrain;
    auto evaluation = measureMode(model, settings, detail, memoryLimit);
    if (!evaluation || evaluation->outOfMemory) return evaluation;
    Measurement both = train->steady.allocated >= evaluation->steady.allocated ? train.value() : evaluation.value();
    both.first = train->first;
    both.iterations = evaluation->iterations;  // begins with the training
    both.steady.reserved = std::max(train->steady.reserved, evaluation->steady.reserved);
    return both;
}

}  // namespace

Result<Measurement> measureStep(Model& model, const Settings& settings, Detail detail, Bytes memoryLimit) {
    const NullControl control;
    control.resetMemoryRange();
    auto measurement = settings.mode == StepMode::TrainAndEval ? measureBoth(model, settings, detail, memoryLimit)
                                                               : measureMode(model, settings, detail, memoryLimit);
    // With cudnn.benchmark LibTorch asks the driver how much is free, and lets the answer decide.
    if (measurement && !settings.cudnnBenchmark) measurement->sameWithin = control.memoryRange();
    return measurement;
}

}  // namespace tidemark
