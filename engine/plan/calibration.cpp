// SPDX-License-Identifier: Apache-2.0
#include "engine/plan/calibration.h"

#include "engine/plan/jsonfields.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

namespace tidemark {
namespace {

using nlohmann::json;

constexpr const char* kSchemaName = "tidemark.calibration/";
constexpr int kSchemaVersion = 1;
/// Two cards of one name count as one when their memory differs by less: ECC and driver versions change the total.
constexpr double kSameMemory = 0.05;

class Spread {
public:
    void add(Bytes value) { m_values.push_back(value); }
    ContextSize size() const {
        ContextSize size;
        Bytes sum;
        for (const Bytes value : m_values) sum += value;
        size.expected = Bytes{sum.count / static_cast<std::int64_t>(m_values.size())};
        size.low = *std::min_element(m_values.begin(), m_values.end());
        size.high = *std::max_element(m_values.begin(), m_values.end());
        return size;
    }
    bool isEmpty() const { return m_values.empty(); }

private:
    std::vector<Bytes> m_values;
};

bool isSameCard(const Calibration& c, const std::string& name, Bytes memory) {
    const double difference = static_cast<double>(std::llabs(c.memory.count - memory.count));
    return c.card == name && difference <= kSameMemory * static_cast<double>(memory.count);
}

json sizeJson(const ContextSize& size) {
    return {{"expected", size.expected.count}, {"low", size.low.count}, {"high", size.high.count}};
}

json cardJson(const Calibration& c) {
    return {{"card", c.card},     {"memory", c.memory.count}, {"driver", c.driver},           {"torch", c.torch}, {"when", c.when},
            {"points", c.points}, {"context", sizeJson(c.context)}, {"offset", sizeJson(c.offset)}};
}

void readSize(JsonFields* fields, const char* key, ContextSize* size) {
    const json* object = fields->find(key);
    if (!object) return fields->fail(key, Message::tr("is missing"));
    JsonFields inner(*object, fields->pathOf(key) + ".", ErrorCode::FileUnreadable);
    inner.required("expected", size->expected);
    inner.required("low", size->low);
    inner.required("high", size->high);
    if (inner.failed()) fields->keep(inner.error());
}

Result<Calibration> cardFromJson(const json& object) {
    Calibration c;
    JsonFields fields(object, "cards.", ErrorCode::FileUnreadable);
    fields.required("card", c.card);
    fields.required("memory", c.memory);
    fields.required("driver", c.driver);
    fields.optional("torch", c.torch);
    fields.optional("when", c.when);
    fields.optional("points", c.points);
    readSize(&fields, "context", &c.context);
    readSize(&fields, "offset", &c.offset);
    if (fields.failed()) return fields.error();
    return c;
}

}  // namespace

Result<Calibration> calibrationFrom(const std::vector<CalibrationPair>& pairs) {
    Calibration c;
    Spread context;
    Spread offset;
    bool shared = false;
    for (const auto& [measured, planned] : pairs) {
        if (!measured.complete() || !measured.reading) continue;
        if (measured.reading->source == ProcessSource::WholeCard) {
            shared = true;
            continue;
        }
        context.add(measured.reading->context());
        offset.add(measured.measurement->highest().reserved - planned.reserved);
        ++c.points;
    }
    if (context.isEmpty() && shared)
        return Error{ErrorCode::SettingInvalid,
                     Message::tr("The driver does not tell this process's memory from that of other programs, so there is nothing to calibrate with."), {}};
    if (context.isEmpty())
        return Error{ErrorCode::SettingInvalid, Message::tr("No step ran to its end on the GPU, so there is nothing to calibrate with; try a smaller batch."), {}};
    c.context = context.size();
    c.offset = offset.size();
    return c;
}

void remember(std::vector<Calibration>* known, const Calibration& fresh) {
    std::erase_if(*known, [&](const Calibration& old) {
        return isSameCard(old, fresh.card, fresh.memory) && old.driver == fresh.driver;
    });
    known->push_back(fresh);
}

const Calibration* calibrationOf(const Gpu& gpu, const std::vector<Calibration>& known) {
    const Calibration* newest = nullptr;
    for (const Calibration& c : known)
        if (isSameCard(c, gpu.name, gpu.memory) && (!newest || c.when >= newest->when)) newest = &c;
    return newest;
}

Gpu calibrated(Gpu gpu, const std::vector<Calibration>& known) {
    const Calibration* c = calibrationOf(gpu, known);
    if (!c) return gpu;
    gpu.context = c->context;
    gpu.context.low = std::max(Bytes{}, c->context.low + std::min(Bytes{}, c->offset.low));
    gpu.context.high += std::max(Bytes{}, c->offset.high);
    gpu.context.source = Message::tr("measured on this machine with driver {}, {}", c->driver, c->when.substr(0, 10));
    return gpu;
}

std::string calibrationText(const std::vector<Calibration>& known) {
    json cards = json::array();
    for (const Calibration& c : known) cards.push_back(cardJson(c));
    return json{{"schema", kSchemaName + std::to_string(kSchemaVersion)}, {"cards", cards}}.dump(2) + '\n';
}

Result<std::vector<Calibration>> calibrationsFromText(const std::string& text, const std::string& origin) {
    const auto unreadable = [&](const Message& why) {
        return Error{ErrorCode::FileUnreadable,
                     Message::tr("The calibration in {} cannot be read: {}. Delete the file and calibrate again.", origin, why), {}};
    };
    const json object = json::parse(text, nullptr, false);
    std::string schema;
    if (!object.is_object() || !object.contains("schema") || !readJson(object["schema"], schema) || !schema.starts_with(kSchemaName))
        return unreadable(Message::tr("it is none"));
    if (schema != kSchemaName + std::to_string(kSchemaVersion))
        return unreadable(Message::tr("\"{}\" is of another version of Tidemark", schema));
    std::vector<Calibration> known;
    if (const auto cards = object.find("cards"); cards != object.end() && cards->is_array())
        for (const json& card : *cards) {
            auto calibration = cardFromJson(card);
            if (!calibration) return unreadable(calibration.error().message);
            known.push_back(std::move(calibration).value());
        }
    return known;
}

}  // namespace tidemark
