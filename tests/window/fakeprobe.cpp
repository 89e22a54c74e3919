// SPDX-License-Identifier: Apache-2.0
// Answers the probe's protocol with the synthetic model, whatever file is opened. Files whose name begins with "bad"
// are refused, "slow" ones take their time, "crash" ones end the process, "large" ones have four times the blocks,
// "bent" ones take as much from a batch of 65 on as others do for four times the batch.
#include "engine/plan/errors.h"
#include "tests/window/synthetic.h"

#include <nlohmann/json.hpp>

#include <chrono>
#include <cstdlib>
#include <iostream>
#include <string>
#include <string_view>
#include <thread>

using namespace tidemark;

namespace {

nlohmann::json refused(const std::string& path) {
    return {{"ok", false},
            {"error",
             {{"code", "not_torch_script"},
              {"message", path + " is no TorchScript file; save it with torch.jit.script."},
              {"detail", "PytorchStreamReader failed reading zip archive"}}}};
}

std::string fileName(const std::string& path) { return path.substr(path.rfind('/') + 1); }

class FakeProbe {
public:
    nlohmann::json answer(const nlohmann::json& request) {
        const std::string op = request.value("op", "");
        if (op == "hello")
            return {{"ok", true},
                    {"protocol", 1},
                    {"torch_version", "2.15.0"},
                    {"cudnn_version", ""},
                    {"workspace", "estimate"},
                    {"workspace_problem",
                     toJson(Message::tr("this cuDNN does not support compute capability {}.{}", 7, 0))},
                    {"device", {{"name", "synthetic"}, {"capability", "8.0"}, {"memory", 1}, {"real", false}}}};
        if (op == "open") return open(request.value("path", ""));
        if (op == "measure") return measure(request);
        return {{"ok", false}, {"error", {{"code", "internal"}, {"message", "unknown request"}, {"detail", ""}}}};
    }

private:
    nlohmann::json open(const std::string& path) {
        if (fileName(path).rfind("bad", 0) == 0) return refused(path);
        m_path = path;
        m_model = syntheticModel(fileName(path).rfind("large", 0) == 0 ? 4 : 1);
        m_model.file = path;
        return {{"ok", true}, {"model", toJson(m_model)}};
    }

    nlohmann::json measure(const nlohmann::json& request) {
        if (fileName(m_path).rfind("crash", 0) == 0) std::_Exit(3);
        if (fileName(m_path).rfind("slow", 0) == 0) std::this_thread::sleep_for(std::chrono::milliseconds(400));
        auto settings = settingsFromJson(request.value("settings", nlohmann::json::object()));
        if (!settings)
            return {{"ok", false},
                    {"error", {{"code", "setting_invalid"}, {"message", settings.error().message.english()}, {"detail", ""}}}};
        if (fileName(m_path).rfind("bent", 0) == 0 && settings->batch > 64) settings->batch *= 4;
        const auto detail = request.value("detail", std::vector<std::string>());
        const auto wants = [&](const char* name) {
            return std::find(detail.begin(), detail.end(), name) != detail.end();
        };
        const Bytes limit{request.value("memory_limit", std::int64_t{0})};
        return {{"ok", true},
                {"measurement",
                 toJson(syntheticMeasurement(m_model, settings.value(), limit, wants("layers"), wants("timeline")))}};
    }

    std::string m_path;
    ModelInfo m_model;
};

}  // namespace

int main(int argc, char** argv) {
    if (argc > 1 && std::string_view(argv[1]) == "--nursery") return 2;
    if (std::getenv("FAKE_PROBE_CANNOT_START")) {
        const Error error{ErrorCode::WorkerUnavailable, Message::tr("LibTorch cannot be loaded: {}.", "no file"), {}};
        std::cout << nlohmann::json{{"id", 0}, {"ok", false}, {"error", toJson(error)}}.dump() << std::endl;
        return 1;
    }
    FakeProbe probe;
    std::string line;
    while (std::getline(std::cin, line)) {
        const auto request = nlohmann::json::parse(line, nullptr, false);
        nlohmann::json answer = probe.answer(request);
        answer["id"] = request.value("id", 0);
        std::cout << answer.dump() << std::endl;
    }
    return 0;
}
