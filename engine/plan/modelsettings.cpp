// SPDX-License-Identifier: Apache-2.0
#include "engine/plan/modelsettings.h"

#include <fmt/format.h>

#include <string_view>
#include <vector>

namespace tidemark {
namespace {

constexpr std::size_t kMostNames = 8;

/// The nearest layer above `path` that there is; the model itself has the empty path.
std::string nearestAbove(const ModelInfo& model, std::string path) {
    while (!path.empty() && model.indexOf(path) < 0) {
        const auto dot = path.rfind('.');
        path.resize(dot == std::string::npos ? 0 : dot);
    }
    return path;
}

std::string childrenOf(const ModelInfo& model, std::string_view path) {
    std::vector<std::string> names;
    for (const LayerInfo& layer : model.layers)
        if (layer.parent >= 0 && model.layers[static_cast<std::size_t>(layer.parent)].path == path) names.push_back(layer.name);
    const bool more = names.size() > kMostNames;
    if (more) names.resize(kMostNames);
    return fmt::format("{}{}", fmt::join(names, ", "), more ? ", …" : "");
}

std::optional<Error> problemWithLayer(const ModelInfo& model, const std::string& path) {
    if (path.empty() || model.indexOf(path) >= 0) return std::nullopt;
    const std::string above = nearestAbove(model, path);
    const std::string children = childrenOf(model, above);
    const std::string where = above.empty() ? model.name : above;
    const Message message = children.empty() ? Message::tr("The model has no layer {}; there is none in {}.", path, where)
                                             : Message::tr("The model has no layer {}; those in {} are {}.", path, where, children);
    return Error{ErrorCode::SettingInvalid, message, {}};
}

}  // namespace

std::optional<Error> problemWith(const ModelInfo& model, const Settings& settings) {
    for (const std::vector<std::string>* paths : {&settings.frozen, &settings.checkpoint.layers})
        for (const std::string& path : *paths)
            if (auto problem = problemWithLayer(model, path)) return problem;
    return std::nullopt;
}

}  // namespace tidemark
