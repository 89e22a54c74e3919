// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/session/installation.h"
#include "engine/session/request.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

namespace tidemark::testing {

/// A folder with "models" for the fake probe, and what a session needs to run it.
class FakeModels {
public:
    /// Writes a model file whose text scripts the fake probe's behaviour.
    QString write(const QString& name, const QByteArray& script = "{}") const {
        QFile file(path(name));
        if (!file.open(QIODevice::WriteOnly)) qFatal("cannot write the fake model");
        file.write(script);
        return file.fileName();
    }
    QString path(const QString& name) const { return m_folder.filePath(name); }
    QStringList log() const {
        QFile file(path("log"));
        if (!file.open(QIODevice::ReadOnly)) return {};
        return QString::fromUtf8(file.readAll()).split('\n', Qt::SkipEmptyParts);
    }
    void startLog() const {
        QFile::remove(path("log"));
        qputenv("FAKEPROBE_LOG", path("log").toUtf8());
    }

private:
    QTemporaryDir m_folder;
};

inline Installation fakeInstallation(const char* probe) { return {QString::fromUtf8(probe), {}, {}, {}}; }

inline Gpu gpuNamed(const std::string& id) {
    Gpu gpu;
    gpu.id = id;
    gpu.memory = kGiB * 16;
    return gpu;
}

inline MeasureRequest requestFor(const QString& model, std::int64_t batch, Lane lane = Lane::Cursor) {
    MeasureRequest request;
    request.model = model;
    request.gpu = gpuNamed("fake");
    request.settings.batch = batch;
    request.lane = lane;
    return request;
}

}  // namespace tidemark::testing
