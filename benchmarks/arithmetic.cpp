// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors

// Scaling, change of base and norms of 5,000,000 numbers. Prints one line a call: median time of 21 calls after a warm-up, and bytes
// that must be moved over that time. Samples of every timed result are compared with GMP, whose own
// divisions by all cores of the host are timed as well.
//
// Times: CUDA events around the call, or a steady clock on the host backends. THRUST_RNS_BENCHMARK_COUNT changes the number of elements.

#include "random_vector.h"

#include <thrust_rns/base_extension.h>
#include <thrust_rns/scaling.h>
#include <thrust_rns/signed.h>

#include <gmpxx.h>

#include <cstdint>
#include <cstdio>
#include <thread>
#include <vector>

namespace {

using measured::count;
using measured::mix;
using measured::random_vector;
using measured::value;

using thrust_rns::power_of_two;

bool all_right = true;

/// Prints a line. `right` looks at the last result.
template <class Call, class Right>
void measure(const char* name, double bytes, Call call, Right right) {
  const double ms = 1e3 * measured::median_seconds(call, 21);
  const bool ok = right();
  all_right = all_right && ok;
  std::printf("%-44s %9.3f ms %7.0f GB/s", name, ms, bytes / ms * 1e-6);
  std::printf("%s\n", ok ? "" : "  WRONG");
}

/// Whether f(element of a) = element of c for some elements; both vectors as long.
template <class A, class C, class Function>
bool agrees(const A& a, const C& c, Function f) {
  for (std::size_t j = 0; j < a.size(); j += a.size() / 50 + 1) {
    const typename A::value_type x = a[j];
    const typename C::value_type z = c[j];
    if (f(value(x)) != value(z)) return false;
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
  std::printf("%s: %d moduli, %lld numbers\n", title, Number::size, static_cast<long long>(count()));
  const double plane = 4.0 * static_cast<double>(count());
  const double one = plane * Number::size;
  mpz_class m = 1;
  for (const std::uint32_t p : Number::base_type::moduli) m *= p;
  const auto wrap = [&](mpz_class z) {
    mpz_fdiv_r(z.get_mpz_t(), z.get_mpz_t(), m.get_mpz_t());
    return Number::is_symmetric && 2 * z >= m ? mpz_class(z - m) : z;
  };

  thrust_rns::device_vector<Number> a = random_vector<Number>(1), c(a.size());
  Number norm{};
  measure(
      "max_norm, nothing cached", one,
      [&] {
        a.invalidate_evaluations();
        norm = thrust_rns::max_norm(a.begin(), a.end()).value;
      },
      [&] { return thrust_rns::sign(norm) > 0; });

  const int bits = thrust_rns::dynamic_range_bits<typename Number::base_type>;
  for (const int k : {1, 64, bits / 2, bits - 10}) {
    char name[64];
    std::snprintf(name, sizeof name, "floor_divide by 2^%d", k);
    measure(
        name, 2 * one, [&] { thrust_rns::floor_divide(a.begin(), a.end(), c.begin(), power_of_two{k}); },
        [&] { return agrees(a, c, [&](const mpz_class& x) { return shifted_down(x, k); }); });
  }
  measure(
      "multiply by 2^100", 2 * one, [&] { thrust_rns::multiply(a.begin(), a.end(), c.begin(), power_of_two{100}); },
      [&] { return agrees(a, c, [&](const mpz_class& x) { return wrap(x << 100); }); });

  thrust_rns::device_vector<Wide> w(a.size());
  measure(
      "convert_base to twice the bits", one + plane * Wide::size,
      [&] { thrust_rns::convert_base(a.begin(), a.end(), w.begin()); },
      [&] { return agrees(a, w, [](const mpz_class& x) { return x; }); });
  measure(
      "convert_base back", one + plane * Wide::size, [&] { thrust_rns::convert_base(w.begin(), w.end(), c.begin()); },
      [&] { return agrees(a, c, [](const mpz_class& x) { return x; }); });
}

/// The same divisions by GMP, on all cores of the host.
void run_gmp(int bits) {
  std::printf("%d bits, GMP on %u cores\n", bits, std::thread::hardware_concurrency());
  std::vector<mpz_class> x(static_cast<std::size_t>(count())), q(x.size());
  measured::on_all_cores([&](std::int64_t first, std::int64_t last) {
    std::vector<std::uint64_t> limbs(static_cast<std::size_t>(bits / 64));
    for (std::int64_t j = first; j < last; ++j) {
      for (std::size_t i = 0; i < limbs.size(); ++i) limbs[i] = mix(static_cast<std::uint64_t>(j) * 64 + i);
      mpz_ptr z = x[static_cast<std::size_t>(j)].get_mpz_t();
      mpz_import(z, limbs.size(), -1, 8, 0, 0, limbs.data());
      if (j % 2 != 0) mpz_neg(z, z);
    }
  });
  for (const int k : {1, 64, bits / 2, bits - 10}) {
    const double ms = 1e3 * measured::median_time(5, [&] { // the call before them allocates
                        return measured::wall_seconds([&] {
                          measured::on_all_cores([&](std::int64_t first, std::int64_t last) {
                            for (auto j = static_cast<std::size_t>(first); j < static_cast<std::size_t>(last); ++j) {
                              mpz_fdiv_q_2exp(q[j].get_mpz_t(), x[j].get_mpz_t(), static_cast<mp_bitcnt_t>(k));
                            }
                          });
                        });
                      });
    for (std::size_t j = 0; j < x.size(); j += x.size() / 50 + 1) { // 0 <= x - q 2^k < 2^k
      const mpz_class rest = x[j] - (q[j] << static_cast<unsigned>(k));
      all_right = all_right && rest >= 0 && rest < mpz_class(1) << static_cast<unsigned>(k);
    }
    char name[64];
    std::snprintf(name, sizeof name, "mpz_fdiv_q_2exp by 2^%d", k);
    std::printf("%-44s %9.3f ms\n", name, ms);
  }
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
  run_gmp(512);
  run_gmp(1024);
  if (!all_right) std::printf("WRONG RESULTS\n");
  return all_right ? 0 : 1;
}
