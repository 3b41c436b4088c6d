// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors

#include "under_using.h"

UNDER_USING_DEFINE(largest_in_b)

int main() {
  const careless_vector v{careless_number(4), careless_number(-7), careless_number(6)};
  return largest_in_a(v) == careless_number(12) && largest_in_b(v) == largest_in_a(v) ? 0 : 1;
}
