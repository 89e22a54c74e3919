// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/nullgpu/cudnn_answers.h"
#include "engine/nullgpu/cudnn_real.h"

#include <cstdint>
#include <memory>
#include <mutex>
#include <string>

namespace tidemark::nullgpu {

/// The user's cuDNN behind its own answers. What it says about a descriptor depends on nothing but what the descriptor
/// and its parts were given, the version of cuDNN and the described card; so each question is named by a digest of these,
/// and put to cuDNN only where no process has put it before. Descriptors are our own: cuDNN's are made when one of its
/// answers is missing. All answers that LibTorch sees are kept, refusals too, in its heuristics' order.
class RememberedCudnn {
public:
    using Status = cudnn::Status;

    /// As RealCudnn::load(). Answers lie in `folder`; empty: in memory.
    static RememberedCudnn* load(const std::string& path, const std::string& folder, std::string* problem);

    /// "9.26.1"
    std::string version() const;
    Status create(int type, void** descriptor);
    Status destroy(void* descriptor);
    Status setAttribute(void* descriptor, int name, int type, std::int64_t count, const void* values);
    Status getAttribute(void* descriptor, int name, int type, std::int64_t wanted, std::int64_t* count, void* values);
    Status finalize(void* descriptor);
    const char* errorString(Status status);
    void lastError(char* text, std::size_t size) const;
    /// Puts what is new into the file. A process may be killed at any time, so not only at its end.
    void write();

private:
    struct Node;
    struct Handle;
    using NodePtr = std::shared_ptr<Node>;

    RememberedCudnn(std::string path, AnswerFile answers);
    bool acceptsDevice(std::string* problem);
    /// Loads cuDNN and describes the card to it, unless that was done.
    bool start(std::string* problem);
    NodePtr newNode(int type);
    /// cuDNN's own descriptor with all that was set, finalised if ours is.
    Status makeReal(Node& node);
    Status makePart(Node& node);
    Status setReal(Node& node);
    Status askFinalize(Node& node);
    Answer askAttribute(const NodePtr& node, int name, int type, std::int64_t wanted, bool counted, void* values);

    std::string m_path;
    RealCudnn* m_real = nullptr;  ///< null as long as all answers are known
    std::size_t m_version = 0;
    std::mutex m_mutex;
    AnswerFile m_answers;
};

/// Where answers are kept: TIDEMARK_CUDNN_ANSWERS, else a folder of the user's cache; empty for nowhere.
std::string cudnnAnswersFolder();

}  // namespace tidemark::nullgpu
