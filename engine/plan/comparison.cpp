// SPDX-License-Identifier: Apache-2.0
#include "engine/plan/comparison.h"

#include <algorithm>
#include <map>
#include <string_view>

namespace tidemark {
namespace {

/// A model with its measurement, so that the two sides are treated alike.
struct Side {
    const ModelInfo& model;
    const Measurement& measurement;

    int size() const { return static_cast<int>(model.layers.size()); }
    const LayerInfo& layer(int i) const { return model.layers[static_cast<std::size_t>(i)]; }
    LayerUse use(int i) const {
        const auto index = static_cast<std::size_t>(i);
        return index < measurement.layers.size() ? measurement.layers[index] : LayerUse{};
    }
};

/// Indices of b for each layer of a, −1 where there is none.
std::vector<int> matchByPath(const Side& a, const Side& b) {
    std::map<std::string_view, int> paths;
    for (int i = 0; i < b.size(); ++i) paths.emplace(b.layer(i).path, i);
    std::vector<int> match(static_cast<std::size_t>(a.size()), -1);
    for (int i = 0; i < a.size(); ++i)
        if (const auto it = paths.find(a.layer(i).path); it != paths.end()) match[static_cast<std::size_t>(i)] = it->second;
    return match;
}

/// Pairs the rest: same type, same parameters, in order. Layers without parameters are paired only when their parents
/// are, because every model has a dozen interchangeable ReLUs.
void matchRenamed(const Side& a, const Side& b, std::vector<int>* match) {
    std::vector<bool> taken(static_cast<std::size_t>(b.size()), false);
    for (int j : *match)
        if (j >= 0) taken[static_cast<std::size_t>(j)] = true;
    const auto parentsMatch = [&](const LayerInfo& la, const LayerInfo& lb) {
        return la.parent >= 0 && lb.parent >= 0 && (*match)[static_cast<std::size_t>(la.parent)] == lb.parent;
    };
    int from = 0;
    for (int i = 0; i < a.size(); ++i) {
        if ((*match)[static_cast<std::size_t>(i)] >= 0) continue;
        const LayerInfo& la = a.layer(i);
        for (int j = from; j < b.size(); ++j) {
            const LayerInfo& lb = b.layer(j);
            if (taken[static_cast<std::size_t>(j)] || la.type != lb.type || la.parameters != lb.parameters) continue;
            if (la.parameters == 0 && !parentsMatch(la, lb)) continue;
            (*match)[static_cast<std::size_t>(i)] = j;
            taken[static_cast<std::size_t>(j)] = true;
            if (la.parameters > 0) from = j + 1;
            break;
        }
    }
}

ComparedLayer rowOf(const Side& a, int i, const Side& b, int j) {
    ComparedLayer row;
    row.indexA = i;
    row.indexB = j;
    if (i >= 0) {
        const LayerUse use = a.use(i);
        row.path = a.layer(i).path;
        row.type = a.layer(i).type;
        row.weights.a = a.layer(i).weights;
        row.saved.a = use.saved;
        row.liveAtPeak.a = use.liveAtPeak;
    }
    if (j >= 0) {
        const LayerUse use = b.use(j);
        if (i >= 0 && row.path != b.layer(j).path) row.oldPath = row.path;
        row.path = b.layer(j).path;
        row.type = b.layer(j).type;
        row.weights.b = b.layer(j).weights;
        row.saved.b = use.saved;
        row.liveAtPeak.b = use.liveAtPeak;
    }
    row.status = i < 0 ? RowStatus::Added
               : j < 0 ? RowStatus::Removed
               : row.oldPath.empty() ? RowStatus::Same : RowStatus::Renamed;
    return row;
}

/// Finds the row of the layer around each row.
void linkParents(const Side& a, const Side& b, std::vector<ComparedLayer>* rows) {
    std::vector<int> rowOfA(static_cast<std::size_t>(a.size()), -1);
    std::vector<int> rowOfB(static_cast<std::size_t>(b.size()), -1);
    for (std::size_t r = 0; r < rows->size(); ++r) {
        if (const int i = (*rows)[r].indexA; i >= 0) rowOfA[static_cast<std::size_t>(i)] = static_cast<int>(r);
        if (const int j = (*rows)[r].indexB; j >= 0) rowOfB[static_cast<std::size_t>(j)] = static_cast<int>(r);
    }
    for (ComparedLayer& row : *rows) {
        const int parent = row.indexB >= 0 ? b.layer(row.indexB).parent : a.layer(row.indexA).parent;
        if (parent >= 0) row.parent = (row.indexB >= 0 ? rowOfB : rowOfA)[static_cast<std::size_t>(parent)];
    }
}

/// What the rows leave of the peaks.
ComparedLayer outsideRow(const std::vector<ComparedLayer>& rows, const BytesPair& allocated) {
    ComparedLayer outside;
    outside.status = RowStatus::Outside;
    outside.liveAtPeak = allocated;
    for (const ComparedLayer& row : rows) {
        outside.liveAtPeak.a -= row.liveAtPeak.a;
        outside.liveAtPeak.b -= row.liveAtPeak.b;
    }
    return outside;
}

}  // namespace

Comparison compare(const ModelInfo& modelA, const Measurement& a, const ModelInfo& modelB, const Measurement& b) {
    const Side left{modelA, a};
    const Side right{modelB, b};
    std::vector<int> match = matchByPath(left, right);
    matchRenamed(left, right, &match);

    Comparison result;
    result.allocated = {a.steady.allocated, b.steady.allocated};
    result.reserved = {a.steady.reserved, b.steady.reserved};
    for (Category c : kCategories) result.categories[static_cast<std::size_t>(c)] = {a.categories[c], b.categories[c]};

    // In the order of a, with the layers only b has after the one they follow there.
    std::vector<int> inverse(modelB.layers.size(), -1);
    for (std::size_t i = 0; i < match.size(); ++i)
        if (match[i] >= 0) inverse[static_cast<std::size_t>(match[i])] = static_cast<int>(i);
    const auto addFollowing = [&](int j) {
        for (++j; j < right.size() && inverse[static_cast<std::size_t>(j)] < 0; ++j)
            result.layers.push_back(rowOf(left, -1, right, j));
    };
    addFollowing(-1);
    for (int i = 0; i < left.size(); ++i) {
        const int j = match[static_cast<std::size_t>(i)];
        result.layers.push_back(rowOf(left, i, right, j));
        if (j >= 0) addFollowing(j);
    }
    linkParents(left, right, &result.layers);
    const ComparedLayer outside = outsideRow(result.layers, result.allocated);
    if (outside.liveAtPeak != BytesPair{}) result.layers.push_back(outside);
    return result;
}

}  // namespace tidemark
