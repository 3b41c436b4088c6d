// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors
#pragma once

/// @file
/// One range of numbers: data, methods, timing, checks. Instantiated in range_<Bits>.cu.

#include "../baselines/interval_array.cuh"
#include "../baselines/mixed_radix.cuh"
#include "../baselines/naive.cuh"
#include "oracle.h"
#include "program.h"

#include <thrust_rns/iterator.h>
#include <thrust_rns/moduli_set.h>
#include <thrust_rns/number.h>
#include <thrust_rns/span.h>
#include <thrust_rns/device/device_reduce.cuh>

#include <cuda_runtime_api.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

namespace isupov2021 {

inline void require(cudaError_t status, const char* what) {
  if (status == cudaSuccess) return;
  cudaGetLastError();
  throw std::runtime_error(std::string(what) + ": " + cudaGetErrorString(status));
}

// ---- device memory ------------------------------------------------------------------------------------------------

template <class T>
class device_memory {
 public:
  explicit device_memory(std::size_t size) {
    void* p = nullptr;
    require(cudaMalloc(&p, std::max<std::size_t>(size * sizeof(T), 16)), "allocation");
    p_.reset(static_cast<T*>(p));
  }
  T* get() const { return p_.get(); }

 private:
  struct release {
    void operator()(T* p) const { cudaFree(p); }
  };
  std::unique_ptr<T, release> p_;
};

/// Planes of residues.
template <class Number>
class numbers {
 public:
  explicit numbers(std::int64_t count)
      : count_(count),
        stride_((count + 3) / 4 * 4),
        residues_(static_cast<std::size_t>(Number::size) * static_cast<std::size_t>(stride_)) {}

  std::int64_t count() const { return count_; }
  std::int64_t stride() const { return stride_; }
  std::uint32_t* plane(int i) const { return residues_.get() + i * stride_; }
  thrust_rns::span<const Number> view() const { return {residues_.get(), stride_, count_}; }
  double bytes() const { return 4.0 * Number::size * static_cast<double>(count_); }

 private:
  std::int64_t count_, stride_;
  device_memory<std::uint32_t> residues_;
};

template <class Number>
__global__ void fill_with_random(std::uint32_t* plane, std::int64_t stride, thrust_rns::modulus m, std::uint64_t seed) {
  const std::int64_t j = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (j >= stride) return;
  std::uint64_t z = (seed << 40) + static_cast<std::uint64_t>(j) * 0x9E3779B97F4A7C15u; // splitmix64
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
  plane[j] = m.reduce(z ^ (z >> 31));
}

// ---- methods ------------------------------------------------------------------------------------------------------

/// Ours: one pass in fixed point fused with the reduction; no cached evaluations, no room for them.
template <class Number>
cudaError_t arg_max_of_library(void* d_temp, std::size_t& temp_bytes, thrust_rns::span<const Number> in,
                               std::int64_t* d_index_out, cudaStream_t stream) {
  return thrust_rns::DeviceReduce::ArgMax(d_temp, temp_bytes, thrust_rns::const_device_iterator<Number>(in, 0),
                                          static_cast<Number*>(nullptr), d_index_out, in.size(), stream);
}

template <class Number>
struct method {
  const char* name;
  cudaError_t (*call)(void*, std::size_t&, thrust_rns::span<const Number>, std::int64_t*, cudaStream_t);
};

template <class Number>
inline constexpr method<Number> all_methods[] = {{"thrust_rns", arg_max_of_library<Number>},
                                                 {"interval_array", baselines::arg_max_by_interval_array<Number>},
                                                 {"naive", baselines::arg_max_naively<Number>},
                                                 {"mixed_radix", baselines::arg_max_by_mixed_radix<Number>}};

/// A method with its memory, on one input.
template <class Number>
class prepared {
 public:
  prepared(const method<Number>& m, thrust_rns::span<const Number> in)
      : call_(m.call), in_(in), bytes_(temp_bytes(m, in)), temp_(bytes_), index_(1) {}

  void operator()() { require(call_(temp_.get(), bytes_, in_, index_.get(), nullptr), "launch"); }
  std::int64_t index() const {
    std::int64_t r = -1;
    require(cudaMemcpy(&r, index_.get(), sizeof r, cudaMemcpyDeviceToHost), "kernels");
    return r;
  }
  void forget_index() { require(cudaMemset(index_.get(), 0xff, sizeof(std::int64_t)), "clearing"); }
  std::size_t bytes() const { return bytes_; }

 private:
  static std::size_t temp_bytes(const method<Number>& m, thrust_rns::span<const Number> in) {
    std::size_t bytes = 0;
    require(m.call(nullptr, bytes, in, nullptr, nullptr), "size query");
    return bytes;
  }

  decltype(method<Number>::call) call_;
  thrust_rns::span<const Number> in_;
  std::size_t bytes_;
  device_memory<char> temp_;
  device_memory<std::int64_t> index_;
};

// ---- timing -------------------------------------------------------------------------------------------------------

/// Reads `size` words; *out is written only to keep the loads.
template <class T>
__global__ void read_all(const T* words, std::int64_t size, T* out) {
  T sum = 0;
  const std::int64_t step = std::int64_t{gridDim.x} * blockDim.x;
  for (std::int64_t j = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x; j < size; j += step) sum += words[j];
  if (sum != 0) *out = sum;
}

/// Times calls by events. Before each, 256 MB of other memory are read, so that the numbers are in no cache; read and not
/// written, so that no lines wait to be written back.
class stopwatch {
 public:
  stopwatch() : other_(other_words) {
    require(cudaMemset(other_.get(), 0, other_words * 8), "clearing");
    require(cudaEventCreate(&begin_), "event");
    require(cudaEventCreate(&end_), "event");
  }
  stopwatch(const stopwatch&) = delete;
  stopwatch& operator=(const stopwatch&) = delete;
  ~stopwatch() {
    cudaEventDestroy(begin_);
    cudaEventDestroy(end_);
  }

  template <class Call>
  double milliseconds(Call& call) {
    read_all<<<1024, 256>>>(other_.get(), other_words, other_.get());
    require(cudaGetLastError(), "launch");
    require(cudaEventRecord(begin_), "event");
    call();
    require(cudaEventRecord(end_), "event");
    require(cudaEventSynchronize(end_), "kernels");
    float ms = 0;
    require(cudaEventElapsedTime(&ms, begin_, end_), "event");
    return ms;
  }

 private:
  static constexpr std::int64_t other_words = std::int64_t{32} << 20; // of 8 bytes: several times the L2 cache
  device_memory<unsigned long long> other_;
  cudaEvent_t begin_ = nullptr, end_ = nullptr;
};

template <class Number>
void measure_base(const char* set, int bits, const options& o, record& r) {
  using Base = typename Number::base_type;
  const numbers<Number> data(o.count);
  search_for_largest<Base> search(static_cast<std::size_t>(o.count));
  std::vector<std::uint32_t> plane(static_cast<std::size_t>(o.count));
  for (int i = 0; i < Base::size; ++i) {
    fill_with_random<Number><<<static_cast<unsigned>((data.stride() + 255) / 256), 256>>>(
        data.plane(i), data.stride(), thrust_rns::modulus(Base::moduli[i]), static_cast<std::uint64_t>(i));
    require(cudaMemcpy(plane.data(), data.plane(i), plane.size() * 4, cudaMemcpyDeviceToHost), "filling");
    search.add_plane(i, plane);
  }
  const std::int64_t expected = search.find([&](int i, std::size_t j) {
    std::uint32_t x = 0;
    require(cudaMemcpy(&x, data.plane(i) + j, sizeof x, cudaMemcpyDeviceToHost), "copy");
    return x;
  });

  stopwatch watch;
  for (const method<Number>& m : all_methods<Number>) {
    if (!options::chosen(o.methods, std::string(m.name))) continue;
    prepared<Number> call(m, data.view());
    bool right = true;
    const auto timed = [&] {
      call.forget_index();
      const double ms = watch.milliseconds(call);
      right = right && call.index() == expected;
      return ms;
    };
    const int repetitions = timed() > 100 ? o.slow_repetitions : o.repetitions; // the first call is the warm-up
    std::vector<double> ms;
    for (int k = 0; k < repetitions; ++k) ms.push_back(timed());
    std::sort(ms.begin(), ms.end());
    const double median = ms[ms.size() / 2];

    char line[512];
    std::snprintf(
        line, sizeof line,
        R"({"record":"time","set":"%s","bits":%d,"moduli":%d,"count":%lld,"method":"%s","ms":%.5g,)"
        R"("least_ms":%.5g,"most_ms":%.5g,"repetitions":%d,"bytes_of_data":%.0f,"bytes_beside":%zu,"right":%s})",
        set, bits, Base::size, static_cast<long long>(o.count), m.name, median, ms.front(), ms.back(), repetitions,
        data.bytes(), call.bytes(), right ? "true" : "false");
    r.line(line);
    std::printf("%-7s %5d bits %4d moduli  %-15s %10.4f ms  %7.1f GB/s  %10zu bytes beside  %s\n", set, bits,
                Base::size, m.name, median, data.bytes() / median * 1e-6, call.bytes(), right ? "right" : "WRONG");
    std::fflush(stdout);
    r.all_right = r.all_right && right;
  }
}

template <int Bits>
void measure_range(const options& o, record& r) {
  if (options::chosen<std::string>(o.sets, "isupov")) {
    measure_base<thrust_rns::number<thrust_rns::isupov_moduli<Bits>>>("isupov", Bits, o, r);
  }
  if (options::chosen<std::string>(o.sets, "primes")) {
    measure_base<thrust_rns::number<thrust_rns::moduli_for_bits<Bits>>>("primes", Bits, o, r);
  }
}

// ---- checks -------------------------------------------------------------------------------------------------------

template <class Number>
void check_numbers(const char* set, int bits, const options& o, record& r) {
  using Base = typename Number::base_type;
  std::mt19937_64 engine(2021);
  int calls = 0, wrong = 0;
  for (const hard_input& input : hard_inputs<Number>(engine)) {
    for (const std::int64_t count : {1, 2, 3, 255, 1025, 10007}) {
      const numbers<Number> data(count);
      std::vector<std::size_t> choice(static_cast<std::size_t>(data.stride()));
      for (std::size_t& c : choice) c = engine() % input.values.size();
      const std::int64_t expected = std::max_element(choice.begin(), choice.begin() + count) - choice.begin();
      std::vector<std::uint32_t> residue(input.values.size()), plane(choice.size());
      for (int i = 0; i < Base::size; ++i) {
        for (std::size_t k = 0; k < residue.size(); ++k) {
          residue[k] = static_cast<std::uint32_t>(mpz_fdiv_ui(input.values[k].get_mpz_t(), Base::moduli[i]));
        }
        for (std::size_t j = 0; j < plane.size(); ++j) plane[j] = residue[choice[j]];
        require(cudaMemcpy(data.plane(i), plane.data(), plane.size() * 4, cudaMemcpyHostToDevice), "copy");
      }
      for (const method<Number>& m : all_methods<Number>) {
        if (!options::chosen(o.methods, std::string(m.name))) continue;
        prepared<Number> call(m, data.view());
        call.forget_index();
        call();
        const std::int64_t found = call.index();
        ++calls;
        if (found == expected) continue;
        ++wrong;
        std::printf("WRONG: %s, %s, %lld numbers: %lld instead of %lld\n", m.name, input.name.c_str(),
                    static_cast<long long>(count), static_cast<long long>(found), static_cast<long long>(expected));
      }
    }
  }
  std::printf("%-7s %5d bits %-9s  %d calls, %d wrong\n", set, bits, Number::is_symmetric ? "symmetric" : "unsigned",
              calls, wrong);
  std::fflush(stdout);
  char line[256];
  std::snprintf(line, sizeof line, R"({"record":"check","set":"%s","bits":%d,"range":"%s","calls":%d,"wrong":%d})", set,
                bits, Number::is_symmetric ? "symmetric" : "unsigned", calls, wrong);
  r.line(line);
  r.all_right = r.all_right && wrong == 0;
}

template <int Bits>
void check_range(const options& o, record& r) {
  using thrust_rns::isupov_moduli, thrust_rns::moduli_for_bits, thrust_rns::number, thrust_rns::symmetric_range;
  if (options::chosen<std::string>(o.sets, "isupov")) {
    check_numbers<number<isupov_moduli<Bits>>>("isupov", Bits, o, r);
    check_numbers<number<isupov_moduli<Bits>, symmetric_range>>("isupov", Bits, o, r);
  }
  if (options::chosen<std::string>(o.sets, "primes")) {
    check_numbers<number<moduli_for_bits<Bits>>>("primes", Bits, o, r);
    check_numbers<number<moduli_for_bits<Bits>, symmetric_range>>("primes", Bits, o, r);
  }
}

} // namespace isupov2021
