// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors

// Integers to numbers and back, 5,000,000 of 256, 1024 and 4096 bits as 64-bit limbs in rows and in planes, beside a
// copy of as many bytes and beside GMP on all cores of the host (mpz_import and mpz_fdiv_ui a modulus; the Chinese
// remainder sum and mpz_export). Every timed result is checked: limbs are random, and must come back.
//
// Times: CUDA events around the call, or a steady clock on the host backends and for GMP; median of 11 calls after a
// warm-up. THRUST_RNS_BENCHMARK_COUNT changes the number of elements. GMP converts a twentieth of them.

#include "measure.h"

#include <thrust_rns/device_vector.h>
#include <thrust_rns/exchange.h>

#include <benchmark/benchmark.h>
#include <gmpxx.h>

#include <thrust/copy.h>
#include <thrust/device_vector.h>
#include <thrust/for_each.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/transform.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <thread>
#include <vector>

namespace {

using measured::count;
using measured::seconds;
using measured::wall_seconds;

using limb = std::uint64_t;
using thrust_rns::limb_layout;

// ---- timing -------------------------------------------------------------------------------------------------------

/// One iteration is one call of `call`, whose seconds `time` gives; `check` sees the result of each.
template <class Time, class Call, class Check>
void measure(benchmark::State& state, double bytes, double numbers, Time time, Call call, Check check) {
  call();
  double total = 0;
  for (auto _ : state) {
    const double s = time(call);
    if (!check()) {
      state.SkipWithError("wrong result");
      return;
    }
    state.SetIterationTime(s);
    total += s;
  }
  state.counters["GB/s"] = bytes / total * 1e-9;
  state.counters["M/s"] = numbers / total * 1e-6;
}

// ---- data ---------------------------------------------------------------------------------------------------------

struct random_limb {
  THRUST_RNS_HD limb operator()(std::int64_t j) const {
    std::uint64_t z = static_cast<std::uint64_t>(j) * 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
  }
};

template <int Bits>
struct data {
  using base = thrust_rns::moduli_for_bits<Bits>;
  using number = thrust_rns::number<base>;
  static constexpr int limbs = Bits / 64;

  thrust::device_vector<limb> in, out;
  thrust_rns::device_vector<number> v;

  data() : in(static_cast<std::size_t>(count() * limbs)), out(in.size()), v(static_cast<std::size_t>(count())) {
    const thrust::counting_iterator<std::int64_t> first(0);
    thrust::transform(first, first + count() * limbs, in.begin(), random_limb{});
  }
  static std::unique_ptr<data>& current() {
    static std::unique_ptr<data> slot;
    return slot;
  }
  static data& get() {
    if (!current()) current().reset(new data);
    return *current();
  }
  static double bytes() { return static_cast<double>(count()) * (8.0 * limbs + 4.0 * number::size); }
};

limb_layout layout_of(bool rows, int limbs) {
  return rows ? limb_layout::rows(limbs) : limb_layout::planes(limbs, count());
}

// ---- what is measured ---------------------------------------------------------------------------------------------

template <int Bits, bool Rows>
void import(benchmark::State& state) {
  auto& d = data<Bits>::get();
  const auto layout = layout_of(Rows, d.limbs);
  measure(
      state, d.bytes(), static_cast<double>(count()), [](auto call) { return seconds(call); },
      [&] { thrust_rns::import_limbs(d.in.begin(), layout, d.v.begin(), d.v.end()); }, [] { return true; });
  thrust_rns::export_limbs(d.v.begin(), d.v.end(), d.out.begin(), layout); // the two calls check each other
  if (d.in != d.out) state.SkipWithError("wrong result");
}

template <int Bits, bool Rows>
void export_back(benchmark::State& state) {
  auto& d = data<Bits>::get();
  const auto layout = layout_of(Rows, d.limbs);
  thrust_rns::import_limbs(d.in.begin(), layout, d.v.begin(), d.v.end());
  measure(
      state, d.bytes(), static_cast<double>(count()), [](auto call) { return seconds(call); },
      [&] { thrust_rns::export_limbs(d.v.begin(), d.v.end(), d.out.begin(), layout); },
      [&] {
        const bool right = d.in == d.out;
        thrust::fill(d.out.begin(), d.out.end(), 0);
        return right;
      });
}

#if THRUST_DEVICE_SYSTEM == THRUST_DEVICE_SYSTEM_CUDA
/// The device layer alone, without the word of the first failure: no allocation, no synchronisation.
template <int Bits>
void device_import(benchmark::State& state) {
  auto& d = data<Bits>::get();
  thrust::device_vector<char> temp(16);
  std::size_t bytes = 16;
  measure(
      state, d.bytes(), static_cast<double>(count()), [](auto call) { return seconds(call); },
      [&] {
        thrust_rns::DeviceExchange::ImportLimbs(thrust::raw_pointer_cast(temp.data()), bytes,
                                                thrust::raw_pointer_cast(d.in.data()), layout_of(true, d.limbs),
                                                d.v.begin(), count());
      },
      [] { return true; });
}
#endif

template <int Bits>
void copy(benchmark::State& state) { // half of the bytes, read and written
  auto& d = data<Bits>::get();
  const auto n = static_cast<std::ptrdiff_t>(d.bytes() / 16);
  thrust::device_vector<limb> a(static_cast<std::size_t>(n)), b(a.size());
  measure(
      state, d.bytes(), static_cast<double>(count()), [](auto call) { return seconds(call); },
      [&] { thrust::copy(a.begin(), a.end(), b.begin()); }, [] { return true; });
}

// ---- GMP on all cores ---------------------------------------------------------------------------------------------

template <class Function>
void on_all_cores(std::int64_t n, Function f) {
  const auto cores = static_cast<std::int64_t>(std::max(1U, std::thread::hardware_concurrency()));
  std::vector<std::thread> threads;
  for (std::int64_t t = 0; t < cores; ++t) threads.emplace_back([=] { f(n * t / cores, n * (t + 1) / cores); });
  for (std::thread& t : threads) t.join();
}

template <int Bits>
void gmp(benchmark::State& state, bool back) {
  using base = typename data<Bits>::base;
  constexpr int limbs = data<Bits>::limbs, n = base::size;
  const std::int64_t numbers = count() / 20;
  std::vector<limb> in(static_cast<std::size_t>(numbers * limbs)), out(in.size());
  for (std::size_t k = 0; k < in.size(); ++k) in[k] = random_limb{}(static_cast<std::int64_t>(k));
  std::vector<std::uint32_t> residues(static_cast<std::size_t>(numbers * n)); // element by element: best for GMP
  const auto to_residues = [&](std::int64_t first, std::int64_t last) {
    mpz_t z;
    mpz_init2(z, Bits);
    for (std::int64_t e = first; e < last; ++e) {
      mpz_import(z, limbs, -1, sizeof(limb), 0, 0, in.data() + e * limbs);
      for (int i = 0; i < n; ++i) {
        residues[static_cast<std::size_t>(e * n + i)] = static_cast<std::uint32_t>(mpz_fdiv_ui(z, base::moduli[i]));
      }
    }
    mpz_clear(z);
  };
  mpz_class range = 1;
  for (int i = 0; i < n; ++i) range *= base::moduli[i];
  std::vector<mpz_class> cofactor;
  std::vector<std::uint64_t> inverse;
  for (int i = 0; i < n; ++i) {
    const mpz_class m = base::moduli[i];
    mpz_class w;
    cofactor.push_back(range / m);
    mpz_invert(w.get_mpz_t(), cofactor.back().get_mpz_t(), m.get_mpz_t());
    inverse.push_back(w.get_ui());
  }
  const auto to_limbs = [&](std::int64_t first, std::int64_t last) {
    mpz_class z;
    for (std::int64_t e = first; e < last; ++e) {
      z = 0;
      for (int i = 0; i < n; ++i) {
        const std::uint64_t y =
            residues[static_cast<std::size_t>(e * n + i)] * inverse[static_cast<std::size_t>(i)] % base::moduli[i];
        mpz_addmul_ui(z.get_mpz_t(), cofactor[static_cast<std::size_t>(i)].get_mpz_t(), y);
      }
      mpz_fdiv_r(z.get_mpz_t(), z.get_mpz_t(), range.get_mpz_t());
      limb* to = out.data() + e * limbs;
      std::size_t written = 0;
      mpz_export(to, &written, -1, sizeof(limb), 0, 0, z.get_mpz_t());
      std::fill(to + written, to + limbs, 0);
    }
  };
  on_all_cores(numbers, to_residues);
  measure(
      state, data<Bits>::bytes() / 20, static_cast<double>(numbers), [](auto call) { return wall_seconds(call); },
      [&] {
        if (back) {
          on_all_cores(numbers, to_limbs);
        } else {
          on_all_cores(numbers, to_residues);
        }
      },
      [&] { return !back || in == out; });
  state.counters["cores"] = std::thread::hardware_concurrency();
}

template <int Bits>
void forget(benchmark::State& state) { // frees the numbers of one range before the next
  for (auto _ : state) {
    data<Bits>::current().reset();
    state.SetIterationTime(1e-9);
  }
}

template <class Function>
void add(const std::string& name, Function function, int repetitions = 11) {
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
  add("import_rows" + suffix, import <Bits, true>);
  add("import_planes" + suffix, import <Bits, false>);
  add("export_rows" + suffix, export_back<Bits, true>);
  add("export_planes" + suffix, export_back<Bits, false>);
#if THRUST_DEVICE_SYSTEM == THRUST_DEVICE_SYSTEM_CUDA
  add("device_import_rows" + suffix, device_import<Bits>);
#endif
  add("copy" + suffix, copy<Bits>);
  add(
      "gmp_import" + suffix, [](benchmark::State& state) { gmp<Bits>(state, false); }, 3);
  add(
      "gmp_export" + suffix, [](benchmark::State& state) { gmp<Bits>(state, true); }, 3);
  add("forget" + suffix, forget<Bits>, 1);
}

} // namespace

int main(int argc, char** argv) {
  add_range<256>();
  add_range<1024>();
  add_range<4096>();
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
