// SPDX-License-Identifier: Apache-2.0
#include "app/window/planexport.h"

#include "app/window/planfile.h"
#include "app/window/variantplanner.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>

namespace tidemark {
namespace {

using nlohmann::json;

constexpr const char* kGraph = "layers";

const char* keyOf(FitLevel level) {
    return level == FitLevel::Fits ? "fits" : level == FitLevel::Tight ? "tight" : "does_not_fit";
}

json kindsJson(const CategoryBytes& categories) {
    json kinds;
    for (const Category category : kCategories)
        kinds[std::string(tidemark::keyOf(category))] = categories[category].count;
    return kinds;
}

json curveJson(const VariantPlanner& planner) {
    json curve = json::array();
    for (const MemoryPoint& point : planner.points())
        curve.push_back({{"batch", point.x},
                         {"allocated", point.categories.total().count},
                         {"reserved", point.reserved.count},
                         {"process", point.process.count}});
    return curve;
}

json layersJson(const ModelInfo& model, const Measurement& m) {
    json layers = json::array();
    for (std::size_t i = 0; i < std::min(model.layers.size(), m.layers.size()); ++i)
        layers.push_back({{"path", model.layers[i].path},
                          {"type", model.layers[i].type},
                          {"output", m.layers[i].output},
                          {"parameters", model.layers[i].parameters},
                          {"weights", model.layers[i].weights.count},
                          {"saved", m.layers[i].saved.count},
                          {"gradients", m.layers[i].gradients.count},
                          {"optimizer_state", m.layers[i].optimizerState.count},
                          {"live_at_peak", m.layers[i].liveAtPeak.count}});
    return layers;
}

json figuresJson(const VariantPlanner& planner) {
    const auto figures = planner.figures();
    if (!figures) return nullptr;
    json result{
        {"exact", figures->exact},
        {"allocated", figures->allocated.count},
        {"reserved", figures->reserved.count},
        {"process",
         {{"value", figures->process.count}, {"low", figures->processLow.count}, {"high", figures->processHigh.count}}},
        {"categories", kindsJson(figures->categories)},
        {"curve", curveJson(planner)},
        {"largest_batch", nullptr},
        {"torch_version", planner.worker().torchVersion},
        {"workspace", planner.worker().workspace}};
    if (const auto fit = planner.fit()) {
        result["fit"] = keyOf(fit->level);
        result["spare"] = fit->spare.count;
        result["capacity"] = fit->capacity.count;
    }
    if (planner.largest() && !planner.largest()->limitReached) result["largest_batch"] = planner.largest()->batch;
    if (planner.isDetailCurrent()) result["layers"] = layersJson(planner.model(), *planner.detail());
    return result;
}

/// Namespaces of Model Explorer are paths with slashes; the model itself is the outermost one.
std::string namespaceOf(const ModelInfo& model, int layer) {
    std::string path = model.name.empty() ? "model" : model.name;
    if (layer < 0 || model.layers[static_cast<std::size_t>(layer)].path.empty()) return path;
    std::string inner = model.layers[static_cast<std::size_t>(layer)].path;
    std::replace(inner.begin(), inner.end(), '.', '/');
    return path + '/' + inner;
}

std::string nodeId(const LayerInfo& layer) { return layer.path.empty() ? "(model)" : layer.path; }

}  // namespace

QByteArray planWithFigures(const Plan& plan, const QString& folder,
                           const std::function<const VariantPlanner*(int variant)>& plannerOf) {
    json file = json::parse(planToJson(plan, folder).toStdString());
    for (std::size_t i = 0; i < plan.variants.size(); ++i)
        if (const VariantPlanner* planner = plannerOf(plan.variants[i].id); planner && planner->isOpen())
            file["variants"][i]["figures"] = figuresJson(*planner);
    return QByteArray::fromStdString(file.dump(2) + "\n");
}

ModelExplorerFiles modelExplorerFiles(const ModelInfo& model, const Measurement& m) {
    const std::size_t count = std::min(model.layers.size(), m.layers.size());
    std::vector<bool> isParent(model.layers.size(), false);
    for (const LayerInfo& layer : model.layers)
        if (layer.parent >= 0) isParent[static_cast<std::size_t>(layer.parent)] = true;
    json results;
    json nodes = json::array();
    std::string before;
    for (std::size_t i = 0; i < count; ++i) {
        const LayerInfo& layer = model.layers[i];
        // What a layer with parts holds itself is a node among its parts.
        if (isParent[i] && m.layers[i].liveAtPeak == Bytes{}) continue;
        const std::string id = nodeId(layer);
        json node{{"id", id},
                  {"label", layer.type},
                  {"namespace", namespaceOf(model, isParent[i] ? static_cast<int>(i) : layer.parent)},
                  {"attrs",
                   {{{"key", "output"}, {"value", m.layers[i].output}},
                    {{"key", "parameters"}, {"value", std::to_string(layer.parameters)}}}},
                  {"incomingEdges", json::array()}};
        if (!before.empty()) node["incomingEdges"].push_back({{"sourceNodeId", before}});
        before = id;
        nodes.push_back(std::move(node));
        results[id] = {{"value", std::round(m.layers[i].liveAtPeak.mib() * 1000) / 1000}};
    }
    const json gradient = {{{"stop", 0}, {"bgColor", "#ffffff"}}, {{"stop", 1}, {"bgColor", "#d55e00"}}};
    const json data{{kGraph, {{"results", results}, {"gradient", gradient}}}};
    const json graph = json::array({{{"id", kGraph}, {"nodes", nodes}}});
    return {QByteArray::fromStdString(data.dump(2) + "\n"), QByteArray::fromStdString(graph.dump(2) + "\n")};
}

}  // namespace tidemark
