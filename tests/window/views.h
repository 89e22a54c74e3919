// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QString>

#include <functional>

class QWidget;

namespace tidemark {

class MainWindow;

namespace testing {

/// What is called with each view: a window or dialog as it stands, and a name for it.
using Visit = std::function<void(QWidget* view, const QString& name)>;

/// Runs events until the condition holds, a minute at most, and then those that are left.
void waitUntil(const std::function<bool()>& condition);

/// Takes a new window through all its views with this model: empty, with hints, measuring, every page, the menus, the
/// settings from top to bottom, a card that is too small, variants and their comparison, notes, errors and dialogs.
/// Files go to `folder`.
void visitViews(MainWindow& window, const QString& model, const QString& folder, const Visit& visit);

}  // namespace testing
}  // namespace tidemark
