// SPDX-License-Identifier: Apache-2.0
#include "widgets/variantsbar.h"

#include "widgets/icons.h"
#include "widgets/theme.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QInputDialog>
#include <QMenu>
#include <QSignalBlocker>
#include <QTabBar>
#include <QToolButton>

namespace tidemark {
namespace {

/// With scroll buttons a tab bar keeps a minimum width, which looks like a gap beside a single tab.
constexpr qsizetype kTabsWithoutScrolling = 4;

}  // namespace

VariantsBar::VariantsBar(QWidget* parent) : QWidget(parent), m_tabs(new QTabBar(this)), m_add(new QToolButton(this)), m_row(new QHBoxLayout(this)) {
    m_tabs->setDrawBase(false);
    m_tabs->setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Preferred);
    m_tabs->setExpanding(false);
    m_tabs->setElideMode(Qt::ElideMiddle);
    m_tabs->setAccessibleName(tr("Variants"));
    m_tabs->setContextMenuPolicy(Qt::CustomContextMenu);
    m_add->setText(tr("Duplicate and change"));
    m_add->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    m_add->setToolTip(tr("Add a variant with the same settings, to change and compare (Ctrl+D)"));
    m_add->setAutoRaise(true);
    m_row->setContentsMargins(10, 2, 10, 2);
    m_row->addWidget(m_tabs);
    m_row->addWidget(m_add);
    m_row->addStretch(1);
    connect(m_tabs, &QTabBar::currentChanged, this, &VariantsBar::currentWished);
    connect(m_tabs, &QTabBar::tabCloseRequested, this, &VariantsBar::removeWished);
    connect(m_tabs, &QTabBar::tabBarDoubleClicked, this, &VariantsBar::rename);
    connect(m_tabs, &QWidget::customContextMenuRequested, this, &VariantsBar::showMenu);
    connect(m_add, &QToolButton::clicked, this, &VariantsBar::duplicateWished);
    refresh();
}

void VariantsBar::setVariants(const QStringList& names, int current, int baseline) {
    const QSignalBlocker quiet(m_tabs);
    while (m_tabs->count() > names.size()) m_tabs->removeTab(m_tabs->count() - 1);
    while (m_tabs->count() < names.size()) m_tabs->addTab({});
    const bool several = names.size() > 1;
    for (int i = 0; i < names.size(); ++i) {
        m_tabs->setTabText(i, several && i == baseline ? tr("%1 (baseline)").arg(names[i]) : names[i]);
        m_tabs->setTabToolTip(i, tr("%1\nDouble-click renames; the context menu sets the baseline").arg(names[i]));
    }
    m_tabs->setTabsClosable(several);
    m_tabs->setUsesScrollButtons(names.size() > kTabsWithoutScrolling);
    m_tabs->setCurrentIndex(current);
    m_baseline = baseline;
}

void VariantsBar::addCommand(QAction* action) {
    auto* button = new QToolButton(this);
    button->setDefaultAction(action);
    button->setToolButtonStyle(Qt::ToolButtonIconOnly);
    button->setAutoRaise(true);
    const auto follow = [button, action] { button->setVisible(action->isVisible()); };
    connect(action, &QAction::changed, button, follow);
    follow();
    m_row->insertWidget(m_row->count() - 1, button);
}

void VariantsBar::rename(int index) {
    if (index < 0) return;
    bool accepted = false;
    QString name = m_tabs->tabText(index);
    if (m_tabs->count() > 1 && index == m_baseline) name.remove(tr("%1 (baseline)").arg(QString()));
    name = QInputDialog::getText(this, tr("Rename variant"), tr("Name"), QLineEdit::Normal, name, &accepted);
    if (accepted && !name.trimmed().isEmpty()) emit renameWished(index, name.trimmed());
}

void VariantsBar::showMenu(const QPoint& at) {
    const int index = m_tabs->tabAt(at);
    if (index < 0) return;
    QMenu menu(this);
    connect(menu.addAction(tr("Rename…")), &QAction::triggered, this, [this, index] { rename(index); });
    QAction* baseline = menu.addAction(tr("Compare others with this one"));
    baseline->setEnabled(index != m_baseline);
    connect(baseline, &QAction::triggered, this, [this, index] { emit baselineWished(index); });
    QAction* remove = menu.addAction(tr("Remove"));
    remove->setEnabled(m_tabs->count() > 1);
    connect(remove, &QAction::triggered, this, [this, index] { emit removeWished(index); });
    menu.exec(m_tabs->mapToGlobal(at));
}

void VariantsBar::refresh() { m_add->setIcon(icon(QStringLiteral("duplicate"), Theme::of(palette()).mutedText)); }

void VariantsBar::changeEvent(QEvent* event) {
    if (event->type() == QEvent::PaletteChange) refresh();
    QWidget::changeEvent(event);
}

}  // namespace tidemark
