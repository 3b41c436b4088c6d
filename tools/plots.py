#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# Copyright (c) 2026 the thrust_rns authors
"""Makes docs/figures/bench_*.svg from the recorded measurements in docs/data, without a library for plotting.

  extrema_and_sum_h200.json, isupov2021_grns.json -> bench_extrema.svg
  ring_products_h200.json, peers_h200.json        -> bench_ring.svg
  ring_inverses_h200.json                         -> bench_inverses.svg
  any_magnitude_h200.jsonl                        -> bench_magnitudes.svg
  exchange_h200.json                              -> bench_exchange.svg
"""
import json
import math
import pathlib
import re

DATA = pathlib.Path(__file__).resolve().parent.parent / "docs/data"
FIGURES = DATA.parent / "figures"
RED, BLUE, GREEN, ORANGE, GREY = "#c0392b", "#1f77b4", "#2c7a3f", "#d98200", "#555555"
LEFT, TOP, WIDTH, HEIGHT = 58, 34, 400, 250  # of the frame


class Plot:
    """Lines over two logarithmic axes; `ticks` label the horizontal one."""

    def __init__(self, title, x_label, y_label, ticks, low, high):
        self.ticks, self.low, self.high = ticks, low, high
        self.legend = []
        self.parts = [self.text(LEFT, 18, title, weight="bold"), self.text(LEFT + WIDTH / 2, TOP + HEIGHT + 38, x_label, "middle"),
                      f'<text transform="translate(14 {TOP + HEIGHT / 2}) rotate(-90)" text-anchor="middle">{y_label}</text>']
        for exponent in range(math.ceil(math.log10(low)), math.floor(math.log10(high)) + 1):
            y = self.y(10.0**exponent)
            self.parts += [f'<line x1="{LEFT}" x2="{LEFT + WIDTH}" y1="{y:.1f}" y2="{y:.1f}" stroke="#dddddd"/>',
                           self.text(LEFT - 6, y + 4, f"{10.0**exponent:g}", "end")]
        for tick in ticks:
            self.parts.append(self.text(self.x(tick), TOP + HEIGHT + 18, ticks[tick], "middle"))
        self.parts.append(f'<rect x="{LEFT}" y="{TOP}" width="{WIDTH}" height="{HEIGHT}" fill="none" stroke="#888888"/>')

    @staticmethod
    def text(x, y, what, anchor="start", weight="normal", colour="#222222"):
        return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" font-weight="{weight}" fill="{colour}">{what}</text>'

    def x(self, value):
        first, last = math.log(min(self.ticks)), math.log(max(self.ticks))
        return LEFT + WIDTH * (0.04 + 0.92 * (math.log(value) - first) / (last - first))

    def y(self, value):
        low, high = math.log(self.low), math.log(self.high)
        return TOP + HEIGHT * (1 - (math.log(value) - low) / (high - low))

    def line(self, name, points, colour, dashes=""):
        """points: {x: y}."""
        at = [(self.x(x), self.y(y)) for x, y in sorted(points.items())]
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in at)
        self.parts.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2" stroke-dasharray="{dashes}"/>')
        self.parts += [f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{colour}"/>' for x, y in at]
        self.legend.append((name, colour, dashes))

    def save(self, name):
        height = TOP + HEIGHT + 52 + 18 * len(self.legend)
        for row, (label, colour, dashes) in enumerate(self.legend):
            y = TOP + HEIGHT + 62 + 18 * row
            self.parts += [f'<line x1="{LEFT}" x2="{LEFT + 30}" y1="{y - 4}" y2="{y - 4}" stroke="{colour}" stroke-width="2" '
                           f'stroke-dasharray="{dashes}"/>', self.text(LEFT + 38, y, label)]
        title = re.sub("<[^>]*>", "", self.parts[0])
        (FIGURES / name).write_text(
            '<?xml version="1.0" encoding="utf-8"?>\n<!-- SPDX-License-Identifier: Apache-2.0 -->\n'
            "<!-- Copyright (c) 2026 the thrust_rns authors -->\n"
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 480 {height}" width="480" height="{height}" '
            'font-family="sans-serif" font-size="12" role="img">\n'
            f'<title>{title}</title>\n<rect width="480" height="{height}" rx="6" fill="#ffffff"/>\n'
            + "\n".join(self.parts) + "\n</svg>\n", encoding="utf-8")


def load(name):
    return json.loads((DATA / name).read_text(encoding="utf-8"))


def lines(name):
    return [json.loads(line) for line in (DATA / name).read_text(encoding="utf-8").splitlines() if line.strip()]


def medians(name):
    """{("first_maximum", "64"): record}: the medians of a file of Google Benchmark, by the parts of their names."""
    return {tuple(b["run_name"].split("/iterations")[0].split("/")): b
            for b in load(name)["benchmarks"] if b["name"].endswith("_median")}


def extrema():
    bits = (64, 128, 256, 512, 1024, 2048, 4096)
    found = medians("extrema_and_sum_h200.json")
    plot = Plot("Maximum and sum of 5,000,000 numbers, H200", "range, bits", "milliseconds", {b: str(b) for b in bits}, 0.01, 100)
    rate = next(b["GB/s"] for b in load("extrema_and_sum_h200.json")["benchmarks"] if b["name"].startswith("read_rate"))
    grns = {r["bits"]: r["ms"] for r in lines("isupov2021_grns.json") if r.get("method") == "interval_array"}
    plot.line("GRNS, interval method, its own moduli, best launch shape", grns, GREY, "2 3")
    for name, label, colour, dashes in (("first_maximum", "max_element, nothing evaluated before", RED, ""),
                                        ("cached_maximum", "max_element, evaluations kept", RED, "5 4"), ("sum", "reduce (sum)", BLUE, "")):
        plot.line(label, {b: found[name, str(b)]["real_time"] / 1000 for b in bits}, colour, dashes)
    plot.line(f"reading the residues once at {rate / 1000:.2f} TB/s", {b: 4e-6 * (b // 31 + 1) * 5e6 / rate for b in bits}, GREEN, "2 3")
    plot.save("bench_extrema.svg")


def ring():
    found = medians("ring_products_h200.json")
    sizes = (653, 761, 857, 953, 1013, 1277)
    plot = Plot("Ring products, batches of 2^19, H200", "n", "million products a second",
                {n: str(n) for n in (509, 653, 761, 857, 1013, 1277)}, 0.3, 1000)

    def ours(name):
        return {n: found[name, str(n), "524288"]["Mproducts/s"] for n in sizes if (name, str(n), "524288") in found}

    for name, label, colour in (("ternary_x_shared_full", "ternary x one full for all", RED), ("full_x_ternary", "full x ternary, all distinct", BLUE),
                                ("full_x_full", "full x full, all distinct", GREEN),
                                ("ntt_full_x_ternary", "number-theoretic transform, full x ternary (baseline of our own)", ORANGE)):
        if ours(name):
            plot.line(label, ours(name), colour)
    peers = {}
    for record in load("peers_h200.json")["ring_products"]:
        peers.setdefault(f"{record['name']}, {record['device']}", {})[record["n"]] = record["million_a_second"]
    for (name, points), dashes in zip(peers.items(), ("2 3", "6 3")):
        plot.line(name, points, GREY, dashes)
    plot.save("bench_ring.svg")


def inverses():
    found = medians("ring_inverses_h200.json")
    plot = Plot("Inverses of ring elements, H200", "batch", "million inverses a second",
                {2**k: f"2^{k}" for k in (12, 14, 17, 19)}, 1, 100)
    for (n, m), colour, dashes in (((653, 4621), RED, ""), ((761, 4591), BLUE, ""), ((1277, 7879), GREEN, ""), ((761, 3), BLUE, "5 4")):
        batches = (2**k for k in (12, 14, 17, 19))
        points = {b: found[f"inverse_mod_{m}", str(n), str(b)]["Minverses/s"] for b in batches}
        plot.line(f"({n}, {m})", points, colour, dashes)
    plot.save("bench_inverses.svg")


def magnitudes():
    bits = (64, 128, 256, 512, 1024, 2048, 4096)
    found = {(r["what"], r["data"], r["bits"]): r["ms"] for r in lines("any_magnitude_h200.jsonl")}
    plot = Plot("Evaluation of 5,000,000 numbers, H200", "range, bits", "milliseconds", {b: str(b) for b in bits}, 0.01, 10)
    for data, label, colour in (("random length", "of random length", RED), ("about M^(1/2)", "of half the range's length", ORANGE),
                                ("below 2^64", "below 2^64", BLUE), ("random", "random residues", GREEN)):
        plot.line(label, {b: found["keys", data, b] for b in bits}, colour)
    plot.line("neighbours X, X + 1, ...: the exact maximum", {b: found["maximum", "neighbours", b] for b in bits}, RED, "5 4")
    plot.line("reading the residues once", {b: found["plain read", "random", b] for b in bits}, GREY, "2 3")
    plot.save("bench_magnitudes.svg")


def exchange():
    bits = (256, 1024, 4096)
    found = medians("exchange_h200.json")
    plot = Plot("Limbs and residues of 5,000,000 numbers, H200", "range, bits", "milliseconds", {b: str(b) for b in bits}, 0.1, 10000)
    for name, label, colour, dashes, times in (
            ("gmp_import", "GMP on 16 cores, to residues (a twentieth of the numbers, times 20)", GREY, "", 20),
            ("gmp_export", "GMP on 16 cores, to limbs (likewise)", GREY, "2 3", 20),
            ("import_rows", "rows of limbs to residues", RED, "", 1), ("export_rows", "residues to rows of limbs", BLUE, "", 1),
            ("copy", "a copy of the limbs", GREEN, "2 3", 1)):
        plot.line(label, {b: found[name, str(b)]["real_time"] / 1000 * times for b in bits}, colour, dashes)
    plot.save("bench_exchange.svg")


extrema()
ring()
inverses()
magnitudes()
exchange()
