// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/session/request.h"

#include <QByteArray>
#include <QCache>

namespace tidemark {

/// Exact answers by model file, device and settings. An answer with more detail serves a question that asks for less.
class MeasurementCache {
public:
    MeasurementCache();

    /// Null when the question was never answered. A question is named by keyOf().
    const Measured* find(const QByteArray& key, Detail wanted) const;
    void insert(const QByteArray& key, const Measured& answer);
    void clear() { m_answers.clear(); }

    static QByteArray keyOf(const MeasureRequest& request);

private:
    mutable QCache<QByteArray, Measured> m_answers;
};

}  // namespace tidemark
