// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QSize>

#include <optional>

class QWidget;

namespace tidemark {

/// How large a picture of a plot is to be.
struct PlotPicture {
    QSize size{1000, 520};  ///< of the drawing; text keeps its size
    double scale = 2;       ///< pixels for each unit of a PNG
};

/// Asks for the size, starting from the last answer; empty when the person gives up.
std::optional<PlotPicture> askForPlotPicture(QWidget* parent, const PlotPicture& last);

}  // namespace tidemark
