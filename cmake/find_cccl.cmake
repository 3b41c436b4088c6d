# SPDX-License-Identifier: Apache-2.0
# Copyright (c) 2026 the thrust_rns authors
#
# Finds CCCL (Thrust, CUB, libcu++) 3.0 or newer and defines the target CCCL::CCCL, or leaves it undefined:
# 1. a target CCCL::CCCL that the including project has made;
# 2. the folder THRUST_RNS_CCCL_DIR: headers, a checkout of CCCL, the folder of `pip install --target`, or a CMake package;
# 3. find_package, which also looks into CUDA toolkits.

include_guard(DIRECTORY)
set(THRUST_RNS_CCCL_DIR "" CACHE PATH "CCCL to use: its headers, checkout, pip --target folder or CMake package")

# Defines CCCL::CCCL from headers below `root` if they are there and new enough.
function(thrust_rns_cccl_from_headers root origin)
  file(GLOB layouts "${root}/nvidia/*/include/cccl" "${root}/nvidia/*/include")
  list(PREPEND layouts "${root}" "${root}/include/cccl" "${root}/include" "${root}/thrust")
  foreach(dir IN LISTS layouts)
    if(NOT EXISTS "${dir}/thrust/version.h")
      continue()
    endif()
    file(STRINGS "${dir}/thrust/version.h" line REGEX "define THRUST_VERSION [0-9]+")
    string(REGEX MATCH "[0-9]+" number "${line}")
    if(number LESS 300000)
      message(FATAL_ERROR "thrust_rns needs CCCL 3.0 or newer; ${dir} has Thrust version ${number}")
    endif()
    math(EXPR major "${number} / 100000")
    math(EXPR minor "${number} / 100 % 1000")
    math(EXPR patch "${number} % 100")
    set(directories "${dir}")
    if(EXISTS "${root}/libcudacxx/include") # a checkout keeps the three libraries apart
      list(APPEND directories "${root}/cub" "${root}/libcudacxx/include")
    endif()
    add_library(CCCL::CCCL INTERFACE IMPORTED GLOBAL)
    target_include_directories(CCCL::CCCL SYSTEM INTERFACE "${directories}")
    message(STATUS "CCCL ${major}.${minor}.${patch}: ${origin}, ${dir}")
    return()
  endforeach()
endfunction()

# Defines CCCL::CCCL by find_package; ARGN are more arguments for it.
macro(thrust_rns_cccl_from_package origin)
  set(CMAKE_MESSAGE_LOG_LEVEL_saved "${CMAKE_MESSAGE_LOG_LEVEL}")
  set(CMAKE_MESSAGE_LOG_LEVEL WARNING) # the package lists its parts
  find_package(CCCL 3.0 CONFIG QUIET ${ARGN})
  set(CMAKE_MESSAGE_LOG_LEVEL "${CMAKE_MESSAGE_LOG_LEVEL_saved}")
  if(CCCL_FOUND)
    message(STATUS "CCCL ${CCCL_VERSION}: ${origin}, ${CCCL_DIR}")
  endif()
endmacro()

if(THRUST_RNS_CCCL_DIR AND NOT TARGET CCCL::CCCL)
  thrust_rns_cccl_from_headers("${THRUST_RNS_CCCL_DIR}" "THRUST_RNS_CCCL_DIR")
  if(NOT TARGET CCCL::CCCL)
    thrust_rns_cccl_from_package("THRUST_RNS_CCCL_DIR" NO_DEFAULT_PATH PATHS "${THRUST_RNS_CCCL_DIR}"
      PATH_SUFFIXES lib/cmake/cccl)
  endif()
  if(NOT TARGET CCCL::CCCL)
    message(FATAL_ERROR "THRUST_RNS_CCCL_DIR=${THRUST_RNS_CCCL_DIR} holds neither thrust/version.h nor a CCCL package, 3.0 or newer")
  endif()
endif()

if(NOT TARGET CCCL::CCCL AND NOT THRUST_RNS_IGNORE_CUDA_TOOLKIT)
  find_program(THRUST_RNS_NVCC nvcc HINTS /usr/local/cuda/bin)
  mark_as_advanced(THRUST_RNS_NVCC)
  set(toolkits ${CUDAToolkit_ROOT} $ENV{CUDAToolkit_ROOT})
  foreach(nvcc IN ITEMS "${CMAKE_CUDA_COMPILER}" "${THRUST_RNS_NVCC}")
    if(EXISTS "${nvcc}")
      file(REAL_PATH "${nvcc}" nvcc)
      cmake_path(GET nvcc PARENT_PATH toolkit)
      list(APPEND toolkits "${toolkit}/..")
    endif()
  endforeach()
  file(GLOB installed_toolkits /usr/local/cuda /usr/local/cuda-*)
  thrust_rns_cccl_from_package("CMake package" HINTS ${toolkits} PATHS ${installed_toolkits})
endif()
