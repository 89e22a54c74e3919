// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QLabel>

namespace tidemark {

/// One line of words, with dots at its end where the room does not suffice for all of them. Its tool tip has them all.
class ElidedLabel : public QLabel {
public:
    explicit ElidedLabel(QWidget* parent) : QLabel(parent) {
        setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    }

    void setWords(const QString& words) {
        m_words = words;
        setToolTip(words);
        fit();
    }
    const QString& words() const { return m_words; }

protected:
    void resizeEvent(QResizeEvent* event) override {
        QLabel::resizeEvent(event);
        fit();
    }

private:
    void fit() { setText(fontMetrics().elidedText(m_words, Qt::ElideRight, contentsRect().width())); }

    QString m_words;
};

}  // namespace tidemark
