// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors
#pragma once

/// @file
/// Kinds of vector instructions of the host, chosen when the program runs; nvcc's front end is spared the intrinsics.

#if defined(__x86_64__) && !defined(__CUDACC__)
#  define THRUST_RNS_X86 1
#  include <immintrin.h>
#else
#  define THRUST_RNS_X86 0
#endif

namespace thrust_rns {
namespace detail {

enum class instructions { portable, avx2, avx512 };

} // namespace detail
} // namespace thrust_rns
