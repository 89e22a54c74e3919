// SPDX-License-Identifier: Apache-2.0
#include "engine/nullgpu/cudnn_remembered.h"

#include "engine/nullgpu/core.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <map>
#include <optional>
#include <utility>

namespace tidemark::nullgpu {

using namespace cudnn;

namespace {

namespace fs = std::filesystem;

/// Whether cuDNN would say the same tomorrow. Missing libraries, drivers and memory may be there then.
bool isLasting(Status status) {
    constexpr Status kOfTheMachine[] = {3005, 3006, 3008, 3009};
    const bool refusal = status >= kBadParam && status < kInternalError;
    return status == kSuccess ||
           (refusal && std::find(std::begin(kOfTheMachine), std::end(kOfTheMachine), status) == std::end(kOfTheMachine));
}

/// The files of a cuDNN by name, size and age, which tell one build from another without loading it.
Digest digestOfFiles(const fs::path& library) {
    std::error_code ignored;
    std::map<std::string, std::pair<std::uintmax_t, fs::file_time_type>> files;
    for (const fs::directory_entry& entry : fs::directory_iterator(library.parent_path(), ignored))
        if (const std::string name = entry.path().filename(); name.starts_with("libcudnn"))
            files[name] = {entry.file_size(ignored), entry.last_write_time(ignored)};
    Digest digest;
    for (const auto& [name, file] : files)
        digest.add(name).add(static_cast<std::int64_t>(file.first)).add(file.second.time_since_epoch().count());
    return digest;
}

enum class Question : std::int64_t { Version, Finalize, Attribute, Part };

Digest questionOf(Question question, const Digest& about) {
    return Digest().add(static_cast<std::int64_t>(question)).add(about);
}

}  // namespace

/// One of our descriptors: what it was given, or where it was read from.
struct RememberedCudnn::Node {
    struct Setting {
        int name;
        int type;
        std::int64_t count;
        std::vector<char> data;
        std::vector<NodePtr> parts;
    };
    struct Source {
        NodePtr from;
        int name;
        std::int64_t index;
        std::int64_t wanted;
    };

    Node(RememberedCudnn& owner, int kind) : cudnn(owner), type(kind) { digest.add(std::int64_t{kind}); }
    Node(const Node&) = delete;
    Node& operator=(const Node&) = delete;
    ~Node() {
        if (own && descriptor)
            cudnn.m_real->destroy(descriptor);
        for (const auto& [question, descriptors] : read)
            for (void* part : descriptors)
                cudnn.m_real->destroy(part);
    }

    RememberedCudnn& cudnn;
    int type;
    Digest digest;
    std::vector<Setting> settings;
    Source source{};
    bool finalized = false;
    void* descriptor = nullptr;  ///< cuDNN's, once it was needed
    bool own = true;             ///< the descriptor belongs to this node and not to the source
    /// cuDNN's descriptors that were read out of this one, by attribute and number.
    std::map<std::pair<int, std::int64_t>, std::vector<void*>> read;
};

/// What LibTorch holds.
struct RememberedCudnn::Handle {
    NodePtr node;
};

RememberedCudnn::RememberedCudnn(std::string path, AnswerFile answers)
    : m_path(std::move(path)), m_answers(std::move(answers)) {}

RememberedCudnn* RememberedCudnn::load(const std::string& path, const std::string& folder, std::string* problem) {
    std::error_code ignored;
    const Digest files = digestOfFiles(fs::canonical(path, ignored));
    const bool withoutCublasLt = std::getenv("TIDEMARK_CUDNN_WITHOUT_CUBLASLT") != nullptr;
    const Digest key = Digest(files).add(cudnnDeviceJson()).add(std::int64_t{withoutCublasLt});
    std::string file;
    if (!folder.empty() && fs::exists(path, ignored)) {
        char name[64];
        std::snprintf(name, sizeof name, "cudnn-%d-%016llx.answers", device().version(),
                      static_cast<unsigned long long>(key.low()));
        file = fs::path(folder) / name;
    }
    // Never deleted: LibTorch destroys descriptors as late as in its exit handlers.
    auto* remembered = new RememberedCudnn(path, AnswerFile(file, key));
    if (remembered->acceptsDevice(problem))
        return remembered;
    delete remembered;
    return nullptr;
}

bool RememberedCudnn::acceptsDevice(std::string* problem) {
    const Digest question = questionOf(Question::Version, {});
    if (const auto known = m_answers.find(question)) {
        m_version = static_cast<std::size_t>(known->count);
        *problem = RealCudnn::refusal(m_version);
        return problem->empty();
    }
    if (!start(problem))
        return false;
    m_version = m_real->version();
    m_answers.keep(question, {kSuccess, static_cast<std::int64_t>(m_version), {}});
    return true;
}

bool RememberedCudnn::start(std::string* problem) {
    if (m_real)
        return true;
    RealCudnn* real = RealCudnn::load(m_path, problem);
    if (real && real->describeDevice(problem))
        m_real = real;
    return m_real;
}

std::string RememberedCudnn::version() const {
    return std::to_string(m_version / 10000) + "." + std::to_string(m_version / 100 % 100) + "." +
           std::to_string(m_version % 100);
}

const char* RememberedCudnn::errorString(Status status) {
    const std::lock_guard lock(m_mutex);
    if (std::string problem; start(&problem))
        return m_real->errorString(status);
    return "cuDNN cannot be started";
}

RememberedCudnn::NodePtr RememberedCudnn::newNode(int type) {
    return std::make_shared<Node>(*this, type);
}

Status RememberedCudnn::create(int type, void** descriptor) {
    *descriptor = new Handle{newNode(type)};
    return kSuccess;
}

Status RememberedCudnn::destroy(void* descriptor) {
    const std::lock_guard lock(m_mutex);
    delete static_cast<Handle*>(descriptor);
    return kSuccess;
}

Status RememberedCudnn::setAttribute(void* descriptor, int name, int type, std::int64_t count, const void* values) {
    Node& node = *static_cast<Handle*>(descriptor)->node;
    // There is no device behind handles, and nothing at addresses.
    if (type == TypeHandle || type == TypeVoidPointer || node.type == VariantPackDescriptor)
        return kSuccess;
    const std::lock_guard lock(m_mutex);
    Node::Setting setting{name, type, count, {}, {}};
    node.digest.add(std::int64_t{name}).add(std::int64_t{type}).add(count);
    const std::size_t size = values && count > 0 ? static_cast<std::size_t>(count) : 0;
    if (type == TypeDescriptor) {
        for (std::size_t i = 0; i < size; ++i) {
            setting.parts.push_back(static_cast<Handle* const*>(values)[i]->node);
            node.digest.add(setting.parts.back()->digest);
        }
    } else {
        const auto* bytes = static_cast<const char*>(values);
        setting.data.assign(bytes, bytes + size * attributeSize(type));
        node.digest.add(setting.data.data(), setting.data.size());
    }
    node.settings.push_back(std::move(setting));
    return kSuccess;
}

Status RememberedCudnn::setReal(Node& node) {
    for (const Node::Setting& setting : node.settings) {
        std::vector<void*> parts;
        for (const NodePtr& part : setting.parts) {
            if (const Status status = makeReal(*part); status != kSuccess)
                return status;
            parts.push_back(part->descriptor);
        }
        const void* values = setting.type == TypeDescriptor ? static_cast<const void*>(parts.data()) : setting.data.data();
        const Status status = m_real->setAttribute(node.descriptor, setting.name, setting.type, setting.count, values);
        if (status != kSuccess)
            return status;
    }
    return kSuccess;
}

Status RememberedCudnn::makePart(Node& node) {
    Node& from = *node.source.from;
    if (const Status status = makeReal(from); status != kSuccess)
        return status;
    std::vector<void*>& read = from.read[{node.source.name, node.source.wanted}];
    if (read.empty()) {
        std::int64_t count = 0;
        for (std::int64_t i = 0; i < node.source.wanted; ++i) {
            void* part = nullptr;
            if (const Status status = m_real->create(node.type, &part); status != kSuccess)
                return status;
            read.push_back(part);
        }
        const Status status = m_real->getAttribute(from.descriptor, node.source.name, TypeDescriptor,
                                                   node.source.wanted, &count, read.data());
        if (status != kSuccess)
            return status;
    }
    node.descriptor = read.at(static_cast<std::size_t>(node.source.index));
    node.own = false;
    return kSuccess;
}

Status RememberedCudnn::makeReal(Node& node) {
    if (node.descriptor)
        return kSuccess;
    if (node.source.from)
        return makePart(node);
    if (std::string problem; !start(&problem))
        return kInternalError;
    Status status = m_real->create(node.type, &node.descriptor);
    if (status == kSuccess)
        status = setReal(node);
    if (status == kSuccess && node.finalized)
        status = m_real->finalize(node.descriptor);
    return status;
}

Status RememberedCudnn::askFinalize(Node& node) {
    Status status = makeReal(node);
    if (status == kSuccess)
        status = m_real->finalize(node.descriptor);
    // A plan is complete in itself; what it was made from is large.
    if (node.type == ExecutionPlanDescriptor)
        node.settings.clear();
    return status;
}

Status RememberedCudnn::finalize(void* descriptor) {
    Node& node = *static_cast<Handle*>(descriptor)->node;
    if (node.type == VariantPackDescriptor)
        return kSuccess;
    const std::lock_guard lock(m_mutex);
    const Digest question = questionOf(Question::Finalize, node.digest);
    Status status = kSuccess;
    if (const auto known = m_answers.find(question)) {
        status = known->status;
    } else {
        status = askFinalize(node);
        if (isLasting(status))
            m_answers.keep(question, {status, 0, {}});
    }
    node.finalized = status == kSuccess;
    return status;
}

Answer RememberedCudnn::askAttribute(const NodePtr& node, int name, int type, std::int64_t wanted, bool counted,
                                     void* values) {
    Answer answer;
    answer.status = makeReal(*node);
    if (answer.status != kSuccess)
        return answer;
    std::int64_t* const count = counted ? &answer.count : nullptr;
    if (type != TypeDescriptor || !values || wanted <= 0) {
        if (values && wanted > 0)
            answer.data.resize(static_cast<std::size_t>(wanted) * attributeSize(type));
        answer.status =
            m_real->getAttribute(node->descriptor, name, type, wanted, count, values ? answer.data.data() : nullptr);
        if (counted && values && answer.status == kSuccess)
            answer.data.resize(static_cast<std::size_t>(std::clamp<std::int64_t>(answer.count, 0, wanted)) *
                               attributeSize(type));
        return answer;
    }
    std::vector<void*>& read = node->read[{name, wanted}];
    const auto* handles = static_cast<Handle* const*>(values);
    for (std::int64_t i = static_cast<std::int64_t>(read.size()); i < wanted; ++i) {
        void* part = nullptr;
        m_real->create(handles[i]->node->type, &part);
        read.push_back(part);
    }
    answer.status = m_real->getAttribute(node->descriptor, name, type, wanted, count, read.data());
    return answer;
}

Status RememberedCudnn::getAttribute(void* descriptor, int name, int type, std::int64_t wanted, std::int64_t* count,
                                     void* values) {
    const std::lock_guard lock(m_mutex);
    const NodePtr node = static_cast<Handle*>(descriptor)->node;
    const Digest about = Digest(node->digest).add(std::int64_t{name}).add(std::int64_t{type}).add(wanted);
    const Digest question =
        questionOf(Question::Attribute, about).add(std::int64_t{values != nullptr}).add(std::int64_t{count != nullptr});
    std::optional<Answer> known = m_answers.find(question);
    if (!known) {
        known = askAttribute(node, name, type, wanted, count != nullptr, values);
        if (isLasting(known->status))
            m_answers.keep(question, *known);
    }
    if (count)
        *count = known->count;
    if (known->status != kSuccess || !values)
        return known->status;
    if (type != TypeDescriptor) {
        std::copy(known->data.begin(), known->data.end(), static_cast<char*>(values));
        return kSuccess;
    }
    const std::int64_t delivered = count ? std::min(known->count, wanted) : wanted;
    for (std::int64_t i = 0; i < delivered; ++i) {
        Handle& handle = *static_cast<Handle* const*>(values)[i];
        handle.node = newNode(handle.node->type);
        handle.node->source = {node, name, i, wanted};
        handle.node->digest = questionOf(Question::Part, about).add(i);
        handle.node->finalized = true;
    }
    return kSuccess;
}

void RememberedCudnn::write() {
    const std::lock_guard lock(m_mutex);
    m_answers.flush();
}

void RememberedCudnn::lastError(char* text, std::size_t size) const {
    if (m_real)
        m_real->lastError(text, size);
    else if (size > 0)
        *text = '\0';
}

std::string cudnnAnswersFolder() {
    if (const char* named = std::getenv("TIDEMARK_CUDNN_ANSWERS"))
        return named;
    if (const char* cache = std::getenv("XDG_CACHE_HOME"); cache && *cache == '/')
        return std::string(cache) + "/tidemark/cudnn";
    if (const char* home = std::getenv("HOME"); home && *home == '/')
        return std::string(home) + "/.cache/tidemark/cudnn";
    return {};
}

}  // namespace tidemark::nullgpu
