// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors
#pragma once

/// @file
/// Exact products of integer matrices on the CUDA backend.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <thrust_rns/config.h>
#include <thrust_rns/detail/integer_base.h>
#include <thrust_rns/detail/matrix_problem.h>
#include <thrust_rns/detail/thrust_compat.h>
#include <thrust_rns/detail/integer_kernels.cuh>
#include <thrust_rns/detail/matrix_launch.cuh>
#include <thrust_rns/detail/scratch.cuh>

namespace thrust_rns {
namespace detail {

/// Sizes and operands of a product of integers.
struct integer_problem {
  integer_source a, b;
  std::int64_t rows, inner, columns;
  std::int64_t* limbs;
  int limbs_per_entry;

  std::int64_t entries() const { return rows * columns; }
  std::int64_t plane_stride() const { return (entries() + 3) / 4 * 4; }
};

/// Takes pieces of one block of memory, each aligned to 256 bytes.
class memory_pieces {
 public:
  std::size_t add(std::size_t bytes) {
    const std::size_t at = size_;
    size_ += (bytes + 255) / 256 * 256;
    return at;
  }
  std::size_t size() const { return size_; }

 private:
  std::size_t size_ = 0;
};

/// The tables of a base as bytes: reciprocals, digits of cofactors, digits of M.
inline std::vector<unsigned char> bytes_of_tables(const integer_base& base) {
  std::vector<double> reciprocals;
  for (int p = 0; p < base.moduli.size; ++p) reciprocals.push_back(1.0 / base.moduli.value[p]);
  std::vector<unsigned char> bytes;
  const auto append = [&](const auto& table) {
    const auto* first = reinterpret_cast<const unsigned char*>(table.data());
    bytes.insert(bytes.end(), first, first + table.size() * sizeof(table[0]));
  };
  append(reciprocals);
  append(base.cofactors);
  append(base.range);
  return bytes;
}

inline integer_tables tables_at(const unsigned char* memory, const integer_base& base) {
  const auto* reciprocals = reinterpret_cast<const double*>(memory);
  const auto* cofactors = reinterpret_cast<const std::uint32_t*>(reciprocals + base.moduli.size);
  return {reciprocals, cofactors, cofactors + base.cofactors.size(), base.moduli.size, base.digits};
}

template <class Word>
cudaError_t launch_clear_padding(Word* c, const integer_problem& p, int planes, cudaStream_t stream) {
  if (p.plane_stride() == p.entries()) return cudaSuccess;
  return launch_kernel(clear_padding<Word>, 1, matrix_threads, 0, stream, c, p.plane_stride(), p.entries(), planes);
}

template <class Word>
cudaError_t launch_to_limbs(const Word* s, const integer_problem& p, const integer_tables& tables,
                            cudaStream_t stream) {
  return launch_kernel(residues_to_limbs<Word>, blocks_for((p.entries() + 3) / 4), matrix_threads, 0, stream, s,
                       p.plane_stride(), p.entries(), tables, p.limbs, p.limbs_per_entry);
}

/// Lines of an operand to packed bytes: of integers of one word in one pass for all small moduli.
template <class Plan, int Lines>
cudaError_t launch_pack_integers(const integer_source& integers, std::int64_t lines, std::int64_t terms,
                                 const modulus_list& moduli, unsigned char* packed, cudaStream_t stream) {
  if constexpr (Plan::limbs == 1) {
    if (integers.limbs == 1) {
      return launch_kernel(
          pack_words<Lines>,
          blocks_for(Plan::tiles_of(lines, Lines) * Plan::stages_of(terms) * Lines * (Plan::inner / 16)),
          matrix_threads, 0, stream, integers, lines, terms, byte_residues(moduli), packed);
    }
  }
  return launch_pack<Plan, Lines>(lines_of_integers{integers, lines, terms, moduli}, moduli.size, packed, stream);
}

template <int Limbs, class Word, class Policy>
void multiply_integers_by_bytes(Policy& policy, const integer_problem& p, const integer_base& base) {
  using plan = tensor_plan<Limbs>;
  constexpr const char* what = "thrust_rns: exact_matmul";
  const cudaStream_t stream = stream_of(policy);
  const modulus_list& moduli = base.moduli;
  const std::vector<unsigned char> tables = bytes_of_tables(base);
  const packed_sizes<plan> sizes(p.rows, p.columns, p.inner, moduli.size, moduli.size);
  memory_pieces pieces;
  const std::size_t at_tables = pieces.add(tables.size()), at_a = pieces.add(sizes.a), at_b = pieces.add(sizes.b);
  const std::size_t at_c =
      pieces.add(static_cast<std::size_t>(moduli.size) * static_cast<std::size_t>(p.plane_stride()) * sizeof(Word));
  const scratch<Policy> memory(policy, pieces.size());
  unsigned char* const d = memory.bytes();
  auto* const c = reinterpret_cast<Word*>(d + at_c);
  check_cuda(cudaMemcpyAsync(d + at_tables, tables.data(), tables.size(), cudaMemcpyHostToDevice, stream), what);
  check_cuda(launch_clear_padding(c, p, moduli.size, stream), what);
  for (std::int64_t first = 0; first < p.inner; first += plan::longest_sum) {
    const std::int64_t terms = std::min(plan::longest_sum, p.inner - first);
    check_cuda(launch_pack_integers<plan, plan::rows>(p.a.moved(first * p.a.column_stride), p.rows, terms, moduli,
                                                      d + at_a, stream),
               what);
    check_cuda(launch_pack_integers<plan, plan::columns>(p.b.moved(first * p.b.row_stride).transposed(), p.columns,
                                                         terms, moduli, d + at_b, stream),
               what);
    check_cuda(
        launch_packed<plan>(packed_operands{d + at_a, d + at_b, p.rows, p.columns, terms, 1, 1, 1}, moduli,
                            store_weighted<Word>{c, p.plane_stride(), p.columns, 1, first != 0, base.weights}, stream),
        what);
  }
  check_cuda(launch_to_limbs(c, p, tables_at(d + at_tables, base), stream), what);
}

/// By residue planes and the kernels that every device has.
template <class Policy>
void multiply_integers_by_planes(Policy& policy, const integer_problem& p, const integer_base& base) {
  constexpr const char* what = "thrust_rns: exact_matmul";
  const cudaStream_t stream = stream_of(policy);
  const modulus_list& moduli = base.moduli;
  const std::vector<unsigned char> tables = bytes_of_tables(base);
  const auto words = [&](std::int64_t entries) { return static_cast<std::size_t>(moduli.size * entries) * 4; };
  matrix_problem q{{nullptr, p.rows * p.inner, 0, p.inner, 1},
                   {nullptr, p.inner * p.columns, 0, p.columns, 1},
                   {nullptr, p.plane_stride(), 0, p.columns, 1},
                   p.rows,
                   p.columns,
                   p.inner,
                   1,
                   moduli.size,
                   accumulation::assign,
                   nullptr};
  std::size_t bytes = 0;
  check_cuda(launch_product(nullptr, bytes, q, moduli, stream), what);
  memory_pieces pieces;
  const std::size_t at_tables = pieces.add(tables.size()), at_a = pieces.add(words(p.rows * p.inner)),
                    at_b = pieces.add(words(p.inner * p.columns)), at_c = pieces.add(words(p.plane_stride())),
                    at_temp = pieces.add(bytes);
  const scratch<Policy> memory(policy, pieces.size());
  unsigned char* const d = memory.bytes();
  auto *a = reinterpret_cast<std::uint32_t*>(d + at_a), *b = reinterpret_cast<std::uint32_t*>(d + at_b),
       *c = reinterpret_cast<std::uint32_t*>(d + at_c);
  q.a.first = a;
  q.b.first = b;
  q.c.first = c;
  check_cuda(cudaMemcpyAsync(d + at_tables, tables.data(), tables.size(), cudaMemcpyHostToDevice, stream), what);
  check_cuda(launch_kernel(integers_to_planes<modulus_list>, blocks_for(moduli.size * p.rows * p.inner), matrix_threads,
                           0, stream, p.a, p.rows, p.inner, moduli, a),
             what);
  check_cuda(launch_kernel(integers_to_planes<modulus_list>, blocks_for(moduli.size * p.inner * p.columns),
                           matrix_threads, 0, stream, p.b, p.inner, p.columns, moduli, b),
             what);
  check_cuda(launch_clear_padding(c, p, moduli.size, stream), what);
  check_cuda(launch_product(d + at_temp, bytes, q, moduli, stream), what);
  check_cuda(launch_kernel(weight_planes<modulus_list>, blocks_for(moduli.size * p.plane_stride()), matrix_threads, 0,
                           stream, c, p.plane_stride(), moduli, base.weights),
             what);
  check_cuda(launch_to_limbs(c, p, tables_at(d + at_tables, base), stream), what);
}

/// limbs := a b, |entries| <= 2^bits. The smallest moduli that suffice, for the most bits a byte product.
template <class Policy>
void multiply_integers_on_device(const Policy& exec, const integer_source& a, const integer_source& b,
                                 std::int64_t rows, std::int64_t inner, std::int64_t columns, int bits,
                                 std::int64_t* limbs, int limbs_per_entry) {
  constexpr const char* what = "thrust_rns: exact_matmul";
  Policy policy = exec;
  const integer_problem p{a, b, rows, inner, columns, limbs, limbs_per_entry};
  bool tensor_cores = false;
  for (const modulus_class c : {modulus_class::byte, modulus_class::half_word, modulus_class::word}) {
    if (c == modulus_class::byte) {
      check_cuda(prepare_tensor_kernel<tensor_plan<1>, store_weighted<std::uint8_t>>(tensor_cores), what);
    } else if (c == modulus_class::half_word) {
      check_cuda(prepare_tensor_kernel<tensor_plan<2>, store_weighted<std::uint16_t>>(tensor_cores), what);
    }
    if (c != modulus_class::word && !tensor_cores) continue;
    const integer_base base(c, bits);
    if (base.moduli.size == 0) continue;
    if (c == modulus_class::byte) {
      multiply_integers_by_bytes<1, std::uint8_t>(policy, p, base);
    } else if (c == modulus_class::half_word) {
      multiply_integers_by_bytes<2, std::uint16_t>(policy, p, base);
    } else {
      multiply_integers_by_planes(policy, p, base);
    }
    break;
  }
  synchronize_optional(policy, what);
}

} // namespace detail
} // namespace thrust_rns
