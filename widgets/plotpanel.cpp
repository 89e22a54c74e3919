// SPDX-License-Identifier: Apache-2.0
#include "widgets/plotpanel.h"

#include "widgets/optionallabel.h"

#include <QAction>
#include <QHBoxLayout>
#include <QToolButton>
#include <QVBoxLayout>

namespace tidemark {

PlotPanel::PlotPanel(const QString& title, QWidget* plot, QWidget* parent)
    : QWidget(parent), m_title(new QLabel(title, this)), m_hint(new OptionalLabel(this)), m_row(new QHBoxLayout) {
    m_title->setProperty("heading", true);
    m_hint->setProperty("muted", true);
    m_hint->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    m_row->setContentsMargins(16, 4, 10, 0);
    m_row->setSpacing(4);
    m_row->addWidget(m_title);
    m_row->addSpacing(8);
    m_row->addWidget(m_hint, 1);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addLayout(m_row);
    column->addWidget(plot, 1);
    setAutoFillBackground(true);
    setBackgroundRole(QPalette::Base);
}

void PlotPanel::setTitle(const QString& title) { m_title->setText(title); }

void PlotPanel::setHint(const QString& hint) {
    m_hint->setText(hint);
    m_hint->setToolTip(hint);
}

void PlotPanel::addControl(QWidget* control) { m_row->addWidget(control); }

void PlotPanel::addCommand(QAction* action) {
    auto* button = new QToolButton(this);
    button->setDefaultAction(action);
    button->setToolButtonStyle(Qt::ToolButtonIconOnly);
    button->setAutoRaise(true);
    m_row->addWidget(button);
}

}  // namespace tidemark
