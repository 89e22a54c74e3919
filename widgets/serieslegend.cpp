// SPDX-License-Identifier: Apache-2.0
#include "widgets/serieslegend.h"

#include "widgets/peakheader.h"

#include <QHBoxLayout>

namespace tidemark {

SeriesLegend::SeriesLegend(QWidget* parent) : QWidget(parent), m_row(new QHBoxLayout(this)) {
    m_row->setContentsMargins(0, 0, 0, 0);
    m_row->setSpacing(4);
}

void SeriesLegend::setSeries(const std::vector<MemorySeries>& series) {
    QStringList names;
    for (const MemorySeries& one : series) names << one.name;
    if (names == m_names) return;
    m_names = names;
    for (LegendChip* chip : m_chips) delete chip;
    m_chips.clear();
    for (std::size_t i = 0; i < series.size(); ++i) {
        auto* chip = new LegendChip(series[i].name, series[i].color, LegendChip::Mark::Line, this);
        chip->setToolTip(tr("Show or hide the process memory of %1").arg(series[i].name));
        connect(chip, &QAbstractButton::toggled, this, [this, i](bool on) { emit toggled(static_cast<int>(i), on); });
        m_row->addWidget(chip);
        m_chips.push_back(chip);
        chip->show();
    }
}

}  // namespace tidemark
