// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors

// A batch of products in Z_4591[x]/(x^761 - x - 1), the ring of sntrup761, by plain Thrust calls: once with a key for each
// secret, once with one key for all. A few products are checked against schoolbook multiplication.
//
//   08_ring_batch [COUNT]
//
// Exit status 1 for a wrong product or an error, 2 for bad arguments.

#include <thrust_rns/ring_multiply.h>
#include <thrust_rns/ring_random.h>
#include <thrust_rns/ring_vector.h>

#include <thrust/iterator/counting_iterator.h>
#include <thrust/random.h>
#include <thrust/transform.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <exception>
#include <iomanip>
#include <iostream>
#include <string>
#include <vector>

namespace {

using ring = thrust_rns::prime_ring<761, 4591>;
using key = thrust_rns::full_element<ring>;
using secret = thrust_rns::ternary_element<ring>;

constexpr bool on_gpu = THRUST_DEVICE_SYSTEM == THRUST_DEVICE_SYSTEM_CUDA;
constexpr int weight = 286; // of a secret

/// Element i of a random batch: `distribution` with numbers of its own.
template <class Distribution>
struct random_element {
  Distribution distribution;
  unsigned seed;

  THRUST_RNS_HD typename Distribution::result_type operator()(std::int64_t i) const {
    thrust::default_random_engine engine(seed);
    engine.discard(2000 * static_cast<unsigned long long>(i));
    return distribution(engine);
  }
};

template <class Distribution>
thrust_rns::ring_vector<typename Distribution::result_type> random_batch(std::int64_t count, unsigned seed,
                                                                         Distribution distribution) {
  thrust_rns::ring_vector<typename Distribution::result_type> v(static_cast<std::size_t>(count));
  const thrust::counting_iterator<std::int64_t> first(0);
  thrust::transform(thrust::device, first, first + count, v.begin(), random_element<Distribution>{distribution, seed});
  return v;
}

/// The product by the book: over the integers, then x^n = x + 1 from the top down.
key slow_product(const key& a, const secret& b) {
  constexpr int n = ring::degree;
  std::vector<int> s(2 * n, 0);
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) s[static_cast<std::size_t>(i + j)] += a[i] * b[j];
  }
  for (int i = 2 * n - 1; i >= n; --i) {
    s[static_cast<std::size_t>(i - n)] += s[static_cast<std::size_t>(i)];
    s[static_cast<std::size_t>(i - n + 1)] += s[static_cast<std::size_t>(i)];
  }
  key c;
  c.assign(s.data());
  return c;
}

/// Milliseconds of the second of two calls.
template <class Call>
double milliseconds(Call call) {
  call();
  const auto begin = std::chrono::steady_clock::now();
  call();
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
}

void report(const char* what, std::int64_t count, double ms) {
  std::cout << what << ": " << std::fixed << std::setprecision(3) << ms << " ms, " << std::defaultfloat
            << static_cast<double>(count) / ms * 1e-3 << " million products a second\n";
}

int run(std::int64_t count) {
  const auto keys = random_batch(count, 1, thrust_rns::uniform_distribution<key>());
  const auto secrets = random_batch(count, 2, thrust_rns::fixed_weight_distribution<secret>(weight));
  thrust_rns::ring_vector<key> products(keys.size()), products_of_first(keys.size());
  const key first_key = keys[0];

  const double each_ms = milliseconds([&] { // products[i] = keys[i] secrets[i]
    thrust::transform(keys.begin(), keys.end(), secrets.begin(), products.begin(), thrust_rns::ring_multiplies<ring>{});
  });
  const double one_ms = milliseconds([&] { // products_of_first[i] = first_key secrets[i]
    thrust::transform(secrets.begin(), secrets.end(), products_of_first.begin(),
                      thrust_rns::ring_multiplies_by<ring, key>{first_key});
  });

  const std::int64_t samples = std::min<std::int64_t>(count, 8);
  int wrong = 0;
  for (std::int64_t k = 0; k < samples; ++k) {
    const auto i = static_cast<std::size_t>(samples == 1 ? 0 : k * (count - 1) / (samples - 1));
    wrong += key(products[i]) != slow_product(keys[i], secrets[i]);
    wrong += key(products_of_first[i]) != slow_product(first_key, secrets[i]);
  }

  std::cout << count << " products in Z_" << ring::modulus << "[x]/(x^" << ring::degree << " - x - 1), full x ternary, "
            << (on_gpu ? "GPU" : "CPU") << '\n';
  report("a key each", count, each_ms);
  report("one key", count, one_ms);
  std::cout << "checked " << 2 * samples << ", wrong " << wrong << std::endl;
  return wrong == 0 ? 0 : 1;
}

} // namespace

int main(int argc, char** argv) {
  std::int64_t count = on_gpu ? 1 << 18 : 1 << 10;
  if (argc == 2) count = std::atoll(argv[1]);
  if (argc > 2 || count < 1 || count > 1'000'000) {
    std::cerr << "usage: 08_ring_batch [COUNT], 1 .. 1000000 products\n";
    return 2;
  }
  try {
    return run(count);
  } catch (const std::exception& e) {
    std::cerr << "08_ring_batch: " << e.what() << '\n';
    return 1;
  }
}
