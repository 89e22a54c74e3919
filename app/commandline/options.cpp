// SPDX-License-Identifier: Apache-2.0
#include "app/commandline/options.h"

#include "app/commandline/wholenumber.h"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <charconv>

namespace tidemark {
namespace {

Error invalid(std::string message) { return {ErrorCode::SettingInvalid, std::move(message), {}}; }

/// Takes a value through its reading function, keeping the first error.
template <class T>
void take(const Result<T>& result, T* out, std::optional<Error>* error) {
    if (result.ok())
        *out = result.value();
    else if (!*error)
        *error = result.error();
}

Result<std::pair<std::string, std::int64_t>> parseAxis(const std::string& text) {
    const auto equals = text.find('=');
    std::int64_t size = 0;
    if (equals != std::string::npos && equals > 0) {
        const char* end = text.data() + text.size();
        const auto [rest, error] = std::from_chars(text.data() + equals + 1, end, size);
        if (error == std::errc{} && rest == end && size > 0) return std::pair{text.substr(0, equals), size};
    }
    return invalid(fmt::format("\"{}\" is no axis; write it as NAME=SIZE.", text));
}

/// An input that gives the batch another size than the step has.
std::optional<Error> batchConflict(const Settings& s) {
    for (const InputSpec& input : s.inputs)
        for (const Dim& dim : input.shape)
            if (dim.axis == "B" && dim.size > 0 && dim.size != s.batch)
                return invalid(fmt::format("The input {} gives the batch another size than --batch {}; write B alone.",
                                           formatInputSpec(input), s.batch));
    return std::nullopt;
}

}  // namespace

void StepOptions::addTo(CLI::App& app) {
    const std::string group = app.option_defaults()->get_group();
    app.option_defaults()->group("The step");
    app.add_option("--input", m_inputs, "An input as [NAME=]DTYPE[B,3,224,224]; B is the batch. Repeat for several")
        ->allow_extra_args(false);
    app.add_option("--axis", m_axes, "Size of a named axis as NAME=SIZE")->allow_extra_args(false);
    app.add_option("--batch", m_batch, "Examples per forward pass")
        ->check(wholeNumber<std::int64_t>())
        ->capture_default_str();
    app.add_option("--precision", m_precision, "fp32, amp-fp16, amp-bf16, fp16 or bf16")->capture_default_str();
    app.add_option("--optimizer", m_optimizer, "none, sgd, momentum, nesterov, adam, adamw, rmsprop, adagrad or custom")
        ->capture_default_str();
    app.add_option("--optimizer-impl", m_optimizerImpl, "default, foreach, fused or for-loop")->capture_default_str();
    app.add_option("--accumulate", m_accumulate, "Micro-batches per optimizer step")
        ->check(wholeNumber<int>())
        ->capture_default_str();
    app.add_option("--checkpoint", m_checkpoint,
                   "Activation checkpointing: none, all, the number of blocks, every:K or layers:a.b,c")
        ->capture_default_str();
    app.add_option("--mode", m_mode, "train, infer, eval-after-train or train-and-eval")->capture_default_str();
    app.add_option("--loss", m_loss, "cross-entropy, bce, mse, mean or model")->capture_default_str();
    app.add_option("--data-parallel", m_cards, "The step on each of so many cards under DistributedDataParallel")
        ->check(wholeNumber<int>())
        ->capture_default_str();
    app.add_option("--bucket-cap", m_bucketCap, "MiB of a gradient bucket; 0 is PyTorch's 25, the first of 1")
        ->check(wholeNumber<int>())
        ->capture_default_str();
    app.add_flag("--gradient-as-bucket-view", m_bucketViews, "Gradients are views of the buckets");
    app.add_flag("--channels-last", m_channelsLast, "Memory format of 4-D tensors");
    app.add_option("--freeze", m_frozen, "Path of a module whose parameters get no gradient. Repeat for several")
        ->allow_extra_args(false);
    app.add_option("--workspace", m_workspace, "Convolution workspaces: cudnn, estimate or none")
        ->capture_default_str();
    app.add_flag("--cudnn-benchmark", m_cudnnBenchmark, "torch.backends.cudnn.benchmark: try algorithms at first");
    app.add_flag("--cudnn-deterministic", m_cudnnDeterministic, "torch.backends.cudnn.deterministic");
    app.add_option("--iterations", m_iterations, "Steps to run; the last one is the steady one")
        ->check(wholeNumber<int>())
        ->capture_default_str();
    app.add_option("--set", m_set, "Any other setting as key=value, as in the JSON of a plan. Repeat for several")
        ->allow_extra_args(false);
    app.option_defaults()->group(group);
}

Result<Settings> StepOptions::settings(const std::vector<std::string>& extra) const {
    Settings s;
    std::optional<Error> error;
    s.batch = m_batch;
    s.accumulate = m_accumulate;
    s.iterations = m_iterations;
    s.channelsLast = m_channelsLast;
    s.dataParallel.cards = m_cards;
    s.dataParallel.bucketCapMiB = m_bucketCap;
    s.dataParallel.gradientAsBucketView = m_bucketViews;
    s.cudnnBenchmark = m_cudnnBenchmark;
    s.cudnnDeterministic = m_cudnnDeterministic;
    s.frozen = m_frozen;
    for (const std::string& text : m_inputs) {
        InputSpec spec;
        take(parseInputSpec(text), &spec, &error);
        s.inputs.push_back(spec);
    }
    for (const std::string& text : m_axes) {
        std::pair<std::string, std::int64_t> axis;
        take(parseAxis(text), &axis, &error);
        if (axis.first == "B" && !error) error = invalid("B is the batch; write --batch rather than --axis B.");
        const auto known = s.axes.insert(axis).first;
        if (known->second != axis.second && !error)
            error = invalid(
                fmt::format("The axis {} has two sizes, {} and {}; give one.", axis.first, known->second, axis.second));
    }
    take(precisionFromName(m_precision), &s.precision, &error);
    take(optimizerFromName(m_optimizer), &s.optimizer.kind, &error);
    take(optimizerImplFromName(m_optimizerImpl), &s.optimizer.impl, &error);
    take(checkpointFromText(m_checkpoint), &s.checkpoint, &error);
    take(stepModeFromName(m_mode), &s.mode, &error);
    take(lossFromName(m_loss), &s.loss, &error);
    take(workspaceFromName(m_workspace), &s.workspace, &error);
    for (const auto* assignments : {&m_set, &extra})
        for (const std::string& assignment : *assignments) take(withSetting(s, assignment), &s, &error);
    if (!error) error = batchConflict(s);
    if (error) return *error;
    return validated(std::move(s));
}

void CardOptions::addTo(CLI::App& app) {
    const std::string group = app.option_defaults()->get_group();
    app.option_defaults()->group("The card");
    m_gpuOption = app.add_option("--gpu", m_gpu, "The card, loosely: \"A100 80GB\", \"rtx 4090\". See tidemark gpus")
                      ->capture_default_str();
    app.add_option("--reserve", m_reserve, "Kept free of the card: a size (500MB) or a share (10%)");
    app.add_option("--display", m_display, "Taken by the desktop and other programs: a size");
    app.option_defaults()->group(group);
}

Result<Gpu> CardOptions::gpu(const Catalogue& catalogue) const { return catalogue.find(m_gpu); }

bool CardOptions::gpuGiven() const { return m_gpuOption && m_gpuOption->count() > 0; }

Result<Reserve> CardOptions::reserve() const {
    Reserve reserve;
    if (!m_display.empty() && !parseBytes(m_display, &reserve.display))
        return invalid(fmt::format("\"{}\" is no size; write --display 1GiB, say.", m_display));
    if (m_reserve.empty()) return reserve;
    if (m_reserve.back() == '%') {
        double percent = 0;
        const char* end = m_reserve.data() + m_reserve.size() - 1;
        const auto [rest, error] = std::from_chars(m_reserve.data(), end, percent);
        if (error == std::errc{} && rest == end && percent >= 0 && percent < 100) {
            reserve.fraction = percent / 100;
            return reserve;
        }
    } else if (parseBytes(m_reserve, &reserve.absolute)) {
        return reserve;
    }
    return invalid(
        fmt::format("\"{}\" is neither a size nor a share; write --reserve 500MB or --reserve 10%.", m_reserve));
}

}  // namespace tidemark
