// SPDX-License-Identifier: Apache-2.0
#include "engine/session/probenursery.h"

namespace tidemark {
namespace {

/// It listens before it loads anything.
constexpr int kMostMilliseconds = 2000;

}  // namespace

ProbeNursery::ProbeNursery(const Installation& installation, const QString& model) {
    if (installation.probe.isEmpty() || !m_folder.isValid()) return;
    const QString socket = m_folder.filePath(QStringLiteral("probe"));
    QStringList arguments{"--nursery", socket, "--read", model};
    if (!installation.catalogue.isEmpty()) arguments << "--catalogue" << installation.catalogue;
    m_process.setStandardErrorFile(QProcess::nullDevice());
    m_process.start(installation.probe, arguments);
    if (m_process.waitForReadyRead(kMostMilliseconds) && m_process.readLine() == "listening\n") m_socket = socket;
}

ProbeNursery::~ProbeNursery() {
    if (m_process.state() == QProcess::NotRunning) return;
    m_process.kill();
    m_process.waitForFinished();
}

}  // namespace tidemark
