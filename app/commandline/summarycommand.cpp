// SPDX-License-Identifier: Apache-2.0
#include "app/commandline/command.h"
#include "app/commandline/options.h"
#include "app/commandline/planner.h"
#include "app/commandline/plantext.h"
#include "app/commandline/texttable.h"
#include "app/commandline/wholenumber.h"
#include "engine/plan/rulesofthumb.h"

#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <cmath>
#include <memory>
#include <optional>
#include <ostream>

namespace tidemark {
namespace {

struct SummaryOptions {
    std::string model;
    StepOptions step;
    CardOptions card;
    int depth = 0;
    bool torchsummary = false;
    bool measure = false;
    bool json = false;
    bool csv = false;
};

/// A layer with all below it: every row of the table includes its children.
struct LayerTotal {
    std::int64_t parameters = 0;
    Bytes weights;
    Bytes buffers;
    Bytes saved;
    Bytes gradients;
    Bytes optimizerState;
    Bytes liveAtPeak;

    void add(const LayerTotal& other) {
        parameters += other.parameters;
        weights += other.weights;
        buffers += other.buffers;
        saved += other.saved;
        gradients += other.gradients;
        optimizerState += other.optimizerState;
        liveAtPeak += other.liveAtPeak;
    }
};

std::vector<LayerTotal> totalsOf(const ModelInfo& model, const Measurement& m) {
    std::vector<LayerTotal> totals(model.layers.size());
    for (std::size_t i = 0; i < totals.size(); ++i) {
        const LayerInfo& layer = model.layers[i];
        const LayerUse use = i < m.layers.size() ? m.layers[i] : LayerUse{};
        totals[i] = {layer.parameters, layer.weights,      layer.buffers, use.saved,
                     use.gradients,    use.optimizerState, use.liveAtPeak};
    }
    // Children come after their parents, so that one pass from the end sums whole subtrees.
    for (std::size_t i = totals.size(); i-- > 1;)
        if (const int parent = model.layers[i].parent; parent >= 0)
            totals[static_cast<std::size_t>(parent)].add(totals[i]);
    return totals;
}

int depthOf(const ModelInfo& model, std::size_t index) {
    int depth = 0;
    for (int at = model.layers[index].parent; at >= 0; at = model.layers[static_cast<std::size_t>(at)].parent) ++depth;
    return depth;
}

std::string outputOf(const Measurement& m, std::size_t i) {
    return i < m.layers.size() ? m.layers[i].output : std::string();
}

std::string summaryText(const PlanResult& r, int maxDepth) {
    const Measurement& m = *r.answer.measurement;
    const std::vector<LayerTotal> totals = totalsOf(r.model, m);
    TextTable table({{"Layer"},
                     {"Type"},
                     {"Output"},
                     {"Calls", Align::Right},
                     {"Parameters", Align::Right},
                     {"Weights", Align::Right},
                     {"Saved", Align::Right},
                     {"Gradients", Align::Right},
                     {"Optimizer", Align::Right},
                     {"At the peak", Align::Right},
                     {"", Align::Right}});
    const auto size = [](Bytes b) { return b == Bytes{} ? std::string("-") : formatBytes(b); };
    for (std::size_t i = 0; i < totals.size(); ++i) {
        const int depth = depthOf(r.model, i);
        if (maxDepth > 0 && depth > maxDepth) continue;
        const LayerTotal& t = totals[i];
        table.add({std::string(static_cast<std::size_t>(depth) * 2, ' ') + r.model.layers[i].name,
                   r.model.layers[i].type, outputOf(m, i),
                   i < m.layers.size() && m.layers[i].calls > 0 ? std::to_string(m.layers[i].calls) : "-",
                   t.parameters ? grouped(t.parameters) : "-", size(t.weights), size(t.saved), size(t.gradients),
                   size(t.optimizerState), size(t.liveAtPeak),
                   percentOf(static_cast<double>(t.liveAtPeak.count), static_cast<double>(m.steady.allocated.count))});
    }
    std::string text =
        fmt::format("{} with {}; every row includes the rows below it.\n\n", r.model.name, describe(r.settings)) +
        table.text();
    Bytes outside = m.steady.allocated;
    if (!totals.empty()) outside -= totals.front().liveAtPeak;
    text += fmt::format("\nParameters {} ({} trainable), weights {}, buffers {}\n", grouped(r.model.parameterCount()),
                        grouped(r.model.trainableCount()), formatBytes(r.model.weightBytes()),
                        formatBytes(r.model.bufferBytes()));
    text += fmt::format("Peak: allocated {}, reserved {}", formatMebibytes(m.steady.allocated),
                        formatMebibytes(m.steady.reserved));
    if (outside != Bytes{}) text += fmt::format("; {} of it belongs to no layer", formatBytes(outside));
    return text + "\n";
}

std::string summaryCsv(const PlanResult& r) {
    const Measurement& m = *r.answer.measurement;
    TextTable table({{"layer"},
                     {"type"},
                     {"output"},
                     {"calls"},
                     {"parameters"},
                     {"weights [B]"},
                     {"buffers [B]"},
                     {"saved [B]"},
                     {"gradients [B]"},
                     {"optimizer state [B]"},
                     {"forward temporary [B]"},
                     {"backward temporary [B]"},
                     {"live at peak [B]"}});
    for (std::size_t i = 0; i < r.model.layers.size(); ++i) {
        const LayerInfo& layer = r.model.layers[i];
        const LayerUse use = i < m.layers.size() ? m.layers[i] : LayerUse{};
        const auto text = [](std::int64_t n) { return std::to_string(n); };
        table.add({layer.path, layer.type, use.output, text(use.calls), text(layer.parameters),
                   text(layer.weights.count), text(layer.buffers.count), text(use.saved.count),
                   text(use.gradients.count), text(use.optimizerState.count), text(use.forwardTemporary.count),
                   text(use.backwardTemporary.count), text(use.liveAtPeak.count)});
    }
    return table.csv();
}

nlohmann::json summaryJson(const PlanResult& r) {
    nlohmann::json json = planJson(r);
    json["schema"] = "tidemark.summary/1";
    nlohmann::json uses = toJson(*r.answer.measurement).value("layers", nlohmann::json::array());
    nlohmann::json layers = toJson(r.model)["layers"];
    for (std::size_t i = 0; i < layers.size() && i < uses.size(); ++i) layers[i].update(uses[i]);
    json["layers"] = std::move(layers);
    return json;
}

constexpr std::string_view kLine = "----------------------------------------------------------------\n";

/// The table and the figures of torchsummary in its own layout, so that people recognise what they know.
std::string torchsummaryText(const PlanResult& r) {
    const Measurement& m = *r.answer.measurement;
    const SummaryFigures f = torchsummaryFigures(r.model, r.settings, m);
    std::string text =
        fmt::format("{}{:>20}  {:>25} {:>15}\n{:=<64}\n", kLine, "Layer (type)", "Output Shape", "Param #", "");
    for (const SummaryRow& row : torchsummaryRows(r.model, m))
        text += fmt::format("{:>20}  {:>25} {:>15}\n", row.name, row.output, grouped(row.parameters));
    text += fmt::format("{:=<64}\nTotal params: {}\nTrainable params: {}\nNon-trainable params: {}\n{}", "",
                        grouped(f.parameterCount), grouped(f.trainableCount),
                        grouped(f.parameterCount - f.trainableCount), kLine);
    text += fmt::format(
        "Input size (MB): {:.2f}\nForward/backward pass size (MB): {:.2f}\nParams size (MB): {:.2f}\n"
        "Estimated Total Size (MB): {:.2f}\n{}",
        f.input.mib(), f.pass.mib(), f.parameters.mib(), f.total().mib(), kLine);
    return text;
}

std::string percentError(double error) {
    return fmt::format("{}{:.0f} %", std::fabs(error) < 0.005 ? "" : error < 0 ? "−" : "+", std::fabs(100 * error));
}

std::string errorText(Bytes says, Bytes truth) {
    if (truth == Bytes{}) return says == Bytes{} ? "0 %" : "-";
    return percentError(RuleOfThumb{{}, {}, says, truth, {}}.error());
}

/// The figures of both summaries at the batch of the settings, beside what the step holds at its peak.
std::string figuresText(const PlanResult& r) {
    const SummaryFigures one = torchsummaryFigures(r.model, r.settings, *r.answer.measurement);
    const SummaryFigures info = torchinfoFigures(r.model, r.settings, *r.answer.measurement);
    const CategoryBytes& c = r.answer.measurement->categories;
    const std::int64_t batch = r.settings.batch;
    TextTable table({{"At this batch"},
                     {"torchsummary", Align::Right},
                     {"Error", Align::Right},
                     {"torchinfo", Align::Right},
                     {"Error", Align::Right},
                     {"Measured", Align::Right},
                     {""}});
    const auto add = [&](const char* name, Bytes summary, Bytes other, Bytes truth, const char* what) {
        table.add({name, formatMebibytes(summary), errorText(summary, truth), formatMebibytes(other),
                   errorText(other, truth), formatMebibytes(truth), what});
    };
    add("Input", one.input * batch, info.input, c[Category::Input], "input and targets");
    add("Forward/backward pass", one.pass * batch, info.pass,
        c[Category::Activations] + c[Category::Temporary] + c[Category::Workspace],
        "saved activations, temporaries, workspace");
    add("Params", one.parameters, info.parameters, c[Category::Weights] + c[Category::Buffers], "weights and buffers");
    add("Estimated total", (one.input + one.pass) * batch + one.parameters, info.total(), c.total(),
        "allocated, with gradients and optimizer state");
    return "\n" + table.text();
}

std::string formulaText(const PlanResult& r) {
    TextTable table({{"batch × (input + forward) + parameters + batch × forward"},
                     {"Says", Align::Right},
                     {"Measured", Align::Right},
                     {"Error", Align::Right},
                     {"of"}});
    for (const FormulaTerm& term : formulaTerms(r.model, r.settings, *r.answer.measurement)) {
        std::string stands;
        for (const Category category : term.stands) stands += (stands.empty() ? "" : ", ") + titleOf(category);
        table.add({term.term.english(), formatMebibytes(term.says), formatMebibytes(term.measured),
                   errorText(term.says, term.measured), stands});
    }
    return "\n" + table.text();
}

nlohmann::json figuresJson(const SummaryFigures& f) {
    return {{"input", f.input.count},
            {"pass", f.pass.count},
            {"parameters", f.parameters.count},
            {"total", f.total().count},
            {"parameter_count", f.parameterCount},
            {"trainable_count", f.trainableCount}};
}

nlohmann::json torchsummaryJson(const PlanResult& r, const Measurement* mixed) {
    const Measurement& m = *r.answer.measurement;
    nlohmann::json rows = nlohmann::json::array(), rules = nlohmann::json::array(), terms = nlohmann::json::array();
    for (const SummaryRow& row : torchsummaryRows(r.model, m))
        rows.push_back({{"name", row.name}, {"output", row.output}, {"parameters", row.parameters}});
    for (const RuleOfThumb& rule : rulesOfThumb(r.model, r.settings, m, r.fit.process, mixed))
        rules.push_back({{"name", rule.name.english()},
                         {"formula", rule.formula.english()},
                         {"says", rule.says.count},
                         {"truth", rule.truth.count},
                         {"of", rule.truthName.english()},
                         {"error", rule.error()}});
    for (const FormulaTerm& term : formulaTerms(r.model, r.settings, m))
        terms.push_back({{"term", term.term.english()}, {"says", term.says.count}, {"measured", term.measured.count}});
    return {{"schema", "tidemark.torchsummary/1"},
            {"settings", toJson(r.settings)},
            {"rows", std::move(rows)},
            {"torchsummary", figuresJson(torchsummaryFigures(r.model, r.settings, m))},
            {"torchinfo", figuresJson(torchinfoFigures(r.model, r.settings, m))},
            {"categories", categoriesJson(m.categories)},
            {"rules", std::move(rules)},
            {"terms", std::move(terms)}};
}

std::string rulesText(const PlanResult& r, const Measurement* mixed) {
    TextTable table({{"Rule of thumb"},
                     {"Says", Align::Right},
                     {"True", Align::Right},
                     {""},
                     {"Error", Align::Right},
                     {"Formula"}});
    for (const RuleOfThumb& rule : rulesOfThumb(r.model, r.settings, *r.answer.measurement, r.fit.process, mixed))
        table.add({rule.name.english(), formatMebibytes(rule.says), formatMebibytes(rule.truth), rule.truthName.english(),
                   percentError(rule.error()), rule.formula.english()});
    return fmt::format("\nWhat the rules say of {}\n{}", describe(r.settings), table.text());
}

/// The peak of one forward pass of one example, as torch.cuda.max_memory_allocated would print it.
Result<Bytes> forwardPeak(Planner* planner, const PlanResult& r) {
    MeasureRequest request = r.answer.request;
    request.detail = {};
    request.settings.batch = 1;
    request.settings.mode = StepMode::Infer;
    const auto answer = planner->session().measure(request);
    if (!answer) return answer.error();
    return answer.value().measurement->highest().allocated;
}

ExitCode printTorchsummary(Planner* planner, const PlanResult& r, bool measure, bool json,
                           const CommandContext& context) {
    MeasureRequest request = r.answer.request;
    request.detail = {};
    request.settings.precision = Precision::AmpFp16;
    const auto mixed = planner->session().measure(request);
    const Measurement* amp = mixed ? mixed.value().measurement.get() : nullptr;
    std::optional<Bytes> forward;
    if (measure) {
        const auto peak = forwardPeak(planner, r);
        if (!peak) return context.fail(peak.error());
        forward = peak.value();
    }
    if (json) {
        nlohmann::json figures = torchsummaryJson(r, amp);
        if (forward) figures["measured_forward_peak"] = forward->count;
        context.out << figures.dump(2) << '\n';
        return ExitCode::Fits;
    }
    std::string text = torchsummaryText(r);
    if (forward)
        text += fmt::format("Measured peak of one forward pass at batch 1: {}\n", formatMebibytes(*forward));
    context.out << text << figuresText(r) << rulesText(r, amp) << formulaText(r);
    return ExitCode::Fits;
}

ExitCode runSummary(const SummaryOptions& options, const CommandContext& context) {
    const auto settings = options.step.settings();
    if (!settings) return context.fail(settings.error());
    const auto card = context.card(options.card);
    if (!card) return context.fail(card.error());
    Planner planner(context.installation);
    const auto result = planner.plan(QString::fromStdString(options.model), settings.value(), card.value().gpu,
                                     card.value().reserve, {true, false}, 0);
    if (!result) return context.fail(result.error());
    if (options.torchsummary || options.measure)
        return printTorchsummary(&planner, result.value(), options.measure, options.json, context);
    if (options.json)
        context.out << summaryJson(result.value()).dump(2) << '\n';
    else if (options.csv)
        context.out << summaryCsv(result.value());
    else
        context.out << summaryText(result.value(), options.depth);
    return ExitCode::Fits;
}

}  // namespace

Action addSummaryCommand(CLI::App& app, CommandContext context) {
    const auto options = std::make_shared<SummaryOptions>();
    app.add_option("model", options->model, "TorchScript file")->required();
    options->step.addTo(app);
    options->card.addTo(app);
    app.add_option("--depth", options->depth, "Show layers up to this depth in the table; 0 shows all")
        ->check(wholeNumber<int>(0));
    const auto torchsummary = app.add_flag("--torchsummary", options->torchsummary,
                                           "As torchsummary prints it, and what rules of thumb make of it");
    const auto measure =
        app.add_flag("--measure", options->measure, "The same, with the measured peak of one forward pass");
    const auto json =
        app.add_flag("--json", options->json, "For programs: schema tidemark.summary/1, sizes of each layer alone");
    app.add_flag("--csv", options->csv, "Bytes of each layer alone, comma-separated")
        ->excludes(json)
        ->excludes(torchsummary)
        ->excludes(measure);
    return [options, context] { return runSummary(*options, context); };
}

}  // namespace tidemark
