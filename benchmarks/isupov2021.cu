// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors

// The comparison of K. Isupov, Computation 9(2):9, 2021, tables 3 and 4, on one GPU: the maximum of 5,000,000 random numbers
// in seven ranges by this library and by the three methods of the paper (benchmarks/baselines), each verified.
// The parts are in benchmarks/isupov2021; docs/isupov2021.md shows the results.

#include "isupov2021/program.h"

#include <cuda_runtime_api.h>

#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <exception>
#include <sstream>
#include <string>

namespace {

constexpr const char* usage =
    R"(isupov2021 [options]: times of the maximum by thrust_rns and by the methods of Isupov 2021
  --count=N                 numbers (5000000)
  --bits=64,128,...         ranges, of 64 128 256 512 1024 2048 4096 (all)
  --sets=isupov,primes      the paper's moduli, the library's 31-bit primes (both)
  --methods=A,...           of thrust_rns interval_array naive mixed_radix (all)
  --repetitions=N           timed calls of which the median is taken, at least 11 (11); 3 where one takes over 100 ms
  --out=FILE                JSON lines
  --check                   small hard inputs against GMP instead of times
  --refinements             counts for the powers of two instead of times; needs no GPU
Exit status 1 if any result was wrong.
)";

using isupov2021::options;
using isupov2021::record;

struct command {
  options chosen;
  std::string out;
  bool check = false, refinements = false;
};

/// false: print the usage.
bool parse(int argc, char** argv, command& c) {
  const auto items = [](const std::string& list, auto insert) {
    std::istringstream in(list);
    for (std::string item; std::getline(in, item, ',');) insert(item);
  };
  for (int a = 1; a < argc; ++a) {
    const std::string argument = argv[a];
    const std::size_t equals = argument.find('=');
    const std::string name = argument.substr(0, equals);
    const std::string value = equals == std::string::npos ? "" : argument.substr(equals + 1);
    if (name == "--count") {
      c.chosen.count = std::atoll(value.c_str());
    } else if (name == "--bits") {
      items(value, [&](const std::string& s) { c.chosen.bits.insert(std::atoi(s.c_str())); });
    } else if (name == "--sets") {
      items(value, [&](const std::string& s) { c.chosen.sets.insert(s); });
    } else if (name == "--methods") {
      items(value, [&](const std::string& s) { c.chosen.methods.insert(s); });
    } else if (name == "--repetitions") {
      c.chosen.repetitions = std::atoi(value.c_str());
    } else if (name == "--out" || name == "--benchmark_out") { // as the other benchmarks call it
      c.out = value;
    } else if (name == "--check") {
      c.check = true;
    } else if (name == "--refinements") {
      c.refinements = true;
    } else if (name.rfind("--benchmark_", 0) != 0) {
      return false;
    }
  }
  return c.chosen.count > 0 && c.chosen.count < (std::int64_t{1} << 31) - 8 && c.chosen.repetitions >= 11;
}

void describe_machine(const options& o, record& r) {
  int device = 0, runtime = 0, driver = 0;
  cudaDeviceProp properties{};
  if (cudaGetDevice(&device) != cudaSuccess || cudaGetDeviceProperties(&properties, device) != cudaSuccess) return;
  cudaRuntimeGetVersion(&runtime);
  cudaDriverGetVersion(&driver);
  char date[32] = "";
  const std::time_t now = std::time(nullptr);
  std::strftime(date, sizeof date, "%Y-%m-%d", std::gmtime(&now));
  r.line(std::string(R"({"record":"machine","device":")") + properties.name + R"(","cuda_runtime":)" +
         std::to_string(runtime) + R"(,"cuda_driver":)" + std::to_string(driver) + R"(,"date":")" + date +
         R"(","count":)" + std::to_string(o.count) + R"(,"l2":"other memory read before each timed call"})");
  std::printf("%s, %lld numbers\n", properties.name, static_cast<long long>(o.count));
}

template <int... Bits>
void run_ranges(const command& c, record& r) {
  const auto run = [&](int bits, auto measure, auto check) {
    if (options::chosen(c.chosen.bits, bits)) (c.check ? check : measure)(c.chosen, r);
  };
  (run(Bits, isupov2021::measure_range<Bits>, isupov2021::check_range<Bits>), ...);
}

} // namespace

int main(int argc, char** argv) {
  command c;
  if (!parse(argc, argv, c)) {
    std::fputs(usage, stderr);
    return 2;
  }
  record r;
  if (!c.out.empty() && (r.file = std::fopen(c.out.c_str(), "w")) == nullptr) {
    std::perror(c.out.c_str());
    return 2;
  }
  try {
    if (c.refinements) {
      isupov2021::count_refinements(r);
    } else {
      describe_machine(c.chosen, r);
      run_ranges<64, 128, 256, 512, 1024, 2048, 4096>(c, r);
    }
  } catch (const std::exception& e) {
    std::fprintf(stderr, "isupov2021: %s\n", e.what());
    r.all_right = false;
  }
  if (r.file != nullptr && std::fclose(r.file) != 0) r.all_right = false;
  return r.all_right ? 0 : 1;
}
