// SPDX-License-Identifier: Apache-2.0
#include "engine/session/measurementcache.h"

#include "engine/session/modelfile.h"

#include <nlohmann/json.hpp>

namespace tidemark {
namespace {

/// In units of about 4 KiB: plain peaks cost one, a timeline of 100,000 allocations some thousand.
constexpr qsizetype kCapacity = 32768;

qsizetype costOf(const Measurement& m) {
    std::size_t rows = m.layers.size();
    if (m.timeline) rows += m.timeline->allocations.size() + m.timeline->reserved.size() / 4;
    return 1 + static_cast<qsizetype>(rows / 100);
}

}  // namespace

MeasurementCache::MeasurementCache() : m_answers(kCapacity) {}

QByteArray MeasurementCache::keyOf(const MeasureRequest& request) {
    QByteArray key = identityOf(request.model).toUtf8();
    key += '\n' + QByteArray::fromStdString(request.target().key());
    key += '\n' + QByteArray::number(static_cast<qlonglong>(request.memoryLimit.count));
    key += '\n' + QByteArray::fromStdString(toJson(request.settings).dump());
    return key;
}

const Measured* MeasurementCache::find(const QByteArray& key, Detail wanted) const {
    const Measured* answer = m_answers.object(key);
    return answer && answer->request.detail.covers(wanted) ? answer : nullptr;
}

void MeasurementCache::insert(const QByteArray& key, const Measured& answer) {
    if (find(key, answer.request.detail)) return;
    m_answers.insert(key, new Measured(answer), costOf(*answer.measurement));
}

}  // namespace tidemark
