// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors

// Exact products of integer matrices, and products modulo many moduli, on the host: the best of several rounds, on one thread
// and by the backend. Prints the rows of the table of docs/matrix.md. Results are compared with GMP's in one row and column.

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <random>
#include <vector>

#include <gmpxx.h>

#include <thrust/execution_policy.h>

#include <thrust_rns/exact_matmul.h>

namespace {

using namespace thrust_rns;

/// Seconds, the best.
template <class Call>
double seconds(Call call, int rounds) {
  double best = 1e9;
  for (int k = 0; k < rounds; ++k) {
    const auto begin = std::chrono::steady_clock::now();
    call();
    best = std::min(best, std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
  }
  return best;
}

/// Random integers of `bits` bits with sign, in as many limbs as they need.
host_integer_matrix random_matrix(std::int64_t n, int bits, unsigned seed) {
  std::mt19937_64 engine(seed);
  const int limbs = bits / 64 + 1, top = bits % 64;
  host_integer_matrix m(n, n, limbs);
  for (std::size_t k = 0; k < m.words().size(); ++k) {
    auto x = static_cast<std::int64_t>(engine());
    if (k % static_cast<std::size_t>(limbs) == static_cast<std::size_t>(limbs - 1))
      x = top == 0 ? x >> 63 : x >> (63 - top);
    m.words()[k] = x;
  }
  return m;
}

void row(std::int64_t n, int bits, int rounds) {
  const host_integer_matrix a = random_matrix(n, bits, 1), b = random_matrix(n, bits, 2);
  host_integer_matrix c;
  const double one = seconds([&] { c = exact_matmul(thrust::seq, a, b); }, rounds);
  const double all = seconds([&] { c = exact_matmul(thrust::omp::par, a, b); }, rounds);
  mpz_class sum;
  for (std::int64_t k = 0; k < n; ++k) sum += mpz_class(a.text(n - 1, k)) * mpz_class(b.text(k, n - 1));
  std::printf("| %lld | %d | %.4f | %.4f | %s\n", static_cast<long long>(n), bits, one, all,
              mpz_class(c.text(n - 1, n - 1)) == sum ? "equal" : "WRONG");
  std::fflush(stdout);
}

} // namespace

int main() {
  std::puts("| n | bits | one thread, s | all threads, s |");
  row(100, 1000, 21);
  row(100, 4000, 5);
  row(100, 64, 21);
  row(500, 64, 5);
}
