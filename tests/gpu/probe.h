// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>

#include <chrono>
#include <optional>
#include <string>
#include <vector>

namespace tidemark::gpucheck {

using Clock = std::chrono::steady_clock;

/// One tidemark-probe, driven over pipes; for programs without Qt.
class Probe {
public:
    Probe(const std::string& program, const std::vector<std::string>& arguments);
    ~Probe();
    Probe(const Probe&) = delete;
    Probe& operator=(const Probe&) = delete;

    /// The answer; nothing when the process dies or the time is over.
    std::optional<nlohmann::json> ask(nlohmann::json request, Clock::time_point deadline);

private:
    std::optional<std::string> readLine(Clock::time_point deadline);

    int m_process = -1;
    int m_in = -1;
    int m_out = -1;
    int m_lastId = 0;
    std::string m_buffer;
};

/// What `tidemark-probe --devices` prints.
nlohmann::json listDevices(const std::string& program);

}  // namespace tidemark::gpucheck
