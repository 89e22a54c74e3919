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
    window.resize(order.size);
    window.hideHints();
    auto* timer = new QTimer(&window);
    timer->setInterval(kPollMs);
    QObject::connect(timer, &QTimer::timeout, &window,
                     [&window, timer, file = order.file, page = order.page, polls = 0, settled = 0]() mutable {
                         const bool empty = window.document().plan().isEmpty();
                         if (const QString problem = window.problem(); !problem.isEmpty()) {
                             std::fprintf(stderr, "tidemark: %s\n", qPrintable(problem));
                             timer->stop();
                             QCoreApplication::exit(1);
                             return;
                         }
                         settled = window.isSettled() ? settled + 1 : 0;
                         // The plots draw the last figures one turn of the event loop after they came.
                         if (settled < 2 && !empty && ++polls < kGiveUpAfter) return;
                         if (!empty && page > 0 && polls < kGiveUpAfter) {
                             // The page fills once it is in sight.
                             if (auto* pages = window.findChild<QTabWidget*>()) showPage(*pages, page);
                             page = 0;
                             return;
                         }
                         timer->stop();
                         const bool done = (empty || window.isSettled()) && window.grab().save(file);
                         QCoreApplication::exit(done ? 0 : 1);
                     });
    timer->start();
}

}  // namespace tidemark
