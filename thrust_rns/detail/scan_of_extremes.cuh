// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors
#pragma once

/// @file
/// Running maxima and minima: a scan of (key, place) finds which elements are larger than all before them; then a scan of
/// the planes repeats the residues of the latest of those.

#include <cstddef>
#include <cstdint>

#include <cuda_runtime_api.h>
#include <cub/device/device_scan.cuh>

#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/tabulate_output_iterator.h>
#include <thrust/iterator/transform_iterator.h>

#include <thrust_rns/config.h>
#include <thrust_rns/detail/candidate.h>
#include <thrust_rns/detail/residue_functions.h>
#include <thrust_rns/interval.h>
#include <thrust_rns/iterator.h>
#include <thrust_rns/number.h>
#include <thrust_rns/span.h>
#include <thrust_rns/detail/plane_rows.cuh>
#include <thrust_rns/detail/scan_kernels.cuh>
#include <thrust_rns/device/device_evaluate.cuh>

namespace thrust_rns {
namespace detail {

/// The candidate of element first + j.
struct candidate_at {
  const std::uint64_t* evaluations;
  std::int64_t first;
  THRUST_RNS_HD candidate operator()(std::int64_t j) const { return {evaluations[first + j], first + j}; }
};

/// The better of two candidates of the range. CUB calls this with uninitialised ones too, and with one candidate twice, whose
/// exact comparison would be the longest of all, and drops the result.
template <class Number>
struct better_in_range {
  better_candidate<Number> better;
  std::int64_t first, last;

  THRUST_RNS_HD bool contains(const candidate& a) const { return first <= a.index && a.index < last; }
  THRUST_RNS_HD candidate operator()(const candidate& a, const candidate& b) const {
    if (!contains(a) || a.index == b.index) return b;
    return contains(b) ? better(a, b) : a;
  }
};

/// An initial value and its evaluation, in device memory.
template <class Number>
struct evaluated_number {
  Number number;
  std::uint64_t key;
};

template <class Number>
__global__ void evaluate_initial(__grid_constant__ const constant_operand<Number> init,
                                 evaluated_number<Number>* evaluated) {
  for (int i = static_cast<int>(threadIdx.x); i < Number::size; i += 32) {
    evaluated->number.set_residue(i, init.number.residue(i));
  }
  __syncwarp();
  if (threadIdx.x == 0) evaluated->key = evaluate_key<Number>(residues_of<Number>{evaluated->number});
}

/// marks[j] := 1 where the best of the elements 0 .. j is j, and it is better than the initial value (null: there is none).
template <class Number>
struct mark_records {
  better_candidate<Number> better;
  std::int64_t first;
  const evaluated_number<Number>* init;
  unsigned char* marks;

  THRUST_RNS_HD void operator()(std::int64_t j, const candidate& best) const {
    if (best.index != first + j) return;
    if (init != nullptr && better.order * compare_evaluated<Number>(better.layout.element(best.index), best.key,
                                                                    residues_of<Number>{init->number}, init->key) <=
                               0) {
      return;
    }
    marks[j] = 1;
  }
};

/// The parts of the temporary memory, each aligned to 16 bytes.
template <class Number>
struct extreme_scan_memory {
  std::size_t evaluations, marks, init, work, end;

  static std::size_t aligned(std::size_t bytes) { return (bytes + 15) / 16 * 16; }
  extreme_scan_memory(const row_range& range, std::int64_t first, std::int64_t count, bool keep,
                      std::size_t most_work) {
    evaluations = 0;
    marks =
        evaluations + (keep ? 0 : static_cast<std::size_t>((first % 4 + count + 3) / 4 * 4) * sizeof(std::uint64_t));
    init = marks + aligned(static_cast<std::size_t>(range.quads()) * 4);
    work = init + aligned(sizeof(evaluated_number<Number>));
    end = work + most_work;
  }
};

/// Order 1: running maxima, -1: minima. With `temp` null, only `bytes` is written. `init` may be null if Inclusive.
template <int Order, bool Inclusive, class Number>
cudaError_t scan_extremes_on_device(void* temp, std::size_t& bytes, cudaStream_t stream,
                                    const_device_iterator<Number> in, const plane_output& out, std::int64_t count,
                                    const Number* init) {
  using better = better_candidate<Number>;
  const row_range range = range_of(out, count);
  span<const Number> s = in.underlying_span();
  const bool keep = s.evaluations() != nullptr;
  const std::int64_t first = in.index();

  const auto scan_candidates = [&](void* work, std::size_t& size, const std::uint64_t* evaluations,
                                   const mark_records<Number>& mark) {
    const auto from =
        thrust::make_transform_iterator(thrust::counting_iterator<std::int64_t>(0), candidate_at{evaluations, first});
    return ::cub::DeviceScan::InclusiveScan(work, size, from, thrust::make_tabulate_output_iterator(mark),
                                            better_in_range<Number>{mark.better, first, first + count}, count, stream);
  };
  const auto evaluate = [&](void* work, std::size_t& size, const span<const Number>& view) {
    const const_device_iterator<Number> all(view, first);
    return DeviceEvaluate::Keys(work, size, all, nullptr, count, stream);
  };
  mark_records<Number> mark{better{layout_of<Number>(s), Order}, first, nullptr, nullptr};
  std::size_t work[3] = {0, 0, scan_bytes<Number>(range)}, most = 0;
  cudaError_t status = evaluate(nullptr, work[0], s);
  if (status == cudaSuccess) status = scan_candidates(nullptr, work[1], nullptr, mark);
  if (status != cudaSuccess) return status;
  for (const std::size_t w : work) most = w > most ? w : most;
  const extreme_scan_memory<Number> at(range, first, count, keep, most);
  if (temp == nullptr) {
    bytes = at.end;
    return cudaSuccess;
  }
  if (bytes < at.end) return cudaErrorInvalidValue;
  if (count == 0) return cudaSuccess;

  auto* memory = static_cast<unsigned char*>(temp);
  status = cudaMemsetAsync(memory, 0, at.init, stream);
  if (status != cudaSuccess) return status;
  if (!keep) { // element first - first % 4 has the first evaluation in the temporary memory
    s = span<const Number>(s.plane(0), s.stride(), s.size(),
                           reinterpret_cast<std::uint64_t*>(memory + at.evaluations) - (first - first % 4));
  }
  auto* initial = reinterpret_cast<evaluated_number<Number>*>(memory + at.init);
  if (init != nullptr) {
    status = launch(evaluate_initial<Number>, dim3(1), 32, stream, constant_operand<Number>{*init}, initial);
    if (status != cudaSuccess) return status;
    mark.init = initial;
  }
  mark.marks = memory + at.marks + range.lead;
  status = evaluate(memory + at.work, most, s);
  if (status == cudaSuccess) status = scan_candidates(memory + at.work, most, s.evaluations(), mark);
  if (status != cudaSuccess) return status;
  return scan_on_device<Inclusive>(memory + at.work, stream,
                                   scan_of_marked{reinterpret_cast<const std::uint32_t*>(memory + at.marks)}, out,
                                   count, operand_of<Number>(in), init == nullptr ? Number{} : *init);
}

} // namespace detail
} // namespace thrust_rns
