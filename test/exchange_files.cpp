// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors

#include <thrust_rns/files.h>

#include <cstdio>
#include <cstring>
#include <fstream>
#include <sstream>
#include <string>

#include "vectors.h"

using namespace thrust_rns;

namespace {

using s256 = number<moduli_for_bits<256>, symmetric_range>;
using tiny = number<moduli_set<13, 7, 16>>;

template <class Function>
std::string message_of(Function f) {
  try {
    f();
  } catch (const file_error& e) {
    return e.what();
  }
  return "nothing was thrown";
}

template <class Vector>
std::string saved(const Vector& v) {
  std::ostringstream os;
  save(os, v);
  return os.str();
}

/// The message of a load of `bytes`, which must leave the vector as it was.
template <class Number = tiny>
std::string refusal(const std::string& bytes) {
  std::istringstream is(bytes);
  device_vector<Number> v{Number(1), Number(2)};
  thrust::max_element(v.begin(), v.end());
  const std::string message = message_of([&] { load(is, v); });
  CHECK(v == device_vector<Number>{Number(1), Number(2)});
  CHECK(test::count_evaluated(v) == 2);
  return message;
}

/// A name in the working folder, whose file is removed.
struct temporary_file {
  std::string name;
  explicit temporary_file(const std::string& n)
      : name("thrust_rns_" + n + "_" + std::to_string(reinterpret_cast<std::uintptr_t>(this)) + ".tmp") {}
  temporary_file(const temporary_file&) = delete;
  temporary_file& operator=(const temporary_file&) = delete;
  ~temporary_file() { std::remove(name.c_str()); }
};

} // namespace

TEST_CASE("vectors survive, several in one stream") {
  THRUST_RNS_TEST_ENGINE(engine, 3401);
  for (const std::size_t n : {0U, 1U, 33U, 2305U}) {
    CAPTURE(n);
    const device_vector<s256> v = test::make<s256>(test::make_pattern<s256>(test::pattern::random_length, engine, n));
    const host_vector<tiny> w(n + 1, tiny(5));
    std::stringstream file;
    save(file, v);
    save(file, w);
    device_vector<s256> x(7, s256(3));
    host_vector<tiny> y;
    thrust::max_element(x.begin(), x.end());
    load(file, x);
    load(file, y);
    CHECK(x == v);
    CHECK(y == w);
    CHECK(test::count_evaluated(x) == 0);
    CHECK(file.peek() == std::stringstream::traits_type::eof());
  }
}

TEST_CASE("more numbers than a piece") {
  host_vector<tiny> v(300'001, tiny(8));
  v[262143] = 1;
  v[262144] = 2;
  v[300000] = 3;
  std::stringstream file;
  save(file, v);
  device_vector<tiny> w;
  load(file, w);
  CHECK(w == device_vector<tiny>(v));
}

TEST_CASE("the bytes are those of version 1") {
  const host_vector<tiny> v{300, 7};
  const std::string header("thrRNS\r\n\1\0\0\0\0\0\0\0\2\0\0\0\0\0\0\0\3\0\0\0\15\0\0\0\7\0\0\0\20\0\0\0", 40);
  const std::string planes("\1\0\0\0\7\0\0\0\6\0\0\0\0\0\0\0\14\0\0\0\7\0\0\0", 24);
  const std::string bytes = saved(v);
  REQUIRE(bytes.size() == 72);
  CHECK(bytes.substr(0, 40) == header);
  CHECK(bytes.substr(44, 24) == planes);

  detail::crc32c crc; // the check value of CRC-32C
  crc.add(reinterpret_cast<const unsigned char*>("123456789"), 9);
  CHECK(crc.value() == 0xe3069283U);
}

TEST_CASE("files by name") {
  const temporary_file file("by_name");
  const device_vector<tiny> v{1, 2, 3};
  save(file.name, device_vector<tiny>(100));
  save(file.name, v);
  device_vector<tiny> w;
  load(file.name, w);
  CHECK(w == v);

  std::ofstream(file.name, std::ios::binary | std::ios::app) << 'x';
  w.clear();
  CHECK(message_of([&] { load(file.name, w); }) == file.name + ": it goes on after its end");
  CHECK(w.empty());
  CHECK(message_of([&] { load("no/such/file", w); }) == "no/such/file: " + std::string(std::strerror(ENOENT)));
  CHECK(message_of([&] { save("no/such/file", w); }) == "no/such/file: " + std::string(std::strerror(ENOENT)));
}

TEST_CASE("every truncation and every changed byte is found") {
  const std::string bytes = saved(device_vector<tiny>{10, 20, 30});
  for (std::size_t k = 0; k < bytes.size(); ++k) {
    CAPTURE(k);
    CHECK(refusal(bytes.substr(0, k)) == "thrust_rns: truncated: it ends after " + std::to_string(k) + " bytes");
    for (const int bit : {0, 7}) {
      std::string changed = bytes;
      changed[k] = static_cast<char>(changed[k] ^ (1 << bit));
      CHECK(refusal(changed) != "nothing was thrown");
    }
  }
}

TEST_CASE("a count that the file cannot hold takes no memory") {
  const std::string bytes = saved(device_vector<tiny>{10, 20, 30});
  for (const int byte : {16, 17, 21}) { // of the count, whose checksum fits
    CAPTURE(byte);
    std::string other = bytes;
    other[static_cast<std::size_t>(byte)] = 127;
    detail::crc32c crc;
    crc.add(reinterpret_cast<const unsigned char*>(other.data()), 40);
    for (std::size_t b = 0; b < 4; ++b) other[40 + b] = static_cast<char>(crc.value() >> (8 * b));
    CHECK(refusal(other) == "thrust_rns: truncated: it ends after " + std::to_string(bytes.size()) + " bytes");
  }
}

TEST_CASE("messages say what is wrong") {
  const std::string bytes = saved(device_vector<tiny>{10, 20, 30});
  CHECK(refusal("a text that is no file of numbers") == "thrust_rns: not a file of numbers");
  std::string other = bytes;
  other[8] = 2;
  CHECK(refusal(other) == "thrust_rns: its version is 2; this library reads version 1");
  other = bytes;
  other[16] = 4;
  CHECK(refusal(other) == "thrust_rns: corrupt: the checksum of its header is wrong");
  other = bytes;
  other[48] = 11;
  CHECK(refusal(other) == "thrust_rns: corrupt: the checksum of its numbers is wrong");
  other[48] = 13;
  CHECK(refusal(other) == "thrust_rns: corrupt: a residue is 13, its modulus 13");

  CHECK(refusal(saved(device_vector<s256>(3))) == "thrust_rns: another base: it has 9 moduli, not 3");
  CHECK(refusal(saved(device_vector<number<moduli_set<13, 7, 32>>>(3))) ==
        "thrust_rns: another base: its modulus 2 is 32, not 16");
  CHECK(refusal(saved(device_vector<number<moduli_set<13, 7, 16>, symmetric_range>>(3))) ==
        "thrust_rns: another range: its numbers are symmetric, not unsigned");
}

TEST_CASE("a stream that fails is an error") {
  std::ostringstream os;
  os.setstate(std::ios::badbit);
  CHECK(message_of([&] { save(os, device_vector<tiny>(2)); }) == "thrust_rns: writing failed");
  std::istringstream is;
  is.setstate(std::ios::badbit);
  device_vector<tiny> v(2);
  CHECK(message_of([&] { load(is, v); }) == "thrust_rns: reading failed");
}
