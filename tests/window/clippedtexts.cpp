// SPDX-License-Identifier: Apache-2.0
#include "tests/window/clippedtexts.h"

#include "widgets/elidedlabel.h"

#include <QAbstractButton>
#include <QAbstractSpinBox>
#include <QComboBox>
#include <QGroupBox>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QScrollArea>
#include <QStyle>
#include <QStyleOptionComboBox>
#include <QTabBar>
#include <QTextDocument>
#include <QToolButton>

#include <algorithm>

namespace tidemark::testing {
namespace {

class Finder {
public:
    explicit Finder(const QWidget* root) : m_root(root) {}

    QStringList find() {
        look(m_root);
        for (const QWidget* widget : m_root->findChildren<QWidget*>())
            if (widget->isVisibleTo(m_root) && !widget->visibleRegion().isEmpty()) look(widget);
        return m_found;
    }

private:
    void look(const QWidget* widget) {
        if (const auto* label = qobject_cast<const QLabel*>(widget)) return lookAtLabel(label);
        if (const auto* button = qobject_cast<const QAbstractButton*>(widget)) {
            if (!button->text().isEmpty()) note(widget, button->text(), button->sizeHint().width(), button->width());
            return;
        }
        if (const auto* box = qobject_cast<const QGroupBox*>(widget))
            return note(widget, box->title(), widthOf(box, box->title()), box->width());
        if (const auto* box = qobject_cast<const QComboBox*>(widget)) return lookAtComboBox(box);
        if (const auto* line = qobject_cast<const QLineEdit*>(widget)) {
            // What people type may be longer than the field; what a spin box shows may not.
            const bool ofSpinBox = qobject_cast<const QAbstractSpinBox*>(line->parentWidget()) != nullptr;
            const QString text = line->text().isEmpty() ? line->placeholderText() : ofSpinBox ? line->text() : QString();
            return note(widget, text, widthOf(line, text), line->contentsRect().width());
        }
        if (const auto* tabs = qobject_cast<const QTabBar*>(widget)) return lookAtTabs(tabs);
        if (const auto* header = qobject_cast<const QHeaderView*>(widget)) lookAtHeader(header);
    }

    void lookAtLabel(const QLabel* label) {
        // Those marked as optional are shown whole or not at all.
        if (label->text().isEmpty() || label->property("optional").toBool()) return;
        const QRect room = label->contentsRect();
        if (const auto* elided = dynamic_cast<const ElidedLabel*>(label))
            return note(label, elided->words(), widthOf(label, elided->words()), room.width());
        QTextDocument document;
        document.setDefaultFont(label->font());
        document.setDocumentMargin(0);
        if (Qt::mightBeRichText(label->text()))
            document.setHtml(label->text());
        else
            document.setPlainText(label->text());
        if (!label->wordWrap()) return note(label, label->text(), qCeil(document.idealWidth()), room.width());
        document.setTextWidth(room.width());
        if (document.idealWidth() > room.width() + 1) note(label, label->text(), qCeil(document.idealWidth()), room.width());
        note(label, label->text() + QStringLiteral(" (height)"), label->heightForWidth(label->width()), label->height());
    }

    void lookAtComboBox(const QComboBox* box) {
        QStyleOptionComboBox option;
        option.initFrom(box);
        option.editable = box->isEditable();
        const QRect room =
            box->style()->subControlRect(QStyle::CC_ComboBox, &option, QStyle::SC_ComboBoxEditField, box);
        note(box, box->currentText(), widthOf(box, box->currentText()), room.width());
    }

    void lookAtTabs(const QTabBar* tabs) {
        // Those that lie beyond the end are fine where arrows in sight bring them in.
        const auto arrows = tabs->findChildren<QToolButton*>();
        const bool scrolls = std::any_of(arrows.begin(), arrows.end(), [](const auto* arrow) {
            return arrow->isVisible() && arrow->arrowType() != Qt::NoArrow;
        });
        for (int i = 0; i < tabs->count(); ++i) {
            if (!tabs->isTabVisible(i)) continue;
            const QRect tab = tabs->tabRect(i);
            note(tabs, tabs->tabText(i), widthOf(tabs, tabs->tabText(i)), tab.width());
            if (!scrolls) note(tabs, tabs->tabText(i) + QStringLiteral(" (end)"), tab.right(), tabs->width());
        }
    }

    void lookAtHeader(const QHeaderView* header) {
        if (header->orientation() != Qt::Horizontal || !header->model()) return;
        for (int i = 0; i < header->count(); ++i) {
            const QString text = header->model()->headerData(i, Qt::Horizontal).toString();
            if (!header->isSectionHidden(i)) note(header, text, widthOf(header, text), header->sectionSize(i));
        }
    }

    static int widthOf(const QWidget* widget, const QString& text) {
        return widget->fontMetrics().size(Qt::TextShowMnemonic, text).width();
    }

    void note(const QWidget* widget, const QString& text, int needs, int has) {
        if (text.isEmpty() || needs <= has) return;
        const QString name = widget->objectName().isEmpty() ? QString() : QLatin1Char('#') + widget->objectName();
        m_found << QStringLiteral("%1%2 \"%3\": %4 px in %5")
                       .arg(QLatin1String(widget->metaObject()->className()), name, text.left(60))
                       .arg(needs)
                       .arg(has);
    }

    const QWidget* m_root;
    QStringList m_found;
};

}  // namespace

QStringList clippedTexts(const QWidget* root) { return Finder(root).find(); }

}  // namespace tidemark::testing
