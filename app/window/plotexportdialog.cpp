// SPDX-License-Identifier: Apache-2.0
#include "app/window/plotexportdialog.h"

#include <QCoreApplication>
#include <QDialog>
#include <QDialogButtonBox>
#include <QDoubleSpinBox>
#include <QFormLayout>
#include <QLabel>
#include <QPushButton>
#include <QSpinBox>

namespace tidemark {
namespace {

struct PlotExport {
    Q_DECLARE_TR_FUNCTIONS(PlotExport)
};

constexpr int kSmallest = 200;
constexpr int kLargest = 8000;

QSpinBox* lengthBox(int value, QWidget* parent) {
    auto* box = new QSpinBox(parent);
    box->setRange(kSmallest, kLargest);
    box->setSingleStep(20);
    box->setValue(value);
    return box;
}

}  // namespace

std::optional<PlotPicture> askForPlotPicture(QWidget* parent, const PlotPicture& last) {
    QDialog dialog(parent);
    dialog.setWindowTitle(PlotExport::tr("Size of the picture"));
    auto* form = new QFormLayout(&dialog);
    auto* width = lengthBox(last.size.width(), &dialog);
    auto* height = lengthBox(last.size.height(), &dialog);
    auto* scale = new QDoubleSpinBox(&dialog);
    scale->setRange(1, 8);
    scale->setSingleStep(0.5);
    scale->setDecimals(1);
    scale->setPrefix(QStringLiteral("× "));
    scale->setValue(last.scale);
    auto* pixels = new QLabel(&dialog);
    pixels->setProperty("muted", true);
    const auto tell = [=] {
        pixels->setText(PlotExport::tr("A PNG gets %1 × %2 pixels; an SVG can be drawn at any size.")
                            .arg(qRound(width->value() * scale->value()))
                            .arg(qRound(height->value() * scale->value())));
    };
    QObject::connect(width, &QSpinBox::valueChanged, &dialog, tell);
    QObject::connect(height, &QSpinBox::valueChanged, &dialog, tell);
    QObject::connect(scale, &QDoubleSpinBox::valueChanged, &dialog, tell);
    tell();
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel, &dialog);
    buttons->button(QDialogButtonBox::Ok)->setText(PlotExport::tr("Choose file…"));
    QObject::connect(buttons, &QDialogButtonBox::accepted, &dialog, &QDialog::accept);
    QObject::connect(buttons, &QDialogButtonBox::rejected, &dialog, &QDialog::reject);
    form->addRow(PlotExport::tr("Width"), width);
    form->addRow(PlotExport::tr("Height"), height);
    form->addRow(PlotExport::tr("Resolution"), scale);
    form->addRow(pixels);
    form->addRow(buttons);
    if (dialog.exec() != QDialog::Accepted) return {};
    return PlotPicture{{width->value(), height->value()}, scale->value()};
}

}  // namespace tidemark
