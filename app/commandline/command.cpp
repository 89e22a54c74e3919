// SPDX-License-Identifier: Apache-2.0
#include "app/commandline/command.h"

#include "engine/session/calibrationstore.h"
#include "engine/session/owncards.h"

#include <ostream>

namespace tidemark {
namespace {

bool isUsage(ErrorCode code) {
    return code == ErrorCode::SettingInvalid || code == ErrorCode::InputInvalid || code == ErrorCode::GpuUnknown;
}

}  // namespace

ExitCode CommandContext::fail(const Error& error) const {
    err << "tidemark: " << error.message.english() << '\n';
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
    return ChosenCard{gpu.value(), reserve.value()};
}

}  // namespace tidemark
