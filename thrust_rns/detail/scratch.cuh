// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors
#pragma once

/// @file
/// Temporary device memory for one call of an algorithm on the CUDA backend.

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <new>
#include <vector>

#include <cuda_runtime_api.h>

#include <thrust/memory.h>

#include <thrust_rns/detail/thrust_compat.h>

namespace thrust_rns {
namespace detail {

/// This process's pool of scratch memory on a device, or null where the device has no pools. It keeps what it has got (up to half
/// a byte for each element of the longest range), so that a call does not pay for cudaMalloc; user's pools and their
/// settings are left alone.
inline cudaMemPool_t scratch_pool(int device) {
  static std::mutex mutex;
  static std::vector<cudaMemPool_t> pools;
  const std::lock_guard<std::mutex> lock(mutex);
  const auto index = static_cast<std::size_t>(device);
  if (index >= pools.size()) pools.resize(index + 1, nullptr);
  if (pools[index] != nullptr) return pools[index];

  int supported = 0;
  check_cuda(cudaDeviceGetAttribute(&supported, cudaDevAttrMemoryPoolsSupported, device), "thrust_rns: scratch memory");
  if (supported == 0) return nullptr;
  cudaMemPoolProps properties{};
  properties.allocType = cudaMemAllocationTypePinned;
  properties.location.type = cudaMemLocationTypeDevice;
  properties.location.id = device;
  cudaMemPool_t pool = nullptr;
  check_cuda(cudaMemPoolCreate(&pool, &properties), "thrust_rns: scratch memory");
  std::uint64_t keep = ~std::uint64_t{0};
  check_cuda(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &keep), "thrust_rns: scratch memory");
  pools[index] = pool;
  return pool;
}

/// Device memory aligned to 16 bytes, in the order of the policy's stream: from the policy's allocator if it brings one,
/// else from the pool.
template <class Policy>
class scratch {
  struct alignas(16) unit {
    unsigned char bytes[16];
  };

 public:
  scratch(Policy& exec, std::size_t bytes) : exec_(exec) {
    if constexpr (allocates_by_default<Policy>) {
      int device = 0;
      check_cuda(cudaGetDevice(&device), "thrust_rns: scratch memory");
      if (const cudaMemPool_t pool = scratch_pool(device); pool != nullptr) {
        check_cuda(cudaMallocFromPoolAsync(&pooled_, bytes, pool, stream_of(exec)), "thrust_rns: scratch memory");
        return;
      }
    }
    const auto units = static_cast<std::ptrdiff_t>((bytes + sizeof(unit) - 1) / sizeof(unit));
    const auto buffer = thrust::get_temporary_buffer<unit>(exec, units);
    units_ = thrust::raw_pointer_cast(buffer.first);
    count_ = buffer.second;
    if (count_ < units) {
      if (count_ > 0) thrust::return_temporary_buffer(exec_, buffer.first, count_);
      throw std::bad_alloc();
    }
  }
  scratch(const scratch&) = delete;
  scratch& operator=(const scratch&) = delete;
  ~scratch() {
    if (pooled_ != nullptr) {
      cudaFreeAsync(pooled_, stream_of(exec_));
    } else {
      thrust::return_temporary_buffer(exec_, thrust::pointer<unit, Policy>(units_), count_);
    }
  }

  unsigned char* bytes() const { return pooled_ != nullptr ? static_cast<unsigned char*>(pooled_) : units_->bytes; }

 private:
  Policy& exec_;
  void* pooled_ = nullptr;
  unit* units_ = nullptr;
  std::ptrdiff_t count_ = 0;
};

} // namespace detail
} // namespace thrust_rns
