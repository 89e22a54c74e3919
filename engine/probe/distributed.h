// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/plan/settings.h"

#include <ATen/ATen.h>
#include <ATen/core/ivalue.h>

#include <memory>
#include <optional>
#include <vector>

namespace tidemark {

/// What torch.nn.parallel.DistributedDataParallel does around the model on one of N cards, with LibTorch's own
/// c10d::Reducer over a process group that moves nothing: the gradient buckets, the broadcasts of
/// parameters and buffers and their coalesced copies, the rebuilding of the buckets after the first iteration.
/// Source of the order of events: torch/nn/parallel/distributed.py of PyTorch 2.15.
/// The buffers of NCCL itself are no tensors; they are not here.
class DistributedModel {
public:
    /// `DistributedDataParallel(model, device_ids=[0], …)`. `parameters`, of which one at least is trained, and
    /// `buffers` in the order of Module.parameters() and .buffers().
    DistributedModel(const DataParallelSettings& settings, const std::vector<at::Tensor>& parameters,
                     std::vector<at::Tensor> buffers);
    ~DistributedModel();
    DistributedModel(const DistributedModel&) = delete;
    DistributedModel& operator=(const DistributedModel&) = delete;

    /// What forward() does before the model runs; `synchronise`: not within `no_sync()`.
    void beforeForward(bool synchronise);
    /// What it does with the model's result.
    void afterForward(c10::IValue& output, bool synchronise);

    /// The buckets as they are now.
    std::vector<at::Tensor> buckets() const;

private:
    struct State;
    std::unique_ptr<State> m_state;
};

}  // namespace tidemark
