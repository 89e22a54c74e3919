// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/session/installation.h"

#include <iosfwd>
#include <string>
#include <vector>

namespace tidemark {

enum class ExitCode { Fits = 0, Failed = 1, Usage = 2, DoesNotFit = 3 };

/// True when the arguments (without the program's name) ask for a command rather than for the window.
bool asksForCommand(const std::vector<std::string>& arguments);

/// True for commands that draw and so need a QGuiApplication, offscreen where there is no display.
bool draws(const std::vector<std::string>& arguments);

/// Runs one command: plan, summary, compare, report, gpus, probe, advise. Results go to `out`, everything else to
/// `err`. Needs a QCoreApplication, but no display.
int runCommandLine(const std::vector<std::string>& arguments, const Installation& installation, std::ostream& out,
                   std::ostream& err);

}  // namespace tidemark
