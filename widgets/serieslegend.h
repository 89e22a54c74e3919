// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "widgets/memoryplot.h"

#include <QWidget>

class QHBoxLayout;

namespace tidemark {

class LegendChip;

/// The other variants of the memory plot as switches.
class SeriesLegend : public QWidget {
    Q_OBJECT

public:
    explicit SeriesLegend(QWidget* parent = nullptr);

    void setSeries(const std::vector<MemorySeries>& series);
    LegendChip* chip(int index) const { return m_chips[static_cast<std::size_t>(index)]; }

signals:
    void toggled(int index, bool visible);

private:
    QHBoxLayout* m_row;
    std::vector<LegendChip*> m_chips;
    QStringList m_names;
};

}  // namespace tidemark
