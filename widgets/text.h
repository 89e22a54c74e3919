// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/base/bytes.h"
#include "engine/base/message.h"
#include "engine/plan/settings.h"

#include <QString>

namespace tidemark {

/// "2.80 GiB"
QString sizeText(Bytes bytes, ByteUnits units);
/// "2868.4 MiB", for columns that are compared
QString mebibytesText(Bytes bytes, ByteUnits units);
/// "+2.80 GiB", with a sign; "±0" where nothing differs
QString deltaText(Bytes difference, ByteUnits units);
/// "3,007,699,968 B"
QString exactText(Bytes bytes);
/// "25,557,032"
QString countText(qint64 count);
/// A field of a CSV file, quoted where that is needed.
QString csvField(const QString& text);
/// "25.6 M"
QString shortCountText(qint64 count);
/// "34.2 %"
QString percentText(double share);

/// What the engine says, in the reader's language.
QString localText(const Message& message);

/// A phase of the step (Phase::name), as "forward 2/4", in the reader's language.
QString phaseText(const std::string& name);

/// Names and one-line meanings for people.
QString labelOf(Precision precision);
QString hintOf(Precision precision);
QString labelOf(OptimizerKind kind);
QString hintOf(OptimizerKind kind);
QString labelOf(OptimizerImpl impl);
QString hintOf(OptimizerImpl impl);
QString labelOf(StepMode mode);
QString hintOf(StepMode mode);
QString labelOf(WorkspaceSource source);
QString hintOf(WorkspaceSource source);
QString labelOf(LossKind loss);
QString hintOf(LossKind loss);

}  // namespace tidemark
