// SPDX-License-Identifier: Apache-2.0
#include "widgets/byteaxis.h"

#include <cmath>

namespace tidemark {
namespace {

/// The round number (1, 2, 2.5 or 5 times a power of ten) next above `value`.
double roundedUp(double value) {
    const double magnitude = std::pow(10.0, std::floor(std::log10(value)));
    for (const double factor : {1.0, 2.0, 2.5, 5.0})
        if (value <= factor * magnitude * (1 + 1e-9)) return factor * magnitude;
    return 10 * magnitude;
}

}  // namespace

double ByteTicker::getTickStep(const QCPRange& range) {
    const double scale = m_units == ByteUnits::Binary ? 1024.0 : 1000.0;
    m_unit = 1;
    while (range.upper / m_unit >= 1.5 * scale) m_unit *= scale;
    m_step = qMax(1.0, roundedUp(qMax(range.size(), 1.0) / m_unit / qMax(1, tickCount())) * m_unit);
    return m_step;
}

QString ByteTicker::getTickLabel(double tick, const QLocale&, QChar, int) {
    static constexpr const char* kBinary[] = {"B", "KiB", "MiB", "GiB", "TiB"};
    static constexpr const char* kDecimal[] = {"B", "kB", "MB", "GB", "TB"};
    if (std::fabs(tick) < 0.5) return QStringLiteral("0");
    const double scale = m_units == ByteUnits::Binary ? 1024.0 : 1000.0;
    const int power = qBound(0, qRound(std::log(m_unit) / std::log(scale)), 4);
    const double step = m_step / m_unit;
    int decimals = 0;
    while (decimals < 3 && std::fabs(step * std::pow(10, decimals) - std::round(step * std::pow(10, decimals))) > 1e-6)
        ++decimals;
    return QString::number(tick / m_unit, 'f', decimals) + QLatin1Char(' ') +
           QLatin1String(m_units == ByteUnits::Binary ? kBinary[power] : kDecimal[power]);
}

double BatchTicker::getTickStep(const QCPRange& range) {
    return qMax(1.0, roundedUp(qMax(range.size(), 1.0) / qMax(1, tickCount())));
}

QVector<double> BatchTicker::createTickVector(double step, const QCPRange& range) {
    if (!m_log) return QCPAxisTicker::createTickVector(qMax(1.0, std::round(step)), range);
    QVector<double> ticks;
    for (double tick = 1; tick <= range.upper * 1.0001; tick *= 2)
        if (tick >= range.lower * 0.999) ticks << tick;
    return ticks;
}

QString BatchTicker::getTickLabel(double tick, const QLocale&, QChar, int) {
    return QLocale(QLocale::English, QLocale::UnitedStates).toString(static_cast<qint64>(std::llround(tick)));
}

}  // namespace tidemark
