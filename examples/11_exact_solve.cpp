// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors

// Solves A X = B over the rationals, exactly, for random integer matrices, by Dixon's p-adic lifting: with C = A^-1 modulo a
// prime p,
//
//   R_0 = B,    X_i = C R_i mod p,    R_(i+1) = (R_i - A X_i)/p,    X = X_0 + X_1 p + X_2 p^2 + ... modulo p^k.
//
// All products are exact_matmul. When p^k exceeds twice the square of Hadamard's bound for determinants, each entry of X is
// the residue of one fraction only, which Euclid's algorithm finds. GMP then multiplies A by the fractions.
//
//   11_exact_solve [N [RIGHT_SIDES]]
//
// Exit status 1 for a wrong solution or an error, 2 for bad arguments.

#include <thrust_rns/exact_matmul.h>
#include <thrust_rns/modular.h>

#include <gmpxx.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <exception>
#include <iostream>
#include <random>
#include <stdexcept>
#include <vector>

namespace {

using thrust_rns::device_integer_matrix;
using thrust_rns::host_integer_matrix;

constexpr thrust_rns::modulus prime(2147483647);
constexpr int entry_bits = 20;

std::int64_t& entry(host_integer_matrix& m, std::int64_t i, std::int64_t j) {
  return m.words()[static_cast<std::size_t>(i * m.columns() + j)];
}

std::uint32_t residue(std::int64_t x) {
  const auto r = static_cast<std::uint32_t>(std::abs(x) % prime.value());
  return x < 0 ? prime.negate(r) : r;
}

/// Entry k of an integer matrix modulo p.
std::uint32_t residue(const host_integer_matrix& m, std::size_t k) {
  const auto limbs = static_cast<std::size_t>(m.limbs());
  std::uint32_t r = m.words()[(k + 1) * limbs - 1] < 0 ? prime.value() - 1 : 0;
  for (std::size_t l = limbs; l-- > 0;) {
    const auto limb = static_cast<std::uint64_t>(m.words()[k * limbs + l]);
    for (const std::uint64_t half : {limb >> 32, limb & 0xffffffffu}) {
      r = prime.reduce((std::uint64_t{r} << 32) | half);
    }
  }
  return r;
}

host_integer_matrix random_matrix(std::mt19937_64& engine, std::int64_t rows, std::int64_t columns) {
  host_integer_matrix m(rows, columns);
  for (auto& x : m.words()) x = static_cast<std::int64_t>(engine() % (2u << entry_bits)) - (1 << entry_bits);
  return m;
}

/// A^-1 modulo p by elimination.
host_integer_matrix inverse_modulo_prime(host_integer_matrix a) {
  const std::int64_t n = a.rows();
  host_integer_matrix c(n, n);
  for (auto& x : a.words()) x = residue(x);
  for (std::int64_t i = 0; i < n; ++i) entry(c, i, i) = 1;
  for (std::int64_t k = 0; k < n; ++k) {
    std::int64_t pivot = k;
    while (pivot < n && entry(a, pivot, k) == 0) ++pivot;
    if (pivot == n) throw std::runtime_error("the matrix is singular modulo the prime");
    for (std::int64_t j = 0; j < n; ++j) {
      std::swap(entry(a, k, j), entry(a, pivot, j));
      std::swap(entry(c, k, j), entry(c, pivot, j));
    }
    const std::uint32_t scale = prime.inverse(static_cast<std::uint32_t>(entry(a, k, k)));
    for (host_integer_matrix* m : {&a, &c}) {
      for (std::int64_t j = 0; j < n; ++j) {
        entry(*m, k, j) = prime.multiply(static_cast<std::uint32_t>(entry(*m, k, j)), scale);
      }
    }
    for (std::int64_t i = 0; i < n; ++i) {
      const auto factor = static_cast<std::uint32_t>(entry(a, i, k));
      if (i == k || factor == 0) continue;
      for (host_integer_matrix* m : {&a, &c}) {
        for (std::int64_t j = 0; j < n; ++j) {
          entry(*m, i, j) = prime.subtract(static_cast<std::uint32_t>(entry(*m, i, j)),
                                           prime.multiply(factor, static_cast<std::uint32_t>(entry(*m, k, j))));
        }
      }
    }
  }
  return c;
}

/// The fraction u/v = x modulo m with |u|, v <= sqrt(m/2).
mpq_class fraction_of(const mpz_class& x, const mpz_class& m) {
  const mpz_class bound = sqrt(m / 2);
  mpz_class r0 = m, r1 = x, t0 = 0, t1 = 1;
  while (r1 > bound) {
    const mpz_class q = r0 / r1;
    const mpz_class r2 = r0 - q * r1, t2 = t0 - q * t1;
    r0 = r1;
    r1 = r2;
    t0 = t1;
    t1 = t2;
  }
  mpq_class fraction(t1 < 0 ? mpz_class(-r1) : r1, abs(t1));
  fraction.canonicalize();
  return fraction;
}

int run(std::int64_t n, std::int64_t right_sides) {
  std::mt19937_64 engine(1);
  const host_integer_matrix a = random_matrix(engine, n, n), b = random_matrix(engine, n, right_sides);
  const auto begin = std::chrono::steady_clock::now();
  const device_integer_matrix left = a, inverse = inverse_modulo_prime(a);

  // |det| <= (sqrt(n) 2^20)^n, for A and for A with a column of B.
  const double bits = static_cast<double>(n) * (entry_bits + 0.5 * std::log2(static_cast<double>(n)));
  const int steps = static_cast<int>((2 * bits + 2) / 30.9) + 1;
  host_integer_matrix rest = b;
  std::vector<mpz_class> x(b.words().size());
  mpz_class power = 1;
  for (int step = 0; step < steps; ++step) {
    const host_integer_matrix product = thrust_rns::exact_matmul(inverse, device_integer_matrix(rest));
    host_integer_matrix digit(n, right_sides);
    for (std::size_t k = 0; k < x.size(); ++k) {
      digit.words()[k] = residue(product, k);
      x[k] += power * static_cast<unsigned long>(digit.words()[k]);
    }
    const host_integer_matrix image =
        thrust_rns::exact_matmul(left, device_integer_matrix(digit)); // below 2^63: one limb
    for (std::size_t k = 0; k < x.size(); ++k) {
      rest.words()[k] = (rest.words()[k] - image.words()[k * static_cast<std::size_t>(image.limbs())]) / prime.value();
    }
    power *= static_cast<unsigned long>(prime.value());
  }
  std::vector<mpq_class> solution;
  for (const mpz_class& z : x) solution.push_back(fraction_of(z, power));
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();

  std::int64_t wrong = 0;
  std::size_t longest = 0;
  for (std::int64_t j = 0; j < right_sides; ++j) {
    for (std::int64_t i = 0; i < n; ++i) {
      mpq_class sum = 0;
      for (std::int64_t k = 0; k < n; ++k) {
        const mpq_class& u = solution[static_cast<std::size_t>(k * right_sides + j)];
        sum += mpq_class(static_cast<long>(a.words()[static_cast<std::size_t>(i * n + k)])) * u;
        longest = std::max(longest, mpz_sizeinbase(u.get_den_mpz_t(), 2));
      }
      wrong += sum != mpq_class(static_cast<long>(b.words()[static_cast<std::size_t>(i * right_sides + j)]));
    }
  }
  std::cout << n << " x " << n << ", " << right_sides << " right sides, entries of " << entry_bits + 1
            << " bits: " << steps << " steps, " << seconds << " s, denominators of up to " << longest << " bits\n"
            << "checked by GMP, wrong " << wrong << std::endl;
  return wrong == 0 ? 0 : 1;
}

} // namespace

int main(int argc, char** argv) {
  const std::int64_t n = argc > 1 ? std::atoll(argv[1]) : 40, right_sides = argc > 2 ? std::atoll(argv[2]) : 2;
  if (argc > 3 || n < 1 || n > 2000 || right_sides < 1 || right_sides > 2000) {
    std::cerr << "usage: 11_exact_solve [N [RIGHT_SIDES]], 1 .. 2000 each\n";
    return 2;
  }
  try {
    return run(n, right_sides);
  } catch (const std::exception& e) {
    std::cerr << "11_exact_solve: " << e.what() << '\n';
    return 1;
  }
}
