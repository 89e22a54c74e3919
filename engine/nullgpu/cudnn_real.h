// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/base/message.h"
#include "engine/nullgpu/cudnn_types.h"

#include <cstdint>
#include <mutex>
#include <string>
#include <unordered_map>

namespace tidemark::nullgpu {

/// The message as JSON of its words and values: as the problem of WorkspaceState it goes to the probe's own messages.
std::string said(const Message& message);

/// The user's own cuDNN, asked for convolution plans on the described card. It needs no driver and no device as long
/// as every heuristics, engine and plan descriptor is given a description of the device and none a handle.
/// Plans whose kernels cuDNN would compile first, for seconds each, are not built: their engine's configuration knows
/// the same workspace.
/// cuDNN may kill the process on descriptions it does not expect; what is known to do so is refused by load().
class RealCudnn {
public:
    using Status = cudnn::Status;

    /// Null when the library cannot be used for this card; *problem then says why, as said() writes it.
    static RealCudnn* load(const std::string& path, std::string* problem);
    /// Once, before any descriptor is made. False when cuDNN does not take the card's description.
    bool describeDevice(std::string* problem);

    /// 92601 for 9.26.1
    std::size_t version() const { return m_version(); }
    /// Why a cuDNN of this version must not be asked about the described card; empty when it may.
    static std::string refusal(std::size_t version);

    Status create(int type, void** descriptor);
    Status destroy(void* descriptor);
    /// Drops handles: there is no device behind them.
    Status setAttribute(void* descriptor, int name, int type, std::int64_t count, const void* values);
    Status getAttribute(void* descriptor, int name, int type, std::int64_t wanted, std::int64_t* count, void* values);
    /// Gives the descriptor the device's description before finalising it. Succeeds at once for a plan that would have
    /// to be compiled.
    Status finalize(void* descriptor);
    const char* errorString(Status status) const { return m_errorString(status); }
    void lastError(char* text, std::size_t size) const { m_lastError(text, size); }

private:
    bool resolve(void* library, std::string* problem);
    bool needsCompilation(void* configuration);
    Status finalizeNow(void* descriptor);

    std::size_t (*m_version)() = nullptr;
    const char* (*m_errorString)(Status) = nullptr;
    void (*m_lastError)(char*, std::size_t) = nullptr;
    Status (*m_create)(int, void**) = nullptr;
    Status (*m_destroy)(void*) = nullptr;
    Status (*m_set)(void*, int, int, std::int64_t, const void*) = nullptr;
    Status (*m_get)(void*, int, int, std::int64_t, std::int64_t*, void*) = nullptr;
    Status (*m_finalize)(void*) = nullptr;

    void* m_deviceProperties = nullptr;
    std::mutex m_mutex;
    std::unordered_map<void*, int> m_takesDevice;  ///< descriptor -> its attribute for the device's description
    std::unordered_map<void*, void*> m_configurations;     ///< plan -> its engine configuration
    std::unordered_map<void*, std::int64_t> m_uncompiled;  ///< plan finalised in name only -> its workspace
};

/// The described card as CUDNN_ATTR_DEVICEPROP_JSON_REPRESENTATION takes it.
std::string cudnnDeviceJson();

}  // namespace tidemark::nullgpu
