// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <torch/script.h>

#include <functional>
#include <string>
#include <unordered_map>
#include <vector>

namespace tidemark {

/// Is told of every module call of the running model, on the thread that makes it: the caller's thread in the
/// forward pass, an autograd thread while a checkpointed block is recomputed.
class ModuleCallObserver {
public:
    virtual ~ModuleCallObserver() = default;
    virtual void enterModule(int layer) = 0;
    virtual void leaveModule(int layer, const c10::IValue& result) = 0;
};

/// What happens at a module call. Layers are known by their object, since modules of one type share a graph.
struct ModuleCallPolicy {
    std::unordered_map<const c10::ivalue::Object*, int> layerOf;
    std::vector<bool> checkpointed;  ///< by layer; empty: none
    ModuleCallObserver* observer = nullptr;
};

/// Replaces every call of a submodule in the graphs of `module` by an operator of ours, which knows the object
/// that is called. To be done once after loading and before the first run.
void routeModuleCalls(const torch::jit::Module& module);

/// Puts `policy` in force for the calls of all threads while it lives. One at a time: TorchScript operators are
/// plain functions and find it in a process-wide place.
class ActiveModuleCallPolicy {
public:
    explicit ActiveModuleCallPolicy(const ModuleCallPolicy& policy);
    ~ActiveModuleCallPolicy();
    ActiveModuleCallPolicy(const ActiveModuleCallPolicy&) = delete;
    ActiveModuleCallPolicy& operator=(const ActiveModuleCallPolicy&) = delete;

    /// The innermost module that an error left since this came into force, −1 when there was none.
    int failedLayer() const;
};

}  // namespace tidemark
