// SPDX-License-Identifier: Apache-2.0
#include "engine/session/owncards.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QSaveFile>
#include <QStandardPaths>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cctype>

namespace tidemark {
namespace {

using nlohmann::json;

QString defaultFile() {
    if (const QString chosen = qEnvironmentVariable("TIDEMARK_CARDS"); !chosen.isEmpty()) return chosen;
    return QStandardPaths::writableLocation(QStandardPaths::AppConfigLocation) + QStringLiteral("/cards.json");
}

/// "My 4090 (48 GB)" → "my-4090-48-gb"
std::string idFor(const std::string& label) {
    std::string id;
    for (const char c : label) {
        const bool word = std::isalnum(static_cast<unsigned char>(c)) != 0;
        if (word) id += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
        if (!word && !id.empty() && id.back() != '-') id += '-';
    }
    if (!id.empty() && id.back() == '-') id.pop_back();
    return id;
}

Error failed(const Message& what) {
    return {ErrorCode::FileUnreadable, what, {}};
}

Error unreadable(const QString& file, const Message& why) {
    return failed(Message::tr("Your own cards in {} cannot be read: {}.", file.toStdString(), why));
}

/// The file as it is, or an empty list of cards where there is none yet.
Result<json> read(const QString& name) {
    QFile file(name);
    if (!file.exists()) return json{{"schema", "tidemark.own-cards/1"}, {"gpus", json::array()}};
    if (!file.open(QIODevice::ReadOnly)) return unreadable(name, file.errorString().toStdString());
    json cards = json::parse(file.readAll().toStdString(), nullptr, false);
    if (!cards.is_object() || !cards.contains("gpus") || !cards["gpus"].is_array())
        return unreadable(name, Message::tr("it is no list of cards"));
    return cards;
}

std::optional<Error> write(const QString& name, const json& cards) {
    QDir().mkpath(QFileInfo(name).absolutePath());
    QSaveFile file(name);
    const QByteArray text = QByteArray::fromStdString(cards.dump(2)) + '\n';
    if (!file.open(QIODevice::WriteOnly) || file.write(text) != text.size() || !file.commit())
        return failed(Message::tr("Your own cards in {} cannot be written: {}.", name.toStdString(),
                                 file.errorString().toStdString()));
    return std::nullopt;
}

bool dropCard(json* cards, const std::string& id) {
    json kept = json::array();
    for (const json& card : (*cards)["gpus"])
        if (!card.is_object() || card.value("id", std::string()) != id) kept.push_back(card);
    const bool dropped = kept.size() != (*cards)["gpus"].size();
    (*cards)["gpus"] = std::move(kept);
    return dropped;
}

}  // namespace

OwnCards::OwnCards() : m_file(defaultFile()) {}

std::optional<Error> OwnCards::applyTo(Catalogue* catalogue) const {
    if (!QFileInfo::exists(m_file)) return std::nullopt;
    const auto cards = read(m_file);
    if (!cards) return cards.error();
    return catalogue->addOwn(cards.value().dump(), m_file.toStdString());
}

std::optional<Error> OwnCards::add(const std::string& label, const Gpu& like, Bytes memory, int multiprocessors) const {
    auto cards = read(m_file);
    if (!cards) return cards.error();
    json card{{"id", idFor(label)}, {"label", label}, {"like", like.id}, {"memory", memory.count}};
    if (multiprocessors > 0) card["multiprocessors"] = multiprocessors;
    dropCard(&cards.value(), idFor(label));
    cards.value()["gpus"].push_back(std::move(card));
    return write(m_file, cards.value());
}

std::optional<Error> OwnCards::remove(const std::string& label) const {
    auto cards = read(m_file);
    if (!cards) return cards.error();
    if (!dropCard(&cards.value(), idFor(label)))
        return Error{ErrorCode::GpuUnknown,
                     Message::tr("There is no card \"{}\" of your own in {}.", label, m_file.toStdString()),
                     {}};
    return write(m_file, cards.value());
}

}  // namespace tidemark
