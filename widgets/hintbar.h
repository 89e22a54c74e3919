// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QFrame>

class QLabel;
class QToolButton;

namespace tidemark {

/// A few hints for the first hour, one at a time, above the plots. They go away for good when they have been read.
class HintBar : public QFrame {
    Q_OBJECT

public:
    explicit HintBar(QWidget* parent = nullptr);

    /// From the first hint on.
    void begin();
    int count() const { return static_cast<int>(m_hints.size()); }
    QString text() const;
    QToolButton* nextButton() const { return m_next; }
    QToolButton* closeButton() const { return m_close; }

signals:
    /// All were read, or no more are wanted.
    void done();

protected:
    void changeEvent(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    void show(qsizetype hint);
    void end();
    void refresh();

    QStringList m_hints;
    qsizetype m_shown = 0;
    QLabel* m_icon;
    QLabel* m_text;
    QLabel* m_place;
    QToolButton* m_next;
    QToolButton* m_close;
};

}  // namespace tidemark
