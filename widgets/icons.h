// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QColor>
#include <QIcon>
#include <QString>

namespace tidemark {

/// The icon resources/icons/NAME.svg, its strokes in the given colour; sharp at every scale.
QIcon icon(const QString& name, const QColor& color);
/// The same as a picture of side × side logical pixels.
QPixmap iconPixmap(const QString& name, const QColor& color, int side, qreal devicePixelRatio);

}  // namespace tidemark
