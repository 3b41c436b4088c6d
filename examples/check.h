// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors
#pragma once

#include <cstdlib>
#include <iostream>

/// Ends the program with status 1 and a message where something does not hold.
inline void check(bool holds, const char* what) {
  if (holds) return;
  std::cerr << "WRONG: " << what << std::endl;
  std::exit(1);
}
