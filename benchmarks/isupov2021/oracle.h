// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors
#pragma once

/// @file
/// The answers, by GMP, without the library's evaluation, order or conversion.

#include <gmpxx.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <thread>
#include <vector>

namespace isupov2021 {

/// M.
template <class Base>
const mpz_class& dynamic_range() {
  static const mpz_class product = [] {
    mpz_class p = 1;
    for (int i = 0; i < Base::size; ++i) p *= static_cast<unsigned long>(Base::moduli[i]);
    return p;
  }();
  return product;
}

/// (M/m_i)^-1 mod m_i.
template <class Base>
unsigned long cofactor_inverse(int i) {
  const mpz_class m = static_cast<unsigned long>(Base::moduli[i]), cofactor = dynamic_range<Base>() / m;
  mpz_class w;
  mpz_invert(w.get_mpz_t(), cofactor.get_mpz_t(), m.get_mpz_t());
  return w.get_ui();
}

/// Searches the largest number of a range of unsigned numbers, plane by plane: X/M = frac(sum x_i w_i/m_i) in double
/// precision, then those within 1e-9 of the largest, or of 0 where the sum may have wrapped, in GMP.
template <class Base>
class search_for_largest {
 public:
  explicit search_for_largest(std::size_t count) : fraction_(count, 0.0) {}

  /// All planes, in any order.
  void add_plane(int i, const std::vector<std::uint32_t>& plane) {
    const std::uint64_t m = Base::moduli[i], w = cofactor_inverse<Base>(i);
    in_parallel([&](std::size_t first, std::size_t last) {
      for (std::size_t j = first; j < last; ++j) {
        const double f = fraction_[j] + static_cast<double>(plane[j] * w % m) / static_cast<double>(m);
        fraction_[j] = f >= 1.0 ? f - 1.0 : f;
      }
    });
  }

  /// The index of the first of the largest; residue(i, j) is residue i of number j.
  template <class Residue>
  std::int64_t find(Residue residue) const {
    const double best = *std::max_element(fraction_.begin(), fraction_.end());
    mpz_class most = -1;
    std::int64_t index = -1;
    for (std::size_t j = 0; j < fraction_.size(); ++j) {
      if (fraction_[j] < best - 1e-9 && fraction_[j] > 1e-9) continue; // the roundings add up to less
      mpz_class x = 0;
      for (int i = 0; i < Base::size; ++i) {
        const mpz_class term = dynamic_range<Base>() / static_cast<unsigned long>(Base::moduli[i]);
        x += term * ((cofactor_inverse<Base>(i) * std::uint64_t{residue(i, j)}) % Base::moduli[i]);
      }
      x %= dynamic_range<Base>();
      if (x > most) {
        most = x;
        index = static_cast<std::int64_t>(j);
      }
    }
    return index;
  }

 private:
  template <class Work>
  void in_parallel(Work work) const {
    const std::size_t parts = std::max(1u, std::min(16u, std::thread::hardware_concurrency()));
    std::vector<std::thread> threads;
    for (std::size_t t = 0; t < parts; ++t) {
      threads.emplace_back(work, fraction_.size() * t / parts, fraction_.size() * (t + 1) / parts);
    }
    for (std::thread& t : threads) t.join();
  }

  std::vector<double> fraction_;
};

/// A hard input: each element is one of a few values, so that there are ties.
struct hard_input {
  std::string name;
  std::vector<mpz_class> values; // ascending
};

template <class Number>
std::vector<hard_input> hard_inputs(std::mt19937_64& engine) {
  using Base = typename Number::base_type;
  const mpz_class& range = dynamic_range<Base>();
  const mpz_class least = Number::is_symmetric ? mpz_class(-(range / 2)) : mpz_class(0), most = least + range - 1;
  const auto random = [&] {
    mpz_class z;
    for (std::size_t k = 0; k < mpz_sizeinbase(range.get_mpz_t(), 2) / 64 + 2; ++k) {
      z = (z << 64) + static_cast<unsigned long>(engine());
    }
    return mpz_class(least + z % range);
  };
  std::vector<hard_input> inputs;
  const auto add = [&](const char* name, std::vector<mpz_class> values) {
    std::sort(values.begin(), values.end());
    values.erase(std::unique(values.begin(), values.end()), values.end());
    inputs.push_back({name, std::move(values)});
  };
  const auto run = [](const mpz_class& first, int length) {
    std::vector<mpz_class> v;
    for (int k = 0; k < length; ++k) v.push_back(first + k);
    return v;
  };
  std::vector<mpz_class> many, powers;
  for (int k = 0; k < 500; ++k) many.push_back(random());
  mpz_class power = 1;
  for (; power <= most; power *= 2) {
    powers.push_back(power);
    if (Number::is_symmetric) powers.push_back(-power);
  }
  add("random", many);
  add("equal", {random()});
  add("zero", {mpz_class(0)});
  const mpz_class x = least + (random() - least) / 2; // X + 100 <= most
  add("neighbours X, X + 1", {x, x + 1});
  add("neighbours X .. X + 99", run(x, 100));
  add("tiny", run(Number::is_symmetric ? mpz_class(-50) : mpz_class(0), 100));
  add("negative or tiny, without zero", run(Number::is_symmetric ? mpz_class(-100) : mpz_class(1), 100));
  add("next to the largest", run(most - 99, 100));
  add("next to the least", run(least, 100));
  add("the ends", {least, least + 1, mpz_class(0), most - 1, most});
  add("next to the middle", run(least + range / 2 - 50, 100));
  add("powers of two", powers);
  return inputs;
}

} // namespace isupov2021
