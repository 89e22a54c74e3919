// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/base/bytes.h"
#include "engine/gpus/gpu.h"
#include "engine/plan/measurement.h"
#include "engine/plan/settings.h"

#include <optional>
#include <string>

namespace tidemark {

/// What a person wants left of the card.
struct Reserve {
    Bytes absolute;       ///< kept free on top of everything
    double fraction = 0;  ///< of the card's memory, kept free as well: 0.1 is ten percent
    Bytes display;        ///< taken by the desktop and other programs
    bool operator==(const Reserve&) const = default;
};

/// The part of the card a training process may fill.
Bytes capacityOf(const Gpu& gpu, const Reserve& reserve = {});
/// What is left of that for LibTorch's segments once the CUDA context is there: the limit of an exact run. Never
/// below one byte, because a limit of zero means none.
Bytes allocatorLimit(const Gpu& gpu, const Reserve& reserve = {});

/// What nvidia-smi would show for the process: reserved memory and context, with a band for what is not known exactly.
struct ProcessMemory {
    Bytes value;
    Bytes low;
    Bytes high;
    bool operator==(const ProcessMemory&) const = default;
};

/// By how much reserved memory may be off because convolution workspaces are estimated rather than asked of cuDNN.
struct WorkspaceBand {
    Bytes below;
    Bytes above;
};

/// Nothing when cuDNN answered or workspaces are left out on purpose. For an estimate the expected size is once the
/// convolution's operands and the range is 0 to 1.5 times them, or 32 MiB more: 39,744 answers of cuDNN 9.
WorkspaceBand workspaceBand(const Measurement& measurement, bool estimated);

ProcessMemory processMemory(Bytes reserved, const ContextSize& context, const WorkspaceBand& band = {});
/// Of the highest reserved peak of all iterations.
ProcessMemory processMemory(const Measurement& measurement, const Gpu& gpu, bool estimated = false);

/// Tight: the expected figure fits, the upper end of its band does not.
enum class FitLevel { Fits, Tight, DoesNotFit };

struct Fit {
    FitLevel level = FitLevel::DoesNotFit;
    ProcessMemory process;
    Bytes capacity;
    Bytes spare;                             ///< capacity − process.value; negative when it does not fit
    bool afterRetry = false;                 ///< fits only because LibTorch gives cached blocks back when it runs out
    std::optional<OutOfMemory> outOfMemory;  ///< of the limited run

    bool fits() const { return level != FitLevel::DoesNotFit; }
};

/// True when only a run within the card's limit can tell: the unlimited peak is too large, but what it consists of at
/// any one moment is not, so giving back cached blocks may make it fit.
bool needsLimitedRun(const Measurement& unlimited, const Gpu& gpu, const Reserve& reserve = {});

/// Decides on process memory against the card. `limited` is the same step run with allocatorLimit(); without it a
/// step that needed one counts as not fitting.
Fit judge(const Measurement& unlimited, const Measurement* limited, const Gpu& gpu, const Reserve& reserve = {},
          bool estimated = false);

/// What is known of the largest batch, for sentences. `batch` 0: not even one example fits.
struct LargestBatch {
    std::int64_t batch = 0;
    bool limitReached = false;  ///< the search ended at its own upper end, not at the card's
    bool monotone = true;       ///< false: a larger batch was seen to fit, though not all below it
};

/// "an RTX 4090", "a T4": the label of the card with its article.
std::string withArticle(const Gpu& gpu);
/// "Fits an RTX 4090 with 3.10 GiB to spare; largest batch 46."
std::string verdictSentence(const Fit& fit, const Gpu& gpu, const std::optional<LargestBatch>& largest);

}  // namespace tidemark
