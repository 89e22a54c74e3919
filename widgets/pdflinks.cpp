// SPDX-License-Identifier: Apache-2.0
#include "widgets/pdflinks.h"

#include <QRegularExpression>

#include <map>
#include <optional>

namespace tidemark {
namespace {

constexpr qsizetype kCrossReferenceLine = 20;

/// "/Name 12" or "/Name 12 0 R": the number; empty when it is not there.
std::optional<int> numberAfter(const QByteArray& text, const char* name) {
    const qsizetype at = text.lastIndexOf(name);
    if (at < 0) return {};
    const QRegularExpression number(QStringLiteral("^\\s*(\\d+)"));
    const auto match = number.match(QString::fromLatin1(text.mid(at + qstrlen(name), 24)));
    return match.hasMatch() ? std::optional(match.captured(1).toInt()) : std::nullopt;
}

/// A text string of PDF in UTF-16, as hexadecimal digits.
QByteArray hexText(const QString& text) {
    QByteArray hex = "<FEFF";
    for (const QChar c : text) hex += QByteArray::number(c.unicode(), 16).rightJustified(4, '0').toUpper();
    return hex + '>';
}

/// What of the file is needed to add to it.
class PdfFile {
public:
    explicit PdfFile(const QByteArray& pdf) : m_pdf(pdf) {
        const auto table = numberAfter(pdf, "startxref");
        const auto size = numberAfter(pdf, "/Size");
        const auto root = numberAfter(pdf, "/Root");
        const auto info = numberAfter(pdf, "/Info");
        if (!table || !size || !root || !info) return;
        m_table = *table;
        m_size = *size;
        m_root = *root;
        m_info = *info;
        m_pages = readPages();
    }

    bool isReadable() const { return !m_pages.empty(); }
    int size() const { return m_size; }
    int root() const { return m_root; }
    const std::vector<int>& pages() const { return m_pages; }

    /// From "N 0 obj" to "endobj"; empty for what is not there.
    QByteArray object(int number) const {
        const qsizetype lines = m_pdf.indexOf('\n', m_pdf.indexOf('\n', m_table) + 1) + 1;
        const qsizetype offset = m_pdf.mid(lines + number * kCrossReferenceLine, 10).toLongLong();
        const qsizetype end = m_pdf.indexOf("endobj", offset);
        if (number <= 0 || number >= m_size || end < 0) return {};
        const QByteArray text = m_pdf.mid(offset, end - offset);
        return text.startsWith(QByteArray::number(number) + " 0 obj") ? text : QByteArray();
    }

    /// The file with the objects added, by number; those it has already are replaced.
    QByteArray with(const std::map<int, QByteArray>& objects) const {
        QByteArray out = m_pdf;
        if (!out.endsWith('\n')) out += '\n';
        QByteArray table = "xref\n";
        for (const auto& [number, body] : objects) {
            table += QByteArray::number(number) + " 1\n" + QByteArray::number(out.size()).rightJustified(10, '0') +
                     " 00000 n \n";
            out += QByteArray::number(number) + " 0 obj\n" + body + "\nendobj\n";
        }
        const qsizetype start = out.size();
        const int size = std::max(m_size, objects.rbegin()->first + 1);
        return out + table + "trailer\n<<\n/Size " + QByteArray::number(size) + "\n/Info " +
               QByteArray::number(m_info) + " 0 R\n/Root " + QByteArray::number(m_root) + " 0 R\n/Prev " +
               QByteArray::number(m_table) + "\n>>\nstartxref\n" + QByteArray::number(start) + "\n%%EOF\n";
    }

private:
    std::vector<int> readPages() const {
        const auto tree = numberAfter(object(m_root), "/Pages");
        const QString text = QString::fromLatin1(tree ? object(*tree) : QByteArray());
        const qsizetype kids = text.indexOf(QLatin1String("/Kids"));
        std::vector<int> pages;
        static const QRegularExpression reference(QStringLiteral("(\\d+) 0 R"));
        auto found = reference.globalMatch(text.mid(kids, text.indexOf(QLatin1Char(']'), kids) - kids));
        while (kids >= 0 && found.hasNext()) pages.push_back(found.next().captured(1).toInt());
        return pages;
    }

    const QByteArray& m_pdf;
    int m_table = 0;
    int m_size = 0;
    int m_root = 0;
    int m_info = 0;
    std::vector<int> m_pages;
};

QByteArray destination(const PdfFile& file, const PdfSection& section) {
    const int page = file.pages()[static_cast<std::size_t>(section.page)];
    return "[" + QByteArray::number(page) + " 0 R /XYZ null " + QByteArray::number(section.top, 'f', 1) + " null]";
}

QByteArray linksOf(const PdfFile& file, const std::vector<PdfSection>& sections) {
    QByteArray links = "[";
    for (const PdfSection& section : sections) {
        if (section.link.isEmpty()) continue;
        links += "\n<< /Type /Annot /Subtype /Link /Border [0 0 0] /Rect [";
        for (const double edge : {section.link.left(), section.link.top(), section.link.right(), section.link.bottom()})
            links += QByteArray::number(edge, 'f', 1) + ' ';
        links += "] /Dest " + destination(file, section) + " >>";
    }
    return links + "\n]";
}

}  // namespace

QByteArray withOutline(const QByteArray& pdf, const std::vector<PdfSection>& sections) {
    const PdfFile file(pdf);
    if (!file.isReadable() || sections.empty()) return pdf;
    for (const PdfSection& section : sections)
        if (section.page < 0 || section.page >= static_cast<int>(file.pages().size())) return pdf;
    const auto annotations = numberAfter(file.object(file.pages().front()), "/Annots");
    QByteArray catalogue = file.object(file.root());
    if (!annotations || !catalogue.contains(">>")) return pdf;
    catalogue = catalogue.mid(catalogue.indexOf("<<"));

    std::map<int, QByteArray> objects;
    objects[*annotations] = linksOf(file, sections);
    const int outline = file.size();
    const int first = outline + 1;
    const int count = static_cast<int>(sections.size());
    const auto reference = [](int number) { return QByteArray::number(number) + " 0 R"; };
    objects[file.root()] =
        catalogue.insert(catalogue.lastIndexOf(">>"), "/Outlines " + reference(outline) + "\n/PageMode /UseOutlines\n");
    objects[outline] = "<< /Type /Outlines /First " + reference(first) + " /Last " + reference(first + count - 1) +
                       " /Count " + QByteArray::number(count) + " >>";
    for (int i = 0; i < count; ++i) {
        const PdfSection& section = sections[static_cast<std::size_t>(i)];
        QByteArray entry = "<< /Title " + hexText(section.title) + " /Parent " + reference(outline) + " /Dest " +
                           destination(file, section);
        if (i > 0) entry += " /Prev " + reference(first + i - 1);
        if (i + 1 < count) entry += " /Next " + reference(first + i + 1);
        objects[first + i] = entry + " >>";
    }
    return file.with(objects);
}

}  // namespace tidemark
