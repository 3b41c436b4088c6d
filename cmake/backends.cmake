# SPDX-License-Identifier: Apache-2.0
# Copyright (c) 2026 the thrust_rns authors
#
# How tests, examples and benchmarks are compiled for a backend (Thrust device system): CPP, OMP or CUDA.

if(OMP IN_LIST THRUST_RNS_FOUND_BACKENDS)
  find_package(OpenMP REQUIRED COMPONENTS CXX)
endif()

# Definitions, warnings and language of `target`, made of the files ARGN.
function(thrust_rns_set_backend target backend)
  target_link_libraries(${target} PRIVATE thrust_rns::thrust_rns)
  target_compile_definitions(${target} PRIVATE
    THRUST_HOST_SYSTEM=THRUST_HOST_SYSTEM_CPP THRUST_DEVICE_SYSTEM=THRUST_DEVICE_SYSTEM_${backend})
  if(backend STREQUAL CUDA)
    set_source_files_properties(${ARGN} PROPERTIES LANGUAGE CUDA) # holds in the calling directory
    target_compile_features(${target} PRIVATE cuda_std_17)
    target_compile_definitions(${target} PRIVATE THRUST_FORCE_64_BIT_OFFSET_TYPE)
    target_compile_options(${target} PRIVATE -Werror=all-warnings -Xcompiler=-Wall,-Wextra,-Werror)
  else()
    target_compile_options(${target} PRIVATE -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror
      $<$<CXX_COMPILER_ID:Clang,AppleClang>:-Wno-sign-conversion>) # as in g++'s -Wconversion
  endif()
  if(backend STREQUAL OMP)
    target_link_libraries(${target} PRIVATE OpenMP::OpenMP_CXX)
  endif()
endfunction()

# An executable from the files ARGN.
function(thrust_rns_add_executable target backend)
  add_executable(${target} ${ARGN})
  thrust_rns_set_backend(${target} ${backend} ${ARGN})
  if(THRUST_RNS_STATIC_LIBS)
    target_link_options(${target} PRIVATE -static-libstdc++ -static-libgcc -s)
  endif()
endfunction()

# Links GMP and its C++ interface.
function(thrust_rns_link_gmp target)
  set(suffix "")
  if(THRUST_RNS_STATIC_LIBS)
    set(suffix ".a")
    set(CMAKE_FIND_LIBRARY_SUFFIXES .a)
  endif()
  find_path(THRUST_RNS_GMP_INCLUDE gmpxx.h)
  find_library(THRUST_RNS_GMP${suffix} gmp)
  find_library(THRUST_RNS_GMPXX${suffix} gmpxx)
  mark_as_advanced(THRUST_RNS_GMP_INCLUDE THRUST_RNS_GMP${suffix} THRUST_RNS_GMPXX${suffix})
  if(NOT THRUST_RNS_GMP_INCLUDE OR NOT THRUST_RNS_GMP${suffix} OR NOT THRUST_RNS_GMPXX${suffix})
    message(FATAL_ERROR "GMP was not found (Debian and Ubuntu: apt-get install libgmp-dev)")
  endif()
  target_include_directories(${target} SYSTEM PRIVATE "${THRUST_RNS_GMP_INCLUDE}")
  target_link_libraries(${target} PRIVATE "${THRUST_RNS_GMPXX${suffix}}" "${THRUST_RNS_GMP${suffix}}")
endfunction()
