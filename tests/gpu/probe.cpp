// SPDX-License-Identifier: Apache-2.0
#include "tests/gpu/probe.h"

#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

namespace tidemark::gpucheck {

using nlohmann::json;

Probe::Probe(const std::string& program, const std::vector<std::string>& arguments) {
    signal(SIGPIPE, SIG_IGN);
    int toProbe[2];
    int fromProbe[2];
    if (pipe(toProbe) != 0 || pipe(fromProbe) != 0) return;
    std::vector<char*> argv{const_cast<char*>(program.c_str())};
    for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
    argv.push_back(nullptr);
    m_process = fork();
    if (m_process == 0) {
        dup2(toProbe[0], STDIN_FILENO);
        dup2(fromProbe[1], STDOUT_FILENO);
        for (const int descriptor : {toProbe[0], toProbe[1], fromProbe[0], fromProbe[1]}) close(descriptor);
        execv(program.c_str(), argv.data());
        _exit(127);
    }
    close(toProbe[0]);
    close(fromProbe[1]);
    m_in = toProbe[1];
    m_out = fromProbe[0];
}

Probe::~Probe() {
    close(m_in);
    close(m_out);
    if (m_process <= 0) return;
    kill(m_process, SIGKILL);
    waitpid(m_process, nullptr, 0);
}

std::optional<std::string> Probe::readLine(Clock::time_point deadline) {
    for (;;) {
        if (const auto end = m_buffer.find('\n'); end != std::string::npos) {
            std::string line = m_buffer.substr(0, end);
            m_buffer.erase(0, end + 1);
            return line;
        }
        const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now()).count();
        pollfd waiting{m_out, POLLIN, 0};
        if (left <= 0 || poll(&waiting, 1, static_cast<int>(left)) <= 0) return std::nullopt;
        char part[65536];
        const ssize_t size = read(m_out, part, sizeof part);
        if (size <= 0) return std::nullopt;
        m_buffer.append(part, static_cast<std::size_t>(size));
    }
}

std::optional<json> Probe::ask(json request, Clock::time_point deadline) {
    request["id"] = ++m_lastId;
    const std::string line = request.dump() + '\n';
    if (write(m_in, line.data(), line.size()) != static_cast<ssize_t>(line.size())) return std::nullopt;
    while (const auto answer = readLine(deadline)) {
        json read = json::parse(*answer, nullptr, false);
        if (!read.is_object()) return std::nullopt;
        if (read.value("id", 0) == m_lastId) return read;
    }
    return std::nullopt;
}

json listDevices(const std::string& program) {
    std::string text;
    if (FILE* output = popen(('"' + program + "\" --devices").c_str(), "r")) {
        char part[4096];
        while (const std::size_t size = fread(part, 1, sizeof part, output)) text.append(part, size);
        pclose(output);
    }
    const json answer = json::parse(text, nullptr, false);
    return answer.is_object() ? answer : json{{"devices", json::array()}, {"problem", "tidemark-probe does not run."}};
}

}  // namespace tidemark::gpucheck
