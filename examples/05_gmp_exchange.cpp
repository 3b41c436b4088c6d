// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors

// GMP integers to the device, a computation there, and back: p q + r for random integers p, q, r of 500 bits, checked
// by GMP; then the results through a file and as text.
//
//   05_gmp_exchange [COUNT]

#include <thrust_rns/bit_lengths.h>
#include <thrust_rns/device_vector.h>
#include <thrust_rns/files.h>
#include <thrust_rns/gmp_vector.h>
#include <thrust_rns/lines.h>

#include <gmpxx.h>

#include <thrust/transform.h>

#include <chrono>
#include <cstddef>
#include <cstdlib>
#include <exception>
#include <iostream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

using number = thrust_rns::number<thrust_rns::moduli_for_bits<1024>, thrust_rns::symmetric_range>;

double milliseconds() {
  using namespace std::chrono;
  return duration<double, std::milli>(steady_clock::now().time_since_epoch()).count();
}

std::vector<mpz_class> random_integers(gmp_randclass& random, std::size_t count) {
  std::vector<mpz_class> z(count);
  for (auto& x : z) x = random.get_z_bits(500) - (mpz_class(1) << 499); // of both signs
  return z;
}

void require(bool ok, const char* what) {
  if (!ok) throw std::runtime_error(what);
}

void run(std::size_t count) {
  gmp_randclass random(gmp_randinit_default);
  const std::vector<mpz_class> p = random_integers(random, count), q = random_integers(random, count),
                               r = random_integers(random, count);

  const double start = milliseconds();
  thrust_rns::device_vector<number> x(count), y(count), z(count);
  thrust_rns::import_mpz(p.begin(), p.end(), x.begin());
  thrust_rns::import_mpz(q.begin(), q.end(), y.begin());
  thrust_rns::import_mpz(r.begin(), r.end(), z.begin());
  const double imported = milliseconds();

  thrust::transform(x.begin(), x.end(), y.begin(), x.begin(), thrust_rns::multiplies());
  thrust::transform(x.begin(), x.end(), z.begin(), x.begin(), thrust_rns::plus());
  std::vector<mpz_class> results(count);
  thrust_rns::export_mpz(x.begin(), x.end(), results.begin());
  const double done = milliseconds();

  for (std::size_t k = 0; k < count; ++k) require(results[k] == p[k] * q[k] + r[k], "a result is not GMP's");
  std::cout << thrust_rns::summarize(x.begin(), x.end()) << "\nall equal to GMP's; milliseconds: in "
            << imported - start << ", computation and out " << done - imported << '\n';

  std::stringstream file, text;
  thrust_rns::device_vector<number> again;
  thrust_rns::save(file, x);
  thrust_rns::load(file, again);
  require(again == x, "the file holds other numbers");
  thrust_rns::write_lines(text, x.begin(), x.end());
  thrust_rns::read_lines(text, again);
  require(again == x, "the text holds other numbers");
  std::cout << "file and text hold the same numbers\n";
}

} // namespace

int main(int argc, char** argv) {
  try {
    const long count = argc > 1 ? std::strtol(argv[1], nullptr, 10) : 10000;
    if (count <= 0) {
      std::cerr << "usage: 05_gmp_exchange [COUNT]\n";
      return 2;
    }
    run(static_cast<std::size_t>(count));
  } catch (const std::exception& e) {
    std::cerr << "05_gmp_exchange: " << e.what() << '\n';
    return 1;
  }
}
