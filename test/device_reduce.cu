// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors

// The CUB-style layer, and streams: CUDA only.

#include "streams.h"
#include "vectors.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <thread>
#include <vector>

#include <cuda_runtime_api.h>

#include <thrust/copy.h>
#include <thrust/device_ptr.h>
#include <thrust/device_vector.h>
#include <thrust/extrema.h>
#include <thrust/fill.h>
#include <thrust/reduce.h>
#include <thrust/system/cuda/execution_policy.h>

#include <thrust_rns/device/device_reduce.cuh>

namespace {

using thrust_rns::DeviceReduce;
using number = thrust_rns::number<thrust_rns::moduli_for_bits<128>, thrust_rns::symmetric_range>;
using device_vector = thrust_rns::device_vector<number>;

const number untouched_number = number(-77);
constexpr std::int64_t untouched_index = -77;

/// Waits for all that host and default stream have begun, before other streams read it.
void finish_writes() { REQUIRE(cudaDeviceSynchronize() == cudaSuccess); }

/// The three results in device memory, and temporary memory for one call.
struct results {
  thrust::device_vector<number> value{untouched_number};
  thrust::device_vector<std::int64_t> index{untouched_index};
  thrust::device_vector<unsigned char> temp;

  number* value_out() { return thrust::raw_pointer_cast(value.data()); }
  std::int64_t* index_out() { return thrust::raw_pointer_cast(index.data()); }
  number found() const { return value[0]; }
  std::int64_t found_at() const { return index[0]; }

  /// Asks for the size, takes memory, calls. `call(temp, bytes)` is one of the three functions with the rest bound.
  template <class Call>
  cudaError_t run(Call call) {
    std::size_t bytes = 0;
    REQUIRE(call(nullptr, bytes) == cudaSuccess);
    REQUIRE(bytes > 0);
    temp.resize(bytes);
    finish_writes();
    return call(static_cast<void*>(thrust::raw_pointer_cast(temp.data())), bytes);
  }
};

} // namespace

TEST_CASE("ArgMax, ArgMin and Sum agree with the integers at every size and offset") {
  THRUST_RNS_TEST_ENGINE(engine, 1001);
  const test::stream_owner stream;
  for (const std::size_t n : {1U, 3U, 4U, 5U, 255U, 1024U, 1025U, 4099U, 100003U}) {
    CAPTURE(n);
    for (const test::pattern p : {test::pattern::random, test::pattern::ties, test::pattern::neighbours}) {
      const std::vector<mpz_class> z = test::make_pattern<number>(p, engine, n + 3);
      const device_vector v = test::make<number>(z);
      const auto count = static_cast<std::int64_t>(n);
      for (std::int64_t offset = 0; offset < 4; ++offset) {
        CAPTURE(offset);
        const auto first = z.begin() + offset, last = first + count;
        results largest, smallest, sum;
        CHECK(largest.run([&](void* temp, std::size_t& bytes) {
          return DeviceReduce::ArgMax(temp, bytes, v.begin() + offset, largest.value_out(), largest.index_out(), count,
                                      stream);
        }) == cudaSuccess);
        CHECK(smallest.run([&](void* temp, std::size_t& bytes) {
          return DeviceReduce::ArgMin(temp, bytes, v.begin() + offset, smallest.value_out(), smallest.index_out(),
                                      count, stream);
        }) == cudaSuccess);
        CHECK(sum.run([&](void* temp, std::size_t& bytes) {
          return DeviceReduce::Sum(temp, bytes, v.begin() + offset, sum.value_out(), count, stream);
        }) == cudaSuccess);
        stream.wait();
        CHECK(largest.found_at() == std::max_element(first, last) - first);
        CHECK(test::value(largest.found()) == *std::max_element(first, last));
        CHECK(smallest.found_at() == std::min_element(first, last) - first);
        CHECK(test::value(smallest.found()) == *std::min_element(first, last));
        CHECK(test::value(sum.found()) == test::sum_of<number>(z.data() + offset, count));
      }
    }
  }
}

namespace {

/// The extrema of planes without room for evaluations, with room, with some evaluations known, and of an array.
template <class Number>
void check_everywhere(const std::vector<mpz_class>& z) {
  const auto n = static_cast<std::int64_t>(z.size());
  const std::ptrdiff_t at_largest = std::max_element(z.begin(), z.end()) - z.begin();
  const std::ptrdiff_t at_smallest = std::min_element(z.begin(), z.end()) - z.begin();
  thrust::device_vector<std::int64_t> index(4);
  thrust::device_vector<unsigned char> temp;
  const auto check = [&](auto first) {
    std::int64_t* out = thrust::raw_pointer_cast(index.data());
    Number* no_value = nullptr;
    std::size_t bytes = 0, bytes_of_both = 0;
    REQUIRE(DeviceReduce::ArgMax(nullptr, bytes, first, no_value, out, n) == cudaSuccess);
    REQUIRE(DeviceReduce::ArgMinMax(nullptr, bytes_of_both, first, no_value, out, no_value, out, n) == cudaSuccess);
    temp.assign(bytes_of_both, 0xff);
    void* d_temp = thrust::raw_pointer_cast(temp.data());
    CHECK(DeviceReduce::ArgMax(d_temp, bytes, first, no_value, out, n) == cudaSuccess);
    CHECK(DeviceReduce::ArgMin(d_temp, bytes, first, no_value, out + 1, n) == cudaSuccess);
    CHECK(DeviceReduce::ArgMinMax(d_temp, bytes_of_both, first, no_value, out + 2, no_value, out + 3, n) ==
          cudaSuccess);
    REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
    CHECK(index[0] == at_largest);
    CHECK(index[1] == at_smallest);
    CHECK(index[2] == at_smallest);
    CHECK(index[3] == at_largest);
  };
  thrust_rns::device_vector<Number> v = test::make<Number>(z);
  const auto s = v.as_span();
  check(thrust_rns::const_device_iterator<Number>({s.plane(0), s.stride(), s.size()}, 0));
  check(v.cbegin());
  CHECK(test::count_evaluated(v) == n);
  for (std::size_t j = 0; j < z.size(); j += 3) v[j] = test::make<Number>(z[j]); // drops evaluations
  check(v.cbegin());
  CHECK(test::count_evaluated(v) == n);
  const thrust::device_vector<Number> array = test::make<Number>(z);
  check(thrust::raw_pointer_cast(array.data()));
}

} // namespace

TEST_CASE("extrema of all patterns, near ties and small numbers, 128 bits, symmetric range") {
  THRUST_RNS_TEST_ENGINE(engine, 1005);
  for (const test::pattern p : test::all_patterns) {
    CAPTURE(static_cast<int>(p));
    check_everywhere<number>(test::make_pattern<number>(p, engine, 1030));
    check_everywhere<number>(test::make_pattern<number>(p, engine, 131));
  }
  check_everywhere<number>(test::make_pattern<number>(test::pattern::neighbours, engine, 150001)); // many blocks
  check_everywhere<number>(test::make_pattern<number>(test::pattern::all_equal, engine, 150001));
}

TEST_CASE("extrema of all patterns, near ties and small numbers, 1024 bits, unsigned range") {
  using wide = thrust_rns::number<thrust_rns::moduli_for_bits<1024>>;
  THRUST_RNS_TEST_ENGINE(engine, 1006);
  for (const test::pattern p : test::all_patterns) {
    CAPTURE(static_cast<int>(p));
    check_everywhere<wide>(test::make_pattern<wide>(p, engine, 700));
  }
  const mpz_class& m = test::dynamic_range<wide::base_type>();
  for (const int bits : {20, 60, 130, 500, 1000}) { // about one value, which is anywhere
    CAPTURE(bits);
    for (const mpz_class& x : {mpz_class(0), mpz_class(m - 1), mpz_class(m / 2), test::random_value<wide>(engine)}) {
      std::vector<mpz_class> z(600);
      for (mpz_class& y : z)
        y = test::wrap<wide>(x + test::random_below(engine, test::power_of_two(bits + 1)) - test::power_of_two(bits));
      check_everywhere<wide>(z);
    }
  }
  std::vector<mpz_class> z; // each level leaves most of them: x + 2^30 + 2^60 + ...
  const mpz_class x = test::random_below(engine, m / 2);
  for (int k = 0; k < 600; ++k) {
    mpz_class y = x;
    for (int b = 30 + 30 * (k % 31); b < 1000; b += 30) y += test::power_of_two(b);
    z.push_back(y);
  }
  check_everywhere<wide>(z);
}

TEST_CASE("extrema end on bits that are no residues") {
  THRUST_RNS_TEST_ENGINE(engine, 1007);
  device_vector v(3001);
  const auto s = v.as_span();
  std::vector<std::uint32_t> bits(static_cast<std::size_t>(s.stride()));
  for (int i = 0; i < number::size; ++i) {
    for (std::uint32_t& b : bits) b = engine() % 3 == 0 ? 0xffffffffu : static_cast<std::uint32_t>(engine());
    thrust::copy(bits.begin(), bits.end(), thrust::device_pointer_cast(s.plane(i)));
  }
  const auto found = thrust::minmax_element(v.begin(), v.end());
  CHECK(found.first - v.begin() < 3001);
  CHECK(found.second - v.begin() < 3001);
}

TEST_CASE("a size query does nothing else, and asks the same for mutable and const iterators") {
  device_vector v(5000, 3);
  results r;
  std::size_t bytes[3] = {0, 0, 0}, bytes_for_const = 0;
  CHECK(DeviceReduce::ArgMax(nullptr, bytes[0], v.begin(), r.value_out(), r.index_out(), 5000) == cudaSuccess);
  CHECK(DeviceReduce::ArgMin(nullptr, bytes[1], v.begin(), r.value_out(), r.index_out(), 5000) == cudaSuccess);
  CHECK(DeviceReduce::Sum(nullptr, bytes[2], v.begin(), r.value_out(), 5000) == cudaSuccess);
  CHECK(DeviceReduce::ArgMax(nullptr, bytes_for_const, v.cbegin(), r.value_out(), r.index_out(), 5000) == cudaSuccess);
  for (const std::size_t b : bytes) CHECK(b > 0);
  CHECK(bytes_for_const == bytes[0]);
  finish_writes();
  CHECK(r.found() == untouched_number);
  CHECK(r.found_at() == untouched_index);
  CHECK(test::count_evaluated(v) == 0);
}

TEST_CASE("too small a buffer and a negative count are invalid values, and nothing is written") {
  const device_vector v(5000, 3);
  results r;
  thrust::device_vector<unsigned char> memory(1 << 20);
  void* temp = thrust::raw_pointer_cast(memory.data());
  const auto refuses = [&](auto call) {
    std::size_t bytes = 0;
    REQUIRE(call(nullptr, bytes, 5000) == cudaSuccess);
    REQUIRE(bytes <= memory.size());
    std::size_t short_of_it = bytes - 1, none = 0;
    CHECK(call(temp, short_of_it, 5000) == cudaErrorInvalidValue);
    CHECK(call(temp, none, 5000) == cudaErrorInvalidValue);
    CHECK(call(temp, bytes, -1) == cudaErrorInvalidValue);
    CHECK(call(nullptr, bytes, -1) == cudaErrorInvalidValue);
    CHECK(cudaGetLastError() == cudaSuccess);
    finish_writes();
    CHECK(r.found() == untouched_number);
    CHECK(r.found_at() == untouched_index);
  };
  refuses([&](void* t, std::size_t& bytes, std::int64_t count) {
    return DeviceReduce::ArgMax(t, bytes, v.begin(), r.value_out(), r.index_out(), count);
  });
  refuses([&](void* t, std::size_t& bytes, std::int64_t count) {
    return DeviceReduce::ArgMin(t, bytes, v.begin(), r.value_out(), r.index_out(), count);
  });
  refuses([&](void* t, std::size_t& bytes, std::int64_t count) {
    return DeviceReduce::Sum(t, bytes, v.begin(), r.value_out(), count);
  });
}

TEST_CASE("of no numbers there is no extreme, and the sum is 0") {
  const device_vector v(100, 3), nothing;
  for (const auto first : {v.begin(), v.begin() + 2, v.end(), nothing.begin()}) {
    results r;
    CHECK(r.run([&](void* temp, std::size_t& bytes) {
      return DeviceReduce::ArgMax(temp, bytes, first, r.value_out(), r.index_out(), 0);
    }) == cudaSuccess);
    CHECK(r.run([&](void* temp, std::size_t& bytes) {
      return DeviceReduce::ArgMin(temp, bytes, first, r.value_out(), r.index_out(), 0);
    }) == cudaSuccess);
    CHECK(r.found() == untouched_number);
    CHECK(r.found_at() == untouched_index);
    CHECK(r.run([&](void* temp, std::size_t& bytes) {
      return DeviceReduce::Sum(temp, bytes, first, r.value_out(), 0);
    }) == cudaSuccess);
    CHECK(r.found() == number(0));
  }
}

TEST_CASE("elements that the first pass leaves open are evaluated, few or many, among the best or not") {
  constexpr std::ptrdiff_t n = (1 << 20) + 5; // of as many, two are few
  const number largest = test::make<number>(test::power_of_two(150)),
               high = test::make<number>(test::power_of_two(140));
  device_vector v(n, number(0));
  const auto fill = [&](const std::vector<std::ptrdiff_t>& small_ones) {
    thrust::fill(v.begin(), v.end(), high);
    v[n / 3] = largest;
    for (const std::ptrdiff_t at : small_ones) v[at] = number(at % 7 - 3);
  };
  const auto find_largest = [&] { return thrust::max_element(v.begin(), v.end()) - v.begin(); };
  const std::vector<std::vector<std::ptrdiff_t>> lists{{1000, n - 1}, {1000, 1001, n - 1}, {1001}, {5, 6, 500000}};
  for (std::size_t l = 0; l < test::amount(lists.size(), std::size_t{2}); ++l) {
    const std::vector<std::ptrdiff_t>& small_ones = lists[l];
    CAPTURE(l);
    fill(small_ones);
    for (int k = 0; k < 2; ++k) {
      CHECK(find_largest() == n / 3);
      CHECK(test::count_evaluated(v) == n);
    }
    for (const std::ptrdiff_t at : small_ones) {
      const std::uint64_t key = thrust::device_pointer_cast(v.as_span().evaluations())[at];
      CHECK(test::are_keys_of_one(key, thrust_rns::evaluate(number(at % 7 - 3)).key()));
    }

    fill(small_ones);
    v[n / 3] = high; // now many are the best
    CHECK(find_largest() == 0);
    CHECK(test::count_evaluated(v) == n);

    fill(small_ones);
    v[77777] = std::numeric_limits<number>::max(); // open as well, since it is next to M/2
    CHECK(find_largest() == 77777);
    CHECK(test::count_evaluated(v) == n);

    fill(small_ones);
    std::ptrdiff_t smallest = small_ones[0];
    for (const std::ptrdiff_t at : small_ones) {
      if (at % 7 < smallest % 7) smallest = at;
    }
    CHECK(thrust::min_element(v.begin(), v.end()) - v.begin() == smallest);
    CHECK(test::count_evaluated(v) == n);
  }
}

TEST_CASE("each output of an extreme may be left out") {
  const device_vector v{4, 8, 6};
  results r;
  number* no_value = nullptr;
  std::int64_t* no_index = nullptr;
  CHECK(r.run([&](void* temp, std::size_t& bytes) {
    return DeviceReduce::ArgMax(temp, bytes, v.begin(), no_value, r.index_out(), 3);
  }) == cudaSuccess);
  CHECK(r.found_at() == 1);
  CHECK(r.found() == untouched_number);
  CHECK(r.run([&](void* temp, std::size_t& bytes) {
    return DeviceReduce::ArgMin(temp, bytes, v.begin() + 1, r.value_out(), no_index, 2);
  }) == cudaSuccess);
  CHECK(r.found_at() == 1);
  CHECK(r.found() == number(6));
  device_vector w{1, 2};
  CHECK(r.run([&](void* temp, std::size_t& bytes) {
    return DeviceReduce::ArgMax(temp, bytes, w.begin(), no_value, no_index, 2);
  }) == cudaSuccess);
  CHECK(test::count_evaluated(w) == 2); // which is then all that it does
}

TEST_CASE("a captured graph gives the extrema and the sum of the data at each launch") {
  THRUST_RNS_TEST_ENGINE(engine, 1002);
  constexpr std::size_t n = 5003;
  std::vector<mpz_class> z = test::make_pattern<number>(test::pattern::random, engine, n);
  device_vector v = test::make<number>(z);
  results largest, smallest, sum;
  const auto call_largest = [&](void* temp, std::size_t& bytes, cudaStream_t stream) {
    return DeviceReduce::ArgMax(temp, bytes, v.begin(), largest.value_out(), largest.index_out(), n, stream);
  };
  const auto call_smallest = [&](void* temp, std::size_t& bytes, cudaStream_t stream) {
    return DeviceReduce::ArgMin(temp, bytes, v.begin(), smallest.value_out(), smallest.index_out(), n, stream);
  };
  const auto call_sum = [&](void* temp, std::size_t& bytes, cudaStream_t stream) {
    return DeviceReduce::Sum(temp, bytes, v.begin(), sum.value_out(), n, stream);
  };
  std::size_t bytes[3] = {};
  const test::stream_owner stream;
  REQUIRE(call_largest(nullptr, bytes[0], stream) == cudaSuccess);
  REQUIRE(call_smallest(nullptr, bytes[1], stream) == cudaSuccess);
  REQUIRE(call_sum(nullptr, bytes[2], stream) == cudaSuccess);
  largest.temp.resize(bytes[0]);
  smallest.temp.resize(bytes[1]);
  sum.temp.resize(bytes[2]);
  finish_writes();

  cudaGraph_t graph = nullptr;
  cudaGraphExec_t executable = nullptr;
  REQUIRE(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal) == cudaSuccess);
  CHECK(call_largest(thrust::raw_pointer_cast(largest.temp.data()), bytes[0], stream) == cudaSuccess);
  CHECK(call_smallest(thrust::raw_pointer_cast(smallest.temp.data()), bytes[1], stream) == cudaSuccess);
  CHECK(call_sum(thrust::raw_pointer_cast(sum.temp.data()), bytes[2], stream) == cudaSuccess);
  REQUIRE(cudaStreamEndCapture(stream, &graph) == cudaSuccess);
  REQUIRE(cudaGraphInstantiate(&executable, graph, 0) == cudaSuccess);
  CHECK(test::count_evaluated(v) == 0); // captured, not run

  for (int launch = 0; launch < 4; ++launch) {
    CAPTURE(launch);
    REQUIRE(cudaGraphLaunch(executable, stream) == cudaSuccess);
    stream.wait();
    CHECK(largest.found_at() == std::max_element(z.begin(), z.end()) - z.begin());
    CHECK(test::value(largest.found()) == *std::max_element(z.begin(), z.end()));
    CHECK(smallest.found_at() == std::min_element(z.begin(), z.end()) - z.begin());
    CHECK(test::value(smallest.found()) == *std::min_element(z.begin(), z.end()));
    CHECK(test::value(sum.found()) == test::sum_of<number>(z.data(), n));
    const auto j = static_cast<std::size_t>(engine() % n), k = static_cast<std::size_t>(largest.found_at());
    v[k] = test::make<number>(test::smallest<number>()); // the writes drop the evaluations
    z[k] = test::smallest<number>();
    v[j] = test::make<number>(test::largest<number>());
    z[j] = test::largest<number>();
    finish_writes();
  }
  CHECK(cudaGraphExecDestroy(executable) == cudaSuccess);
  CHECK(cudaGraphDestroy(graph) == cudaSuccess);
}

TEST_CASE("two streams may fill the evaluations of one const vector at once") {
  THRUST_RNS_TEST_ENGINE(engine, 1003);
  constexpr std::size_t n = 200001;
  const std::vector<mpz_class> z = test::make_pattern<number>(test::pattern::random_length, engine, n);
  const std::ptrdiff_t at_largest = std::max_element(z.begin(), z.end()) - z.begin();
  const std::ptrdiff_t at_smallest = std::min_element(z.begin(), z.end()) - z.begin();
  const test::stream_owner a, b;
  device_vector mutable_v = test::make<number>(z);
  const device_vector& v = mutable_v;
  for (int repeat = 0; repeat < 10; ++repeat) {
    CAPTURE(repeat);
    mutable_v.invalidate_evaluations();
    results largest, smallest;
    std::size_t bytes = 0;
    REQUIRE(DeviceReduce::ArgMax(nullptr, bytes, v.begin(), largest.value_out(), largest.index_out(), n) ==
            cudaSuccess);
    largest.temp.resize(bytes);
    smallest.temp.resize(bytes);
    finish_writes();
    CHECK(DeviceReduce::ArgMax(thrust::raw_pointer_cast(largest.temp.data()), bytes, v.begin(), largest.value_out(),
                               largest.index_out(), n, a) == cudaSuccess);
    CHECK(DeviceReduce::ArgMin(thrust::raw_pointer_cast(smallest.temp.data()), bytes, v.begin(), smallest.value_out(),
                               smallest.index_out(), n, b) == cudaSuccess);
    a.wait();
    b.wait();
    CHECK(largest.found_at() == at_largest);
    CHECK(smallest.found_at() == at_smallest);
    CHECK(test::count_evaluated(v) == static_cast<std::ptrdiff_t>(n));
  }
}

TEST_CASE("two threads may call the algorithms over one const vector on streams of their own") {
  THRUST_RNS_TEST_ENGINE(engine, 1004);
  constexpr std::size_t n = 50001;
  const std::vector<mpz_class> z = test::make_pattern<number>(test::pattern::random, engine, n);
  const std::ptrdiff_t at_largest = std::max_element(z.begin(), z.end()) - z.begin();
  const number sum = test::make<number>(test::sum_of<number>(z.data(), n));
  const device_vector v = test::make<number>(z);
  const test::stream_owner streams[2];
  finish_writes();
  bool right[2] = {false, false};
  std::thread threads[2];
  for (int t = 0; t < 2; ++t) {
    threads[t] = std::thread([&, t] {
      const auto policy = thrust::cuda::par.on(streams[t]);
      right[t] = thrust::max_element(policy, v.begin(), v.end()) - v.begin() == at_largest &&
                 thrust::reduce(policy, v.begin(), v.end()) == sum;
    });
  }
  for (std::thread& t : threads) t.join();
  CHECK(right[0]);
  CHECK(right[1]);
}
