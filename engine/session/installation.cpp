// SPDX-License-Identifier: Apache-2.0
#include "engine/session/installation.h"

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>
#include <QStringList>

namespace tidemark {
namespace {

/// The first candidate that exists, as an absolute path.
QString firstExisting(const QStringList& candidates) {
    for (const QString& candidate : candidates)
        if (!candidate.isEmpty() && QFileInfo::exists(candidate)) return QFileInfo(candidate).absoluteFilePath();
    return {};
}

QString findProbe(const QString& programFolder) {
    // A name given by hand is taken as it is, so that a typing error is reported rather than papered over.
    if (const QString chosen = qEnvironmentVariable("TIDEMARK_PROBE"); !chosen.isEmpty()) return chosen;
    return firstExisting({programFolder + "/tidemark-probe", programFolder + "/../lib/tidemark/tidemark-probe",
                          QStringLiteral(TIDEMARK_BUILD_BIN) + "/tidemark-probe"});
}

QString findResources(const QString& programFolder) {
    if (const QString chosen = qEnvironmentVariable("TIDEMARK_RESOURCES"); !chosen.isEmpty()) return chosen;
    return firstExisting({programFolder + "/../share/tidemark", QStringLiteral(TIDEMARK_INSTALL_RESOURCES),
                          QStringLiteral(TIDEMARK_SOURCE_RESOURCES)});
}

/// The wheel nvidia-cudnn-cu13 puts libcudnn.so.9 beside torch in the same site-packages.
QString cudnnIn(const QString& torch) {
    if (torch.isEmpty()) return {};
    QStringList candidates{torch + "/../nvidia/cudnn/lib/libcudnn.so.9", torch + "/lib/libcudnn.so.9"};
    const QDir lib(torch + "/lib");
    for (const QString& python : lib.entryList({"python3*"}, QDir::Dirs))
        candidates << lib.filePath(python + "/site-packages/nvidia/cudnn/lib/libcudnn.so.9");
    return firstExisting(candidates);
}

QString findCudnn() {
    if (qEnvironmentVariableIsSet("TIDEMARK_CUDNN")) return qEnvironmentVariable("TIDEMARK_CUDNN");
    if (const QString found = cudnnIn(qEnvironmentVariable("TIDEMARK_TORCH")); !found.isEmpty()) return found;
    return cudnnIn(QStringLiteral(TIDEMARK_BUILD_TORCH));
}

}  // namespace

Installation Installation::find() {
    const QString folder = QCoreApplication::applicationDirPath();
    Installation found;
    found.probe = findProbe(folder);
    found.resources = findResources(folder);
    found.catalogue = firstExisting({found.resources + "/gpus.json"});
    found.cudnn = findCudnn();
    return found;
}

}  // namespace tidemark
