# SPDX-License-Identifier: Apache-2.0
# Copyright (c) 2026 the thrust_rns authors
"""include_order.py ROOT: a header includes only headers above it, or left of it in its line, of this table."""
import pathlib
import re
import sys

ORDER = """
config.h version.h error.h
detail/array.h detail/words.h detail/crc32c.h
modular.h
detail/base_tables.h moduli_set.h
number.h
mixed_radix.h detail/lazy_products.h interval.h detail/window_tables.h detail/small_values.h detail/directed_sum.h floating_interval.h convert.h
functional.h io.h random.h gmp.h
detail/rank.h detail/position.h detail/divide_by_power.h detail/divide_by_moduli.h
detail/exchange_tables.h detail/exchange_sources.h detail/exchange_sinks.h limbs.h
block/*
span.h detail/bit_length.h
detail/thrust_compat.h detail/memory.h detail/candidate.h detail/order_overloads.h detail/stock_overloads.h
detail/residue_functions.h detail/folds.h detail/transform_overloads.h iterator.h
detail/ordering.h detail/search_functors.h detail/for_each_index.h detail/first_index.h
base_extension.h detail/checked_elements.h
detail/multiprocessors.cuh detail/launch.cuh detail/wgmma.cuh detail/quads.cuh detail/device_call.cuh detail/window_kernels.cuh detail/window_queue.cuh
detail/evaluate_kernels.cuh detail/extremum_kernels.cuh detail/contender_kernels.cuh detail/sum_kernels.cuh
detail/move_kernels.cuh detail/sort_kernels.cuh detail/exchange_kernels.cuh
detail/plane_rows.cuh detail/transform_kernels.cuh detail/scan_kernels.cuh detail/fold_kernels.cuh detail/segment_kernels.cuh
device/device_evaluate.cuh device/device_reduce.cuh detail/scan_of_extremes.cuh detail/checked_kernels.cuh detail/checked_sum_kernels.cuh
device/*
detail/instructions.h detail/host_evaluation.h detail/host_reduce.h detail/scratch.cuh detail/cuda_reduce.cuh
detail/bit_length_kernels.cuh
extrema.h reduce.h
detail/host_order.h detail/cuda_order.cuh sort.h search.h select.h detail/array_overloads.h
detail/host_transform.h transform.h detail/host_scan.h scan.h inner_product.h reduce_by_key.h
scaling.h detail/checked_ranges.h checked.h signed.h
detail/host_exchange.h exchange.h detail/host_threads.h detail/host_rows.h gmp_vector.h bit_lengths.h
detail/basic_vector.h
host_vector.h device_vector.h
checked_product.h files.h lines.h
matrix_span.h detail/matrix_problem.h detail/host_panels.h detail/host_matrix.h detail/basic_matrix.h
detail/matrix_kernels.cuh detail/matrix_tensor_kernels.cuh detail/matrix_launch.cuh device/device_matrix.cuh detail/cuda_matrix.cuh
matrix.h
detail/integer_base.h detail/host_integers.h detail/integer_kernels.cuh detail/cuda_integers.cuh exact_matmul.h
ring.h ring_vector.h ring_random.h
detail/ring_host.h detail/ring_product.h detail/ring_inverse.h detail/ring_kernels.cuh detail/ring_shared_kernels.cuh
detail/ring_inverse_kernels.cuh detail/ring_simultaneous.cuh device/device_ring.cuh
ring_multiply.h ring_invert.h
thrust_rns.h
"""

names = ORDER.split()
folder = pathlib.Path(sys.argv[1]) / "thrust_rns"
faults = []


def level(name):
    """Place in the table; a header that has no line of its own takes that of `folder/*`; None: unknown."""
    pattern = name if name in names else str(pathlib.PurePosixPath(name).parent / "*")
    return names.index(pattern) if pattern in names else None


for name in names:
    if "*" not in name and not (folder / name).exists():
        faults.append(f"test/checks/include_order.py: {name} does not exist")

for path in sorted(path for path in folder.rglob("*") if path.suffix in (".h", ".cuh")):
    name = path.relative_to(folder).as_posix()
    if level(name) is None:
        faults.append(f"{path}:1: has no place in the table of test/checks/include_order.py")
        continue
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        include = re.match(r'\s*#\s*include\s*([<"])(.*?)[>"]', line)
        if not include:
            continue
        if include[1] == '"':
            faults.append(f"{path}:{number}: write #include <thrust_rns/...>")
            continue
        if not include[2].startswith("thrust_rns/"):
            continue
        other = include[2].removeprefix("thrust_rns/")
        if not (folder / other).exists():
            faults.append(f"{path}:{number}: {other} does not exist")
        elif level(other) is not None and level(other) >= level(name) and not (
            level(other) == level(name) and name not in names and other not in names
        ):
            faults.append(f"{path}:{number}: {name} must not include {other}, which is not above it")

if faults:
    sys.exit("\n".join(faults))
