// SPDX-License-Identifier: Apache-2.0
#include "app/commandline/commandline.h"

#include "app/commandline/command.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <array>
#include <ostream>
#include <string>

namespace tidemark {
namespace {

struct CommandEntry {
    const char* name;
    const char* description;
    AddCommand add;
    bool judges = true;  ///< whether its exit code says what fits
};

constexpr auto kCommands = std::to_array<CommandEntry>({
    {"plan", "What one training step of a model takes, and whether it fits a card", addPlanCommand},
    {"summary", "The table of layers", addSummaryCommand, false},
    {"sweep", "A step over the sizes of one axis or two, or over several sets of inputs", addSweepCommand},
    {"snapshot", "PyTorch memory snapshots: write one of the planned step, or read one", addSnapshotCommand, false},
    {"compare", "Two models, or one model under two settings, side by side", addCompareCommand, false},
    {"gpus", "The catalogue of cards", addGpusCommand, false},
    {"advise", "Settings that make a step fit, each measured", addAdviseCommand},
    {"probe", "The same step on the GPU of this machine", addProbeCommand},
#ifdef TIDEMARK_HAS_WINDOW
    {"report", "A report as PDF or HTML", addReportCommand},
#endif
});

/// "tidemark: --batch: "many" is no whole number. See tidemark plan --help."
void explain(const CLI::ParseError& error, const CLI::App& app, std::ostream& err) {
    std::string sentence = error.what();
    std::replace(sentence.begin(), sentence.end(), '\n', ' ');
    if (const auto mark = sentence.find(": At Most 1 required"); mark != std::string::npos)
        sentence = sentence.substr(0, mark) + " is given more than once";
    if (!sentence.ends_with('.')) sentence += '.';
    std::string command = app.get_name();
    const CLI::App* inner = &app;
    while (!inner->get_subcommands().empty()) {
        inner = inner->get_subcommands().front();
        command += ' ' + inner->get_name();
    }
    err << "tidemark: " << sentence << " See " << command << " --help.\n";
}

}  // namespace

bool asksForCommand(const std::vector<std::string>& arguments) {
    if (arguments.empty()) return false;
    const std::string& first = arguments.front();
    return first == "--help" || first == "-h" || first == "--version" ||
           std::any_of(kCommands.begin(), kCommands.end(), [&](const CommandEntry& c) { return first == c.name; });
}

bool draws(const std::vector<std::string>& arguments) { return !arguments.empty() && arguments.front() == "report"; }

int runCommandLine(const std::vector<std::string>& arguments, const Installation& installation, std::ostream& out,
                   std::ostream& err) {
    CLI::App app("Tidemark plans the GPU memory of PyTorch training. Without a command it opens the window:\n"
                 "tidemark [MODEL.pt | PLAN.json]\n"
                 "The first question: tidemark plan MODEL.pt --batch 32 --gpu \"rtx 4090\"\n"
                 "MODEL.pt is what torch.jit.script(model).save(\"MODEL.pt\") or Tidemark's exporter writes.",
                 "tidemark");
    app.set_version_flag("--version", std::string("tidemark ") + TIDEMARK_VERSION);
    app.require_subcommand(1);
    app.footer("Exit codes: 0 fits, 3 does not fit, 1 failed, 2 wrong usage.");
    const CommandContext context{installation, out, err};
    std::array<Action, kCommands.size()> actions;
    std::array<CLI::App*, kCommands.size()> commands{};
    for (std::size_t i = 0; i < kCommands.size(); ++i) {
        commands[i] = app.add_subcommand(kCommands[i].name, kCommands[i].description);
        if (!kCommands[i].judges) commands[i]->footer("Exit codes: 0 done, 1 failed, 2 wrong usage.");
        actions[i] = kCommands[i].add(*commands[i], context);
    }
    try {
        app.parse(std::vector<std::string>(arguments.rbegin(), arguments.rend()));
    } catch (const CLI::ParseError& error) {
        if (error.get_exit_code() == 0) return app.exit(error, out, err);
        explain(error, app, err);
        return static_cast<int>(ExitCode::Usage);
    }
    for (std::size_t i = 0; i < kCommands.size(); ++i)
        if (commands[i]->parsed()) return static_cast<int>(actions[i]());
    return static_cast<int>(ExitCode::Usage);
}

}  // namespace tidemark
