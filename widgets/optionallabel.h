// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QLabel>

namespace tidemark {

/// Words that are not needed: where there is too little room for all of them, there are none.
class OptionalLabel : public QLabel {
public:
    explicit OptionalLabel(QWidget* parent) : QLabel(parent) {
        setProperty("optional", true);
        setMinimumWidth(1);
    }

protected:
    void paintEvent(QPaintEvent* event) override {
        if (fontMetrics().size(0, text()).width() <= width()) QLabel::paintEvent(event);
    }
};

}  // namespace tidemark
