// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QFrame>

class QLabel;
class QProgressBar;
class QToolButton;

namespace tidemark {

class ElidedLabel;

/// The answer in words, with an icon and a colour that say the same.
class VerdictBar : public QFrame {
    Q_OBJECT

public:
    enum class State { Idle, Measuring, Fits, Tight, DoesNotFit, Failed };

    explicit VerdictBar(QWidget* parent = nullptr);

    void setVerdict(State state, const QString& headline, const QString& detail = {});
    State state() const { return m_state; }
    QString headline() const;
    QString detail() const;
    /// A quiet sign of work behind the verdict, with a way to stop it.
    void setBusy(bool busy, const QString& what = {});

signals:
    void cancelWished();

protected:
    void changeEvent(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    void refresh();
    QColor color() const;

    State m_state = State::Idle;
    QLabel* m_icon;
    ElidedLabel* m_headline;
    ElidedLabel* m_detail;
    QLabel* m_work;
    QProgressBar* m_progress;
    QToolButton* m_cancel;
};

}  // namespace tidemark
