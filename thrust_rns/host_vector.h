// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors
#pragma once

/// @file
/// Numbers in host memory, in the layout of device_vector.

#include <memory>

#include <thrust/execution_policy.h>

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

/// A vector of numbers in host memory: the same members, layout and algorithms as `device_vector`, so that a copy between
/// the two moves whole planes, evaluations included.
///
/// @code
/// using number = thrust_rns::number<thrust_rns::moduli_for_bits<512>>;
/// thrust_rns::host_vector<number> h{number(3), number(1), number(2)};
/// thrust_rns::device_vector<number> d = h;
/// h = d;
/// std::cout << *thrust::min_element(thrust::host, h.begin(), h.end()) << '\n';  // prints 1
/// @endcode
template <class Number, class Allocator = std::allocator<Number>>
using host_vector = detail::basic_vector<Number, Allocator, thrust::host_system_tag>;

} // namespace thrust_rns
