// SPDX-License-Identifier: Apache-2.0
#include "widgets/emptystate.h"

#include "widgets/icons.h"
#include "widgets/theme.h"

#include <QAbstractButton>
#include <QDir>
#include <QEvent>
#include <QFontDatabase>
#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QVBoxLayout>

namespace tidemark {
namespace {

constexpr int kColumnWidth = 340;
constexpr QMargins kAroundWords{42, 6, 8, 6};

/// A row that can be pressed: icon, title and muted words under it. Folders are elided, sentences take as many lines as
/// they need.
class OfferButton : public QAbstractButton {
public:
    OfferButton(const Offer& offer, QWidget* parent) : QAbstractButton(parent), m_hint(offer.hint) {
        setText(offer.title);
        setAccessibleDescription(offer.hint);
        setToolTip(offer.file);
        setFocusPolicy(Qt::StrongFocus);
        setCursor(Qt::PointingHandCursor);
        setAttribute(Qt::WA_Hover);
    }

    QSize sizeHint() const override { return {kColumnWidth, heightForWidth(kColumnWidth)}; }
    bool hasHeightForWidth() const override { return true; }
    int heightForWidth(int width) const override {
        return fontMetrics().height() + 2 + hintHeight(width - kAroundWords.left() - kAroundWords.right()) +
               kAroundWords.top() + kAroundWords.bottom();
    }

protected:
    void paintEvent(QPaintEvent*) override {
        const Theme theme = Theme::of(palette());
        QPainter painter(this);
        painter.setRenderHint(QPainter::Antialiasing);
        const QRectF box = QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5);
        if (underMouse() || hasFocus()) {
            painter.setPen(hasFocus() ? QPen(theme.accent, 1) : QPen(Qt::NoPen));
            painter.setBrush(theme.selection);
            painter.drawRoundedRect(box, 6, 6);
        }
        tidemark::icon(QStringLiteral("model"), theme.accent).paint(&painter, QRect(10, height() / 2 - 11, 22, 22));
        const QRect words = rect().marginsRemoved(kAroundWords);
        painter.setPen(theme.text);
        painter.drawText(words, Qt::AlignLeft | Qt::AlignTop,
                         fontMetrics().elidedText(text(), Qt::ElideMiddle, words.width()));
        painter.setPen(theme.mutedText);
        const QRect below = words.adjusted(0, fontMetrics().height() + 2, 0, 0);
        if (isFolder())
            painter.drawText(below, Qt::AlignLeft | Qt::AlignTop,
                             fontMetrics().elidedText(m_hint, Qt::ElideMiddle, below.width()));
        else
            painter.drawText(below, Qt::AlignLeft | Qt::AlignTop | Qt::TextWordWrap, m_hint);
    }

private:
    bool isFolder() const { return QDir::isAbsolutePath(m_hint); }
    int hintHeight(int width) const {
        const QRect room(0, 0, qMax(1, width), 1000);
        return isFolder() ? fontMetrics().height()
                          : fontMetrics().boundingRect(room, Qt::TextWordWrap, m_hint).height();
    }

    QString m_hint;
};

QWidget* group(const QString& title, QVBoxLayout** list, QWidget* parent) {
    auto* box = new QWidget(parent);
    box->setMaximumWidth(kColumnWidth + 20);
    auto* layout = new QVBoxLayout(box);
    layout->setContentsMargins(10, 0, 10, 0);
    layout->setSpacing(4);
    auto* label = new QLabel(title, box);
    label->setProperty("heading", true);
    layout->addWidget(label);
    *list = new QVBoxLayout;
    (*list)->setSpacing(2);
    layout->addLayout(*list);
    layout->addStretch();
    return box;
}

}  // namespace

EmptyState::EmptyState(QWidget* parent) : QWidget(parent), m_logo(new QLabel(this)) {
    setAccessibleName(tr("No model is open"));
    m_logo->setAlignment(Qt::AlignCenter);
    auto* title = new QLabel(tr("Open a model to see what its training step takes"), this);
    QFont large = font();
    large.setPointSizeF(large.pointSizeF() * 1.6);
    large.setWeight(QFont::DemiBold);
    title->setFont(large);
    title->setAlignment(Qt::AlignCenter);
    title->setWordWrap(true);
    auto* hint =
        new QLabel(tr("Drop a TorchScript file (.pt) here. Save one with torch.jit.script(model).save(\"model.pt\").\n"
                      "No GPU is needed: the step runs on a card that is not there."),
                   this);
    hint->setProperty("muted", true);
    hint->setAlignment(Qt::AlignCenter);
    hint->setWordWrap(true);
    auto* open = new QPushButton(tr("Open model…"), this);
    open->setProperty("primary", true);
    open->setToolTip(tr("Choose a TorchScript file (Ctrl+O)"));
    connect(open, &QPushButton::clicked, this, &EmptyState::openWished);

    auto* groups = new QHBoxLayout;
    groups->setSpacing(16);
    groups->addStretch();
    m_sampleGroup = group(tr("Samples"), &m_samples, this);
    m_recentGroup = group(tr("Recent"), &m_recent, this);
    groups->addWidget(m_sampleGroup);
    groups->addWidget(m_recentGroup);
    groups->addStretch();

    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(24, 24, 24, 24);
    column->addStretch(2);
    column->addWidget(m_logo);
    column->addSpacing(10);
    column->addWidget(title);
    column->addSpacing(4);
    column->addWidget(hint);
    column->addSpacing(14);
    column->addWidget(open, 0, Qt::AlignCenter);
    column->addSpacing(26);
    column->addLayout(groups);
    column->addStretch(3);
    setSamples({});
    setRecent({});
    setAutoFillBackground(true);
    setBackgroundRole(QPalette::Base);
    refresh();
}

void EmptyState::fill(QWidget* group, QVBoxLayout* list, const std::vector<Offer>& offers) {
    while (QLayoutItem* item = list->takeAt(0)) {
        delete item->widget();
        delete item;
    }
    for (const auto& offer : offers) {
        auto* button = new OfferButton(offer, group);
        connect(button, &QAbstractButton::clicked, this, [this, file = offer.file] { emit fileWished(file); });
        list->addWidget(button);
    }
    group->setVisible(!offers.empty());
}

void EmptyState::setSamples(const std::vector<Offer>& samples) { fill(m_sampleGroup, m_samples, samples); }
void EmptyState::setRecent(const std::vector<Offer>& recent) { fill(m_recentGroup, m_recent, recent); }

void EmptyState::refresh() {
    m_logo->setPixmap(
        iconPixmap(QStringLiteral("tidemark"), palette().color(QPalette::WindowText), 72, devicePixelRatioF()));
}

void EmptyState::changeEvent(QEvent* event) {
    if (event->type() == QEvent::PaletteChange) refresh();
    QWidget::changeEvent(event);
}

}  // namespace tidemark
