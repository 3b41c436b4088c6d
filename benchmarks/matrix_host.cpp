// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors

// Exact products of integer matrices on the host: the best of several rounds, on one thread, as processor time and elapsed, and
// elapsed by the backend; and the processor time of a loop of GMP's mpz_addmul over the same integers, with whose results all are
// compared. Prints the rows of the table of docs/matrix.md.

#include "measure.h"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <ctime>
#include <random>
#include <vector>

#include <gmpxx.h>

#include <thrust/execution_policy.h>

#include <thrust_rns/exact_matmul.h>

namespace {

using namespace thrust_rns;

/// Seconds that this thread works.
template <class Call>
double processor_seconds(Call call) {
  const auto now = [] {
    std::timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
  };
  const double begin = now();
  call();
  return now() - begin;
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

std::vector<mpz_class> values_of(const host_integer_matrix& m) {
  std::vector<mpz_class> v;
  for (std::int64_t k = 0; k < m.rows() * m.columns(); ++k) v.emplace_back(m.text(k / m.columns(), k % m.columns()));
  return v;
}

std::vector<mpz_class> product(const std::vector<mpz_class>& a, const std::vector<mpz_class>& b, std::size_t n) {
  std::vector<mpz_class> c(n * n);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      mpz_class& sum = c[i * n + j];
      for (std::size_t k = 0; k < n; ++k)
        mpz_addmul(sum.get_mpz_t(), a[i * n + k].get_mpz_t(), b[k * n + j].get_mpz_t());
    }
  }
  return c;
}

void row(std::int64_t n, int bits, int rounds) {
  const host_integer_matrix a = random_matrix(n, bits, 1), b = random_matrix(n, bits, 2);
  const std::vector<mpz_class> x = values_of(a), y = values_of(b);
  std::vector<mpz_class> want;
  const double gmp = processor_seconds([&] { want = product(x, y, static_cast<std::size_t>(n)); });
  host_integer_matrix c, d;
  const auto by_one = [&] { c = exact_matmul(thrust::seq, a, b); };
  const auto by_all = [&] { d = exact_matmul(thrust::omp::par, a, b); };
  const double work = measured::sorted_times(rounds, [&] { return processor_seconds(by_one); }).front();
  const double one = measured::sorted_times(rounds, [&] { return measured::wall_seconds(by_one); }).front();
  const double all = measured::sorted_times(rounds, [&] { return measured::wall_seconds(by_all); }).front();
  std::printf("| %lld | %d | %.4f | %.4f | %.4f | %.3f | %s\n", static_cast<long long>(n), bits, work, one, all, gmp,
              values_of(c) == want && values_of(d) == want ? "equal" : "WRONG");
  std::fflush(stdout);
}

} // namespace

int main() {
  std::puts(
      "| n | bits | one thread: processor time, s | elapsed, s | all threads: elapsed, s | GMP: processor time, s |");
  row(100, 1000, 101);
  row(100, 4000, 21);
  row(100, 64, 101);
  row(500, 64, 21);
}
