// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors
#pragma once

/// @file
/// The base as a type: pairwise coprime moduli m_1 .. m_n, whose product M is the dynamic range.
///
/// A base is any type with `static constexpr int size` and `static constexpr ... moduli` as below. It is checked and
/// its tables are made when it is first used; a set that is not pairwise coprime, or a modulus out of range, does
/// not compile, and the message names the moduli. Any order is fine, moduli need not be prime, one may be even.

#include <cstdint>

#include <thrust_rns/config.h>
#include <thrust_rns/detail/array.h>
#include <thrust_rns/detail/base_tables.h>

namespace thrust_rns {

namespace detail {

/// 2^31 minus the 272 largest primes below 2^31.
inline constexpr std::uint16_t prime_distances[maximum_moduli] = {
    1,    19,   61,   69,   85,   99,   105,  151,  159,  171,  225,  249,  295,  325,  379,  399,  411,  469,  477,
    511,  525,  571,  579,  589,  595,  615,  619,  697,  699,  705,  711,  727,  771,  775,  781,  789,  829,  831,
    837,  847,  885,  909,  951,  955,  967,  985,  987,  1027, 1057, 1065, 1071, 1141, 1147, 1167, 1231, 1239, 1281,
    1287, 1299, 1305, 1321, 1357, 1375, 1411, 1417, 1425, 1527, 1555, 1557, 1567, 1585, 1627, 1651, 1681, 1699, 1711,
    1741, 1747, 1749, 1755, 1765, 1785, 1821, 1837, 1851, 1855, 1975, 2019, 2077, 2085, 2119, 2139, 2149, 2157, 2161,
    2275, 2281, 2289, 2295, 2311, 2331, 2337, 2365, 2379, 2385, 2401, 2439, 2449, 2469, 2475, 2497, 2505, 2509, 2577,
    2595, 2617, 2629, 2659, 2677, 2679, 2691, 2707, 2721, 2727, 2749, 2751, 2755, 2799, 2805, 2811, 2857, 2901, 2905,
    2925, 2941, 2965, 2971, 2997, 3007, 3025, 3037, 3057, 3097, 3121, 3129, 3141, 3177, 3189, 3211, 3219, 3279, 3321,
    3337, 3349, 3351, 3421, 3429, 3441, 3451, 3487, 3609, 3637, 3639, 3657, 3711, 3741, 3751, 3757, 3769, 3825, 3829,
    3861, 3867, 3891, 3895, 3897, 3967, 3991, 4005, 4011, 4029, 4047, 4059, 4075, 4099, 4101, 4117, 4131, 4135, 4141,
    4159, 4201, 4227, 4245, 4267, 4287, 4299, 4309, 4341, 4375, 4389, 4417, 4459, 4477, 4515, 4519, 4527, 4551, 4557,
    4569, 4585, 4591, 4617, 4635, 4651, 4681, 4687, 4689, 4711, 4729, 4737, 4749, 4759, 4785, 4789, 4827, 4857, 4885,
    4915, 4917, 4921, 4927, 4929, 4945, 4947, 4975, 4987, 4989, 4995, 4999, 5001, 5037, 5047, 5067, 5079, 5085, 5127,
    5131, 5145, 5151, 5157, 5167, 5187, 5275, 5299, 5317, 5349, 5355, 5389, 5395, 5499, 5515, 5521, 5559, 5565, 5569,
    5599, 5631, 5635, 5659, 5695, 5715};

template <int N>
constexpr array<std::uint32_t, N> largest_primes() {
  array<std::uint32_t, N> m{};
  for (int i = 0; i < N; ++i) m[i] = (std::uint32_t{1} << 31) - prime_distances[i];
  return m;
}

template <int First, int Size, int N>
constexpr array<std::uint32_t, Size> slice(const array<std::uint32_t, N>& all) {
  array<std::uint32_t, Size> m{};
  for (int i = 0; i < Size; ++i) m[i] = all[First + i];
  return m;
}

/// The runs of isupov_moduli: each modulus after the first, as half its distance from the one before, a = 1.
template <int Bits>
inline constexpr char isupov_gaps[] = "";
template <>
inline constexpr char isupov_gaps<64>[] = "aaa";
template <>
inline constexpr char isupov_gaps<128>[] = "aaacbac";
template <>
inline constexpr char isupov_gaps<256>[] = "aaabacbababdcbc";
template <>
inline constexpr char isupov_gaps<512>[] = "aaabcacbabccacbcaedbababdcbcfdc";
template <>
inline constexpr char isupov_gaps<1024>[] = "aabababdbacbdceaegceaceaeahabdcbabfacbdedbacbgbcfdeccaccbaeakde";
template <>
inline constexpr char isupov_gaps<2048>[] =
    "aabababacbacbcfabablabcdeaeacbahafbccdcbccaeaegbacbdcbcaegcedkahabdccbfacbdedbacbgbcjeccaccbaeaifhfj"
    "ibcabdhgikcakcciaejecdbcaib";
template <>
inline constexpr char isupov_gaps<4096>[] =
    "aabacbabccaeacbgeafedbdccbciabfafcbcacbaicbfcdbacbgbcfjbicafefcacefafcegbcdhabdfededeaedbcfcjbacbjbc"
    "mieaichgbfgbfaefgccbgeaoikahabdcchacfedccbgbcjeccaccbaeaohccjibcabdhgikcakcciaerdbcjbfcgbanldbcfoipc"
    "hdrcbfafbcjeiidcbldegcbdfhahcdhfgeogbfdfceafncffjeaegcc";

template <int Bits>
constexpr array<std::uint32_t, Bits / 16> isupov_run(std::uint32_t first) {
  array<std::uint32_t, Bits / 16> m{};
  m[0] = first;
  for (int i = 1; i < Bits / 16; ++i) {
    m[i] = m[i - 1] + 2 * static_cast<std::uint32_t>(isupov_gaps<Bits>[i - 1] - 'a' + 1);
  }
  return m;
}

} // namespace detail

/// An explicit moduli set: 2 to 272 pairwise coprime moduli, each 2 <= m < 2^31.
///
/// @code
/// using base = thrust_rns::moduli_set<13, 7, 16>;
/// std::cout << base::size << ' ' << thrust_rns::dynamic_range_bits<base> << '\n';  // prints 3 11
/// @endcode
template <std::uint32_t... Moduli>
struct moduli_set {
  static constexpr int size = static_cast<int>(sizeof...(Moduli));
  static constexpr detail::array<std::uint32_t, size> moduli{{Moduli...}};
};

/// The fewest largest primes below 2^31 whose product exceeds 2^Bits: 3, 5, 9, 17, 34, 67, 133, 265 moduli for 64,
/// 128, 256, 512, 1024, 2048, 4096, 8192 bits. 2 <= Bits <= 8431.
///
/// A product of n such primes lies between 2^(31 n - 1) and 2^(31 n), so n = floor(Bits/31) + 1.
template <int Bits>
struct moduli_for_bits {
  static_assert(Bits >= 2 && Bits / 31 + 1 <= detail::maximum_moduli,
                "thrust_rns: moduli_for_bits<Bits> needs 2 <= Bits <= 8431");
  static constexpr int size = Bits < 31 ? 2 : Bits / 31 + 1;
  static constexpr auto moduli = detail::largest_primes<size>();
};

/// The seven sets of K. Isupov, "High-Performance Computation in Residue Number System Using Floating-Point
/// Arithmetic", Computation 9(2):9, 2021: n = 4, 8, ..., 256 moduli of about 16 bits for ranges of 64, 128, ...,
/// 4096 bits, found by going up from the first in steps of two and keeping what is coprime to all before.
template <int Bits>
struct isupov_moduli {
  static_assert(Bits == 64 || Bits == 128 || Bits == 256 || Bits == 512 || Bits == 1024 || Bits == 2048 || Bits == 4096,
                "thrust_rns: isupov_moduli<Bits> exists for 64, 128, 256, 512, 1024, 2048 and 4096 bits");
  static constexpr int size = Bits / 16;
  static constexpr std::uint32_t first = Bits == 64     ? 65947
                                         : Bits == 128  ? 65725
                                         : Bits == 256  ? 65599
                                         : Bits == 512  ? 65533
                                         : Bits == 1024 ? 65379
                                         : Bits == 2048 ? 65139
                                                        : 64491;
  static constexpr auto moduli = detail::isupov_run<Bits>(first);
};

/// `Size` moduli of another base from the one at place `First` on. Slices that do not overlap have coprime ranges, as
/// Montgomery multiplication in residues needs.
///
/// @code
/// using primes = thrust_rns::moduli_for_bits<200>;  // 7 of them
/// using a = thrust_rns::moduli_slice<primes, 0, 3>;
/// using b = thrust_rns::moduli_slice<primes, 3, 4>;
/// std::cout << thrust_rns::dynamic_range_bits<a> << ' ' << thrust_rns::dynamic_range_bits<b> << '\n';  // prints 93 124
/// @endcode
template <class Base, int First, int Size>
struct moduli_slice {
  static_assert(First >= 0 && Size >= 2 && First <= Base::size - Size,
                "thrust_rns: moduli_slice<Base, First, Size> takes at least 2 moduli, all of them of Base");
  static constexpr int size = Size;
  static constexpr auto moduli = detail::slice<First, Size>(Base::moduli);
};

/// Bit length of the dynamic range M of a base.
template <class Base>
inline constexpr int dynamic_range_bits = detail::base_constants<Base>::range_bits;

} // namespace thrust_rns
