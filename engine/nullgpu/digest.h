// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string_view>

namespace tidemark::nullgpu {

/// Names a content by 128 bits (FNV-1a): equal contents have equal digests, and different ones do not meet by chance.
class Digest {
public:
    Digest() = default;
    static Digest fromParts(std::uint64_t high, std::uint64_t low) { return Digest((Wide{high} << 64) | low); }

    Digest& add(const void* data, std::size_t size) {
        const auto* bytes = static_cast<const unsigned char*>(data);
        for (std::size_t i = 0; i < size; ++i)
            m_value = (m_value ^ bytes[i]) * kPrime;
        return *this;
    }
    Digest& add(std::int64_t number) { return add(&number, sizeof number); }
    Digest& add(const Digest& other) { return add(&other.m_value, sizeof other.m_value); }
    Digest& add(std::string_view text) { return add(text.data(), text.size()).add(std::int64_t(text.size())); }

    std::uint64_t high() const { return static_cast<std::uint64_t>(m_value >> 64); }
    std::uint64_t low() const { return static_cast<std::uint64_t>(m_value); }
    bool operator==(const Digest&) const = default;

private:
    using Wide = unsigned __int128;
    explicit Digest(Wide value) : m_value(value) {}

    static constexpr Wide kPrime = (Wide{1} << 88) + 0x13B;
    Wide m_value = (Wide{0x6C62272E07BB0142} << 64) | 0x62B821756295C58D;
};

}  // namespace tidemark::nullgpu

template <>
struct std::hash<tidemark::nullgpu::Digest> {
    std::size_t operator()(const tidemark::nullgpu::Digest& digest) const { return digest.low(); }
};
