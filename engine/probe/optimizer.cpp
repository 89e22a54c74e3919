// SPDX-License-Identifier: Apache-2.0
#include "engine/probe/optimizer.h"

#include <ATen/Functions.h>

#include <fmt/format.h>

#include <cmath>
#include <map>

namespace tidemark {
namespace {

constexpr double kLearningRate = 1e-3;
constexpr double kMomentum = 0.9;
constexpr double kBeta1 = 0.9;
constexpr double kBeta2 = 0.999;
constexpr double kAlpha = 0.99;
constexpr double kEps = 1e-8;

/// The tensors of one parameter; which of them exist depends on the optimizer.
struct Slot {
    at::Tensor parameter;
    at::Tensor first;   ///< momentum buffer, exp_avg, square_avg, sum
    at::Tensor second;  ///< exp_avg_sq
    at::Tensor third;   ///< max_exp_avg_sq
    at::Tensor step;    ///< a scalar; on the host unless fused
};

/// The lists that a foreach operator takes: all slots of one dtype that have a gradient.
struct Group {
    std::vector<Slot*> slots;
    std::vector<at::Tensor> parameters, gradients, first, second, third, steps;
};

void appendDefined(std::vector<at::Tensor>& list, const at::Tensor& tensor) {
    if (tensor.defined()) list.push_back(tensor);
}

/// A list of results that a foreach operator made. Python frees a list from its end, and the allocator's state
/// depends on the order.
class TensorList {
public:
    TensorList(std::vector<at::Tensor> tensors) : m_tensors(std::move(tensors)) {}
    TensorList(TensorList&&) = default;
    TensorList& operator=(TensorList&&) = delete;
    ~TensorList() { clear(); }
    void clear() {
        while (!m_tensors.empty()) m_tensors.pop_back();
    }
    operator at::TensorList() const { return m_tensors; }
    const at::Tensor& operator[](std::size_t i) const { return m_tensors[i]; }

private:
    std::vector<at::Tensor> m_tensors;
};

class SlotOptimizer : public Optimizer {
public:
    SlotOptimizer(const OptimizerSettings& settings, std::vector<at::Tensor> parameters)
        : Optimizer(parameters), m_settings(settings) {
        for (const at::Tensor& parameter : parameters) m_slots.push_back({parameter, {}, {}, {}, {}});
    }

    std::vector<State> state() const override {
        std::vector<State> tensors;
        for (std::size_t i = 0; i < m_slots.size(); ++i)
            for (const at::Tensor& tensor : {m_slots[i].first, m_slots[i].second, m_slots[i].third, m_slots[i].step})
                if (tensor.defined() && tensor.is_cuda()) tensors.push_back({i, tensor});
        return tensors;
    }

    void step(const std::optional<ScaledUpdate>& scaled) override {
        at::NoGradGuard noGrad;
        for (Slot& slot : m_slots)
            if (slot.parameter.grad().defined()) initialise(slot);
        if (forLoop()) {
            for (Slot& slot : m_slots)
                if (slot.parameter.grad().defined()) updateOne(slot);
            releaseLoopVariable();
            return;
        }
        for (Group& group : groups()) {
            if (fused()) updateFused(group, scaled);
            else updateGroup(group);
        }
    }

    bool unscalesByItself() const override { return fused(); }

protected:
    virtual void initialise(Slot& slot) = 0;
    virtual void updateGroup(Group& group) = 0;
    virtual void updateOne(Slot& slot) = 0;
    /// Python's loop variable for the update lives from one parameter to the next, and dies with the function.
    virtual void releaseLoopVariable() {}
    virtual void updateFused(Group& group, const std::optional<ScaledUpdate>& scaled) = 0;

    bool forLoop() const { return m_settings.impl == OptimizerImpl::ForLoop; }
    bool fused() const { return m_settings.impl == OptimizerImpl::Fused; }
    const OptimizerSettings& settings() const { return m_settings; }
    std::vector<Slot>& slots() { return m_slots; }
    double weightDecay() const { return m_settings.weightDecay ? 1e-4 : 0.0; }

    /// The step counter of a parameter: on the host, but on the device for fused optimizers.
    at::Tensor newStep() const {
        return fused() ? at::zeros({}, at::device(at::kCUDA).dtype(at::kFloat)) : at::scalar_tensor(0.0, at::kFloat);
    }
    static void advance(Group& group) {
        at::_foreach_add_(group.steps, at::scalar_tensor(1.0, at::kFloat), 1.0);
    }
    /// Gradients with the L2 penalty added: a new list, as large as the gradients.
    TensorList penalised(const Group& group) const {
        if (weightDecay() == 0) return group.gradients;
        return at::_foreach_add(group.gradients, group.parameters, weightDecay());
    }
    static std::optional<at::Tensor> scale(const std::optional<ScaledUpdate>& scaled) {
        return scaled && scaled->gradScale.defined() ? std::optional(scaled->gradScale) : std::nullopt;
    }
    static std::optional<at::Tensor> inf(const std::optional<ScaledUpdate>& scaled) {
        return scaled ? std::optional(scaled->foundInf) : std::nullopt;
    }

private:
    std::vector<Group> groups() {
        std::map<at::ScalarType, std::size_t> indexOf;
        std::vector<Group> result;
        for (Slot& slot : m_slots) {
            if (!slot.parameter.grad().defined()) continue;
            const auto [entry, added] = indexOf.try_emplace(slot.parameter.scalar_type(), result.size());
            if (added) result.emplace_back();
            Group& group = result[entry->second];
            group.slots.push_back(&slot);
            group.parameters.push_back(slot.parameter);
            group.gradients.push_back(slot.parameter.grad());
            appendDefined(group.first, slot.first);
            appendDefined(group.second, slot.second);
            appendDefined(group.third, slot.third);
            appendDefined(group.steps, slot.step);
        }
        return result;
    }

    OptimizerSettings m_settings;
    std::vector<Slot> m_slots;
};

class Sgd : public SlotOptimizer {
public:
    Sgd(const OptimizerSettings& settings, std::vector<at::Tensor> parameters)
        : SlotOptimizer(settings, std::move(parameters)),
          m_momentum(settings.kind == OptimizerKind::Sgd ? 0.0 : kMomentum),
          m_nesterov(settings.kind == OptimizerKind::Nesterov) {}

protected:
    void initialise(Slot& slot) override {
        if (fused() && m_momentum != 0 && !slot.first.defined()) slot.first = at::empty_like(slot.parameter.grad());
    }

    void updateGroup(Group& group) override {
        TensorList gradients = penalised(group);
        if (m_momentum != 0) {
            if (group.first.size() == group.slots.size()) {
                at::_foreach_mul_(group.first, m_momentum);
                at::_foreach_add_(group.first, gradients, 1.0);
            } else {
                group.first.clear();
                for (std::size_t i = 0; i < group.slots.size(); ++i) {
                    at::Tensor& buffer = group.slots[i]->first;
                    if (buffer.defined()) buffer.mul_(m_momentum).add_(gradients[i], 1.0);
                    else buffer = gradients[i].detach().clone();
                    group.first.push_back(buffer);
                }
            }
            if (m_nesterov) at::_foreach_add_(gradients, group.first, m_momentum);
            else gradients.clear();
        }
        const bool plain = m_momentum == 0 || m_nesterov;
        at::_foreach_add_(group.parameters, plain ? at::TensorList(gradients) : at::TensorList(group.first), -kLearningRate);
    }

    void updateOne(Slot& slot) override {
        at::Tensor gradient = slot.parameter.grad();
        if (weightDecay() != 0) gradient = gradient.add(slot.parameter, weightDecay());
        if (m_momentum != 0) {
            if (slot.first.defined()) slot.first.mul_(m_momentum).add_(gradient, 1.0);
            else slot.first = gradient.detach().clone();
            gradient = m_nesterov ? gradient.add(slot.first, m_momentum) : slot.first;
        }
        slot.parameter.add_(gradient, -kLearningRate);
    }

    void updateFused(Group& group, const std::optional<ScaledUpdate>& scaled) override {
        at::_fused_sgd_(group.parameters, group.gradients, group.first, weightDecay(), m_momentum, kLearningRate, 0.0,
                        m_nesterov, false, m_firstStep && m_momentum != 0, scale(scaled), inf(scaled));
        m_firstStep = false;
    }

private:
    double m_momentum;
    bool m_nesterov;
    bool m_firstStep = true;
};

class Adam : public SlotOptimizer {
public:
    using SlotOptimizer::SlotOptimizer;

protected:
    void initialise(Slot& slot) override {
        if (slot.step.defined()) return;
        slot.step = newStep();
        slot.first = at::zeros_like(slot.parameter);
        slot.second = at::zeros_like(slot.parameter);
        if (settings().amsgrad) slot.third = at::zeros_like(slot.parameter);
    }

    void updateGroup(Group& group) override {
        advance(group);
        if (decoupled()) at::_foreach_mul_(group.parameters, 1 - kLearningRate * kDecoupledDecay);
        TensorList gradients = decoupled() ? TensorList(group.gradients) : penalised(group);
        at::_foreach_lerp_(group.first, gradients, 1 - kBeta1);
        at::_foreach_mul_(group.second, kBeta2);
        at::_foreach_addcmul_(group.second, gradients, gradients, 1 - kBeta2);
        gradients.clear();
        if (settings().amsgrad) at::_foreach_maximum_(group.third, group.second);
        TensorList denominator = at::_foreach_sqrt(settings().amsgrad ? group.third : group.second);
        std::vector<at::Scalar> correction, stepSize;
        for (const at::Tensor& step : group.steps) {
            const Corrections c(step.item<double>());
            correction.emplace_back(c.secondRoot);
            stepSize.emplace_back(c.negativeStepSize);
        }
        at::_foreach_div_(denominator, correction);
        at::_foreach_add_(denominator, kEps);
        at::_foreach_addcdiv_(group.parameters, group.first, denominator, stepSize);
    }

    void updateOne(Slot& slot) override {
        slot.step.add_(1);
        at::Tensor gradient = slot.parameter.grad();
        if (decoupled()) slot.parameter.mul_(1 - kLearningRate * kDecoupledDecay);
        else if (weightDecay() != 0) gradient = gradient.add(slot.parameter, weightDecay());
        slot.first.lerp_(gradient, 1 - kBeta1);
        slot.second.mul_(kBeta2).addcmul_(gradient, gradient, 1 - kBeta2);
        const Corrections c(slot.step.item<double>());
        if (settings().amsgrad) at::maximum_out(slot.third, slot.third, slot.second);
        m_denominator = ((settings().amsgrad ? slot.third : slot.second).sqrt() / c.secondRoot).add_(kEps);
        slot.parameter.addcdiv_(slot.first, m_denominator, c.negativeStepSize);
    }

    void updateFused(Group& group, const std::optional<ScaledUpdate>& scaled) override {
        at::_foreach_add_(group.steps, 1);
        if (decoupled())
            at::_fused_adamw_(group.parameters, group.gradients, group.first, group.second, group.third, group.steps,
                              kLearningRate, kBeta1, kBeta2, kDecoupledDecay, kEps, settings().amsgrad, false,
                              scale(scaled), inf(scaled));
        else
            at::_fused_adam_(group.parameters, group.gradients, group.first, group.second, group.third, group.steps,
                             kLearningRate, kBeta1, kBeta2, weightDecay(), kEps, settings().amsgrad, false,
                             scale(scaled), inf(scaled));
        if (scaled) at::_foreach_sub_(group.steps, std::vector<at::Tensor>(group.steps.size(), scaled->foundInf));
    }

    void releaseLoopVariable() override { m_denominator.reset(); }

private:
    static constexpr double kDecoupledDecay = 1e-2;

    struct Corrections {
        explicit Corrections(double step)
            : secondRoot(std::sqrt(1 - std::pow(kBeta2, step))),
              negativeStepSize(-kLearningRate / (1 - std::pow(kBeta1, step))) {}
        double secondRoot;
        double negativeStepSize;
    };
    bool decoupled() const { return settings().kind == OptimizerKind::AdamW; }

    at::Tensor m_denominator;
};

/// RMSprop and Adagrad: one state, a sum of squares of the gradients, whose root divides the step.
class SumOfSquares : public SlotOptimizer {
public:
    SumOfSquares(const OptimizerSettings& settings, std::vector<at::Tensor> parameters) : SlotOptimizer(settings, std::move(parameters)) {
        // Adagrad makes its sums when it is constructed, RMSprop in the first step.
        if (!decays())
            for (Slot& slot : slots()) SumOfSquares::initialise(slot);
    }

protected:
    void initialise(Slot& slot) override {
        if (slot.step.defined()) return;
        slot.step = newStep();
        slot.first = at::zeros_like(slot.parameter);
    }
    void updateGroup(Group& group) override {
        advance(group);
        TensorList gradients = penalised(group);
        if (decays()) at::_foreach_mul_(group.first, kAlpha);
        at::_foreach_addcmul_(group.first, gradients, gradients, weightOfNew());
        TensorList root = at::_foreach_sqrt(group.first);
        at::_foreach_add_(root, kEps);
        divide(group, gradients, root);
    }
    void updateOne(Slot& slot) override {
        slot.step.add_(1);
        at::Tensor gradient = slot.parameter.grad();
        if (weightDecay() != 0) gradient = gradient.add(slot.parameter, weightDecay());
        if (decays()) slot.first.mul_(kAlpha);
        slot.first.addcmul_(gradient, gradient, weightOfNew());
        m_root = slot.first.sqrt();
        m_root.add_(kEps);
        slot.parameter.addcdiv_(gradient, m_root, -kLearningRate);
    }
    void updateFused(Group&, const std::optional<ScaledUpdate>&) override {}
    void releaseLoopVariable() override { m_root.reset(); }

private:
    bool decays() const { return settings().kind == OptimizerKind::RmsProp; }
    double weightOfNew() const { return decays() ? 1 - kAlpha : 1.0; }

    /// parameters −= rate · gradients / root. Adagrad's rates differ by parameter, which makes a list of its own.
    void divide(Group& group, const TensorList& gradients, const TensorList& root) {
        if (decays()) {
            at::_foreach_addcdiv_(group.parameters, gradients, root, -kLearningRate);
            return;
        }
        const std::vector<at::Scalar> rates(group.steps.size(), -kLearningRate);
        if (weightDecay() != 0) {
            at::_foreach_mul_(gradients, rates);
            at::_foreach_addcdiv_(group.parameters, gradients, root, 1);
        } else {
            const TensorList scaled = at::_foreach_mul(gradients, rates);
            at::_foreach_addcdiv_(group.parameters, scaled, root, 1);
        }
    }

    at::Tensor m_root;
};

/// An optimizer outside torch.optim, described by its state: a flat buffer of so many bytes per element, updated
/// parameter by parameter without further temporaries (8-bit optimizers, Lion and their like).
class CustomState : public SlotOptimizer {
public:
    using SlotOptimizer::SlotOptimizer;

protected:
    void initialise(Slot& slot) override {
        if (slot.first.defined()) return;
        const auto bytes = std::llround(settings().stateBytesPerElement * static_cast<double>(slot.parameter.numel()));
        if (bytes > 0) slot.first = at::zeros({bytes}, at::device(at::kCUDA).dtype(at::kByte));
    }
    void updateGroup(Group& group) override { at::_foreach_add_(group.parameters, group.gradients, -kLearningRate); }
    void updateOne(Slot& slot) override { slot.parameter.add_(slot.parameter.grad(), -kLearningRate); }
    void updateFused(Group& group, const std::optional<ScaledUpdate>&) override { updateGroup(group); }
};

}  // namespace

void Optimizer::zeroGrad(bool toNone) {
    at::NoGradGuard noGrad;
    std::map<at::ScalarType, std::vector<at::Tensor>> byType;
    for (at::Tensor& parameter : m_parameters) {
        at::Tensor& gradient = parameter.mutable_grad();
        if (!gradient.defined()) continue;
        if (toNone) gradient.reset();
        else byType[gradient.scalar_type()].push_back(gradient);
    }
    for (auto& [type, gradients] : byType) at::_foreach_zero_(gradients);
}

Result<std::unique_ptr<Optimizer>> makeOptimizer(const OptimizerSettings& settings, std::vector<at::Tensor> parameters) {
    std::unique_ptr<Optimizer> optimizer;
    switch (settings.kind) {
    case OptimizerKind::None: break;
    case OptimizerKind::Sgd:
    case OptimizerKind::Momentum:
    case OptimizerKind::Nesterov: optimizer = std::make_unique<Sgd>(settings, std::move(parameters)); break;
    case OptimizerKind::Adam:
    case OptimizerKind::AdamW: optimizer = std::make_unique<Adam>(settings, std::move(parameters)); break;
    case OptimizerKind::RmsProp:
    case OptimizerKind::Adagrad:
        if (settings.impl == OptimizerImpl::Fused)
            return Error{ErrorCode::SettingInvalid,
                         Message::tr("{} has no fused implementation on CUDA; choose foreach or for-loop.", nameOf(settings.kind)), {}};
        optimizer = std::make_unique<SumOfSquares>(settings, std::move(parameters));
        break;
    case OptimizerKind::Custom: optimizer = std::make_unique<CustomState>(settings, std::move(parameters)); break;
    }
    return optimizer;
}

}  // namespace tidemark
