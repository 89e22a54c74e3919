// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/session/installation.h"

#include <QProcess>
#include <QString>
#include <QTemporaryDir>

namespace tidemark {

/// A tidemark-probe that loads LibTorch and reads a model once for many workers, which fork from it. They are started as
/// ever, with its socket in their Installation; where there is no nursery they start by themselves, only slower.
class ProbeNursery {
public:
    ProbeNursery(const Installation& installation, const QString& model);
    ~ProbeNursery();

    /// Where workers ask for a fork; empty when the nursery could not be started.
    QString socket() const { return m_socket; }

private:
    QTemporaryDir m_folder;
    QProcess m_process;
    QString m_socket;
};

}  // namespace tidemark
