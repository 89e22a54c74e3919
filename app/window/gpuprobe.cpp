// SPDX-License-Identifier: Apache-2.0
#include "app/window/gpuprobe.h"

#include "app/window/pagevariants.h"
#include "app/window/variantplanner.h"
#include "engine/session/calibrationstore.h"
#include "widgets/memoryplot.h"
#include "widgets/text.h"

#include <QTabWidget>
#include <QTimer>

#include <nlohmann/json.hpp>

#include <algorithm>

namespace tidemark {
namespace {

/// What a measured point belongs to: the model and all settings but the batch.
QByteArray keyOf(const QString& model, Settings settings) {
    settings.batch = 1;
    return model.toUtf8() + '\n' + QByteArray::fromStdString(toJson(settings).dump());
}

std::vector<std::int64_t> batchesOf(GpuProbePanel::Range range, std::int64_t batch) {
    std::vector<std::int64_t> batches;
    if (range == GpuProbePanel::Range::Around)
        for (const std::int64_t part : {4, 2})
            if (batch / part >= 1) batches.push_back(batch / part);
    if (range == GpuProbePanel::Range::Sweep)
        for (std::int64_t size = 1; size < batch; size *= 2) batches.push_back(size);
    batches.push_back(batch);
    batches.erase(std::unique(batches.begin(), batches.end()), batches.end());
    return batches;
}

}  // namespace

GpuProbe::GpuProbe(QTabWidget* tabs, MemoryPlot* plot, Session& session, std::vector<Gpu> gpus)
    : QObject(tabs),
      m_session(session),
      m_plot(plot),
      m_panel(new GpuProbePanel(tabs)),
      m_devices(new RealDevices(session.installation(), std::move(gpus), this)),
      m_probe(new RealGpuProbe(session.installation())) {
    tabs->addTab(m_panel, tr("On this GPU"));
    session.adopt(m_probe);
    connect(m_devices, &RealDevices::found, this, [this](const InstalledGpu& installed) {
        m_installed = installed;
        m_panel->setGpu(QString::fromStdString(installed.gpu.label), QString::fromStdString(installed.driver));
        m_panel->setUse(installed.use);
    });
    connect(m_devices, &RealDevices::missing, this,
            [this](const Error& why) { m_panel->setMissing(localText(why.message)); });
    connect(m_panel, &GpuProbePanel::runWished, this, &GpuProbe::run);
    connect(m_panel, &GpuProbePanel::cancelWished, m_probe, &RealGpuProbe::cancel);
    connect(m_probe, &RealGpuProbe::started, this, [this](const RealProbeInfo& info) { m_info = info; });
    connect(m_probe, &RealGpuProbe::pointMeasured, this, &GpuProbe::takePoint);
    connect(m_probe, &RealGpuProbe::gaugeMoved, this, [this](const DeviceUse& use) {
        if (m_running) m_panel->setUse(use);
    });
    connect(m_probe, &RealGpuProbe::finished, this, &GpuProbe::finish);
    connect(&session, &Session::measured, this,
            [this](quint64 id, const Measured& answer) { takePlan(id, answer.measurement); });
    connect(&session, &Session::failed, this, [this](quint64 id) { takePlan(id, nullptr); });
    connect(&session, &Session::dropped, this, [this](quint64 id) { takePlan(id, nullptr); });
    QTimer::singleShot(0, m_devices, &RealDevices::ask);
}

GpuProbe::~GpuProbe() {
    if (m_probe) m_probe->deleteLater();
}

void GpuProbe::setMeasured(Rows rows) {
    m_rows = std::move(rows);
    showRows();
}

void GpuProbe::setUnits(ByteUnits units) { m_panel->setUnits(units); }

void GpuProbe::showVariant(const VariantPlanner* planner) {
    m_model = planner && planner->isOpen() ? planner->path() : QString();
    if (!m_model.isEmpty()) m_settings = planner->settings();
    m_panel->setReady(!m_model.isEmpty());
    const QByteArray key = m_model.isEmpty() ? QByteArray() : keyOf(m_model, m_settings);
    if (key == m_shownKey) return;
    m_shownKey = key;
    showRows();
}

void GpuProbe::run(GpuProbePanel::Range range) {
    if (m_running || m_model.isEmpty() || !m_installed) return;
    if (const auto known = CalibrationStore().load()) m_installed->gpu = calibrated(m_installed->gpu, known.value());
    m_running = true;
    m_calibrates = m_panel->calibrateBox()->isChecked();
    m_request = {};
    m_request.model = m_model;
    m_request.settings = m_settings;
    m_request.batches = batchesOf(range, m_settings.batch);
    m_runKey = m_shownKey;
    runRows().clear();
    m_plans.clear();
    m_panel->setNote({});
    m_panel->setRunning(true);
    showRows();
    QMetaObject::invokeMethod(m_probe, [probe = m_probe.data(), request = m_request] { probe->start(request); });
}

void GpuProbe::takePoint(const ProbePoint& point) {
    if (!m_running) return;
    ProbeRow row{point, {}, m_installed->gpu.context.expected, {}};
    row.difference = localText(differenceSentence(point, nullptr, row.context));
    runRows().push_back(std::move(row));
    MeasureRequest question;
    question.model = m_request.model;
    question.gpu = m_installed->gpu;
    question.settings = m_request.settings;
    question.settings.batch = point.batch;
    question.lane = Lane::Search;
    question.variant = kGpuProbeVariant;
    m_plans[m_session.measure(question)] = point.batch;
    showRows();
}

ProbeRow* GpuProbe::rowOf(std::int64_t batch) {
    const auto row = std::find_if(runRows().begin(), runRows().end(), [&](const ProbeRow& r) { return r.measured.batch == batch; });
    return row == runRows().end() ? nullptr : &*row;
}

void GpuProbe::takePlan(quint64 id, const MeasurementPtr& measurement) {
    const auto waiting = m_plans.find(id);
    if (waiting == m_plans.end()) return;
    ProbeRow* row = rowOf(waiting->second);
    m_plans.erase(waiting);
    if (row && measurement) {
        row->planned = measurement->highest();
        row->difference = localText(differenceSentence(row->measured, measurement.get(), row->context));
        showRows();
    }
    calibrateWhenPlanned();
}

void GpuProbe::finish(const Message& problem) {
    m_running = false;
    m_panel->setRunning(false);
    m_panel->setNote(localText(problem));
    if (!problem.empty()) m_calibrates = false;
    m_devices->ask();
    calibrateWhenPlanned();
}

void GpuProbe::calibrateWhenPlanned() {
    if (m_running || !m_calibrates || !m_plans.empty()) return;
    m_calibrates = false;
    calibrate();
}

void GpuProbe::calibrate() {
    std::vector<CalibrationPair> pairs;
    for (const ProbeRow& row : runRows())
        if (row.planned) pairs.push_back({row.measured, *row.planned});
    const auto calibration = calibrationOf(*m_installed, m_info.torchVersion, pairs);
    if (!calibration) return m_panel->setNote(localText(calibration.error().message));
    if (const auto stored = CalibrationStore().add(calibration.value()); !stored)
        return m_panel->setNote(localText(stored.error().message));
    m_panel->setNote(tr("Calibrated: plans for this card now take %1 for the context.")
                         .arg(QString::fromStdString(formatBytes(calibration->context.expected))));
    emit calibrationStored();
}

void GpuProbe::showRows() {
    const auto known = m_rows.find(m_shownKey);
    const std::vector<ProbeRow> rows = known == m_rows.end() ? std::vector<ProbeRow>() : known->second;
    std::vector<MeasuredMark> marks;
    for (const ProbeRow& row : rows) {
        if (const auto process = row.measured.process())
            marks.push_back({row.measured.batch, *process, false});
        else if (row.measured.outOfMemory())
            marks.push_back({row.measured.batch, m_installed->gpu.memory, true});
    }
    m_plot->setMeasured(std::move(marks));
    m_panel->setRows(rows);
}

}  // namespace tidemark
