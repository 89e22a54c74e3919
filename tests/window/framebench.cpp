// SPDX-License-Identifier: Apache-2.0
// Times frames of the window offscreen and prints their percentiles as JSON:
//   tidemark_framebench [MODEL]      with a model, the real probe answers; without one, the fake probe, with 535 layers
// A frame is one step of the mouse or the slider and everything painted because of it.
#include "app/window/mainwindow.h"
#include "engine/gpus/catalogue.h"
#include "tests/window/synthetic.h"
#include "widgets/batchslider.h"
#include "widgets/memoryplot.h"
#include "widgets/timelineplot.h"

#include <QApplication>
#include <QElapsedTimer>
#include <QMouseEvent>
#include <QRandomGenerator>
#include <QSettings>
#include <QStandardPaths>
#include <QTemporaryDir>

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <functional>

using namespace tidemark;

namespace {

/// Processor time of this thread: what a frame costs when no other program is in the way.
double threadMilliseconds() {
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) / 1e6;
}

struct Frames {
    std::vector<double> milliseconds;
    std::vector<double> processor;

    void time(const std::function<void()>& step) {
        QElapsedTimer timer;
        timer.start();
        const double before = threadMilliseconds();
        step();
        QApplication::processEvents();
        processor.push_back(threadMilliseconds() - before);
        milliseconds.push_back(static_cast<double>(timer.nsecsElapsed()) / 1e6);
    }
    static double percentile(std::vector<double>& values, double share) {
        std::sort(values.begin(), values.end());
        return values.empty() ? 0 : values[static_cast<std::size_t>(share * static_cast<double>(values.size() - 1))];
    }
    void print(const char* name, bool last) {
        std::printf(
            "  \"%s\": {\"frames\": %zu, \"p50_ms\": %.2f, \"p99_ms\": %.2f, \"max_ms\": %.2f, \"processor_p99_ms\": "
            "%.2f}%s\n",
            name, milliseconds.size(), percentile(milliseconds, 0.5), percentile(milliseconds, 0.99),
            percentile(milliseconds, 1.0), percentile(processor, 0.99), last ? "" : ",");
    }
};

bool waitUntil(const std::function<bool()>& condition, int milliseconds) {
    QElapsedTimer timer;
    timer.start();
    while (!condition() && timer.elapsed() < milliseconds)
        QApplication::processEvents(QEventLoop::WaitForMoreEvents, 20);
    return condition();
}

std::shared_ptr<const Measurement> longStep(int events) {
    QRandomGenerator random(1);
    Timeline t;
    t.events = events;
    for (int i = 0; i < events / 2; ++i) {
        Allocation a;
        a.born = random.bounded(events);
        a.freed = qMin(events, a.born + 1 + random.bounded(events / 4));
        a.bytes = {512 * (1 + random.bounded(4000))};
        a.category = kCategories[static_cast<std::size_t>(random.bounded(int(kCategoryCount)))];
        t.allocations.push_back(a);
    }
    auto m = std::make_shared<Measurement>();
    m->timeline = std::move(t);
    return m;
}

void move(QWidget* widget, const QPoint& at) {
    QMouseEvent event(QEvent::MouseMove, at, widget->mapToGlobal(at), Qt::NoButton, Qt::NoButton, Qt::NoModifier);
    QApplication::sendEvent(widget, &event);
}

Frames hoverOver(PlotBase* plot) {
    Frames frames;
    for (int x = 80; x < plot->width() - 20; x += 3) frames.time([&] { move(plot, QPoint(x, plot->height() / 2)); });
    return frames;
}

Frames zoomInAndOut(PlotBase* plot) {
    Frames frames;
    for (int i = 0; i < 60; ++i) frames.time([&] { plot->zoom(i % 30 < 15 ? 0.8 : 1.25); });
    return frames;
}

}  // namespace

int main(int argc, char** argv) {
    QStandardPaths::setTestModeEnabled(true);
    QApplication app(argc, argv);
    QCoreApplication::setOrganizationName(QStringLiteral("tidemark-bench"));
    QCoreApplication::setApplicationName(QStringLiteral("tidemark"));
    QSettings().clear();
    Installation installation = Installation::find();
    std::vector<Gpu> gpus = syntheticGpus();
    QString model = app.arguments().value(1);
    QTemporaryDir folder;
    if (model.isEmpty()) {
        installation.probe = QStringLiteral(FAKE_PROBE);
        model = folder.filePath(QStringLiteral("large.pt"));
        QFile file(model);
        if (file.open(QIODevice::WriteOnly)) file.write("PK");
    } else if (auto catalogue = Catalogue::load(installation.catalogue.toStdString()))
        gpus = catalogue->all();

    MainWindow window(installation, gpus);
    window.resize(1440, 900);
    window.show();
    QElapsedTimer opening;
    opening.start();
    const double before = threadMilliseconds();
    window.openFile(model);
    waitUntil([&] { return window.currentPlanner() && window.currentPlanner()->exact(); }, 60000);
    const double first = static_cast<double>(opening.elapsed());
    if (!waitUntil([&] { return window.isSettled(); }, 60000)) {
        std::fprintf(stderr, "The model was not measured within a minute.\n");
        return 1;
    }
    const double opened = static_cast<double>(opening.elapsed());
    const double drawn = threadMilliseconds() - before;

    Frames drag;
    LogSlider* slider = window.findChild<BatchSlider*>()->slider();
    for (int batch = 1; batch <= 512; ++batch) drag.time([&] { slider->setValue(batch); });

    waitUntil([&] { return window.isSettled(); }, 60000);
    auto* memory = window.findChild<MemoryPlot*>(QStringLiteral("memory"));
    auto* step = window.findChild<TimelinePlot*>(QStringLiteral("step"));
    Frames memoryHover = hoverOver(memory);
    Frames stepHover = hoverOver(step);
    Frames memoryZoom = zoomInAndOut(memory);
    Frames stepZoom = zoomInAndOut(step);

    TimelinePlot plot;
    plot.resize(1000, 400);
    plot.show();
    plot.setTimeline(longStep(100000));
    QApplication::processEvents();
    Frames hover = hoverOver(&plot);
    Frames zoom = zoomInAndOut(&plot);

    std::printf("{\n  \"layers\": %zu,\n  \"open_to_first_figure_ms\": %.0f,\n  \"open_to_complete_ms\": %.0f,\n"
                "  \"open_window_processor_ms\": %.0f,\n",
                window.currentPlanner()->model().layers.size(), first, opened, drawn);
    drag.print("slider_1_to_512", false);
    memoryHover.print("hover_memory", false);
    stepHover.print("hover_step", false);
    memoryZoom.print("zoom_memory", false);
    stepZoom.print("zoom_step", false);
    hover.print("hover_100000_events", false);
    zoom.print("zoom_100000_events", true);
    std::printf("}\n");
    return 0;
}
