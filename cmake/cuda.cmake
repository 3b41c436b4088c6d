# SPDX-License-Identifier: Apache-2.0
# Copyright (c) 2026 the thrust_rns authors
#
# Enables CUDA where nvcc is found. Results: THRUST_RNS_FOUND_BACKENDS, and THRUST_RNS_HAS_GPU (tests can run here).

set(THRUST_RNS_FOUND_BACKENDS ${THRUST_RNS_BACKENDS})
set(THRUST_RNS_HAS_GPU OFF)
if(CUDA IN_LIST THRUST_RNS_BACKENDS AND NOT THRUST_RNS_IGNORE_CUDA_TOOLKIT)
  execute_process(COMMAND nvidia-smi -L OUTPUT_VARIABLE gpus RESULT_VARIABLE status ERROR_QUIET)
  if(status EQUAL 0 AND gpus MATCHES "GPU 0")
    set(THRUST_RNS_HAS_GPU ON)
  endif()
  if(NOT CMAKE_CUDA_COMPILER AND NOT DEFINED ENV{CUDACXX})
    file(GLOB toolkits /usr/local/cuda/bin /usr/local/cuda-*/bin)
    find_program(THRUST_RNS_NVCC nvcc PATHS ${toolkits})
    if(THRUST_RNS_NVCC)
      set(CMAKE_CUDA_COMPILER "${THRUST_RNS_NVCC}")
    endif()
  endif()
  if(NOT CMAKE_CUDA_ARCHITECTURES)
    if(THRUST_RNS_HAS_GPU)
      set(CMAKE_CUDA_ARCHITECTURES native)
    else()
      set(CMAKE_CUDA_ARCHITECTURES 90)
    endif()
  endif()
  include(CheckLanguage)
  check_language(CUDA)
  if(CMAKE_CUDA_COMPILER)
    enable_language(CUDA)
  endif()
  if(CMAKE_CUDA_ARCHITECTURES STREQUAL native AND NOT CMAKE_CUDA_ARCHITECTURES_NATIVE MATCHES "^[0-9]")
    set(CMAKE_CUDA_ARCHITECTURES 90) # nvidia-smi lists a GPU that CUDA programs cannot use
    set(THRUST_RNS_HAS_GPU OFF)
  elseif(CMAKE_CUDA_ARCHITECTURES STREQUAL native AND CMAKE_CUDA_ARCHITECTURES_NATIVE MATCHES "^90")
    set(CMAKE_CUDA_ARCHITECTURES 90a) # with wgmma
  endif()
endif()

if(NOT CMAKE_CUDA_COMPILER_LOADED OR CMAKE_CUDA_COMPILER_VERSION VERSION_LESS 12.0) # CCCL 3.0 needs 12.0
  list(REMOVE_ITEM THRUST_RNS_FOUND_BACKENDS CUDA)
endif()
if(NOT THRUST_RNS_FOUND_BACKENDS)
  message(FATAL_ERROR "THRUST_RNS_BACKENDS=${THRUST_RNS_BACKENDS}: nothing to build, since nvcc 12.0 or newer was not found")
endif()
list(JOIN THRUST_RNS_FOUND_BACKENDS ", " backends)
message(STATUS "thrust_rns backends: ${backends}; GPU here: ${THRUST_RNS_HAS_GPU}; CUDA architectures: ${CMAKE_CUDA_ARCHITECTURES}")
