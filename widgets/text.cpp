// SPDX-License-Identifier: Apache-2.0
#include "widgets/text.h"

#include "engine/plan/measurement.h"

#include <QCoreApplication>
#include <QLocale>

#include <cmath>

namespace tidemark {
namespace {

struct Text {
    Q_DECLARE_TR_FUNCTIONS(Text)
};

QLocale numbers() { return QLocale(QLocale::English, QLocale::UnitedStates); }

}  // namespace

QString localText(const Message& message) {
    return QString::fromStdString(message.said([](const std::string& words) {
        // lupdate gives words the name of the class as far as it can see it.
        const QString translated = QCoreApplication::translate("tidemark::Message", words.c_str());
        return (translated != QString::fromStdString(words) ? translated
                                                            : QCoreApplication::translate("Message", words.c_str()))
            .toStdString();
    }));
}

QString sizeText(Bytes bytes, ByteUnits units) { return QString::fromStdString(formatBytes(bytes, units)); }

QString mebibytesText(Bytes bytes, ByteUnits units) { return QString::fromStdString(formatMebibytes(bytes, units)); }

QString deltaText(Bytes difference, ByteUnits units) {
    if (difference.count == 0) return QStringLiteral("±0");
    return (difference.count > 0 ? QStringLiteral("+") : QString()) + sizeText(difference, units);
}

QString exactText(Bytes bytes) { return Text::tr("%1 B").arg(countText(bytes.count)); }

QString countText(qint64 count) { return numbers().toString(count); }

QString csvField(const QString& text) {
    if (!text.contains(QLatin1Char(',')) && !text.contains(QLatin1Char('"')) && !text.contains(QLatin1Char('\n')))
        return text;
    return QLatin1Char('"') + QString(text).replace(QLatin1Char('"'), QLatin1String("\"\"")) + QLatin1Char('"');
}

QString shortCountText(qint64 count) {
    static constexpr const char* kSuffixes[] = {"", " k", " M", " G", " T", " P"};
    double value = std::fabs(static_cast<double>(count));
    std::size_t step = 0;
    while (value >= 1000 && step + 1 < std::size(kSuffixes)) {
        value /= 1000;
        ++step;
    }
    const int decimals = step == 0 ? 0 : value < 10 ? 2 : 1;
    return (count < 0 ? QStringLiteral("\u2212") : QString()) + QString::number(value, 'f', decimals) +
           QLatin1String(kSuffixes[step]);
}

QString percentText(double share) { return Text::tr("%1 %").arg(share * 100, 0, 'f', 1); }

QString phaseText(const std::string& name) { return localText(nameOfPhase(name)); }

QString labelOf(Precision precision) {
    switch (precision) {
    case Precision::Fp32: return Text::tr("Single (fp32)");
    case Precision::AmpFp16: return Text::tr("Mixed, fp16 (AMP)");
    case Precision::AmpBf16: return Text::tr("Mixed, bf16 (AMP)");
    case Precision::Fp16: return Text::tr("Half (pure fp16)");
    case Precision::Bf16: return Text::tr("Half (pure bf16)");
    }
    return {};
}

QString hintOf(Precision precision) {
    switch (precision) {
    case Precision::Fp32: return Text::tr("Everything in 32-bit floating point.");
    case Precision::AmpFp16:
        return Text::tr("Weights stay in fp32; autocast runs layers in fp16, with a gradient scaler.");
    case Precision::AmpBf16: return Text::tr("Weights stay in fp32; autocast runs layers in bf16, no scaler needed.");
    case Precision::Fp16: return Text::tr("Weights, gradients and optimizer state in fp16.");
    case Precision::Bf16: return Text::tr("Weights, gradients and optimizer state in bf16.");
    }
    return {};
}

QString labelOf(OptimizerKind kind) {
    switch (kind) {
    case OptimizerKind::None: return Text::tr("None");
    case OptimizerKind::Sgd: return Text::tr("SGD");
    case OptimizerKind::Momentum: return Text::tr("SGD with momentum");
    case OptimizerKind::Nesterov: return Text::tr("SGD with Nesterov momentum");
    case OptimizerKind::Adam: return Text::tr("Adam");
    case OptimizerKind::AdamW: return Text::tr("AdamW");
    case OptimizerKind::RmsProp: return Text::tr("RMSprop");
    case OptimizerKind::Adagrad: return Text::tr("Adagrad");
    case OptimizerKind::Custom: return Text::tr("Custom");
    }
    return {};
}

QString hintOf(OptimizerKind kind) {
    switch (kind) {
    case OptimizerKind::None: return Text::tr("Forward and backward only; no update.");
    case OptimizerKind::Sgd: return Text::tr("Keeps nothing per parameter.");
    case OptimizerKind::Momentum: return Text::tr("Keeps one value per parameter: the momentum.");
    case OptimizerKind::Nesterov: return Text::tr("Keeps one value per parameter: the momentum.");
    case OptimizerKind::Adam: return Text::tr("Keeps two values per parameter: mean and variance.");
    case OptimizerKind::AdamW: return Text::tr("Keeps two values per parameter: mean and variance.");
    case OptimizerKind::RmsProp: return Text::tr("Keeps one value per parameter: the mean square.");
    case OptimizerKind::Adagrad: return Text::tr("Keeps one value per parameter: the sum of squares.");
    case OptimizerKind::Custom: return Text::tr("Keeps the bytes per parameter that you state.");
    }
    return {};
}

QString labelOf(OptimizerImpl impl) {
    switch (impl) {
    case OptimizerImpl::Default: return Text::tr("Default (foreach)");
    case OptimizerImpl::Foreach: return Text::tr("foreach");
    case OptimizerImpl::Fused: return Text::tr("fused");
    case OptimizerImpl::ForLoop: return Text::tr("for-loop");
    }
    return {};
}

QString hintOf(OptimizerImpl impl) {
    switch (impl) {
    case OptimizerImpl::Default: return Text::tr("What torch.optim picks on a GPU: all parameters at once.");
    case OptimizerImpl::Foreach: return Text::tr("All parameters at once; needs a copy as large as the weights.");
    case OptimizerImpl::Fused: return Text::tr("One kernel for the whole update; needs no copies.");
    case OptimizerImpl::ForLoop: return Text::tr("One parameter after another; small copies, slower.");
    }
    return {};
}

QString labelOf(StepMode mode) {
    switch (mode) {
    case StepMode::Train: return Text::tr("Training");
    case StepMode::Infer: return Text::tr("Inference");
    case StepMode::EvalAfterTrain: return Text::tr("Evaluation during training");
    case StepMode::TrainAndEval: return Text::tr("Training and evaluation");
    }
    return {};
}

QString hintOf(StepMode mode) {
    switch (mode) {
    case StepMode::Train: return Text::tr("Forward, loss, backward and optimizer step.");
    case StepMode::Infer: return Text::tr("Forward pass alone under inference mode.");
    case StepMode::EvalAfterTrain: return Text::tr("Forward pass while the optimizer state stays on the card.");
    case StepMode::TrainAndEval: return Text::tr("The larger of a training step and an evaluation step.");
    }
    return {};
}

QString labelOf(WorkspaceSource source) {
    switch (source) {
    case WorkspaceSource::Cudnn: return Text::tr("Asked of cuDNN");
    case WorkspaceSource::Estimate: return Text::tr("Estimated");
    case WorkspaceSource::None: return Text::tr("Left out");
    }
    return {};
}

QString hintOf(WorkspaceSource source) {
    switch (source) {
    case WorkspaceSource::Cudnn:
        return Text::tr("Convolution scratch as the installed cuDNN reports it for this card.");
    case WorkspaceSource::Estimate: return Text::tr("Convolution scratch from a rule; adds uncertainty.");
    case WorkspaceSource::None: return Text::tr("No convolution scratch: tensors only.");
    }
    return {};
}

QString labelOf(LossKind loss) {
    switch (loss) {
    case LossKind::CrossEntropy: return Text::tr("Cross entropy");
    case LossKind::BceWithLogits: return Text::tr("Binary cross entropy with logits");
    case LossKind::Mse: return Text::tr("Mean squared error");
    case LossKind::Mean: return Text::tr("Mean of the output");
    case LossKind::Model: return Text::tr("The model returns its loss");
    }
    return {};
}

QString hintOf(LossKind loss) {
    switch (loss) {
    case LossKind::CrossEntropy: return Text::tr("Log-softmax of the output against integer classes.");
    case LossKind::BceWithLogits: return Text::tr("A target as large as the output.");
    case LossKind::Mse: return Text::tr("A target as large as the output.");
    case LossKind::Mean: return Text::tr("No target; the smallest loss there is.");
    case LossKind::Model: return Text::tr("The first output is taken as the loss.");
    }
    return {};
}

}  // namespace tidemark
