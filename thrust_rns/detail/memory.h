// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors
#pragma once

/// @file
/// Copies between host and device memory, for planes: `rows` runs of `width` bytes, `pitch` bytes apart.

#include <cstddef>
#include <cstring>

#include <thrust_rns/detail/thrust_compat.h>

namespace thrust_rns {
namespace detail {

/// dst and src are raw pointers into the memory of DstSystem and SrcSystem. On return the data have arrived; under
/// CUDA the copy takes its turn in the default stream.
template <class DstSystem, class SrcSystem>
void copy_rows(void* dst, std::size_t dst_pitch, const void* src, std::size_t src_pitch, std::size_t width,
               std::size_t rows) {
  if (width == 0 || rows == 0) return;
  [[maybe_unused]] const auto row = [&](auto copy) {
    for (std::size_t r = 0; r < rows; ++r) {
      copy(static_cast<unsigned char*>(dst) + r * dst_pitch, static_cast<const unsigned char*>(src) + r * src_pitch);
    }
  };
  if constexpr (is_cuda_system<DstSystem> || is_cuda_system<SrcSystem>) {
#if THRUST_RNS_CUDA_BACKEND
    constexpr std::size_t longest_pitch = (std::size_t{1} << 31) - 1; // of cudaMemcpy2D
    const char* what = "thrust_rns: copy of residue planes";
    if (dst_pitch <= longest_pitch && src_pitch <= longest_pitch) {
      check_cuda(cudaMemcpy2D(dst, dst_pitch, src, src_pitch, width, rows, cudaMemcpyDefault), what);
    } else {
      row([&](unsigned char* d, const unsigned char* s) {
        check_cuda(cudaMemcpy(d, s, width, cudaMemcpyDefault), what);
      });
    }
    check_cuda(cudaStreamSynchronize(nullptr), what); // copies within the device do not wait by themselves
#endif
  } else {
    row([&](unsigned char* d, const unsigned char* s) { std::memcpy(d, s, width); });
  }
}

template <class System>
void zero_bytes(void* p, std::size_t bytes) {
  if (bytes == 0) return;
  if constexpr (is_cuda_system<System>) {
#if THRUST_RNS_CUDA_BACKEND
    check_cuda(cudaMemsetAsync(p, 0, bytes, nullptr), "thrust_rns: clearing memory");
    check_cuda(cudaStreamSynchronize(nullptr), "thrust_rns: clearing memory");
#endif
  } else {
    std::memset(p, 0, bytes);
  }
}

} // namespace detail
} // namespace thrust_rns
