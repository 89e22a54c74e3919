// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/base/result.h"

#include <QFrame>

class QLabel;
class QPlainTextEdit;
class QToolButton;

namespace tidemark {

/// A message inside the window that takes nothing away from what was there: one sentence, and the raw words on demand.
class ErrorBar : public QFrame {
    Q_OBJECT

public:
    enum class Kind { Error, Note };

    explicit ErrorBar(QWidget* parent = nullptr);

    void showError(const Error& error);
    void showNote(const QString& message, const QString& detail = {});
    void dismiss();
    Kind kind() const { return m_kind; }
    QString message() const;
    QString detail() const;
    QToolButton* detailsButton() const { return m_details; }

protected:
    void changeEvent(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    void display(Kind kind, const QString& message, const QString& detail);
    void refresh();

    Kind m_kind = Kind::Error;
    QLabel* m_icon;
    QLabel* m_message;
    QToolButton* m_details;
    QToolButton* m_close;
    QPlainTextEdit* m_text;
};

}  // namespace tidemark
