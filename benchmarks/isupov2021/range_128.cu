// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors

#include "range.cuh"

template void isupov2021::measure_range<128>(const options&, record&);
template void isupov2021::check_range<128>(const options&, record&);
