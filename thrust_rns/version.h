// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors
#pragma once

/// @file
/// The library's version as numbers: major * 10000 + minor * 100 + patch.

#define THRUST_RNS_VERSION_MAJOR 0
#define THRUST_RNS_VERSION_MINOR 1
#define THRUST_RNS_VERSION_PATCH 0
#define THRUST_RNS_VERSION 100
