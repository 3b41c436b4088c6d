#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# Copyright (c) 2026 the thrust_rns authors
"""ring_table.py PRODUCTS INVERSES [--write]: the tables of docs/ring.md from the JSON of benchmarks/ring_products and ring_inverses.

Google Benchmark writes it: ring_products_cuda --benchmark_out=PRODUCTS --benchmark_out_format=json
Prints the tables, or, with --write, puts them into the page between its two marks. A wrong result is an error; what was
not run is "-"."""
import json
import pathlib
import re
import sys

PAGE = pathlib.Path(__file__).resolve().parent.parent / "docs/ring.md"
BEGIN, END = "<!-- begin: measurements -->\n", "<!-- end: measurements -->"
SETS = {653: 4621, 761: 4591, 857: 5167, 953: 6343, 1013: 7177, 1277: 7879}
KINDS = {
    "full_x_ternary": "full x ternary",
    "ternary_x_shared_full": "ternary x one full",
    "full_x_small": "full x small (8 bits)",
    "full_x_full": "full x full",
    "ternary_x_ternary_mod_3": "ternary x ternary mod 3",
}
BASELINES = {  # name: (title, kind of ours that does the same)
    "wmma_16x16x16_full_x_ternary": ("wmma, 16x16x16", "full_x_ternary"),
    "wmma_32x8x16_full_x_ternary": ("wmma, 32x8x16", "full_x_ternary"),
    "wmma_8x32x16_full_x_ternary": ("wmma, 8x32x16", "full_x_ternary"),
    "schoolbook_full_x_ternary": ("CUDA cores", "full_x_ternary"),
    "schoolbook_full_x_full": ("CUDA cores", "full_x_full"),
}


def table(header, rows):
    lines = ["| " + " | ".join(map(str, line)) + " |" for line in (header, *rows)]
    lines.insert(1, "|" + "---|" * len(header))
    return "\n".join(lines) + "\n"


def rate(run, what="Mproducts/s"):
    """Three digits of the millions a second."""
    if run is None:
        return "-"
    x = run[what]
    return f"{x:.0f}" if x >= 99.95 else f"{x:.1f}" if x >= 9.995 else f"{x:.2f}"


def ratio(ours, other):
    return "-" if other is None or ours is None else f"{ours['Mproducts/s'] / other['Mproducts/s']:.1f}"


def cell(run):
    return "-" if run is None else f"{rate(run)} ({run['MAC/s'] * 1e-12:.0f}, {100 * run['of mma rate']:.0f} %)"


def medians(data):
    runs = {}
    for run in data["benchmarks"]:
        if run.get("error_occurred"):
            sys.exit(f"{run['name']}: {run['error_message']}")
        if run["run_type"] == "iteration" or run.get("aggregate_name") == "median":
            runs[run["run_name"].split("/iterations")[0]] = run
    return runs


def tables(data, inverses):
    runs = medians(data)

    def get(kind, n, log2):
        return runs.get(f"{kind}/{n}/{2**log2}")

    device = data["context"].get("device", "an unknown device")
    yield (f"Measured {data['context']['date'][:10]} on one {device}. Millions of products a second; in brackets useful "
           f"10<sup>12</sup> multiply-adds a second (n<sup>2</sup> a product), and that as a share of the bare `mma.sync` "
           f"rate in the same run, {runs['mma_rate']['MAC/s'] * 1e-12:.0f} 10<sup>12</sup> a second.\n")

    common = (653, 761, 1277)
    for log2 in (19, 12):
        yield table([f"batch 2<sup>{log2}</sup>", *(f"({n}, {SETS[n]})" for n in common)],
                    [[title, *(cell(get(kind, n, log2)) for n in common)] for kind, title in KINDS.items()])
    yield table(["full x ternary", *(f"({n}, {q})" for n, q in SETS.items())],
                [[f"batch 2<sup>{log2}</sup>", *(cell(get("full_x_ternary", n, log2)) for n in SETS)] for log2 in (19, 12)])
    batches = (10, 12, 14, 16, 19, 20)
    yield table(["batch of full x ternary", *(f"2<sup>{log2}</sup>" for log2 in batches)],
                [["(761, 4591)", *(rate(get("full_x_ternary", 761, log2)) for log2 in batches)]])

    rows = []
    for name, (title, kind) in BASELINES.items():
        other, ours = get(name, 761, 16), get(kind, 761, 16)
        rows.append([title, KINDS[kind], cell(other), rate(ours), ratio(ours, other)])
    yield table(["(761, 4591), batch 2<sup>16</sup>", "operands", "baseline", "thrust_rns", "times faster"], rows)

    rows = []
    for kind in ("full_x_ternary", "full_x_full"):
        for n in common:
            row = [KINDS[kind], f"({n}, {SETS[n]})"]
            for log2 in (16, 19):
                other, ours = get(f"ntt_{kind}", n, log2), get(kind, n, log2)
                row += [rate(other), rate(ours), ratio(ours, other)]
            rows.append(row)
    columns = [f"{name}, 2<sup>{log2}</sup>" for log2 in (16, 19) for name in ("NTT", "thrust_rns", "times faster")]
    yield table(["operands", "(n, q)", *columns], rows)

    inverse = medians(inverses)
    batches = (12, 14, 17, 19)
    rows = []
    for m in ("q", 3):
        for n, q in SETS.items():
            line = [inverse.get(f"inverse_mod_{q if m == 'q' else 3}/{n}/{2**log2}") for log2 in batches]
            if any(line):
                rows.append([f"({n}, {q})" if m == "q" else f"({n}, 3)", *(rate(run, "Minverses/s") for run in line)])
    yield table(["inverses, batch", *(f"2<sup>{log2}</sup>" for log2 in batches)], rows)


def main():
    arguments = [a for a in sys.argv[1:] if a != "--write"]
    if len(arguments) != 2:
        sys.exit(__doc__)
    text = "\n".join(tables(*(json.loads(pathlib.Path(a).read_text(encoding="utf-8")) for a in arguments)))
    if "--write" not in sys.argv:
        print(text, end="")
        return
    page = PAGE.read_text(encoding="utf-8")
    if BEGIN not in page or END not in page:
        sys.exit(f"{PAGE}: no marks for the tables")
    PAGE.write_text(re.sub(re.escape(BEGIN) + ".*?" + re.escape(END), lambda _: BEGIN + "\n" + text + "\n" + END, page,
                           flags=re.DOTALL), encoding="utf-8")


if __name__ == "__main__":
    main()
