// SPDX-License-Identifier: Apache-2.0
#include "engine/probe/tensortypes.h"

#include <array>

namespace tidemark {
namespace {

struct NamedType {
    const char* name;
    at::ScalarType type;
};

constexpr std::array<NamedType, 10> kTypes{{{"float32", at::ScalarType::Float},
                                            {"float64", at::ScalarType::Double},
                                            {"float16", at::ScalarType::Half},
                                            {"bfloat16", at::ScalarType::BFloat16},
                                            {"int64", at::ScalarType::Long},
                                            {"int32", at::ScalarType::Int},
                                            {"int16", at::ScalarType::Short},
                                            {"int8", at::ScalarType::Char},
                                            {"uint8", at::ScalarType::Byte},
                                            {"bool", at::ScalarType::Bool}}};

}  // namespace

const char* dtypeName(at::ScalarType type) {
    for (const NamedType& known : kTypes)
        if (known.type == type) return known.name;
    return c10::toString(type);
}

std::optional<at::ScalarType> dtypeFromName(std::string_view name) {
    for (const NamedType& known : kTypes)
        if (known.name == name) return known.type;
    return std::nullopt;
}

at::ScalarType convertedType(at::ScalarType type, Precision precision) {
    if (!at::isFloatingType(type)) return type;
    if (precision == Precision::Fp16) return at::ScalarType::Half;
    if (precision == Precision::Bf16) return at::ScalarType::BFloat16;
    return type;
}

at::MemoryFormat memoryFormatOf(std::size_t dimensions, bool channelsLast) {
    if (channelsLast && dimensions == 4) return at::MemoryFormat::ChannelsLast;
    if (channelsLast && dimensions == 5) return at::MemoryFormat::ChannelsLast3d;
    return at::MemoryFormat::Contiguous;
}

}  // namespace tidemark
