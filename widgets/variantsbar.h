// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QWidget>

class QAction;
class QHBoxLayout;
class QTabBar;
class QToolButton;

namespace tidemark {

/// The variants of the plan as tabs; the baseline is marked.
class VariantsBar : public QWidget {
    Q_OBJECT

public:
    explicit VariantsBar(QWidget* parent = nullptr);

    void setVariants(const QStringList& names, int current, int baseline);
    /// A command that acts on the variants; its button is hidden with the action.
    void addCommand(QAction* action);
    QTabBar* tabs() const { return m_tabs; }

signals:
    void currentWished(int index);
    void duplicateWished();
    void removeWished(int index);
    void baselineWished(int index);
    void renameWished(int index, const QString& name);

protected:
    void changeEvent(QEvent* event) override;

private:
    void showMenu(const QPoint& at);
    void rename(int index);
    void refresh();

    QTabBar* m_tabs;
    QToolButton* m_add;
    QHBoxLayout* m_row;
    int m_baseline = 0;
};

}  // namespace tidemark
