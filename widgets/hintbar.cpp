// SPDX-License-Identifier: Apache-2.0
#include "widgets/hintbar.h"

#include "widgets/icons.h"
#include "widgets/theme.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QToolButton>

namespace tidemark {

HintBar::HintBar(QWidget* parent)
    : QFrame(parent),
      m_icon(new QLabel(this)),
      m_text(new QLabel(this)),
      m_place(new QLabel(this)),
      m_next(new QToolButton(this)),
      m_close(new QToolButton(this)) {
    m_hints = {
        tr("Drag the batch slider, or click into the upper plot: plots, table and verdict follow. Dots are exact "
           "runs."),
        tr("Process memory is what nvidia-smi shows, reserved what PyTorch's allocator keeps, allocated the tensors. "
           "F1 explains all three."),
        tr("The red line is the card. Choose another at the right, or drag the line to another memory size."),
        tr("“Duplicate and change” keeps these settings as a variant, to set side by side with others."),
        tr("Right-click a layer to checkpoint it; Ctrl+click into a plot marks a place to measure differences from.")};
    setAccessibleName(tr("Hints"));
    m_text->setWordWrap(true);
    m_place->setProperty("muted", true);
    m_next->setText(tr("Next hint"));
    m_close->setText(tr("No more hints"));
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(14, 6, 8, 6);
    row->setSpacing(10);
    row->addWidget(m_icon, 0, Qt::AlignTop);
    row->addWidget(m_text, 1);
    row->addWidget(m_place);
    row->addWidget(m_next);
    row->addWidget(m_close);
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Maximum);
    connect(m_next, &QToolButton::clicked, this, [this] { show(m_shown + 1); });
    connect(m_close, &QToolButton::clicked, this, &HintBar::end);
    hide();
    refresh();
}

QString HintBar::text() const { return m_text->text(); }

void HintBar::begin() {
    show(0);
    QFrame::show();
}

void HintBar::show(qsizetype hint) {
    if (hint >= m_hints.size()) {
        end();
        return;
    }
    m_shown = hint;
    m_text->setText(m_hints[hint]);
    m_place->setText(tr("%1 of %2").arg(hint + 1).arg(m_hints.size()));
    m_next->setText(hint + 1 < m_hints.size() ? tr("Next hint") : tr("Got it"));
    m_close->setVisible(hint + 1 < m_hints.size());
}

void HintBar::end() {
    hide();
    emit done();
}

void HintBar::refresh() {
    m_icon->setPixmap(iconPixmap(QStringLiteral("info"), Theme::of(palette()).accent, 18, devicePixelRatioF()));
}

void HintBar::changeEvent(QEvent* event) {
    if (event->type() == QEvent::PaletteChange) refresh();
    QFrame::changeEvent(event);
}

void HintBar::paintEvent(QPaintEvent*) {
    const Theme theme = Theme::of(palette());
    QPainter painter(this);
    painter.fillRect(rect(), theme.selection);
    painter.fillRect(QRect(0, height() - 1, width(), 1), theme.border);
}

}  // namespace tidemark
