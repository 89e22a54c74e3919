// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/base/result.h"

#include <QString>

#include <optional>

namespace tidemark {

/// What can be said about a model file without reading it: missing, a folder, not readable, empty.
std::optional<Error> checkModelFile(const QString& path);

/// Changes whenever the file is written again: path, size and time. Two files with one identity hold the same model.
QString identityOf(const QString& path);

}  // namespace tidemark
