// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors

#include "under_using.h"

UNDER_USING_DEFINE(largest_in_a)
