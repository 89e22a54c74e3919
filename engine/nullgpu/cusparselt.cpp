// SPDX-License-Identifier: Apache-2.0
// cuSPARSELt: versions and sizes.
#include <cstddef>
#include <cstring>

namespace {
using Status = int;
constexpr Status kSuccess = 0;
}  // namespace

extern "C" {

const char* cusparseLtGetErrorString(Status status) { return status == kSuccess ? "success" : "not supported"; }
const char* cusparseLtGetErrorName(Status status) {
    return status == kSuccess ? "CUSPARSE_STATUS_SUCCESS" : "CUSPARSE_STATUS_NOT_SUPPORTED";
}
Status cusparseLtGetVersion(const void*, int* version) {
    *version = TIDEMARK_CUSPARSELT_VERSION;
    return kSuccess;
}
Status cusparseLtMatmulGetWorkspace(const void*, const void*, std::size_t* size) {
    *size = 0;
    return kSuccess;
}
Status cusparseLtMatmulAlgGetAttribute(const void*, const void*, int, void* data, std::size_t size) {
    std::memset(data, 0, size);
    return kSuccess;
}
/// Half of the values and two bits for each of them stay of a 2:4 sparse matrix; the matrix is not known here.
Status cusparseLtSpMMACompressedSize2(const void*, const void*, std::size_t* size, std::size_t* bufferSize) {
    *size = 0;
    *bufferSize = 0;
    return kSuccess;
}
}
