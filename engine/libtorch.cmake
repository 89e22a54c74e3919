# SPDX-License-Identifier: Apache-2.0
# Finds the LibTorch that TIDEMARK_TORCH names and the CUDA headers that its headers include.
#   tidemark_libtorch   INTERFACE target: headers, libraries, run path
#   TIDEMARK_TORCH_ROOT folder with include/ and lib/
#   TIDEMARK_CUDA_INCLUDE folders with cuda_runtime_api.h and its like

file(GLOB _torch_candidates "${TIDEMARK_TORCH}" "${TIDEMARK_TORCH}/lib/python3*/site-packages/torch")
foreach(_candidate IN LISTS _torch_candidates)
  if(EXISTS "${_candidate}/lib/libtorch_cuda.so" AND EXISTS "${_candidate}/include/torch/script.h")
    set(TIDEMARK_TORCH_ROOT "${_candidate}")
  endif()
endforeach()
if(NOT TIDEMARK_TORCH_ROOT)
  message(FATAL_ERROR "No CUDA build of LibTorch in TIDEMARK_TORCH=${TIDEMARK_TORCH}: "
    "name the folder with include/ and lib/, or a virtual environment with torch installed.")
endif()

set(TIDEMARK_CUDA_INCLUDE "")
get_filename_component(_site "${TIDEMARK_TORCH_ROOT}" DIRECTORY)
foreach(_folder IN ITEMS
    "${CUDAToolkit_ROOT}/include" "$ENV{CUDA_HOME}/include" "/usr/local/cuda/include" "${_site}/nvidia/cu13/include")
  if(NOT TIDEMARK_CUDA_INCLUDE AND EXISTS "${_folder}/cuda_runtime_api.h")
    set(TIDEMARK_CUDA_INCLUDE "${_folder}")
  endif()
endforeach()
if(NOT TIDEMARK_CUDA_INCLUDE)
  message(FATAL_ERROR "No CUDA headers found: install the CUDA Toolkit or the wheel nvidia-cuda-runtime beside torch.")
endif()

add_library(tidemark_libtorch INTERFACE)
target_include_directories(tidemark_libtorch SYSTEM INTERFACE
  "${TIDEMARK_TORCH_ROOT}/include" "${TIDEMARK_TORCH_ROOT}/include/torch/csrc/api/include" ${TIDEMARK_CUDA_INCLUDE})
# torch, torch_cuda and c10_cuda register operators and devices when loaded: keep them although few symbols are used.
target_link_options(tidemark_libtorch INTERFACE "-Wl,--no-as-needed" "-Wl,--allow-shlib-undefined")
target_link_directories(tidemark_libtorch INTERFACE "${TIDEMARK_TORCH_ROOT}/lib")
target_link_libraries(tidemark_libtorch INTERFACE torch torch_cuda torch_cpu c10_cuda c10)
