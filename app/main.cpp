// SPDX-License-Identifier: Apache-2.0
#include "app/commandline/commandline.h"

#ifdef TIDEMARK_HAS_WINDOW
#include "app/startwindow.h"

#include <QApplication>
#endif

#include <QCoreApplication>
#include <QFileInfo>

#include <iostream>
#include <memory>

namespace {

/// Commands need no display. Those that draw do so on a platform without one.
std::unique_ptr<QCoreApplication> makeApplication(bool drawing, int& argc, char** argv) {
#ifdef TIDEMARK_HAS_WINDOW
    if (drawing) {
        qputenv("QT_QPA_PLATFORM", "offscreen");
        return std::make_unique<QApplication>(argc, argv);
    }
#endif
    return std::make_unique<QCoreApplication>(argc, argv);
}

#ifdef TIDEMARK_HAS_WINDOW
bool hasDisplay() {
#ifdef Q_OS_LINUX
    for (const char* name : {"DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"})
        if (!qEnvironmentVariableIsEmpty(name)) return true;
    return false;
#else
    return true;
#endif
}
#endif

}  // namespace

int main(int argc, char** argv) {
    using namespace tidemark;
    const std::vector<std::string> arguments(argv + 1, argv + argc);
    QCoreApplication::setApplicationName("tidemark");
    QCoreApplication::setOrganizationName("tidemark");
    QCoreApplication::setApplicationVersion(TIDEMARK_VERSION);
    if (asksForCommand(arguments)) {
        const auto app = makeApplication(draws(arguments), argc, argv);
        const int code = runCommandLine(arguments, Installation::find(), std::cout, std::cerr);
        std::cout.flush();
        return std::cout ? code : static_cast<int>(ExitCode::Failed);
    }
    // A mistyped command stands first; what follows may belong to an option of the window.
    if (!arguments.empty() && !arguments.front().starts_with('-') && !QFileInfo::exists(QString::fromLocal8Bit(arguments.front().c_str()))) {
        std::cerr << "tidemark: \"" << arguments.front() << "\" is neither a command nor a file; see tidemark --help.\n";
        return static_cast<int>(ExitCode::Usage);
    }
#ifdef TIDEMARK_HAS_WINDOW
    if (!hasDisplay()) {
        std::cerr << "tidemark: there is no display for the window; the commands need none: tidemark plan MODEL.pt\n";
        return static_cast<int>(ExitCode::Failed);
    }
    return startWindow(argc, argv);
#else
    std::cerr << "tidemark: this build has no window; see tidemark --help for the commands.\n";
    return static_cast<int>(ExitCode::Usage);
#endif
}
