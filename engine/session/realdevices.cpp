// SPDX-License-Identifier: Apache-2.0
#include "engine/session/realdevices.h"

#include "engine/plan/errors.h"
#include "engine/plan/jsonfields.h"

#include <algorithm>
#include <cstdlib>

namespace tidemark {
namespace {

using nlohmann::json;

constexpr int kPatienceMilliseconds = 20'000;
/// The same name on cards of two sizes (an RTX 3060 of 8 and of 12 GB): the totals must agree this well.
constexpr double kSameMemory = 0.05;

Error unavailable(const Message& sentence, const QByteArray& detail = {}) {
    return {ErrorCode::WorkerUnavailable, sentence, QString::fromUtf8(detail).trimmed().toStdString()};
}

Result<Gpu> gpuFromJson(const json& entry) {
    Gpu gpu;
    JsonFields top(entry, "", ErrorCode::Internal);
    top.required("id", gpu.id);
    top.required("label", gpu.label);
    const json* description = top.find("device");
    if (top.failed() || !description) return top.error();
    JsonFields fields(*description, "device.", ErrorCode::Internal);
    fields.required("name", gpu.name);
    fields.required("capability_major", gpu.capabilityMajor);
    fields.required("capability_minor", gpu.capabilityMinor);
    fields.required("multiprocessors", gpu.multiprocessors);
    fields.required("memory", gpu.memory);
    fields.required("threads_per_multiprocessor", gpu.threadsPerMultiprocessor);
    fields.required("blocks_per_multiprocessor", gpu.blocksPerMultiprocessor);
    fields.required("shared_memory_per_block_optin", gpu.sharedMemoryPerBlockOptin);
    fields.required("shared_memory_per_multiprocessor", gpu.sharedMemoryPerMultiprocessor);
    fields.required("l2_cache", gpu.l2Cache);
    fields.required("memory_bus_width", gpu.memoryBusWidth);
    fields.required("clock_khz", gpu.clockKHz);
    fields.required("memory_clock_khz", gpu.memoryClockKHz);
    if (fields.failed()) return fields.error();
    gpu.source = "the driver of this machine";
    return gpu;
}

/// The catalogue's card with the memory that this driver reports, or the driver's own description with the context of
/// the catalogue's cards of the same capability.
Gpu completed(Gpu real, const std::vector<Gpu>& catalogue) {
    for (const Gpu& known : catalogue) {
        const double difference = static_cast<double>(std::llabs(known.memory.count - real.memory.count));
        if (known.name != real.name || difference > kSameMemory * static_cast<double>(real.memory.count)) continue;
        Gpu gpu = known;
        gpu.memory = real.memory;
        return gpu;
    }
    for (const Gpu& known : catalogue) {
        if (known.capability() != real.capability()) continue;
        real.architecture = known.architecture;
        real.context = known.context;
        real.supported = known.supported;
        return real;
    }
    real.context = {kMiB * 450, kMiB * 250, kMiB * 1000, Message::tr("range of public reports")};
    return real;
}

Result<InstalledGpu> readDevices(const QByteArray& text, const QByteArray& diagnostics, const std::vector<Gpu>& catalogue) {
    const json answer = json::parse(text.begin(), text.end(), nullptr, false);
    if (!answer.is_object() || !answer.contains("devices") || !answer["devices"].is_array())
        return unavailable(Message::tr("tidemark-probe could not say whether this machine has a GPU."), diagnostics);
    if (answer["devices"].empty())
        return unavailable(messageFromJson(answer.value("problem", json()), Message::tr("This machine has no NVIDIA GPU.")));
    const json& entry = answer["devices"][0];
    auto gpu = gpuFromJson(entry);
    if (!gpu) return gpu.error();
    InstalledGpu installed{completed(std::move(gpu).value(), catalogue), entry.value("driver", ""), {}};
    if (entry.contains("use"))
        if (const auto use = deviceUseFromJson(entry["use"])) installed.use = use.value();
    return installed;
}

}  // namespace

RealDevices::RealDevices(Installation installation, std::vector<Gpu> catalogue, QObject* parent)
    : QObject(parent), m_installation(std::move(installation)), m_catalogue(std::move(catalogue)) {
    connect(&m_process, &QProcess::finished, this, &RealDevices::report);
    connect(&m_process, &QProcess::errorOccurred, this, [this](QProcess::ProcessError error) {
        if (error == QProcess::FailedToStart) report();
    });
}

RealDevices::~RealDevices() {
    m_process.disconnect(this);
    if (m_process.state() == QProcess::NotRunning) return;
    m_process.kill();
    m_process.waitForFinished(kPatienceMilliseconds);
}

void RealDevices::ask() {
    m_reported = false;
    if (m_installation.probe.isEmpty()) {
        QMetaObject::invokeMethod(this, &RealDevices::report, Qt::QueuedConnection);
        return;
    }
    m_process.start(m_installation.probe, {"--devices"});
    m_process.closeWriteChannel();
}

void RealDevices::report() {
    if (m_reported) return;
    m_reported = true;
    const auto gpu = readDevices(m_process.readAllStandardOutput(), m_process.readAllStandardError(), m_catalogue);
    if (gpu)
        emit found(gpu.value());
    else
        emit missing(gpu.error());
}

Result<InstalledGpu> RealDevices::find(const Installation& installation, const std::vector<Gpu>& catalogue) {
    QProcess process;
    process.start(installation.probe, {"--devices"});
    process.closeWriteChannel();
    if (!process.waitForFinished(kPatienceMilliseconds)) {
        process.kill();
        process.waitForFinished(kPatienceMilliseconds);
    }
    return readDevices(process.readAllStandardOutput(), process.readAllStandardError(), catalogue);
}

}  // namespace tidemark
