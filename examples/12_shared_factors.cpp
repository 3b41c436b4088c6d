// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors

// Which of many RSA moduli share a prime? For all moduli N_i at once, as one vector,
//
//   R_i = N_(i+1) N_(i+2) ... N_(i-1) mod N_i    (indices modulo their count n),
//
// by n - 1 Montgomery multiplications in residues; gcd(R_i, N_i) then holds the primes of N_i that another modulus has too.
// R_i is checked by GMP. First the moduli of the file are searched, then the same with two that share a prime planted.
//
//   12_shared_factors FILE [COUNT]
//
// FILE: RSA moduli of at most 4096 bits, one a line, as in data/rsa_moduli.txt; equal ones count once. COUNT: so many of the
// file, filled up with random ones of 1024 bits. Exit status 1 for a wrong result or an error, 2 for bad arguments.

#include <thrust_rns/base_extension.h>
#include <thrust_rns/device_vector.h>
#include <thrust_rns/gmp_vector.h>

#include <gmpxx.h>

#include <thrust/iterator/constant_iterator.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/transform.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdlib>
#include <exception>
#include <fstream>
#include <iostream>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

// Numbers are held in two bases with coprime ranges A and B. With c_i = -1/N_i mod A, the Montgomery product of x and y is
//
//   q = x y c_i mod A,    r = (x y + q N_i)/A,
//
// congruent to x y/A modulo N_i. Base A gives q; base B gives r, where A has an inverse. Between them q and r change base.
//
// Bounds, for N_i and y up to 2^4096 and x < 2 N_i: since q < A, r < 2 N_i y/A + N_i <= 2 N_i if A >= 2^4097, so that r is the
// next x. And r < 2 N_i is the integer itself in either base if B >= 2^4097 too. (q may exceed B: it is needed modulo B only.)
constexpr std::size_t bits = 4096;
constexpr int size = 133; // moduli of a base
using primes = thrust_rns::moduli_for_bits<31 * (2 * size - 1)>;
using number_a = thrust_rns::number<thrust_rns::moduli_slice<primes, 0, size>>;
using number_b = thrust_rns::number<thrust_rns::moduli_slice<primes, size, size>>;
using vector_a = thrust_rns::device_vector<number_a>;
using vector_b = thrust_rns::device_vector<number_b>;
static_assert(primes::size == 2 * size);
static_assert(thrust_rns::dynamic_range_bits<number_a::base_type> > bits + 1, "A >= 2^4097");
static_assert(thrust_rns::dynamic_range_bits<number_b::base_type> > bits + 1, "B >= 2^4097");

using integers = std::vector<mpz_class>;

mpz_class range_a() {
  mpz_class a;
  thrust_rns::to_mpz(a, number_a(-1)); // A - 1: the range is unsigned
  return a + 1;
}

/// R_i for all i.
integers products_of_others(const integers& moduli) {
  const auto n = static_cast<std::ptrdiff_t>(moduli.size());
  const mpz_class a = range_a();
  integers start(moduli.size()), twice = moduli; // twice: N_(i+s) for all i is a range too
  twice.insert(twice.end(), moduli.begin(), moduli.end());
  for (std::size_t i = 0; i < moduli.size(); ++i) { // A^(n-1), since each product divides by A
    mpz_powm_ui(start[i].get_mpz_t(), a.get_mpz_t(), static_cast<unsigned long>(n - 1), moduli[i].get_mpz_t());
  }

  vector_a n_a(twice.size()), c_a(moduli.size()), q_a(moduli.size()), x_a(moduli.size());
  vector_b n_b(twice.size()), q_b(moduli.size()), x_b(moduli.size());
  thrust_rns::import_mpz(twice.begin(), twice.end(), n_a.begin());
  thrust_rns::import_mpz(start.begin(), start.end(), x_a.begin());
  thrust::transform(n_a.begin(), n_a.begin() + n, c_a.begin(), thrust_rns::inverse());
  thrust::transform(c_a.begin(), c_a.end(), c_a.begin(), thrust_rns::negate());
  thrust_rns::convert_base(x_a.begin(), x_a.end(), x_b.begin());
  thrust_rns::convert_base(n_a.begin(), n_a.end(), n_b.begin());
  // N_i/A mod B in the place of N_i divides x y + q N_i by A.
  const number_b a_in_b = thrust_rns::convert_base<number_b>(number_a(-1)) + 1;
  const auto by_a = thrust::make_constant_iterator(thrust_rns::inverse()(a_in_b));
  thrust::transform(n_b.begin(), n_b.end(), by_a, n_b.begin(), thrust_rns::multiplies());

  for (std::ptrdiff_t s = 1; s < n; ++s) { // x := x N_(i+s)/A modulo N_i
    thrust::transform(x_a.begin(), x_a.end(), n_a.begin() + s, q_a.begin(), thrust_rns::multiplies());
    thrust::transform(q_a.begin(), q_a.end(), c_a.begin(), q_a.begin(), thrust_rns::multiplies());
    thrust_rns::convert_base(q_a.begin(), q_a.end(), q_b.begin());
    thrust::transform(q_b.begin(), q_b.end(), n_b.begin(), q_b.begin(), thrust_rns::multiplies());
    const auto x_y_q = thrust::make_zip_iterator(x_b.begin(), n_b.begin() + s, q_b.begin());
    thrust::transform(x_y_q, x_y_q + n, x_b.begin(), thrust_rns::multiply_add());
    thrust_rns::convert_base(x_b.begin(), x_b.end(), x_a.begin());
  }
  integers results(moduli.size());
  thrust_rns::export_mpz(x_a.begin(), x_a.end(), results.begin());
  for (std::size_t i = 0; i < moduli.size(); ++i) results[i] %= moduli[i];
  return results;
}

/// The same by GMP: with the product P of all, R_i = (P mod N_i^2)/N_i.
integers products_by_gmp(const integers& moduli) {
  mpz_class product = 1;
  for (const mpz_class& x : moduli) product *= x;
  integers results;
  for (const mpz_class& x : moduli) results.push_back(product % (x * x) / x);
  return results;
}

double seconds() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

/// Prints what a search finds and returns the places of the moduli that share a factor.
std::vector<std::size_t> search(const integers& moduli) {
  const double start = seconds();
  const integers rest = products_of_others(moduli);
  const double found = seconds();
  if (rest != products_by_gmp(moduli)) throw std::runtime_error("a product is not GMP's");
  std::cout << moduli.size() << " moduli: " << found - start << " s, all products equal to GMP's (" << seconds() - found
            << " s)\n";

  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < moduli.size(); ++i) {
    if (gcd(rest[i], moduli[i]) != 1) places.push_back(i);
  }
  for (std::size_t i : places) { // few: which of them belong together
    for (std::size_t j : places) {
      const mpz_class factor = gcd(moduli[i], moduli[j]);
      if (i < j && factor != 1) std::cout << "  moduli " << i << " and " << j << " share " << factor << '\n';
    }
  }
  if (places.empty()) std::cout << "  no shared factor\n";
  return places;
}

mpz_class random_prime(gmp_randclass& random, unsigned long length) {
  mpz_class p = random.get_z_bits(length);
  mpz_setbit(p.get_mpz_t(), length - 1);
  mpz_nextprime(p.get_mpz_t(), p.get_mpz_t());
  return p;
}

/// The different moduli of a file.
integers read_moduli(const char* file, std::size_t most) {
  std::ifstream in(file);
  if (!in) throw std::runtime_error(std::string(file) + " cannot be read");
  const mpz_class a = range_a();
  integers moduli;
  for (std::string line; moduli.size() < most && std::getline(in, line);) {
    mpz_class x;
    if (x.set_str(line, 0) != 0 || x < 2 || mpz_sizeinbase(x.get_mpz_t(), 2) > bits || gcd(x, a) != 1) {
      throw std::runtime_error("not an RSA modulus of at most " + std::to_string(bits) + " bits: " + line);
    }
    if (std::find(moduli.begin(), moduli.end(), x) == moduli.end()) moduli.push_back(x);
  }
  return moduli;
}

int run(const char* file, std::size_t count) {
  gmp_randclass random(gmp_randinit_default); // the same numbers each time
  integers moduli = read_moduli(file, count == 0 ? std::numeric_limits<std::size_t>::max() : count);
  while (moduli.size() < std::max<std::size_t>(count, 2)) {
    moduli.push_back(random_prime(random, 512) * random_prime(random, 512));
  }
  bool right = search(moduli).empty();

  const mpz_class p = random_prime(random, 1024);
  const std::size_t middle = moduli.size() / 2;
  moduli.insert(moduli.begin() + static_cast<std::ptrdiff_t>(middle), p * random_prime(random, 1024));
  moduli.push_back(p * random_prime(random, 1024));
  right &= search(moduli) == std::vector<std::size_t>{middle, moduli.size() - 1};
  right &= gcd(moduli[middle], moduli.back()) == p;
  std::cout << (right ? "the planted pair and no other" : "WRONG") << std::endl;
  return right ? 0 : 1;
}

} // namespace

int main(int argc, char** argv) {
  const long count = argc == 3 ? std::atol(argv[2]) : 0;
  if (argc < 2 || argc > 3 || count < 0 || count > 100000) {
    std::cerr << "usage: 12_shared_factors FILE [COUNT]\n";
    return 2;
  }
  try {
    return run(argv[1], static_cast<std::size_t>(count));
  } catch (const std::exception& e) {
    std::cerr << "12_shared_factors: " << e.what() << '\n';
    return 1;
  }
}
