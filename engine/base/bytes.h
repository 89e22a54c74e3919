// SPDX-License-Identifier: Apache-2.0
#pragma once

#ifndef Q_MOC_RUN  // Qt's moc cannot read libstdc++'s <concepts>
#include <compare>
#endif
#include <cstdint>
#include <string>
#include <string_view>

namespace tidemark {

/// A size or a difference of sizes in bytes. The only type in which Tidemark passes memory sizes,
/// so that a plain integer never means bytes.
struct Bytes {
    std::int64_t count = 0;

    constexpr auto operator<=>(const Bytes&) const = default;
    constexpr Bytes& operator+=(Bytes other) { count += other.count; return *this; }
    constexpr Bytes& operator-=(Bytes other) { count -= other.count; return *this; }
    friend constexpr Bytes operator+(Bytes a, Bytes b) { return {a.count + b.count}; }
    friend constexpr Bytes operator-(Bytes a, Bytes b) { return {a.count - b.count}; }
    friend constexpr Bytes operator-(Bytes a) { return {-a.count}; }
    friend constexpr Bytes operator*(Bytes a, std::int64_t n) { return {a.count * n}; }

    constexpr double kib() const { return static_cast<double>(count) / 1024.0; }
    constexpr double mib() const { return static_cast<double>(count) / (1024.0 * 1024.0); }
    constexpr double gib() const { return static_cast<double>(count) / (1024.0 * 1024.0 * 1024.0); }
};

constexpr Bytes kKiB{1024};
constexpr Bytes kMiB{1024 * 1024};
constexpr Bytes kGiB{1024 * 1024 * 1024};

/// Which units a person reads. Binary is the default everywhere: it is what PyTorch's error messages and
/// nvidia-smi print. Decimal is what card boxes and torchsummary-style megabytes on disk use.
enum class ByteUnits { Binary, Decimal };

/// "0 B", "512 B", "8.1 MiB", "2.80 GiB": three significant digits or more, the unit chosen by size.
/// Negative values keep their sign ("−12.5 MiB" with U+2212).
std::string formatBytes(Bytes bytes, ByteUnits units = ByteUnits::Binary);

/// Always in MiB (MB for Decimal) with one decimal: "2868.3 MiB". For tables where columns are compared.
std::string formatMebibytes(Bytes bytes, ByteUnits units = ByteUnits::Binary);

/// Reads "24 GiB", "500MB", "1.5g", "1073741824". A suffix without "i" followed by "B" ("MB", "GB") is
/// decimal; a bare letter ("g") is binary. Returns false and leaves *out alone when the text is no size.
bool parseBytes(std::string_view text, Bytes* out);

}  // namespace tidemark
