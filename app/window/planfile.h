// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/window/document.h"
#include "engine/base/result.h"

namespace tidemark {

/// A plan as versioned JSON with sorted keys. Model paths are relative to the folder of the plan file where they can
/// be.
QByteArray planToJson(const Plan& plan, const QString& folder);
/// Error: FileUnreadable or SettingInvalid naming the field.
Result<Plan> planFromJson(const QByteArray& text, const QString& folder);

Result<Plan> loadPlan(const QString& file);
/// Written beside the file and renamed, so that a plan is never half saved. The error's message names the file.
Result<bool> savePlan(const Plan& plan, const QString& file);
/// By its first bytes, not by its name.
bool looksLikePlan(const QString& file);

}  // namespace tidemark
