// SPDX-License-Identifier: Apache-2.0
// Compares the plan with the card: every model of a folder at three batches, fp32 and autocast, with and without
// checkpointing, once on the null GPU described as this machine's card and once on the card. Prints a table, writes it as
// CSV, and ends with 1 where they agree less than they should, with 77 where there is no card.
#include "engine/plan/errors.h"
#include "engine/plan/probepoint.h"
#include "tests/gpu/probe.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>

using namespace tidemark;
using namespace tidemark::gpucheck;
using nlohmann::json;

namespace {

namespace fs = std::filesystem;

constexpr int kSkipped = 77;
/// What a plan promises: allocated memory to 0.3 %, reserved to 2 %, in nine cases of ten.
constexpr double kAllocatedTolerance = 0.003;
constexpr double kReservedTolerance = 0.02;
constexpr double kShareWithin = 0.9;

struct Options {
    std::string probe;
    std::string models;
    std::string table = "gpu-compare.csv";
    std::string workspace = "cudnn";
    std::string cudnn;
    std::vector<std::int64_t> batches{4, 16, 64};
    double timeLimit = 420;
    bool convolutions = false;
};

struct Case {
    std::string model;
    json settings;

    std::string text() const {
        return fmt::format("{:<32} {:>5} {:<9} {:<5} {:<5}", model, settings["batch"].get<std::int64_t>(), settings["precision"].get<std::string>(),
                           settings["mode"].get<std::string>(), settings["checkpoint"].get<std::string>());
    }
};

struct Row {
    Case what;
    std::optional<ProbePoint> planned;
    std::optional<ProbePoint> measured;
    std::string problem;

    bool comparable() const { return planned && measured && planned->complete() && measured->complete(); }
    double off(Bytes Peak::*field) const {
        const double plan = static_cast<double>((planned->measurement->highest().*field).count);
        return (static_cast<double>((measured->measurement->highest().*field).count) - plan) / plan;
    }
};

json settingsOf(std::int64_t batch, const char* precision, const char* mode, const char* checkpoint) {
    return {{"batch", batch}, {"precision", precision}, {"mode", mode}, {"checkpoint", checkpoint}};
}

std::vector<json> settingsFor(const Options& options) {
    std::vector<json> all;
    for (const std::int64_t batch : options.batches)
        for (const char* precision : {"fp32", "amp-fp16"}) {
            all.push_back(settingsOf(batch, precision, options.convolutions ? "infer" : "train", "none"));
            all.push_back(settingsOf(batch, precision, "train", options.convolutions ? "none" : "all"));
        }
    return all;
}

class Checker {
public:
    Checker(Options options, json device)
        : m_options(std::move(options)), m_device(std::move(device)),
          m_deadline(Clock::now() + std::chrono::milliseconds(static_cast<int>(m_options.timeLimit * 1000))) {}

    void run() {
        std::vector<fs::path> files;
        for (const auto& entry : fs::directory_iterator(m_options.models))
            if (entry.path().extension() == ".pt") files.push_back(entry.path());
        std::sort(files.begin(), files.end());
        fmt::print("{}\n", header());
        for (const fs::path& file : files) runModel(file);
    }

    bool agrees() const;
    void writeTable() const;

private:
    std::string header() const {
        return fmt::format("{:<32} {:>5} {:<9} {:<5} {:<5} {:>11} {:>8} {:>11} {:>8} {:>10}  MiB; measured, and how far from the plan", "model",
                           "batch", "precision", "mode", "check", "allocated", "", "reserved", "", "context");
    }
    std::vector<std::string> nullArguments() const {
        std::vector<std::string> list{"--device", m_device.dump(), "--workspace", m_options.workspace};
        if (!m_options.cudnn.empty()) list.insert(list.end(), {"--cudnn", m_options.cudnn});
        return list;
    }
    void runModel(const fs::path& file);
    std::optional<ProbePoint> measure(Probe* probe, const json& settings, std::string* problem) const;
    void print(const Row& row) const;

    Options m_options;
    json m_device;
    Clock::time_point m_deadline;
    std::vector<Row> m_rows;
};

void Checker::runModel(const fs::path& file) {
    Probe null(m_options.probe, nullArguments());
    Probe real(m_options.probe, {"--real"});
    for (Probe* probe : {&null, &real}) {
        const auto opened = probe->ask({{"op", "open"}, {"path", file.string()}}, m_deadline);
        if (opened && opened->value("ok", false)) continue;
        fmt::print("{:<32} {}\n", file.stem().string(), Clock::now() < m_deadline ? "cannot be opened" : "not run: the time is over");
        m_rows.push_back({{file.stem().string(), settingsOf(0, "fp32", "train", "none")}, {}, {}, "not run"});
        return;
    }
    for (const json& settings : settingsFor(m_options)) {
        Row row{{file.stem().string(), settings}, {}, {}, {}};
        row.planned = measure(&null, settings, &row.problem);
        if (row.planned) row.measured = measure(&real, settings, &row.problem);
        print(row);
        m_rows.push_back(std::move(row));
    }
}

std::optional<ProbePoint> Checker::measure(Probe* probe, const json& settings, std::string* problem) const {
    const auto answer = probe->ask({{"op", "measure"}, {"settings", settings}}, m_deadline);
    if (!answer) {
        *problem = Clock::now() < m_deadline ? "the probe died" : "not run: the time is over";
        return std::nullopt;
    }
    if (!answer->value("ok", false)) {
        *problem = (*answer)["error"].value("message", "failed");
        return std::nullopt;
    }
    auto point = probePointFromAnswer(*answer, settings["batch"].get<std::int64_t>());
    if (!point) *problem = point.error().message.english();
    return point ? std::optional(point.value()) : std::nullopt;
}

void Checker::print(const Row& row) const {
    if (!row.comparable()) {
        const bool full = row.measured && row.measured->outOfMemory();
        fmt::print("{} {}\n", row.what.text(), full ? "out of memory" : row.problem);
        return;
    }
    const Peak peak = row.measured->measurement->highest();
    fmt::print("{} {:>11.1f} {:>+7.2f}% {:>11.1f} {:>+7.2f}% {:>10.1f}\n", row.what.text(), peak.allocated.mib(), 100 * row.off(&Peak::allocated),
               peak.reserved.mib(), 100 * row.off(&Peak::reserved), row.measured->reading ? row.measured->reading->context().mib() : 0.0);
}

/// Counts the cases that are off and prints the sums.
bool Checker::agrees() const {
    int compared = 0;
    int within = 0;
    std::vector<double> contexts;
    for (const Row& row : m_rows) {
        if (!row.comparable()) continue;
        ++compared;
        if (std::abs(row.off(&Peak::allocated)) <= kAllocatedTolerance && std::abs(row.off(&Peak::reserved)) <= kReservedTolerance) ++within;
        if (row.measured->reading) contexts.push_back(row.measured->reading->context().mib());
    }
    fmt::print("\n{} of {} cases compared; {} within {} % of allocated and {} % of reserved memory.\n", compared, m_rows.size(), within,
               100 * kAllocatedTolerance, 100 * kReservedTolerance);
    std::sort(contexts.begin(), contexts.end());
    if (!contexts.empty())
        fmt::print("Context: {:.0f} to {:.0f} MiB, median {:.0f} MiB.\n", contexts.front(), contexts.back(), contexts[contexts.size() / 2]);
    return compared > 0 && within >= kShareWithin * compared;
}

void Checker::writeTable() const {
    std::ofstream file(m_options.table);
    file << "model,batch,precision,mode,checkpoint,planned_allocated,measured_allocated,planned_reserved,measured_reserved,process,context,"
            "out_of_memory,problem\n";
    const auto figures = [](const std::optional<ProbePoint>& point, Bytes Peak::*field) {
        return point && point->measurement ? std::to_string((point->measurement->highest().*field).count) : std::string();
    };
    for (const Row& row : m_rows) {
        const json& s = row.what.settings;
        const bool read = row.measured && row.measured->reading;
        std::string problem = row.problem;
        std::replace(problem.begin(), problem.end(), '"', '\'');
        file << fmt::format("{},{},{},{},{},{},{},{},{},{},{},{},\"{}\"\n", row.what.model, s["batch"].get<std::int64_t>(),
                            s["precision"].get<std::string>(), s["mode"].get<std::string>(), s["checkpoint"].get<std::string>(),
                            figures(row.planned, &Peak::allocated), figures(row.measured, &Peak::allocated), figures(row.planned, &Peak::reserved),
                            figures(row.measured, &Peak::reserved), read ? std::to_string(row.measured->reading->process.count) : "",
                            read ? std::to_string(row.measured->reading->context().count) : "", row.measured && row.measured->outOfMemory() ? 1 : 0,
                            problem);
    }
}

}  // namespace

int main(int argc, char** argv) {
    Options options;
    CLI::App app{"Compares plans with measurements on this machine's GPU."};
    app.add_option("--probe", options.probe, "tidemark-probe")->required();
    app.add_option("--models", options.models, "Folder with TorchScript files")->required();
    app.add_option("--table", options.table, "Where the table is written as CSV")->capture_default_str();
    app.add_option("--workspace", options.workspace, "Convolution workspaces of the plan: cudnn, estimate, none")->capture_default_str();
    app.add_option("--cudnn", options.cudnn, "libcudnn.so.9 that the plan asks");
    app.add_option("--batches", options.batches, "Batches")->delimiter(',');
    app.add_option("--time-limit", options.timeLimit, "Seconds after which the rest is left out")->capture_default_str();
    app.add_flag("--convolutions", options.convolutions, "The models are single layers: forward alone, and a training step");
    CLI11_PARSE(app, argc, argv);

    const json found = listDevices(options.probe);
    if (found["devices"].empty()) {
        fmt::print("skipped: {}\n", messageFromJson(found.value("problem", json()), "there is no GPU.").english());
        return kSkipped;
    }
    const json& device = found["devices"][0];
    fmt::print("{}, driver {}\n\n", device["device"].value("name", ""), device.value("driver", ""));
    Checker checker(options, device["device"]);
    checker.run();
    checker.writeTable();
    return checker.agrees() ? 0 : 1;
}
