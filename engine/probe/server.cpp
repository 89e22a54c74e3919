// SPDX-License-Identifier: Apache-2.0
#include "engine/probe/server.h"

#include "engine/plan/errors.h"
#include "engine/plan/measurement.h"
#include "engine/plan/modelinfo.h"
#include "engine/plan/modelsettings.h"
#include "engine/probe/checkpoint.h"
#include "engine/probe/cudacontext.h"
#include "engine/probe/exceptions.h"
#include "engine/probe/model.h"
#include "engine/probe/nullcontrol.h"
#include "engine/probe/realdevice.h"
#include "engine/probe/statistics.h"
#include "engine/probe/step.h"

#include <ATen/Context.h>
#include <torch/csrc/jit/passes/autocast.h>
#include <torch/csrc/jit/runtime/graph_executor.h>
#include <torch/csrc/jit/runtime/profiling_graph_executor_impl.h>
#include <torch/version.h>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <unistd.h>

#include <filesystem>
#include <iostream>
#include <optional>
#include <system_error>

namespace tidemark {
namespace {

using nlohmann::json;

constexpr int kProtocol = 1;

/// TorchScript as eager runs: no fusion, no graph rewriting, autocast by the dispatcher.
void runGraphsAsWritten() {
    torch::jit::getExecutorMode() = false;
    torch::jit::setGraphExecutorOptimize(false);
    torch::jit::setAutocastMode(false);
}

class Server {
public:
    explicit Server(const ProbeOptions& options) : m_options(options) {}

    json answer(const std::string& line);
    /// Keeps what the file holds for the first opening of that path.
    void readAhead(const std::string& path);

private:
    /// A model file and when it was written.
    struct ReadAhead {
        std::string path;
        std::filesystem::file_time_type written;
        ModelFile file;
    };
    Result<Model> openModel(const std::string& path);
    json hello() const;
    Result<json> open(const json& request);
    Result<json> measure(const json& request);
    void addReadings(json* reply) const;

    ProbeOptions m_options;
    std::optional<Model> m_model;
    std::optional<ReadAhead> m_ahead;
};

void Server::readAhead(const std::string& path) {
    std::error_code problem;
    const auto written = std::filesystem::last_write_time(path, problem);
    if (auto file = readModelFile(path); file && !problem) m_ahead = ReadAhead{path, written, std::move(file).value()};
}

Result<Model> Server::openModel(const std::string& path) {
    std::error_code problem;
    const std::optional<ReadAhead> ahead = std::exchange(m_ahead, std::nullopt);
    if (ahead && ahead->path == path && ahead->written == std::filesystem::last_write_time(path, problem) && !problem)
        return Model::open(path, ahead->file);
    return Model::open(path);
}

/// The null cuDNN says why it does not answer as the JSON of a message, so that it can be said in any language.
json problemJson(const std::string& problem) {
    return problem.empty() ? json("") : toJson(messageFromJson(json::parse(problem, nullptr, false), problem));
}

json Server::hello() const {
    const NullControl control;
    const cudaDeviceProp* device = at::cuda::getDeviceProperties(0);
    json reply{{"protocol", kProtocol},
               {"torch_version", TORCH_VERSION},
               {"cudnn_version", at::globalContext().versionCuDNN()},
               {"workspace", control.workspaceSource()},
               {"workspace_problem", problemJson(control.workspaceProblem())},
               {"device",
                {{"name", device->name},
                 {"capability", fmt::format("{}.{}", device->major, device->minor)},
                 {"memory", device->totalGlobalMem},
                 {"real", m_options.realDevice != nullptr}}}};
    if (!m_options.realDevice) return reply;
    makeContext();
    if (const auto use = m_options.realDevice->use()) reply["use"] = toJson(*use);
    return reply;
}

Result<json> Server::open(const json& request) {
    if (!request.contains("path") || !request["path"].is_string())
        return Error{ErrorCode::SettingInvalid, Message::tr("open needs a path."), {}};
    m_model.reset();
    const Bytes remaining = allocatedWithoutModel();
    auto model = openModel(request["path"].get<std::string>());
    if (!model) return model.error();
    m_model.emplace(std::move(model).value());
    return json{{"model", toJson(m_model->info())}, {"remaining", remaining.count}};
}

Result<json> Server::measure(const json& request) {
    if (!m_model) return Error{ErrorCode::SettingInvalid, Message::tr("Open a model before measuring."), {}};
    auto settings = settingsFromJson(request.value("settings", json::object()));
    if (!settings) return settings.error();
    auto valid = validated(std::move(settings).value());
    if (!valid) return valid.error();
    if (auto problem = problemWith(m_model->info(), valid.value())) return *problem;
    Detail detail;
    for (const json& item : request.value("detail", json::array())) {
        detail.layers |= item == "layers";
        detail.timeline |= item == "timeline";
        detail.peaksOnly |= item == "peaks";
    }
    const Bytes limit{request.value("memory_limit", std::int64_t{0})};
    if (m_options.realDevice) limitAllocator(limit, m_options.realDevice->gpu().memory);
    auto measurement = measureStep(*m_model, valid.value(), detail, m_options.realDevice ? Bytes{} : limit);
    if (!measurement) return measurement.error();
    json reply{{"measurement", toJson(measurement.value())}};
    if (m_options.realDevice) addReadings(&reply);
    return reply;
}

/// The segments of the step are still cached, so what the process takes beyond them is the context.
void Server::addReadings(json* reply) const {
    const auto reading = m_options.realDevice->process(reservedNow());
    (*reply)["process"] = reading ? toJson(*reading) : json();
    json& statistics = (*reply)["statistics"] = json::array();
    for (const MemoryStatistic& statistic : allocatorStatistics()) statistics.push_back(toJson(statistic));
}

json Server::answer(const std::string& line) {
    const json request = json::parse(line, nullptr, false);
    if (!request.is_object()) return {{"id", nullptr}, {"ok", false}, {"error", toJson(Error{ErrorCode::SettingInvalid, Message::tr("A request is one JSON object on a line."), line})}};
    json reply{{"id", request.contains("id") ? request["id"] : json()}};
    Result<json> result = Error{ErrorCode::SettingInvalid, Message::tr("Unknown op; there are hello, open and measure."), {}};
    try {
        const std::string op = request.value("op", "");
        if (op == "hello") result = hello();
        if (op == "open") result = open(request);
        if (op == "measure") result = measure(request);
    } catch (const std::exception& e) {
        result = Error{ErrorCode::Internal, Message::tr("The probe failed in a way it did not expect."), wordsOf(e)};
    }
    reply["ok"] = result.ok();
    if (result) reply.update(result.value());
    else reply["error"] = toJson(result.error());
    return reply;
}

void writeLine(const ProbeOptions& options, const std::string& text) {
    std::unique_lock<std::mutex> lock;
    if (options.outputLock) lock = std::unique_lock(*options.outputLock);
    const int descriptor = options.outputDescriptor;
    const std::string line = text + '\n';
    for (std::size_t done = 0; done < line.size();) {
        const ssize_t written = write(descriptor, line.data() + done, line.size() - done);
        if (written <= 0) return;
        done += static_cast<std::size_t>(written);
    }
}

}  // namespace
}  // namespace tidemark

int tidemarkServe(const tidemark::ProbeOptions* options) {
    using namespace tidemark;
    installCheckpointEngine();
    runGraphsAsWritten();
    Server server(*options);
    if (!options->modelToRead.empty()) server.readAhead(options->modelToRead);
    if (options->beforeDevice) options->beforeDevice();
    at::globalContext().lazyInitDevice(at::kCUDA);
    for (std::string line; std::getline(std::cin, line);) {
        if (line.empty()) continue;
        writeLine(*options, server.answer(line).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
    }
    return 0;
}
