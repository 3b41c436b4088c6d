// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors
#pragma once

/// @file
/// Vectors of numbers in binary files.
///
///   save(os, vector)    save(name, vector)    to a stream, to a new file
///   load(is, vector)    load(name, vector)    the vector := what was saved
///
/// The file holds the moduli, the kind of range, the count and the residues, little-endian on every machine, so that it
/// is read only by the type that wrote it; two CRC-32C guard it. `load` from a stream reads one vector and leaves the
/// stream behind it: several may follow one another.
///
/// Errors are file_error: a file that cannot be opened, written or read; one that is none of ours, is of another
/// version, base or range, ends too early, or has been changed; and for `load` by name one that goes on after its end.
/// The message names the file and what is wrong. A vector is as it was before a load that fails; a file that could not be
/// written whole may be left behind. Work: residues are
/// copied in pieces of 1 MB; two passes over each in host memory, for the sum and for the file. The evaluations are not
/// stored.
///
/// Format, version 1: "thrRNS\r\n"; u32 version; u32 range (0 unsigned, 1 symmetric); u64 count; u32 n; n times u32
/// modulus; u32 CRC-32C of all that; n planes of `count` times u32 residue; u32 CRC-32C of the planes.
///
/// @code
/// #include <sstream>
/// #include <thrust_rns/device_vector.h>
/// #include <thrust_rns/files.h>
/// using number = thrust_rns::number<thrust_rns::moduli_for_bits<128>>;
/// std::stringstream file;
/// thrust_rns::save(file, thrust_rns::device_vector<number>{7, 8, 9});
/// thrust_rns::device_vector<number> v;
/// thrust_rns::load(file, v);
/// std::cout << v.size() << ' ' << v[2] << '\n';  // prints 3 9
/// @endcode

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <istream>
#include <limits>
#include <ostream>
#include <streambuf>
#include <string>
#include <utility>
#include <vector>

#include <thrust_rns/config.h>
#include <thrust_rns/detail/basic_vector.h>
#include <thrust_rns/detail/crc32c.h>
#include <thrust_rns/detail/memory.h>
#include <thrust_rns/error.h>
#include <thrust_rns/number.h>

namespace thrust_rns {
namespace detail {

inline constexpr char file_magic[] = "thrRNS\r\n"; // the line end shows a transfer as text
inline constexpr std::size_t file_magic_size = 8;
inline constexpr std::uint32_t file_version = 1;
inline constexpr std::int64_t file_piece = 1 << 18; // residues

[[noreturn]] inline void throw_file_error(const std::string& name, const std::string& what) {
  throw file_error((name.empty() ? "thrust_rns" : name) + ": " + what);
}

/// Words as bytes, least significant first.
inline void encode_words(const std::uint32_t* words, std::size_t count, unsigned char* bytes) {
  for (std::size_t k = 0; k < count; ++k) {
    for (std::size_t b = 0; b < 4; ++b) bytes[4 * k + b] = static_cast<unsigned char>(words[k] >> (8 * b));
  }
}
inline void decode_words(const unsigned char* bytes, std::size_t count, std::uint32_t* words) {
  for (std::size_t k = 0; k < count; ++k) {
    words[k] = 0;
    for (std::size_t b = 0; b < 4; ++b) words[k] |= std::uint32_t{bytes[4 * k + b]} << (8 * b);
  }
}

/// Writes or reads words, with a CRC of their bytes.
class word_writer {
 public:
  word_writer(std::ostream& os, const std::string& name) : os_(os), name_(name) {}

  void write_bytes(const unsigned char* bytes, std::size_t count) {
    crc_.add(bytes, count);
    os_.write(reinterpret_cast<const char*>(bytes), static_cast<std::streamsize>(count));
    if (!os_) throw_file_error(name_, "writing failed");
  }
  void write(const std::uint32_t* words, std::size_t count) {
    bytes_.resize(4 * count);
    encode_words(words, count, bytes_.data());
    write_bytes(bytes_.data(), bytes_.size());
  }
  void write(std::uint32_t word) { write(&word, 1); }
  /// The CRC of what was written since the last, which is not part of the next.
  void write_crc() {
    write(crc_.value());
    crc_ = crc32c();
  }

 private:
  std::ostream& os_;
  const std::string& name_;
  crc32c crc_;
  std::vector<unsigned char> bytes_;
};

class word_reader {
 public:
  word_reader(std::istream& is, const std::string& name) : is_(is), name_(name) {}

  void read_bytes(unsigned char* bytes, std::size_t count) {
    is_.read(reinterpret_cast<char*>(bytes), static_cast<std::streamsize>(count));
    const auto got = static_cast<std::size_t>(is_.gcount());
    total_ += got;
    if (is_.bad()) throw_file_error(name_, "reading failed");
    if (got < count) throw_file_error(name_, "truncated: it ends after " + std::to_string(total_) + " bytes");
    crc_.add(bytes, count);
  }
  void read(std::uint32_t* words, std::size_t count) {
    bytes_.resize(4 * count);
    read_bytes(bytes_.data(), bytes_.size());
    decode_words(bytes_.data(), count, words);
  }
  std::uint32_t read() {
    std::uint32_t word;
    read(&word, 1);
    return word;
  }
  /// Throws if the stream is one that can be positioned and does not hold `count` bytes more: before memory is taken for them.
  void expect(std::uint64_t count) {
    std::streambuf& buffer = *is_.rdbuf();
    const std::streamoff here = buffer.pubseekoff(0, std::ios_base::cur, std::ios_base::in);
    if (here < 0) return;
    const std::streamoff end = buffer.pubseekoff(0, std::ios_base::end, std::ios_base::in);
    if (buffer.pubseekpos(here, std::ios_base::in) != std::streampos(here)) throw_file_error(name_, "reading failed");
    if (end < here) return;
    const auto left = static_cast<std::uint64_t>(end - here);
    if (left < count) throw_file_error(name_, "truncated: it ends after " + std::to_string(total_ + left) + " bytes");
  }
  void check_crc(const char* part) {
    const std::uint32_t expected = crc_.value();
    if (read() != expected) throw_file_error(name_, std::string("corrupt: the checksum of its ") + part + " is wrong");
    crc_ = crc32c();
  }

 private:
  std::istream& is_;
  const std::string& name_;
  crc32c crc_;
  std::vector<unsigned char> bytes_;
  std::uint64_t total_ = 0;
};

template <class Number, class Allocator, class System>
void save(std::ostream& os, const basic_vector<Number, Allocator, System>& v, const std::string& name) {
  word_writer out(os, name);
  out.write_bytes(reinterpret_cast<const unsigned char*>(file_magic), file_magic_size);
  const auto count = static_cast<std::uint64_t>(v.size());
  for (const std::uint32_t word : {file_version, std::uint32_t{Number::is_symmetric}, static_cast<std::uint32_t>(count),
                                   static_cast<std::uint32_t>(count >> 32), static_cast<std::uint32_t>(Number::size)}) {
    out.write(word);
  }
  for (const std::uint32_t m : Number::base_type::moduli) out.write(m);
  out.write_crc();

  const auto s = v.as_span();
  std::vector<std::uint32_t> piece(static_cast<std::size_t>(std::min(file_piece, s.size())));
  for (int i = 0; i < Number::size; ++i) {
    for (std::int64_t first = 0; first < s.size(); first += file_piece) {
      const auto here = static_cast<std::size_t>(std::min(file_piece, s.size() - first));
      copy_rows<thrust::host_system_tag, System>(piece.data(), 4 * here, s.plane(i) + first, 4 * here, 4 * here, 1);
      out.write(piece.data(), here);
    }
  }
  out.write_crc();
  if (!os.flush()) throw_file_error(name, "writing failed");
}

template <class Number>
std::uint64_t load_header(word_reader& in, const std::string& name) {
  unsigned char magic[file_magic_size];
  in.read_bytes(magic, file_magic_size);
  if (std::memcmp(magic, file_magic, file_magic_size) != 0) throw_file_error(name, "not a file of numbers");
  const std::uint32_t version = in.read();
  if (version != file_version) {
    throw_file_error(name, "its version is " + std::to_string(version) + "; this library reads version 1");
  }
  const std::uint32_t range = in.read();
  std::uint64_t count = in.read();
  count |= std::uint64_t{in.read()} << 32;
  const std::uint32_t size = in.read();
  if (size > maximum_moduli) throw_file_error(name, "corrupt: it says that it has " + std::to_string(size) + " moduli");
  std::vector<std::uint32_t> moduli(size);
  in.read(moduli.data(), size);
  in.check_crc("header");

  if (size != Number::size) {
    throw_file_error(name,
                     "another base: it has " + std::to_string(size) + " moduli, not " + std::to_string(Number::size));
  }
  for (int i = 0; i < Number::size; ++i) {
    const std::uint32_t m = moduli[static_cast<std::size_t>(i)];
    if (m == Number::base_type::moduli[i]) continue;
    throw_file_error(name, "another base: its modulus " + std::to_string(i) + " is " + std::to_string(m) + ", not " +
                               std::to_string(Number::base_type::moduli[i]));
  }
  if (range != std::uint32_t{Number::is_symmetric}) {
    throw_file_error(name, std::string("another range: its numbers are ") +
                               (Number::is_symmetric ? "unsigned, not symmetric" : "symmetric, not unsigned"));
  }
  return count;
}

template <class Number, class Allocator, class System>
void load(std::istream& is, basic_vector<Number, Allocator, System>& v, const std::string& name) {
  word_reader in(is, name);
  const std::uint64_t count = load_header<Number>(in, name);
  basic_vector<Number, Allocator, System> fresh(v.get_allocator());
  if (count > fresh.max_size() / 2) throw_file_error(name, "too long: " + std::to_string(count) + " numbers");
  in.expect(4 * (static_cast<std::uint64_t>(Number::size) * count + 1));
  fresh.resize(static_cast<std::size_t>(count));
  const auto s = fresh.as_span();
  std::vector<std::uint32_t> piece(static_cast<std::size_t>(std::min(file_piece, s.size())));
  for (int i = 0; i < Number::size; ++i) {
    std::uint32_t largest = 0;
    for (std::int64_t first = 0; first < s.size(); first += file_piece) {
      const auto here = static_cast<std::size_t>(std::min(file_piece, s.size() - first));
      in.read(piece.data(), here);
      for (std::size_t k = 0; k < here; ++k) largest = std::max(largest, piece[k]);
      copy_rows<System, thrust::host_system_tag>(s.plane(i) + first, 4 * here, piece.data(), 4 * here, 4 * here, 1);
    }
    if (largest >= Number::base_type::moduli[i]) {
      throw_file_error(name, "corrupt: a residue is " + std::to_string(largest) + ", its modulus " +
                                 std::to_string(Number::base_type::moduli[i]));
    }
  }
  in.check_crc("numbers");
  v = std::move(fresh);
}

} // namespace detail

template <class Number, class Allocator, class System>
void save(std::ostream& os, const detail::basic_vector<Number, Allocator, System>& v) {
  detail::save(os, v, std::string());
}
template <class Number, class Allocator, class System>
void save(const std::string& name, const detail::basic_vector<Number, Allocator, System>& v) {
  std::ofstream file(name, std::ios::binary | std::ios::trunc);
  if (!file) detail::throw_file_error(name, std::strerror(errno));
  detail::save(file, v, name);
}

template <class Number, class Allocator, class System>
void load(std::istream& is, detail::basic_vector<Number, Allocator, System>& v) {
  detail::load(is, v, std::string());
}
template <class Number, class Allocator, class System>
void load(const std::string& name, detail::basic_vector<Number, Allocator, System>& v) {
  std::ifstream file(name, std::ios::binary);
  if (!file) detail::throw_file_error(name, std::strerror(errno));
  detail::basic_vector<Number, Allocator, System> fresh(v.get_allocator());
  detail::load(file, fresh, name);
  if (file.peek() != std::ifstream::traits_type::eof()) detail::throw_file_error(name, "it goes on after its end");
  v = std::move(fresh);
}

} // namespace thrust_rns
