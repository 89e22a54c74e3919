// SPDX-License-Identifier: Apache-2.0
#include "app/window/mainwindow.h"

#include "app/window/planfile.h"
#include "widgets/emptystate.h"
#include "widgets/errorbar.h"

#include <QCoreApplication>
#include <QDir>
#include <QDragEnterEvent>
#include <QFileDialog>
#include <QFileInfo>
#include <QFileSystemWatcher>
#include <QMenu>
#include <QMessageBox>
#include <QMimeData>

namespace tidemark {
namespace {

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
    if (QFileInfo(path).isDir()) {
        const QString words = tr("%1 is a folder; open the model file in it.").arg(QDir::toNativeSeparators(path));
        m_errors->showError({ErrorCode::FileUnreadable, words.toStdString(), {}});
        return;
    }
    if (!mayDiscard()) return;
    if (looksLikePlan(path))
        openPlan(path);
    else
        openModel(path);
}

void MainWindow::openFiles(const QStringList& files) {
    if (files.isEmpty()) return;
    openFile(files.first());
    QStringList models;
    for (const QString& file : files.mid(1))
        if (!looksLikePlan(file)) models << file;
    if (!models.isEmpty() && !m_document.plan().isEmpty()) addModels(models);
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
    m_document.open(plan, [] { return tr("Open model"); });
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
    m_document.open(
        plan.value(), [] { return tr("Open plan"); }, file);
    m_store.addRecentFile(file);
}

void MainWindow::beginSession() {
    if (m_crashedBefore) return;
    m_crashedBefore = !m_store.flag(QStringLiteral("endedCleanly"), true);
    m_store.setFlag(QStringLiteral("endedCleanly"), false);
    // At once: a program that is killed writes no settings.
    m_store.sync();
}

void MainWindow::restoreLastSession() {
    beginSession();
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
    if (*m_crashedBefore) m_errors->showNote(tr("Tidemark ended unexpectedly last time. This is the plan as it was."));
}

void MainWindow::saveRecovery() {
    if (m_store.isReadOnly()) return;
    m_store.setText(QStringLiteral("lastPlan"), m_document.file());
    if (const auto saved = savePlan(m_document.plan(), SettingsStore::recoveryFile()); !saved)
        qWarning("%s", saved.error().message.english().c_str());
}

void MainWindow::chooseFile() {
    const QStringList files =
        QFileDialog::getOpenFileNames(this, tr("Open model or plan"), m_store.text(QStringLiteral("folder")),
                                      tr("Models and plans (*.pt *.pth *.ts *.tidemark);;All files (*)"));
    if (files.isEmpty()) return;
    m_store.setText(QStringLiteral("folder"), QFileInfo(files.first()).absolutePath());
    openFiles(files);
}

void MainWindow::reload() {
    if (!m_shown) return;
    m_errors->dismiss();
    m_shown->reload();
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
    QStringList files;
    for (const QUrl& url : urls)
        if (url.isLocalFile()) files << url.toLocalFile();
    openFiles(files);
}

}  // namespace tidemark
