# SPDX-License-Identifier: Apache-2.0
# Copyright (c) 2026 the thrust_rns authors
#
# CCCL::CCCL: found (see find_cccl.cmake), else fetched into the build folder from GitHub, else from PyPI.

include("${CMAKE_CURRENT_LIST_DIR}/find_cccl.cmake")
if(TARGET CCCL::CCCL OR NOT THRUST_RNS_FETCH_CCCL)
  return()
endif()

set(thrust_rns_fetched "${PROJECT_BINARY_DIR}/cccl")
if(NOT EXISTS "${thrust_rns_fetched}")
  find_package(Git QUIET)
  find_package(Python3 QUIET COMPONENTS Interpreter)
  set(github 1)
  if(GIT_FOUND)
    execute_process(
      COMMAND "${CMAKE_COMMAND}" -E env GIT_TERMINAL_PROMPT=0
        "${GIT_EXECUTABLE}" ls-remote --exit-code https://github.com/NVIDIA/cccl.git refs/tags/v3.0.1
      TIMEOUT 20 RESULT_VARIABLE github OUTPUT_QUIET ERROR_QUIET)
  endif()
  if(github EQUAL 0)
    message(STATUS "CCCL: fetching v3.0.1 from GitHub")
    include(FetchContent)
    # The subfolder without a CMakeLists.txt: download only, no add_subdirectory.
    FetchContent_Declare(cccl GIT_REPOSITORY https://github.com/NVIDIA/cccl.git GIT_TAG v3.0.1 GIT_SHALLOW ON
      SOURCE_DIR "${thrust_rns_fetched}" SOURCE_SUBDIR docs/none)
    FetchContent_MakeAvailable(cccl)
  elseif(Python3_FOUND)
    message(STATUS "CCCL: GitHub does not answer, fetching nvidia-cuda-cccl 13.0.85 with pip")
    execute_process(
      COMMAND "${CMAKE_COMMAND}" -E env PIP_ROOT_USER_ACTION=ignore "${Python3_EXECUTABLE}" -m pip install --quiet --no-deps --disable-pip-version-check
        --target "${thrust_rns_fetched}.partial" nvidia-cuda-cccl==13.0.85
      RESULT_VARIABLE pip)
    if(pip EQUAL 0)
      file(RENAME "${thrust_rns_fetched}.partial" "${thrust_rns_fetched}")
    endif()
  endif()
endif()

set(THRUST_RNS_CCCL_DIR "${thrust_rns_fetched}")
thrust_rns_cccl_from_headers("${thrust_rns_fetched}" "fetched")
if(NOT TARGET CCCL::CCCL)
  message(FATAL_ERROR "thrust_rns needs CCCL 3.0 or newer (https://github.com/NVIDIA/cccl): install a CUDA toolkit 13 "
    "or newer, or give its headers with -DTHRUST_RNS_CCCL_DIR=<folder>; neither GitHub nor pip could deliver it")
endif()
