// SPDX-License-Identifier: Apache-2.0
#include "app/commandline/command.h"

#include "engine/session/calibrationstore.h"
#include "engine/session/owncards.h"

#include <fmt/format.h>

#include <ostream>

namespace tidemark {
namespace {

bool isUsage(ErrorCode code) {
    return code == ErrorCode::SettingInvalid || code == ErrorCode::InputInvalid || code == ErrorCode::InputNeeded ||
           code == ErrorCode::GpuUnknown;
}

}  // namespace

ExitCode CommandContext::fail(const Error& error) const {
    err << "tidemark: " << error.message.english();
    if (error.code == ErrorCode::InputNeeded) err << " The option is --input, once for each.";
    err << '\n';
    return isUsage(error.code) ? ExitCode::Usage : ExitCode::Failed;
}

Result<Catalogue> CommandContext::catalogue() const {
    if (installation.catalogue.isEmpty())
        return Error{ErrorCode::FileNotFound,
                     "The catalogue of cards (gpus.json) was not found; set TIDEMARK_RESOURCES to its folder.", {}};
    auto catalogue = Catalogue::load(installation.catalogue.toStdString());
    if (!catalogue) return catalogue;
    if (const auto error = OwnCards().applyTo(&catalogue.value())) return *error;
    CalibrationStore().applyTo(&catalogue.value());
    return catalogue;
}

Result<ChosenCard> CommandContext::card(const CardOptions& options) const {
    const auto reserve = options.reserve();
    if (!reserve) return reserve.error();
    const auto cards = catalogue();
    if (!cards) return cards.error();
    const auto gpu = options.gpu(cards.value());
    if (!gpu) return gpu.error();
    if (capacityOf(gpu.value(), reserve.value()) == Bytes{})
        return Error{ErrorCode::SettingInvalid,
                     fmt::format("What is kept free leaves nothing of the {} of {}; give a smaller --reserve or --display.",
                                 formatBytes(gpu.value().memory), withArticle(gpu.value())),
                     {}};
    return ChosenCard{gpu.value(), reserve.value()};
}

}  // namespace tidemark
