// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/base/bytes.h"

#include <qcustomplot.h>

namespace tidemark {

/// Ticks at round numbers of the unit that suits the range: "0", "500 MiB", "1.5 GiB". The axis counts bytes.
class ByteTicker : public QCPAxisTicker {
public:
    void setUnits(ByteUnits units) { m_units = units; }

protected:
    double getTickStep(const QCPRange& range) override;
    QString getTickLabel(double tick, const QLocale& locale, QChar formatChar, int precision) override;
    int getSubTickCount(double) override { return 0; }

private:
    double m_unit = 1;
    double m_step = 1;
    ByteUnits m_units = ByteUnits::Binary;
};

/// Ticks of a batch axis: integers, and powers of two when the axis is logarithmic.
class BatchTicker : public QCPAxisTicker {
public:
    void setLogarithmic(bool on) { m_log = on; }

protected:
    double getTickStep(const QCPRange& range) override;
    QVector<double> createTickVector(double step, const QCPRange& range) override;
    QString getTickLabel(double tick, const QLocale& locale, QChar formatChar, int precision) override;
    int getSubTickCount(double) override { return 0; }

private:
    bool m_log = false;
};

}  // namespace tidemark
