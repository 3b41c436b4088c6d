// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors
#pragma once

/// @file
/// Everything except gmp.h and gmp_vector.h.

#include <thrust_rns/base_extension.h>
#include <thrust_rns/bit_lengths.h>
#include <thrust_rns/checked.h>
#include <thrust_rns/checked_product.h>
#include <thrust_rns/config.h>
#include <thrust_rns/convert.h>
#include <thrust_rns/device_vector.h>
#include <thrust_rns/error.h>
#include <thrust_rns/exact_matmul.h>
#include <thrust_rns/exchange.h>
#include <thrust_rns/extrema.h>
#include <thrust_rns/files.h>
#include <thrust_rns/floating_interval.h>
#include <thrust_rns/functional.h>
#include <thrust_rns/host_vector.h>
#include <thrust_rns/inner_product.h>
#include <thrust_rns/interval.h>
#include <thrust_rns/io.h>
#include <thrust_rns/iterator.h>
#include <thrust_rns/limbs.h>
#include <thrust_rns/lines.h>
#include <thrust_rns/matrix.h>
#include <thrust_rns/matrix_span.h>
#include <thrust_rns/mixed_radix.h>
#include <thrust_rns/modular.h>
#include <thrust_rns/moduli_set.h>
#include <thrust_rns/number.h>
#include <thrust_rns/random.h>
#include <thrust_rns/reduce.h>
#include <thrust_rns/reduce_by_key.h>
#include <thrust_rns/ring.h>
#include <thrust_rns/ring_invert.h>
#include <thrust_rns/ring_multiply.h>
#include <thrust_rns/ring_random.h>
#include <thrust_rns/ring_vector.h>
#include <thrust_rns/scaling.h>
#include <thrust_rns/scan.h>
#include <thrust_rns/search.h>
#include <thrust_rns/select.h>
#include <thrust_rns/signed.h>
#include <thrust_rns/sort.h>
#include <thrust_rns/span.h>
#include <thrust_rns/transform.h>
#include <thrust_rns/version.h>
