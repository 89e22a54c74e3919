// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/commandline/commandline.h"
#include "app/commandline/options.h"
#include "engine/base/result.h"
#include "engine/gpus/catalogue.h"
#include "engine/session/installation.h"

#include <functional>
#include <iosfwd>

namespace CLI {
class App;
}

namespace tidemark {

/// What every command works with.
struct CommandContext {
    const Installation& installation;
    std::ostream& out;
    std::ostream& err;

    /// Writes "tidemark: …" and gives the exit code that belongs to the error.
    ExitCode fail(const Error& error) const;
    Result<Catalogue> catalogue() const;
    /// The card that the options name and what is kept free of it.
    Result<ChosenCard> card(const CardOptions& options) const;
};

/// A command adds its options to the parser and returns what to do once they are read.
using Action = std::function<ExitCode()>;
using AddCommand = Action (*)(CLI::App& app, CommandContext context);

Action addPlanCommand(CLI::App& app, CommandContext context);
Action addSnapshotCommand(CLI::App& app, CommandContext context);
Action addSweepCommand(CLI::App& app, CommandContext context);
Action addSummaryCommand(CLI::App& app, CommandContext context);
Action addCompareCommand(CLI::App& app, CommandContext context);
Action addGpusCommand(CLI::App& app, CommandContext context);
Action addProbeCommand(CLI::App& app, CommandContext context);
Action addAdviseCommand(CLI::App& app, CommandContext context);
Action addReportCommand(CLI::App& app, CommandContext context);

}  // namespace tidemark
