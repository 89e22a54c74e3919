// SPDX-License-Identifier: Apache-2.0
#include "widgets/theme.h"

#include <QApplication>
#include <QStyle>
#include <QCoreApplication>
#include <QStyleFactory>

namespace tidemark {
namespace {

struct ThemeText {
    Q_DECLARE_TR_FUNCTIONS(ThemeText)
};

const char* const kStyleSheet = R"(
QMainWindow::separator { background: %border%; width: 1px; height: 1px; }
QMainWindow::separator:hover { background: %accent%; }
QSplitter::handle { background: %border%; }
QSplitter::handle:hover { background: %accent%; }
QMenuBar { background: %window%; color: %text%; border-bottom: 1px solid %border%; padding: 2px 4px; }
QMenuBar::item { padding: 4px 9px; border-radius: 4px; background: transparent; }
QMenuBar::item:selected { background: %hover%; }
QMenu { background: %raised%; color: %text%; border: 1px solid %border%; padding: 4px; }
QMenu::item { padding: 5px 26px 5px 24px; border-radius: 4px; }
QMenu::item:selected { background: %accent%; color: %accentText%; }
QMenu::item:disabled { color: %disabled%; }
QMenu::separator { height: 1px; background: %border%; margin: 4px 6px; }
QToolBar { background: %window%; border: 0; border-bottom: 1px solid %border%; padding: 3px 6px; spacing: 2px; }
QToolBar::separator { background: %border%; width: 1px; margin: 5px 5px; }
QToolButton { background: transparent; color: %text%; border: 1px solid transparent; border-radius: 5px; padding: 4px 7px; }
QToolButton:hover { background: %hover%; }
QToolButton:pressed, QToolButton:checked { background: %pressed%; }
QToolButton:focus { border-color: %accent%; }
QToolButton:disabled { color: %disabled%; }
QToolButton::menu-indicator { image: none; }
QPushButton { background: %raised%; color: %text%; border: 1px solid %border%; border-radius: 5px; padding: 5px 14px; }
QPushButton:hover { background: %hover%; }
QPushButton:pressed { background: %pressed%; }
QPushButton:focus { border-color: %accent%; }
QPushButton:default, QPushButton[primary="true"] { background: %accent%; color: %accentText%; border-color: %accent%; }
QPushButton:default:hover, QPushButton[primary="true"]:hover { background: %accentHover%; }
QPushButton:disabled { color: %disabled%; background: %window%; border-color: %border%; }
QLineEdit, QComboBox, QAbstractSpinBox { background: %surface%; color: %text%; border: 1px solid %border%; border-radius: 5px;
  padding: 3px 6px; min-height: 20px; selection-background-color: %accent%; selection-color: %accentText%; }
QLineEdit:hover, QComboBox:hover, QAbstractSpinBox:hover { border-color: %mutedText%; }
QLineEdit:focus, QComboBox:focus, QAbstractSpinBox:focus { border-color: %accent%; }
QLineEdit:disabled, QComboBox:disabled, QAbstractSpinBox:disabled { color: %disabled%; background: %window%; }
QLineEdit[invalid="true"] { border-color: %bad%; }
QComboBox QLineEdit, QAbstractSpinBox QLineEdit { border: 0; padding: 0; background: transparent; min-height: 0; }
QComboBox::drop-down { border: 0; width: 22px; }
QComboBox::down-arrow { image: url(%down%); width: 14px; height: 14px; }
QComboBox QAbstractItemView { background: %raised%; color: %text%; border: 1px solid %border%; outline: 0; padding: 3px;
  selection-background-color: %accent%; selection-color: %accentText%; }
QComboBox QAbstractItemView::item { min-height: 24px; }
QAbstractSpinBox::up-button, QAbstractSpinBox::down-button { border: 0; width: 18px; background: transparent; }
QAbstractSpinBox::up-button:hover, QAbstractSpinBox::down-button:hover { background: %hover%; }
QAbstractSpinBox::up-arrow { image: url(%up%); width: 11px; height: 11px; }
QAbstractSpinBox::down-arrow { image: url(%down%); width: 11px; height: 11px; }
QCheckBox { spacing: 7px; }
QCheckBox::indicator { width: 15px; height: 15px; border: 1px solid %mutedText%; border-radius: 4px; background: %surface%; }
QCheckBox::indicator:hover { border-color: %accent%; }
QCheckBox::indicator:checked { background: %accent%; border-color: %accent%; image: url(%tick%); }
QCheckBox:focus { color: %accent%; }
QSlider { min-height: 20px; }
QSlider::groove:horizontal { height: 4px; border-radius: 2px; background: %border%; }
QSlider::sub-page:horizontal { height: 4px; border-radius: 2px; background: %accent%; }
QSlider::handle:horizontal { width: 14px; height: 14px; margin: -6px 0; border-radius: 8px; background: %accent%; border: 1px solid %surface%; }
QSlider::handle:horizontal:hover { background: %accentHover%; }
QSlider::handle:horizontal:focus { border: 2px solid %text%; width: 12px; height: 12px; }
QSlider::sub-page:horizontal:disabled, QSlider::handle:horizontal:disabled { background: %disabled%; }
QTreeView, QTableView, QListView, QTextBrowser, QPlainTextEdit { background: %surface%; color: %text%; border: 0; alternate-background-color: %alternate%;
  selection-background-color: %selection%; selection-color: %text%; outline: 0; }
QTreeView::item { padding: 2px 4px; border: 0; }
QTreeView::item:hover { background: %hover%; }
QTreeView::item:selected { background: %selection%; color: %text%; }
QTreeView::branch:has-children:closed { image: url(%right%); }
QTreeView::branch:has-children:open { image: url(%down%); }
QTreeView::branch:selected { background: %selection%; }
QHeaderView { background: %window%; }
QHeaderView::section { background: %window%; color: %mutedText%; border: 0; border-right: 1px solid %border%; border-bottom: 1px solid %border%; padding: 4px 6px; }
QHeaderView::section:hover { color: %text%; }
QHeaderView::up-arrow { image: url(%up%); width: 10px; height: 10px; subcontrol-position: center right; subcontrol-origin: padding; right: 2px; }
QHeaderView::down-arrow { image: url(%down%); width: 10px; height: 10px; subcontrol-position: center right; subcontrol-origin: padding; right: 2px; }
QDockWidget { color: %text%; titlebar-close-icon: none; titlebar-normal-icon: none; }
QDockWidget::title { background: %window%; padding: 6px 8px; border-bottom: 1px solid %border%; }
QAbstractScrollArea::corner { background: %surface%; border: 0; }
QScrollArea { border: 0; background: transparent; }
QScrollBar:vertical { background: transparent; width: 11px; margin: 0; }
QScrollBar:horizontal { background: transparent; height: 11px; margin: 0; }
QScrollBar::handle { background: %scroll%; border-radius: 4px; margin: 2px; }
QScrollBar::handle:vertical { min-height: 28px; }
QScrollBar::handle:horizontal { min-width: 28px; }
QScrollBar::handle:hover { background: %mutedText%; }
QScrollBar::add-line, QScrollBar::sub-line { width: 0; height: 0; }
QScrollBar::add-page, QScrollBar::sub-page { background: transparent; }
QToolTip { background: %tip%; color: %tipText%; border: 1px solid %border%; padding: 4px 6px; }
QTabBar::tab { background: transparent; color: %mutedText%; padding: 6px 12px; border-bottom: 2px solid transparent; }
QTabBar::tab:selected { color: %text%; border-bottom-color: %accent%; }
QTabBar::close-button { image: url(%close%); subcontrol-position: right; width: 14px; height: 14px; border-radius: 3px; }
QTabBar::close-button:hover { background: %pressed%; }
QTabWidget::pane { border: 0; border-top: 1px solid %border%; }
QProgressBar { background: %border%; border: 0; border-radius: 2px; max-height: 4px; }
QProgressBar::chunk { background: %accent%; border-radius: 2px; }
QStatusBar { background: %window%; color: %mutedText%; }
QStatusBar::item { border: 0; }
QLabel[muted="true"] { color: %mutedText%; }
QLabel[heading="true"] { color: %text%; font-weight: 600; }
QFrame[rule="true"] { background: %border%; max-height: 1px; min-height: 1px; border: 0; }
)";

QString themed(QColor c) { return c.name(); }

QColor mixed(const QColor& a, const QColor& b, double share) {
    return QColor::fromRgbF(static_cast<float>(a.redF() * (1 - share) + b.redF() * share),
                            static_cast<float>(a.greenF() * (1 - share) + b.greenF() * share),
                            static_cast<float>(a.blueF() * (1 - share) + b.blueF() * share));
}

}  // namespace

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
    t.selection = QColor("#d8e8fa");
    t.good = QColor("#0b7a4b");
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
    t.selection = QColor("#21405f");
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
    p.setColor(QPalette::PlaceholderText, mixed(mutedText, surface, 0.25));
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
    QString sheet = QString::fromLatin1(kStyleSheet);
    const QString shade = dark ? QStringLiteral("dark") : QStringLiteral("light");
    const auto arrow = [&](const char* name) { return QStringLiteral(":/icons/%1-%2.svg").arg(QLatin1String(name), shade); };
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
        case Category::OptimizerState: return ThemeText::tr("Momentum and variance that the optimizer keeps for each parameter");
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
