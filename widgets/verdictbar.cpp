// SPDX-License-Identifier: Apache-2.0
#include "widgets/verdictbar.h"

#include "widgets/elidedlabel.h"
#include "widgets/icons.h"
#include "widgets/theme.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QProgressBar>
#include <QToolButton>

namespace tidemark {
namespace {

constexpr int kIconSide = 26;

QString iconName(VerdictBar::State state) {
    switch (state) {
    case VerdictBar::State::Fits: return QStringLiteral("check");
    case VerdictBar::State::Tight: return QStringLiteral("warning");
    case VerdictBar::State::DoesNotFit:
    case VerdictBar::State::Failed: return QStringLiteral("cross");
    case VerdictBar::State::Measuring: return QStringLiteral("wait");
    case VerdictBar::State::Idle: break;
    }
    return QStringLiteral("info");
}

}  // namespace

VerdictBar::VerdictBar(QWidget* parent)
    : QFrame(parent),
      m_icon(new QLabel(this)),
      m_headline(new ElidedLabel(this)),
      m_detail(new ElidedLabel(this)),
      m_work(new QLabel(this)),
      m_progress(new QProgressBar(this)),
      m_cancel(new QToolButton(this)) {
    setAccessibleName(tr("Verdict"));
    QFont large = font();
    large.setPointSizeF(large.pointSizeF() * 1.25);
    large.setWeight(QFont::DemiBold);
    m_headline->setFont(large);
    m_headline->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_headline->setFocusPolicy(Qt::NoFocus);
    m_detail->setProperty("muted", true);
    m_detail->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_detail->setFocusPolicy(Qt::NoFocus);
    m_work->setProperty("muted", true);
    m_progress->setRange(0, 0);
    m_progress->setTextVisible(false);
    m_progress->setFixedWidth(90);
    m_cancel->setText(tr("Cancel"));
    m_cancel->setToolTip(tr("Stop the running measurement (Esc)"));

    auto* words = new QVBoxLayout;
    words->setSpacing(1);
    words->addWidget(m_headline);
    words->addWidget(m_detail);
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(16, 9, 14, 9);
    row->setSpacing(12);
    row->addWidget(m_icon);
    row->addLayout(words, 1);
    row->addWidget(m_work);
    row->addWidget(m_progress);
    row->addWidget(m_cancel);
    connect(m_cancel, &QToolButton::clicked, this, &VerdictBar::cancelWished);
    setBusy(false);
    refresh();
}

void VerdictBar::setVerdict(State state, const QString& headline, const QString& detail) {
    if (state == m_state && headline == m_headline->words() && detail == m_detail->words()) return;
    const bool recolored = state != m_state;
    m_state = state;
    m_headline->setWords(headline);
    m_detail->setWords(detail);
    m_detail->setVisible(!detail.isEmpty());
    setAccessibleDescription(headline);
    if (recolored) refresh();
}

QString VerdictBar::headline() const { return m_headline->words(); }
QString VerdictBar::detail() const { return m_detail->words(); }

void VerdictBar::setBusy(bool busy, const QString& what) {
    m_work->setText(what);
    m_work->setVisible(busy && !what.isEmpty());
    m_progress->setVisible(busy);
    m_cancel->setVisible(busy);
}

QColor VerdictBar::color() const {
    const Theme theme = Theme::of(palette());
    switch (m_state) {
    case State::Fits: return theme.good;
    case State::Tight: return theme.caution;
    case State::DoesNotFit:
    case State::Failed: return theme.bad;
    default: return theme.mutedText;
    }
}

void VerdictBar::refresh() {
    m_icon->setPixmap(iconPixmap(iconName(m_state), color(), kIconSide, devicePixelRatioF()));
    update();
}

void VerdictBar::changeEvent(QEvent* event) {
    if (event->type() == QEvent::PaletteChange) refresh();
    QFrame::changeEvent(event);
}

void VerdictBar::paintEvent(QPaintEvent*) {
    const Theme theme = Theme::of(palette());
    QPainter painter(this);
    painter.fillRect(rect(), theme.surface);
    QColor tint = color();
    tint.setAlphaF(m_state == State::Idle || m_state == State::Measuring ? 0.0f : theme.dark ? 0.14f : 0.09f);
    painter.fillRect(rect(), tint);
    painter.fillRect(QRect(0, 0, width(), 1), theme.border);
    painter.fillRect(QRect(0, 0, 4, height()), color());
}

}  // namespace tidemark
