// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace tidemark {

/// Opens the window on the files named as arguments and runs until it is closed. The exit code of the program.
int startWindow(int argc, char** argv);

}  // namespace tidemark
