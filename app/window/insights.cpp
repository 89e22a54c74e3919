// SPDX-License-Identifier: Apache-2.0
#include "app/window/insights.h"

#include "app/window/advicefinder.h"
#include "app/window/axispage.h"
#include "app/window/dataparallelpage.h"
#include "app/window/inputsets.h"
#include "app/window/pagevariants.h"
#include "app/window/variantplanner.h"
#include "engine/snapshot/snapshotexport.h"
#include "widgets/adviceview.h"
#include "widgets/layertreeview.h"
#include "widgets/liveview.h"
#include "widgets/sourceview.h"
#include "widgets/text.h"
#include "widgets/timelineplot.h"

#include <QAction>
#include <QFile>
#include <QFileDialog>
#include <QFileInfo>
#include <QTabWidget>

namespace tidemark {
namespace {

constexpr int kAdviceDelayMs = 300;
constexpr int kShowDelayMs = 80;
constexpr qint64 kLargestSource = 4 << 20;

std::string textOfFile(const std::string& path) {
    QFile file(QString::fromStdString(path));
    if (QFileInfo(file).size() > kLargestSource || !file.open(QIODevice::ReadOnly)) return {};
    return file.readAll().toStdString();
}

}  // namespace

InsightPages::InsightPages(QTabWidget* tabs, Session& session)
    : QObject(tabs),
      m_tabs(tabs),
      m_session(session),
      m_live(new LiveView(tabs)),
      m_summary(new SummaryView(tabs)),
      m_source(new SourceView(tabs)),
      m_axes(new AxisPage(session, tabs)),
      m_sets(new InputSets(session, tabs)),
      m_parallel(new DataParallelPage(session, tabs)),
      m_advice(new AdviceView(tabs)),
      m_finder(new AdviceFinder(session, this)) {
    tabs->addTab(m_live, tr("Peak"));
    tabs->addTab(m_source, tr("Source lines"));
    tabs->addTab(m_summary, tr("torchsummary"));
    tabs->addTab(m_axes, tr("Any axis"));
    tabs->addTab(m_sets, tr("Input sets"));
    tabs->addTab(m_parallel, tr("Data parallel"));
    tabs->setTabVisible(tabs->indexOf(m_parallel), false);
    tabs->addTab(m_advice, tr("Advice"));
    connect(m_sets, &InputSets::settingsWished, this, &InsightPages::settingsWished);
    connect(m_parallel, &DataParallelPage::settingsWished, this, &InsightPages::settingsWished);
    connect(m_advice, &AdviceView::settingsWished, this, &InsightPages::settingsWished);
    connect(m_advice->plot(), &CheckpointPlot::blocksPicked, this, [this](int blocks) {
        Settings settings = m_request.settings;
        settings.checkpoint = {blocks == 0 ? CheckpointMode::None : CheckpointMode::First, blocks, {}};
        if (blocks == static_cast<int>(m_model.blockPaths().size()) && blocks > 0)
            settings.checkpoint = {CheckpointMode::All, 0, {}};
        emit settingsWished(settings);
    });
    for (QTimer* timer : {&m_adviceSoon, &m_showSoon}) timer->setSingleShot(true);
    m_adviceSoon.setInterval(kAdviceDelayMs);
    m_showSoon.setInterval(kShowDelayMs);
    connect(&m_adviceSoon, &QTimer::timeout, this, &InsightPages::findAdvice);
    connect(&m_showSoon, &QTimer::timeout, this, &InsightPages::showAdvice);
    connect(m_finder, &AdviceFinder::changed, this, [this] {
        m_adviceSoon.start();
        m_showSoon.start();
    });
    connect(tabs, &QTabWidget::currentChanged, this, [this] {
        findAdvice();
        showAdvice();
    });
    connect(m_axes, &AxisPage::settingsWished, this, &InsightPages::settingsWished);
    buildActions();
    connect(tabs, &QTabWidget::currentChanged, this, &InsightPages::askTruth);
    connect(tabs, &QTabWidget::currentChanged, this, &InsightPages::showSource);
    connect(&session, &Session::measured, this, [this](quint64 id, const Measured& answer) {
        if (id == 0 || (id != m_mixedId && id != m_forwardId)) return;
        (id == m_mixedId ? m_truth.mixed : m_truth.forward) = answer.measurement;
        m_summary->setTruth(m_truth);
    });
}

void InsightPages::leaveSession() {
    disconnect(m_tabs, nullptr, this, nullptr);
    delete m_finder;
    delete m_sets;
    delete m_parallel;
    delete m_axes;
}

void InsightPages::connectViews(TimelinePlot* timeline, LayerTreeView* layers) {
    m_timeline = timeline;
    connect(timeline, &TimelinePlot::eventPicked, m_live, &LiveView::showMoment);
    connect(m_live, &LiveView::layerPicked, layers, &LayerTreeView::selectLayer);
    connect(m_source, &SourceView::layerPicked, layers, &LayerTreeView::selectLayer);
    connect(layers, &LayerTreeView::layerSelected, m_source, &SourceView::setHighlightedLayer);
}

void InsightPages::showFigures(const VariantPlanner* planner) {
    m_finder->setStep(planner);
    m_parallel->showStep(planner);
    m_tabs->setTabVisible(m_tabs->indexOf(m_parallel),
                          planner && planner->isOpen() && planner->settings().usesDataParallel());
}

void InsightPages::findAdvice() {
    if (m_tabs->currentWidget() == m_advice) m_finder->start();
}

void InsightPages::showAdvice() {
    if (m_tabs->currentWidget() != m_advice) return;
    std::vector<StructureHint> hints;
    if (m_detail && m_finder->hasStep()) hints = structureHints(m_model, m_request.settings, *m_detail);
    std::vector<MeasuredAdvice> advice = m_finder->advice();
    const bool complete = m_finder->isComplete();
    m_advice->setHint(!m_finder->hasStep() ? tr("Nothing is measured yet.")
                      : !complete          ? tr("measuring …")
                      : advice.empty()     ? tr("no change of the settings takes less memory")
                                           : tr("each an exact run; double-click one to apply it"));
    m_advice->setAdvice(std::move(advice), std::move(hints));
    const auto& checkpoint = m_request.settings.checkpoint;
    const bool all = checkpoint.mode == CheckpointMode::All;
    m_advice->plot()->setCapacity(capacityOf(m_gpu, m_reserve), QString::fromStdString(m_gpu.label));
    m_advice->plot()->setCurrent(all ? static_cast<int>(m_model.blockPaths().size()) : checkpoint.count);
    m_advice->setCurve(m_finder->curve());
}

void InsightPages::setUnits(ByteUnits units) {
    m_sets->setUnits(units);
    m_parallel->setUnits(units);
    m_advice->setUnits(units);
    m_units = units;
    m_live->setUnits(units);
    m_summary->setUnits(units);
    m_source->setUnits(units);
    m_axes->setUnits(units);
}

void InsightPages::setModel(const ModelInfo& model) {
    m_model = model;
    m_fileTexts.clear();
    m_live->setModel(model);
    m_source->setModel(model);
    m_axes->setModel(model);
    m_summary->clear();
    m_truthAsked = true;
}

std::vector<SourceText> InsightPages::withTexts(std::vector<SourceText> sources) {
    for (SourceText& source : sources) {
        if (!source.text.empty() || !QString::fromStdString(source.file).endsWith(QLatin1String(".py"))) continue;
        const auto [text, added] = m_fileTexts.try_emplace(source.file);
        if (added) text->second = textOfFile(source.file);
        if (text->second.empty()) continue;
        source.text = text->second;
        source.firstLine = 1;
    }
    return sources;
}

void InsightPages::showDetail(const VariantPlanner* planner) {
    const MeasurementPtr detail = planner ? planner->detail() : nullptr;
    m_detail = detail;
    m_live->setMeasurement(detail);
    m_axes->showStep(planner);
    showOverlay();
    m_sourceStale = true;
    showSource();
    m_truth = {};
    m_truthAsked = !detail;
    if (!detail) {
        m_summary->clear();
        return;
    }
    m_request = {};
    m_request.model = planner->path();
    m_request.gpu = planner->gpu();
    m_request.settings = planner->settings();
    m_gpu = planner->gpu();
    m_reserve = planner->reserve();
    m_showSoon.start();
    if (const auto fit = planner->fit()) m_truth.process = fit->process;
    m_summary->showMeasurement(planner->model(), planner->settings(), detail);
    m_summary->setTruth(m_truth);
    askTruth();
}

void InsightPages::showSource() {
    const bool hasLines = m_detail && m_detail->timeline;
    if (!m_sourceStale || (hasLines && m_tabs->currentWidget() != m_source)) return;
    m_sourceStale = false;
    m_source->setMeasurement(m_detail, hasLines ? withTexts(m_detail->timeline->sources) : std::vector<SourceText>());
}

void InsightPages::buildActions() {
    m_openSnapshot = new QAction(tr("Lay a memory &snapshot over the step…"), this);
    m_openSnapshot->setToolTip(tr("Open what torch.cuda.memory._dump_snapshot() wrote; nothing in it is run"));
    m_closeSnapshot = new QAction(tr("Remove the snapshot"), this);
    m_exportSnapshot = new QAction(tr("Memory s&napshot of the step…"), this);
    m_exportSnapshot->setToolTip(tr("Write the step as a file that pytorch.org/memory_viz opens"));
    m_closeSnapshot->setEnabled(false);
    m_exportSnapshot->setEnabled(false);
    const QString filter = tr("Memory snapshots (*.pickle *.pkl);;All files (*)");
    connect(m_openSnapshot, &QAction::triggered, this, [this, filter] {
        const QString file = QFileDialog::getOpenFileName(m_tabs, tr("Open memory snapshot"), {}, filter);
        if (!file.isEmpty()) openSnapshot(file);
    });
    connect(m_closeSnapshot, &QAction::triggered, this, &InsightPages::closeSnapshot);
    connect(m_exportSnapshot, &QAction::triggered, this, [this, filter] {
        const QString file =
            QFileDialog::getSaveFileName(m_tabs, tr("Write memory snapshot"), QStringLiteral("step.pickle"), filter);
        if (!file.isEmpty()) exportSnapshot(file);
    });
}

bool InsightPages::openSnapshot(const QString& file) {
    auto snapshot = loadSnapshot(file.toStdString());
    if (!snapshot) {
        emit failed(snapshot.error());
        return false;
    }
    m_snapshot = std::move(snapshot).value();
    showOverlay();
    m_tabs->setCurrentIndex(0);
    emit noted(tr("%1: %2 events, peak %3. Its step that fits best lies over the plan's as a dashed line.")
                   .arg(QString::fromStdString(m_snapshot->file), countText(qint64(m_snapshot->allocated.size())),
                        sizeText(m_snapshot->peak(), m_units)));
    return true;
}

void InsightPages::closeSnapshot() { setSnapshot({}); }

void InsightPages::setSnapshot(std::optional<MemorySnapshot> snapshot) {
    m_snapshot = std::move(snapshot);
    showOverlay();
}

bool InsightPages::exportSnapshot(const QString& file) {
    if (!m_detail || !m_detail->timeline) return false;
    const std::string bytes = snapshotPickle(*m_detail->timeline, m_model);
    QFile out(file);
    const bool written =
        out.open(QIODevice::WriteOnly) && out.write(bytes.data(), qint64(bytes.size())) >= 0 && out.flush();
    if (!written) emit failed({ErrorCode::FileUnreadable, tr("%1 cannot be written.").arg(file).toStdString(), {}});
    return written;
}

void InsightPages::showOverlay() {
    m_closeSnapshot->setEnabled(m_snapshot.has_value());
    m_exportSnapshot->setEnabled(m_detail && m_detail->timeline);
    if (!m_timeline) return;
    std::vector<Bytes> course;
    if (m_snapshot && m_detail && m_detail->timeline) {
        const auto offset =
            static_cast<std::size_t>(bestOffset(m_snapshot->allocated, allocatedAfter(*m_detail->timeline)));
        course.assign(m_snapshot->allocated.begin() + static_cast<std::ptrdiff_t>(offset), m_snapshot->allocated.end());
        course.resize(static_cast<std::size_t>(m_detail->timeline->events));
    }
    m_timeline->setOverlay(m_snapshot ? QString::fromStdString(m_snapshot->file) : QString(), std::move(course));
}

Session::RequestId InsightPages::ask(Settings settings) {
    MeasureRequest request = m_request;
    request.settings = std::move(settings);
    request.lane = Lane::Curve;
    request.variant = kInsightsVariant;
    return m_session.measure(std::move(request));
}

void InsightPages::askTruth() {
    if (m_truthAsked || m_tabs->currentWidget() != m_summary) return;
    m_truthAsked = true;
    m_session.drop(Lane::Curve, kInsightsVariant);
    Settings mixed = m_request.settings;
    mixed.precision = Precision::AmpFp16;
    m_mixedId = m_request.settings.precision == Precision::Fp32 ? ask(mixed) : 0;
    Settings forward = m_request.settings;
    forward.batch = 1;
    forward.mode = StepMode::Infer;
    m_forwardId = ask(forward);
}

}  // namespace tidemark
