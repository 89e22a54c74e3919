// SPDX-License-Identifier: Apache-2.0
// CUPTI: a profiler that never has a record.
#include <cstddef>
#include <cstdint>

namespace {
using Status = int;
constexpr Status kSuccess = 0;
constexpr Status kMaxLimitReached = 12;
constexpr std::uint32_t kVersion = 130200;
}  // namespace

extern "C" {

Status cuptiGetVersion(std::uint32_t* version) {
    *version = kVersion;
    return kSuccess;
}
Status cuptiGetResultString(Status status, const char** text) {
    *text = status == kSuccess ? "CUPTI_SUCCESS" : "CUPTI_ERROR";
    return kSuccess;
}
Status cuptiGetCallbackName(int, std::uint32_t, const char** name) {
    *name = "";
    return kSuccess;
}
Status cuptiSubscribe(void** subscriber, void*, void*) {
    *subscriber = reinterpret_cast<void*>(0x10);
    return kSuccess;
}
Status cuptiActivityGetNextRecord(std::uint8_t*, std::size_t, void** record) {
    *record = nullptr;
    return kMaxLimitReached;
}
Status cuptiActivityGetNumDroppedRecords(void*, std::uint32_t, std::size_t* dropped) {
    *dropped = 0;
    return kSuccess;
}
Status cuptiActivityPopExternalCorrelationId(int, std::uint64_t* last) {
    if (last)
        *last = 0;
    return kSuccess;
}
}
