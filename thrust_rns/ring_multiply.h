// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors
#pragma once

/// @file
/// Function objects that make `thrust::transform` multiply, add and convert batches of ring elements.
///
///   thrust::transform([policy,] a, a + count, b, c, ring_multiplies<R>{})              c[i] = a[i] b[i]
///   thrust::transform([policy,] a, a + count, c, ring_multiplies_by<R, Operand>{h})    c[i] = a[i] h
///   thrust::transform([policy,] ab, ab + count, e, c, ring_multiplies_plus<R>{})       c[i] = a[i] b[i] + e[i], ab zips a, b
///   thrust::transform([policy,] a, a + count, b, c, ring_plus<R>{})                    also ring_minus; ring_negate, ring_convert
///
/// R = prime_ring<n, m>. Operands are full elements of R or small elements of degree n, in any mix. The result is
/// full_element<R>; for m = 3, ternary_element<R>; or what the functor's last parameter says: `ring_multiplies<R, Output>`
/// takes the centred representative of the product modulo m into Output, full_element<prime_ring<n, p>> or ternary_element<R>.
///
/// Iterators: of `ring_vector`, `thrust::device_vector` and `thrust::host_vector` of elements, device_ptr, plain pointers, at
/// any offset; `constant_iterator` for one operand of a product. The output may be one of the inputs. With other iterators,
/// and inside other algorithms, Thrust's own code calls the functor, one thread a product.
///
/// Work: on CUDA a product is one matrix product on the Tensor Cores (detail/ring_kernels.cuh), each row is read and written
/// once. Exact; constant time in coefficients. Streams: queued on the policy's stream; returns when done, under
/// `par_nosync` at once. No memory is allocated.
/// Source of the folded product: X. Hu et al., "CTRU-Prime on CUDA Core and Tensor Core", Journal of Software 2026(7).
///
/// @code
/// #include <thrust/transform.h>
/// using ring = thrust_rns::prime_ring<761, 4591>;
/// thrust::device_vector<thrust_rns::full_element<ring>> a(2), c(2);
/// thrust::device_vector<thrust_rns::ternary_element<ring>> b(2);
/// thrust_rns::full_element<ring> x_to_760;
/// x_to_760.set(760, 2);
/// thrust_rns::ternary_element<ring> x;
/// x.set(1, -1);
/// a[1] = x_to_760;
/// b[1] = x;
/// thrust::transform(a.begin(), a.end(), b.begin(), c.begin(), thrust_rns::ring_multiplies<ring>{});
/// thrust_rns::full_element<ring> product = c[1];  // -2 x^761 = -2 x - 2
/// std::cout << product[0] << ' ' << product[1] << ' ' << product[2] << '\n';  // prints -2 -2 0
/// @endcode

#include <cstdint>
#include <type_traits>

#include <thrust/device_ptr.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/transform.h>
#include <thrust/tuple.h>

#include <thrust_rns/config.h>
#include <thrust_rns/detail/ring_product.h>
#include <thrust_rns/detail/thrust_compat.h>
#include <thrust_rns/ring.h>
#if THRUST_RNS_CUDA_BACKEND
#  include <thrust_rns/device/device_ring.cuh>
#endif

namespace thrust_rns {
namespace detail {

/// The element that `x` is or refers to.
template <class T>
THRUST_RNS_HD decltype(auto) element_of(const T& x) {
  if constexpr (is_polynomial<T>) {
    return (x);
  } else {
    return static_cast<typename T::value_type>(x);
  }
}
template <class T>
using element_type_of = std::decay_t<decltype(element_of(std::declval<const T&>()))>;

/// The element type behind an iterator into an array of elements; void for other iterators.
template <class Iterator>
struct element_behind {
  using type = void;
};
template <class T>
struct element_behind<T*> {
  using type = std::conditional_t<is_polynomial<std::remove_const_t<T>>, std::remove_const_t<T>, void>;
};
template <class T>
struct element_behind<thrust::device_ptr<T>> : element_behind<T*> {};
template <class Pointer>
struct element_behind<vector_iterator<Pointer>> : element_behind<Pointer> {};
template <class Iterator>
using element_behind_t = typename element_behind<Iterator>::type;

/// Eight coefficients of a row, for elementwise work over flattened batches.
template <class E>
struct alignas(8 * sizeof(typename E::storage_type)) coefficient_chunk {
  typename E::storage_type values[8];
};
template <class E>
THRUST_RNS_HD coefficient_chunk<E>* chunks_of(E* rows) {
  return reinterpret_cast<coefficient_chunk<E>*>(rows);
}
template <class E>
THRUST_RNS_HD const coefficient_chunk<E>* chunks_of(const E* rows) {
  return reinterpret_cast<const coefficient_chunk<E>*>(rows);
}

/// A stored coefficient modulo M from x which stands for it.
template <int M, class Output>
THRUST_RNS_HD constexpr typename Output::storage_type stored_coefficient(int x) {
  polynomial<1, typename Output::coefficients> one;
  set_coefficient<M>(one, 0, x);
  return *one.data();
}

template <class R>
inline constexpr std::int64_t chunks_per_row = full_element<R>::row / 8;

/// An elementwise functor on chunks: `Operation` on the stored coefficients, which stand for their values modulo m.
template <class R, class Output, class Operation>
struct chunkwise {
  template <class... Elements>
  THRUST_RNS_HD coefficient_chunk<Output> operator()(const coefficient_chunk<Elements>&... chunks) const {
    (check_operand<R, Elements>(), ...);
    check_ring_output<R, Output>();
    coefficient_chunk<Output> c;
    for (int k = 0; k < 8; ++k) {
      c.values[k] = stored_coefficient<R::modulus, Output>(Operation{}(chunks.values[k]...));
    }
    return c;
  }
};

struct add_coefficients {
  THRUST_RNS_HD constexpr int operator()(int a, int b) const { return a + b; }
};
struct subtract_coefficients {
  THRUST_RNS_HD constexpr int operator()(int a, int b) const { return a - b; }
};
struct negate_coefficient {
  THRUST_RNS_HD constexpr int operator()(int a) const { return -a; }
};
struct keep_coefficient {
  THRUST_RNS_HD constexpr int operator()(int a) const { return a; }
};

/// Elementwise functors: the operation on whole elements.
template <class R, class Output, class Operation, class... Elements>
THRUST_RNS_HD Output apply_to_elements(Operation operation, const Elements&... elements) {
  (check_operand<R, Elements>(), ...);
  check_ring_output<R, Output>();
  Output c;
  for (int i = 0; i < R::degree; ++i) set_coefficient<R::modulus>(c, i, operation(elements[i]...));
  return c;
}

#if THRUST_RNS_CUDA_BACKEND
template <class Derived>
using device_policy = policy_of<thrust::device_system_tag>::base<Derived>;
template <class Iterator, class Output>
using if_output = std::enable_if_t<std::is_same_v<element_behind_t<Iterator>, Output>, int>;

template <class Iterator>
using if_rows = std::enable_if_t<!std::is_void_v<element_behind_t<Iterator>>, int>;
template <class E>
using if_element = std::enable_if_t<is_polynomial<E>, int>;
/// After those above; other products are Thrust's own business.
template <class R, class A, class B, class Output>
using if_kernel = std::enable_if_t<has_kernel<R, A, B, Output>, int>;

/// On the host: launches on the policy's stream, and waits if the policy does. In device code: `sequential`; there the
/// kernel that the host launches is named, so that the device compilation emits it.
THRUST_RNS_EXEC_CHECK_DISABLE
template <class R, class A, class B, class Output, class Addend, class Derived, class Shared, class ItC,
          class Sequential, class Launch>
THRUST_RNS_HD ItC transform_products(device_policy<Derived>& exec, const Shared&, std::int64_t count, ItC result,
                                     [[maybe_unused]] Sequential sequential, [[maybe_unused]] Launch launch) {
#  if defined(__CUDA_ARCH__)
  static_cast<void>(exec);
  static_cast<void>(&toeplitz_products<typename fold_choice<R, A, B>::plan, Output, Addend, Shared>);
  if constexpr (has_shared_kernel<R, Shared, A>) static_cast<void>(&shared_products<shared_plan<R, Shared, A>, Output>);
  return sequential();
#  else
  constexpr const char* what = "thrust_rns: products of ring elements";
  auto& policy = static_cast<Derived&>(exec);
  check_cuda(launch(raw_pointer_of(result), count, stream_of(policy)), what);
  synchronize_optional(policy, what);
  return result + count;
#  endif
}
#endif

} // namespace detail

template <class R, class Operand, class Output = detail::result_element<R>>
struct ring_multiplies_by;

/// a b in R, as an Output.
template <class R, class Output = detail::result_element<R>>
struct ring_multiplies {
  THRUST_RNS_EXEC_CHECK_DISABLE
  template <class A, class B>
  THRUST_RNS_HD Output operator()(const A& a, const B& b) const {
    return detail::multiply_elements<R, Output>(detail::element_of(a), detail::element_of(b), detail::no_addend{});
  }

#if THRUST_RNS_CUDA_BACKEND
  THRUST_RNS_EXEC_CHECK_DISABLE
  template <class Derived, class ItA, class ItB, class ItC, detail::if_rows<ItA> = 0, detail::if_rows<ItB> = 0,
            detail::if_output<ItC, Output> = 0, class A = detail::element_behind_t<ItA>,
            class B = detail::element_behind_t<ItB>, detail::if_kernel<R, A, B, Output> = 0>
  THRUST_RNS_HD friend ItC transform(detail::device_policy<Derived>& exec, ItA first, ItA last, ItB second, ItC result,
                                     ring_multiplies f) {
    return detail::transform_products<R, A, B, Output, void>(
        exec, detail::no_shared_operand{}, last - first, result,
        [&] { return thrust::transform(thrust::seq, first, last, second, result, f); },
        [&](auto* c, std::int64_t count, auto stream) {
          return DeviceRing<R>::Multiply(detail::raw_pointer_of(first), detail::raw_pointer_of(second), c, count,
                                         stream);
        });
  }

  // One operand for all.
  THRUST_RNS_EXEC_CHECK_DISABLE
  template <class Derived, class ItA, class ItB, class ItC, class B = detail::constant_behind_t<ItB>,
            detail::if_rows<ItA> = 0, detail::if_element<B> = 0, detail::if_output<ItC, Output> = 0>
  THRUST_RNS_HD friend ItC transform(detail::device_policy<Derived>& exec, ItA first, ItA last, ItB second, ItC result,
                                     ring_multiplies) {
    return transform(exec, first, last, result, ring_multiplies_by<R, B, Output>{*second});
  }
  THRUST_RNS_EXEC_CHECK_DISABLE
  template <class Derived, class ItA, class ItB, class ItC, class A = detail::constant_behind_t<ItA>,
            detail::if_element<A> = 0, detail::if_rows<ItB> = 0, detail::if_output<ItC, Output> = 0>
  THRUST_RNS_HD friend ItC transform(detail::device_policy<Derived>& exec, ItA first, ItA last, ItB second, ItC result,
                                     ring_multiplies) {
    return transform(exec, second, second + (last - first), result, ring_multiplies_by<R, A, Output>{*first});
  }
#endif
};

/// a h in R for a fixed operand h, as an Output: one key for a whole batch.
template <class R, class Operand, class Output>
struct ring_multiplies_by {
  Operand operand;

  THRUST_RNS_EXEC_CHECK_DISABLE
  template <class A>
  THRUST_RNS_HD Output operator()(const A& a) const {
    return detail::multiply_elements<R, Output>(detail::element_of(a), operand, detail::no_addend{});
  }

#if THRUST_RNS_CUDA_BACKEND
  THRUST_RNS_EXEC_CHECK_DISABLE
  template <class Derived, class ItA, class ItC, detail::if_rows<ItA> = 0, detail::if_output<ItC, Output> = 0,
            class A = detail::element_behind_t<ItA>, detail::if_kernel<R, A, Operand, Output> = 0>
  THRUST_RNS_HD friend ItC transform(detail::device_policy<Derived>& exec, ItA first, ItA last, ItC result,
                                     ring_multiplies_by f) {
    return detail::transform_products<R, A, Operand, Output, void>(
        exec, f.operand, last - first, result, [&] { return thrust::transform(thrust::seq, first, last, result, f); },
        [&](auto* c, std::int64_t count, auto stream) {
          return DeviceRing<R>::MultiplyBy(detail::raw_pointer_of(first), f.operand, c, count, stream);
        });
  }
#endif
};

/// a b + e in R, as an Output, for the pair (a, b) of a zip iterator and e.
template <class R, class Output = detail::result_element<R>>
struct ring_multiplies_plus {
  THRUST_RNS_EXEC_CHECK_DISABLE
  template <class Pair, class E>
  THRUST_RNS_HD Output operator()(const Pair& ab, const E& e) const {
    detail::check_operand<R, detail::element_type_of<E>>();
    return detail::multiply_elements<R, Output>(detail::element_of(thrust::get<0>(ab)),
                                                detail::element_of(thrust::get<1>(ab)), detail::element_of(e));
  }

#if THRUST_RNS_CUDA_BACKEND
  THRUST_RNS_EXEC_CHECK_DISABLE
  template <class Derived, class ItA, class ItB, class ItE, class ItC, detail::if_rows<ItA> = 0,
            detail::if_rows<ItB> = 0, detail::if_rows<ItE> = 0, detail::if_output<ItC, Output> = 0,
            class A = detail::element_behind_t<ItA>, class B = detail::element_behind_t<ItB>,
            detail::if_kernel<R, A, B, Output> = 0>
  THRUST_RNS_HD friend ItC transform(detail::device_policy<Derived>& exec,
                                     thrust::zip_iterator<thrust::tuple<ItA, ItB>> first,
                                     thrust::zip_iterator<thrust::tuple<ItA, ItB>> last, ItE addend, ItC result,
                                     ring_multiplies_plus f) {
    return detail::transform_products<R, A, B, Output, detail::element_behind_t<ItE>>(
        exec, detail::no_shared_operand{}, last - first, result,
        [&] { return thrust::transform(thrust::seq, first, last, addend, result, f); },
        [&](auto* c, std::int64_t count, auto stream) {
          const auto& ab = first.get_iterator_tuple();
          return DeviceRing<R>::MultiplyAdd(detail::raw_pointer_of(thrust::get<0>(ab)),
                                            detail::raw_pointer_of(thrust::get<1>(ab)), detail::raw_pointer_of(addend),
                                            c, count, stream);
        });
  }
#endif
};

/// Coefficient by coefficient, in R, as an Output; see the names below.
template <class R, class Output, class Operation>
struct ring_elementwise {
  THRUST_RNS_EXEC_CHECK_DISABLE
  template <class... Elements>
  THRUST_RNS_HD Output operator()(const Elements&... elements) const {
    return detail::apply_to_elements<R, Output>(Operation{}, detail::element_of(elements)...);
  }

#if THRUST_RNS_CUDA_BACKEND // as flat arrays of chunks of 16 bytes
  THRUST_RNS_EXEC_CHECK_DISABLE
  template <class Derived, class ItA, class ItC, detail::if_rows<ItA> = 0, detail::if_output<ItC, Output> = 0>
  THRUST_RNS_HD friend ItC transform(detail::device_policy<Derived>& exec, ItA first, ItA last, ItC result,
                                     ring_elementwise) {
    const auto* a = detail::chunks_of(detail::raw_pointer_of(first));
    thrust::transform(static_cast<Derived&>(exec), a, a + (last - first) * detail::chunks_per_row<R>,
                      detail::chunks_of(detail::raw_pointer_of(result)), detail::chunkwise<R, Output, Operation>{});
    return result + (last - first);
  }
  THRUST_RNS_EXEC_CHECK_DISABLE
  template <class Derived, class ItA, class ItB, class ItC, detail::if_rows<ItA> = 0, detail::if_rows<ItB> = 0,
            detail::if_output<ItC, Output> = 0>
  THRUST_RNS_HD friend ItC transform(detail::device_policy<Derived>& exec, ItA first, ItA last, ItB second, ItC result,
                                     ring_elementwise) {
    const auto* a = detail::chunks_of(detail::raw_pointer_of(first));
    thrust::transform(static_cast<Derived&>(exec), a, a + (last - first) * detail::chunks_per_row<R>,
                      detail::chunks_of(detail::raw_pointer_of(second)),
                      detail::chunks_of(detail::raw_pointer_of(result)), detail::chunkwise<R, Output, Operation>{});
    return result + (last - first);
  }
#endif
};

/// a + b in R.
template <class R, class Output = detail::result_element<R>>
using ring_plus = ring_elementwise<R, Output, detail::add_coefficients>;
/// a - b in R.
template <class R, class Output = detail::result_element<R>>
using ring_minus = ring_elementwise<R, Output, detail::subtract_coefficients>;
/// -a in R.
template <class R, class Output = detail::result_element<R>>
using ring_negate = ring_elementwise<R, Output, detail::negate_coefficient>;
/// The centred representative of a modulo m, as an Output: `ring_convert<prime_ring<761, 4591>, ternary_element<...>>` takes
/// R/q to R/3; small elements become full ones by `ring_convert<R>`.
template <class R, class Output = detail::result_element<R>>
using ring_convert = ring_elementwise<R, Output, detail::keep_coefficient>;

template <int Degree, class A, class B, class R = typename detail::common_ring<Degree, A, B>::type>
THRUST_RNS_HD full_element<R> operator*(const polynomial<Degree, A>& a, const polynomial<Degree, B>& b) {
  return ring_multiplies<R, full_element<R>>{}(a, b);
}
template <int Degree, class A, class B, class R = typename detail::common_ring<Degree, A, B>::type>
THRUST_RNS_HD full_element<R> operator+(const polynomial<Degree, A>& a, const polynomial<Degree, B>& b) {
  return ring_plus<R, full_element<R>>{}(a, b);
}
template <int Degree, class A, class B, class R = typename detail::common_ring<Degree, A, B>::type>
THRUST_RNS_HD full_element<R> operator-(const polynomial<Degree, A>& a, const polynomial<Degree, B>& b) {
  return ring_minus<R, full_element<R>>{}(a, b);
}
template <int Degree, int M>
THRUST_RNS_HD polynomial<Degree, coefficients_modulo<M>> operator-(
    const polynomial<Degree, coefficients_modulo<M>>& a) {
  using R = prime_ring<Degree, M>;
  return ring_negate<R, full_element<R>>{}(a);
}

} // namespace thrust_rns
