// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QStringList>

class QWidget;

namespace tidemark::testing {

/// The texts of labels, buttons, boxes, tabs and column headers in sight below `root` that have less room than they
/// need, each with its widget and both widths in pixels.
QStringList clippedTexts(const QWidget* root);

}  // namespace tidemark::testing
