// SPDX-License-Identifier: Apache-2.0
#include "app/commandline/command.h"
#include "app/commandline/options.h"
#include "app/commandline/planner.h"
#include "app/commandline/plantext.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <memory>
#include <ostream>

namespace tidemark {
namespace {

struct ProbeOptions {
    std::string model;
    StepOptions step;
    bool calibrate = false;
    bool json = false;
};

/// A worker that does not start on the real device means that there is none to use.
Error explained(const Error& error) {
    if (error.code != ErrorCode::WorkerUnavailable) return error;
    return {error.code,
            "The GPU of this machine cannot be used: LibTorch needs an NVIDIA driver and the CUDA libraries of its whole "
            "wheel. The plan needs neither: tidemark plan.",
            error.detail};
}

ExitCode runProbe(const ProbeOptions& options, const CommandContext& context) {
    if (options.calibrate)
        return context.fail({ErrorCode::SettingInvalid, "Calibration on a real GPU comes with a later version.", {}});
    const auto settings = options.step.settings();
    if (!settings) return context.fail(settings.error());
    MeasureRequest request;
    request.model = QString::fromStdString(options.model);
    request.settings = settings.value();
    request.real = true;
    BlockingSession session(context.installation);
    const auto answer = session.measure(request);
    if (!answer) return context.fail(explained(answer.error()));
    const Measurement& m = *answer.value().measurement;
    if (options.json) {
        nlohmann::json json = toJson(m);
        json["schema"] = "tidemark.probe/1";
        json["device"] = answer.value().worker.device;
        json["settings"] = toJson(settings.value());
        context.out << json.dump(2) << '\n';
    } else {
        context.out << fmt::format("{} on {}\n  Allocated  {}\n  Reserved   {}\n", describe(settings.value()), answer.value().worker.device,
                                   formatMebibytes(m.steady.allocated), formatMebibytes(m.steady.reserved));
    }
    if (!m.outOfMemory) return ExitCode::Fits;
    context.err << "tidemark: " << m.outOfMemory->message << '\n';
    return ExitCode::DoesNotFit;
}

}  // namespace

Action addProbeCommand(CLI::App& app, CommandContext context) {
    const auto options = std::make_shared<ProbeOptions>();
    app.add_option("model", options->model, "TorchScript file")->required();
    options->step.addTo(app);
    app.add_flag("--calibrate", options->calibrate, "Store the context of this card and driver (later version)");
    app.add_flag("--json", options->json, "For programs: schema tidemark.probe/1");
    return [options, context] { return runProbe(*options, context); };
}

}  // namespace tidemark
