// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/ivalue.h>

#include <functional>
#include <vector>

namespace tidemark {

/// Runs a checkpointed function. The flag tells a recomputation from the first run.
using CheckpointedFunction = std::function<c10::IValue(std::vector<c10::IValue> inputs, bool recomputing)>;

/// Runs `function` as torch.utils.checkpoint.checkpoint(use_reentrant=False) does: what its operators save for
/// backward is not kept; the first of them that backward asks for has the function run again, from its saved
/// inputs, until everything that was saved the first time is there (early stop). Autocast is restored for the
/// recomputation. Checkpoints may be nested. Needs installCheckpointEngine().
c10::IValue runCheckpointed(CheckpointedFunction function, const std::vector<c10::IValue>& inputs);

/// Whether this thread is leaving a recomputation that has delivered everything: the exception that ends it is no
/// failure.
bool isEndingRecomputation();

/// Makes saved tensors ask the checkpoint in force how to be kept. Python's engine does this for Python hooks; LibTorch's
/// own engine has no hooks. Once a process, before the first backward pass.
void installCheckpointEngine();

}  // namespace tidemark
