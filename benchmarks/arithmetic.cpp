// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors

// Checked arithmetic, scaling and change of base over 5,000,000 numbers, beside the same operations unchecked. Prints one line a
// call: median time of 21 calls after a warm-up, bytes that must be moved over that time, and the ratio to the unchecked call.
// Samples of every timed result are compared with GMP.
//
// Times: CUDA events around the call, or a steady clock on the host backends. THRUST_RNS_BENCHMARK_COUNT changes the number of elements.

#include "measure.h"

#include <thrust_rns/base_extension.h>
#include <thrust_rns/checked.h>
#include <thrust_rns/device_vector.h>
#include <thrust_rns/gmp.h>
#include <thrust_rns/scaling.h>
#include <thrust_rns/signed.h>

#include <gmpxx.h>

#include <thrust/iterator/counting_iterator.h>
#include <thrust/transform.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <vector>

namespace {

using measured::count;
using measured::mix;
using measured::seconds;

using thrust_rns::power_of_two;

bool all_right = true;

/// Prints a line and returns the median time. `right` looks at the last result.
template <class Call, class Right>
double measure(const char* name, double bytes, double unchecked, Call call, Right right) {
  call();
  std::vector<double> times;
  for (int k = 0; k < 21; ++k) times.push_back(1e3 * seconds(call));
  std::sort(times.begin(), times.end());
  const double ms = times[times.size() / 2];
  const bool ok = right();
  all_right = all_right && ok;
  std::printf("%-44s %9.3f ms %7.0f GB/s", name, ms, bytes / ms * 1e-6);
  if (unchecked > 0) std::printf("  %5.2f times unchecked", ms / unchecked);
  std::printf("%s\n", ok ? "" : "  WRONG");
  return ms;
}

struct random_residue {
  std::uint64_t seed;
  thrust_rns::modulus m;
  THRUST_RNS_HD std::uint32_t operator()(std::int64_t j) const {
    return m.reduce(mix(seed + static_cast<std::uint64_t>(j)));
  }
};

template <class Number>
thrust_rns::device_vector<Number> random_vector(std::uint64_t seed) {
  thrust_rns::device_vector<Number> v(static_cast<std::size_t>(count()));
  const thrust::counting_iterator<std::int64_t> first(0);
  for (int i = 0; i < Number::size; ++i) {
    const thrust::pointer<std::uint32_t, thrust::device_system_tag> plane(v.as_span().plane(i));
    thrust::transform(
        thrust::device, first, first + count(), plane,
        random_residue{mix(seed + static_cast<std::uint64_t>(i)), thrust_rns::modulus(Number::base_type::moduli[i])});
  }
  v.invalidate_evaluations();
  return v;
}

/// result[k] := op(a[k], b[k]) as checked_transform does it, without the check.
template <thrust_rns::detail::operation Op, class Number>
struct unchecked_elements {
  static constexpr int elements_together = 4, blocks_at_once = 7;
  thrust_rns::detail::binary_places<Number> at;

  template <int E>
  THRUST_RNS_HD void operator()(const thrust_rns::detail::element_group<E>& group) const {
    const thrust_rns::detail::group_input<E, Number> x(group, at.in.a, at.in.a_first), y(group, at.in.b, at.in.b_first);
    const auto out = thrust_rns::detail::outputs_at(group, at.out, at.out_first);
    THRUST_RNS_REPEAT(4)
    for (int i = 0; i < Number::size; ++i) {
      std::uint32_t r[E];
      for (int e = 0; e < E; ++e) {
        r[e] = thrust_rns::detail::apply<Op>(thrust_rns::detail::moduli_of<typename Number::base_type>()[i], x.x[e](i),
                                             y.x[e](i));
      }
      for (int e = 0; e < E; ++e) out(e, i, r[e]);
    }
  }
};

template <class Number>
mpz_class value(const Number& x) {
  mpz_class z;
  thrust_rns::to_mpz(z.get_mpz_t(), x);
  return z;
}

/// Whether f(element of a, element of b) = element of c for some elements; all vectors as long.
template <class A, class B, class C, class Function>
bool agrees(const A& a, const B& b, const C& c, Function f) {
  for (std::size_t j = 0; j < a.size(); j += a.size() / 50 + 1) {
    const typename A::value_type x = a[j];
    const typename B::value_type y = b[j];
    const typename C::value_type z = c[j];
    if (f(value(x), value(y)) != value(z)) return false;
  }
  return true;
}

mpz_class shifted_down(const mpz_class& z, int k) {
  mpz_class q;
  mpz_fdiv_q_2exp(q.get_mpz_t(), z.get_mpz_t(), static_cast<mp_bitcnt_t>(k));
  return q;
}

template <class Number, class Wide>
void run(const char* title) {
  using thrust_rns::detail::operation;
  std::printf("%s: %d moduli, %lld numbers\n", title, Number::size, static_cast<long long>(count()));
  const double plane = 4.0 * static_cast<double>(count());
  const double one = plane * Number::size;
  mpz_class m = 1;
  for (const std::uint32_t p : Number::base_type::moduli) m *= p;
  const auto wrap = [&](mpz_class z) {
    mpz_fdiv_r(z.get_mpz_t(), z.get_mpz_t(), m.get_mpz_t());
    return Number::is_symmetric && 2 * z >= m ? mpz_class(z - m) : z;
  };

  thrust_rns::device_vector<Number> a = random_vector<Number>(1), b = random_vector<Number>(2);
  thrust_rns::device_vector<Number> c(a.size());
  thrust_rns::floor_divide(a.begin(), a.end(), a.begin(), power_of_two{3}); // no overflow
  thrust_rns::floor_divide(b.begin(), b.end(), b.begin(), power_of_two{3});
  std::int64_t first = 0;
  thrust::device_system_tag exec;

  const auto sums = [&] {
    return agrees(a, b, c, [&](const mpz_class& x, const mpz_class& y) { return wrap(x + y); }) && first == -1;
  };
  const auto products = [&] {
    return agrees(a, b, c, [&](const mpz_class& x, const mpz_class& y) { return wrap(x * y); });
  };
  const double plus = measure(
      "a + b unchecked", 3 * one, 0,
      [&] {
        thrust_rns::detail::for_each_index<thrust::device_system_tag>(
            exec, count(), unchecked_elements<operation::sum, Number>{{a.begin(), b.begin(), c.begin()}}, "");
      },
      [&] { return (first = -1, sums()); });
  measure(
      "checked_transform, plus", 3 * one, plus,
      [&] { first = thrust_rns::checked_transform(a.begin(), a.end(), b.begin(), c.begin(), thrust_rns::plus()); },
      sums);
  const double times = measure(
      "a b unchecked", 3 * one, 0,
      [&] {
        thrust_rns::detail::for_each_index<thrust::device_system_tag>(
            exec, count(), unchecked_elements<operation::product, Number>{{a.begin(), b.begin(), c.begin()}}, "");
      },
      products);
  measure(
      "checked_transform, multiplies, all overflow", 3 * one, times,
      [&] {
        a.invalidate_evaluations();
        b.invalidate_evaluations();
        first = thrust_rns::checked_transform(a.begin(), a.end(), b.begin(), c.begin(), thrust_rns::multiplies());
      },
      [&] { return products() && first == 0; });

  Number sum{};
  const double reduce = measure(
      "thrust::reduce", one, 0, [&] { sum = thrust::reduce(a.begin(), a.end()); }, [] { return true; });
  thrust_rns::checked_total<Number> total{};
  measure(
      "checked_sum", one, reduce, [&] { total = thrust_rns::checked_sum(a.begin(), a.end()); },
      [&] { return total.value == sum; });
  measure(
      "sum_of_magnitudes", one, reduce, [&] { total = thrust_rns::sum_of_magnitudes(a.begin(), a.end()); },
      [&] { return thrust_rns::sign(total.value) != 0; });
  measure(
      "checked_inner_product, all overflow", 2 * one, 0,
      [&] { total = thrust_rns::checked_inner_product(a.begin(), a.end(), b.begin()); },
      [&] { return total.first_overflow == 0; });
  measure(
      "max_norm, nothing cached", one, 0,
      [&] {
        a.invalidate_evaluations();
        sum = thrust_rns::max_norm(a.begin(), a.end()).value;
      },
      [&] { return thrust_rns::sign(sum) > 0; });

  const int bits = thrust_rns::dynamic_range_bits<typename Number::base_type>;
  for (const int k : {1, 64, bits / 2, bits - 10}) {
    char name[64];
    std::snprintf(name, sizeof name, "floor_divide by 2^%d", k);
    measure(
        name, 2 * one, 0, [&] { thrust_rns::floor_divide(a.begin(), a.end(), c.begin(), power_of_two{k}); },
        [&] { return agrees(a, b, c, [&](const mpz_class& x, const mpz_class&) { return shifted_down(x, k); }); });
  }
  measure(
      "multiply by 2^100", 2 * one, 0, [&] { thrust_rns::multiply(a.begin(), a.end(), c.begin(), power_of_two{100}); },
      [&] { return agrees(a, b, c, [&](const mpz_class& x, const mpz_class&) { return wrap(x << 100); }); });

  // Products in the range: of numbers of half the length.
  thrust_rns::floor_divide(a.begin(), a.end(), a.begin(), power_of_two{bits / 2});
  thrust_rns::floor_divide(b.begin(), b.end(), b.begin(), power_of_two{bits / 2});
  measure(
      "checked_transform, multiplies, nothing cached", 3 * one, times,
      [&] {
        a.invalidate_evaluations();
        b.invalidate_evaluations();
        first = thrust_rns::checked_transform(a.begin(), a.end(), b.begin(), c.begin(), thrust_rns::multiplies());
      },
      [&] { return products() && first == -1; });
  measure(
      "checked_transform, multiplies, keys cached", 3 * one, times,
      [&] {
        first = thrust_rns::checked_transform(a.begin(), a.end(), b.begin(), c.begin(), thrust_rns::multiplies());
      },
      [&] { return products() && first == -1; });

  b = thrust_rns::device_vector<Number>();
  thrust_rns::device_vector<Wide> w(a.size());
  measure(
      "convert_base to twice the bits", one + plane * Wide::size, 0,
      [&] { thrust_rns::convert_base(a.begin(), a.end(), w.begin()); },
      [&] { return agrees(a, a, w, [](const mpz_class& x, const mpz_class&) { return x; }); });
  measure(
      "convert_base back", one + plane * Wide::size, 0,
      [&] { thrust_rns::convert_base(w.begin(), w.end(), c.begin()); },
      [&] { return agrees(a, a, c, [](const mpz_class& x, const mpz_class&) { return x; }); });
}

} // namespace

int main() {
  using thrust_rns::moduli_for_bits;
  using thrust_rns::number;
  using thrust_rns::symmetric_range;
  run<number<moduli_for_bits<512>, symmetric_range>, number<moduli_for_bits<1024>, symmetric_range>>(
      "512 bits, symmetric");
  run<number<moduli_for_bits<1024>, symmetric_range>, number<moduli_for_bits<2048>, symmetric_range>>(
      "1024 bits, symmetric");
  if (!all_right) std::printf("WRONG RESULTS\n");
  return all_right ? 0 : 1;
}
