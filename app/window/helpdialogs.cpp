// SPDX-License-Identifier: Apache-2.0
#include "app/window/helpdialogs.h"

#include <QAction>
#include <QApplication>
#include <QDialog>
#include <QDialogButtonBox>
#include <QMenu>
#include <QMenuBar>
#include <QMessageBox>
#include <QPushButton>
#include <QRegularExpression>
#include <QTextBrowser>
#include <QVBoxLayout>

namespace tidemark {
namespace {

struct Help {
    Q_DECLARE_TR_FUNCTIONS(Help)
};

void showText(QWidget* parent, const QString& name, const QString& title, const QString& html) {
    auto* dialog = parent->findChild<QDialog*>(name);
    if (!dialog) {
        dialog = new QDialog(parent);
        dialog->setObjectName(name);
        dialog->setAttribute(Qt::WA_DeleteOnClose);
        dialog->setWindowTitle(title);
        auto* column = new QVBoxLayout(dialog);
        auto* text = new QTextBrowser(dialog);
        text->setOpenExternalLinks(true);
        text->setHtml(html);
        text->document()->setDocumentMargin(14);
        auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, dialog);
        buttons->button(QDialogButtonBox::Close)->setText(Help::tr("Close"));
        QObject::connect(buttons, &QDialogButtonBox::rejected, dialog, &QDialog::close);
        column->addWidget(text);
        column->addWidget(buttons);
        dialog->resize(620, 640);
    }
    dialog->show();
    dialog->raise();
    dialog->activateWindow();
}

QString definition(const QString& term, const QString& meaning) {
    return QStringLiteral("<p><b>%1</b><br>%2</p>").arg(term, meaning);
}

QString row(const QString& name, const QString& keys) {
    return QStringLiteral("<tr><td width='66%'>%1</td><td><b>%2</b></td></tr>").arg(name, keys.toHtmlEscaped());
}

/// The words of a menu without the mark of its key, which stands in brackets in Chinese.
QString plainText(const QAction* action) {
    static const QRegularExpression marks(QStringLiteral("\\(&\\w\\)|&"));
    return action->text().remove(marks);
}

void addMenu(QString& html, const QMenu* menu) {
    for (const QAction* action : menu->actions()) {
        if (action->menu())
            addMenu(html, action->menu());
        else if (!action->isSeparator() && !action->shortcut().isEmpty())
            html += row(plainText(action), action->shortcut().toString(QKeySequence::NativeText));
    }
}

QString figuresHelp() {
    QString html =
        QStringLiteral("<h2>%1</h2><p>%2</p>")
            .arg(Help::tr("What the figures mean"), Help::tr("Tidemark runs the real training step of your model on a "
                                                             "GPU that is not there. PyTorch's own code decides "
                                                             "every allocation; only the arithmetic is left out."));
    html += definition(
        Help::tr("Process"),
        Help::tr("Reserved memory and the CUDA context: what nvidia-smi shows. Whether the step fits is decided on it. "
                 "The context depends on driver and card, so the figure has a band."));
    html += definition(
        Help::tr("Reserved"),
        Help::tr("Segments the caching allocator has taken from the card. Exact for this version of LibTorch."));
    html +=
        definition(Help::tr("Allocated"), Help::tr("Bytes of tensors at the peak, as torch.cuda.max_memory_allocated "
                                                   "tells. Exact for this version of LibTorch."));
    html += definition(
        Help::tr("Saved activations"),
        Help::tr(
            "Results of the forward pass that stay until the backward pass has used them. They grow with the batch; "
            "checkpointing and lower precision make them smaller."));
    html += definition(Help::tr("Workspace"), Help::tr("Scratch memory of cuDNN and cuBLAS. Asked of the cuDNN on this "
                                                       "machine where there is one, otherwise estimated."));
    html += definition(Help::tr("Temporary"), Help::tr("What lives only between two operators."));
    return html;
}

QString windowHelp() {
    QString html = QStringLiteral("<h2>%1</h2>").arg(Help::tr("Reading the window"));
    html += QStringLiteral("<ul><li>%1</li><li>%2</li><li>%3</li><li>%4</li></ul>")
                .arg(Help::tr("Dots in the upper plot are exact runs. Between them the line is dashed: it is "
                              "interpolated until the exact answer is there."),
                     Help::tr("The red line is the card's memory, the green one the largest batch that fits, found by "
                              "exact runs."),
                     Help::tr("The lower plot is one step, allocation by allocation. Hover to see the largest tensors, "
                              "click to find their layer."),
                     Help::tr("In the layer table, bold layers hold half of the peak; the mark shows the layer that "
                              "runs when the peak is reached."));
    html += QStringLiteral("<p>%1</p>")
                .arg(Help::tr("Data reads as zero on the card that is not there. A model that branches on its data "
                              "takes the branch of zeros; "
                              "the verdict says how many values were read."));
    return html;
}

/// One paragraph for each page below the memory plot, and for what opens beside it.
QString pagesHelp() {
    QString html = QStringLiteral("<h2>%1</h2>").arg(Help::tr("The pages"));
    html += definition(
        Help::tr("Peak"),
        Help::tr("All tensors that are alive at the peak, or at the moment clicked in the step, by kind, layer, operator, "
                 "size or source line. The areas at the right show the same to scale; a click finds the layer."));
    html += definition(
        Help::tr("Source lines"),
        Help::tr("What each line of the model's own code allocates, saves for backward and holds at the peak. A layer "
                 "chosen in the table marks its lines."));
    html += definition(
        Help::tr("torchsummary"),
        Help::tr("The table and the estimate that torchsummary prints, and beside each of its terms what the step "
                 "really takes."));
    html += definition(
        Help::tr("Any axis"),
        Help::tr("Memory over a sequence length, an image side or another named axis, or over two of them as a map: "
                 "coloured cells by process memory, a line where the card is full. A click plans that size."));
    html += definition(
        Help::tr("Input sets"),
        Help::tr("Several sets of inputs of the same model with what the step takes under each, and the highest. They "
                 "are saved with the plan."));
    html += definition(
        Help::tr("Data parallel"),
        Help::tr("What each of several cards takes: one card alone and DistributedDataParallel as exact runs, the rule "
                 "of thumb and ZeRO as estimates with what they assume. It is there as soon as the settings name two "
                 "cards or more."));
    html += definition(
        Help::tr("Advice"),
        Help::tr("Changes of the settings that would take less, each by an exact run, and what the network itself could "
                 "do differently, computed from its layers. The curve sets memory against forward operators that run "
                 "twice, for ever more checkpointed blocks; a click takes that number."));
    html += definition(
        Help::tr("On this GPU"),
        Help::tr("Runs the step on the card of this machine, in a process of its own, and sets what it took beside the "
                 "plan. Diamonds in the upper plot are such points; a cross is one that ran out of memory. Calibrating "
                 "keeps the context of that card for all later plans."));
    html += definition(Help::tr("Comparison"),
                       Help::tr("Two variants layer by layer, aligned by path: the differences add up to the difference "
                                "of the peaks. It is there as soon as there are two variants."));
    html += definition(Help::tr("Every card"),
                       Help::tr("Plan, This plan on every card: the same step on all cards of the catalogue, what each "
                                "leaves over and its largest batch."));
    html += definition(Help::tr("Snapshots"),
                       Help::tr("File, Lay a memory snapshot over the step: what PyTorch recorded on a real card, as a "
                                "dashed line over the step of the plan where it fits best. Nothing in the file is run."));
    return html;
}

}  // namespace

void showHelpDialog(QWidget* parent) {
    const QString html = figuresHelp() + windowHelp() + pagesHelp();
    showText(parent, QStringLiteral("help"), Help::tr("Help"), html);
}

void showShortcutsDialog(QWidget* parent, const QMenuBar* menus) {
    QString html;
    for (const QAction* top : menus->actions()) {
        if (!top->menu()) continue;
        QString rows;
        addMenu(rows, top->menu());
        if (!rows.isEmpty())
            html += QStringLiteral("<h3>%1</h3><table width='100%' cellpadding='3'>%2</table>")
                        .arg(plainText(top), rows);
    }
    html += QStringLiteral("<h3>%1</h3><table width='100%' cellpadding='3'>").arg(Help::tr("Batch slider"));
    html += row(Help::tr("One more, one less"), Help::tr("Arrow keys")) +
            row(Help::tr("Double, halve"), Help::tr("Page up, Page down")) +
            row(Help::tr("Smallest, largest of the scale"), Help::tr("Home, End")) +
            row(Help::tr("Largest that fits"), Help::tr("Double-click"));
    html += QStringLiteral("</table><h3>%1</h3><table width='100%' cellpadding='3'>").arg(Help::tr("Tables"));
    html +=
        row(Help::tr("Copy the selected rows with their headers"),
            QKeySequence(QKeySequence::Copy).toString(QKeySequence::NativeText)) +
        row(Help::tr("Do what the row says: plan a size, apply advice, find a layer"), Help::tr("Enter, double-click"));
    html += QStringLiteral("</table><h3>%1</h3><table width='100%' cellpadding='3'>").arg(Help::tr("Plots"));
    html += row(Help::tr("Zoom"), Help::tr("Wheel, + and −")) +
            row(Help::tr("Zoom the memory axis"), Help::tr("Ctrl+wheel")) +
            row(Help::tr("Pan"), Help::tr("Drag, arrow keys")) +
            row(Help::tr("Zoom to a rectangle"), Help::tr("Shift+drag")) +
            row(Help::tr("Show all"), Help::tr("Double-click, Home")) +
            row(Help::tr("Mark a place and see differences to it"), Help::tr("Ctrl+click, M")) +
            row(Help::tr("Take the mark away"), Help::tr("Escape")) +
            row(Help::tr("Plan for another memory size"), Help::tr("Drag the card's line"));
    html += QStringLiteral("</table>");
    showText(parent, QStringLiteral("shortcuts"), Help::tr("Keyboard shortcuts"), html);
}

void showAboutDialog(QWidget* parent, const WorkerInfo& worker) {
    QString text = Help::tr("<h3>Tidemark %1</h3><p>A planner for the GPU memory of PyTorch training.</p>")
                       .arg(QApplication::applicationVersion());
    if (!worker.torchVersion.empty()) {
        text += Help::tr("<p>LibTorch %1").arg(QString::fromStdString(worker.torchVersion));
        text += worker.cudnnVersion.empty()
                    ? QStringLiteral("</p>")
                    : Help::tr(", cuDNN %1</p>").arg(QString::fromStdString(worker.cudnnVersion));
    }
    text += Help::tr("<p>Apache License 2.0. Plots by QCustomPlot (GPL).</p>");
    QMessageBox::about(parent, Help::tr("About Tidemark"), text);
}

}  // namespace tidemark
