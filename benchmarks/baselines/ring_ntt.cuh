// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors
#pragma once

/// @file
/// Baseline: products c = f g in Z_q[x]/(x^n - x - 1) on CUDA cores by number-theoretic transforms, N log N operations.
///
/// The product s of the two polynomials is computed modulo x^N - 1, N = 512 L >= 2n - 1, and one prime or two with 512 | p - 1,
/// large enough for the integers c_k = s_k + s_(n+k) + s_(n+k-1), the last term for k > 0; these are reduced modulo q at last.
///
/// With y = x^L a polynomial is L columns, the sum over r < L of x^r A_r(y). A transform of length 512 of each column takes
///
///     Z_p[x]/(x^N - 1)  to  the product over all w with w^512 = 1 of Z_p[x]/(x^L - w)
///
/// in three passes of radix 8. L = 3, 4 or 5 is not split further: the 512 small products take L^2 multiplications each,
/// fewer than a fourth pass of radix L in each of three transforms would.
///
/// The transform goes down a binary tree, nodes numbered from 1 at the root so that 2h and 2h + 1 are below h:
///
///     node h:  y^(2m) - r_h^2 = (y^m - r_h)(y^m + r_h),    U + V y^m  goes to  U + r_h V  and  U - r_h V,
///
/// and back up the same way, so nothing is ever permuted. A pass is three levels. A block of 64 threads multiplies a pair;
/// thread t takes from each column eight values, of y^e for
///
///     pass 1   e = t + 64 j                  below node 1, upper half zero
///     pass 2   e = 64 (t/8) + t%8 + 8 j      below node 8 + t/8
///     pass 3   e = 8 t + j                   below node 64 + t;   j < 8
///
/// Between passes the values lie in shared memory. Residues are signed and reduced by multiplications only; bounds are
/// asserted below. Products with constants are V. Shoup's, of two residues P. Montgomery's.

#include <thrust_rns/ring.h>

#include <cuda_runtime_api.h>

#include <algorithm>
#include <cstdint>

namespace baselines {
namespace ntt {

constexpr int threads = 64;

// ---- residues -------------------------------------------------------------------------------------------------------

/// A constant w modulo p, centred, and the integer next to w 2^32 / p.
struct alignas(8) factor {
  int w, quotient;
};

constexpr factor make_factor(std::int64_t w, int p) {
  w %= p;
  w += w < 0 ? p : 0;
  const std::int64_t quotient = ((w << 33) + p) / (2 * std::int64_t{p}); // w > p/2 means w - p: 2^32 less
  return w > p / 2 ? factor{static_cast<int>(w - p), static_cast<int>(quotient - (std::int64_t{1} << 32))}
                   : factor{static_cast<int>(w), static_cast<int>(quotient)};
}

__device__ constexpr int high_half(std::int64_t x) { return static_cast<int>(x >> 32); }

/// u + x w modulo p: u + (0 .. p) but for p |x| / 2^33 on either side.
__device__ inline int multiply_add(int u, int x, factor f, int minus_p) {
  const unsigned sum = static_cast<unsigned>(u) + static_cast<unsigned>(x) * static_cast<unsigned>(f.w);
  const unsigned t = static_cast<unsigned>(__mulhi(x, f.quotient));
  return static_cast<int>(sum + t * static_cast<unsigned>(minus_p));
}

__device__ inline int multiply(int x, factor f, int minus_p) { return multiply_add(0, x, f, minus_p); }

/// x w modulo p: -p/2 .. p/2 but for p |x| / 2^33 on either side.
__device__ inline int multiply_centred(int x, factor f, int minus_p) {
  const int t = high_half(std::int64_t{x} * f.quotient + (std::int64_t{1} << 31));
  return static_cast<int>(static_cast<unsigned>(x) * static_cast<unsigned>(f.w) +
                          static_cast<unsigned>(t) * static_cast<unsigned>(minus_p));
}

/// x / 2^32 modulo p, in magnitude at most |x| / 2^32 + p/2 + 1.
__device__ inline int divide_by_2_32(std::int64_t x, int minus_p, unsigned inverse) {
  const int t = static_cast<int>(static_cast<unsigned>(x) * inverse); // t (-p) = x modulo 2^32
  return high_half(x) - __mulhi(t, minus_p);
}

// ---- a prime and its tree -------------------------------------------------------------------------------------------

struct alignas(16) factor_pair {
  factor of[2];
};

/// r_h, or its inverse, of nodes h = Count + i, i < Count, and of the two levels below each: 2h and 2h + 1; 4h .. 4h + 3.
template <int Count>
struct subtrees {
  factor_pair node[Count], below[Count], left[Count], right[Count]; // node: one of each pair
};

/// As three passes need them.
struct tree {
  subtrees<1> first;
  subtrees<8> second;
  subtrees<64> third;
};

struct prime_table {
  int minus_p;
  unsigned inverse; // of -p, modulo 2^32
  int reciprocal;   // 2^32 / p
  factor scale;     // 2^32 / 512: what three passes down, a product and three passes up leave behind
  factor garner;    // 1 / the first prime
  tree down, up;    // r_h, 1 / r_h
};

template <int Count>
constexpr void gather(const factor (&r)[512], subtrees<Count>& s) {
  for (int i = 0, h = Count; i < Count; ++i, ++h) {
    s.node[i].of[0] = r[h];
    s.below[i] = {r[2 * h], r[2 * h + 1]};
    s.left[i] = {r[4 * h], r[4 * h + 1]};
    s.right[i] = {r[4 * h + 2], r[4 * h + 3]};
  }
}

constexpr tree make_tree(const factor (&r)[512]) {
  tree t{};
  gather(r, t.first);
  gather(r, t.second);
  gather(r, t.third);
  return t;
}

constexpr std::int64_t power(std::int64_t x, std::int64_t exponent, int p) {
  std::int64_t y = 1;
  for (; exponent > 0; exponent /= 2, x = x * x % p) y = exponent % 2 == 1 ? y * x % p : y;
  return y;
}

/// For two primes, `other` is the first when this is the second.
constexpr prime_table make_table(int p, int other) {
  prime_table t{};
  t.minus_p = -p;
  t.inverse = 1;
  for (int k = 0; k < 5; ++k) t.inverse *= 2 + static_cast<unsigned>(p) * t.inverse;
  t.reciprocal = make_factor(1, p).quotient;
  t.scale = make_factor(1 << 23, p);
  t.garner = make_factor(power(other, p - 2, p), p);

  std::int64_t root = 0; // of order 512
  for (int x = 2; root == 0 || power(root, 256, p) != p - 1; ++x) root = power(x, (p - 1) / 512, p);
  int squares[512] = {0, 512}; // r_h^2 as exponents of the root
  factor down[512] = {}, up[512] = {};
  for (int h = 1; h < 512; ++h) {
    const int r = squares[h] / 2 % 256; // -r would do as well
    if (h < 256) squares[2 * h] = r, squares[2 * h + 1] = r + 256;
    down[h] = make_factor(power(root, r, p), p);
    up[h] = make_factor(power(root, 512 - r, p), p);
  }
  t.down = make_tree(down);
  t.up = make_tree(up);
  return t;
}

constexpr int p_0 = 33551873, p_1 = 33550849; // the largest below 2^25 with 512 | p - 1
__device__ const prime_table tables[2] = {make_table(p_0, p_1), make_table(p_1, p_0)};

// ---- numbers of one kernel ------------------------------------------------------------------------------------------

template <class R, class G>
struct plan {
  using ring = R;
  using small_or_full = G;
  static constexpr int n = R::degree, q = R::modulus, row = thrust_rns::full_element<R>::row;
  static constexpr int columns = (2 * n - 1 + 511) / 512; // L
  static constexpr int size = 512 * columns;              // N
  static constexpr int first_stride = 64 * columns;       // of x, between a thread's values in pass 1

  // A column in shared memory: four words between 32 values, so that passes 2 and 3 meet no bank twice; eight after it, so that
  // pass 1, whose neighbours lie in L columns, meets none more than twice.
  static constexpr int column_words = 512 + 512 / 8 + 8;
  static constexpr int words = columns * column_words;

  // Bounds of magnitudes, for the larger prime.
  static constexpr std::int64_t p = p_0, limit = (std::int64_t{1} << 31) - 1;
  static constexpr std::int64_t product(std::int64_t x) { return p + p * x / (std::int64_t{1} << 33) + 1; }
  static constexpr std::int64_t level(std::int64_t x) { return x + product(x); }
  static constexpr std::int64_t level_with_ones(std::int64_t x) { return std::max(2 * x, level(x)); }
  static constexpr std::int64_t forward(std::int64_t x) {
    return level(level(level(level(level(level(level_with_ones(level_with_ones(x))))))));
  }
  static constexpr std::int64_t backward(std::int64_t x) { return 4 * product(8 * x); } // 8x on the way
  static constexpr std::int64_t f = forward(q / 2), g = forward(product(-G::coefficients::smallest));
  static constexpr std::int64_t pass_3 = columns * f * g / (std::int64_t{1} << 32) + p / 2 + 2;
  static constexpr std::int64_t pass_2 = backward(pass_3), pass_1 = backward(pass_2);
  static constexpr std::int64_t sum = 3 * product(8 * pass_1); // of three s
  static_assert(n <= size / 2 && n + row <= size, "the upper half of an operand must be zero");
  static_assert(f < limit && g < limit && product(g) < g && columns * f < (std::int64_t{1} << 62) / g &&
                    8 * std::max(pass_3, std::max(pass_2, pass_1)) < limit && 2 * sum < limit,
                "residues must fit in 32 bits, sums of products of two in 64");

  // The integers c_k, and what two primes can tell apart: c = c' + p_0 h.
  static constexpr std::int64_t largest = std::int64_t{2} * n * (q / 2) * -G::coefficients::smallest;
  static constexpr std::int64_t centred = p_1 / 2 - (product(2 * sum) - p) - 1;
  static constexpr int count = largest <= centred ? 1 : 2; // of primes
  static constexpr std::int64_t largest_h = (largest + sum) / p_1 + 1;
  static_assert(count == 1 || (largest_h <= centred && sum + q * largest_h < limit), "the primes are too small");

  // Blocks a multiprocessor shall hold: as many as registers and shared memory allow without spills.
  static constexpr int blocks = columns == 3 ? 14 : columns == 4 || count == 1 ? 8 : 6;
};

/// Shared memory of a block.
template <class Plan>
struct memory {
  alignas(16) int f[Plan::words];              // L x 512, padded
  alignas(16) int g[Plan::words];              // the same; at last s: N, not padded
  int first[Plan::count == 1 ? 1 : Plan::row]; // c modulo the first prime
};

/// The place of y^e in its column.
__device__ constexpr int place(int e) { return e + e / 32 * 4; }

// ---- three levels ---------------------------------------------------------------------------------------------------

/// (U, V) := (U + r V, U - r V)
__device__ inline void split(int& u, int& v, factor r, int minus_p) {
  const int sum = multiply_add(u, v, r, minus_p);
  v = 2 * u - sum;
  u = sum;
}

/// The same for r = 1.
__device__ inline void split(int& u, int& v) {
  const int sum = u + v;
  v = u - v;
  u = sum;
}

/// (A, B) := (A + B, (A - B) / r), twice what `split` began with; `r` is the inverse.
__device__ inline void join(int& a, int& b, factor r, int minus_p) {
  const int difference = a - b;
  a += b;
  b = multiply(difference, r, minus_p);
}

/// One of them, in registers.
struct subtree {
  factor node;
  factor_pair below, left, right;

  template <int Count>
  __device__ subtree(const subtrees<Count>& s, int i)
      : node(s.node[i].of[0]), below(s.below[i]), left(s.left[i]), right(s.right[i]) {}
};

__device__ inline void split_8(int (&x)[8], const subtree& r, int minus_p) {
  for (int j = 0; j < 4; ++j) split(x[j], x[j + 4], r.node, minus_p);
  for (int j = 0; j < 2; ++j) split(x[j], x[j + 2], r.below.of[0], minus_p);
  for (int j = 4; j < 6; ++j) split(x[j], x[j + 2], r.below.of[1], minus_p);
  split(x[0], x[1], r.left.of[0], minus_p);
  split(x[2], x[3], r.left.of[1], minus_p);
  split(x[4], x[5], r.right.of[0], minus_p);
  split(x[6], x[7], r.right.of[1], minus_p);
}

/// Eight times the inverse; r from the table of inverses.
__device__ inline void join_8(int (&x)[8], const subtree& r, int reciprocal, int minus_p) {
  join(x[0], x[1], r.left.of[0], minus_p);
  join(x[2], x[3], r.left.of[1], minus_p);
  join(x[4], x[5], r.right.of[0], minus_p);
  join(x[6], x[7], r.right.of[1], minus_p);
  for (int j = 0; j < 2; ++j) join(x[j], x[j + 2], r.below.of[0], minus_p);
  for (int j = 4; j < 6; ++j) join(x[j], x[j + 2], r.below.of[1], minus_p);
  for (int j = 0; j < 4; ++j) join(x[j], x[j + 4], r.node, minus_p);
  x[0] = multiply(x[0], {1, reciprocal}, minus_p); // the only one that no product has reduced
}

/// `split_8` at the root, with x[4 .. 7] zero before: r_1 = r_2 = r_4 = 1.
__device__ inline void split_8_at_root(int (&x)[8], const subtree& r, int minus_p) {
  for (int j = 0; j < 4; ++j) x[j + 4] = x[j];
  for (int j = 0; j < 2; ++j) split(x[j], x[j + 2]);
  for (int j = 4; j < 6; ++j) split(x[j], x[j + 2], r.below.of[1], minus_p);
  split(x[0], x[1]);
  split(x[2], x[3], r.left.of[1], minus_p);
  split(x[4], x[5], r.right.of[0], minus_p);
  split(x[6], x[7], r.right.of[1], minus_p);
}

/// `join_8` at the root, and all values reduced.
__device__ inline void join_8_at_root(int (&x)[8], const subtree& r, int reciprocal, int minus_p) {
  split(x[0], x[1]);
  join(x[2], x[3], r.left.of[1], minus_p);
  join(x[4], x[5], r.right.of[0], minus_p);
  join(x[6], x[7], r.right.of[1], minus_p);
  for (int j = 0; j < 2; ++j) split(x[j], x[j + 2]);
  for (int j = 4; j < 6; ++j) join(x[j], x[j + 2], r.below.of[1], minus_p);
  for (int j = 0; j < 4; ++j) split(x[j], x[j + 4]);
  for (int& value : x) value = multiply(value, {1, reciprocal}, minus_p);
}

// ---- passes, each by all threads between two barriers; memory.f and memory.g are L x 512 ---------------------------

/// Pass 1 down: coefficients i + 64 L j of the operands, i = t, t + 64 ...; g times the scale.
template <class Plan, class F, class G>
__device__ void first_pass_down(int t, const F& f, const G& g, memory<Plan>& m, const prime_table& prime) {
  const int minus_p = prime.minus_p;
  const factor scale = prime.scale;
  const subtree r(prime.down.first, 0);
#pragma unroll
  for (int k = 0; k < Plan::columns; ++k) {
    const int i = t + threads * k;
    int a[8], b[8];
    for (int j = 0; j < 4; ++j) {
      const int at = i + Plan::first_stride * j;
      a[j] = at < Plan::n ? f[at] : 0;
      b[j] = at < Plan::n ? multiply(g[at], scale, minus_p) : 0;
    }
    split_8_at_root(a, r, minus_p);
    split_8_at_root(b, r, minus_p);
    const int to = i % Plan::columns * Plan::column_words + place(i / Plan::columns);
    for (int j = 0; j < 8; ++j) {
      m.f[to + place(64) * j] = a[j];
      m.g[to + place(64) * j] = b[j];
    }
  }
}

/// Pass 2 down, in place.
template <class Plan>
__device__ void second_pass_down(int t, memory<Plan>& m, const prime_table& prime) {
  const int minus_p = prime.minus_p, e = t / 8 * 64 + t % 8;
  const subtree r(prime.down.second, t / 8);
#pragma unroll 1
  for (int at = place(e); at < Plan::words; at += Plan::column_words) {
    int a[8], b[8];
    for (int j = 0; j < 8; ++j) a[j] = m.f[at + place(8 * j)], b[j] = m.g[at + place(8 * j)];
    split_8(a, r, minus_p);
    split_8(b, r, minus_p);
    for (int j = 0; j < 8; ++j) m.f[at + place(8 * j)] = a[j], m.g[at + place(8 * j)] = b[j];
  }
}

/// a := a b / 2^32 modulo x^L - w.
template <int L>
__device__ void multiply_modulo(int (&a)[L], const int (&b)[L], factor w, int minus_p, unsigned inverse) {
  int wb[L]; // w b
  for (int i = 1; i < L; ++i) wb[i] = multiply(b[i], w, minus_p);
  int c[L];
  for (int k = 0; k < L; ++k) {
    std::int64_t sum = 0;
    for (int i = 0; i < L; ++i) sum += std::int64_t{a[i]} * (i <= k ? b[k - i] : wb[L + k - i]);
    c[k] = divide_by_2_32(sum, minus_p, inverse);
  }
  for (int k = 0; k < L; ++k) a[k] = c[k];
}

/// Eight neighbours in shared memory.
struct alignas(16) eight {
  int x[8];
};

/// Pass 3 down, the products, and pass 3 up; the result is in memory.f.
template <class Plan>
__device__ void third_passes(int t, memory<Plan>& m, const prime_table& prime) {
  constexpr int L = Plan::columns;
  const int minus_p = prime.minus_p, at = place(8 * t);
  eight b[L], a[L];
  const subtree r(prime.down.third, t);
#pragma unroll
  for (int k = 0; k < L; ++k) {
    b[k] = reinterpret_cast<const eight&>(m.g[at + Plan::column_words * k]);
    split_8(b[k].x, r, minus_p);
  }
#pragma unroll
  for (int k = 0; k < L; ++k) {
    a[k] = reinterpret_cast<const eight&>(m.f[at + Plan::column_words * k]);
    split_8(a[k].x, r, minus_p);
  }
#pragma unroll
  for (int j = 0; j < 8; ++j) {
    int u[L], v[L];
    for (int k = 0; k < L; ++k) u[k] = a[k].x[j], v[k] = b[k].x[j];
    const factor w = (j < 4 ? r.left : r.right).of[j / 2 % 2];
    multiply_modulo(u, v, j % 2 == 0 ? w : factor{-w.w, -w.quotient}, minus_p, prime.inverse);
    for (int k = 0; k < L; ++k) a[k].x[j] = u[k];
  }
  const subtree back(prime.up.third, t);
#pragma unroll
  for (int k = 0; k < L; ++k) {
    join_8(a[k].x, back, prime.reciprocal, minus_p);
    reinterpret_cast<eight&>(m.f[at + Plan::column_words * k]) = a[k];
  }
}

/// Pass 2 up, in place.
template <class Plan>
__device__ void second_pass_up(int t, memory<Plan>& m, const prime_table& prime) {
  const int minus_p = prime.minus_p, e = t / 8 * 64 + t % 8;
  const subtree r(prime.up.second, t / 8);
#pragma unroll 1
  for (int at = place(e); at < Plan::words; at += Plan::column_words) {
    int a[8];
    for (int j = 0; j < 8; ++j) a[j] = m.f[at + place(8 * j)];
    join_8(a, r, prime.reciprocal, minus_p);
    for (int j = 0; j < 8; ++j) m.f[at + place(8 * j)] = a[j];
  }
}

/// Pass 1 up: s_i modulo p at memory.g[i].
template <class Plan>
__device__ void first_pass_up(int t, memory<Plan>& m, const prime_table& prime) {
  const int minus_p = prime.minus_p;
  const subtree r(prime.up.first, 0);
#pragma unroll 1
  for (int i = t; i < Plan::first_stride; i += threads) {
    const int from = i % Plan::columns * Plan::column_words + place(i / Plan::columns);
    int a[8];
    for (int j = 0; j < 8; ++j) a[j] = m.f[from + place(64) * j];
    join_8_at_root(a, r, prime.reciprocal, minus_p);
    for (int j = 0; j < 8; ++j) m.g[i + Plan::first_stride * j] = a[j];
  }
}

/// c_k modulo x^n - x - 1 and q, two neighbours at a time, once the last prime's s_i are there.
template <class Plan>
__device__ void reduce(int t, bool is_last, std::uint16_t* row, memory<Plan>& m, const prime_table& prime) {
  constexpr int n = Plan::n, q = Plan::q;
  const auto sum = [&](int k) {
    const int below = m.g[n + k - 1];
    return m.g[k] + m.g[n + k] + (k > 0 ? below : 0);
  };
  const auto coefficient = [&](int k) -> unsigned { // of padding zero
    int c = 0;
    if constexpr (Plan::count == 1) {
      c = multiply_centred(sum(k), {1, prime.reciprocal}, prime.minus_p);
    } else { // Garner: c = c' + p_0 h
      const int h = multiply_centred(sum(k) - m.first[k], prime.garner, prime.minus_p);
      c = m.first[k] + p_0 % q * h;
    }
    c %= q;
    return k < n ? static_cast<unsigned>(c + (c < 0 ? q : 0)) : 0;
  };
  if constexpr (Plan::count == 2) {
    if (!is_last) {
      for (int k = t; k < Plan::row; k += threads) m.first[k] = sum(k);
      return;
    }
  }
  for (int k = 2 * t; k < Plan::row; k += 2 * threads) {
    reinterpret_cast<unsigned*>(row)[k / 2] = coefficient(k) | (coefficient(k + 1) << 16);
  }
}

/// c[b] := f[b] g[b], b the block.
template <class Plan>
__global__ void __launch_bounds__(threads, Plan::blocks)
    multiply_pairs(const thrust_rns::full_element<typename Plan::ring>* __restrict__ f,
                   const typename Plan::small_or_full* __restrict__ g,
                   thrust_rns::full_element<typename Plan::ring>* __restrict__ c) {
  __shared__ memory<Plan> m;
  int t = static_cast<int>(threadIdx.x);
#pragma unroll 1
  for (int k = 0; k < Plan::count; ++k) {
    const prime_table& prime = tables[k];
    if constexpr (Plan::count == 2) asm volatile("" : "+r"(t)); // keeps no addresses in registers for the second prime
    first_pass_down(t, f[blockIdx.x], g[blockIdx.x], m, prime);
    __syncthreads();
    second_pass_down(t, m, prime);
    __syncthreads();
    third_passes(t, m, prime);
    __syncthreads();
    second_pass_up(t, m, prime);
    __syncthreads();
    first_pass_up(t, m, prime);
    __syncthreads();
    reduce(t, k == Plan::count - 1, c[blockIdx.x].data(), m, prime);
    __syncthreads();
  }
}

} // namespace ntt

/// d_c[i] := d_f[i] d_g[i], i < count. One kernel on `stream`, no synchronisation; pointers aligned to 16 bytes.
template <class R, class G>
cudaError_t multiply_by_ntt(const thrust_rns::full_element<R>* d_f, const G* d_g, thrust_rns::full_element<R>* d_c,
                            std::int64_t count, cudaStream_t stream = nullptr) {
  if (count < 0 || count > INT32_MAX) return cudaErrorInvalidValue;
  if (count == 0) return cudaSuccess;
  ntt::multiply_pairs<ntt::plan<R, G>><<<static_cast<unsigned>(count), ntt::threads, 0, stream>>>(d_f, d_g, d_c);
  return cudaGetLastError();
}

} // namespace baselines
