// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace tidemark {

/// MeasureRequest::variant of the pages that measure beside the plan. The plan's variants count from 1, and each page has a
/// number of its own, so that none supersedes or drops another's requests.
enum PageVariant {
    kInsightsVariant = -1,
    kAxisVariant = -2,
    kAdviceVariant = -3,
    kInputSetsVariant = -4,
    kGpuProbeVariant = -5,
    kDataParallelVariant = -6,
};

}  // namespace tidemark
