// SPDX-License-Identifier: Apache-2.0
#include "engine/gpus/catalogue.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cctype>
#include <fstream>
#include <numeric>
#include <set>
#include <sstream>
#include <stdexcept>

namespace tidemark {

namespace {

using Json = nlohmann::json;

constexpr std::size_t kSuggestions = 5;

/// Runs of letters and runs of digits, lower case: "RTX4060Ti" and "rtx 4060 ti" are the same words.
std::vector<std::string> wordsOf(std::string_view text) {
    static const std::set<std::string> kNoise{"nvidia", "geforce", "gpu", "gb", "gib", "generation"};
    std::vector<std::string> words;
    char last = ' ';
    for (const char raw : text) {
        const auto c = static_cast<unsigned char>(raw);
        if (!std::isalnum(c)) {
            last = ' ';
            continue;
        }
        const bool lastIsDigit = std::isdigit(static_cast<unsigned char>(last)) != 0;
        const bool joins = last != ' ' && lastIsDigit == (std::isdigit(c) != 0);
        if (!joins)
            words.emplace_back();
        last = static_cast<char>(std::tolower(c));
        words.back() += last;
    }
    std::erase_if(words, [&](const std::string& word) { return kNoise.contains(word); });
    return words;
}

std::string joined(std::string_view text) {
    const std::vector<std::string> words = wordsOf(text);
    return std::accumulate(words.begin(), words.end(), std::string());
}

/// Every name of a card, the ones that must be its own first.
std::vector<std::string> namesOf(const Gpu& gpu) {
    std::vector<std::string> names{gpu.id};
    names.insert(names.end(), gpu.aliases.begin(), gpu.aliases.end());
    names.push_back(gpu.label);
    names.push_back(gpu.name);
    return names;
}

bool hasAllWords(const Gpu& gpu, const std::vector<std::string>& wanted) {
    std::set<std::string> known;
    for (const std::string& name : namesOf(gpu))
        for (const std::string& word : wordsOf(name))
            known.insert(word);
    return std::all_of(wanted.begin(), wanted.end(), [&](const std::string& word) { return known.contains(word); });
}

/// Levenshtein distance.
std::size_t distance(const std::string& a, const std::string& b) {
    std::vector<std::size_t> row(b.size() + 1);
    std::iota(row.begin(), row.end(), std::size_t{0});
    for (std::size_t i = 1; i <= a.size(); ++i) {
        std::size_t diagonal = row[0];
        row[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const std::size_t above = row[j];
            row[j] = std::min({row[j] + 1, row[j - 1] + 1, diagonal + (a[i - 1] == b[j - 1] ? 0 : 1)});
            diagonal = above;
        }
    }
    return row[b.size()];
}

std::size_t distance(const Gpu& gpu, const std::string& wanted) {
    std::size_t nearest = std::string::npos;
    for (const std::string& name : namesOf(gpu))
        nearest = std::min(nearest, distance(joined(name), wanted));
    return nearest;
}

std::string labelsOf(const std::vector<const Gpu*>& gpus) {
    std::vector<std::string> labels;
    for (const Gpu* gpu : gpus)
        labels.push_back(gpu->label);
    return fmt::format("{}", fmt::join(labels, ", "));
}

Error unknown(Message message) {
    return {ErrorCode::GpuUnknown, std::move(message), {}};
}

/// A card's own value, else its capability's.
const Json& field(const Json& card, const Json& capability, const char* key) {
    if (card.contains(key))
        return card.at(key);
    if (capability.contains(key))
        return capability.at(key);
    throw std::out_of_range(fmt::format("has no \"{}\"", key));
}

Gpu gpuFrom(const Json& card, const Json& capabilities) {
    static const Json kNone = Json::object();
    const auto capabilityName = card.at("capability").get<std::string>();
    const Json& capability = capabilities.contains(capabilityName) ? capabilities.at(capabilityName) : kNone;
    const auto number = [&](const char* key) { return field(card, capability, key).get<int>(); };
    const auto bytes = [&](const char* key) { return Bytes{field(card, capability, key).get<std::int64_t>()}; };
    Gpu gpu;
    gpu.id = card.at("id").get<std::string>();
    gpu.name = card.at("name").get<std::string>();
    gpu.label = card.value("label", gpu.name);
    gpu.aliases = card.value("aliases", std::vector<std::string>{});
    gpu.architecture = card.value("architecture", std::string());
    std::istringstream version(capabilityName);
    char dot = 0;
    if (!(version >> gpu.capabilityMajor >> dot >> gpu.capabilityMinor) || dot != '.')
        throw std::invalid_argument(fmt::format("has the capability \"{}\", not MAJOR.MINOR", capabilityName));
    gpu.multiprocessors = number("multiprocessors");
    gpu.memory = bytes("memory");
    gpu.threadsPerMultiprocessor = number("threads_per_multiprocessor");
    gpu.blocksPerMultiprocessor = number("blocks_per_multiprocessor");
    gpu.sharedMemoryPerBlockOptin = bytes("shared_memory_per_block_optin");
    gpu.sharedMemoryPerMultiprocessor = bytes("shared_memory_per_multiprocessor");
    gpu.l2Cache = bytes("l2_cache");
    gpu.memoryBusWidth = number("memory_bus_width");
    gpu.clockKHz = number("clock_khz");
    gpu.memoryClockKHz = number("memory_clock_khz");
    const Json& context = field(card, capability, "context");
    gpu.context = {Bytes{context.at("expected").get<std::int64_t>()}, Bytes{context.at("low").get<std::int64_t>()},
                   Bytes{context.at("high").get<std::int64_t>()}, context.value("source", std::string())};
    gpu.supported = card.value("supported", true);
    gpu.source = card.value("source", std::string());
    return gpu;
}

constexpr const char* kOwnCardsSchema = "tidemark.own-cards/1";

const Gpu& modelFor(const Json& card, const std::vector<Gpu>& known) {
    const auto like = card.value("like", std::string());
    const auto capability = card.value("capability", std::string());
    const auto found = std::find_if(known.begin(), known.end(), [&](const Gpu& gpu) {
        return like.empty() ? gpu.capability() == capability : gpu.id == like;
    });
    if (found == known.end())
        throw std::invalid_argument(like.empty() ? fmt::format("has no \"like\" and the capability \"{}\"", capability)
                                                 : fmt::format("is like \"{}\", which is no card", like));
    return *found;
}

/// A user's own card: a known one with what is different about it.
Gpu ownCard(const Json& card, const std::vector<Gpu>& known) {
    Gpu gpu = modelFor(card, known);
    gpu.id = card.at("id").get<std::string>();
    gpu.label = card.value("label", gpu.id);
    gpu.name = card.value("name", gpu.label);
    gpu.aliases = card.value("aliases", std::vector<std::string>{});
    gpu.memory = Bytes{card.value("memory", gpu.memory.count)};
    gpu.multiprocessors = card.value("multiprocessors", gpu.multiprocessors);
    gpu.l2Cache = Bytes{card.value("l2_cache", gpu.l2Cache.count)};
    if (const auto context = card.find("context"); context != card.end())
        gpu.context = {Bytes{context->at("expected").get<std::int64_t>()},
                       Bytes{context->at("low").get<std::int64_t>()}, Bytes{context->at("high").get<std::int64_t>()},
                       context->contains("source") ? Message(context->at("source").get<std::string>())
                                                  : Message::tr("your own file")};
    gpu.source = card.value("source", std::string("your own file"));
    if (gpu.id.empty() || gpu.memory <= Bytes{} || gpu.multiprocessors < 1)
        throw std::invalid_argument("needs an id, and memory and multiprocessors above zero");
    return gpu;
}

}  // namespace

std::string Gpu::capability() const {
    return fmt::format("{}.{}", capabilityMajor, capabilityMinor);
}

Result<Catalogue> Catalogue::load(const std::string& path) {
    std::ifstream file(path);
    if (!file)
        return Error{ErrorCode::FileNotFound, Message::tr("The catalogue of cards {} cannot be opened.", path), {}};
    std::ostringstream text;
    text << file.rdbuf();
    return parse(text.str(), path);
}

Result<Catalogue> Catalogue::parse(const std::string& text, const std::string& origin) {
    Catalogue catalogue;
    Message current = Message::tr("the file");
    try {
        const Json json = Json::parse(text);
        const Json capabilities = json.value("capabilities", Json::object());
        for (const Json& card : json.at("gpus")) {
            current = Message::tr("card {}", card.value("id", std::string("?")));
            catalogue.m_gpus.push_back(gpuFrom(card, capabilities));
        }
    } catch (const std::exception& error) {
        return Error{ErrorCode::FileUnreadable,
                     Message::tr("The catalogue of cards {} cannot be read: {} is not as expected.", origin, current),
                     error.what()};
    }
    return catalogue;
}

std::optional<Error> Catalogue::addOwn(const std::string& text, const std::string& origin) {
    std::vector<Gpu> own;
    Message current = Message::tr("the file");
    try {
        const Json json = Json::parse(text);
        if (const auto schema = json.value("schema", std::string()); schema != kOwnCardsSchema)
            throw std::invalid_argument(fmt::format("has the schema \"{}\", not \"{}\"", schema, kOwnCardsSchema));
        for (const Json& card : json.at("gpus")) {
            current = Message::tr("card {}", card.value("id", std::string("?")));
            own.push_back(ownCard(card, m_gpus));
        }
    } catch (const std::exception& error) {
        return Error{ErrorCode::FileUnreadable,
                     Message::tr("Your own cards in {} cannot be read: {} is not as expected.", origin, current),
                     error.what()};
    }
    for (Gpu& gpu : own) {
        const auto same =
            std::find_if(m_gpus.begin(), m_gpus.end(), [&](const Gpu& known) { return known.id == gpu.id; });
        if (same != m_gpus.end())
            *same = std::move(gpu);
        else
            m_gpus.push_back(std::move(gpu));
    }
    return std::nullopt;
}

Result<Gpu> Catalogue::find(std::string_view name) const {
    const std::vector<std::string> wanted = wordsOf(name);
    const std::string whole = joined(name);
    if (wanted.empty())
        return unknown(Message::tr("No card is named; `tidemark gpus` lists the known ones."));
    for (const bool ownNamesOnly : {true, false}) {
        for (const Gpu& gpu : m_gpus) {
            const std::vector<std::string> names = namesOf(gpu);
            const auto end = names.end() - (ownNamesOnly ? 1 : 0);
            if (std::any_of(names.begin(), end, [&](const std::string& known) { return joined(known) == whole; }))
                return gpu;
        }
    }

    std::vector<const Gpu*> plainest;
    std::size_t fewestWords = std::string::npos;
    for (const Gpu& gpu : m_gpus) {
        if (!hasAllWords(gpu, wanted))
            continue;
        const std::size_t words = wordsOf(gpu.label).size();
        if (words < fewestWords) {
            plainest.clear();
            fewestWords = words;
        }
        if (words == fewestWords)
            plainest.push_back(&gpu);
    }
    if (plainest.size() == 1)
        return *plainest.front();
    if (!plainest.empty())
        return unknown(Message::tr("\"{}\" may mean {}; say which.", name, labelsOf(plainest)));

    std::vector<const Gpu*> near;
    for (const Gpu& gpu : m_gpus)
        near.push_back(&gpu);
    std::stable_sort(near.begin(), near.end(), [&](const Gpu* a, const Gpu* b) {
        return distance(*a, whole) < distance(*b, whole);
    });
    near.resize(std::min(near.size(), kSuggestions));
    return unknown(Message::tr("No card is called \"{}\"; near ones are {}.", name, labelsOf(near)));
}

std::string nullDeviceJson(const Gpu& gpu) {
    return Json{
        {"name", gpu.name},
        {"capability_major", gpu.capabilityMajor},
        {"capability_minor", gpu.capabilityMinor},
        {"multiprocessors", gpu.multiprocessors},
        {"memory", gpu.memory.count},
        {"threads_per_multiprocessor", gpu.threadsPerMultiprocessor},
        {"blocks_per_multiprocessor", gpu.blocksPerMultiprocessor},
        {"shared_memory_per_block_optin", gpu.sharedMemoryPerBlockOptin.count},
        {"shared_memory_per_multiprocessor", gpu.sharedMemoryPerMultiprocessor.count},
        {"l2_cache", gpu.l2Cache.count},
        {"memory_bus_width", gpu.memoryBusWidth},
        {"clock_khz", gpu.clockKHz},
        {"memory_clock_khz", gpu.memoryClockKHz},
    }.dump();
}

}  // namespace tidemark
