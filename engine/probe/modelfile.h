// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/base/result.h"
#include "engine/plan/settings.h"

#include <torch/script.h>

#include <set>
#include <string>
#include <vector>

namespace tidemark {

/// A TorchScript file as read from disk, its tensors still on the host.
struct ModelFile {
    torch::jit::Module module;
    std::vector<InputSpec> inputs;  ///< described in the file (by the exporter or by torch.jit.trace); may be empty
    /// Full names of tensors that stay float32 in pure half precision, because the model's own _apply() restores them;
    /// the exporter wrote them down.
    std::set<std::string> float32;
    bool traced = false;            ///< written by torch.jit.trace, which keeps its example inputs
};

/// Says what the file is when it is no TorchScript archive: the first bytes decide, so that this costs nothing and
/// nothing of the file is executed. ErrorCode::None in a value means "may be TorchScript".
Result<bool> checkLooksLikeTorchScript(const std::string& path);

/// Reads a TorchScript file. The bytes of tensors above 4 MiB are not read: their values never matter here, and a
/// file larger than this machine's memory opens. Errors name the file and say what to do.
Result<ModelFile> readModelFile(const std::string& path);

/// What to say of a file that is TorchScript when LibTorch complains of what it holds: parts of it are read only once
/// they are used.
Error unusableModelFile(const std::string& path, const std::string& complaint);

}  // namespace tidemark
