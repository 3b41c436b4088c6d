// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors

// expect: conversion from 'double'|conversion from ‘double’|no viable conversion from 'double'

#include <thrust_rns/number.h>

#ifdef CONTROL
thrust_rns::number<thrust_rns::moduli_set<13, 7, 16>> x = 1;
#else
thrust_rns::number<thrust_rns::moduli_set<13, 7, 16>> x = 1.0;
#endif
