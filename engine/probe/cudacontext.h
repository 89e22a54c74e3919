// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <c10/core/Device.h>
#include <c10/macros/Export.h>

#include <cuda_runtime_api.h>

/// The two functions of ATen/cuda/CUDAContextLight.h that are used here. That header includes those of cuBLAS, cuSPARSE
/// and cuSOLVER, which need not be installed to build Tidemark.
namespace at::cuda {
TORCH_CUDA_CPP_API void clearCublasWorkspaces();
TORCH_CUDA_CPP_API cudaDeviceProp* getDeviceProperties(c10::DeviceIndex device);
}  // namespace at::cuda
