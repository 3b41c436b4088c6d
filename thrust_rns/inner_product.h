// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors
#pragma once

/// @file
/// `thrust::inner_product` over vectors of numbers, and `thrust::reduce` by product.
///
///   thrust::inner_product([policy,] first, last, second, init [, plus, multiplies])     init + x_0 y_0 + x_1 y_1 + ...
///   thrust::reduce([policy,] first, last, init, multiplies)                             init x_0 x_1 ...
///
/// The functors may be `thrust_rns::plus` and `multiplies`, or Thrust's and libcu++'s of those names; any others run Thrust's
/// own algorithm. `init` is a number of the vectors' type. Operands: iterators of `device_vector` and `host_vector`, at any
/// offset; `second` may be a `thrust::make_constant_iterator(number)` too. Exact modulo M.
///
/// Work: one pass, 4 n bytes read an element and operand. Memory beside the vectors: some ten kilobytes, from the policy's
/// allocator. Streams: work is queued on the policy's stream; returns when the result is known.
/// In device code the calls run sequentially in the calling thread.
///
/// @code
/// using number = thrust_rns::number<thrust_rns::moduli_for_bits<256>, thrust_rns::symmetric_range>;
/// thrust_rns::device_vector<number> a{number(5), number(-9)}, b{number(2), number(3)};
/// std::cout << thrust::inner_product(a.begin(), a.end(), b.begin(), number(100)) << ' '
///           << thrust::reduce(a.begin(), a.end(), number(2), thrust_rns::multiplies()) << '\n';  // prints 83 -90
/// @endcode

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include <cuda/std/tuple>

#include <thrust/inner_product.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/transform_reduce.h>

#include <thrust_rns/config.h>
#include <thrust_rns/detail/folds.h>
#include <thrust_rns/detail/residue_functions.h>
#include <thrust_rns/detail/thrust_compat.h>
#include <thrust_rns/functional.h>
#include <thrust_rns/iterator.h>
#if THRUST_RNS_CUDA_BACKEND
#  include <thrust_rns/detail/cuda_reduce.cuh>
#  include <thrust_rns/detail/fold_kernels.cuh>
#endif

namespace thrust_rns {
namespace detail {

/// The fold of one chunk on the host, or of everything by one thread.
template <class Fold, class Number, class... Inputs>
struct fold_of_chunk {
  static constexpr std::int64_t chunk = 16384;

  std::int64_t count;
  ::cuda::std::tuple<Inputs...> in;

  THRUST_RNS_HD Number operator()(std::int64_t index) const {
    return fold(index * chunk, count - index * chunk < chunk ? count : (index + 1) * chunk);
  }
  THRUST_RNS_HD Number fold(std::int64_t first, std::int64_t last) const {
    Number total;
    for (int i = 0; i < Number::size; ++i) {
      const modulus m = moduli_of<typename Number::base_type>()[i];
      total.set_residue(
          i, ::cuda::std::apply([&](const Inputs&... x) { return fold_row(m, first, last, x.row(i)...); }, in));
    }
    return total;
  }

 private:
  template <class... Rows>
  THRUST_RNS_HD static std::uint32_t fold_row(const modulus& m, std::int64_t first, std::int64_t last,
                                              const Rows&... x) {
    Fold f;
    for (std::int64_t j = first; j < last; ++j) f.add(m, x[j]...);
    return f.result(m);
  }
};

/// The fold of a range, combined with init by Combine.
THRUST_RNS_EXEC_CHECK_DISABLE
template <class Fold, class Combine, class System, class Number, class Policy, class... Inputs>
THRUST_RNS_HD Number fold_numbers(Policy& exec, std::int64_t count, const Number& init, const Inputs&... in) {
  const fold_of_chunk<Fold, Number, Inputs...> chunks{count, {in...}};
#if defined(__CUDA_ARCH__)
  static_cast<void>(exec);
#  if THRUST_RNS_CUDA_BACKEND
  if constexpr (is_cuda_system<System>) { // for the host branch; see instantiate_extremum_kernels
    static_cast<void>(&fold_slices<Fold, Number, Inputs...>);
    static_cast<void>(&fold_partials<Fold, Number>);
  }
#  endif
  return Combine{}(init, chunks.fold(0, count));
#else
  if (count <= 0) return init;
  if constexpr (is_cuda_system<System>) {
#  if THRUST_RNS_CUDA_BACKEND
    return Combine{}(init, run_on_device<Number>(exec, "thrust_rns: product", sizeof(Number),
                                                 [&](void* temp, std::size_t& bytes, Number* out, cudaStream_t stream) {
                                                   return fold_on_device<Fold>(temp, bytes, stream, out, count, in...);
                                                 }));
#  endif
  } else {
    const thrust::counting_iterator<std::int64_t> first(0);
    return thrust::transform_reduce(exec, first, first + (count + chunks.chunk - 1) / chunks.chunk, chunks, init,
                                    Combine{});
  }
#endif
}

THRUST_RNS_EXEC_CHECK_DISABLE
template <class System, class Number, class Policy, class Iterator, class Second>
THRUST_RNS_HD Number inner_product_of_numbers(Policy& exec, std::int64_t count, Iterator first, Second second,
                                              const Number& init) {
  return fold_numbers<fold_of_dot_products, plus, System>(exec, count, init, operand_of<Number>(first),
                                                          operand_of<Number>(second));
}

THRUST_RNS_EXEC_CHECK_DISABLE
template <class System, class Number, class Policy, class Iterator>
THRUST_RNS_HD Number product_of_numbers(Policy& exec, std::int64_t count, Iterator first, const Number& init) {
  return fold_numbers<fold_of_products, multiplies, System>(exec, count, init, operand_of<Number>(first));
}

} // namespace detail
} // namespace thrust_rns
