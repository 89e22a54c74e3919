// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/base/result.h"
#include "engine/gpus/catalogue.h"
#include "engine/plan/fit.h"
#include "engine/plan/settings.h"

#include <string>
#include <vector>

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace tidemark {

/// The options that describe a step, as texts; common to all commands that run one.
class StepOptions {
public:
    void addTo(CLI::App& app);
    /// The texts read and checked. `extra` are further key=value assignments (`--set-b`).
    Result<Settings> settings(const std::vector<std::string>& extra = {}) const;

private:
    std::int64_t m_batch = 32;
    std::vector<std::string> m_inputs;
    std::vector<std::string> m_axes;
    std::string m_precision = "fp32";
    std::string m_optimizer = "adamw";
    std::string m_optimizerImpl = "default";
    std::string m_checkpoint = "none";
    std::string m_mode = "train";
    std::string m_loss = "cross-entropy";
    std::string m_workspace = "cudnn";
    std::vector<std::string> m_frozen;
    std::vector<std::string> m_set;
    int m_accumulate = 1;
    int m_cards = 1;
    int m_bucketCap = 0;
    int m_iterations = 3;
    bool m_bucketViews = false;
    bool m_channelsLast = false;
    bool m_cudnnBenchmark = false;
    bool m_cudnnDeterministic = false;
};

/// The options that describe a card and what is kept free of it.
class CardOptions {
public:
    void addTo(CLI::App& app);
    Result<Gpu> gpu(const Catalogue& catalogue) const;
    Result<Reserve> reserve() const;
    bool gpuGiven() const;

private:
    std::string m_gpu = "a100-80gb";
    const CLI::Option* m_gpuOption = nullptr;
    std::string m_reserve;
    std::string m_display;
};

struct ChosenCard {
    Gpu gpu;
    Reserve reserve;
};

}  // namespace tidemark
