// SPDX-License-Identifier: Apache-2.0
// cuFile: direct storage is refused, so that callers read files the usual way.
#include <cstddef>
#include <sys/types.h>

namespace {

/// CUfileError_t
struct FileError {
    int error;
    int driverError;
};
constexpr FileError kNotSupported{5026, 0};

}  // namespace

extern "C" {

const char* cufileop_status_error(int) { return "not supported"; }
FileError cuFileHandleRegister(void** handle, void*) {
    *handle = nullptr;
    return kNotSupported;
}
FileError cuFileBufRegister(const void*, std::size_t, int) { return kNotSupported; }
ssize_t cuFileRead(void*, void*, std::size_t, off_t, off_t) { return -1; }
ssize_t cuFileWrite(void*, const void*, std::size_t, off_t, off_t) { return -1; }
}
