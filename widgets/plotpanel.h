// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QWidget>

class QAction;
class QHBoxLayout;
class QLabel;

namespace tidemark {

/// A plot with a title line above it and its commands at the right.
class PlotPanel : public QWidget {
    Q_OBJECT

public:
    PlotPanel(const QString& title, QWidget* plot, QWidget* parent = nullptr);
    void setTitle(const QString& title);
    void setHint(const QString& hint);
    void addControl(QWidget* control);
    void addCommand(QAction* action);

private:
    QLabel* m_title;
    QLabel* m_hint;
    QHBoxLayout* m_row;
};

}  // namespace tidemark
