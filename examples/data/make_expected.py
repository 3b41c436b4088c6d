#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the expected answers for the files of integers in this folder.

    python3 make_expected.py             # rsa_moduli.txt and mixed_signs.txt
    python3 make_expected.py FILE.txt... # other files of the same format

For each NAME.txt it writes NAME.expected beside it, values in decimal:

    count N
    maximum line L value V
    minimum line L value V
    sum S

L counts lines from 1; where values tie it is the first line that holds one.
Every line of the input must be one integer: an optional sign, then decimal
digits, or `0x` and hex digits.
"""

import re
import sys
from pathlib import Path

INTEGER = re.compile(r"([+-]?)(?:0x([0-9a-fA-F]+)|([0-9]+))")


def parse(text: str) -> int:
    match = INTEGER.fullmatch(text)
    if match is None:
        raise ValueError(f"not an integer: {text!r}")
    sign, hexadecimal, decimal = match.groups()
    magnitude = int(decimal) if hexadecimal is None else int(hexadecimal, 16)
    return -magnitude if sign == "-" else magnitude


def read(path: Path) -> list[int]:
    values = []
    for number, line in enumerate(path.read_text(encoding="ascii").splitlines(), 1):
        try:
            values.append(parse(line))
        except ValueError as error:
            raise SystemExit(f"{path.name}:{number}: {error}")
    if not values:
        raise SystemExit(f"{path.name}: no integers")
    return values


def expected(values: list[int]) -> str:
    largest, smallest = max(values), min(values)
    return (
        f"count {len(values)}\n"
        f"maximum line {values.index(largest) + 1} value {largest}\n"
        f"minimum line {values.index(smallest) + 1} value {smallest}\n"
        f"sum {sum(values)}\n"
    )


def main() -> None:
    here = Path(__file__).resolve().parent
    paths = [Path(name) for name in sys.argv[1:]] or [
        here / "rsa_moduli.txt",
        here / "mixed_signs.txt",
    ]
    for path in paths:
        if path.suffix != ".txt":
            raise SystemExit(f"{path.name}: the name must end in .txt")
        path.with_suffix(".expected").write_text(expected(read(path)), encoding="ascii")


if __name__ == "__main__":
    main()
