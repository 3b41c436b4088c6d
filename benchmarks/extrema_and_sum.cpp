// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors

// Maximum and sum of 5,000,000 random numbers in the seven ranges of 64 to 4096 bits, beside Thrust's maximum of as many
// 64-bit integers and the rate at which the same memory can be read. Every timed result is checked.
//
// Times: CUDA events around the call, or a steady clock on the host backends; median of 21 calls after a warm-up.
// THRUST_RNS_BENCHMARK_COUNT changes the number of elements.

#include "measure.h"

#include <thrust_rns/device_vector.h>
#include <thrust_rns/gmp.h>

#include <benchmark/benchmark.h>
#include <gmpxx.h>

#include <thrust/device_vector.h>
#include <thrust/extrema.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/reduce.h>
#include <thrust/transform.h>

#include <algorithm>
#include <cmath>
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

/// One iteration is one call; `check` sees the result of each.
template <class Prepare, class Call, class Check>
void measure(benchmark::State& state, double bytes, double read_rate, Prepare prepare, Call call, Check check) {
  prepare();
  call();
  double total = 0;
  for (auto _ : state) {
    prepare();
    const double s = seconds(call);
    if (!check()) {
      state.SkipWithError("wrong result");
      return;
    }
    state.SetIterationTime(s);
    total += s;
  }
  state.counters["GB/s"] = bytes / total * 1e-9;
  if (read_rate > 0) state.counters["of read rate"] = bytes / total / read_rate;
}

// ---- data ---------------------------------------------------------------------------------------------------------

struct random_residue {
  std::uint64_t seed;
  thrust_rns::modulus m;
  THRUST_RNS_HD std::uint32_t operator()(std::int64_t j) const {
    return m.reduce(mix(seed + static_cast<std::uint64_t>(j)));
  }
};

struct random_key {
  THRUST_RNS_HD std::uint64_t operator()(std::int64_t j) const { return mix(static_cast<std::uint64_t>(j)); }
};

/// Random numbers of one range, and what the calls must answer: found in double precision, the close ones by GMP.
template <int Bits>
struct random_numbers {
  using base = thrust_rns::moduli_for_bits<Bits>;
  using number = thrust_rns::number<base>;

  thrust_rns::device_vector<number> v;
  std::int64_t largest = 0;
  number sum{};

  static random_numbers& get() {
    static std::unique_ptr<random_numbers>& slot = current();
    if (!slot) slot.reset(new random_numbers);
    return *slot;
  }
  static void forget() { current().reset(); }

  double bytes() const { return 4.0 * number::size * static_cast<double>(v.size()); }

 private:
  static std::unique_ptr<random_numbers>& current() {
    static std::unique_ptr<random_numbers> slot;
    return slot;
  }

  random_numbers() : v(static_cast<std::size_t>(count())) {
    const auto s = v.as_span();
    const thrust::counting_iterator<std::int64_t> first(0);
    for (int i = 0; i < number::size; ++i) {
      const thrust::device_ptr<std::uint32_t> plane(s.plane(i));
      thrust::transform(thrust::device, first, first + count(), plane,
                        random_residue{mix(static_cast<std::uint64_t>(i)), thrust_rns::modulus(base::moduli[i])});
    }
    v.invalidate_evaluations();
    find_answers();
  }

  void find_answers() {
    const auto s = v.as_span();
    mpz_class range = 1;
    for (const std::uint32_t m : base::moduli) range *= m;
    std::vector<double> fraction(v.size(), 0.0);
    std::vector<std::uint32_t> plane(v.size());
    for (int i = 0; i < number::size; ++i) {
      const std::uint32_t m = base::moduli[i];
      thrust::copy_n(thrust::device_ptr<const std::uint32_t>(s.plane(i)), plane.size(), plane.begin());
      mpz_class w = range / m;
      mpz_class inverse;
      const mpz_class mz = m;
      mpz_invert(inverse.get_mpz_t(), w.get_mpz_t(), mz.get_mpz_t());
      const std::uint64_t wi = inverse.get_ui();
      std::uint64_t total = 0;
      for (std::size_t j = 0; j < plane.size(); ++j) {
        total += plane[j];
        fraction[j] += static_cast<double>(plane[j] * wi % m) / m;
        fraction[j] -= fraction[j] >= 1.0 ? 1.0 : 0.0;
      }
      sum.set_residue(i, static_cast<std::uint32_t>(total % m));
    }
    const double best = *std::max_element(fraction.begin(), fraction.end());
    mpz_class most = -1, x;
    for (std::size_t j = 0; j < fraction.size(); ++j) {
      if (fraction[j] < best - 1e-9 && fraction[j] > 1e-9) continue; // the sum of n roundings is far below 1e-9
      thrust_rns::to_mpz(x.get_mpz_t(), number(v[j]));
      if (x > most) {
        most = x;
        largest = static_cast<std::int64_t>(j);
      }
    }
  }
};

// ---- peers --------------------------------------------------------------------------------------------------------

#if THRUST_DEVICE_SYSTEM == THRUST_DEVICE_SYSTEM_CUDA
__global__ void read_all(const uint4* p, std::int64_t n, unsigned* out) {
  unsigned s = 0;
  const std::int64_t step = std::int64_t{gridDim.x} * blockDim.x;
  std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  for (; i + 3 * step < n; i += 4 * step) {
    const uint4 a = p[i], b = p[i + step], c = p[i + 2 * step], d = p[i + 3 * step];
    s += a.x ^ a.y ^ a.z ^ a.w ^ b.x ^ b.y ^ b.z ^ b.w ^ c.x ^ c.y ^ c.z ^ c.w ^ d.x ^ d.y ^ d.z ^ d.w;
  }
  for (; i < n; i += step) s += p[i].x ^ p[i].y ^ p[i].z ^ p[i].w;
  if (s == 0x12345678) *out = s; // keeps the loads
}
#endif

/// Bytes a second that a read-only pass reaches on 4 GiB (512 MiB on the host): 16-byte loads on a GPU, a parallel sum on the host.
double read_rate() {
  static const double rate = [] {
    const std::int64_t words = on_gpu ? std::int64_t{1} << 29 : std::int64_t{1} << 26; // of 8 bytes
    const thrust::device_vector<std::uint64_t> data(static_cast<std::size_t>(words), 1);
    std::vector<double> times;
    for (int k = 0; k < 12; ++k) {
#if THRUST_DEVICE_SYSTEM == THRUST_DEVICE_SYSTEM_CUDA
      thrust::device_vector<unsigned> out(1);
      const auto* p = reinterpret_cast<const uint4*>(thrust::raw_pointer_cast(data.data()));
      times.push_back(seconds([&] { read_all<<<2112, 256>>>(p, words / 2, thrust::raw_pointer_cast(out.data())); }));
#else
      std::uint64_t sum = 0;
      times.push_back(seconds([&] { sum = thrust::reduce(data.begin(), data.end()); }));
      if (sum != static_cast<std::uint64_t>(words)) std::abort();
#endif
    }
    std::sort(times.begin(), times.end());
    return 8.0 * static_cast<double>(words) / times[times.size() / 2];
  }();
  return rate;
}

void read_rate_here(benchmark::State& state) {
  for (auto _ : state) state.SetIterationTime(1e9 / read_rate());
  state.counters["GB/s"] = read_rate() * 1e-9;
}

void thrust_maximum_of_uint64(benchmark::State& state) {
  const thrust::counting_iterator<std::int64_t> first(0);
  thrust::device_vector<std::uint64_t> data(static_cast<std::size_t>(count()));
  thrust::transform(thrust::device, first, first + count(), data.begin(), random_key());
  std::int64_t expected = 0;
  for (std::int64_t j = 1; j < count(); ++j) {
    if (random_key()(expected) < random_key()(j)) expected = j;
  }
  std::int64_t found = 0;
  measure(
      state, 8.0 * static_cast<double>(count()), 0, [] {},
      [&] { found = thrust::max_element(data.begin(), data.end()) - data.begin(); }, [&] { return found == expected; });
}

// ---- ours ---------------------------------------------------------------------------------------------------------

template <int Bits>
void first_maximum(benchmark::State& state) { // evaluates, keeps the evaluations, reduces
  auto& data = random_numbers<Bits>::get();
  std::int64_t found = 0;
  measure(
      state, data.bytes(), read_rate(), [&] { data.v.invalidate_evaluations(); },
      [&] { found = thrust::max_element(data.v.begin(), data.v.end()) - data.v.begin(); },
      [&] { return found == data.largest; });
}

template <int Bits>
void cached_maximum(benchmark::State& state) {
  auto& data = random_numbers<Bits>::get();
  std::int64_t found = 0;
  measure(
      state, 8.0 * static_cast<double>(data.v.size()), 0, [] {},
      [&] { found = thrust::max_element(data.v.begin(), data.v.end()) - data.v.begin(); },
      [&] { return found == data.largest; });
}

template <int Bits>
void sum(benchmark::State& state) {
  auto& data = random_numbers<Bits>::get();
  using number = typename random_numbers<Bits>::number;
  number found{};
  measure(
      state, data.bytes(), read_rate(), [] {}, [&] { found = thrust::reduce(data.v.begin(), data.v.end()); },
      [&] { return found == data.sum; });
}

#if THRUST_DEVICE_SYSTEM == THRUST_DEVICE_SYSTEM_CUDA
/// The device layer alone: no allocation, no synchronisation, no result on the host, no room for evaluations.
template <int Bits>
void device_arg_max(benchmark::State& state) {
  auto& data = random_numbers<Bits>::get();
  using number = typename random_numbers<Bits>::number;
  const auto s = data.v.as_span();
  const thrust_rns::const_device_iterator<number> first({s.plane(0), s.stride(), s.size()}, 0);
  thrust::device_vector<std::int64_t> index(1);
  std::size_t bytes = 0;
  thrust_rns::DeviceReduce::ArgMax(nullptr, bytes, first, static_cast<number*>(nullptr),
                                   thrust::raw_pointer_cast(index.data()), s.size());
  thrust::device_vector<char> temp(bytes);
  measure(
      state, data.bytes(), read_rate(), [] {},
      [&] {
        thrust_rns::DeviceReduce::ArgMax(thrust::raw_pointer_cast(temp.data()), bytes, first,
                                         static_cast<number*>(nullptr), thrust::raw_pointer_cast(index.data()),
                                         s.size());
      },
      [&] { return index[0] == data.largest; });
}

template <int Bits>
void device_sum(benchmark::State& state) {
  auto& data = random_numbers<Bits>::get();
  using number = typename random_numbers<Bits>::number;
  const auto first = data.v.cbegin();
  thrust::device_vector<number> result(1);
  number* out = thrust::raw_pointer_cast(result.data());
  std::size_t bytes = 0;
  thrust_rns::DeviceReduce::Sum(nullptr, bytes, first, out, count());
  thrust::device_vector<char> temp(bytes);
  measure(
      state, data.bytes(), read_rate(), [] {},
      [&] { thrust_rns::DeviceReduce::Sum(thrust::raw_pointer_cast(temp.data()), bytes, first, out, count()); },
      [&] { return number(result[0]) == data.sum; });
}
#endif

template <int Bits>
void forget(benchmark::State& state) { // frees the numbers of one range before the next
  for (auto _ : state) {
    random_numbers<Bits>::forget();
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
  add("first_maximum" + suffix, first_maximum<Bits>);
  add("cached_maximum" + suffix, cached_maximum<Bits>);
  add("sum" + suffix, sum<Bits>);
#if THRUST_DEVICE_SYSTEM == THRUST_DEVICE_SYSTEM_CUDA
  add("device_arg_max" + suffix, device_arg_max<Bits>);
  add("device_sum" + suffix, device_sum<Bits>);
#endif
  add("forget" + suffix, forget<Bits>, 1);
}

} // namespace

int main(int argc, char** argv) {
  add("read_rate", read_rate_here, 1);
  add("thrust_maximum_of_uint64", thrust_maximum_of_uint64);
  add_range<64>();
  add_range<128>();
  add_range<256>();
  add_range<512>();
  add_range<1024>();
  add_range<2048>();
  add_range<4096>();
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
