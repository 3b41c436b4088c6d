// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors

// The ring arithmetic of sntrup761 encapsulation and decapsulation for a batch of secrets under one key, by plain Thrust calls
// on device vectors. R = Z[x]/(x^761 - x - 1), q = 4591:
//
//   encapsulation  c = Round(h r)                Round: the nearest multiples of 3 of centred coefficients
//   decapsulation  e = (3 f c in R/q) in R/3,  r' = e / g in R/3,  accepted if 286 coefficients are not 0
//
// Key and first secret are those of the published known-answer test; every value that it fixes is compared. The other secrets
// are random, and must come back.
//
//   09_sntrup761 KAT_FILE [COUNT]
//
// KAT_FILE holds products: a line "case ... name=NAME", then a, b and c = a b, one a line, centred, constant coefficient
// first. Exit status 1 for a difference or an error, 2 for bad arguments.

#include <thrust_rns/ring_multiply.h>
#include <thrust_rns/ring_random.h>
#include <thrust_rns/ring_vector.h>

#include <thrust/count.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/random.h>
#include <thrust/transform.h>

#include <cstdint>
#include <cstdlib>
#include <exception>
#include <fstream>
#include <iostream>
#include <map>
#include <sstream>
#include <stdexcept>
#include <string>

namespace {

using thrust_rns::ring_vector;

using ring_q = thrust_rns::prime_ring<761, 4591>; // R/q
using ring_3 = thrust_rns::prime_ring<761, 3>;    // R/3
using full = thrust_rns::full_element<ring_q>;
using small = thrust_rns::ternary_element<ring_q>; // of R/3 too

constexpr int weight = 286;

// ---- the known answers --------------------------------------------------------------------------------------------

/// The numbers of one product, as text.
struct known_product {
  std::string a, b, c;
};

std::map<std::string, known_product> read_products(const std::string& file) {
  std::ifstream in(file);
  if (!in) throw std::runtime_error(file + ": cannot be read");
  std::map<std::string, known_product> products;
  for (std::string line; std::getline(in, line);) {
    const std::size_t name = line.find("name=");
    if (line.rfind("case ", 0) != 0 || name == std::string::npos) continue;
    known_product& p = products[line.substr(name + 5)];
    for (std::string* numbers : {&p.a, &p.b, &p.c}) std::getline(in, *numbers);
  }
  return products;
}

template <class Element>
Element element(const std::string& text) {
  std::istringstream in(text);
  Element p;
  if (!(in >> p)) throw std::runtime_error("the file of known answers lacks an element, or it is malformed");
  return p;
}

/// Prints one line a comparison, and counts those that fail.
class checklist {
  int failures_ = 0;

 public:
  void operator()(const std::string& what, bool holds) {
    std::cout << (holds ? "right  " : "WRONG  ") << what << std::endl;
    failures_ += !holds;
  }
  int failures() const { return failures_; }
};

// ---- the scheme ---------------------------------------------------------------------------------------------------

struct random_secret {
  THRUST_RNS_HD small operator()(std::int64_t i) const {
    thrust::default_random_engine engine(761);
    engine.discard(2000 * static_cast<unsigned long long>(i));
    return thrust_rns::fixed_weight_distribution<small>(weight)(engine);
  }
};

/// All coefficients are looked at, whatever they are.
struct has_right_weight {
  THRUST_RNS_HD bool operator()(const small& r) const {
    int ones = 0;
    for (int i = 0; i < small::degree; ++i) ones += r[i] & 1;
    return ones == weight;
  }
};

/// products[i] = h secrets[i]; ciphertexts: those rounded, x - (x mod 3).
void encapsulate(const full& h, const ring_vector<small>& secrets, ring_vector<full>& products,
                 ring_vector<full>& ciphertexts) {
  ring_vector<small> rests(secrets.size());
  thrust::transform(secrets.begin(), secrets.end(), products.begin(), thrust_rns::ring_multiplies_by<ring_q, full>{h});
  thrust::transform(products.begin(), products.end(), rests.begin(), thrust_rns::ring_convert<ring_q, small>{});
  thrust::transform(products.begin(), products.end(), rests.begin(), ciphertexts.begin(),
                    thrust_rns::ring_minus<ring_q>{});
}

/// products[i] = f ciphertexts[i]; thirds: three times those, in R/3; secrets: thirds / g.
void decapsulate(const small& f, const small& g_inverse, const ring_vector<full>& ciphertexts,
                 ring_vector<full>& products, ring_vector<small>& thirds, ring_vector<small>& secrets) {
  ring_vector<full> multiples(ciphertexts.size());
  thrust::transform(ciphertexts.begin(), ciphertexts.end(), products.begin(),
                    thrust_rns::ring_multiplies_by<ring_q, small>{f});
  thrust::transform(products.begin(), products.end(), products.begin(), multiples.begin(),
                    thrust_rns::ring_plus<ring_q>{});
  thrust::transform(multiples.begin(), multiples.end(), products.begin(), multiples.begin(),
                    thrust_rns::ring_plus<ring_q>{});
  thrust::transform(multiples.begin(), multiples.end(), thirds.begin(), thrust_rns::ring_convert<ring_q, small>{});
  thrust::transform(thirds.begin(), thirds.end(), secrets.begin(),
                    thrust_rns::ring_multiplies_by<ring_3, small>{g_inverse});
}

int run(const std::string& file, std::size_t count) {
  auto known = read_products(file);
  const auto &key = known["kat_h_times_f"], &inverse = known["kat_g_times_ginv"], &hr = known["kat_h_times_r"],
             &cf = known["kat_c_times_f"], &er = known["kat_e_times_ginv"];
  const full h = element<full>(key.a);
  const small f = element<small>(key.b), g = element<small>(inverse.a), g_inverse = element<small>(inverse.b);
  checklist check;

  // The key: h = g / (3 f) in R/q, and 1/g is the inverse in R/3.
  const ring_vector<full> hs(1, h);
  const ring_vector<small> fs(1, f), gs(1, g), inverses(1, g_inverse);
  ring_vector<full> hf(1);
  ring_vector<small> one(1);
  thrust::transform(hs.begin(), hs.end(), fs.begin(), hf.begin(), thrust_rns::ring_multiplies<ring_q>{});
  thrust::transform(gs.begin(), gs.end(), inverses.begin(), one.begin(), thrust_rns::ring_multiplies<ring_3>{});
  const full third_of_g = hf[0];
  check("h f", third_of_g == element<full>(key.c));
  check("3 h f = g in R/q", third_of_g + third_of_g + third_of_g == thrust_rns::ring_convert<ring_q>{}(g));
  small expected_one;
  expected_one.set(0, 1);
  check("g (1/g) in R/3", small(one[0]) == element<small>(inverse.c) && small(one[0]) == expected_one);

  // Secrets: the known one, then random ones.
  ring_vector<small> secrets(count);
  const thrust::counting_iterator<std::int64_t> indices(0);
  thrust::transform(thrust::device, indices, indices + static_cast<std::int64_t>(count), secrets.begin(),
                    random_secret{});
  secrets[0] = element<small>(hr.b);

  ring_vector<full> products(count), ciphertexts(count);
  encapsulate(h, secrets, products, ciphertexts);
  check("h r", h == element<full>(hr.a) && full(products[0]) == element<full>(hr.c));
  check("c = Round(h r)", full(ciphertexts[0]) == element<full>(cf.a));

  ring_vector<small> thirds(count), found(count);
  decapsulate(f, g_inverse, ciphertexts, products, thirds, found);
  check("c f", f == element<small>(cf.b) && full(products[0]) == element<full>(cf.c));
  check("e = 3 c f in R/3", small(thirds[0]) == element<small>(er.a));
  check("r' = e (1/g)", small(found[0]) == element<small>(er.c));
  check("r' = r", small(found[0]) == element<small>(hr.b));

  // The batch.
  const auto weights = thrust::make_transform_iterator(found.begin(), has_right_weight{});
  const auto accepted = thrust::count(weights, weights + static_cast<std::int64_t>(count), true);
  check("weight 286, " + std::to_string(accepted) + " of " + std::to_string(count),
        accepted == static_cast<std::int64_t>(count));
  check("all secrets of the batch came back", found == secrets);
  return check.failures() == 0 ? 0 : 1;
}

} // namespace

int main(int argc, char** argv) {
  const long long count = argc > 2 ? std::atoll(argv[2]) : 1000;
  if (argc < 2 || argc > 3 || count < 1 || count > 1'000'000) {
    std::cerr << "usage: 09_sntrup761 KAT_FILE [COUNT], 1 .. 1000000 secrets\n";
    return 2;
  }
  try {
    return run(argv[1], static_cast<std::size_t>(count));
  } catch (const std::exception& e) {
    std::cerr << "09_sntrup761: " << e.what() << '\n';
    return 1;
  }
}
