// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/plan/comparison.h"

#include <QString>
#include <QStringList>

namespace tidemark {

/// Two variants side by side, with the words that belong to the figures.
struct VariantComparison {
    QString baseline;
    QString other;
    QStringList changes;  ///< settings that differ, in words
    QString baselineVerdict;
    QString otherVerdict;
    Comparison comparison;
    BytesPair process{};  ///< process memory; 0 where it is not known
};

}  // namespace tidemark
