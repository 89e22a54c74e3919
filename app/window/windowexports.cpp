// SPDX-License-Identifier: Apache-2.0
#include "app/window/mainwindow.h"

#include "app/window/advicefinder.h"
#include "app/window/insights.h"
#include "app/window/planexport.h"
#include "app/window/verdicttext.h"
#include "widgets/comparisonview.h"
#include "widgets/errorbar.h"
#include "widgets/htmlreport.h"
#include "widgets/layertreeview.h"
#include "widgets/memoryplot.h"
#include "widgets/settingstext.h"
#include "widgets/text.h"
#include "widgets/timelineplot.h"

#include <QCoreApplication>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QLocale>
#include <QSaveFile>

namespace tidemark {
namespace {

constexpr std::size_t kMostAdvice = 8;

}  // namespace

bool MainWindow::writeFile(const QString& file, const QByteArray& content) {
    QSaveFile target(file);
    if (target.open(QIODevice::WriteOnly)) {
        target.write(content);
        if (target.commit()) return true;
    }
    m_errors->showError(
        {ErrorCode::FileUnreadable, tr("%1 cannot be written: %2").arg(file, target.errorString()).toStdString(), {}});
    return false;
}

QString MainWindow::askForTarget(const QString& title, const QString& ending, const QString& filter) {
    const Variant* variant = m_document.current();
    if (!variant) return {};
    const QDir folder(m_store.text(QStringLiteral("exportFolder"), QFileInfo(variant->model).absolutePath()));
    const QString proposed = folder.filePath(QFileInfo(variant->model).completeBaseName() + ending);
    const QString file = QFileDialog::getSaveFileName(this, title, proposed, filter);
    if (!file.isEmpty()) m_store.setText(QStringLiteral("exportFolder"), QFileInfo(file).absolutePath());
    return file;
}

void MainWindow::exportLayers() {
    const QString file = askForTarget(tr("Export layer table"), QStringLiteral("-layers.csv"), tr("CSV (*.csv)"));
    if (!file.isEmpty()) writeFile(file, m_layers->toCsv().toUtf8());
}

void MainWindow::exportComparison() {
    const QString file = askForTarget(tr("Export comparison"), QStringLiteral("-comparison.csv"), tr("CSV (*.csv)"));
    if (!file.isEmpty()) writeFile(file, m_comparison->toCsv().toUtf8());
}

void MainWindow::exportPlot(bool timeline) {
    const auto picture = askForPlotPicture(this, m_picture);
    if (!picture) return;
    m_picture = *picture;
    PlotBase* plot = timeline ? static_cast<PlotBase*>(m_timeline) : m_memory;
    const QString file =
        askForTarget(tr("Export plot"), timeline ? QStringLiteral("-step.svg") : QStringLiteral("-memory.svg"),
                     tr("SVG (*.svg);;PNG (*.png)"));
    if (file.isEmpty()) return;
    const bool saved = file.endsWith(QLatin1String(".png"), Qt::CaseInsensitive)
                           ? plot->savePng(file, picture->size, picture->scale)
                           : plot->saveSvg(file, picture->size);
    if (!saved)
        m_errors->showError({ErrorCode::FileUnreadable, tr("%1 cannot be written.").arg(file).toStdString(), {}});
}

void MainWindow::exportFigures() {
    const QString file = askForTarget(tr("Export plan and figures"), QStringLiteral("-plan.json"), tr("JSON (*.json)"));
    if (file.isEmpty()) return;
    writeFile(file, planWithFigures(m_document.plan(), QFileInfo(file).absolutePath(),
                                    [this](int variant) { return plannerOf(variant); }));
}

void MainWindow::exportNodeData() {
    if (!m_shown || !m_shown->detail()) return;
    const QString file = askForTarget(tr("Export node data"), QStringLiteral("-node-data.json"), tr("JSON (*.json)"));
    if (file.isEmpty()) return;
    const ModelExplorerFiles files = modelExplorerFiles(m_shown->model(), *m_shown->detail());
    const QFileInfo info(file);
    const QString graph = info.dir().filePath(info.completeBaseName() + QStringLiteral("-graph.json"));
    if (writeFile(file, files.nodeData) && writeFile(graph, files.graph))
        m_errors->showNote(tr("Open %1 in Model Explorer and load %2 as its node data.")
                               .arg(QFileInfo(graph).fileName(), info.fileName()));
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
    for (const Variant& variant : plan.variants)
        if (const VariantPlanner* other = plannerOf(variant.id); other && other != m_shown)
            if (const auto comparison = comparisonWith(*other, variant.name))
                content.comparisons.push_back(*comparison);
    content.advice = m_insightPages->adviceFinder()->advice();
    content.advice.resize(std::min(content.advice.size(), kMostAdvice));
    content.torchVersion = QString::fromStdString(planner.worker().torchVersion);
    content.workspace = QString::fromStdString(planner.worker().workspace);
    content.workspaceProblem = localText(planner.worker().workspaceProblem);
    if (!planner.worker().cudnnVersion.empty())
        content.workspace += QLatin1Char(' ') + QString::fromStdString(planner.worker().cudnnVersion);
    content.programVersion = QCoreApplication::applicationVersion();
    content.units = m_units;
    return content;
}

bool MainWindow::exportReport(const QString& file) {
    if (!m_shown || !m_shown->isOpen() || !m_shown->figures()) return false;
    m_pendingReports << file;
    m_errors->showNote(tr("Measuring what would take less; the report follows."));
    m_insightPages->showFigures(m_shown);
    writePendingReports();
    return true;
}

/// Once all advice is there; for a step that has changed in the meantime it is measured anew.
void MainWindow::writePendingReports() {
    AdviceFinder* finder = m_insightPages->adviceFinder();
    if (m_pendingReports.isEmpty() || !m_shown || !m_shown->isOpen() || !m_shown->figures()) return;
    if (!finder->isComplete()) return finder->start();
    for (const QString& file : std::exchange(m_pendingReports, {})) writeReportTo(file);
}

void MainWindow::writeReportTo(const QString& file) {
    const bool letter = QLocale().measurementSystem() == QLocale::ImperialUSSystem;
    const bool html = file.endsWith(QLatin1String(".html"), Qt::CaseInsensitive);
    const auto written = html ? writeHtmlReport(reportContent(), file)
                              : writeReport(reportContent(), file, letter ? QPageSize::Letter : QPageSize::A4);
    if (!written)
        m_errors->showError(written.error());
    else
        m_errors->showNote(tr("The report was saved as %1").arg(QDir::toNativeSeparators(file)));
}

void MainWindow::chooseReportFile() {
    const QString file = askForTarget(tr("Export report"), QStringLiteral(".pdf"), tr("PDF (*.pdf);;HTML (*.html)"));
    if (!file.isEmpty()) exportReport(file);
}

}  // namespace tidemark
