// SPDX-License-Identifier: Apache-2.0
#include "app/window/mainwindow.h"

#include "app/window/planfile.h"
#include "app/window/verdicttext.h"
#include "widgets/emptystate.h"
#include "widgets/errorbar.h"
#include "widgets/layertreeview.h"
#include "widgets/memoryplot.h"
#include "widgets/settingspanel.h"
#include "widgets/settingstext.h"
#include "widgets/timelineplot.h"

#include <QCoreApplication>
#include <QDir>
#include <QDragEnterEvent>
#include <QFileDialog>
#include <QFileInfo>
#include <QFileSystemWatcher>
#include <QLocale>
#include <QMenu>
#include <QMessageBox>
#include <QMimeData>
#include <QSaveFile>
#include <QUndoStack>

namespace tidemark {
namespace {

constexpr QSize kExportSize(1000, 520);
constexpr double kExportScale = 2.0;
constexpr int kOfferedRecent = 5;

struct Samples {
    Q_DECLARE_TR_FUNCTIONS(Samples)
};

/// What a bundled sample shows; its file name for files that were added later.
QString sampleHint(const QString& name) {
    if (name == QLatin1String("resnet50")) return Samples::tr("Image classification, 25.6 M parameters");
    if (name == QLatin1String("vit_b_16")) return Samples::tr("Vision transformer, 86.6 M parameters");
    if (name == QLatin1String("small-gpt2")) return Samples::tr("Language model with a sequence axis");
    if (name == QLatin1String("early-downsampling")) return Samples::tr("Small network that shrinks the image at once");
    if (name == QLatin1String("late-downsampling"))
        return Samples::tr("The same network at full resolution, to compare");
    return name + QStringLiteral(".pt");
}

QString baseName(const QString& file) { return QFileInfo(file).completeBaseName(); }

}  // namespace

void MainWindow::openFile(const QString& file) {
    const QString path = QFileInfo(file).absoluteFilePath();
    if (!mayDiscard()) return;
    if (looksLikePlan(path))
        openPlan(path);
    else
        openModel(path);
}

void MainWindow::openModel(const QString& file) {
    Plan plan;
    plan.gpu = m_document.plan().gpu.empty()
                   ? m_store.text(QStringLiteral("gpu"), QStringLiteral("rtx-4090")).toStdString()
                   : m_document.plan().gpu;
    if (const Gpu* gpu = gpuById(plan.gpu)) plan.gpu = gpu->id;
    Variant variant;
    variant.id = m_document.newId();
    variant.name = baseName(file);
    variant.model = file;
    if (const Variant* before = m_document.current()) {
        variant.settings = before->settings;
        variant.settings.inputs.clear();
        variant.settings.axes.clear();
        variant.settings.checkpoint = {};
        variant.settings.frozen.clear();
    }
    plan.variants.push_back(std::move(variant));
    m_errors->dismiss();
    m_document.reset(plan);
    if (QFileInfo::exists(file)) m_store.addRecentFile(file);
}

void MainWindow::openPlan(const QString& file) {
    auto plan = loadPlan(file);
    if (!plan) {
        m_errors->showError(plan.error());
        return;
    }
    for (Variant& variant : plan.value().variants) variant.id = m_document.newId();
    m_errors->dismiss();
    m_document.reset(plan.value(), file);
    m_store.addRecentFile(file);
}

void MainWindow::restoreLastSession() {
    const bool crashed = !m_store.flag(QStringLiteral("endedCleanly"), true);
    m_store.setFlag(QStringLiteral("endedCleanly"), false);
    const QString file = SettingsStore::recoveryFile();
    if (!m_document.plan().isEmpty() || !QFileInfo::exists(file)) return;
    auto plan = loadPlan(file);
    if (!plan || plan->isEmpty()) return;
    std::erase_if(plan->variants, [](const Variant& variant) { return !QFileInfo::exists(variant.model); });
    if (plan->isEmpty()) return;
    plan->current = std::min<int>(plan->current, static_cast<int>(plan->variants.size()) - 1);
    plan->baseline = std::min<int>(plan->baseline, static_cast<int>(plan->variants.size()) - 1);
    for (Variant& variant : plan->variants) variant.id = m_document.newId();
    const QString saved = m_store.text(QStringLiteral("lastPlan"));
    m_document.reset(plan.value(), QFileInfo::exists(saved) ? saved : QString());
    if (crashed) m_errors->showNote(tr("Tidemark ended unexpectedly last time. This is the plan as it was."));
}

void MainWindow::saveRecovery() {
    m_store.setText(QStringLiteral("lastPlan"), m_document.file());
    if (const auto saved = savePlan(m_document.plan(), SettingsStore::recoveryFile()); !saved)
        qWarning("%s", saved.error().message.c_str());
}

void MainWindow::chooseFile() {
    const QString file =
        QFileDialog::getOpenFileName(this, tr("Open model or plan"), m_store.text(QStringLiteral("folder")),
                                     tr("Models and plans (*.pt *.pth *.ts *.tidemark);;All files (*)"));
    if (file.isEmpty()) return;
    m_store.setText(QStringLiteral("folder"), QFileInfo(file).absolutePath());
    openFile(file);
}

void MainWindow::addModelVariant() {
    const QString file =
        QFileDialog::getOpenFileName(this, tr("Add model as variant"), m_store.text(QStringLiteral("folder")),
                                     tr("TorchScript models (*.pt *.pth *.ts);;All files (*)"));
    if (file.isEmpty()) return;
    editPlan(
        [&](Plan& plan) {
            Variant variant = plan.variants[plan.current];
            variant.id = m_document.newId();
            variant.name = baseName(file);
            variant.model = file;
            variant.settings.inputs.clear();
            variant.settings.checkpoint = {};
            plan.variants.push_back(std::move(variant));
            plan.current = static_cast<int>(plan.variants.size()) - 1;
        },
        tr("Add model"));
}

void MainWindow::reload() {
    if (!m_shown) return;
    m_errors->dismiss();
    m_shown->reload();
}

void MainWindow::duplicateVariant() {
    if (!m_document.current()) return;
    editPlan(
        [&](Plan& plan) {
            Variant copy = plan.variants[plan.current];
            copy.id = m_document.newId();
            copy.name = tr("%1 %2").arg(baseName(copy.model)).arg(plan.variants.size() + 1);
            plan.variants.push_back(std::move(copy));
            plan.current = static_cast<int>(plan.variants.size()) - 1;
        },
        tr("Duplicate variant"));
}

void MainWindow::removeVariant(int index) {
    const auto count = static_cast<int>(m_document.plan().variants.size());
    if (index < 0 || index >= count || count < 2) return;
    editPlan(
        [&](Plan& plan) {
            plan.variants.erase(plan.variants.begin() + index);
            const auto moved = [&](int& marked) {
                if (marked > index || marked >= count - 1) marked = std::max(0, marked - 1);
            };
            moved(plan.current);
            moved(plan.baseline);
        },
        tr("Remove variant"));
}

bool MainWindow::mayDiscard() {
    if (m_document.file().isEmpty() || !m_document.isModified()) return true;
    const auto answer = QMessageBox::question(
        this, tr("Save plan"), tr("Save the changes to %1?").arg(QFileInfo(m_document.file()).fileName()),
        QMessageBox::Save | QMessageBox::Discard | QMessageBox::Cancel);
    return answer == QMessageBox::Discard || (answer == QMessageBox::Save && save());
}

bool MainWindow::save() { return m_document.file().isEmpty() ? saveAs() : saveTo(m_document.file()); }

bool MainWindow::saveAs() {
    const Variant* variant = m_document.current();
    if (!variant) return false;
    const QString proposed = m_document.file().isEmpty() ? QFileInfo(variant->model).absolutePath() + QLatin1Char('/') +
                                                               baseName(variant->model) + QStringLiteral(".tidemark")
                                                         : m_document.file();
    QString file = QFileDialog::getSaveFileName(this, tr("Save plan"), proposed, tr("Plans (*.tidemark)"));
    return !file.isEmpty() && saveTo(file);
}

bool MainWindow::saveTo(const QString& file) {
    if (const auto saved = savePlan(m_document.plan(), file); !saved) {
        m_errors->showError(saved.error());
        return false;
    }
    m_document.setSaved(file);
    m_store.addRecentFile(file);
    return true;
}

void MainWindow::exportLayers() {
    const Variant* variant = m_document.current();
    if (!variant) return;
    const QString file = QFileDialog::getSaveFileName(
        this, tr("Export layer table"), baseName(variant->model) + QStringLiteral("-layers.csv"), tr("CSV (*.csv)"));
    if (file.isEmpty()) return;
    QSaveFile target(file);
    if (target.open(QIODevice::WriteOnly)) {
        target.write(m_layers->toCsv().toUtf8());
        if (target.commit()) return;
    }
    m_errors->showError(
        {ErrorCode::FileUnreadable, tr("%1 cannot be written: %2").arg(file, target.errorString()).toStdString(), {}});
}

void MainWindow::exportPlot(bool timeline) {
    const Variant* variant = m_document.current();
    if (!variant) return;
    PlotBase* plot = timeline ? static_cast<PlotBase*>(m_timeline) : m_memory;
    const QString file = QFileDialog::getSaveFileName(
        this, tr("Export plot"),
        baseName(variant->model) + (timeline ? QStringLiteral("-step.svg") : QStringLiteral("-memory.svg")),
        tr("SVG (*.svg);;PNG (*.png)"));
    if (file.isEmpty()) return;
    const bool saved = file.endsWith(QLatin1String(".png"), Qt::CaseInsensitive)
                           ? plot->savePng(file, kExportSize, kExportScale)
                           : plot->saveSvg(file, kExportSize);
    if (!saved)
        m_errors->showError({ErrorCode::FileUnreadable, tr("%1 cannot be written.").arg(file).toStdString(), {}});
}

void MainWindow::showTitle() {
    const Variant* variant = m_document.current();
    if (!variant) {
        setWindowTitle(tr("Tidemark"));
        setWindowModified(false);
        return;
    }
    const QString name = m_document.file().isEmpty() ? variant->name : QFileInfo(m_document.file()).fileName();
    setWindowTitle(tr("%1[*] — Tidemark").arg(name));
    setWindowModified(!m_document.file().isEmpty() && m_document.isModified());
    setWindowFilePath({});
}

void MainWindow::watchModels() {
    if (!m_watcher->files().isEmpty()) m_watcher->removePaths(m_watcher->files());
    for (const Variant& variant : m_document.plan().variants)
        if (QFileInfo::exists(variant.model)) m_watcher->addPath(variant.model);
}

std::vector<QString> MainWindow::sampleFiles() const {
    std::vector<QString> files;
    const QDir folder(m_session->installation().resources + QStringLiteral("/samples"));
    for (const QFileInfo& info : folder.entryInfoList({QStringLiteral("*.pt")}, QDir::Files, QDir::Name))
        files.push_back(info.absoluteFilePath());
    return files;
}

void MainWindow::fillOffers() {
    std::vector<Offer> samples;
    m_samplesMenu->clear();
    for (const QString& file : sampleFiles()) {
        samples.push_back({baseName(file), sampleHint(baseName(file)), file});
        connect(m_samplesMenu->addAction(baseName(file)), &QAction::triggered, this, [this, file] { openFile(file); });
    }
    m_samplesMenu->menuAction()->setVisible(!samples.empty());
    std::vector<Offer> recent;
    for (const QString& file : m_store.recentFiles()) {
        if (recent.size() == kOfferedRecent) break;
        recent.push_back({QFileInfo(file).fileName(), QDir::toNativeSeparators(QFileInfo(file).absolutePath()), file});
    }
    m_empty->setSamples(samples);
    m_empty->setRecent(recent);
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event) {
    if (event->mimeData()->hasUrls() && event->mimeData()->urls().constFirst().isLocalFile())
        event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent* event) {
    const QList<QUrl> urls = event->mimeData()->urls();
    if (urls.isEmpty() || !urls.constFirst().isLocalFile()) return;
    event->acceptProposedAction();
    openFile(urls.constFirst().toLocalFile());
}

ReportContent MainWindow::reportContent() const {
    ReportContent content;
    const VariantPlanner& planner = *m_shown;
    const auto fit = planner.fit();
    content.when = QDateTime::currentDateTime();
    content.model = planner.model();
    content.settings = planner.settings();
    content.gpu = planner.gpu();
    content.capacity = capacityOf(planner.gpu(), planner.reserve());
    content.title = tr("%1 on %2").arg(m_document.current()->name, QString::fromStdString(planner.gpu().label));
    content.figures = *planner.figures();
    if (fit) {
        content.level = fit->level;
        content.verdict = verdictText(*fit, planner.gpu(), planner.largest(), m_units);
        content.grounds = verdictGrounds(*fit, content.figures.categories, planner.exact().get(), m_units);
    }
    content.largest = planner.largest();
    content.points = planner.points();
    content.others = otherSeries();
    content.detail = planner.detail();
    const Plan& plan = m_document.plan();
    for (const Variant& variant : plan.variants) {
        const VariantPlanner* other = plannerOf(variant.id);
        if (!other || other == m_shown || !other->isDetailCurrent() || !other->fit() || !fit ||
            !planner.isDetailCurrent())
            continue;
        content.comparisons.push_back({variant.name, plan.variants[plan.current].name,
                                       describeDifference(other->settings(), planner.settings(), planner.model()),
                                       verdictText(*other->fit(), other->gpu(), other->largest(), m_units),
                                       content.verdict,
                                       compare(other->model(), *other->detail(), planner.model(), *planner.detail())});
    }
    content.torchVersion = QString::fromStdString(planner.worker().torchVersion);
    content.workspace = QString::fromStdString(planner.worker().workspace);
    content.programVersion = QCoreApplication::applicationVersion();
    content.units = m_units;
    return content;
}

bool MainWindow::exportReport(const QString& file) {
    if (!m_shown || !m_shown->isOpen() || !m_shown->figures()) return false;
    const bool letter = QLocale().measurementSystem() == QLocale::ImperialUSSystem;
    const auto written = writeReport(reportContent(), file, letter ? QPageSize::Letter : QPageSize::A4);
    if (!written)
        m_errors->showError(written.error());
    else
        m_errors->showNote(tr("The report was saved as %1").arg(QDir::toNativeSeparators(file)));
    return written.ok();
}

void MainWindow::chooseReportFile() {
    const Variant* variant = m_document.current();
    if (!variant) return;
    const QString file = QFileDialog::getSaveFileName(
        this, tr("Export report"), baseName(variant->model) + QStringLiteral(".pdf"), tr("PDF (*.pdf)"));
    if (!file.isEmpty()) exportReport(file);
}

}  // namespace tidemark
