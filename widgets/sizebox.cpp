// SPDX-License-Identifier: Apache-2.0
#include "widgets/sizebox.h"

#include <algorithm>
#include <cmath>

namespace tidemark {
namespace {

constexpr int kLargestMiB = 1024 * 1024;
constexpr int kStepMiB = 256;

}  // namespace

SizeBox::SizeBox(QWidget* parent) : QSpinBox(parent) {
    setRange(0, kLargestMiB);
    setSingleStep(kStepMiB);
    setKeyboardTracking(false);
    setCorrectionMode(QAbstractSpinBox::CorrectToPreviousValue);
}

void SizeBox::setBytes(Bytes bytes) {
    setValue(static_cast<int>(std::clamp<std::int64_t>(bytes.count / kMiB.count, minimum(), maximum())));
}

QString SizeBox::textFromValue(int value) const {
    const double gib = value / 1024.0;
    // Whole hundredths of a GiB come back as the same number of MiB; others are told in MiB.
    if (value >= 1024 && std::lround(std::round(gib * 100) / 100 * 1024) == value)
        return tr("%1 GiB").arg(QString::number(std::round(gib * 100) / 100));
    return tr("%1 MiB").arg(value);
}

std::optional<int> SizeBox::read(const QString& text) const {
    const QString words = text.trimmed();
    bool isNumber = false;
    const double number = words.toDouble(&isNumber);
    double mib = number;
    if (!isNumber && words.endsWith(QLatin1Char('%')) && m_whole.count > 0) {
        mib = words.chopped(1).trimmed().toDouble(&isNumber) / 100 * m_whole.mib();
    } else if (!isNumber) {
        Bytes bytes;
        isNumber = parseBytes(words.toStdString(), &bytes);
        mib = bytes.mib();
    }
    if (!isNumber || !(mib >= minimum()) || !(mib <= maximum())) return {};
    return static_cast<int>(std::lround(mib));
}

int SizeBox::valueFromText(const QString& text) const {
    if (!specialValueText().isEmpty() && text == specialValueText()) return minimum();
    return read(text).value_or(value());
}

QValidator::State SizeBox::validate(QString& text, int&) const {
    if (!specialValueText().isEmpty() && text == specialValueText()) return QValidator::Acceptable;
    return read(text) ? QValidator::Acceptable : QValidator::Intermediate;
}

}  // namespace tidemark
