// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>

#include <QByteArray>
#include <QDir>
#include <QFile>
#include <QStringList>

#include <csignal>
#include <unistd.h>

namespace tidemark::testing {

/// While it lives, `tidemark-probe --real` finds a GPU: the null GPU, posing under this name with a context and with
/// memory that other programs have. `libraries` is the folder of the stand-ins.
class PosingGpu {
public:
    static constexpr std::int64_t kContext = 700ll << 20;
    static constexpr std::int64_t kOthers = 300ll << 20;

    PosingGpu(const char* libraries, const char* name, std::int64_t memory) {
        const nlohmann::json device{{"name", name},           {"capability_major", 8},     {"capability_minor", 9},
                                    {"memory", memory},       {"context_memory", kContext}, {"other_memory", kOthers},
                                    {"driver", "599.1"}};
        qputenv("TIDEMARK_NULL_DEVICE", QByteArray::fromStdString(device.dump()));
        qputenv("TIDEMARK_REAL_LIBRARIES", libraries);
    }
    ~PosingGpu() {
        qunsetenv("TIDEMARK_NULL_DEVICE");
        qunsetenv("TIDEMARK_REAL_LIBRARIES");
    }
    PosingGpu(const PosingGpu&) = delete;
    PosingGpu& operator=(const PosingGpu&) = delete;

    /// Processes that this one has started and that were asked for the real GPU.
    static QList<pid_t> probes() {
        QList<pid_t> found;
        for (const QString& entry : QDir("/proc").entryList(QDir::Dirs)) {
            const pid_t pid = entry.toInt();
            if (pid <= 0) continue;
            const QList<QByteArray> status = read("/proc/" + entry + "/stat").split(' ');
            if (status.size() < 4 || status[2] == "Z" || status[3].toInt() != getpid()) continue;
            if (read("/proc/" + entry + "/cmdline").split('\0').contains("--real")) found << pid;
        }
        return found;
    }

private:
    static QByteArray read(const QString& path) {
        QFile file(path);
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    }
};

}  // namespace tidemark::testing
