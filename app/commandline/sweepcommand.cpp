// SPDX-License-Identifier: Apache-2.0
#include "app/commandline/command.h"
#include "app/commandline/options.h"
#include "app/commandline/planner.h"
#include "app/commandline/plantext.h"
#include "app/commandline/texttable.h"
#include "engine/plan/axissweep.h"

#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <memory>
#include <ostream>

namespace tidemark {
namespace {

constexpr int kDefaultSizes = 8;

struct SweepOptions {
    std::string model;
    StepOptions step;
    CardOptions card;
    std::string x;
    std::string y;
    std::vector<std::string> inputSets;
    bool json = false;
};

/// "float32[B,3,224,224]; int64[B,8]": one description for each argument.
Result<std::vector<InputSpec>> parseInputSet(const std::string& text) {
    std::vector<InputSpec> inputs;
    for (std::size_t begin = 0; begin <= text.size();) {
        const std::size_t end = std::min(text.find(';', begin), text.size());
        auto input = parseInputSpec(text.substr(begin, end - begin));
        if (!input) return input.error();
        inputs.push_back(std::move(input).value());
        begin = end + 1;
    }
    return inputs;
}

/// The steps of one sweep, measured together.
class Sweep {
public:
    Sweep(const SweepOptions& options, Settings settings, ChosenCard card, CommandContext context)
        : m_options(options),
          m_settings(std::move(settings)),
          m_card(std::move(card)),
          m_context(context),
          m_planner(context.installation) {}

    ExitCode run() {
        auto model = m_planner.session().open(QString::fromStdString(m_options.model), m_card.gpu, m_settings);
        if (!model) return m_context.fail(model.error());
        m_model = std::move(model).value();
        return m_options.inputSets.empty() ? runAxes() : runSets();
    }

private:
    struct Point {
        std::optional<Fit> fit;
        Peak peak;
        std::string problem;
    };

    std::vector<Point> measure(const std::vector<Settings>& steps) {
        std::vector<MeasureRequest> requests;
        for (const Settings& settings : steps) {
            MeasureRequest request;
            request.model = QString::fromStdString(m_options.model);
            request.gpu = m_card.gpu;
            request.settings = settings;
            requests.push_back(std::move(request));
        }
        std::vector<Point> points;
        for (const auto& answer : m_planner.session().measureAll(requests)) {
            Point point;
            if (answer && answer.value().measurement->outOfMemory) {
                point.problem = "more than any card has";
            } else if (answer) {
                point.fit = m_planner.judged(answer.value(), m_card.gpu, m_card.reserve);
                point.peak = answer.value().measurement->steady;
            } else {
                point.problem = answer.error().message.english();
            }
            points.push_back(std::move(point));
        }
        return points;
    }

    static nlohmann::json jsonOf(const Point& point) {
        if (!point.fit) return {{"error", point.problem}};
        return {{"allocated", point.peak.allocated.count},
                {"reserved", point.peak.reserved.count},
                {"process", point.fit->process.value.count},
                {"fits", point.fit->fits()}};
    }

    static std::string cellOf(const Point& point) {
        if (!point.fit) return "fails";
        return formatMebibytes(point.fit->process.value) + (point.fit->fits() ? "" : " !");
    }

    Result<AxisRange> rangeOf(const std::string& text) const {
        if (!text.empty()) return parseAxisRange(text);
        return rangeAround("B", m_settings.batch, kDefaultSizes);
    }

    ExitCode runAxes() {
        const auto x = rangeOf(m_options.x);
        if (!x) return m_context.fail(x.error());
        AxisRange y{"", {0}};
        if (!m_options.y.empty()) {
            const auto given = parseAxisRange(m_options.y);
            if (!given) return m_context.fail(given.error());
            y = given.value();
            if (y.axis == x.value().axis)
                return m_context.fail(
                    {ErrorCode::SettingInvalid, fmt::format("--x and --y both vary {}; give two axes.", y.axis), {}});
        }
        for (const std::string& axis : {x.value().axis, y.axis})
            if (const auto problem = problemWithAxis(m_model, m_settings, axis); problem && !axis.empty())
                return m_context.fail(*problem);
        std::vector<Settings> steps;
        for (const std::int64_t row : y.sizes)
            for (const std::int64_t column : x.value().sizes) {
                const Settings one = withAxis(m_settings, x.value().axis, column);
                steps.push_back(y.axis.empty() ? one : withAxis(one, y.axis, row));
            }
        return print(x.value(), y, measure(steps));
    }

    ExitCode print(const AxisRange& x, const AxisRange& y, const std::vector<Point>& points) {
        const std::size_t width = x.sizes.size();
        if (m_options.json) {
            nlohmann::json list = nlohmann::json::array();
            for (std::size_t i = 0; i < points.size(); ++i) {
                list.push_back(jsonOf(points[i]));
                list.back()[x.axis] = x.sizes[i % width];
                if (!y.axis.empty()) list.back()[y.axis] = y.sizes[i / width];
            }
            m_context.out << nlohmann::json{{"schema", "tidemark.sweep/1"},
                                            {"gpu", gpuJson(m_card.gpu)},
                                            {"settings", toJson(m_settings)},
                                            {"points", std::move(list)}}
                                 .dump(2)
                          << '\n';
        } else if (y.axis.empty()) {
            TextTable table({{x.axis, Align::Right},
                             {"Allocated", Align::Right},
                             {"Reserved", Align::Right},
                             {"Process", Align::Right},
                             {"Fits"}});
            for (std::size_t i = 0; i < width; ++i) {
                const Point& p = points[i];
                if (!p.fit)
                    table.add({grouped(x.sizes[i]), "", "", "", p.problem});
                else
                    table.add({grouped(x.sizes[i]), formatMebibytes(p.peak.allocated), formatMebibytes(p.peak.reserved),
                               formatMebibytes(p.fit->process.value), p.fit->fits() ? "yes" : "no"});
            }
            m_context.out << describe(m_settings) << "\n\n" << table.text();
        } else {
            std::vector<TextTable::Column> columns{{fmt::format("{} \\ {}", y.axis, x.axis), Align::Right}};
            for (const std::int64_t size : x.sizes) columns.push_back({grouped(size), Align::Right});
            TextTable table(std::move(columns));
            for (std::size_t row = 0; row < y.sizes.size(); ++row) {
                std::vector<std::string> cells{grouped(y.sizes[row])};
                for (std::size_t column = 0; column < width; ++column)
                    cells.push_back(cellOf(points[row * width + column]));
                table.add(std::move(cells));
            }
            m_context.out << fmt::format("Process memory, {}; ! does not fit {}\n\n", describe(m_settings),
                                         withArticle(m_card.gpu))
                          << table.text();
        }
        return exitOf(points);
    }

    /// Fits when anything of it does.
    static ExitCode exitOf(const std::vector<Point>& points) {
        const bool any =
            std::any_of(points.begin(), points.end(), [](const Point& p) { return p.fit && p.fit->fits(); });
        return any ? ExitCode::Fits : ExitCode::DoesNotFit;
    }

    ExitCode runSets() {
        std::vector<Settings> steps;
        for (const std::string& text : m_options.inputSets) {
            const auto inputs = parseInputSet(text);
            if (!inputs) return m_context.fail(inputs.error());
            steps.push_back(m_settings);
            steps.back().inputs = inputs.value();
        }
        const std::vector<Point> points = measure(steps);
        TextTable table(
            {{"Inputs"}, {"Allocated", Align::Right}, {"Reserved", Align::Right}, {"Process", Align::Right}, {"Fits"}});
        nlohmann::json list = nlohmann::json::array();
        const Point* highest = nullptr;
        bool all = true;
        for (std::size_t i = 0; i < points.size(); ++i) {
            const Point& p = points[i];
            list.push_back(jsonOf(p));
            list.back()["inputs"] = m_options.inputSets[i];
            all &= p.fit && p.fit->fits();
            if (!p.fit) {
                table.add({m_options.inputSets[i], "", "", "", p.problem});
                continue;
            }
            if (!highest || p.fit->process.value > highest->fit->process.value) highest = &p;
            table.add({m_options.inputSets[i], formatMebibytes(p.peak.allocated), formatMebibytes(p.peak.reserved),
                       formatMebibytes(p.fit->process.value), p.fit->fits() ? "yes" : "no"});
        }
        if (highest)
            table.add({"highest", formatMebibytes(highest->peak.allocated), formatMebibytes(highest->peak.reserved),
                       formatMebibytes(highest->fit->process.value), all ? "yes" : "no"});
        if (m_options.json)
            m_context.out << nlohmann::json{{"schema", "tidemark.inputs/1"},
                                            {"gpu", gpuJson(m_card.gpu)},
                                            {"settings", toJson(m_settings)},
                                            {"sets", std::move(list)}}
                                 .dump(2)
                          << '\n';
        else
            m_context.out << describe(m_settings) << "\n\n" << table.text();
        return all ? ExitCode::Fits : ExitCode::DoesNotFit;
    }

    const SweepOptions& m_options;
    Settings m_settings;
    ChosenCard m_card;
    CommandContext m_context;
    Planner m_planner;
    ModelInfo m_model;
};

ExitCode runSweep(const SweepOptions& options, const CommandContext& context) {
    const auto settings = options.step.settings();
    if (!settings) return context.fail(settings.error());
    const auto card = context.card(options.card);
    if (!card) return context.fail(card.error());
    return Sweep(options, settings.value(), card.value(), context).run();
}

}  // namespace

Action addSweepCommand(CLI::App& app, CommandContext context) {
    const auto options = std::make_shared<SweepOptions>();
    app.add_option("model", options->model, "TorchScript file")->required();
    const auto x =
        app.add_option("--x", options->x,
                       "The axis that varies, with its sizes: S=128..1024, B=8..64:8 or S=128,256. Default: the batch");
    const auto y = app.add_option("--y", options->y, "A second axis that varies: a table of both");
    app.add_option("--inputs", options->inputSets,
                   "A set of inputs, one description for each argument with ; between them. Repeat "
                   "for a table of sets and the highest")
        ->allow_extra_args(false)
        ->excludes(x)
        ->excludes(y);
    options->step.addTo(app);
    options->card.addTo(app);
    app.add_flag("--json", options->json, "For programs: schema tidemark.sweep/1 or tidemark.inputs/1");
    return [options, context] { return runSweep(*options, context); };
}

}  // namespace tidemark
