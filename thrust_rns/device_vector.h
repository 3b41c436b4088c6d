// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors
#pragma once

/// @file
/// Numbers in device memory. Including this header is enough for all of Thrust's calls over vectors of numbers and for `top_k`;
/// `<thrust_rns/thrust_rns.h>` includes everything but GMP.

#include <thrust/device_allocator.h>

#include <thrust_rns/detail/array_overloads.h>
#include <thrust_rns/detail/basic_vector.h>
#include <thrust_rns/extrema.h>
#include <thrust_rns/inner_product.h>
#include <thrust_rns/iterator.h>
#include <thrust_rns/number.h>
#include <thrust_rns/reduce.h>
#include <thrust_rns/reduce_by_key.h>
#include <thrust_rns/scan.h>
#include <thrust_rns/search.h>
#include <thrust_rns/select.h>
#include <thrust_rns/sort.h>
#include <thrust_rns/transform.h>

namespace thrust_rns {

/// A vector of numbers in the memory of Thrust's device system, stored as residue planes with one cached evaluation of
/// 8 bytes an element: residue i of all elements is contiguous. The members are those of `thrust::device_vector`
/// (detail/basic_vector.h lists them), and its iterators go to any Thrust algorithm.
///
/// A cached evaluation is computed when an algorithm first needs it, kept, and dropped when the element is written: by
/// a reference, by an algorithm, or by any member. Only writing through raw planes needs `invalidate_evaluations()`.
/// Several streams or threads may fill the cache of a const vector at once.
///
/// @code
/// using number = thrust_rns::number<thrust_rns::moduli_for_bits<512>>;
/// thrust_rns::device_vector<number> v(3, number(7));
/// v.push_back(v[0] * v[1]);
/// v[1] = 50;
/// std::cout << v.size() << ' ' << thrust::reduce(v.begin(), v.end()) << ' '
///           << thrust::max_element(v.begin(), v.end()) - v.begin() << '\n';  // prints 4 113 1
/// @endcode
template <class Number, class Allocator = thrust::device_allocator<Number>>
using device_vector = detail::basic_vector<Number, Allocator, thrust::device_system_tag>;

} // namespace thrust_rns
