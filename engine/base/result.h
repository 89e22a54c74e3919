// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/base/message.h"

#include <optional>
#include <string>
#include <utility>
#include <variant>

namespace tidemark {

/// What went wrong, for branches. The text for people travels beside it.
enum class ErrorCode {
    None,
    FileNotFound,
    FileUnreadable,   ///< exists, but cannot be read (permissions, a folder)
    FileEmpty,
    FileTruncated,
    NotTorchScript,   ///< some other known or unknown format: a state_dict, ONNX, safetensors, text
    ModelUnsupported, ///< TorchScript, but this LibTorch cannot load it
    InputNeeded,      ///< the input shape is neither in the file nor guessable
    InputInvalid,     ///< an input description that cannot be read or that the model rejects
    SettingInvalid,
    StepFailed,       ///< the model raised an error while the step ran
    OutOfMemory,      ///< LibTorch's own out-of-memory error on the described device
    GpuUnknown,
    WorkerDied,
    WorkerUnavailable, ///< the probe program cannot be started
    Cancelled,
    Internal,
};

/// One sentence that names the file or layer and says what to do, and optionally the raw text behind it.
struct Error {
    ErrorCode code = ErrorCode::Internal;
    Message message;
    std::string detail;  ///< the library's own words, shown on demand; may be empty
};

/// A value or an Error; what every public edge of the engine returns.
template <class T>
class [[nodiscard]] Result {
public:
    Result(T value) : m_state(std::move(value)) {}
    Result(Error error) : m_state(std::move(error)) {}

    bool ok() const { return std::holds_alternative<T>(m_state); }
    explicit operator bool() const { return ok(); }
    T& value() & { return std::get<T>(m_state); }
    const T& value() const& { return std::get<T>(m_state); }
    T&& value() && { return std::get<T>(std::move(m_state)); }
    const Error& error() const { return std::get<Error>(m_state); }
    T* operator->() { return &value(); }
    const T* operator->() const { return &value(); }

private:
    std::variant<T, Error> m_state;
};

}  // namespace tidemark
