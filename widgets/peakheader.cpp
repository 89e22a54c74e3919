// SPDX-License-Identifier: Apache-2.0
#include "widgets/peakheader.h"

#include "widgets/flowlayout.h"
#include "widgets/optionallabel.h"
#include "widgets/text.h"
#include "widgets/theme.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QPainterPath>
#include <QVBoxLayout>

namespace tidemark {
namespace {

constexpr int kSwatch = 10;

}  // namespace

LegendChip::LegendChip(const QString& name, const QColor& color, Mark mark, QWidget* parent)
    : QAbstractButton(parent), m_color(color), m_mark(mark) {
    setText(name);
    setCheckable(true);
    setChecked(true);
    setFocusPolicy(Qt::StrongFocus);
    setAttribute(Qt::WA_Hover);
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
}

void LegendChip::setValue(const QString& value) {
    if (m_value == value) return;
    m_value = value;
    setAccessibleDescription(value);
    updateGeometry();
    update();
}

void LegendChip::setColor(const QColor& color) {
    m_color = color;
    update();
}

QSize LegendChip::sizeHint() const {
    // Room for the widest usual figure, so that chips do not jump while the slider moves.
    const int value = m_mark == Mark::Line ? 0
                                           : qMax(fontMetrics().horizontalAdvance(m_value),
                                                  fontMetrics().horizontalAdvance(QStringLiteral("000.0 MiB"))) +
                                                 6;
    return {kSwatch + 8 + fontMetrics().horizontalAdvance(text()) + value + 14, fontMetrics().height() + 8};
}

void LegendChip::paintEvent(QPaintEvent*) {
    const Theme theme = Theme::of(palette());
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const QRectF box = QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5);
    if (underMouse() || hasFocus()) {
        QColor ground = theme.text;
        ground.setAlphaF(0.07f);
        painter.setPen(hasFocus() ? QPen(theme.accent, 1) : QPen(Qt::NoPen));
        painter.setBrush(ground);
        painter.drawRoundedRect(box, 5, 5);
    }
    const QRectF swatch(6, (height() - kSwatch) / 2.0, kSwatch, kSwatch);
    if (m_mark == Mark::Line) {
        painter.setPen(QPen(isChecked() ? m_color : theme.border, 2.2));
        painter.drawLine(QPointF(swatch.left(), swatch.center().y()), QPointF(swatch.right() + 1, swatch.center().y()));
    } else {
        painter.setPen(QPen(isChecked() ? m_color : theme.mutedText, 1.2));
        painter.setBrush(isChecked() ? QBrush(m_color) : QBrush(Qt::NoBrush));
        painter.drawRoundedRect(swatch, 2, 2);
    }
    QFont face = font();
    face.setStrikeOut(!isChecked());
    painter.setFont(face);
    painter.setPen(isChecked() ? theme.text : theme.mutedText);
    const QRect words = rect().adjusted(kSwatch + 12, 0, -6, 0);
    painter.drawText(words, Qt::AlignLeft | Qt::AlignVCenter, text());
    if (m_value.isEmpty()) return;
    painter.setFont(font());
    painter.setPen(theme.mutedText);
    painter.drawText(words.adjusted(fontMetrics().horizontalAdvance(text()) + 6, 0, 6, 0),
                     Qt::AlignLeft | Qt::AlignVCenter, m_value);
}

/// The parts of the peak side by side, in proportion.
class PeakHeader::Composition : public QWidget {
public:
    using QWidget::QWidget;

    void set(const std::optional<PeakFigures>& figures) {
        m_figures = figures;
        update();
    }
    QSize sizeHint() const override { return {200, 8}; }

protected:
    void paintEvent(QPaintEvent*) override {
        QPainter painter(this);
        painter.setRenderHint(QPainter::Antialiasing);
        QPainterPath outline;
        outline.addRoundedRect(rect(), 4, 4);
        painter.setClipPath(outline);
        painter.fillRect(rect(), Theme::of(palette()).border);
        if (!m_figures || m_figures->categories.total().count <= 0) return;
        const double scale = width() / static_cast<double>(m_figures->categories.total().count);
        double x = 0;
        for (const Category category : kCategories) {
            const double part = scale * static_cast<double>(m_figures->categories[category].count);
            painter.fillRect(QRectF(x, 0, part, height()), categoryColor(category));
            x += part;
        }
    }

private:
    std::optional<PeakFigures> m_figures;
};

PeakHeader::PeakHeader(QWidget* parent)
    : QWidget(parent), m_title(new OptionalLabel(this)), m_composition(new Composition(this)) {
    auto* figures = new QHBoxLayout;
    figures->setSpacing(26);
    m_process = makeFigure(
        tr("Process"), tr("What nvidia-smi shows: reserved memory and the CUDA context. “Fits” is decided on this."),
        true, figures);
    m_reserved = makeFigure(tr("Reserved"), tr("Segments the caching allocator took from the card"), false, figures);
    m_allocated = makeFigure(tr("Allocated"), tr("Bytes of tensors at the peak"), false, figures);
    m_title->setAlignment(Qt::AlignRight | Qt::AlignTop);
    m_title->setProperty("muted", true);
    m_title->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    figures->addWidget(m_title, 1);

    m_composition->setFixedHeight(8);
    m_composition->setToolTip(tr("The parts of the allocated peak"));
    auto* chips = new FlowLayout(nullptr, 2, 0);
    for (const Category category : kCategories) {
        auto* chip = new LegendChip(categoryLabel(category), categoryColor(category), LegendChip::Mark::Area, this);
        chip->setToolTip(categoryHint(category) + QLatin1Char('\n') + tr("Click to show or hide it in both plots"));
        connect(chip, &QAbstractButton::toggled, this,
                [this, category](bool on) { emit categoryToggled(category, on); });
        m_chips[static_cast<std::size_t>(category)] = chip;
        chips->addWidget(chip);
    }
    m_reservedChip = new LegendChip(tr("Reserved"), {}, LegendChip::Mark::Line, this);
    m_processChip = new LegendChip(tr("Process"), {}, LegendChip::Mark::Line, this);
    m_reservedChip->setToolTip(tr("Reserved memory as a line"));
    m_processChip->setToolTip(tr("Process memory as a line with its band; dashed between exact points"));
    connect(m_reservedChip, &QAbstractButton::toggled, this, &PeakHeader::reservedToggled);
    connect(m_processChip, &QAbstractButton::toggled, this, &PeakHeader::processToggled);

    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(16, 12, 16, 6);
    column->setSpacing(9);
    column->addLayout(figures);
    column->addWidget(m_composition);
    column->addLayout(chips);
    setAutoFillBackground(true);
    setBackgroundRole(QPalette::Base);
    refresh();
}

PeakHeader::Figure PeakHeader::makeFigure(const QString& name, const QString& hint, bool main, QLayout* row) {
    auto* box = new QWidget(this);
    auto* column = new QVBoxLayout(box);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    Figure figure{new QLabel(box), new QLabel(name, box)};
    QFont large = font();
    large.setPointSizeF(large.pointSizeF() * (main ? 2.0 : 1.45));
    large.setWeight(main ? QFont::DemiBold : QFont::Normal);
    figure.value->setFont(large);
    figure.value->setTextInteractionFlags(Qt::TextSelectableByMouse);
    figure.value->setAccessibleName(name);
    figure.caption->setProperty("muted", true);
    column->addStretch();
    column->addWidget(figure.value);
    column->addWidget(figure.caption);
    box->setToolTip(hint);
    row->addWidget(box);
    return figure;
}

void PeakHeader::setFigures(const std::optional<PeakFigures>& figures) {
    m_figures = figures;
    refresh();
}

void PeakHeader::setUnits(ByteUnits units) {
    m_units = units;
    refresh();
}

QString PeakHeader::processText() const { return m_process.value->text(); }
QString PeakHeader::allocatedText() const { return m_allocated.value->text(); }
QString PeakHeader::reservedText() const { return m_reserved.value->text(); }

void PeakHeader::refresh() {
    const Theme theme = Theme::of(palette());
    m_reservedChip->setColor(theme.mutedText);
    m_processChip->setColor(theme.text);
    m_composition->set(m_figures);
    if (!m_figures) {
        for (const Figure& figure : {m_process, m_reserved, m_allocated}) figure.value->setText(QStringLiteral("–"));
        m_process.caption->setText(tr("Process"));
        m_title->clear();
        for (LegendChip* chip : m_chips) chip->setValue({});
        chip(Category::GradientBuckets)->hide();
        return;
    }
    const QString about = m_figures->exact ? QString() : QStringLiteral("≈ ");
    const auto size = [&](Bytes bytes) { return about + sizeText(bytes, m_units); };
    m_process.value->setText(size(m_figures->process));
    m_reserved.value->setText(size(m_figures->reserved));
    m_allocated.value->setText(size(m_figures->allocated));
    const bool band = m_figures->processLow != m_figures->processHigh;
    m_process.caption->setText(
        band ? tr("Process, %1 to %2")
                   .arg(sizeText(m_figures->processLow, m_units), sizeText(m_figures->processHigh, m_units))
             : tr("Process"));
    m_title->setText(tr("Peak of the step at batch %1").arg(countText(m_figures->batch)) + QLatin1Char('\n') +
                     (m_figures->exact ? tr("exact") : tr("interpolated, measuring …")));
    for (const Category category : kCategories)
        chip(category)->setValue(sizeText(m_figures->categories[category], m_units));
    // Only steps on several cards have them.
    chip(Category::GradientBuckets)->setVisible(m_figures->categories[Category::GradientBuckets] > Bytes{});
}

void PeakHeader::changeEvent(QEvent* event) {
    if (event->type() == QEvent::PaletteChange) refresh();
    QWidget::changeEvent(event);
}

}  // namespace tidemark
