// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/plan/fit.h"
#include "engine/plan/measurement.h"
#include "engine/plan/modelinfo.h"

#include <optional>
#include <string>
#include <vector>

namespace tidemark {

/// The five figures of a summary tool, as bytes: input, forward/backward pass, parameters and their sum.
struct SummaryFigures {
    Bytes input;
    Bytes pass;
    Bytes parameters;
    Bytes total() const { return input + pass + parameters; }
    std::int64_t parameterCount = 0;
    std::int64_t trainableCount = 0;
};

/// One row of torchsummary's table: one call of a module.
struct SummaryRow {
    std::string name;     ///< "Conv2d-1"
    std::string output;   ///< "[-1, 64, 112, 112]"
    std::int64_t parameters = 0;
};

/// What torchsummary 1.5.1 prints for one example (its batch_size left at −1): every call of every module except
/// the model itself and plain containers, each output counted twice for its gradient at four bytes an element, weight
/// and bias at each call. `measurement` needs its layers.
SummaryFigures torchsummaryFigures(const ModelInfo& model, const Settings& settings, const Measurement& measurement);
std::vector<SummaryRow> torchsummaryRows(const ModelInfo& model, const Measurement& measurement);

/// What torchinfo 1.8 prints at the measured batch: outputs of modules without children that own parameters, twice.
SummaryFigures torchinfoFigures(const ModelInfo& model, const Settings& settings, const Measurement& measurement);

/// One of the rules people use, with what it says here and what is true.
struct RuleOfThumb {
    Message name;
    Message formula;
    Bytes says;
    Bytes truth;
    Message truthName;  ///< which figure it is held against: "allocated", "process"

    /// +0.25: says a quarter too much.
    double error() const;
};

/// One term of `batch × (input + forward) + parameters + batch × forward` and the memory it stands for.
struct FormulaTerm {
    Message term;
    Bytes says;
    std::vector<Category> stands;  ///< the categories it stands for
    Bytes measured;                ///< these at the steady peak
};

/// The formula term by term; what it leaves out comes last with nothing said. Measured terms sum to the steady peak.
std::vector<FormulaTerm> formulaTerms(const ModelInfo& model, const Settings& settings, const Measurement& measurement);

/// The rules on this model at these settings. `mixed`: the same step under AMP, for the rule that it halves memory.
std::vector<RuleOfThumb> rulesOfThumb(const ModelInfo& model, const Settings& settings, const Measurement& measurement,
                                      const ProcessMemory& process, const Measurement* mixed = nullptr);

}  // namespace tidemark
