// SPDX-License-Identifier: Apache-2.0
#include "widgets/pagelayout.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QVBoxLayout>

namespace tidemark {

void layOutPage(QWidget* page, const QString& title, QLabel* hint, const QList<QWidget*>& commands, QWidget* content) {
    auto* heading = new QLabel(title, page);
    heading->setProperty("heading", true);
    hint->setProperty("muted", true);
    hint->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    auto* row = new QHBoxLayout;
    row->setContentsMargins(16, 4, 10, 4);
    row->addWidget(heading);
    row->addSpacing(8);
    row->addWidget(hint, 1);
    for (QWidget* command : commands) row->addWidget(command);
    auto* column = new QVBoxLayout(page);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addLayout(row);
    column->addWidget(content, 1);
    page->setAutoFillBackground(true);
    page->setBackgroundRole(QPalette::Base);
}

}  // namespace tidemark
