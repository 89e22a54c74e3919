// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/plan/fit.h"

#include <QString>

namespace tidemark {

/// "Fits an RTX 4090 with 3.10 GiB to spare; largest batch 46", in the reader's language and units.
QString verdictText(const Fit& fit, const Gpu& gpu, const std::optional<LargestBatch>& largest, ByteUnits units);
/// What the verdict rests on: process memory against capacity, the largest part, where the peak lies.
QString verdictGrounds(const Fit& fit, const CategoryBytes& categories, const Measurement* exact, ByteUnits units);

}  // namespace tidemark
