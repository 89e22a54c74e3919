// SPDX-License-Identifier: Apache-2.0
#include "app/window/inputsets.h"

#include "app/window/pagevariants.h"
#include "app/window/variantplanner.h"
#include "widgets/optionallabel.h"
#include "widgets/pagelayout.h"
#include "widgets/settingspanel.h"
#include "widgets/tablecopy.h"
#include "widgets/text.h"

#include <QHeaderView>
#include <QLabel>
#include <QTableWidget>
#include <QToolButton>

namespace tidemark {
namespace {

constexpr int kSmallestColumn = 80;

QToolButton* button(const QString& text, const QString& tip, QWidget* parent) {
    auto* made = new QToolButton(parent);
    made->setText(text);
    made->setToolTip(tip);
    return made;
}

}  // namespace

InputSets::InputSets(Session& session, QWidget* parent)
    : QWidget(parent),
      m_session(session),
      m_hint(new OptionalLabel(this)),
      m_add(button(tr("Add set"), tr("Add a set of inputs, to be changed in its cell"), this)),
      m_remove(button(tr("Remove"), tr("Remove the chosen set"), this)),
      m_plan(button(tr("Plan this set"), tr("Make the chosen set the inputs of the step"), this)),
      m_table(new QTableWidget(0, ColumnCount, this)) {
    m_table->setHorizontalHeaderLabels({tr("Inputs"), tr("Allocated"), tr("Reserved"), tr("Process"), tr("Fits")});
    for (const int column : {Allocated, Reserved, Process})
        m_table->horizontalHeaderItem(column)->setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
    for (const int column : {Inputs, Fits})
        m_table->horizontalHeaderItem(column)->setTextAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    m_table->horizontalHeader()->setMinimumSectionSize(kSmallestColumn);
    m_table->horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
    m_table->horizontalHeader()->setSectionResizeMode(Inputs, QHeaderView::Stretch);
    m_table->horizontalHeader()->setHighlightSections(false);
    m_table->verticalHeader()->hide();
    new TableCopy(m_table);
    m_table->setShowGrid(false);
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->setSelectionMode(QAbstractItemView::SingleSelection);
    m_table->setAccessibleName(tr("Sets of inputs"));
    layOutPage(this, tr("Sets of inputs"), m_hint, {m_add, m_remove, m_plan}, m_table);
    connect(m_table, &QTableWidget::cellChanged, this, &InputSets::readCell);
    connect(m_table, &QTableWidget::currentCellChanged, this, [this](int now) {
        const bool isSet = now > 0 && now < static_cast<int>(m_rows.size());
        m_remove->setEnabled(isSet);
        m_plan->setEnabled(isSet);
    });
    connect(m_add, &QToolButton::clicked, this, [this] {
        m_rows.push_back({m_rows.front().inputs, {}, {}});
        wish(0);
    });
    connect(m_remove, &QToolButton::clicked, this, [this] { wish(static_cast<std::size_t>(m_table->currentRow())); });
    connect(m_plan, &QToolButton::clicked, this, [this] {
        Settings settings = m_request.settings;
        settings.inputs = m_rows[static_cast<std::size_t>(m_table->currentRow())].inputs;
        emit settingsWished(settings);
    });
    const auto taken = [this](quint64 id) -> Row* {
        const auto found = m_waiting.find(id);
        if (found == m_waiting.end()) return nullptr;
        Row* row = &m_rows[found->second];
        m_waiting.erase(found);
        return row;
    };
    connect(&session, &Session::measured, this, [=, this](quint64 id, const Measured& answer) {
        if (Row* row = taken(id)) {
            row->measurement = answer.measurement;
            fill();
        }
    });
    connect(&session, &Session::failed, this, [=, this](quint64 id, const Error& error) {
        if (Row* row = taken(id)) {
            row->problem = localText(error.message);
            fill();
        }
    });
    showStep(nullptr, {});
}

InputSets::~InputSets() { m_session.drop(Lane::Curve, kInputSetsVariant); }

void InputSets::setUnits(ByteUnits units) {
    m_units = units;
    fill();
}

void InputSets::showStep(const VariantPlanner* planner, const Sets& sets) {
    m_ready = planner && planner->isOpen();
    m_stale = true;
    m_rows.clear();
    if (m_ready) {
        m_request = {};
        m_request.model = planner->path();
        m_request.gpu = planner->device();
        m_request.settings = planner->settings();
        m_gpu = planner->gpu();
        m_reserve = planner->reserve();
        const auto& own = m_request.settings.inputs;
        m_rows.push_back({own.empty() ? planner->model().inputs : own, {}, {}});
        for (const auto& set : sets) m_rows.push_back({set, {}, {}});
    }
    m_add->setEnabled(m_ready);
    if (isVisible() || !m_ready) measureAnew();
}

void InputSets::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    if (m_stale) measureAnew();
}

void InputSets::measureAnew() {
    m_stale = false;
    if (!m_waiting.empty()) m_session.drop(Lane::Curve, kInputSetsVariant);
    m_waiting.clear();
    for (std::size_t i = 0; i < m_rows.size(); ++i) {
        MeasureRequest request = m_request;
        request.settings.inputs = m_rows[i].inputs;
        request.lane = Lane::Curve;
        request.variant = kInputSetsVariant;
        m_waiting[m_session.measure(std::move(request))] = i;
    }
    fill();
}

Fit InputSets::fitOf(const Row& row) const { return judge(*row.measurement, nullptr, m_gpu, m_reserve); }

int InputSets::highestRow() const {
    int highest = -1;
    for (int i = 0; i < static_cast<int>(m_rows.size()); ++i) {
        const Row& row = m_rows[static_cast<std::size_t>(i)];
        if (row.measurement && (highest < 0 || fitOf(row).process.value >
                                                   fitOf(m_rows[static_cast<std::size_t>(highest)]).process.value))
            highest = i;
    }
    return highest;
}

void InputSets::fillRow(int row, const QStringList& figures) {
    for (int column = 0; column < ColumnCount; ++column) {
        auto* item = new QTableWidgetItem(figures.value(column));
        const bool number = column >= Allocated && column <= Process;
        item->setTextAlignment((number ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
        const bool isSet = row > 0 && row < static_cast<int>(m_rows.size());
        if (column != Inputs || !isSet) item->setFlags(item->flags() & ~Qt::ItemIsEditable);
        item->setToolTip(item->text());
        m_table->setItem(row, column, item);
    }
}

void InputSets::fill() {
    m_filling = true;
    const int current = m_table->currentRow();
    const bool several = m_rows.size() > 1;
    m_table->setRowCount(static_cast<int>(m_rows.size()) + (several ? 1 : 0));
    const auto size = [this](Bytes bytes) { return sizeText(bytes, m_units); };
    const auto figures = [&](const QString& name, const Row& row) -> QStringList {
        if (!row.measurement) return {name, {}, {}, {}, row.problem.isEmpty() ? tr("measuring …") : row.problem};
        const Peak peak = row.measurement->highest();
        const Fit fit = fitOf(row);
        return {name, size(peak.allocated), size(peak.reserved), size(fit.process.value),
                fit.fits() ? tr("yes") : tr("no")};
    };
    for (std::size_t i = 0; i < m_rows.size(); ++i)
        fillRow(static_cast<int>(i), figures(SettingsPanel::inputText(m_rows[i].inputs), m_rows[i]));
    if (const int highest = highestRow(); several) {
        const auto last = static_cast<int>(m_rows.size());
        fillRow(last, highest < 0 ? QStringList{tr("Highest")}
                                  : figures(tr("Highest: row %1").arg(highest + 1),
                                            m_rows[static_cast<std::size_t>(highest)]));
        for (int column = 0; column < ColumnCount; ++column) {
            QFont bold = m_table->font();
            bold.setBold(true);
            m_table->item(last, column)->setFont(bold);
        }
    }
    m_table->setCurrentCell(current, Inputs);
    m_filling = false;
    m_hint->setText(!m_ready  ? tr("Nothing is measured yet.")
                    : several ? tr("the first row is the step itself; double-click a set to change it")
                              : tr("add a set to see what the step takes with other shapes"));
    const bool chosen = current > 0 && current < static_cast<int>(m_rows.size());
    m_remove->setEnabled(chosen);
    m_plan->setEnabled(chosen);
}

void InputSets::readCell(int row, int column) {
    if (m_filling || column != Inputs || row < 1 || row >= static_cast<int>(m_rows.size())) return;
    const auto inputs = SettingsPanel::inputFromText(m_table->item(row, Inputs)->text());
    if (!inputs || inputs->empty()) {
        fill();
        m_hint->setText(inputs ? tr("A set needs at least one input.") : localText(inputs.error().message));
        return;
    }
    m_rows[static_cast<std::size_t>(row)].inputs = inputs.value();
    wish(0);
}

/// Without the row `removed`; 0 keeps all.
void InputSets::wish(std::size_t removed) {
    Sets sets;
    for (std::size_t i = 1; i < m_rows.size(); ++i)
        if (i != removed) sets.push_back(m_rows[i].inputs);
    emit setsWished(sets);
}

}  // namespace tidemark
