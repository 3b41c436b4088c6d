#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Copyright (c) 2026 the thrust_rns authors
#
# ring_constant_time.sh PROGRAM
#
# Counts, with Nsight Compute, the instructions that the ring kernels execute on operands of several kinds, and fails if a count
# varies with the coefficients. PROGRAM: build/cuda-static/bin/ring_constant_time_cuda.
set -euo pipefail

program=${1:?usage: ring_constant_time.sh PROGRAM}
ncu=$(command -v ncu || ls -d /usr/local/cuda/bin/ncu /opt/nvidia/nsight-compute/*/ncu 2> /dev/null | head -1)
metrics=smsp__inst_executed.sum,smsp__thread_inst_executed.sum,smsp__inst_executed_op_branch.sum
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

kinds=(zero largest smallest alternating random1 random2)
for kind in "${kinds[@]}"; do
  "$ncu" --csv --metrics "$metrics" --kernel-name-base function --kernel-name 'regex:products|inver|zeros' \
    "$program" "$kind" 2>&1 | grep '^"' > "$folder/$kind.csv" || { cat "$folder/$kind.csv" >&2; exit 1; }
done
python3 - "$folder" "${kinds[@]}" << 'PYTHON'
import csv
import sys

folder, kinds = sys.argv[1], sys.argv[2:]
counts = {}
for kind in kinds:
    with open(f"{folder}/{kind}.csv", encoding="utf-8") as text:
        for row in csv.DictReader(text):
            name = (int(row["ID"]), row["Kernel Name"].split("<")[0].split("(")[0], row["Metric Name"])
            counts.setdefault(name, []).append(row["Metric Value"])
varying = [name for name, values in counts.items() if len(values) != len(kinds) or len(set(values)) != 1]
for (launch, kernel, metric), values in sorted(counts.items()):
    print(f"{launch:3d} {kernel:24s} {metric:36s} {' '.join(sorted(set(values)))}")
if not counts or varying:
    sys.exit(f"counts that vary with the coefficients: {varying}" if counts else "nothing was counted")
print(f"{len(counts)} counts, the same for {', '.join(kinds)}")
PYTHON
