// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/base/bytes.h"

#include <QSpinBox>

#include <optional>

namespace tidemark {

/// A field for sizes of memory. Its value counts MiB; it shows and reads them as people write them: "512 MiB",
/// "1.5 GiB", "2g", "500 MB", a bare number of MiB, or a share of the whole ("10 %").
class SizeBox : public QSpinBox {
    Q_OBJECT

public:
    explicit SizeBox(QWidget* parent = nullptr);

    /// What a share is a share of; zero: shares are not read.
    void setWhole(Bytes whole) { m_whole = whole; }
    Bytes bytes() const { return kMiB * value(); }
    void setBytes(Bytes bytes);

protected:
    QString textFromValue(int value) const override;
    int valueFromText(const QString& text) const override;
    QValidator::State validate(QString& text, int& position) const override;

private:
    std::optional<int> read(const QString& text) const;

    Bytes m_whole;
};

}  // namespace tidemark
