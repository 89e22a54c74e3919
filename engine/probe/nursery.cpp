// SPDX-License-Identifier: Apache-2.0
#include "engine/probe/nursery.h"

#include <fmt/format.h>

#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>

namespace tidemark {
namespace {

constexpr std::size_t kMostEnvironment = 1 << 16;
using Streams = std::array<int, 3>;

std::optional<sockaddr_un> addressOf(const std::string& path) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    if (path.size() >= sizeof address.sun_path) return std::nullopt;
    std::memcpy(address.sun_path, path.c_str(), path.size() + 1);
    return address;
}

/// One message with the room for three descriptors beside it.
struct StreamMessage {
    StreamMessage(char* data, std::size_t size) : part{data, size} {
        header.msg_iov = &part;
        header.msg_iovlen = 1;
        header.msg_control = control;
        header.msg_controllen = sizeof control;
    }
    iovec part;
    alignas(cmsghdr) char control[CMSG_SPACE(sizeof(Streams))]{};
    msghdr header{};
};

bool sendStreams(int socket, std::string text) {
    StreamMessage message(text.data(), text.size());
    cmsghdr* const rights = CMSG_FIRSTHDR(&message.header);
    rights->cmsg_level = SOL_SOCKET;
    rights->cmsg_type = SCM_RIGHTS;
    rights->cmsg_len = CMSG_LEN(sizeof(Streams));
    const Streams streams{STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO};
    std::memcpy(CMSG_DATA(rights), &streams, sizeof streams);
    return sendmsg(socket, &message.header, MSG_NOSIGNAL) == static_cast<ssize_t>(text.size());
}

bool receiveStreams(int socket, std::string* text, Streams* streams) {
    text->resize(kMostEnvironment);
    StreamMessage message(text->data(), text->size());
    const ssize_t size = recvmsg(socket, &message.header, MSG_CMSG_CLOEXEC);
    const cmsghdr* const rights = size > 0 ? CMSG_FIRSTHDR(&message.header) : nullptr;
    if (!rights || rights->cmsg_type != SCM_RIGHTS || rights->cmsg_len != CMSG_LEN(sizeof(Streams))) return false;
    std::memcpy(streams, CMSG_DATA(rights), sizeof *streams);
    text->resize(static_cast<std::size_t>(size));
    return true;
}

/// Makes this process the one that `text`, NAME=VALUE texts with a zero after each, and the streams describe.
void become(const std::string& text, const Streams& streams) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    signal(SIGINT, SIG_DFL);
    for (std::size_t at = 0; at < text.size(); at = text.find('\0', at) + 1) {
        const std::string variable = text.c_str() + at;
        const auto equals = variable.find('=');
        if (equals != std::string::npos) setenv(variable.substr(0, equals).c_str(), variable.c_str() + equals + 1, 1);
        if (text.find('\0', at) == std::string::npos) break;
    }
    for (int i = 0; i < 3; ++i) dup2(streams[static_cast<std::size_t>(i)], i);
    for (const int stream : streams) close(stream);
}

}  // namespace

std::optional<std::string> Nursery::listen(const std::string& socket) {
    const auto address = addressOf(socket);
    m_path = socket;
    m_listener = ::socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
    if (!address || m_listener < 0 || bind(m_listener, reinterpret_cast<const sockaddr*>(&*address), sizeof *address) != 0 ||
        ::listen(m_listener, SOMAXCONN) != 0)
        return fmt::format("No socket can be opened at {}: {}.", socket, std::strerror(errno));
    // Ctrl+C in a terminal is meant for the one whose nursery it is, whose end is told by the end of the input.
    signal(SIGINT, SIG_IGN);
    return std::nullopt;
}

/// Removes the socket, and its folder if that was made for it alone.
void Nursery::leave() const {
    unlink(m_path.c_str());
    rmdir(std::filesystem::path(m_path).parent_path().c_str());
    _exit(0);
}

/// True in the fork.
bool Nursery::accept() {
    Fork fork;
    fork.client = accept4(m_listener, nullptr, nullptr, SOCK_CLOEXEC);
    std::string environment;
    Streams streams{};
    if (fork.client < 0 || !receiveStreams(fork.client, &environment, &streams)) {
        close(fork.client);
        return false;
    }
    fork.id = ::fork();
    if (fork.id == 0) {
        close(m_listener);
        close(fork.client);
        for (const Fork& other : m_forks) {
            close(other.client);
            close(other.process);
        }
        become(environment, streams);
        return true;
    }
    for (const int stream : streams) close(stream);
    if (fork.id > 0) fork.process = static_cast<int>(syscall(SYS_pidfd_open, fork.id, 0));
    m_forks.push_back(fork);
    if (fork.process < 0) end(m_forks.back(), true);
    return false;
}

void Nursery::end(Fork& fork, bool killed) const {
    int status = 0;
    if (fork.id > 0) {
        if (killed) kill(fork.id, SIGKILL);
        waitpid(fork.id, &status, 0);
    } else {
        status = 1 << 8;
    }
    send(fork.client, &status, sizeof status, MSG_NOSIGNAL);
    close(fork.client);
    if (fork.process >= 0) close(fork.process);
    fork.id = -1;
}

void Nursery::serve() {
    for (;;) {
        std::vector<pollfd> waited{{STDIN_FILENO, POLLIN, 0}, {m_listener, POLLIN, 0}};
        for (const Fork& fork : m_forks) {
            waited.push_back({fork.process, POLLIN, 0});
            waited.push_back({fork.client, POLLIN, 0});
        }
        if (poll(waited.data(), waited.size(), -1) < 0 && errno != EINTR) _exit(1);
        char ignored = 0;
        if (waited[0].revents && read(STDIN_FILENO, &ignored, 1) <= 0) leave();
        for (std::size_t i = 0; i < m_forks.size(); ++i)
            // A client says nothing more: what can be read from it is its end.
            if (waited[2 + 2 * i].revents || waited[3 + 2 * i].revents) end(m_forks[i], waited[2 + 2 * i].revents == 0);
        std::erase_if(m_forks, [](const Fork& fork) { return fork.id < 0; });
        if (waited[1].revents && accept()) return;
    }
}

std::optional<int> runFromNursery(const std::string& socket, const std::vector<std::string>& environment) {
    const auto address = addressOf(socket);
    const int nursery = ::socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
    std::string text;
    for (const std::string& variable : environment) text.append(variable).push_back('\0');
    if (!address || nursery < 0 || connect(nursery, reinterpret_cast<const sockaddr*>(&*address), sizeof *address) != 0 ||
        !sendStreams(nursery, std::move(text)))
        return std::nullopt;
    int status = 0;
    if (recv(nursery, &status, sizeof status, 0) != sizeof status) return 1;
    if (!WIFSIGNALED(status)) return WEXITSTATUS(status);
    const rlimit noCore{0, 0};
    setrlimit(RLIMIT_CORE, &noCore);
    signal(WTERMSIG(status), SIG_DFL);
    raise(WTERMSIG(status));
    return 1;
}

}  // namespace tidemark
