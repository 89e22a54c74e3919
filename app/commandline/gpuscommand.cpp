// SPDX-License-Identifier: Apache-2.0
#include "app/commandline/command.h"
#include "app/commandline/plantext.h"
#include "app/commandline/texttable.h"
#include "app/commandline/wholenumber.h"
#include "engine/session/owncards.h"

#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cctype>
#include <memory>
#include <optional>
#include <ostream>

namespace tidemark {
namespace {

struct GpusOptions {
    std::string filter;
    std::optional<std::string> add;
    std::string like;
    std::string memory;
    int multiprocessors = 0;
    std::optional<std::string> remove;
    bool json = false;
};

std::string lower(std::string text) {
    for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return text;
}

bool matches(const Gpu& gpu, const std::string& filter) {
    const std::string all = lower(gpu.id + ' ' + gpu.name + ' ' + gpu.label + ' ' + gpu.architecture);
    return all.find(lower(filter)) != std::string::npos;
}

nlohmann::json cardJson(const Gpu& gpu) {
    nlohmann::json json = gpuJson(gpu);
    json["context"] = {{"expected", gpu.context.expected.count},
                       {"low", gpu.context.low.count},
                       {"high", gpu.context.high.count},
                       {"source", gpu.context.source.english()}};
    json["source"] = gpu.source;
    return json;
}

/// Writes the card into the user's own file.
std::optional<Error> addCard(const GpusOptions& options, const Catalogue& catalogue) {
    // The name in settings and files is made of these.
    const auto plain = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0; };
    if (std::none_of(options.add->begin(), options.add->end(), plain))
        return Error{ErrorCode::SettingInvalid,
                     fmt::format("\"{}\" is no name for a card; use Latin letters or digits, \"My 4090\" say.", *options.add),
                     {}};
    const auto like = catalogue.find(options.like);
    if (!like) return like.error();
    Bytes memory = like.value().memory;
    if (!options.memory.empty() && !parseBytes(options.memory, &memory))
        return Error{ErrorCode::SettingInvalid,
                     fmt::format("\"{}\" is no size; write --memory 48GiB, say.", options.memory),
                     {}};
    return OwnCards().add(*options.add, like.value(), memory, options.multiprocessors);
}

ExitCode runGpus(const GpusOptions& options, const CommandContext& context) {
    if (options.remove)
        if (const auto error = OwnCards().remove(*options.remove)) return context.fail(*error);
    auto catalogue = context.catalogue();
    if (!catalogue) return context.fail(catalogue.error());
    if (options.add) {
        if (const auto error = addCard(options, catalogue.value())) return context.fail(*error);
        catalogue = context.catalogue();
        if (!catalogue) return context.fail(catalogue.error());
    }
    TextTable table({{"Name"},
                     {"Card"},
                     {"Memory", Align::Right},
                     {"Capability", Align::Right},
                     {"SMs", Align::Right},
                     {"Context", Align::Right},
                     {""}});
    nlohmann::json list = nlohmann::json::array();
    for (const Gpu& gpu : catalogue.value().all()) {
        if (!matches(gpu, options.filter)) continue;
        table.add({gpu.id, gpu.label, formatMebibytes(gpu.memory), gpu.capability(),
                   std::to_string(gpu.multiprocessors), formatMebibytes(gpu.context.expected),
                   gpu.supported ? "" : "not supported by LibTorch"});
        list.push_back(cardJson(gpu));
    }
    if (list.empty()) {
        const auto near = catalogue.value().find(options.filter);
        if (!near) return context.fail(near.error());
        table.add({near.value().id, near.value().label, formatMebibytes(near.value().memory), "", "", "", ""});
        list.push_back(cardJson(near.value()));
    }
    if (options.json)
        context.out << nlohmann::json{{"schema", "tidemark.gpus/1"}, {"gpus", list}}.dump(2) << '\n';
    else
        context.out << table.text();
    return ExitCode::Fits;
}

}  // namespace

Action addGpusCommand(CLI::App& app, CommandContext context) {
    const auto options = std::make_shared<GpusOptions>();
    app.add_option("filter", options->filter, "Only cards with this in their name");
    auto* add = app.add_option("--add", options->add, "Add a card of your own under this name, or change it");
    auto* like = app.add_option("--like", options->like, "The card of the catalogue that it resembles")->needs(add);
    add->needs(like);
    app.add_option("--memory", options->memory, "Its memory as PyTorch reports it, 47.5GiB say")->needs(add);
    app.add_option("--multiprocessors", options->multiprocessors, "Its streaming multiprocessors")
        ->needs(add)
        ->check(wholeNumber<int>(1));
    app.add_option("--remove", options->remove, "Remove a card of your own")->excludes(add);
    app.add_flag("--json", options->json, "For programs, with the sources of all figures");
    return [options, context] { return runGpus(*options, context); };
}

}  // namespace tidemark
