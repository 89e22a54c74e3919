// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QByteArray>
#include <QRectF>
#include <QString>

#include <vector>

namespace tidemark {

/// A section of a PDF: an entry of its outline, and a link on the first page that leads to it. Lengths are points from
/// the lower left corner, as PDF counts them.
struct PdfSection {
    QString title;
    int page = 0;      ///< from 0
    double top = 0;
    QRectF link{};     ///< on the first page; empty: none
};

/// The PDF with an outline and with links on its first page, which QPdfWriter cannot write: they are added as an
/// incremental update (PDF 1.4, 3.4.5), so that what QPdfWriter wrote stays as it is. A file of another form than
/// QPdfWriter's comes back unchanged.
QByteArray withOutline(const QByteArray& pdf, const std::vector<PdfSection>& sections);

}  // namespace tidemark
