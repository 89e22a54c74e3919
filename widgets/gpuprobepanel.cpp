// SPDX-License-Identifier: Apache-2.0
#include "widgets/gpuprobepanel.h"

#include "widgets/tablecopy.h"
#include "widgets/text.h"
#include "widgets/theme.h"

#include <QCheckBox>
#include <QComboBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QStackedWidget>
#include <QTreeWidget>
#include <QVBoxLayout>

#include <algorithm>

namespace tidemark {
namespace {

constexpr int kBarHeight = 12;
constexpr int kGaugeHeight = 38;
constexpr int kColumnWidth = 86;
enum Column { Batch, Allocated, Reserved, ReservedPlan, Process, ProcessPlan, Words };
enum StatisticColumn { Name, Current, Peaks, Allocations, Freed };

QTreeWidget* table(const QStringList& titles, QWidget* parent) {
    auto* view = new QTreeWidget(parent);
    view->setHeaderLabels(titles);
    view->setRootIsDecorated(false);
    view->setUniformRowHeights(true);
    view->setAlternatingRowColors(true);
    view->setFrameShape(QFrame::NoFrame);
    new TableCopy(view);
    view->setSelectionMode(QAbstractItemView::ExtendedSelection);
    view->header()->setSectionResizeMode(QHeaderView::ResizeToContents);
    view->header()->setMinimumSectionSize(kColumnWidth);
    view->header()->setDefaultAlignment(Qt::AlignRight | Qt::AlignVCenter);
    view->header()->setStretchLastSection(false);
    return view;
}

}  // namespace

GpuGauge::GpuGauge(QWidget* parent) : QWidget(parent) {
    setAccessibleName(tr("Memory of this machine's GPU"));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void GpuGauge::setUse(const std::optional<DeviceUse>& use) {
    if (m_use == use) return;
    m_use = use;
    setVisible(use.has_value());
    update();
}

void GpuGauge::setUnits(ByteUnits units) {
    m_units = units;
    update();
}

QSize GpuGauge::sizeHint() const { return {320, kGaugeHeight}; }

void GpuGauge::paintEvent(QPaintEvent*) {
    if (!m_use || m_use->total <= Bytes{}) return;
    const Theme theme = Theme::of(palette());
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const QRectF bar(0.5, 0.5, width() - 1, kBarHeight);
    painter.setPen(QPen(theme.border, 1));
    painter.setBrush(theme.surface);
    painter.drawRect(bar);
    struct Part {
        QColor color;
        QString name;
        Bytes bytes;
    };
    const std::array parts{Part{theme.accent, tr("this probe"), m_use->ours}, Part{theme.mutedText, tr("other programs"), m_use->others},
                           Part{theme.surface, tr("free"), m_use->free}};
    double x = bar.left();
    double textX = 0;
    const double textTop = kBarHeight + 5;
    const QFontMetricsF metrics(font());
    for (const Part& part : parts) {
        const double width = bar.width() * static_cast<double>(part.bytes.count) / static_cast<double>(m_use->total.count);
        painter.fillRect(QRectF(x, bar.top() + 0.5, std::max(0.0, width), bar.height() - 1), part.color);
        x += width;
        const QRectF swatch(textX, textTop + (metrics.height() - 9) / 2, 9, 9);
        painter.setPen(QPen(theme.border, 1));
        painter.setBrush(part.color);
        painter.drawRect(swatch);
        const QString text = QStringLiteral("%1 %2").arg(part.name, sizeText(part.bytes, m_units));
        painter.setPen(theme.text);
        painter.drawText(QPointF(textX + 14, textTop + metrics.ascent()), text);
        textX += 14 + metrics.horizontalAdvance(text) + 18;
    }
    painter.setPen(theme.mutedText);
    painter.drawText(QPointF(textX, textTop + metrics.ascent()), tr("of %1").arg(sizeText(m_use->total, m_units)));
}

GpuProbePanel::GpuProbePanel(QWidget* parent)
    : QWidget(parent),
      m_run(new QPushButton(tr("Run on this GPU"), this)),
      m_cancel(new QPushButton(tr("Stop"), this)),
      m_range(new QComboBox(this)),
      m_calibrate(new QCheckBox(tr("Calibrate plans with it"), this)),
      m_counters(new QPushButton(tr("PyTorch's counters"), this)),
      m_state(new QLabel(this)),
      m_note(new QLabel(this)),
      m_words(new QLabel(this)),
      m_gauge(new GpuGauge(this)),
      m_views(new QStackedWidget(this)),
      m_points(table({tr("Batch"), tr("Allocated"), tr("Reserved"), tr("planned"), tr("Process"), tr("planned"), tr("In words")}, this)),
      m_statistics(table({tr("PyTorch's counters"), tr("current"), tr("peak"), tr("allocated"), tr("freed")}, this)) {
    m_range->addItem(tr("This batch"), int(Range::ThisBatch));
    m_range->addItem(tr("Quarter, half and all"), int(Range::Around));
    m_range->addItem(tr("From 1, doubling"), int(Range::Sweep));
    m_range->setCurrentIndex(1);
    m_range->setAccessibleName(tr("Batches to run"));
    m_calibrate->setToolTip(tr("Keep the context that this card and driver take, for all plans for this card"));
    m_state->setProperty("muted", true);
    m_state->setWordWrap(true);
    m_note->setWordWrap(true);
    m_note->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_note->hide();
    m_gauge->hide();
    m_counters->setCheckable(true);
    m_counters->hide();
    m_words->setWordWrap(true);
    m_words->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_points->setColumnHidden(Words, true);
    m_statistics->headerItem()->setTextAlignment(Name, Qt::AlignLeft | Qt::AlignVCenter);
    m_points->setAccessibleName(tr("Measured beside planned"));
    m_statistics->setAccessibleName(tr("PyTorch's memory summary"));

    auto* row = new QHBoxLayout;
    row->setSpacing(8);
    row->addWidget(m_run);
    row->addWidget(m_cancel);
    row->addWidget(m_range);
    row->addWidget(m_calibrate);
    row->addWidget(m_counters);
    row->addStretch(1);
    auto* points = new QWidget(this);
    auto* pointsColumn = new QVBoxLayout(points);
    pointsColumn->setContentsMargins(0, 0, 0, 6);
    pointsColumn->addWidget(m_points, 1);
    pointsColumn->addWidget(m_words);
    m_views->addWidget(points);
    m_views->addWidget(m_statistics);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(16, 8, 10, 0);
    column->setSpacing(6);
    column->addLayout(row);
    column->addWidget(m_state);
    column->addWidget(m_gauge);
    column->addWidget(m_note);
    column->addWidget(m_views, 1);
    column->addStretch(0);
    connect(m_run, &QPushButton::clicked, this, [this] { emit runWished(static_cast<Range>(m_range->currentData().toInt())); });
    connect(m_counters, &QPushButton::toggled, m_views, [this](bool on) { m_views->setCurrentIndex(on ? 1 : 0); });
    connect(m_points, &QTreeWidget::currentItemChanged, this, [this](const QTreeWidgetItem* item) {
        m_words->setText(item ? tr("Batch %1: %2").arg(item->text(Batch), item->text(Words)) : QString());
    });
    connect(m_cancel, &QPushButton::clicked, this, &GpuProbePanel::cancelWished);
    setMissing(tr("Looking for a GPU …"));
}

QString GpuProbePanel::stateText() const { return m_state->text(); }

QString GpuProbePanel::noteText() const { return m_note->text(); }

void GpuProbePanel::setGpu(const QString& name, const QString& driver) {
    m_missing.clear();
    m_gpu = tr("%1, driver %2").arg(name, driver);
    refresh();
}

void GpuProbePanel::setMissing(const QString& why) {
    m_gpu.clear();
    m_missing = why;
    refresh();
}

void GpuProbePanel::setReady(bool ready) {
    m_ready = ready;
    refresh();
}

void GpuProbePanel::setRunning(bool running) {
    m_running = running;
    refresh();
}

void GpuProbePanel::setUse(const std::optional<DeviceUse>& use) { m_gauge->setUse(use); }

void GpuProbePanel::setNote(const QString& note) {
    m_note->setText(note);
    m_note->setVisible(!note.isEmpty());
}

void GpuProbePanel::setUnits(ByteUnits units) {
    m_units = units;
    m_gauge->setUnits(units);
    refreshRows();
}

void GpuProbePanel::setRows(std::vector<ProbeRow> rows) {
    m_rows = std::move(rows);
    refreshRows();
}

void GpuProbePanel::refresh() {
    const bool usable = m_missing.isEmpty();
    m_run->setEnabled(usable && m_ready && !m_running);
    m_run->setToolTip(usable ? tr("Run the step of the shown variant on the GPU of this machine and compare it with the plan") : m_missing);
    m_cancel->setVisible(m_running);
    m_range->setEnabled(usable && !m_running);
    m_calibrate->setEnabled(usable && !m_running);
    m_views->setVisible(usable || !m_rows.empty());
    m_state->setText(!usable ? m_missing : m_running ? tr("Running on %1 …").arg(m_gpu) : m_gpu);
}

void GpuProbePanel::refreshRows() {
    const Theme theme = Theme::of(palette());
    m_points->clear();
    const auto size = [this](Bytes bytes) { return mebibytesText(bytes, m_units); };
    for (const ProbeRow& row : m_rows) {
        auto* item = new QTreeWidgetItem(m_points);
        item->setText(Batch, countText(row.measured.batch));
        if (row.measured.complete()) {
            const Peak peak = row.measured.measurement->highest();
            item->setText(Allocated, size(peak.allocated));
            item->setText(Reserved, size(peak.reserved));
            if (const auto process = row.measured.process()) item->setText(Process, size(*process));
        } else {
            item->setText(Process, row.measured.outOfMemory() ? tr("out of memory") : tr("failed"));
            item->setForeground(Process, theme.bad);
        }
        if (row.planned) {
            item->setText(ReservedPlan, size(row.planned->reserved));
            item->setText(ProcessPlan, size(row.planned->reserved + row.context));
        }
        item->setText(Words, row.difference);
        item->setToolTip(Words, row.difference);
        for (int column = Batch; column < Words; ++column) item->setTextAlignment(column, Qt::AlignRight | Qt::AlignVCenter);
        for (const int column : {ReservedPlan, ProcessPlan}) item->setForeground(column, theme.mutedText);
    }
    if (const int rows = m_points->topLevelItemCount()) m_points->setCurrentItem(m_points->topLevelItem(rows - 1));
    refreshStatistics();
}

void GpuProbePanel::refreshStatistics() {
    m_statistics->clear();
    const auto last = std::find_if(m_rows.rbegin(), m_rows.rend(), [](const ProbeRow& row) { return !row.measured.statistics.empty(); });
    m_counters->setVisible(last != m_rows.rend());
    if (last == m_rows.rend()) return m_counters->setChecked(false);
    m_statistics->headerItem()->setText(Name, tr("PyTorch's counters, batch %1").arg(countText(last->measured.batch)));
    for (const MemoryStatistic& s : last->measured.statistics) {
        const auto text = [&](std::int64_t value) { return s.isBytes() ? mebibytesText(Bytes{value}, m_units) : countText(value); };
        auto* item = new QTreeWidgetItem(m_statistics, {localText(s.title()), text(s.current), text(s.peak), text(s.allocated), text(s.freed)});
        for (int column = Current; column <= Freed; ++column) item->setTextAlignment(column, Qt::AlignRight | Qt::AlignVCenter);
    }
}

}  // namespace tidemark
