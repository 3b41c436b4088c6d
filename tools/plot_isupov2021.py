#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# Copyright (c) 2026 the thrust_rns authors
"""Makes docs/figures/isupov2021_*.svg and the tables of docs/isupov2021.md from docs/data/isupov2021_*.json.

The data files hold one JSON object a line, as benchmarks/isupov2021.cu writes them:
  isupov2021_h200.json         {"record": "machine", ...}, {"record": "time", "set", "bits", "method", "ms", "bytes_beside", "right", ...}
  isupov2021_grns.json         {"record": "source", ...}, {"record": "time", ...}: the author's own code
  isupov2021_refinements.json  {"record": "refinements", "moduli", "bits", "rule", "of_power_of_two": [...]}
Without the first, the columns of what it would hold say "-", and the figures of times show GRNS alone or are left out.

usage: plot_isupov2021.py [--times FILE] [--no-figures]     (figures need matplotlib)
"""

import argparse
import json
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
DATA, FIGURES, PAGE = ROOT / "docs/data", ROOT / "docs/figures", ROOT / "docs/isupov2021.md"
BITS = (64, 128, 256, 512, 1024, 2048, 4096)
METHODS = {"thrust_rns": "thrust_rns", "interval_array": "interval array", "naive": "naive", "mixed_radix": "mixed radix"}
COLOURS = {"thrust_rns": "#c0392b", "interval_array": "#1f77b4", "naive": "#2ca02c", "mixed_radix": "#8c564b"}
GRNS_NOTE = "\nGRNS, the author's own code, measured on the same H200"
SPDX = "<!-- SPDX-License-Identifier: Apache-2.0 -->\n<!-- Copyright (c) 2026 the thrust_rns authors -->\n"


def records(path, kind):
    if not path.exists():
        return []
    lines = (json.loads(line) for line in path.read_text().splitlines() if line.strip())
    return [r for r in lines if r["record"] == kind]


class Times:
    """ms and bytes by (set, bits, method)."""

    def __init__(self, path):
        found = records(path, "time")
        wrong = [r for r in found if not r.get("right", True)]
        if wrong:
            sys.exit(f"{path}: wrong results are no measurements: {wrong[0]}")
        self.rows = {(r["set"], r["bits"], r["method"]): r for r in found}

    def ms(self, kind, bits, method):
        return self.rows.get((kind, bits, method), {}).get("ms")

    def bytes_beside(self, kind, bits, method):
        return self.rows.get((kind, bits, method), {}).get("bytes_beside")

    def moduli(self, kind, bits):
        return {"isupov": bits // 16, "primes": bits // 31 + 1}[kind]


# ---- tables ----------------------------------------------------------------------------------------------------------


def short(x):
    """Three digits."""
    if x is None:
        return "-"
    return f"{x:.0f}" if x >= 100 else f"{x:.3g}" if x >= 1 else f"{x:.3f}"


def table(header, rows):
    lines = ["| " + " | ".join(map(str, line)) + " |" for line in (header, *rows)]
    lines.insert(1, "|" + "---|" * len(header))
    return "\n".join(lines) + "\n"


def table_of_times(ours, grns, kind):
    header = ["bits", "moduli", *METHODS.values()]
    if kind == "isupov":
        header += [f"GRNS {name}" for m, name in METHODS.items() if m != "thrust_rns"]
    rows = []
    for bits in BITS:
        row = [bits, ours.moduli(kind, bits), *(short(ours.ms(kind, bits, m)) for m in METHODS)]
        if kind == "isupov":
            row += [short(grns.ms(kind, bits, m)) for m in METHODS if m != "thrust_rns"]
        rows.append(row)
    return table(header, rows) + (GRNS_NOTE + "; the interval array at the best launch shape found.\n" if kind == "isupov" else "")


def table_of_memory(ours, grns_bytes):
    def megabytes(b):
        return "-" if b is None else f"{b * 1e-6:.3f}" if b < 1e6 else f"{b * 1e-6:.1f}" if b < 1e7 else f"{b * 1e-6:.0f}"

    rows = []
    for bits in BITS:
        data = 4 * ours.moduli("isupov", bits) * 5_000_000
        rows.append([bits, megabytes(data), *(megabytes(ours.bytes_beside("isupov", bits, m)) for m in METHODS),
                     megabytes(grns_bytes)])
    return table(["bits", "the numbers", *METHODS.values(), "GRNS interval array"], rows) + GRNS_NOTE + ".\n"


def speedups(ours, grns):
    """(label, method, is ours, [(bits, speed-up)])."""
    for source, times in (("", ours), ("GRNS ", grns)):
        for method, name in METHODS.items():
            if method == "thrust_rns":
                continue
            points = []
            for bits in BITS:
                other, own = times.ms("isupov", bits, method), ours.ms("isupov", bits, "thrust_rns")
                if other is not None and own is not None:
                    points.append((bits, other / own))
            yield source + name, method, times is ours, points


def table_of_speedups(ours, grns):
    columns = [(label, dict(points)) for label, _, _, points in speedups(ours, grns)]
    rows = [[bits, *(short(points.get(bits)) for _, points in columns)] for bits in BITS]
    return table(["bits", *(label for label, _ in columns)], rows)


def table_of_refinements(refinements):
    rows = []
    for (moduli, bits), rules in sorted(refinements.items()):
        mean = {rule: sum(c) / len(c) for rule, c in rules.items()}
        rows.append([bits, moduli, rules["original"][0], rules["improved"][0], short(mean["original"]), short(mean["improved"])])
    return table(["bits", "moduli", "X = 1, original", "X = 1, improved", "mean, original", "mean, improved"], rows)


def machine_note(path):
    machines = records(path, "machine")
    if not machines:
        return "Not measured yet.\n"
    m = machines[0]
    runtime = f"{m['cuda_runtime'] // 1000}.{m['cuda_runtime'] % 1000 // 10}"
    return f"Measured {m['date']} on one {m['device']}, CUDA {runtime}, {m['count']:,} numbers.\n"


def write_page(parts):
    text = PAGE.read_text()
    for name, content in parts.items():
        begin, end = f"<!-- begin: {name} -->\n", f"<!-- end: {name} -->"
        pattern = re.escape(begin) + ".*?" + re.escape(end)
        if not re.search(pattern, text, re.DOTALL):
            sys.exit(f"{PAGE}: no marker {begin.strip()}")
        text = re.sub(pattern, lambda _: begin + content + end, text, flags=re.DOTALL)
    PAGE.write_text(text)


# ---- figures ---------------------------------------------------------------------------------------------------------


def figures(ours, grns, refinements):
    import matplotlib

    matplotlib.use("svg")
    import matplotlib.pyplot as plt

    plt.rcParams.update({"svg.hashsalt": "thrust_rns", "svg.fonttype": "none", "font.size": 9, "axes.grid": True,
                         "grid.alpha": 0.3, "axes.spines.top": False, "axes.spines.right": False,
                         "figure.facecolor": "white", "savefig.facecolor": "white"})

    def save(figure, name):
        FIGURES.mkdir(parents=True, exist_ok=True)
        figure.tight_layout()
        path = FIGURES / f"isupov2021_{name}.svg"
        figure.savefig(path, metadata={"Date": None, "Creator": None})
        plt.close(figure)
        path.write_text(path.read_text().replace("\n", "\n" + SPDX, 1))  # after the XML declaration

    def over_ranges(axes, label):
        axes.set_xscale("log", base=2)
        axes.set_yscale("log")
        axes.set_xticks(BITS, [str(b) for b in BITS])
        axes.set_xlabel("range, bits")
        axes.set_ylabel(label)

    if refinements:
        figure, panels = plt.subplots(2, 2, figsize=(9, 6))
        for axes, ((moduli, bits), rules) in zip(panels.flat, sorted(refinements.items())):
            for rule, colour in (("original", COLOURS["interval_array"]), ("improved", COLOURS["thrust_rns"])):
                axes.plot(range(len(rules[rule])), rules[rule], drawstyle="steps-post", color=colour, label=rule)
            axes.set_title(f"{moduli} moduli, {bits} bits")
            axes.set_xlabel("p of X = $2^p$")
            axes.set_ylabel("refinements")
            axes.set_ylim(bottom=0)
            axes.legend(frameon=False)
        save(figure, "refinements")

    figure, panels = plt.subplots(1, 2, figsize=(9, 4.2), sharey=True)
    for axes, kind, title in zip(panels, ("isupov", "primes"), ("the paper's moduli", "31-bit primes")):
        for method, name in METHODS.items():
            for times, label, style in ((ours, name, "o-"), (grns, f"GRNS {name}", "x:")):
                points = [(b, times.ms(kind, b, method)) for b in BITS if times.ms(kind, b, method) is not None]
                if points:
                    axes.plot(*zip(*points), style, color=COLOURS[method], label=label)
        over_ranges(axes, "ms, 5,000,000 numbers")
        axes.set_title(title)
        if axes.get_legend_handles_labels()[0]:
            axes.legend(frameon=False, fontsize=8)
    if ours.rows:
        save(figure, "times")
    plt.close(figure)

    drawn = [s for s in speedups(ours, grns) if s[3]]
    if drawn:
        figure, axes = plt.subplots(figsize=(6.5, 4.2))
        for label, method, is_ours, points in drawn:
            axes.plot(*zip(*points), "o-" if is_ours else "x:", color=COLOURS[method], label=label)
        axes.axhline(1, color=COLOURS["thrust_rns"], linewidth=1)
        over_ranges(axes, "times as long as thrust_rns")
        axes.legend(frameon=False, fontsize=8)
        save(figure, "speedups")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--times", type=pathlib.Path, default=DATA / "isupov2021_h200.json")
    parser.add_argument("--no-figures", action="store_true")
    arguments = parser.parse_args()

    ours, grns = Times(arguments.times), Times(DATA / "isupov2021_grns.json")
    refinements = {}
    for r in records(DATA / "isupov2021_refinements.json", "refinements"):
        refinements.setdefault((r["moduli"], r["bits"]), {})[r["rule"]] = r["of_power_of_two"]

    write_page({
        "times isupov": table_of_times(ours, grns, "isupov"),
        "times primes": table_of_times(ours, grns, "primes"),
        "memory": table_of_memory(ours, records(DATA / "isupov2021_grns.json", "source")[0]["bytes_beside"]),
        "speedups": table_of_speedups(ours, grns),
        "refinements": table_of_refinements(refinements),
        "machine": machine_note(arguments.times),
    })
    if not arguments.no_figures:
        figures(ours, grns, refinements)


if __name__ == "__main__":
    main()
