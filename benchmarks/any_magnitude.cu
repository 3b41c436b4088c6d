// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors

// Evaluation and maximum of 5,000,000 numbers of several magnitudes, against the same over random residues: the device layer
// alone, without room for evaluations. Prints a line of JSON a measurement.
//
// Times: CUDA events around the call, median of 11 after a warm-up. Of the keys that were timed 400 are checked against GMP;
// of the maximum the index, against the exact order of the numbers with the largest keys.
// THRUST_RNS_BENCHMARK_COUNT changes the number of elements; arguments choose among `keys` and `maximum`, and among bits.

#include "measure.h"

#include <thrust_rns/device_vector.h>
#include <thrust_rns/gmp.h>
#include <thrust_rns/device/device_evaluate.cuh>
#include <thrust_rns/device/device_reduce.cuh>

#include <gmpxx.h>

#include <thrust/copy.h>
#include <thrust/device_vector.h>
#include <thrust/fill.h>
#include <thrust/reduce.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

namespace {

using measured::count;
using measured::mix;

// ---- data ---------------------------------------------------------------------------------------------------------

enum class magnitude { random, random_length, below_2_64, about_root, neighbours, all_equal, root_apart };
constexpr const char* names[] = {"random",     "random length", "below 2^64",   "about M^(1/2)",
                                 "neighbours", "all equal",     "M^(1/2) apart"};
constexpr magnitude all[] = {magnitude::random,     magnitude::random_length, magnitude::below_2_64,
                             magnitude::about_root, magnitude::neighbours,    magnitude::all_equal,
                             magnitude::root_apart};

/// The residue modulo m of random words of `bits` bits, the leading one set.
THRUST_RNS_HD std::uint32_t random_residue(std::uint64_t seed, int bits, const thrust_rns::modulus& m) {
  std::uint32_t r = 0;
  for (int w = (bits - 1) / 32; w >= 0; --w) {
    auto word = static_cast<std::uint32_t>(mix(seed + static_cast<std::uint64_t>(w)));
    if (32 * w + 32 > bits) word = (word & ((1u << (bits - 32 * w)) - 1)) | (1u << (bits - 32 * w - 1));
    r = m.reduce((static_cast<std::uint64_t>(r) << 32) | word);
  }
  return r;
}

template <class Number>
__global__ void generate(thrust_rns::span<Number> s, magnitude kind, int bits) {
  const std::int64_t n = s.size();
  for (std::int64_t j = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x; j < n;
       j += std::int64_t{gridDim.x} * blockDim.x) {
    const std::uint64_t seed = mix(static_cast<std::uint64_t>(j)) & ~std::uint64_t{0xfff};
    const auto shuffled = static_cast<std::uint64_t>(j) * 2654435761u % static_cast<std::uint64_t>(n);
    for (int i = 0; i < Number::size; ++i) {
      const thrust_rns::modulus m = thrust_rns::detail::moduli_of<typename Number::base_type>()[i];
      const std::uint32_t x = random_residue(0x123456789000, bits - 2, m); // one for all
      std::uint32_t r = 0;
      switch (kind) {
        case magnitude::random:
          r = m.reduce(mix(seed + static_cast<std::uint64_t>(i)));
          break;
        case magnitude::random_length:
          r = random_residue(seed, 1 + static_cast<int>(mix(seed + 0xfff) % static_cast<unsigned>(bits)), m);
          break;
        case magnitude::below_2_64:
          r = m.reduce(mix(seed));
          break;
        case magnitude::about_root:
          r = random_residue(seed, bits / 2 - 8 + static_cast<int>(mix(seed + 0xfff) % 16), m);
          break;
        case magnitude::neighbours:
          r = m.add(x, m.reduce(shuffled));
          break;
        case magnitude::all_equal:
          r = x;
          break;
        case magnitude::root_apart:
          r = m.add(x, random_residue(seed, bits / 2, m));
          break;
      }
      s.plane(i)[j] = r;
    }
  }
}

// ---- timing and answers -------------------------------------------------------------------------------------------

void check(cudaError_t status) {
  if (status == cudaSuccess) return;
  std::printf("%s\n", cudaGetErrorString(status));
  std::exit(1);
}

template <class Call>
double milliseconds(Call call) {
  const double s = measured::median_seconds([&] { check(call()); });
  check(cudaGetLastError());
  return 1e3 * s;
}

template <class Number>
mpz_class value_of(const thrust_rns::device_vector<Number>& v, std::int64_t j) {
  mpz_class z;
  thrust_rns::to_mpz(z.get_mpz_t(), Number(v[static_cast<std::size_t>(j)]));
  return z;
}

/// Whether the bounds that a key stands for enclose X/M.
template <class Number>
bool is_right(std::uint64_t key, const mpz_class& x, const mpz_class& range) {
  if (key == 0) return false;
  const thrust_rns::interval_evaluation<Number> e(key);
  const auto order = [&](const thrust_rns::dyadic& d) { // of d and X/M
    const mpz_class m = range * static_cast<long>(d.mantissa);
    return d.exponent < 0 ? cmp(m, x << static_cast<unsigned>(-d.exponent))
                          : cmp(m << static_cast<unsigned>(d.exponent), x);
  };
  return order(e.lower()) <= 0 && order(e.upper()) >= 0;
}

/// The floor: all words read, 16 bytes at a time, and added up.
__global__ void read_words(const uint4* words, std::int64_t count, unsigned long long* sum) {
  const std::int64_t step = std::int64_t{gridDim.x} * blockDim.x;
  unsigned long long mine = 0;
  std::int64_t k = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const auto add = [&](const uint4& x) { mine += std::uint64_t{x.x} + x.y + x.z + x.w; };
  for (; k + 3 * step < count; k += 4 * step) {
    const uint4 a = words[k], b = words[k + step], c = words[k + 2 * step], d = words[k + 3 * step];
    add(a);
    add(b);
    add(c);
    add(d);
  }
  for (; k < count; k += step) add(words[k]);
  __shared__ unsigned long long of_block;
  if (threadIdx.x == 0) of_block = 0;
  __syncthreads();
  atomicAdd(&of_block, mine);
  __syncthreads();
  if (threadIdx.x == 0) atomicAdd(sum, of_block);
}

/// Milliseconds of a call that is captured and launched as a graph.
template <class Call>
double milliseconds_as_graph(Call call) {
  cudaStream_t stream = nullptr;
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t executable = nullptr;
  cudaStreamCreate(&stream);
  cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
  call(stream);
  cudaStreamEndCapture(stream, &graph);
  cudaGraphInstantiate(&executable, graph, 0);
  const double ms = milliseconds([&] { return cudaGraphLaunch(executable, nullptr); });
  cudaGraphExecDestroy(executable);
  cudaGraphDestroy(graph);
  cudaStreamDestroy(stream);
  return ms;
}

template <int Bits>
void measure(bool keys_wanted, bool maximum_wanted) {
  using number = thrust_rns::number<thrust_rns::moduli_for_bits<Bits>>;
  const std::int64_t n = count();
  thrust_rns::device_vector<number> v(static_cast<std::size_t>(n));
  const auto s = v.as_span();
  const thrust_rns::const_device_iterator<number> first({s.plane(0), s.stride(), s.size()}, 0);
  mpz_class range = 1;
  for (int i = 0; i < number::size; ++i) range *= static_cast<unsigned long>(number::base_type::moduli[i]);
  thrust::device_vector<std::uint64_t> keys(static_cast<std::size_t>(n));
  thrust::device_vector<std::int64_t> index(1);
  std::size_t bytes[2] = {0, 0};
  thrust_rns::DeviceEvaluate::Keys(nullptr, bytes[0], first, thrust::raw_pointer_cast(keys.data()), n);
  thrust_rns::DeviceReduce::ArgMax(nullptr, bytes[1], first, static_cast<number*>(nullptr),
                                   thrust::raw_pointer_cast(index.data()), n);
  thrust::device_vector<char> temp(std::max(bytes[0], bytes[1]));
  double base[2] = {0, 0};
  const double read = 4.0 * number::size * static_cast<double>(n);
  for (const magnitude kind : all) {
    generate<<<2112, 256>>>(s, kind, thrust_rns::dynamic_range_bits<typename number::base_type>);
    const auto evaluate = [&] {
      return thrust_rns::DeviceEvaluate::Keys(thrust::raw_pointer_cast(temp.data()), bytes[0], first,
                                              thrust::raw_pointer_cast(keys.data()), n);
    };
    thrust::fill(keys.begin(), keys.end(), std::uint64_t{0});
    const double evaluation = milliseconds(evaluate);
    std::vector<std::uint64_t> h(static_cast<std::size_t>(n));
    thrust::copy(keys.begin(), keys.end(), h.begin());
    int wrong = 0;
    for (int k = 0; k < 400; ++k) {
      const auto j = static_cast<std::int64_t>(mix(static_cast<std::uint64_t>(k)) % static_cast<std::uint64_t>(n));
      wrong += !is_right<number>(h[static_cast<std::size_t>(j)], value_of(v, j), range);
    }
    wrong += static_cast<int>(std::count(h.begin(), h.end(), std::uint64_t{0}));
    const auto report = [&](int what, double ms, bool right) {
      if (kind == magnitude::random && what < 2) base[what] = ms;
      const char* const calls[] = {"keys", "maximum", "maximum, as a graph", "plain read"};
      std::printf(
          "{\"what\": \"%s\", \"bits\": %d, \"data\": \"%s\", \"ms\": %.4f, \"times\": %.2f, \"GB/s\": %.0f, "
          "\"right\": %s}\n",
          calls[what], Bits, names[static_cast<int>(kind)], ms, ms / base[what == 0 ? 0 : 1], read / ms * 1e-6,
          right ? "true" : "false");
      std::fflush(stdout);
    };
    if (keys_wanted) report(0, evaluation, wrong == 0);
    if (!maximum_wanted) continue;
    const auto search = [&](cudaStream_t stream) {
      return thrust_rns::DeviceReduce::ArgMax(thrust::raw_pointer_cast(temp.data()), bytes[1], first,
                                              static_cast<number*>(nullptr), thrust::raw_pointer_cast(index.data()), n,
                                              stream);
    };
    const double maximum = milliseconds([&] { return search(nullptr); });
    const std::int64_t found = index[0];
    std::int64_t expected = 0;
    if (kind == magnitude::neighbours) {
      while (static_cast<std::uint64_t>(expected) * 2654435761u % static_cast<std::uint64_t>(n) !=
             static_cast<std::uint64_t>(n - 1)) {
        ++expected;
      }
    } else if (kind == magnitude::root_apart) { // ordered by the differences, whose leading words are known here
      const auto leading = [&](std::int64_t j) {
        const std::uint64_t seed = mix(static_cast<std::uint64_t>(j)) & ~std::uint64_t{0xfff};
        const auto word = [&](int w) { return mix(seed + static_cast<std::uint64_t>(w)) & 0xffffffffu; };
        constexpr int bits = thrust_rns::dynamic_range_bits<typename number::base_type> / 2, top = (bits - 1) / 32;
        constexpr std::uint64_t lead = std::uint64_t{1} << (bits - 32 * top - 1);
        const std::uint64_t x = ((word(top) & (lead - 1)) | lead) << 32; // equal ones are too rare to be the largest
        return top > 0 ? x | word(top - 1) : x;
      };
      for (std::int64_t j = 1; j < n; ++j) {
        if (leading(j) > leading(expected)) expected = j;
      }
    } else if (kind != magnitude::all_equal) {
      const std::uint64_t best = *std::max_element(h.begin(), h.end());
      mpz_class most = -1;
      for (std::int64_t j = 0; j < n; ++j) {
        if (h[static_cast<std::size_t>(j)] + 1 < best) continue;
        if (const mpz_class x = value_of(v, j); x > most) {
          most = x;
          expected = j;
        }
      }
    }
    report(1, maximum, found == expected);
    if (kind != magnitude::random) continue;
    index[0] = -1;
    const double as_graph = milliseconds_as_graph(search);
    report(2, as_graph, index[0] == expected);

    const std::int64_t words = s.stride() * number::size;
    thrust::device_vector<unsigned long long> sum(1);
    const auto read_all = [&] {
      read_words<<<1056, 256>>>(reinterpret_cast<const uint4*>(s.plane(0)), words / 4,
                                thrust::raw_pointer_cast(sum.data()));
      return cudaGetLastError();
    };
    const double reading = milliseconds(read_all);
    sum[0] = 0;
    read_all();
    const auto in = thrust::device_pointer_cast(s.plane(0));
    report(3, reading, sum[0] == thrust::reduce(in, in + words, 0ULL));
  }
}

} // namespace

int main(int argc, char** argv) {
  const auto wanted = [&](const std::string& word, bool number) {
    bool any = false;
    for (int k = 1; k < argc; ++k) {
      if (argv[k][0] == '-') continue; // of the other benchmarks' library
      if (word == argv[k]) return true;
      any = any || (argv[k][0] >= '0' && argv[k][0] <= '9') == number;
    }
    return !any;
  };
  const bool keys = wanted("keys", false), maximum = wanted("maximum", false);
  if (wanted("64", true)) measure<64>(keys, maximum);
  if (wanted("128", true)) measure<128>(keys, maximum);
  if (wanted("256", true)) measure<256>(keys, maximum);
  if (wanted("512", true)) measure<512>(keys, maximum);
  if (wanted("1024", true)) measure<1024>(keys, maximum);
  if (wanted("2048", true)) measure<2048>(keys, maximum);
  if (wanted("4096", true)) measure<4096>(keys, maximum);
  return 0;
}
