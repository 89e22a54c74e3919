// SPDX-License-Identifier: Apache-2.0
#include "app/window/dataparallelpage.h"

#include "app/window/pagevariants.h"
#include "app/window/variantplanner.h"
#include "widgets/optionallabel.h"
#include "widgets/pagelayout.h"
#include "widgets/tablecopy.h"
#include "widgets/text.h"

#include <QHeaderView>
#include <QLabel>
#include <QToolButton>
#include <QTreeWidget>

#include <algorithm>

namespace tidemark {
namespace {

constexpr QSize kAroundWords{16, 6};

}  // namespace

DataParallelPage::DataParallelPage(Session& session, QWidget* parent)
    : QWidget(parent),
      m_session(session),
      m_hint(new OptionalLabel(this)),
      m_apply(new QToolButton(this)),
      m_table(new QTreeWidget(this)) {
    m_apply->setText(tr("Plan this way"));
    m_apply->setToolTip(tr("Change the settings to the chosen way; a double click does the same"));
    m_table->setHeaderLabels({tr("Way"), tr("Allocated"), tr("Beside one card"), tr("Where it is from")});
    for (const int column : {Allocated, Difference})
        m_table->headerItem()->setTextAlignment(column, Qt::AlignRight | Qt::AlignVCenter);
    new TableCopy(m_table);
    m_table->setSelectionMode(QAbstractItemView::ExtendedSelection);
    m_table->setRootIsDecorated(false);
    m_table->setWordWrap(true);
    m_table->setAlternatingRowColors(true);
    m_table->setAccessibleName(tr("Ways to train on several cards"));
    m_table->header()->setSectionResizeMode(QHeaderView::ResizeToContents);
    m_table->header()->setStretchLastSection(true);
    connect(m_table->header(), &QHeaderView::sectionResized, this, &DataParallelPage::fitRows, Qt::QueuedConnection);
    layOutPage(this, tr("Allocated on each card"), m_hint, {m_apply}, m_table);
    connect(m_apply, &QToolButton::clicked, this, &DataParallelPage::applyCurrent);
    connect(m_table, &QTreeWidget::itemActivated, this, &DataParallelPage::applyCurrent);
    connect(m_table, &QTreeWidget::currentItemChanged, this, [this] { m_apply->setEnabled(chosen().has_value()); });
    connect(&session, &Session::measured, this, [this](quint64 id, const Measured& answer) {
        const auto found = m_waiting.find(id);
        if (found == m_waiting.end()) return;
        const std::size_t step = found->second;
        m_waiting.erase(found);
        take(step, answer.measurement);
    });
    connect(&session, &Session::failed, this, [this](quint64 id, const Error& error) {
        if (m_waiting.erase(id) > 0) m_hint->setText(localText(error.message));
    });
    fill();
}

DataParallelPage::~DataParallelPage() { m_session.drop(Lane::Curve, kDataParallelVariant); }

void DataParallelPage::setUnits(ByteUnits units) {
    m_units = units;
    fill();
}

void DataParallelPage::showStep(const VariantPlanner* planner) {
    std::optional<MeasureRequest> request;
    if (planner && planner->isOpen() && planner->settings().usesDataParallel()) {
        request.emplace();
        request->model = planner->path();
        request->gpu = planner->device();
        request->settings = planner->settings();
        request->lane = Lane::Curve;
        request->variant = kDataParallelVariant;
        m_model = planner->model();
    }
    const bool same = request.has_value() == m_request.has_value() &&
                      (!request || (request->model == m_request->model && request->gpu.id == m_request->gpu.id &&
                                    request->settings == m_request->settings));
    if (same) return;
    m_request = std::move(request);
    m_stale = true;
    if (isVisible() || !m_request) measureAnew();
}

void DataParallelPage::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    if (m_stale) measureAnew();
}

void DataParallelPage::measureAnew() {
    m_stale = false;
    if (!m_waiting.empty()) m_session.drop(Lane::Curve, kDataParallelVariant);
    m_waiting.clear();
    m_steps = {};
    if (m_request) {
        const auto steps = dataParallelSteps(m_request->settings);
        for (std::size_t i = 0; i < steps.size(); ++i) {
            MeasureRequest request = *m_request;
            request.settings = steps[i];
            m_waiting[m_session.measure(std::move(request))] = i;
        }
    }
    fill();
}

void DataParallelPage::take(std::size_t step, MeasurementPtr measurement) {
    m_steps[step] = std::move(measurement);
    if (m_waiting.empty()) fill();
}

void DataParallelPage::fill() {
    m_table->clear();
    m_apply->setEnabled(false);
    const bool complete = std::all_of(m_steps.begin(), m_steps.end(), [](const auto& step) { return step != nullptr; });
    if (!m_request || !complete) {
        m_hint->setText(m_request ? tr("measuring …") : tr("Choose two cards or more in the settings."));
        return;
    }
    const auto rows = dataParallelTable(m_model, m_request->settings, {*m_steps[0], *m_steps[1], *m_steps[2]});
    m_hint->setText(rows.empty() ? tr("This model has nothing to train.")
                                 : tr("one of %1 cards; what NCCL keeps for itself is not counted")
                                       .arg(m_request->settings.dataParallel.cards));
    const auto size = [this](Bytes bytes) { return sizeText(bytes, m_units); };
    for (const DataParallelRow& row : rows) {
        const bool range = row.high != row.allocated;
        const Bytes more = row.allocated - rows.front().allocated;
        QString difference = deltaText(more, m_units);
        if (range) difference = tr("%1 to %2").arg(difference, deltaText(row.high - rows.front().allocated, m_units));
        auto* item = new QTreeWidgetItem(
            m_table,
            {localText(row.name), range ? tr("%1 to %2").arg(size(row.allocated), size(row.high)) : size(row.allocated),
             difference, localText(row.assumption)});
        for (const int column : {Allocated, Difference})
            item->setTextAlignment(column, Qt::AlignRight | Qt::AlignVCenter);
        item->setToolTip(Allocated, exactText(row.allocated));
        item->setToolTip(Basis, item->text(Basis));
    }
    fitRows();
}

void DataParallelPage::fitRows() {
    const QRect room(0, 0, qMax(1, m_table->columnWidth(Basis) - kAroundWords.width()), 1000);
    for (int row = 0; row < m_table->topLevelItemCount(); ++row) {
        QTreeWidgetItem* item = m_table->topLevelItem(row);
        const int words = m_table->fontMetrics().boundingRect(room, Qt::TextWordWrap, item->text(Basis)).height();
        item->setSizeHint(Basis, QSize(0, words + kAroundWords.height()));
    }
}

std::optional<Settings> DataParallelPage::chosen() const {
    const int row = m_table->indexOfTopLevelItem(m_table->currentItem());
    if (!m_request || row < 0 || row >= static_cast<int>(m_steps.size())) return {};
    return dataParallelSteps(m_request->settings)[static_cast<std::size_t>(row)];
}

void DataParallelPage::applyCurrent() {
    if (const auto settings = chosen()) emit settingsWished(*settings);
}

}  // namespace tidemark
