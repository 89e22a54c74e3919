// SPDX-License-Identifier: Apache-2.0
#include "app/window/screenshot.h"

#include "app/window/mainwindow.h"

#include <QCoreApplication>
#include <QTabWidget>
#include <QTimer>

#include <cstdio>

namespace tidemark {
namespace {

constexpr int kPollMs = 100;
constexpr int kGiveUpAfter = 60 * 1000 / kPollMs;

/// The value after the option, both taken out; empty when it is not there.
QString takeValue(QStringList& arguments, const QString& option) {
    const qsizetype at = arguments.indexOf(option);
    if (at < 0) return {};
    arguments.removeAt(at);
    return at < arguments.size() ? arguments.takeAt(at) : QString();
}

/// `number` counts the pages that can be seen, from 0.
void showPage(QTabWidget& pages, int number) {
    for (int i = 0; i < pages.count(); ++i)
        if (pages.isTabVisible(i) && number-- == 0) pages.setCurrentIndex(i);
}

void complain(const QString& sentence) { std::fprintf(stderr, "tidemark: %s\n", qPrintable(sentence)); }

}  // namespace

std::optional<ScreenshotOrder> ScreenshotOrder::takeFrom(QStringList& arguments) {
    if (!arguments.contains(QStringLiteral("--screenshot"))) return {};
    ScreenshotOrder order;
    order.file = takeValue(arguments, QStringLiteral("--screenshot"));
    const QString theme = takeValue(arguments, QStringLiteral("--theme"));
    if (theme == QLatin1String("dark")) order.theme = ThemeMode::Dark;
    if (theme == QLatin1String("light")) order.theme = ThemeMode::Light;
    order.language = takeValue(arguments, QStringLiteral("--language"));
    order.page = takeValue(arguments, QStringLiteral("--page")).toInt();
    const QStringList size = takeValue(arguments, QStringLiteral("--size")).split(QLatin1Char('x'));
    if (size.size() == 2 && size[0].toInt() > 0 && size[1].toInt() > 0)
        order.size = QSize(size[0].toInt(), size[1].toInt());
    return order;
}

void takeScreenshot(MainWindow& window, const ScreenshotOrder& order) {
    if (order.theme) window.showTheme(*order.theme);
    window.setWindowState(Qt::WindowNoState);
    window.resize(order.size);
    window.hideHints();
    auto* timer = new QTimer(&window);
    timer->setInterval(kPollMs);
    QObject::connect(timer, &QTimer::timeout, &window,
                     [&window, timer, file = order.file, page = order.page, polls = 0, settled = 0]() mutable {
                         const bool empty = window.document().plan().isEmpty();
                         const QString problem = window.problem();
                         const bool failed = !problem.isEmpty() && !window.session().busy();
                         const bool done = empty || failed || window.isSettled();
                         settled = done ? settled + 1 : 0;
                         const bool late = ++polls >= kGiveUpAfter;
                         // The plots draw the last figures one turn of the event loop after they came.
                         if (settled < 2 && !late) return;
                         if (!empty && page > 0 && !late) {
                             // The page fills once it is in sight.
                             if (auto* pages = window.findChild<QTabWidget*>()) showPage(*pages, page);
                             page = 0;
                             return;
                         }
                         timer->stop();
                         if (!problem.isEmpty())
                             complain(problem);
                         else if (!done)
                             complain(MainWindow::tr("Measuring takes too long; the picture shows what is known."));
                         const bool saved = window.grab().save(file);
                         if (!saved) complain(MainWindow::tr("%1 cannot be written.").arg(file));
                         QCoreApplication::exit(done && saved && problem.isEmpty() ? 0 : 1);
                     });
    timer->start();
}

}  // namespace tidemark
