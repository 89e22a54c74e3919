// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/ivalue.h>
#include <c10/util/ArrayRef.h>

#include <cstdint>
#include <string_view>

namespace tidemark {

/// Multiply-accumulates of one forward operator, from its arguments and its result: convolutions, matrix products and
/// attention; 0 for everything else, as is usual in the field.
std::int64_t multiplyAccumulates(std::string_view op, c10::ArrayRef<const c10::IValue> inputs, const at::Tensor& output);

}  // namespace tidemark
