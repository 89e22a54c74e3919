// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <sys/types.h>
#include <vector>

namespace tidemark {

/// A process that has loaded LibTorch once and becomes a probe for one card after another by forking, in milliseconds
/// instead of half a second. Who wants a probe sends its standard streams and the environment that describes the card
/// through a socket, and learns how the probe ended. Both ends are tidemark-probe: `--nursery` and `--from`.
class Nursery {
public:
    /// Listens at `socket`, so that from now on probes can be asked for; a problem is one sentence.
    std::optional<std::string> listen(const std::string& socket);

    /// Serves until standard input ends, and ends the process then. Returns in each fork, whose standard streams and
    /// environment are those of the one who asked. Call it with no thread but this one.
    void serve();

private:
    struct Fork {
        int client = -1;
        int process = -1;  ///< a pidfd
        pid_t id = 0;
    };
    bool accept();
    void end(Fork& fork, bool killed) const;
    [[noreturn]] void leave() const;

    std::string m_path;
    int m_listener = -1;
    std::vector<Fork> m_forks;
};

/// Becomes the front of a probe out of the nursery at `socket`: waits for its end and returns its exit status, or ends by
/// the signal that ended it. Empty when there is no nursery.
std::optional<int> runFromNursery(const std::string& socket, const std::vector<std::string>& environment);

}  // namespace tidemark
