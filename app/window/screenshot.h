// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "widgets/theme.h"

#include <QSize>
#include <QStringList>

#include <optional>

namespace tidemark {

class MainWindow;

/// What `tidemark --screenshot FILE [--theme light|dark] [--size 1440x900] [--language zh_CN] [--page 1] [MODEL…]` asks
/// for: pictures for the documentation, made by the program itself. What the user has set stays as it is.
struct ScreenshotOrder {
    QString file;
    std::optional<ThemeMode> theme;
    QSize size{1440, 900};
    QString language;  ///< as languages are named; empty: that of the settings
    int page = 0;      ///< of those below the memory plot

    /// Takes its own options out of the arguments; empty when no screenshot is asked for.
    static std::optional<ScreenshotOrder> takeFrom(QStringList& arguments);
};

/// Saves a picture of the window as soon as all its figures are exact, or at once when it is empty, and ends the
/// program with 0. When the model cannot be measured or the figures do not come within a minute, the picture shows the
/// window as it is then, and the program says why and ends with 1; so it does when the picture cannot be written.
void takeScreenshot(MainWindow& window, const ScreenshotOrder& order);

}  // namespace tidemark
