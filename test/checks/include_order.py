# SPDX-License-Identifier: Apache-2.0
# Copyright (c) 2026 the thrust_rns authors
"""include_order.py ROOT: a header includes only headers above it, or left of it in its line, of this table."""
import pathlib
import re
import sys

ORDER = """
config.h version.h error.h
detail/array.h detail/words.h
modular.h
detail/base_tables.h moduli_set.h
number.h
mixed_radix.h interval.h detail/directed_sum.h floating_interval.h convert.h
functional.h io.h random.h gmp.h
block/*
span.h
detail/thrust_compat.h detail/memory.h detail/candidate.h detail/order_overloads.h detail/stock_overloads.h iterator.h
detail/ordering.h detail/search_functors.h
detail/multiprocessors.cuh detail/extremum_kernels.cuh detail/sum_kernels.cuh detail/launch.cuh detail/move_kernels.cuh
detail/sort_kernels.cuh device/device_evaluate.cuh device/*
detail/instructions.h detail/host_evaluation.h detail/host_reduce.h detail/scratch.cuh detail/cuda_reduce.cuh
extrema.h reduce.h
detail/host_order.h detail/cuda_order.cuh sort.h search.h select.h detail/array_overloads.h
detail/basic_vector.h
host_vector.h device_vector.h
ring.h ring_vector.h ring_random.h
detail/ring_host.h detail/ring_product.h detail/ring_inverse.h detail/ring_kernels.cuh detail/ring_shared_kernels.cuh
detail/ring_inverse_kernels.cuh device/device_ring.cuh
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
