// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors

// Checked operations over 5,000,000 numbers of 512 to 4096 bits, beside the same operations unchecked and GMP on all cores of the
// host. Prints one line a call: median time of 21 calls after a warm-up, bytes that must be moved over that time, and the ratio to the
// unchecked call. Samples of every timed result are compared with GMP.
//
// Times: CUDA events around the call, or a steady clock on the host backends. THRUST_RNS_BENCHMARK_COUNT changes the number of elements;
// arguments choose the bits.

#include "random_vector.h"

#include <thrust_rns/checked.h>
#include <thrust_rns/scaling.h>
#include <thrust_rns/signed.h>

#include <gmpxx.h>

#include <thrust/inner_product.h>
#include <thrust/reduce.h>
#include <thrust/transform.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <thread>
#include <vector>

namespace {

using measured::count;
using measured::mix;
using measured::on_all_cores;
using measured::random_vector;
using measured::value;

bool all_right = true;

/// Prints a line and returns the median time in milliseconds. `prepare` comes before each call and is not timed; `right` looks at the
/// last result.
template <class Prepare, class Call, class Right>
double measure(const char* name, double bytes, double unchecked, Prepare prepare, Call call, Right right) {
  const double ms = 1e3 * measured::median_time(21, [&] {
                      prepare();
                      return measured::seconds(call);
                    });
  const bool ok = right();
  all_right = all_right && ok;
  std::printf("%-44s %9.3f ms %7.0f GB/s", name, ms, bytes / ms * 1e-6);
  if (unchecked > 0) std::printf("  %5.2f times unchecked", ms / unchecked);
  std::printf("%s\n", ok ? "" : "  WRONG");
  return ms;
}

/// Checked and unchecked calls over vectors a and b, whose evaluations may have to be dropped beforehand.
template <class Number>
class calls {
 public:
  using vector = thrust_rns::device_vector<Number>;

  calls(vector& a, vector& b, vector& c) : a_(a), b_(b), c_(c) {
    for (const std::uint32_t p : Number::base_type::moduli) m_ *= p;
  }

  template <class Operation, class Exact>
  void elements(const char* title, Operation op, Exact exact, std::int64_t expected_first) {
    std::printf("%s\n", title);
    const double bytes = 12.0 * static_cast<double>(count()) * Number::size;
    const auto right = [&] { return first_ == expected_first && agrees(exact); };
    const double plain = measure(
        "  unchecked", bytes, 0, [] {},
        [&] {
          thrust::transform(a_.begin(), a_.end(), b_.begin(), c_.begin(), op);
          first_ = expected_first;
        },
        right);
    const auto call = [&] { first_ = thrust_rns::checked_transform(a_.begin(), a_.end(), b_.begin(), c_.begin(), op); };
    measure(
        "  checked, nothing cached", bytes, plain, [&] { forget(); }, call, right);
    measure(
        "  checked, evaluations cached", bytes, plain, [&] { evaluate(); }, call, right);
  }

  void sums(const char* title) {
    std::printf("%s\n", title);
    const double bytes = 4.0 * static_cast<double>(count()) * Number::size;
    Number sum{};
    const double plain = measure(
        "  thrust::reduce", bytes, 0, [] {}, [&] { sum = thrust::reduce(a_.begin(), a_.end()); }, [] { return true; });
    thrust_rns::checked_total<Number> total{};
    const auto right = [&] { return total.value == sum; };
    const auto call = [&] { total = thrust_rns::checked_sum(a_.begin(), a_.end()); };
    measure(
        "  checked_sum, nothing cached", bytes, plain, [&] { forget(); }, call, right);
    measure(
        "  checked_sum, evaluations cached", bytes, plain, [&] { evaluate(); }, call, right);
    measure(
        "  sum_of_magnitudes, evaluations cached", bytes, plain, [&] { evaluate(); },
        [&] { total = thrust_rns::sum_of_magnitudes(a_.begin(), a_.end()); }, [] { return true; });
  }

  void inner_products(const char* title) {
    std::printf("%s\n", title);
    const double bytes = 8.0 * static_cast<double>(count()) * Number::size;
    Number sum{};
    const double plain = measure(
        "  thrust::inner_product", bytes, 0, [] {},
        [&] { sum = thrust::inner_product(a_.begin(), a_.end(), b_.begin(), Number(0)); }, [] { return true; });
    thrust_rns::checked_total<Number> total{};
    const auto right = [&] { return total.value == sum; };
    const auto call = [&] { total = thrust_rns::checked_inner_product(a_.begin(), a_.end(), b_.begin()); };
    measure(
        "  checked_inner_product, nothing cached", bytes, plain, [&] { forget(); }, call, right);
    measure(
        "  checked_inner_product, evaluations cached", bytes, plain, [&] { evaluate(); }, call, right);
  }

  void shift_down(int bits) {
    if (bits == 0) return;
    thrust_rns::floor_divide(a_.begin(), a_.end(), a_.begin(), thrust_rns::power_of_two{bits});
    thrust_rns::floor_divide(b_.begin(), b_.end(), b_.begin(), thrust_rns::power_of_two{bits});
  }

 private:
  void forget() {
    a_.invalidate_evaluations();
    b_.invalidate_evaluations();
  }
  void evaluate() {
    thrust::max_element(a_.begin(), a_.end());
    thrust::max_element(b_.begin(), b_.end());
  }
  template <class Exact>
  bool agrees(Exact exact) const {
    for (std::size_t j = 0; j < a_.size(); j += a_.size() / 50 + 1) {
      const Number x = a_[j], y = b_[j], z = c_[j];
      mpz_class difference = exact(value(x), value(y)) - value(z);
      mpz_fdiv_r(difference.get_mpz_t(), difference.get_mpz_t(), m_.get_mpz_t());
      if (difference != 0) return false;
    }
    return true;
  }

  vector &a_, &b_, &c_;
  mpz_class m_ = 1;
  std::int64_t first_ = 0;
};

template <class Number>
void run(const char* range) {
  constexpr int bits = thrust_rns::dynamic_range_bits<typename Number::base_type>;
  std::printf("\n%d bits, %s range: %d moduli, %lld numbers\n", bits, range, Number::size,
              static_cast<long long>(count()));
  const auto add = [](const mpz_class& x, const mpz_class& y) { return mpz_class(x + y); };
  const auto multiply = [](const mpz_class& x, const mpz_class& y) { return mpz_class(x * y); };
  thrust_rns::device_vector<Number> a = random_vector<Number>(1), b = random_vector<Number>(2), c(a.size());
  calls<Number> of(a, b, c);
  of.shift_down(3);
  of.elements("x + y, none overflows", thrust_rns::plus(), add, -1);
  of.elements("x y, all overflow", thrust_rns::multiplies(), multiply, 0);
  of.sums("sum");
  of.inner_products("inner product, all overflow");
  of.shift_down(bits / 2);
  of.elements("x y, half as long, none overflows", thrust_rns::multiplies(), multiply, -1);
  of.inner_products("inner product, half as long, none overflows");
  of.sums("sum, half as long");
}

// ---- GMP on all cores ------------------------------------------------------------------------------------------

template <class Call>
void measure_gmp(const char* name, Call call) {
  const double s = measured::median_time(5, [&] { return measured::wall_seconds([&] { on_all_cores(call); }); });
  std::printf("%-44s %9.3f ms\n", name, 1e3 * s);
}

/// The same operations with bounds -M/2 and M/2 on arrays of mpz_t.
void run_gmp(int bits) {
  std::printf("\n%d bits, GMP on %u cores\n", bits, std::thread::hardware_concurrency());
  const mpz_class bound = mpz_class(1) << static_cast<unsigned long>(bits - 1);
  struct array {
    std::unique_ptr<mpz_t[]> z{new mpz_t[static_cast<std::size_t>(count())]};
    array(std::uint64_t seed, int length) {
      on_all_cores([this, seed, length](std::int64_t first, std::int64_t last) {
        std::vector<std::uint64_t> limbs(static_cast<std::size_t>((length + 63) / 64));
        for (std::int64_t k = first; k < last; ++k) {
          for (std::size_t i = 0; i < limbs.size(); ++i) limbs[i] = mix(seed + static_cast<std::uint64_t>(k) * 64 + i);
          mpz_init(z[k]);
          mpz_import(z[k], limbs.size(), -1, 8, 0, 0, limbs.data());
          mpz_fdiv_r_2exp(z[k], z[k], static_cast<mp_bitcnt_t>(length));
        }
      });
    }
    ~array() {
      on_all_cores([this](std::int64_t first, std::int64_t last) {
        for (std::int64_t k = first; k < last; ++k) mpz_clear(z[k]);
      });
    }
  };
  array c(3, 2 * bits); // as long as products become
  mpz_t* out = c.z.get();
  for (const bool half : {false, true}) {
    const array a(1, half ? bits / 2 - 2 : bits - 3), b(2, half ? bits / 2 - 2 : bits - 3);
    const mpz_t *x = a.z.get(), *y = b.z.get();
    if (!half) {
      measure_gmp("  mpz_add and mpz_cmpabs", [=, &bound](std::int64_t first, std::int64_t last) {
        for (std::int64_t k = first; k < last; ++k) {
          mpz_add(out[k], x[k], y[k]);
          if (mpz_cmpabs(out[k], bound.get_mpz_t()) > 0) std::abort();
        }
      });
      measure_gmp("  sum by mpz_add", [=](std::int64_t first, std::int64_t last) {
        mpz_class sum;
        for (std::int64_t k = first; k < last; ++k) mpz_add(sum.get_mpz_t(), sum.get_mpz_t(), x[k]);
        if (sum < 0) std::abort();
      });
    } else {
      measure_gmp("  mpz_mul and mpz_cmpabs, half as long", [=, &bound](std::int64_t first, std::int64_t last) {
        for (std::int64_t k = first; k < last; ++k) {
          mpz_mul(out[k], x[k], y[k]);
          if (mpz_cmpabs(out[k], bound.get_mpz_t()) > 0) std::abort();
        }
      });
      measure_gmp("  inner product by mpz_addmul, half as long", [=](std::int64_t first, std::int64_t last) {
        mpz_class sum;
        for (std::int64_t k = first; k < last; ++k) mpz_addmul(sum.get_mpz_t(), x[k], y[k]);
        if (sum < 0) std::abort();
      });
    }
  }
}

template <int Bits>
void run_bits() {
  using base = thrust_rns::moduli_for_bits<Bits>;
  run<thrust_rns::number<base, thrust_rns::symmetric_range>>("symmetric");
  if constexpr (Bits == 1024) run<thrust_rns::number<base>>("unsigned");
  run_gmp(Bits);
}

} // namespace

int main(int argc, char** argv) {
  std::vector<int> chosen;
  for (int k = 1; k < argc; ++k) {
    if (const int bits = std::atoi(argv[k]); bits > 0) chosen.push_back(bits);
  }
  const auto wants = [&](int bits) {
    return chosen.empty() || std::find(chosen.begin(), chosen.end(), bits) != chosen.end();
  };
  if (wants(512)) run_bits<512>();
  if (wants(1024)) run_bits<1024>();
  if (wants(4096)) run_bits<4096>();
  if (!all_right) std::printf("WRONG RESULTS\n");
  return all_right ? 0 : 1;
}
