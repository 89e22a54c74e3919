// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/session/request.h"

class QMenuBar;
class QWidget;

namespace tidemark {

/// A short help on what the figures mean and how exact each is; stays open beside the work.
void showHelpDialog(QWidget* parent);
/// All commands of the menus with their keys, and the keys of slider and plots.
void showShortcutsDialog(QWidget* parent, const QMenuBar* menus);
void showAboutDialog(QWidget* parent, const WorkerInfo& worker);

}  // namespace tidemark
