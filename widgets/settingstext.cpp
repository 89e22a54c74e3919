// SPDX-License-Identifier: Apache-2.0
#include "widgets/settingstext.h"

#include "widgets/settingspanel.h"
#include "widgets/text.h"

#include <QCoreApplication>
#include <QStringList>

namespace tidemark {
namespace {

struct Words {
    Q_DECLARE_TR_FUNCTIONS(SettingsText)
};

QString checkpointWords(const CheckpointSettings& checkpoint, const ModelInfo& model) {
    const auto blocks = static_cast<int>(model.blockPaths().size());
    switch (checkpoint.mode) {
    case CheckpointMode::None: return Words::tr("none");
    case CheckpointMode::All: return Words::tr("all %1 blocks").arg(blocks);
    case CheckpointMode::First: return Words::tr("the first %1 of %2 blocks").arg(checkpoint.count).arg(blocks);
    case CheckpointMode::Every: return Words::tr("every %1th block").arg(checkpoint.count);
    case CheckpointMode::Layers: return Words::tr("%1 layers chosen by hand").arg(checkpoint.layers.size());
    }
    return {};
}

QString onOff(bool on) { return on ? Words::tr("on") : Words::tr("off"); }

QString axesText(const Settings& settings) {
    QStringList parts;
    for (const auto& [name, size] : settings.axes)
        parts << QStringLiteral("%1 = %2").arg(QString::fromStdString(name)).arg(size);
    return parts.join(QStringLiteral(", "));
}

QString dataParallelText(const DataParallelSettings& d) {
    if (d.cards < 2) return Words::tr("one card");
    QStringList parts{Words::tr("%1 cards").arg(d.cards)};
    if (d.bucketCapMiB > 0) parts << Words::tr("buckets of %1 MiB").arg(d.bucketCapMiB);
    if (d.gradientAsBucketView) parts << QStringLiteral("gradient_as_bucket_view");
    if (d.findUnusedParameters) parts << QStringLiteral("find_unused_parameters");
    if (d.staticGraph) parts << QStringLiteral("static_graph");
    if (!d.broadcastBuffers) parts << Words::tr("buffers not broadcast");
    if (!d.noSync) parts << Words::tr("every micro-batch synchronised");
    return parts.join(QStringLiteral(", "));
}

/// All settings there are; `always` marks those that a reader expects even at their default.
struct Entry {
    NamedText shown;
    bool always = false;
};

std::vector<Entry> entries(const Settings& s, const ModelInfo& model) {
    const auto& inputs = s.inputs.empty() ? model.inputs : s.inputs;
    return {
        {{Words::tr("Batch"), countText(s.batch)}, true},
        {{Words::tr("Accumulation"),
          s.accumulate > 1
              ? Words::tr("%1 micro-batches, effective batch %2").arg(s.accumulate).arg(countText(s.effectiveBatch()))
              : Words::tr("none")},
         true},
        {{Words::tr("Input"), SettingsPanel::inputText(inputs)}, true},
        {{Words::tr("Axes"), axesText(s)}, false},
        {{Words::tr("Mode"), labelOf(s.mode)}, true},
        {{Words::tr("Precision"), labelOf(s.precision)}, true},
        {{Words::tr("Optimizer"), QStringLiteral("%1, %2").arg(labelOf(s.optimizer.kind), labelOf(s.optimizer.impl))},
         true},
        {{Words::tr("Checkpointing"), checkpointWords(s.checkpoint, model)}, true},
        {{Words::tr("Loss"), labelOf(s.loss)}, true},
        {{Words::tr("Workspaces"), labelOf(s.workspace)}, true},
        {{Words::tr("Channels last"), onOff(s.channelsLast)}, false},
        {{Words::tr("zero_grad sets to None"), onOff(s.zeroGradToNone)}, false},
        {{Words::tr("Clip gradients by norm"), onOff(s.clipGradNorm)}, false},
        {{Words::tr("Average of the weights"), onOff(s.ema)}, false},
        {{Words::tr("Weight decay"), onOff(s.optimizer.weightDecay)}, false},
        {{Words::tr("AMSGrad"), onOff(s.optimizer.amsgrad)}, false},
        {{Words::tr("TF32 in matrix products"), onOff(s.matmulTf32)}, false},
        {{Words::tr("TF32 in cuDNN"), onOff(s.cudnnTf32)}, false},
        {{Words::tr("cuDNN benchmark"), onOff(s.cudnnBenchmark)}, false},
        {{Words::tr("cuDNN deterministic"), onOff(s.cudnnDeterministic)}, false},
        {{Words::tr("Allocator"), QString::fromStdString(s.allocator.toEnvironment())}, false},
        {{Words::tr("Data parallel"), dataParallelText(s.dataParallel)}, false},
        {{Words::tr("Frozen"), Words::tr("%1 modules").arg(s.frozen.size())}, false},
    };
}

}  // namespace

std::vector<NamedText> describeSettings(const Settings& settings, const ModelInfo& model) {
    const std::vector<Entry> defaults = entries({}, model);
    const std::vector<Entry> all = entries(settings, model);
    std::vector<NamedText> shown;
    for (std::size_t i = 0; i < all.size(); ++i)
        if (all[i].always || all[i].shown.text != defaults[i].shown.text) shown.push_back(all[i].shown);
    return shown;
}

QStringList changedSettings(const Settings& before, const Settings& after) {
    const std::vector<Entry> a = entries(before, {});
    const std::vector<Entry> b = entries(after, {});
    QStringList names;
    for (std::size_t i = 0; i < a.size(); ++i)
        if (a[i].shown.text != b[i].shown.text) names << a[i].shown.name;
    return names;
}

QStringList describeDifference(const Settings& before, const Settings& after, const ModelInfo& model) {
    const std::vector<Entry> a = entries(before, model);
    const std::vector<Entry> b = entries(after, model);
    QStringList lines;
    for (std::size_t i = 0; i < a.size(); ++i)
        if (a[i].shown.text != b[i].shown.text)
            lines << Words::tr("%1: %2 → %3").arg(a[i].shown.name, a[i].shown.text, b[i].shown.text);
    return lines;
}

}  // namespace tidemark
