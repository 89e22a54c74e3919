// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/plan/measurement.h"

#include <QColor>
#include <QPalette>
#include <QString>

class QApplication;

namespace tidemark {

enum class ThemeMode { System, Light, Dark };

/// The colours by meaning. Everything painted by hand asks for a Theme with the palette of the widget at hand, so a
/// change of palette reaches plots and delegates without anything global.
struct Theme {
    bool dark = false;
    QColor window;   ///< behind panels
    QColor surface;  ///< tables, plots, fields
    QColor raised;   ///< buttons, chips
    QColor border;
    QColor grid;
    QColor text;
    QColor mutedText;
    QColor accent;
    QColor accentText;  ///< on top of accent
    QColor selection;   ///< behind selected rows; text stays `text`
    QColor good;
    QColor caution;
    QColor bad;

    static Theme light();
    static Theme darkTheme();
    static Theme of(const QPalette& palette);

    QPalette palette() const;
    QString styleSheet() const;
};

/// The same colour for a category in every view, in both themes and in print; after Okabe and Ito's set that people
/// with colour-blindness can tell apart.
QColor categoryColor(Category category);
/// "Saved activations"
QString categoryLabel(Category category);
/// One line on what belongs to the category.
QString categoryHint(Category category);

/// How well one colour reads on another, 1 to 21: the contrast ratio of WCAG 2. Texts need 4.5.
double contrastOf(const QColor& a, const QColor& b);
/// Nearly black or white, whichever reads better on the colour.
QColor inkOn(const QColor& ground);

/// Sets style, palette and style sheet. System follows the palette the desktop gave the program at its start.
void applyTheme(QApplication& application, ThemeMode mode, const QPalette& desktopPalette);

}  // namespace tidemark
