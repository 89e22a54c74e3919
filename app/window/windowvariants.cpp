// SPDX-License-Identifier: Apache-2.0
#include "app/window/mainwindow.h"

#include "app/window/cardsdialog.h"
#include "app/window/verdicttext.h"
#include "widgets/comparisonview.h"
#include "widgets/memoryplot.h"
#include "widgets/peakheader.h"
#include "widgets/serieslegend.h"
#include "widgets/settingstext.h"

#include <QAction>
#include <QFileDialog>
#include <QFileInfo>
#include <QTabBar>
#include <QTabWidget>

namespace tidemark {
namespace {

const char* const kVariantColors[] = {"#7a5cc7", "#00838f", "#b06000", "#c2185b", "#5d7a00"};

QColor variantColor(std::size_t index) {
    return QColor(QLatin1String(kVariantColors[index % std::size(kVariantColors)]));
}

}  // namespace

void MainWindow::editSettings(const Settings& settings) {
    const Variant* variant = m_document.current();
    if (!variant) return;
    const Settings before = variant->settings;
    Settings batchOnly = before;
    batchOnly.batch = settings.batch;
    const bool onlyBatch = batchOnly == settings;
    const auto name = [=] {
        const QStringList changed = changedSettings(before, settings);
        return changed.size() == 1 ? tr("Change %1").arg(changed.front()) : tr("Change settings");
    };
    editPlan(
        [&](Plan& plan) {
            if (m_together->isChecked())
                for (Variant& other : plan.variants) other.settings = withSameChange(other.settings, before, settings);
            plan.variants[plan.current].settings = settings;
        },
        name, onlyBatch ? QStringLiteral("batch%1").arg(variant->id) : QString());
}

void MainWindow::addModelVariant() {
    const QStringList files =
        QFileDialog::getOpenFileNames(this, tr("Add model as variant"), m_store.text(QStringLiteral("folder")),
                                      tr("TorchScript models (*.pt *.pth *.ts);;All files (*)"));
    if (files.isEmpty()) return;
    m_store.setText(QStringLiteral("folder"), QFileInfo(files.first()).absolutePath());
    addModels(files);
}

void MainWindow::addModels(const QStringList& files) {
    editPlan(
        [&](Plan& plan) {
            const Variant pattern = plan.variants[plan.current];
            for (const QString& file : files) {
                Variant variant = pattern;
                variant.id = m_document.newId();
                variant.model = QFileInfo(file).absoluteFilePath();
                variant.name = QFileInfo(file).completeBaseName();
                variant.settings.inputs.clear();
                variant.settings.checkpoint = {};
                variant.settings.frozen.clear();
                plan.variants.push_back(std::move(variant));
            }
            plan.current = static_cast<int>(plan.variants.size()) - 1;
        },
        [] { return tr("Add model"); });
}

void MainWindow::duplicateVariant() {
    if (!m_document.current()) return;
    editPlan(
        [&](Plan& plan) {
            Variant copy = plan.variants[plan.current];
            copy.id = m_document.newId();
            copy.name = tr("%1 %2").arg(QFileInfo(copy.model).completeBaseName()).arg(plan.variants.size() + 1);
            plan.variants.push_back(std::move(copy));
            plan.current = static_cast<int>(plan.variants.size()) - 1;
        },
        [] { return tr("Duplicate variant"); });
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
        [] { return tr("Remove variant"); });
}

std::vector<MemorySeries> MainWindow::otherSeries() const {
    std::vector<MemorySeries> others;
    const Plan& plan = m_document.plan();
    for (std::size_t i = 0; i < plan.variants.size(); ++i) {
        const VariantPlanner* planner = plannerOf(plan.variants[i].id);
        if (!planner || planner == m_shown || !planner->isOpen()) continue;
        others.push_back({plan.variants[i].name, variantColor(i), planner->points()});
    }
    return others;
}

void MainWindow::showOthers() {
    const std::vector<MemorySeries> others = otherSeries();
    m_memory->setOthers(others);
    m_series->setSeries(others);
    for (int i = 0; i < static_cast<int>(others.size()); ++i) {
        m_series->chip(i)->setChecked(m_memory->otherGraph(i)->visible());
        m_series->chip(i)->setColor(m_memory->otherGraph(i)->pen().color());
    }
}

VariantPlanner* MainWindow::comparedPlanner(int* index) const {
    const Plan& plan = m_document.plan();
    if (plan.variants.size() < 2) return nullptr;
    const int other = plan.baseline != plan.current ? plan.baseline : plan.current == 0 ? 1 : 0;
    if (index) *index = other;
    return plannerOf(plan.variants[other].id);
}

std::optional<VariantComparison> MainWindow::comparisonWith(const VariantPlanner& baseline, const QString& name) const {
    if (!m_shown || !m_shown->isDetailCurrent() || !baseline.isDetailCurrent()) return {};
    VariantComparison shown;
    shown.baseline = name;
    shown.other = m_document.current()->name;
    shown.changes = describeDifference(baseline.settings(), m_shown->settings(), m_shown->model());
    if (baseline.path() != m_shown->path()) shown.changes.prepend(tr("another model file"));
    const auto fitA = baseline.fit();
    const auto fitB = m_shown->fit();
    if (fitA && fitB) {
        shown.baselineVerdict = verdictText(*fitA, baseline.gpu(), baseline.largest(), m_units);
        shown.otherVerdict = verdictText(*fitB, m_shown->gpu(), m_shown->largest(), m_units);
        shown.process = {fitA->process.value, fitB->process.value};
    }
    shown.comparison = compare(baseline.model(), *baseline.detail(), m_shown->model(), *m_shown->detail());
    return shown;
}

void MainWindow::showComparison() {
    int index = 0;
    const VariantPlanner* baseline = comparedPlanner(&index);
    m_insights->setTabVisible(m_insights->indexOf(m_comparison), baseline != nullptr);
    m_exportComparison->setEnabled(false);
    if (!baseline || !m_shown) return;
    if (const auto comparison = comparisonWith(*baseline, m_document.plan().variants[index].name)) {
        m_comparison->showComparison(*comparison);
        m_exportComparison->setEnabled(true);
    } else if (!m_shown->detail() || !baseline->detail())
        m_comparison->showHint(tr("Measuring …"));
}

void MainWindow::showCards() {
    constexpr std::int64_t kLargestBatch = 1 << 16;
    const VariantPlanner* planner = currentPlanner();
    if (!planner || !planner->isOpen()) return;
    const CardTableRequest request{planner->path(), planner->settings(), m_gpus, planner->reserve(), kLargestBatch};
    auto* dialog = new CardsDialog(m_session->installation(), request, m_units, this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &CardsDialog::cardChosen, this, &MainWindow::chooseGpu);
    dialog->open();
}

}  // namespace tidemark
