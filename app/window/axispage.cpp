// SPDX-License-Identifier: Apache-2.0
#include "app/window/axispage.h"

#include "app/window/pagevariants.h"
#include "app/window/variantplanner.h"
#include "engine/session/axistrial.h"
#include "widgets/heatmap.h"
#include "widgets/memoryplot.h"
#include "widgets/optionallabel.h"
#include "widgets/text.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QStackedWidget>
#include <QVBoxLayout>

namespace tidemark {
namespace {

constexpr int kSizes = 8;
constexpr int kLineSizes = 10;

QString axisName(const std::string& axis) {
    return axis == "B" ? AxisPage::tr("Batch size") : AxisPage::tr("Axis %1").arg(QString::fromStdString(axis));
}

}  // namespace

AxisPage::AxisPage(Session& session, QWidget* parent)
    : QWidget(parent),
      m_session(session),
      m_xBox(new QComboBox(this)),
      m_yBox(new QComboBox(this)),
      m_hint(new OptionalLabel(this)),
      m_largest(new OptionalLabel(this)),
      m_stack(new QStackedWidget(this)),
      m_plot(new MemoryPlot(this)),
      m_heat(new HeatMap(this)) {
    auto* title = new QLabel(tr("Memory over"), this);
    title->setProperty("heading", true);
    m_hint->setProperty("muted", true);
    m_hint->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    for (QComboBox* box : {m_xBox, m_yBox}) {
        box->setSizeAdjustPolicy(QComboBox::AdjustToContents);
        box->setSizePolicy(QSizePolicy::Minimum, QSizePolicy::Fixed);
    }
    m_xBox->setAccessibleName(tr("First axis"));
    m_yBox->setAccessibleName(tr("Second axis"));
    auto* row = new QHBoxLayout;
    row->setContentsMargins(16, 4, 10, 4);
    row->setSpacing(8);
    row->addWidget(title);
    row->addWidget(m_xBox);
    row->addWidget(new QLabel(tr("and"), this));
    row->addWidget(m_yBox);
    row->addSpacing(8);
    row->addWidget(m_hint, 1);
    row->addWidget(m_largest);
    m_stack->addWidget(m_plot);
    m_stack->addWidget(m_heat);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addLayout(row);
    column->addWidget(m_stack, 1);
    setAutoFillBackground(true);
    setBackgroundRole(QPalette::Base);
    for (QComboBox* box : {m_xBox, m_yBox}) connect(box, &QComboBox::activated, this, &AxisPage::measureAnew);
    connect(m_heat, &HeatMap::picked, this, &AxisPage::pick);
    connect(m_plot, &MemoryPlot::xPicked, this, [this](qint64 x) { pick(x, 0); });
    connect(&session, &Session::measured, this, [this](quint64 id, const Measured& answer) {
        if (id == m_trialId) return takeOutcome(outcomeOf(*answer.measurement));
        const auto found = m_waiting.find(id);
        if (found == m_waiting.end()) return;
        const auto [x, y] = found->second;
        m_waiting.erase(found);
        takeAnswer(answer, x, y);
        searchOn();
    });
    connect(&session, &Session::failed, this, [this](quint64 id, const Error& error) {
        if (id == m_trialId) return takeOutcome(outcomeOf(error));
        const auto found = m_waiting.find(id);
        if (found == m_waiting.end()) return;
        m_heat->setCell(found->second.first, found->second.second, {{}, false, localText(error.message)});
        m_waiting.erase(found);
        searchOn();
    });
}

AxisPage::~AxisPage() { m_session.drop(Lane::Curve, kAxisVariant); }

void AxisPage::setUnits(ByteUnits units) {
    m_plot->setUnits(units);
    m_heat->setUnits(units);
}

void AxisPage::setModel(const ModelInfo& model) {
    m_model = model;
    m_ready = false;
    m_xBox->clear();
}

void AxisPage::showStep(const VariantPlanner* planner) {
    m_ready = planner && planner->isOpen();
    m_stale = true;
    if (m_ready) {
        m_request.model = planner->path();
        m_request.gpu = planner->gpu();
        m_request.settings = planner->settings();
        m_reserve = planner->reserve();
    }
    if (isVisible()) measureAnew();
}

void AxisPage::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    if (m_stale) measureAnew();
}

std::string AxisPage::axisX() const { return m_xBox->currentData().toString().toStdString(); }
std::string AxisPage::axisY() const { return m_yBox->currentData().toString().toStdString(); }

/// A named axis before the batch: the batch has a plot of its own.
void AxisPage::fillAxes() {
    const auto axes = axesOf(m_model, m_request.settings);
    if (m_xBox->count() == static_cast<int>(axes.size())) return;
    m_xBox->clear();
    m_yBox->clear();
    m_yBox->addItem(tr("no second axis"), QString());
    for (const std::string& axis : axes) {
        m_xBox->addItem(axisName(axis), QString::fromStdString(axis));
        m_yBox->addItem(axisName(axis), QString::fromStdString(axis));
    }
    m_xBox->setCurrentIndex(axes.size() > 1 ? 1 : 0);
    m_yBox->setCurrentIndex(axes.size() > 1 ? 1 : 0);
}

void AxisPage::measureAnew() {
    m_stale = false;
    m_session.drop(Lane::Curve, kAxisVariant);
    m_waiting.clear();
    m_line.clear();
    m_search.reset();
    m_trialId = 0;
    m_largest->clear();
    if (!m_ready) {
        m_plot->clear();
        m_hint->setText(tr("Nothing is measured yet."));
        return;
    }
    fillAxes();
    if (m_xBox->count() == 0) {
        m_hint->setText(
            tr("No input of this model has an axis; name one in the input's description, as in int64[B,S=128]."));
        return;
    }
    const Settings& settings = m_request.settings;
    const bool table = !axisY().empty() && axisY() != axisX();
    m_x = rangeAround(axisX(), sizeOfAxis(m_model, settings, axisX()), table ? kSizes : kLineSizes);
    m_y = table ? rangeAround(axisY(), sizeOfAxis(m_model, settings, axisY()), kSizes) : AxisRange{"", {0}};
    m_stack->setCurrentWidget(table ? static_cast<QWidget*>(m_heat) : m_plot);
    m_hint->setText(table ? tr("process memory; click a cell to plan it") : tr("click a point to plan it"));
    m_heat->setAxes(axisName(m_x.axis), m_x.sizes, axisName(m_y.axis), m_y.sizes);
    m_heat->setCapacity(capacityOf(m_request.gpu, m_reserve), QString::fromStdString(m_request.gpu.label));
    m_heat->setCurrent(sizeOfAxis(m_model, settings, m_x.axis), table ? sizeOfAxis(m_model, settings, m_y.axis) : 0);
    m_plot->clear();
    m_plot->setAxisName(axisName(m_x.axis));
    m_plot->setCapacity(capacityOf(m_request.gpu, m_reserve), QString::fromStdString(m_request.gpu.label));
    for (std::size_t y = 0; y < m_y.sizes.size(); ++y) {
        for (std::size_t x = 0; x < m_x.sizes.size(); ++x) {
            MeasureRequest request = m_request;
            request.settings = withAxis(request.settings, m_x.axis, m_x.sizes[x]);
            if (table) request.settings = withAxis(request.settings, m_y.axis, m_y.sizes[y]);
            request.lane = Lane::Curve;
            request.variant = kAxisVariant;
            m_waiting[m_session.measure(std::move(request))] = {x, y};
        }
    }
    if (const std::int64_t present = sizeOfAxis(m_model, settings, m_x.axis); present > 0)
        m_search.emplace(m_x.axis, present);
}

/// The next run of the search, once the plot has all of its own.
void AxisPage::searchOn() {
    if (!m_search || !m_waiting.empty() || m_trialId != 0) return;
    const auto trial = m_search->next();
    if (!trial) {
        m_largest->setText(largestText(m_search->answer()));
        m_search.reset();
        return;
    }
    m_trial = *trial;
    MeasureRequest request = requestFor(*trial, m_x.axis, m_request, allocatorLimit(m_request.gpu, m_reserve));
    request.lane = Lane::Curve;
    request.variant = kAxisVariant;
    m_trialId = m_session.measure(std::move(request));
}

void AxisPage::takeOutcome(std::optional<TrialOutcome> outcome) {
    m_trialId = 0;
    if (outcome)
        m_search->tell(m_trial, *outcome);
    else
        m_search.reset();
    searchOn();
}

QString AxisPage::largestText(const LargestSize& largest) const {
    const QString card = QString::fromStdString(m_request.gpu.label);
    const QString axis = axisName(largest.axis);
    if (largest.size == 0) return tr("%1: no size fits %2").arg(axis, card);
    if (largest.isOnlySize()) return tr("%1: the model takes no other size than %2").arg(axis, countText(largest.size));
    QString text = largest.limitReached
                       ? tr("%1 up to %2 fits %3").arg(axis, countText(largest.size), card)
                       : tr("%1: %2 is the largest that fits %3").arg(axis, countText(largest.size), card);
    if (largest.step > 1) text += tr(", in steps of %1").arg(largest.step);
    if (largest.endsModel) text += tr("; the model takes no more");
    return text;
}

void AxisPage::takeAnswer(const Measured& answer, std::size_t x, std::size_t y) {
    const Fit fit = judge(*answer.measurement, nullptr, m_request.gpu, m_reserve);
    m_heat->setCell(x, y, {fit.process.value, fit.fits(), {}});
    if (!m_y.axis.empty()) return;
    m_line[m_x.sizes[x]] = answer;
    std::vector<MemoryPoint> points;
    for (const auto& [size, one] : m_line) {
        const ProcessMemory process = processMemory(*one.measurement, m_request.gpu);
        points.push_back({size, one.measurement->categories, one.measurement->steady.reserved, process.value,
                          process.low, process.high});
    }
    m_plot->setPoints(std::move(points));
}

void AxisPage::pick(qint64 x, qint64 y) {
    Settings settings = withAxis(m_request.settings, m_x.axis, x);
    if (!m_y.axis.empty()) settings = withAxis(settings, m_y.axis, y);
    emit settingsWished(settings);
}

}  // namespace tidemark
