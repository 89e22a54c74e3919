// SPDX-License-Identifier: Apache-2.0
#include "widgets/errorbar.h"

#include "widgets/icons.h"
#include "widgets/text.h"
#include "widgets/theme.h"

#include <QEvent>
#include <QFontDatabase>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QPainter>
#include <QPlainTextEdit>
#include <QToolButton>

namespace tidemark {
namespace {

constexpr int kDetailHeight = 130;

}  // namespace

ErrorBar::ErrorBar(QWidget* parent)
    : QFrame(parent),
      m_icon(new QLabel(this)),
      m_message(new QLabel(this)),
      m_details(new QToolButton(this)),
      m_close(new QToolButton(this)),
      m_text(new QPlainTextEdit(this)) {
    setAccessibleName(tr("Message"));
    m_message->setWordWrap(true);
    m_message->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_details->setText(tr("Details"));
    m_details->setCheckable(true);
    m_details->setToolTip(tr("Show the original words behind this message"));
    m_close->setToolTip(tr("Dismiss"));
    m_close->setAccessibleName(tr("Dismiss"));
    m_text->setReadOnly(true);
    m_text->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    m_text->setFixedHeight(kDetailHeight);
    m_text->setAccessibleName(tr("Details"));

    auto* row = new QHBoxLayout;
    row->setSpacing(10);
    row->addWidget(m_icon, 0, Qt::AlignTop);
    row->addWidget(m_message, 1);
    row->addWidget(m_details, 0, Qt::AlignTop);
    row->addWidget(m_close, 0, Qt::AlignTop);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(14, 8, 8, 8);
    column->addLayout(row);
    column->addWidget(m_text);
    connect(m_details, &QToolButton::toggled, m_text, &QWidget::setVisible);
    connect(m_close, &QToolButton::clicked, this, &ErrorBar::dismiss);
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Maximum);
    hide();
    refresh();
}

void ErrorBar::showError(const Error& error) {
    display(Kind::Error, localText(error.message), QString::fromStdString(error.detail));
}

void ErrorBar::showNote(const QString& message, const QString& detail) { display(Kind::Note, message, detail); }

void ErrorBar::display(Kind kind, const QString& message, const QString& detail) {
    m_kind = kind;
    m_message->setText(message);
    m_text->setPlainText(detail);
    m_details->setVisible(!detail.isEmpty());
    m_details->setChecked(false);
    m_text->hide();
    setAccessibleDescription(message);
    refresh();
    show();
}

void ErrorBar::dismiss() { hide(); }
QString ErrorBar::message() const { return m_message->text(); }
QString ErrorBar::detail() const { return m_text->toPlainText(); }

void ErrorBar::refresh() {
    const Theme theme = Theme::of(palette());
    const bool error = m_kind == Kind::Error;
    m_icon->setPixmap(iconPixmap(error ? QStringLiteral("warning") : QStringLiteral("info"),
                                 error ? theme.bad : theme.accent, 20, devicePixelRatioF()));
    m_close->setIcon(icon(QStringLiteral("close"), theme.mutedText));
    update();
}

void ErrorBar::changeEvent(QEvent* event) {
    if (event->type() == QEvent::PaletteChange) refresh();
    QFrame::changeEvent(event);
}

void ErrorBar::paintEvent(QPaintEvent*) {
    const Theme theme = Theme::of(palette());
    const QColor color = m_kind == Kind::Error ? theme.bad : theme.accent;
    QColor tint = color;
    tint.setAlphaF(theme.dark ? 0.16f : 0.09f);
    QPainter painter(this);
    painter.fillRect(rect(), theme.surface);
    painter.fillRect(rect(), tint);
    painter.fillRect(QRect(0, height() - 1, width(), 1), theme.border);
    painter.fillRect(QRect(0, 0, 4, height()), color);
}

void ErrorBar::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Escape)
        dismiss();
    else
        QFrame::keyPressEvent(event);
}

}  // namespace tidemark
