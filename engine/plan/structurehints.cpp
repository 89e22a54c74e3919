// SPDX-License-Identifier: Apache-2.0
#include "engine/plan/structurehints.h"

#include "engine/plan/tensorshape.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <optional>

namespace tidemark {
namespace {

constexpr double kWorthwhile = 0.02;  ///< of the peak
constexpr double kLargeStage = 0.2;   ///< of the activations: a stage that is worth a smaller resolution
constexpr std::int64_t kWideChannels = 128;
constexpr std::int64_t kLargeVocabulary = 8192;
constexpr std::int64_t kLogitChunks = 8;
constexpr double kLargeLinear = 0.5;  ///< of the weights
constexpr std::size_t kMostNamed = 6;

/// One layer that ran, with what the hints look at.
struct Row {
    const LayerInfo* layer;
    const LayerUse* use;
    TensorShape output;

    bool isImage() const { return output.sizes.size() == 4; }
    std::int64_t pixels() const { return isImage() ? output.elements(2) : 0; }
};

std::string percentOf(double share) { return fmt::format("{:.0f}", 100 * share); }

class Hints {
public:
    Hints(const ModelInfo& model, const Settings& settings, const Measurement& measurement)
        : m_settings(settings), m_measurement(measurement) {
        const std::size_t count = std::min(model.layers.size(), measurement.layers.size());
        for (std::size_t i = 0; i < count; ++i) {
            const LayerUse& use = measurement.layers[i];
            if (use.calls == 0) continue;
            if (auto shape = parseShape(use.output)) m_rows.push_back({&model.layers[i], &use, std::move(*shape)});
        }
        for (const TensorShape& input : inputShapes(model, settings, settings.batch))
            if (input.sizes.size() == 4) m_inputPixels = std::max(m_inputPixels, input.elements(2));
        m_weights = static_cast<double>(model.weightBytes().count);
    }

    std::vector<StructureHint> all() {
        downsampleEarlier();
        separableConvolutions();
        poolBeforeLinear();
        chunkedLogits();
        inPlaceActivations();
        const double peak = static_cast<double>(m_measurement.steady.allocated.count);
        std::erase_if(m_hints, [peak](const StructureHint& hint) {
            return static_cast<double>(hint.saves.count) < kWorthwhile * peak;
        });
        std::stable_sort(m_hints.begin(), m_hints.end(),
                         [](const StructureHint& a, const StructureHint& b) { return a.saves > b.saves; });
        return std::move(m_hints);
    }

private:
    bool trains() const { return m_settings.mode == StepMode::Train || m_settings.mode == StepMode::TrainAndEval; }

    /// A byte of trainable weights costs its gradient and its optimizer state as well.
    double weightFactor(const Row& row) const {
        const double own = static_cast<double>(row.layer->weights.count);
        if (own <= 0) return 1;
        return 1 + static_cast<double>((row.use->gradients + row.use->optimizerState).count) / own;
    }

    static std::vector<std::string> pathsOf(const std::vector<Row>& rows) {
        std::vector<std::string> paths;
        for (const Row& row : rows)
            if (paths.size() < kMostNamed && !row.layer->path.empty()) paths.push_back(row.layer->path);
        return paths;
    }

    /// The layers that keep activations at the input's own resolution.
    void downsampleEarlier() {
        if (!trains() || m_inputPixels == 0) return;
        const double activations = static_cast<double>(totalSaved().count);
        std::vector<Row> stage;
        for (const Row& row : m_rows)
            if (row.pixels() >= m_inputPixels && row.use->saved > Bytes{}) stage.push_back(row);
        const Bytes held = savedBy(stage);
        const double share = activations > 0 ? static_cast<double>(held.count) / activations : 0;
        if (share < kLargeStage) return;
        std::stable_sort(stage.begin(), stage.end(),
                         [](const Row& a, const Row& b) { return a.use->saved > b.use->saved; });
        const Message first = firstAtFullResolution();
        m_hints.push_back(
            {StructureHintKind::DownsampleEarlier, Message::tr("Down-sample before {}", first),
             Message::tr("{} layers at the input's full resolution hold {} % of the activations; at half the side "
                         "they hold a quarter of it.",
                         stage.size(), percentOf(share)),
             pathsOf(stage), share, Bytes{held.count / 4 * 3}});
    }

    Message firstAtFullResolution() const {
        for (const Row& row : m_rows)
            if (row.layer->parameters > 0 && row.pixels() >= m_inputPixels) return row.layer->path;
        return Message::tr("the first layer");
    }

    /// k×k convolutions over many channels as a depthwise and a 1×1 convolution: fewer weights with all that follows
    /// them, one activation more.
    void separableConvolutions() {
        std::vector<std::pair<std::int64_t, Row>> worth;
        Bytes weights;
        for (const Row& row : m_rows) {
            const std::int64_t saved = separableSaving(row);
            if (saved <= 0) continue;
            worth.emplace_back(saved, row);
            weights += row.layer->weights;
        }
        if (worth.empty()) return;
        std::stable_sort(worth.begin(), worth.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
        std::int64_t sum = 0;
        std::vector<Row> rows;
        for (const auto& [saved, row] : worth) {
            sum += saved;
            rows.push_back(row);
        }
        const double share = static_cast<double>(weights.count) / m_weights;
        m_hints.push_back(
            {StructureHintKind::SeparableConvolutions,
             rows.size() == 1 ? Message::tr("Depthwise separable convolution in {}", rows[0].layer->path)
                              : Message::tr("Depthwise separable convolutions in {} layers", rows.size()),
             Message::tr("They hold {} % of the weights; a depthwise and a 1×1 convolution instead need about a "
                         "ninth of that, with gradients and optimizer state, and keep one activation more.",
                         percentOf(share)),
             pathsOf(rows), share, Bytes{sum}});
    }

    std::int64_t separableSaving(const Row& row) const {
        const auto& shape = row.layer->weightShape;
        if (!row.isImage() || shape.size() != 4 || shape[2] < 3 || shape[1] < kWideChannels || shape[0] < kWideChannels)
            return 0;
        const double elements = static_cast<double>(shape[0] * shape[1] * shape[2] * shape[3]);
        const double separated = static_cast<double>(shape[1] * (shape[2] * shape[3] + shape[0]));
        const double weights =
            static_cast<double>(row.layer->weights.count) * (1 - separated / elements) * weightFactor(row);
        const double extra =
            trains()
                ? static_cast<double>(row.output.sizes[0] * shape[1] * row.pixels() * elementBytes(row.output.dtype))
                : 0;
        return static_cast<std::int64_t>(weights - extra);
    }

    /// One linear layer with most of the weights, behind feature maps that could be averaged first.
    void poolBeforeLinear() {
        const bool hasImages = std::any_of(m_rows.begin(), m_rows.end(), [](const Row& row) { return row.isImage(); });
        for (const Row& row : m_rows) {
            const auto& shape = row.layer->weightShape;
            const double share = static_cast<double>(row.layer->weights.count) / std::max(m_weights, 1.0);
            if (!hasImages || shape.size() != 2 || share < kLargeLinear) continue;
            const std::int64_t channels = lastChannelsBefore(row);
            if (channels <= 0 || shape[1] % channels != 0 || shape[1] / channels < 4) continue;
            const double kept = static_cast<double>(channels) / static_cast<double>(shape[1]);
            const double saves = static_cast<double>(row.layer->weights.count) * (1 - kept) * weightFactor(row);
            m_hints.push_back(
                {StructureHintKind::PoolBeforeLinear,
                 Message::tr("Average the feature maps before {}", row.layer->path),
                 Message::tr("It holds {} % of the weights because it sees {} values of each of {} channels; a "
                             "global average leaves one.",
                             percentOf(share), shape[1] / channels, channels),
                 {row.layer->path},
                 share,
                 Bytes{static_cast<std::int64_t>(saves)}});
        }
    }

    std::int64_t lastChannelsBefore(const Row& linear) const {
        std::int64_t channels = 0;
        for (const Row& row : m_rows) {
            if (row.layer == linear.layer) break;
            if (row.isImage()) channels = row.output.sizes[1];
        }
        return channels;
    }

    /// Cross-entropy over a large vocabulary keeps the logits' logarithms and makes their gradient; in chunks only one
    /// chunk of each is alive.
    void chunkedLogits() {
        if (!trains()) return;
        for (const Row& row : m_rows) {
            if (row.layer->weightShape.size() != 2 || row.output.sizes.size() < 2) continue;
            if (row.output.sizes.back() < kLargeVocabulary) continue;
            const double once = static_cast<double>(row.output.bytes().count);
            const double saves = 2 * once * static_cast<double>(kLogitChunks - 1) / static_cast<double>(kLogitChunks);
            const double activations = static_cast<double>(std::max<std::int64_t>(totalSaved().count, 1));
            m_hints.push_back(
                {StructureHintKind::ChunkedLogits,
                 Message::tr("Compute {} and its loss in {} chunks", row.layer->path, kLogitChunks),
                 Message::tr("Its output of {} values for each token takes {}, and the loss as much again with its "
                             "gradient; in chunks an eighth of both is alive.",
                             row.output.sizes.back(), formatBytes(row.output.bytes())),
                 {row.layer->path},
                 std::min(1.0, once / activations),
                 Bytes{static_cast<std::int64_t>(saves)}});
        }
    }

    /// An activation function that is not in place holds its input and its output at the moment it runs.
    void inPlaceActivations() {
        std::vector<Row> rows;
        for (const Row& row : m_rows)
            if (row.layer->inPlace == std::optional(false)) rows.push_back(row);
        if (rows.empty()) return;
        std::stable_sort(rows.begin(), rows.end(),
                         [](const Row& a, const Row& b) { return a.output.bytes() > b.output.bytes(); });
        m_hints.push_back(
            {StructureHintKind::InPlaceActivations, Message::tr("{} activation functions in place", rows.size()),
             Message::tr("While one runs, its input and its output are both there; inplace=True leaves one, where the layer before "
             "does not need its output for the backward pass. At most the largest of them is saved."),
             pathsOf(rows), 0, rows.front().output.bytes()});
    }

    Bytes totalSaved() const { return savedBy(m_rows); }

    static Bytes savedBy(const std::vector<Row>& rows) {
        return std::accumulate(rows.begin(), rows.end(), Bytes{},
                               [](Bytes sum, const Row& row) { return sum + row.use->saved; });
    }

    const Settings& m_settings;
    const Measurement& m_measurement;
    std::vector<Row> m_rows;
    std::int64_t m_inputPixels = 0;
    double m_weights = 0;
    std::vector<StructureHint> m_hints;
};

}  // namespace

std::string_view keyOf(StructureHintKind kind) {
    switch (kind) {
    case StructureHintKind::DownsampleEarlier: return "downsample_earlier";
    case StructureHintKind::SeparableConvolutions: return "separable_convolutions";
    case StructureHintKind::PoolBeforeLinear: return "pool_before_linear";
    case StructureHintKind::ChunkedLogits: return "chunked_logits";
    case StructureHintKind::InPlaceActivations: return "in_place_activations";
    }
    return {};
}

std::vector<StructureHint> structureHints(const ModelInfo& model, const Settings& settings,
                                          const Measurement& measurement) {
    return Hints(model, settings, measurement).all();
}

}  // namespace tidemark
