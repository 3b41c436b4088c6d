// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors

// CUDA only: Thrust calls on streams, and a graph of the device layer's calls.

#include <thrust_rns/device_vector.h>
#include <thrust_rns/device/device_reduce.cuh>

#include <thrust/device_vector.h>
#include <thrust/execution_policy.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/reduce.h>
#include <thrust/transform.h>

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>
#include <iostream>

#include "check.h"

namespace {

using number = thrust_rns::number<thrust_rns::moduli_for_bits<256>, thrust_rns::symmetric_range>;
constexpr std::int64_t n = 100'000;

void check_cuda(cudaError_t status) { check(status == cudaSuccess, cudaGetErrorString(status)); }

struct square {
  __host__ __device__ number operator()(std::int64_t j) const { return number(j) * j; }
};

/// The largest number of v, its index, and the sum: as a graph, to be launched again whenever v has changed.
class graph_of_v {
  thrust::device_vector<number> results_ = thrust::device_vector<number>(2); // largest, sum
  thrust::device_vector<std::int64_t> index_ = thrust::device_vector<std::int64_t>(1);
  thrust::device_vector<char> scratch_;
  cudaGraphExec_t graph_ = nullptr;

 public:
  graph_of_v(const thrust_rns::device_vector<number>& v, cudaStream_t stream) {
    number* const results = thrust::raw_pointer_cast(results_.data());
    std::int64_t* const index = thrust::raw_pointer_cast(index_.data());
    // The device layer neither allocates nor waits: with a null pointer each call says what memory it needs.
    std::size_t bytes = 0, bytes_of_sum = 0;
    check_cuda(thrust_rns::DeviceReduce::ArgMax(nullptr, bytes, v.begin(), results, index, n, stream));
    check_cuda(thrust_rns::DeviceReduce::Sum(nullptr, bytes_of_sum, v.begin(), results + 1, n, stream));
    bytes = bytes > bytes_of_sum ? bytes : bytes_of_sum;
    scratch_.resize(bytes);
    void* const scratch = thrust::raw_pointer_cast(scratch_.data());

    cudaGraph_t graph = nullptr;
    check_cuda(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
    check_cuda(thrust_rns::DeviceReduce::ArgMax(scratch, bytes, v.begin(), results, index, n, stream));
    check_cuda(thrust_rns::DeviceReduce::Sum(scratch, bytes, v.begin(), results + 1, n, stream));
    check_cuda(cudaStreamEndCapture(stream, &graph));
    check_cuda(cudaGraphInstantiate(&graph_, graph, 0));
    check_cuda(cudaGraphDestroy(graph));
  }
  ~graph_of_v() { cudaGraphExecDestroy(graph_); }

  void launch(cudaStream_t stream) { check_cuda(cudaGraphLaunch(graph_, stream)); }
  number largest() const { return results_[0]; }
  number sum() const { return results_[1]; }
  std::int64_t index() const { return index_[0]; }
};

} // namespace

int main() {
  cudaStream_t stream, other;
  check_cuda(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  check_cuda(cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking));
  thrust_rns::device_vector<number> v(n), w(n);
  check_cuda(cudaDeviceSynchronize()); // the vectors are filled in the default stream

  // par waits for its stream; par_nosync queues its work and comes back, where a call has no answer to wait for.
  const thrust::counting_iterator<std::int64_t> indices(0);
  thrust::transform(thrust::cuda::par_nosync.on(stream), indices, indices + n, v.begin(), square());
  thrust::transform(thrust::cuda::par.on(other), indices, indices + n, w.begin(), square());
  thrust::transform(thrust::cuda::par_nosync.on(stream), v.begin(), v.end(), v.begin(), v.begin(),
                    thrust_rns::multiplies()); // after the squares: it is the same stream
  const number sum_of_squares = thrust::reduce(thrust::cuda::par.on(other), w.begin(), w.end());
  check(sum_of_squares == number(n - 1) * n * (2 * n - 1) * thrust_rns::inverse()(number(6)), "the sum of squares");

  // v[j] = j^4
  graph_of_v graph(v, stream);
  graph.launch(stream);
  check_cuda(cudaStreamSynchronize(stream));
  const number fourth = number(n - 1) * (n - 1) * (n - 1) * (n - 1), sum = graph.sum();
  check(graph.index() == n - 1 && graph.largest() == fourth, "the largest");

  v[5] = fourth + 1; // drops the evaluation kept by the graph
  graph.launch(stream);
  check_cuda(cudaStreamSynchronize(stream));
  check(graph.index() == 5 && graph.largest() == fourth + 1, "the largest of the changed vector");
  check(graph.sum() == sum + fourth + 1 - 625, "the sum of the changed vector");
  check_cuda(cudaStreamDestroy(stream));
  check_cuda(cudaStreamDestroy(other));
  std::cout << "all right" << std::endl;
}
