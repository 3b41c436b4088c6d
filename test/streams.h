// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors
#pragma once

/// @file
/// Streams for tests of the CUDA backend.

#include <cuda_runtime_api.h>
#include <doctest/doctest.h>

namespace test {

/// A stream that does not wait for the default stream.
class stream_owner {
 public:
  stream_owner() { REQUIRE(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking) == cudaSuccess); }
  stream_owner(const stream_owner&) = delete;
  stream_owner& operator=(const stream_owner&) = delete;
  ~stream_owner() { cudaStreamDestroy(stream_); }
  operator cudaStream_t() const { return stream_; }
  void wait() const { REQUIRE(cudaStreamSynchronize(stream_) == cudaSuccess); }

 private:
  cudaStream_t stream_ = nullptr;
};

} // namespace test
