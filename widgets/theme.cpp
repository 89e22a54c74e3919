// SPDX-License-Identifier: Apache-2.0
#include "widgets/theme.h"

#include <QApplication>
#include <QCoreApplication>
#include <QFile>
#include <QStyle>
#include <QStyleFactory>

#include <algorithm>
#include <cmath>

namespace tidemark {
namespace {

struct ThemeText {
    Q_DECLARE_TR_FUNCTIONS(ThemeText)
};

QString themed(QColor c) { return c.name(); }

QColor mixed(const QColor& a, const QColor& b, double share) {
    return QColor::fromRgbF(static_cast<float>(a.redF() * (1 - share) + b.redF() * share),
                            static_cast<float>(a.greenF() * (1 - share) + b.greenF() * share),
                            static_cast<float>(a.blueF() * (1 - share) + b.blueF() * share));
}

/// Relative luminance as WCAG 2 defines it.
double luminanceOf(const QColor& color) {
    const auto linear = [](double part) { return part <= 0.03928 ? part / 12.92 : std::pow((part + 0.055) / 1.055, 2.4); };
    return 0.2126 * linear(color.redF()) + 0.7152 * linear(color.greenF()) + 0.0722 * linear(color.blueF());
}

}  // namespace

double contrastOf(const QColor& a, const QColor& b) {
    const auto [darker, lighter] = std::minmax({luminanceOf(a), luminanceOf(b)});
    return (lighter + 0.05) / (darker + 0.05);
}

QColor inkOn(const QColor& ground) {
    const QColor black("#15181c"), white("#ffffff");
    return contrastOf(black, ground) >= contrastOf(white, ground) ? black : white;
}

Theme Theme::light() {
    Theme t;
    t.dark = false;
    t.window = QColor("#f4f5f7");
    t.surface = QColor("#ffffff");
    t.raised = QColor("#ffffff");
    t.border = QColor("#d7dbe0");
    t.grid = QColor("#e8eaee");
    t.text = QColor("#1b2129");
    t.mutedText = QColor("#5c6673");
    t.accent = QColor("#0a66c2");
    t.accentText = QColor("#ffffff");
    t.selection = QColor("#dfecfb");
    t.good = QColor("#0a7748");
    t.caution = QColor("#8a5a00");
    t.bad = QColor("#b3261e");
    return t;
}

Theme Theme::darkTheme() {
    Theme t;
    t.dark = true;
    t.window = QColor("#1c1f24");
    t.surface = QColor("#15181c");
    t.raised = QColor("#282c33");
    t.border = QColor("#363c45");
    t.grid = QColor("#272c33");
    t.text = QColor("#e6e9ed");
    t.mutedText = QColor("#9aa4b1");
    t.accent = QColor("#4da3ff");
    t.accentText = QColor("#07131f");
    t.selection = QColor("#1c3853");
    t.good = QColor("#41c98b");
    t.caution = QColor("#f0b24a");
    t.bad = QColor("#ff7b72");
    return t;
}

Theme Theme::of(const QPalette& palette) {
    return palette.color(QPalette::Active, QPalette::Window).lightness() < 128 ? darkTheme() : light();
}

QPalette Theme::palette() const {
    QPalette p;
    p.setColor(QPalette::Window, window);
    p.setColor(QPalette::WindowText, text);
    p.setColor(QPalette::Base, surface);
    p.setColor(QPalette::AlternateBase, mixed(surface, window, 0.6));
    p.setColor(QPalette::Text, text);
    p.setColor(QPalette::PlaceholderText, mutedText);
    p.setColor(QPalette::Button, raised);
    p.setColor(QPalette::ButtonText, text);
    p.setColor(QPalette::BrightText, bad);
    p.setColor(QPalette::Highlight, accent);
    p.setColor(QPalette::HighlightedText, accentText);
    p.setColor(QPalette::Link, accent);
    p.setColor(QPalette::LinkVisited, accent);
    p.setColor(QPalette::ToolTipBase, raised);
    p.setColor(QPalette::ToolTipText, text);
    p.setColor(QPalette::Light, mixed(raised, text, dark ? 0.12 : 0.0));
    p.setColor(QPalette::Midlight, mixed(raised, border, 0.5));
    p.setColor(QPalette::Mid, border);
    p.setColor(QPalette::Dark, mixed(border, text, 0.3));
    p.setColor(QPalette::Shadow, QColor(0, 0, 0));
    const QColor disabled = mixed(mutedText, window, 0.4);
    for (const auto role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText})
        p.setColor(QPalette::Disabled, role, disabled);
    return p;
}

QString Theme::styleSheet() const {
    QFile file(QStringLiteral(":/window.qss"));
    if (!file.open(QIODevice::ReadOnly)) return {};
    QString sheet = QString::fromUtf8(file.readAll());
    const QString shade = dark ? QStringLiteral("dark") : QStringLiteral("light");
    const auto arrow = [&](const char* name) {
        return QStringLiteral(":/icons/%1-%2.svg").arg(QLatin1String(name), shade);
    };
    const std::pair<const char*, QString> values[] = {
        {"window", themed(window)},
        {"surface", themed(surface)},
        {"raised", themed(raised)},
        {"border", themed(border)},
        {"text", themed(text)},
        {"mutedText", themed(mutedText)},
        {"accent", themed(accent)},
        {"accentText", themed(accentText)},
        {"accentHover", themed(mixed(accent, text, 0.18))},
        {"selection", themed(selection)},
        {"bad", themed(bad)},
        {"hover", themed(mixed(window, text, dark ? 0.10 : 0.06))},
        {"pressed", themed(mixed(window, text, dark ? 0.18 : 0.13))},
        {"alternate", themed(mixed(surface, window, 0.6))},
        {"disabled", themed(mixed(mutedText, window, 0.4))},
        {"scroll", themed(mixed(border, mutedText, 0.35))},
        {"tip", themed(raised)},
        {"tipText", themed(text)},
        {"down", arrow("arrow-down")},
        {"up", arrow("arrow-up")},
        {"right", arrow("arrow-right")},
        {"left", arrow("arrow-left")},
        {"tick", arrow("tick")},
        {"close", arrow("close")},
    };
    for (const auto& [name, value] : values)
        sheet.replace(QLatin1Char('%') + QLatin1String(name) + QLatin1Char('%'), value);
    return sheet;
}

QColor categoryColor(Category category) {
    switch (category) {
    case Category::Weights: return QColor("#0072b2");
    case Category::Buffers: return QColor("#7a8794");
    case Category::Gradients: return QColor("#e69f00");
    case Category::GradientBuckets: return QColor("#8c6a3f");
    case Category::OptimizerState: return QColor("#cc79a7");
    case Category::Activations: return QColor("#009e73");
    case Category::Input: return QColor("#56b4e9");
    case Category::Workspace: return QColor("#e3d535");
    case Category::Temporary: return QColor("#d55e00");
    }
    return {};
}

QString categoryLabel(Category category) {
    switch (category) {
    case Category::Weights: return ThemeText::tr("Weights");
    case Category::Buffers: return ThemeText::tr("Buffers");
    case Category::Gradients: return ThemeText::tr("Gradients");
    case Category::GradientBuckets: return ThemeText::tr("Gradient buckets");
    case Category::OptimizerState: return ThemeText::tr("Optimizer state");
    case Category::Activations: return ThemeText::tr("Saved activations");
    case Category::Input: return ThemeText::tr("Input");
    case Category::Workspace: return ThemeText::tr("Workspace");
    case Category::Temporary: return ThemeText::tr("Temporary");
    }
    return {};
}

QString categoryHint(Category category) {
    switch (category) {
    case Category::Weights: return ThemeText::tr("Parameters of the model, and their copies for mixed precision");
    case Category::Buffers: return ThemeText::tr("What the model keeps beside its parameters, such as running means");
    case Category::Gradients: return ThemeText::tr("One gradient for each trainable parameter");
    case Category::GradientBuckets:
        return ThemeText::tr("Copies of the gradients that DistributedDataParallel sends between cards");
    case Category::OptimizerState:
        return ThemeText::tr("Momentum and variance that the optimizer keeps for each parameter");
    case Category::Activations: return ThemeText::tr("Results of the forward pass that the backward pass needs");
    case Category::Input: return ThemeText::tr("The batch itself and its targets");
    case Category::Workspace: return ThemeText::tr("Scratch memory of cuDNN and cuBLAS");
    case Category::Temporary: return ThemeText::tr("What lives only for a moment: results between two operators");
    }
    return {};
}

void applyTheme(QApplication& application, ThemeMode mode, const QPalette& desktopPalette) {
    const bool dark = mode == ThemeMode::Dark || (mode == ThemeMode::System && Theme::of(desktopPalette).dark);
    const Theme theme = dark ? Theme::darkTheme() : Theme::light();
    if (application.style()->name().compare(QLatin1String("fusion"), Qt::CaseInsensitive) != 0)
        application.setStyle(QStyleFactory::create(QStringLiteral("Fusion")));
    application.setPalette(theme.palette());
    application.setStyleSheet(theme.styleSheet());
}

}  // namespace tidemark
