// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/gpus/catalogue.h"

#include <QString>

namespace tidemark {

/// The user's own cards in cards.json of the configuration folder, or in the file that TIDEMARK_CARDS names. The format
/// is that of Catalogue::addOwn().
class OwnCards {
public:
    OwnCards();
    explicit OwnCards(QString file) : m_file(std::move(file)) {}

    const QString& file() const { return m_file; }
    /// The cards of the catalogue with the user's own. No file is no error.
    std::optional<Error> applyTo(Catalogue* catalogue) const;
    /// Writes a card into the file, in the place of one with its id: one that is like `like` apart from its names,
    /// memory and, where above zero, multiprocessors.
    std::optional<Error> add(const std::string& label, const Gpu& like, Bytes memory, int multiprocessors) const;
    /// Error: GpuUnknown when the file has no such card.
    std::optional<Error> remove(const std::string& label) const;

private:
    QString m_file;
};

}  // namespace tidemark
