// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors

// Elementwise arithmetic, scans and products of 5,000,000 random numbers of 512 to 4096 bits, beside Thrust's own algorithms
// over the same iterators and the rate at which the same memory can be copied. Every timed result is checked, residue by
// residue.
//
// Times: CUDA events around the call, or a steady clock on the host backends; median of 21 calls (11 of Thrust's own) after
// a warm-up. THRUST_RNS_BENCHMARK_COUNT changes the number of elements.

#include "measure.h"

#include <thrust_rns/device_vector.h>

#include <benchmark/benchmark.h>

#include <thrust/copy.h>
#include <thrust/device_vector.h>
#include <thrust/fill.h>
#include <thrust/gather.h>
#include <thrust/inner_product.h>
#include <thrust/iterator/constant_iterator.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/logical.h>
#include <thrust/reduce.h>
#include <thrust/scan.h>
#include <thrust/tabulate.h>
#include <thrust/transform.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace {

using measured::count;
using measured::mix;
using measured::seconds;

constexpr bool on_gpu = THRUST_DEVICE_SYSTEM == THRUST_DEVICE_SYSTEM_CUDA;

// ---- timing -------------------------------------------------------------------------------------------------------

/// Bytes read and written a second by a copy of 2 GiB (256 MiB on the host).
double copy_rate() {
  static const double rate = [] {
    const std::int64_t words = on_gpu ? std::int64_t{1} << 28 : std::int64_t{1} << 25; // of 8 bytes
    const thrust::device_vector<std::uint64_t> from(static_cast<std::size_t>(words), 1);
    thrust::device_vector<std::uint64_t> to(from.size());
    std::vector<double> times;
    for (int k = 0; k < 12; ++k) times.push_back(seconds([&] { thrust::copy(from.begin(), from.end(), to.begin()); }));
    std::sort(times.begin(), times.end());
    return 16.0 * static_cast<double>(words) / times[times.size() / 2];
  }();
  return rate;
}

void copy_rate_here(benchmark::State& state) {
  for (auto _ : state) state.SetIterationTime(1e9 / copy_rate());
  state.counters["GB/s"] = copy_rate() * 1e-9;
}

/// One iteration is one call; the result is checked after the last.
template <class Prepare, class Call, class Check>
void measure(benchmark::State& state, double bytes, Prepare prepare, Call call, Check check) {
  prepare();
  call();
  double total = 0;
  for (auto _ : state) {
    prepare();
    const double s = seconds(call);
    state.SetIterationTime(s);
    total += s;
  }
  if (!check()) state.SkipWithError("wrong result");
  state.counters["GB/s"] = bytes / total * 1e-9;
  state.counters["of copy rate"] = bytes / total / copy_rate();
}

// ---- data ---------------------------------------------------------------------------------------------------------

/// Residue j of plane `plane` of operand `operand`: never zero, so that products are none.
struct random_residue {
  std::uint64_t operand;
  int plane;
  std::uint32_t m;
  THRUST_RNS_HD std::uint32_t operator()(std::int64_t j) const {
    const std::uint64_t seed = mix(operand * 1000 + static_cast<std::uint64_t>(plane));
    return static_cast<std::uint32_t>(1 + mix(seed + static_cast<std::uint64_t>(j)) % (m - 1));
  }
};

template <int Bits>
struct operands {
  using base = thrust_rns::moduli_for_bits<Bits>;
  using number = thrust_rns::number<base>;

  thrust_rns::device_vector<number> x, y, z, out;
  number constant = number(-123456789);

  static operands& get() {
    if (!current()) current().reset(new operands);
    return *current();
  }
  static void forget() { current().reset(); }

  /// Bytes of so many passes over residues, and of the evaluations that are dropped.
  static double bytes(int passes, bool written = true) {
    return static_cast<double>(count()) * (4.0 * number::size * passes + (written ? 8.0 : 0.0));
  }

  static random_residue residues(std::uint64_t operand, int plane) { return {operand, plane, base::moduli[plane]}; }

  /// Whether wrong(plane, j) is false for every residue of the output.
  template <class Wrong>
  bool all_right(Wrong make_wrong) const {
    const thrust::counting_iterator<std::int64_t> first(0);
    for (int i = 0; i < number::size; ++i) {
      if (thrust::any_of(thrust::device, first, first + count(), make_wrong(i, out.as_span().plane(i)))) return false;
    }
    return true;
  }

 private:
  static std::unique_ptr<operands>& current() {
    static std::unique_ptr<operands> slot;
    return slot;
  }

  operands() : x(size()), y(size()), z(size()), out(size()) {
    std::uint64_t operand = 0;
    for (auto* v : {&x, &y, &z}) {
      const thrust::counting_iterator<std::int64_t> first(0);
      for (int i = 0; i < number::size; ++i) {
        const thrust::device_ptr<std::uint32_t> plane(v->as_span().plane(i));
        thrust::transform(thrust::device, first, first + count(), plane, residues(operand, i));
      }
      v->invalidate_evaluations();
      ++operand;
    }
  }
  static std::size_t size() { return static_cast<std::size_t>(count()); }
};

enum class formula { sum, difference, product, multiply_add, scaled };

/// Whether out[j] is not what it must be, by plain division.
struct wrong_element {
  formula f;
  random_residue x, y, z;
  std::uint64_t constant, m;
  const std::uint32_t* out;
  THRUST_RNS_HD bool operator()(std::int64_t j) const {
    const std::uint64_t a = x(j), b = y(j);
    switch (f) {
      case formula::sum:
        return out[j] != (a + b) % m;
      case formula::difference:
        return out[j] != (a + m - b) % m;
      case formula::product:
        return out[j] != a * b % m;
      case formula::multiply_add:
        return out[j] != (a * b + z(j)) % m;
      default:
        return out[j] != a * constant % m;
    }
  }
};

/// Whether out[j] does not follow from out[j - 1] as in a running sum.
struct wrong_sum {
  random_residue x;
  std::uint64_t m;
  const std::uint32_t* out;
  THRUST_RNS_HD bool operator()(std::int64_t j) const {
    return out[j] != ((j == 0 ? 0 : std::uint64_t{out[j - 1]}) + x(j)) % m;
  }
};

/// Thrust's own algorithm: functors that the library does not know.
struct foreign_plus {
  template <class A, class B>
  THRUST_RNS_HD auto operator()(const A& a, const B& b) const {
    return thrust_rns::plus()(a, b);
  }
};
struct foreign_multiplies {
  template <class A, class B>
  THRUST_RNS_HD auto operator()(const A& a, const B& b) const {
    return thrust_rns::multiplies()(a, b);
  }
};

// ---- calls --------------------------------------------------------------------------------------------------------

template <int Bits, formula F, class Call>
void elementwise(benchmark::State& state, int passes, Call call) {
  auto& o = operands<Bits>::get();
  const auto wrong = [&](int i, const std::uint32_t* plane) {
    return wrong_element{F,
                         o.residues(0, i),
                         o.residues(1, i),
                         o.residues(2, i),
                         o.constant.residue(i),
                         operands<Bits>::base::moduli[i],
                         plane};
  };
  measure(
      state, o.bytes(passes), [] {}, [&] { call(o); }, [&] { return o.all_right(wrong); });
}

template <int Bits>
void plus(benchmark::State& state) {
  elementwise<Bits, formula::sum>(state, 3, [](auto& o) {
    thrust::transform(o.x.begin(), o.x.end(), o.y.begin(), o.out.begin(), thrust_rns::plus());
  });
}
template <int Bits>
void plus_stock(benchmark::State& state) {
  elementwise<Bits, formula::sum>(
      state, 3, [](auto& o) { thrust::transform(o.x.begin(), o.x.end(), o.y.begin(), o.out.begin(), foreign_plus()); });
}
template <int Bits>
void minus(benchmark::State& state) {
  elementwise<Bits, formula::difference>(state, 3, [](auto& o) {
    thrust::transform(o.x.begin(), o.x.end(), o.y.begin(), o.out.begin(), thrust_rns::minus());
  });
}
template <int Bits>
void multiplies(benchmark::State& state) {
  elementwise<Bits, formula::product>(state, 3, [](auto& o) {
    thrust::transform(o.x.begin(), o.x.end(), o.y.begin(), o.out.begin(), thrust_rns::multiplies());
  });
}
template <int Bits>
void multiplies_by_constant(benchmark::State& state) {
  elementwise<Bits, formula::scaled>(state, 2, [](auto& o) {
    thrust::transform(o.x.begin(), o.x.end(), thrust::make_constant_iterator(o.constant), o.out.begin(),
                      thrust_rns::multiplies());
  });
}
template <int Bits>
void multiply_add(benchmark::State& state) {
  elementwise<Bits, formula::multiply_add>(state, 4, [](auto& o) {
    const auto xyz = thrust::make_zip_iterator(o.x.begin(), o.y.begin(), o.z.begin());
    thrust::transform(xyz, xyz + count(), o.out.begin(), thrust_rns::multiply_add());
  });
}

/// Operands that are not aligned with each other: x_j + y_(j+1).
struct wrong_shifted_sum {
  random_residue x, y;
  std::int64_t last;
  std::uint64_t m;
  const std::uint32_t* out;
  THRUST_RNS_HD bool operator()(std::int64_t j) const {
    return j < last && out[j] != (std::uint64_t{x(j)} + y(j + 1)) % m;
  }
};
template <int Bits>
void plus_unaligned(benchmark::State& state) {
  auto& o = operands<Bits>::get();
  measure(
      state, o.bytes(3), [] {},
      [&] { thrust::transform(o.x.begin(), o.x.end() - 1, o.y.begin() + 1, o.out.begin(), thrust_rns::plus()); },
      [&] {
        return o.all_right([&](int i, const std::uint32_t* plane) {
          return wrong_shifted_sum{o.residues(0, i), o.residues(1, i), count() - 1, operands<Bits>::base::moduli[i],
                                   plane};
        });
      });
}

template <int Bits, class Function>
void scan(benchmark::State& state, Function f) {
  auto& o = operands<Bits>::get();
  measure(
      state, o.bytes(2), [] {}, [&] { thrust::inclusive_scan(o.x.begin(), o.x.end(), o.out.begin(), f); },
      [&] {
        return o.all_right([&](int i, const std::uint32_t* plane) {
          return wrong_sum{o.residues(0, i), operands<Bits>::base::moduli[i], plane};
        });
      });
}
template <int Bits>
void running_sum(benchmark::State& state) {
  scan<Bits>(state, thrust_rns::plus());
}
template <int Bits>
void running_sum_stock(benchmark::State& state) {
  scan<Bits>(state, foreign_plus());
}

template <int Bits>
void running_maximum(benchmark::State& state) { // of numbers that are not yet evaluated
  auto& o = operands<Bits>::get();
  measure(
      state, o.bytes(3), [&] { o.x.invalidate_evaluations(); },
      [&] { thrust::inclusive_scan(o.x.begin(), o.x.end(), o.out.begin(), thrust_rns::maximum()); },
      [&] {
        const auto largest = thrust::max_element(o.x.begin(), o.x.end());
        return o.out[static_cast<std::size_t>(largest - o.x.begin())] == *largest && o.out[0] == o.x[0] &&
               o.out.back() == *largest &&
               thrust::max_element(o.out.begin(), o.out.end()) - o.out.begin() == largest - o.x.begin();
      });
}

template <int Bits>
void product(benchmark::State& state) {
  auto& o = operands<Bits>::get();
  using number = typename operands<Bits>::number;
  number found, back;
  measure(
      state, o.bytes(1, false), [] {},
      [&] { found = thrust::reduce(o.x.begin(), o.x.end(), number(1), thrust_rns::multiplies()); },
      [&] { // the product of the parts, one of them unaligned
        const auto middle = o.x.begin() + count() / 2 + 1;
        back = thrust::reduce(o.x.begin(), middle, number(1), thrust_rns::multiplies());
        return found == thrust::reduce(middle, o.x.end(), back, thrust_rns::multiplies()) && found.residue(0) != 0;
      });
}

template <int Bits>
void inner_product(benchmark::State& state) {
  auto& o = operands<Bits>::get();
  using number = typename operands<Bits>::number;
  number found;
  measure(
      state, o.bytes(2, false), [] {},
      [&] { found = thrust::inner_product(o.x.begin(), o.x.end(), o.y.begin(), number(0)); },
      [&] {
        thrust::transform(o.x.begin(), o.x.end(), o.y.begin(), o.out.begin(), thrust_rns::multiplies());
        return found == thrust::reduce(o.out.begin(), o.out.end());
      });
}

/// Key j is j / run_length.
constexpr std::int64_t run_length = 10;
struct key_of {
  THRUST_RNS_HD std::int64_t operator()(std::int64_t j) const { return j / run_length; }
};

/// Whether out[s] is not the sum of run s.
struct wrong_run {
  random_residue x;
  std::int64_t count;
  std::uint64_t m;
  const std::uint32_t* out;
  THRUST_RNS_HD bool operator()(std::int64_t s) const {
    if (s * run_length >= count) return false;
    std::uint64_t sum = 0;
    for (std::int64_t j = s * run_length; j < (s + 1) * run_length && j < count; ++j) sum += x(j);
    return out[s] != sum % m;
  }
};
template <int Bits>
void sums_by_key(benchmark::State& state) {
  auto& o = operands<Bits>::get();
  thrust::device_vector<std::int64_t> keys(o.x.size()), keys_out(o.x.size());
  thrust::tabulate(keys.begin(), keys.end(), key_of());
  measure(
      state, o.bytes(1, false), [] {},
      [&] { thrust::reduce_by_key(keys.begin(), keys.end(), o.x.begin(), keys_out.begin(), o.out.begin()); },
      [&] {
        return o.all_right([&](int i, const std::uint32_t* plane) {
          return wrong_run{o.residues(0, i), count(), operands<Bits>::base::moduli[i], plane};
        });
      });
}

template <int Bits>
void copy_stock(benchmark::State& state) {
  auto& o = operands<Bits>::get();
  measure(
      state, o.bytes(2), [] {}, [&] { thrust::copy(o.x.begin(), o.x.end(), o.out.begin()); },
      [&] { return o.out == o.x; });
}
template <int Bits>
void fill_stock(benchmark::State& state) {
  auto& o = operands<Bits>::get();
  measure(
      state, o.bytes(1), [] {}, [&] { thrust::fill(o.out.begin(), o.out.end(), o.constant); },
      [&] { return o.out.front() == o.constant && o.out.back() == o.constant; });
}

/// Element j * step mod count: a permutation that jumps, for a count that step does not divide.
struct jumping {
  std::int64_t count;
  THRUST_RNS_HD std::int64_t operator()(std::int64_t j) const { return j * 7'368'787 % count; }
};
struct wrong_jump {
  random_residue x;
  jumping place;
  const std::uint32_t* out;
  THRUST_RNS_HD bool operator()(std::int64_t j) const { return out[j] != x(place(j)); }
};
template <int Bits>
void gather_stock(benchmark::State& state) {
  auto& o = operands<Bits>::get();
  thrust::device_vector<std::int64_t> places(o.x.size());
  thrust::tabulate(places.begin(), places.end(), jumping{count()});
  measure(
      state, o.bytes(2), [] {}, [&] { thrust::gather(places.begin(), places.end(), o.x.begin(), o.out.begin()); },
      [&] {
        return o.all_right([&](int i, const std::uint32_t* plane) {
          return wrong_jump{o.residues(0, i), jumping{count()}, plane};
        });
      });
}

template <int Bits>
void forget(benchmark::State& state) { // frees the numbers of one range before the next
  for (auto _ : state) {
    operands<Bits>::forget();
    state.SetIterationTime(1e-9);
  }
}

void add(const std::string& name, void (*function)(benchmark::State&), int repetitions = 21) {
  benchmark::RegisterBenchmark(name.c_str(), function)
      ->UseManualTime()
      ->Iterations(1)
      ->Repetitions(repetitions)
      ->ReportAggregatesOnly(repetitions > 1)
      ->Unit(benchmark::kMicrosecond);
}

template <int Bits>
void add_range() {
  const std::string suffix = "/" + std::to_string(Bits);
  add("plus" + suffix, plus<Bits>);
  add("plus_unaligned" + suffix, plus_unaligned<Bits>);
  add("minus" + suffix, minus<Bits>);
  add("multiplies" + suffix, multiplies<Bits>);
  add("multiplies_by_constant" + suffix, multiplies_by_constant<Bits>);
  add("multiply_add" + suffix, multiply_add<Bits>);
  add("running_sum" + suffix, running_sum<Bits>);
  add("running_maximum" + suffix, running_maximum<Bits>);
  add("product" + suffix, product<Bits>);
  add("inner_product" + suffix, inner_product<Bits>);
  add("sums_by_key" + suffix, sums_by_key<Bits>);
  add("copy_stock" + suffix, copy_stock<Bits>, 11);
  add("fill_stock" + suffix, fill_stock<Bits>, 11);
  add("gather_stock" + suffix, gather_stock<Bits>, 11);
  add("plus_stock" + suffix, plus_stock<Bits>, 11);
  if constexpr (Bits <= 512) { // compiling it takes minutes beyond
    add("running_sum_stock" + suffix, running_sum_stock<Bits>, 11);
  }
  add("forget" + suffix, forget<Bits>, 1);
}

} // namespace

int main(int argc, char** argv) {
  add("copy_1_GB", copy_rate_here, 1);
  add_range<512>();
  add_range<1024>();
  add_range<2048>();
  add_range<4096>();
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
