// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors

// The algorithms of order over vectors of 1024-bit numbers, beside Thrust's own over the same iterators (it runs where the
// comparator is not one that the library knows) and, on the host backends, the standard library's over GMP integers. Every timed
// result is checked.
//
// Times: CUDA events around the call, or a steady clock on the host backends; median of the repetitions after a warm-up.
// THRUST_RNS_BENCHMARK_COUNT changes the number of elements.

#include "measure.h"

#include <thrust_rns/device_vector.h>
#include <thrust_rns/gmp.h>
#include <thrust_rns/host_vector.h>

#include <gmpxx.h>

#include <thrust/binary_search.h>
#include <thrust/copy.h>
#include <thrust/count.h>
#include <thrust/device_vector.h>
#include <thrust/equal.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/merge.h>
#include <thrust/partition.h>
#include <thrust/reduce.h>
#include <thrust/sequence.h>
#include <thrust/sort.h>
#include <thrust/transform.h>
#include <thrust/unique.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

namespace {

using measured::measure;
using base = thrust_rns::moduli_for_bits<1024>;
using number = thrust_rns::number<base>;
using device_vector = thrust_rns::device_vector<number>;

constexpr bool on_gpu = THRUST_DEVICE_SYSTEM == THRUST_DEVICE_SYSTEM_CUDA;

std::int64_t count() {
  static const char* text = std::getenv("THRUST_RNS_BENCHMARK_COUNT");
  return text != nullptr ? std::atoll(text) : on_gpu ? 5'000'000 : 200'000;
}
std::int64_t a_fifth() { return count() / 5; }

/// What the library does not know, with the same meaning as what it knows.
struct own_less {
  template <class A, class B>
  THRUST_RNS_HD bool operator()(const A& a, const B& b) const {
    return thrust_rns::less()(a, b);
  }
};
struct own_threshold {
  decltype(thrust_rns::less_than(number())) test;
  template <class A>
  THRUST_RNS_HD bool operator()(const A& a) const {
    return test(a);
  }
};

// ---- data ---------------------------------------------------------------------------------------------------------

struct random_residue {
  std::uint64_t seed;
  thrust_rns::modulus m;
  THRUST_RNS_HD std::uint32_t operator()(std::int64_t j) const {
    return m.reduce(measured::mix(seed + static_cast<std::uint64_t>(j)));
  }
};
struct shifted_residue { // of X + places[j] / Repeat
  std::uint32_t x;
  thrust_rns::modulus m;
  int repeat;
  THRUST_RNS_HD std::uint32_t operator()(std::int64_t place) const {
    return m.add(x, m.reduce(static_cast<std::uint64_t>(place / repeat)));
  }
};
struct random_key {
  THRUST_RNS_HD std::uint64_t operator()(std::int64_t j) const { return measured::mix(static_cast<std::uint64_t>(j)); }
};

template <class Residue>
void fill_planes(device_vector& v, Residue residue) {
  const auto s = v.as_span();
  for (int i = 0; i < number::size; ++i) {
    residue(i, thrust::device_ptr<std::uint32_t>(s.plane(i)));
  }
  v.invalidate_evaluations();
}

device_vector random_numbers(std::int64_t n, std::uint64_t seed) {
  device_vector v(static_cast<std::size_t>(n));
  const thrust::counting_iterator<std::int64_t> first(0);
  fill_planes(v, [&](int i, auto plane) {
    thrust::transform(
        thrust::device, first, first + n, plane,
        random_residue{measured::mix(seed + static_cast<std::uint64_t>(i)), thrust_rns::modulus(base::moduli[i])});
  });
  return v;
}

/// X, X + 1, ... in random order, each `repeat` times.
device_vector neighbours(std::int64_t n, int repeat) {
  thrust::device_vector<std::int64_t> places(static_cast<std::size_t>(n));
  thrust::device_vector<std::uint64_t> keys(static_cast<std::size_t>(n));
  thrust::sequence(places.begin(), places.end());
  thrust::transform(places.begin(), places.end(), keys.begin(), random_key());
  thrust::sort_by_key(keys.begin(), keys.end(), places.begin());
  device_vector v(static_cast<std::size_t>(n));
  fill_planes(v, [&](int i, auto plane) {
    const auto m = thrust_rns::modulus(base::moduli[i]);
    thrust::transform(places.begin(), places.end(), plane, shifted_residue{random_residue{7, m}(i), m, repeat});
  });
  return v;
}

void evaluate_all(const device_vector& v) { thrust::max_element(v.begin(), v.end()); }

const device_vector& data() {
  static const device_vector v = [] {
    device_vector r = random_numbers(count(), 1);
    evaluate_all(r);
    return r;
  }();
  return v;
}
const device_vector& sorted_data() {
  static const device_vector v = [] {
    device_vector r = data();
    thrust::sort(r.begin(), r.end());
    return r;
  }();
  return v;
}

/// Whether v is a permutation of `of`, as far as sums tell, and sorted by Thrust's own reading of it.
bool is_sorted_copy(const device_vector& v, const device_vector& of) {
  return thrust::is_sorted(v.begin(), v.end(), own_less()) &&
         thrust::reduce(v.begin(), v.end()) == thrust::reduce(of.begin(), of.end());
}

// ---- sorting ------------------------------------------------------------------------------------------------------

template <class Compare>
void sort_numbers(benchmark::State& state, const device_vector& from, Compare compare) {
  device_vector v = from;
  measure(
      state, [&] { v = from; }, [&] { thrust::sort(v.begin(), v.end(), compare); },
      [&] { return is_sorted_copy(v, from); });
}
void sort_cached(benchmark::State& state) { sort_numbers(state, data(), thrust_rns::less()); }
void sort_first(benchmark::State& state) {
  device_vector from = data();
  from.invalidate_evaluations();
  sort_numbers(state, from, thrust_rns::less());
}
void sort_stock(benchmark::State& state) { sort_numbers(state, data(), own_less()); }
void sort_neighbours(benchmark::State& state) {
  device_vector from = neighbours(a_fifth(), 1);
  evaluate_all(from);
  sort_numbers(state, from, thrust_rns::less());
}
void sort_pairs_of_neighbours(benchmark::State& state) {
  device_vector from = neighbours(a_fifth(), 2);
  evaluate_all(from);
  sort_numbers(state, from, thrust_rns::less());
}
void sort_equal(benchmark::State& state) {
  device_vector from = neighbours(a_fifth(), 1 << 30);
  evaluate_all(from);
  sort_numbers(state, from, thrust_rns::less());
}
template <class Compare>
void sort_by_key(benchmark::State& state, Compare compare) {
  device_vector v = data();
  thrust::device_vector<std::uint32_t> values(v.size());
  measure(
      state,
      [&] {
        v = data();
        thrust::sequence(values.begin(), values.end());
      },
      [&] { thrust::sort_by_key(v.begin(), v.end(), values.begin(), compare); },
      [&] {
        bool right = is_sorted_copy(v, data());
        for (std::size_t j = 0; j < v.size(); j += v.size() / 9 + 1) right = right && data()[values[j]] == v[j];
        return right;
      });
}
void sort_by_key_cached(benchmark::State& state) { sort_by_key(state, thrust_rns::less()); }
void top_1000(benchmark::State& state) {
  device_vector found(1000);
  const device_vector& sorted = sorted_data();
  measure(
      state, [] {}, [&] { thrust_rns::top_k(data().begin(), data().end(), 1000, found.begin()); },
      [&] {
        bool right = true;
        for (std::size_t j = 0; j < 1000; j += 37) right = right && found[j] == sorted[sorted.size() - 1 - j];
        return right;
      });
}
template <class Compare>
void merge(benchmark::State& state, Compare compare) {
  const auto half = static_cast<std::ptrdiff_t>(count() / 2);
  static device_vector halves = [&] {
    device_vector v = data();
    thrust::sort(v.begin(), v.begin() + half);
    thrust::sort(v.begin() + half, v.end());
    return v;
  }();
  device_vector merged(halves.size());
  measure(
      state, [] {},
      [&] {
        thrust::merge(halves.begin(), halves.begin() + half, halves.begin() + half, halves.end(), merged.begin(),
                      compare);
      },
      [&] { return is_sorted_copy(merged, halves); });
}
void merge_cached(benchmark::State& state) { merge(state, thrust_rns::less()); }
void merge_stock(benchmark::State& state) { merge(state, own_less()); }

// ---- searching ----------------------------------------------------------------------------------------------------

/// Needles: random numbers, or the numbers of the range themselves.
template <class Compare>
void lower_bound(benchmark::State& state, bool present, Compare compare) {
  const device_vector& range = sorted_data();
  const auto n = static_cast<std::ptrdiff_t>(a_fifth());
  device_vector needles = random_numbers(n, 99);
  if (present) needles = device_vector(data().begin(), data().begin() + n);
  evaluate_all(needles);
  thrust::device_vector<std::int64_t> places(needles.size());
  measure(
      state, [] {},
      [&] { thrust::lower_bound(range.begin(), range.end(), needles.begin(), needles.end(), places.begin(), compare); },
      [&] {
        bool right = true;
        for (std::size_t j = 0; j < places.size(); j += places.size() / 50 + 1) {
          const auto p = static_cast<std::size_t>(static_cast<std::int64_t>(places[j]));
          right = right && (p == 0 || number(range[p - 1]) < number(needles[j])) &&
                  (p == range.size() || !(number(range[p]) < number(needles[j])));
        }
        return right;
      });
}
void lower_bound_random(benchmark::State& state) { lower_bound(state, false, thrust_rns::less()); }
void lower_bound_present(benchmark::State& state) { lower_bound(state, true, thrust_rns::less()); }
void lower_bound_stock(benchmark::State& state) { lower_bound(state, false, own_less()); }
template <class Compare>
void lower_bound_one(benchmark::State& state, Compare compare) {
  const device_vector& range = sorted_data();
  const std::ptrdiff_t place = range.end() - range.begin() - 1234;
  const number x = range[static_cast<std::size_t>(place)];
  std::ptrdiff_t found = 0;
  measure(
      state, [] {}, [&] { found = thrust::lower_bound(range.begin(), range.end(), x, compare) - range.begin(); },
      [&] { return found == place; });
}
void lower_bound_one_cached(benchmark::State& state) { lower_bound_one(state, thrust_rns::less()); }
void lower_bound_one_stock(benchmark::State& state) { lower_bound_one(state, own_less()); }
template <class Compare>
void is_sorted(benchmark::State& state, Compare compare) {
  bool sorted = false;
  const device_vector& range = sorted_data();
  measure(
      state, [] {}, [&] { sorted = thrust::is_sorted(range.begin(), range.end(), compare); }, [&] { return sorted; });
}
void is_sorted_cached(benchmark::State& state) { is_sorted(state, thrust_rns::less()); }
void is_sorted_stock(benchmark::State& state) { is_sorted(state, own_less()); }

// ---- selecting ----------------------------------------------------------------------------------------------------

const number& median() {
  static const number x = sorted_data()[static_cast<std::size_t>(count() / 2)];
  return x;
}
template <class Predicate>
void count_if(benchmark::State& state, Predicate predicate) {
  std::ptrdiff_t found = 0;
  measure(
      state, [] {}, [&] { found = thrust::count_if(data().begin(), data().end(), predicate); },
      [&] { return found == count() / 2; });
}
void count_if_cached(benchmark::State& state) { count_if(state, thrust_rns::less_than(median())); }
void count_if_stock(benchmark::State& state) { count_if(state, own_threshold{thrust_rns::less_than(median())}); }
template <class Predicate>
void copy_if(benchmark::State& state, Predicate predicate) {
  device_vector kept(static_cast<std::size_t>(count()));
  std::ptrdiff_t found = 0;
  measure(
      state, [] {},
      [&] { found = thrust::copy_if(data().begin(), data().end(), kept.begin(), predicate) - kept.begin(); },
      [&] {
        return found == count() / 2 &&
               thrust::count_if(kept.begin(), kept.begin() + found, thrust_rns::less_than(median())) == found;
      });
}
void copy_if_cached(benchmark::State& state) { copy_if(state, thrust_rns::less_than(median())); }
void copy_if_stock(benchmark::State& state) { copy_if(state, own_threshold{thrust_rns::less_than(median())}); }
template <class Predicate>
void partition(benchmark::State& state, Predicate predicate) {
  device_vector v = data();
  std::ptrdiff_t found = 0;
  measure(
      state, [&] { v = data(); }, [&] { found = thrust::stable_partition(v.begin(), v.end(), predicate) - v.begin(); },
      [&] {
        return found == count() / 2 &&
               thrust::count_if(v.begin(), v.begin() + found, thrust_rns::less_than(median())) == found;
      });
}
void partition_cached(benchmark::State& state) { partition(state, thrust_rns::less_than(median())); }
void partition_stock(benchmark::State& state) { partition(state, own_threshold{thrust_rns::less_than(median())}); }

/// Each number twice.
const device_vector& doubled() {
  static const device_vector v = [] {
    device_vector r = neighbours(count(), 2);
    thrust::sort(r.begin(), r.end());
    return r;
  }();
  return v;
}
template <class Predicate>
void unique(benchmark::State& state, Predicate predicate) {
  device_vector v = doubled();
  std::ptrdiff_t left = 0;
  measure(
      state, [&] { v = doubled(); }, [&] { left = thrust::unique(v.begin(), v.end(), predicate) - v.begin(); },
      [&] { return left == (count() + 1) / 2 && v[1] == v[0] + number(1); });
}
void unique_stock(benchmark::State& state) { unique(state, thrust_rns::equal_to()); }
template <class Predicate>
void unique_copy(benchmark::State& state, Predicate predicate) {
  device_vector v(static_cast<std::size_t>(count()));
  std::ptrdiff_t left = 0;
  measure(
      state, [] {},
      [&] { left = thrust::unique_copy(doubled().begin(), doubled().end(), v.begin(), predicate) - v.begin(); },
      [&] { return left == (count() + 1) / 2 && v[1] == v[0] + number(1); });
}
void unique_copy_stock(benchmark::State& state) { unique_copy(state, thrust_rns::equal_to()); }
void equal_stock(benchmark::State& state) {
  const device_vector other = data();
  bool same = false;
  measure(
      state, [] {}, [&] { same = thrust::equal(data().begin(), data().end(), other.begin()); }, [&] { return same; });
}

// ---- GMP on the host ----------------------------------------------------------------------------------------------

#if THRUST_DEVICE_SYSTEM != THRUST_DEVICE_SYSTEM_CUDA
std::vector<mpz_class> integers(const device_vector& v) {
  std::vector<mpz_class> z(v.size());
  for (std::size_t j = 0; j < z.size(); ++j) thrust_rns::to_mpz(z[j].get_mpz_t(), number(v[j]));
  return z;
}
void sort_gmp(benchmark::State& state) {
  const std::vector<mpz_class> from = integers(data());
  std::vector<mpz_class> z;
  measure(
      state, [&] { z = from; }, [&] { std::sort(z.begin(), z.end()); },
      [&] { return std::is_sorted(z.begin(), z.end()); });
}
void lower_bound_gmp(benchmark::State& state) {
  const std::vector<mpz_class> range = integers(sorted_data()), needles = integers(random_numbers(a_fifth(), 99));
  std::vector<std::ptrdiff_t> places(needles.size());
  measure(
      state, [] {},
      [&] {
        for (std::size_t j = 0; j < needles.size(); ++j) {
          places[j] = std::lower_bound(range.begin(), range.end(), needles[j]) - range.begin();
        }
      },
      [&] { return std::all_of(places.begin(), places.end(), [](std::ptrdiff_t p) { return p >= 0; }); });
}
void count_if_gmp(benchmark::State& state) {
  const std::vector<mpz_class> z = integers(data());
  mpz_class x;
  thrust_rns::to_mpz(x.get_mpz_t(), median());
  std::ptrdiff_t found = 0;
  measure(
      state, [] {}, [&] { found = std::count_if(z.begin(), z.end(), [&](const mpz_class& y) { return y < x; }); },
      [&] { return found == count() / 2; });
}
#endif

void add(const char* name, void (*function)(benchmark::State&), int repetitions = 11) {
  benchmark::RegisterBenchmark(name, function)
      ->UseManualTime()
      ->Iterations(1)
      ->Repetitions(repetitions)
      ->ReportAggregatesOnly(true)
      ->Unit(benchmark::kMicrosecond);
}

} // namespace

int main(int argc, char** argv) {
  constexpr int few = 3; // of the slow ones
  add("sort", sort_cached);
  add("sort_unevaluated", sort_first);
  add("sort_neighbours_a_fifth", sort_neighbours);
  add("sort_pairs_of_neighbours_a_fifth", sort_pairs_of_neighbours);
  add("sort_equal_a_fifth", sort_equal);
  add("sort_by_key", sort_by_key_cached);
  add("top_1000", top_1000);
  add("merge", merge_cached);
  add("lower_bound_a_fifth", lower_bound_random);
  add("lower_bound_a_fifth_present", lower_bound_present);
  add("lower_bound_one", lower_bound_one_cached);
  add("is_sorted", is_sorted_cached);
  add("count_if", count_if_cached);
  add("copy_if", copy_if_cached);
  add("stable_partition", partition_cached);
  add("stock/equal", equal_stock, few);
  add("stock/is_sorted", is_sorted_stock, few);
  add("stock/count_if", count_if_stock, few);
  add("stock/lower_bound_a_fifth", lower_bound_stock, few);
  add("stock/lower_bound_one", lower_bound_one_stock, few);
  add("stock/unique", unique_stock, few);
  add("stock/unique_copy", unique_copy_stock, few);
  add("stock/copy_if", copy_if_stock, few);
  add("stock/stable_partition", partition_stock, few);
  add("stock/merge", merge_stock, few);
  add("stock/sort", sort_stock, few);
#if THRUST_DEVICE_SYSTEM != THRUST_DEVICE_SYSTEM_CUDA
  add("gmp/sort", sort_gmp, few);
  add("gmp/lower_bound_a_fifth", lower_bound_gmp, few);
  add("gmp/count_if", count_if_gmp, few);
#endif
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
