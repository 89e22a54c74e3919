// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QList>
#include <QString>

class QLabel;
class QWidget;

namespace tidemark {

/// Lays out a page below the memory plot: a row with its title, a hint that may be left out and what can be done, and
/// its content under it.
void layOutPage(QWidget* page, const QString& title, QLabel* hint, const QList<QWidget*>& commands, QWidget* content);

}  // namespace tidemark
