// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors
#pragma once

/// @file
/// Compiler facts used by every other header: execution-space macros and 128-bit integers.

#include <cstdint>

/// `__host__ __device__` where a CUDA compiler reads the file, nothing elsewhere.
#if defined(__CUDACC__)
#  define THRUST_RNS_HD __host__ __device__
#else
#  define THRUST_RNS_HD
#endif

/// Keeps a rarely taken path out of its caller, so that the common path stays small in registers and compile time.
#if defined(_MSC_VER)
#  error \
      "thrust_rns needs a compiler with 128-bit integers: g++ 9 or newer, clang 10 or newer, or nvcc over one of them"
#else
#  define THRUST_RNS_NOINLINE __attribute__((noinline))
#endif

/// Lets a `__host__ __device__` template call what only one of the two sides can run (as Thrust's entry points do).
#if defined(__CUDACC__)
#  define THRUST_RNS_EXEC_CHECK_DISABLE _Pragma("nv_exec_check_disable")
#else
#  define THRUST_RNS_EXEC_CHECK_DISABLE
#endif

/// How often device code repeats the body of the loop that follows; without it nvcc unrolls loops of known length whole.
#if defined(__CUDA_ARCH__)
#  define THRUST_RNS_PRAGMA(TEXT) _Pragma(#  TEXT)
#  define THRUST_RNS_REPEAT(TIMES) THRUST_RNS_PRAGMA(unroll TIMES)
#else
#  define THRUST_RNS_REPEAT(TIMES)
#endif

namespace thrust_rns {

__extension__ typedef unsigned __int128 uint128_t;
__extension__ typedef __int128 int128_t;

} // namespace thrust_rns
