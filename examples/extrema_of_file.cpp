// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors

// Maximum, minimum and sum of the integers of a file, one a line, computed in a residue number system by plain Thrust
// calls and checked against GMP.
//
//   extrema_of_file [--bits B] [--no-check] [FILE | -]
//
// A line is an integer: an optional sign, then decimal digits or 0x and hexadecimal digits. Without --bits the smallest
// base is chosen whose symmetric range holds as many numbers of the largest magnitude as there are lines, so that the
// sum cannot wrap. Errors name the line; exit status 1 for bad input, 2 for bad arguments.

#include <thrust_rns/device_vector.h>
#include <thrust_rns/gmp.h>
#include <thrust_rns/io.h>

#include <gmpxx.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <exception>
#include <fstream>
#include <iomanip>
#include <iostream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#if THRUST_DEVICE_SYSTEM == THRUST_DEVICE_SYSTEM_OMP
#  include <omp.h>
#endif

namespace {

// ---- helpers ----------------------------------------------------------------------------------------------------

class stopwatch {
  using clock = std::chrono::steady_clock;
  clock::time_point start_ = clock::now();

 public:
  double milliseconds() const { return std::chrono::duration<double, std::milli>(clock::now() - start_).count(); }
};

/// "line 1,000,000 ..." on standard error at most twice a second, so that long inputs show that they move.
class progress {
  const char* what_;
  stopwatch since_start_, since_last_;
  bool shown_ = false;

 public:
  explicit progress(const char* what) : what_(what) {}
  ~progress() {
    if (shown_) std::cerr << '\n';
  }
  void at(std::size_t line) {
    if (line % 1024 != 0 || since_start_.milliseconds() < 1000 || since_last_.milliseconds() < 500) return;
    std::cerr << '\r' << what_ << " line " << line << "   " << std::flush;
    since_last_ = stopwatch();
    shown_ = true;
  }
};

std::string backend() {
#if THRUST_DEVICE_SYSTEM == THRUST_DEVICE_SYSTEM_CUDA
  int device = 0;
  cudaDeviceProp properties{};
  if (cudaGetDevice(&device) != cudaSuccess || cudaGetDeviceProperties(&properties, device) != cudaSuccess) {
    throw std::runtime_error("no CUDA device can be used; build for OpenMP instead (preset openmp)");
  }
  return std::string("CUDA, ") + properties.name;
#elif THRUST_DEVICE_SYSTEM == THRUST_DEVICE_SYSTEM_OMP
  return "OpenMP, " + std::to_string(omp_get_max_threads()) + " threads";
#else
  return "sequential";
#endif
}

// ---- input --------------------------------------------------------------------------------------------------------

struct arguments {
  std::string file = "-";
  int bits = 0; // 0: chosen by the data
  bool check = true;
};

struct input {
  std::string name;
  std::vector<std::string> lines;
};

std::string_view without_blanks(std::string_view text) {
  const char* blanks = " \t\r";
  const auto first = text.find_first_not_of(blanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

input read_lines(const std::string& file) {
  std::ifstream stream;
  if (file != "-") {
    stream.open(file);
    if (!stream) throw std::runtime_error(file + ": " + std::strerror(errno));
  }
  std::istream& in = file == "-" ? std::cin : stream;
  input data{file == "-" ? "standard input" : file, {}};
  progress report("reading");
  for (std::string line; std::getline(in, line);) {
    data.lines.emplace_back(without_blanks(line));
    report.at(data.lines.size());
  }
  if (in.bad()) throw std::runtime_error(data.name + ": " + std::strerror(errno));
  if (data.lines.empty()) throw std::runtime_error(data.name + ": no lines");
  return data;
}

/// An upper bound of the bit length of the integer in `text`, at most four bits too high; meaningless for other text.
std::size_t bits_at_most(std::string_view text) {
  if (!text.empty() && (text[0] == '+' || text[0] == '-')) text.remove_prefix(1);
  const bool hexadecimal = text.size() > 2 && text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
  if (hexadecimal) text.remove_prefix(2);
  const auto first = std::min(text.find_first_not_of('0'), text.size());
  const std::size_t digits = text.size() - first;
  return hexadecimal ? 4 * digits : (digits * 3322 + 999) / 1000; // log2(10) < 3.322
}

/// Bits that the sum of all lines needs, with the sign.
std::size_t bits_needed(const input& data) {
  std::size_t most = 0;
  for (const auto& line : data.lines) most = std::max(most, bits_at_most(line));
  std::size_t carry = 0;
  while ((data.lines.size() - 1) >> carry != 0) ++carry;
  return most + carry + 1;
}

// ---- the job ----------------------------------------------------------------------------------------------------

/// Answers in GMP's terms, so that those of GMP itself compare with them.
struct answers {
  std::size_t maximum_line = 0, minimum_line = 0; // from 1
  mpz_class maximum, minimum, sum;

  bool operator==(const answers& other) const {
    return maximum_line == other.maximum_line && minimum_line == other.minimum_line && maximum == other.maximum &&
           minimum == other.minimum && sum == other.sum;
  }
};

template <class Number>
std::vector<Number> parse(const input& data) {
  std::vector<Number> numbers;
  numbers.reserve(data.lines.size());
  progress report("converting");
  for (const auto& line : data.lines) {
    try {
      numbers.push_back(thrust_rns::from_string<Number>(line));
    } catch (const std::logic_error& e) { // parse_error or range_error
      throw std::runtime_error(data.name + ":" + std::to_string(numbers.size() + 1) + ": " + e.what());
    }
    report.at(numbers.size());
  }
  return numbers;
}

template <class Number>
mpz_class to_gmp(const Number& x) {
  mpz_class z;
  thrust_rns::to_mpz(z.get_mpz_t(), x);
  return z;
}

answers answers_of_gmp(const input& data) {
  answers r;
  progress report("checking");
  for (std::size_t k = 0; k < data.lines.size(); ++k) {
    const std::string& line = data.lines[k];
    const bool hexadecimal = line.find_first_of("xX") != std::string::npos;
    const mpz_class z(line[0] == '+' ? line.substr(1) : line, hexadecimal ? 0 : 10); // 0: by the prefix
    if (k == 0 || z > r.maximum) {
      r.maximum = z;
      r.maximum_line = k + 1;
    }
    if (k == 0 || z < r.minimum) {
      r.minimum = z;
      r.minimum_line = k + 1;
    }
    r.sum += z;
    report.at(k + 1);
  }
  return r;
}

/// Sums wrap modulo M; this job wants the true one. It cannot wrap if count times the largest magnitude is below M/2.
template <class Number>
void refuse_sum_that_may_wrap(const input& data, const answers& found) {
  mpz_class bound = abs(found.maximum) > abs(found.minimum) ? found.maximum : found.minimum;
  bound = 2 * abs(bound) * mpz_class(data.lines.size());
  mpz_class range = 1;
  for (const std::uint32_t m : Number::base_type::moduli) range *= m;
  if (bound >= range) {
    throw std::runtime_error(
        data.name + ": the sum may not fit in " + std::to_string(mpz_sizeinbase(range.get_mpz_t(), 2)) +
        " bits; leave out --bits or give it " + std::to_string(mpz_sizeinbase(bound.get_mpz_t(), 2)));
  }
}

/// The job with numbers of at least `Bits` bits. Returns the exit status.
template <int Bits>
int run(const input& data, const arguments& options, std::size_t needed, double read_ms) {
  using base = thrust_rns::moduli_for_bits<Bits>;
  using number = thrust_rns::number<base, thrust_rns::symmetric_range>;

  stopwatch watch;
  const auto numbers = parse<number>(data);
  const double convert_ms = watch.milliseconds();

  watch = stopwatch();
  const thrust_rns::device_vector<number> v = numbers;
  const double copy_ms = watch.milliseconds();

  watch = stopwatch();
  const auto largest = thrust::max_element(v.begin(), v.end());
  const double maximum_ms = watch.milliseconds();
  watch = stopwatch();
  const auto smallest = thrust::min_element(v.begin(), v.end());
  const double minimum_ms = watch.milliseconds();

  answers found;
  found.maximum_line = static_cast<std::size_t>(largest - v.begin()) + 1;
  found.minimum_line = static_cast<std::size_t>(smallest - v.begin()) + 1;
  found.maximum = to_gmp<number>(*largest);
  found.minimum = to_gmp<number>(*smallest);
  refuse_sum_that_may_wrap<number>(data, found);

  watch = stopwatch();
  const number sum = thrust::reduce(v.begin(), v.end());
  const double sum_ms = watch.milliseconds();
  found.sum = to_gmp(sum);

  std::cout << "count " << v.size() << "\nmaximum line " << found.maximum_line << " value " << found.maximum
            << "\nminimum line " << found.minimum_line << " value " << found.minimum << "\nsum " << found.sum << '\n';

  std::string verdict = "not checked";
  double check_ms = 0;
  bool equal = true;
  if (options.check) {
    watch = stopwatch();
    equal = found == answers_of_gmp(data);
    check_ms = watch.milliseconds();
    verdict = equal ? "equal to GMP's answers" : "DIFFERENT FROM GMP'S ANSWERS";
  }
  std::cout << "range signed, " << thrust_rns::dynamic_range_bits<base> << " bits in " << number::size
            << " moduli; at most " << needed << " bits needed\n"
            << "backend " << backend() << '\n'
            << "check " << verdict << '\n'
            << std::fixed << std::setprecision(3) << "milliseconds read " << read_ms << ", convert " << convert_ms
            << ", copy " << copy_ms << ", maximum " << maximum_ms << ", minimum " << minimum_ms << ", sum " << sum_ms
            << ", check " << check_ms << std::endl;
  return equal ? 0 : 3;
}

/// Runs with the first of Bits... that holds what is asked for. Each is a power of two with 33 bits more: a sign, and room
/// for sums of up to 2^32 numbers.
template <int... Bits>
int run_smallest(const input& data, const arguments& options, double read_ms) {
  const std::size_t needed = bits_needed(data);
  const std::size_t wanted = options.bits > 0 ? static_cast<std::size_t>(options.bits) : needed;
  constexpr int most = std::max({Bits...});
  if (wanted > most) {
    throw std::runtime_error(options.bits > 0 ? "--bits " + std::to_string(wanted) + ": at most " + std::to_string(most)
                                              : data.name + ": the sum may need " + std::to_string(needed) +
                                                    " bits with its sign, the widest base has " + std::to_string(most));
  }
  int status = 0;
  const auto attempt = [&](auto bits) {
    constexpr int b = decltype(bits)::value;
    if (wanted > b) return false;
    status = run<b>(data, options, needed, read_ms);
    return true;
  };
  static_cast<void>((attempt(std::integral_constant<int, Bits>()) || ...));
  return status;
}

arguments parse_arguments(int argc, char** argv) {
  arguments a;
  bool has_file = false;
  for (int k = 1; k < argc; ++k) {
    const std::string word = argv[k];
    if (word == "--bits" && k + 1 < argc) {
      const std::string value = argv[++k];
      if (value.empty() || value.size() > 6 || value.find_first_not_of("0123456789") != std::string::npos ||
          std::stoi(value) == 0) {
        throw std::invalid_argument("--bits takes a positive number, not \"" + value + "\"");
      }
      a.bits = std::stoi(value);
    } else if (word == "--no-check") {
      a.check = false;
    } else if ((word[0] == '-' && word != "-") || has_file) {
      throw std::invalid_argument("cannot use \"" + word +
                                  "\"; usage: extrema_of_file [--bits B] [--no-check] [FILE | -]");
    } else {
      a.file = word;
      has_file = true;
    }
  }
  return a;
}

} // namespace

int main(int argc, char** argv) {
  try {
    const arguments options = parse_arguments(argc, argv);
    stopwatch watch;
    const input data = read_lines(options.file);
    return run_smallest<97, 161, 289, 545, 1057, 2081, 4129, 8225>(data, options, watch.milliseconds());
  } catch (const std::invalid_argument& e) {
    std::cerr << "extrema_of_file: " << e.what() << '\n';
    return 2;
  } catch (const std::exception& e) {
    std::cerr << "extrema_of_file: " << e.what() << '\n';
    return 1;
  }
}
