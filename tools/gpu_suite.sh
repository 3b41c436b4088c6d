#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Copyright (c) 2026 the thrust_rns authors
#
# gpu_suite.sh FOLDER [--sanitize] [--no-benchmarks]
#
# Runs the GPU tests, examples and benchmarks in FOLDER (build/cuda-static/bin, perhaps copied to another machine) and prints
# a table. --sanitize: the tests once more, small, under compute-sanitizer. Logs and the benchmarks' JSON: FOLDER/logs.
set -uo pipefail

folder= sanitize=no benchmarks=yes
for argument in "$@"; do
  case $argument in
    --sanitize) sanitize=yes ;;
    --no-benchmarks) benchmarks=no ;;
    -*) echo "unknown option $argument" >&2; exit 2 ;;
    *) folder=$argument ;;
  esac
done
[[ -d $folder ]] || { sed -n '5,8s/^# //p' "$0" >&2; exit 2; }
test_program=$folder/thrust_rns_test_cuda
logs=${THRUST_RNS_LOGS:-$folder/logs}
mkdir -p "$logs"

table=() failed=0
step() { # name command...
  local name=$1 start=$SECONDS result=ok
  shift
  echo "== $name: $*"
  "$@" 2>&1 | tee "$logs/$name.log" || result=FAILED
  if [[ $name == tests* ]] && grep -qE 'test cases: *0 ' "$logs/$name.log"; then result="FAILED (no test ran)"; fi
  [[ $result == ok ]] || failed=1
  table+=("$(printf '%-32s %6d s  %s' "$name" $((SECONDS - start)) "$result")")
}

step gpu nvidia-smi --query-gpu=name,driver_version,memory.total --format=csv,noheader
step tests "$test_program" --no-colors=true
if [[ $sanitize == yes ]]; then
  sanitizer=$(command -v compute-sanitizer || echo /usr/local/cuda/bin/compute-sanitizer)
  for tool in memcheck racecheck initcheck; do
    cases=()
    [[ $tool != initcheck ]] || cases=(--test-suite-exclude=stock) # see test::stock in test/support.h
    step "tests-$tool" env THRUST_RNS_TEST_SMALL=1 "$sanitizer" --tool "$tool" --error-exitcode 1 \
      "$test_program" --no-colors=true "${cases[@]}"
  done
fi
for program in "$folder"/examples/[0-9]*_cuda; do
  name=$(basename "$program" _cuda) arguments=()
  case $name in
    09_sntrup761) arguments=("$folder/examples/kat_ring_761.txt") ;;
    12_shared_factors) arguments=("$folder/examples/rsa_moduli.txt") ;;
  esac
  step "$name" "$program" "${arguments[@]}"
done
if [[ $benchmarks == yes ]]; then
  for program in "$folder"/benchmarks/*_cuda; do
    [[ -x $program ]] || { echo "no benchmarks in $folder/benchmarks" >&2; failed=1; break; }
    name=$(basename "$program")
    step "$name" "$program" --benchmark_color=false --benchmark_out="$logs/$name.json" --benchmark_out_format=json
  done
fi

echo
printf '%s\n' "${table[@]}"
exit $failed
