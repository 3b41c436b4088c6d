#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# Copyright (c) 2026 the thrust_rns authors
"""performance_table.py FILE: the markdown table of docs/performance.md from the JSON of benchmarks/extrema_and_sum.

Google Benchmark writes it: extrema_and_sum_cuda --benchmark_out=FILE --benchmark_out_format=json"""
import json
import sys

COLUMNS = [
    ("first_maximum", "first maximum", True),
    ("cached_maximum", "later maximum", False),
    ("sum", "sum", True),
    ("device_arg_max", "`DeviceReduce::ArgMax`", True),
    ("device_sum", "`DeviceReduce::Sum`", True),
]
MODULI = {64: 3, 128: 5, 256: 9, 512: 17, 1024: 34, 2048: 67, 4096: 133}

runs = {}
for run in json.load(open(sys.argv[1], encoding="utf-8"))["benchmarks"]:
    if run["run_type"] == "iteration" or run.get("aggregate_name") == "median":
        runs[run["run_name"].split("/iterations")[0]] = run

columns = [c for c in COLUMNS if f"{c[0]}/64" in runs]
print("| range, moduli | " + " | ".join(title for _, title, _ in columns) + " |")
print("|---|" + "---|" * len(columns))
for bits, moduli in MODULI.items():
    cells = []
    for name, _, share in columns:
        run = runs[f"{name}/{bits}"]
        assert run["time_unit"] == "us"
        cells.append(f"{run['real_time'] / 1000:.3f}" + (f" ({100 * run['of read rate']:.0f} %)" if share else ""))
    print(f"| {bits} bits, {moduli} | " + " | ".join(cells) + " |")
print()
print(f"`thrust::max_element` on as many `uint64_t`: {runs['thrust_maximum_of_uint64']['real_time'] / 1000:.3f} ms. "
      f"Read rate: {runs['read_rate']['GB/s'] / 1000:.2f} TB/s.")
