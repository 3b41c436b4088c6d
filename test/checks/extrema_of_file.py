#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# Copyright (c) 2026 the thrust_rns authors
"""extrema_of_file.py PROGRAM DATA_FOLDER: the main example's answers on the shipped data, and its errors."""
import pathlib
import subprocess
import sys
import tempfile

program, data = sys.argv[1], pathlib.Path(sys.argv[2])
failures = 0


def run(arguments, text=""):
    return subprocess.run([program, *map(str, arguments)], input=text, capture_output=True, text=True, timeout=300)


def check(name, condition, result):
    global failures
    print("ok    " if condition else "FAILED", name)
    if not condition:
        failures += 1
        print(f"  exit {result.returncode}\n  stdout: {result.stdout[:2000]}\n  stderr: {result.stderr[:2000]}")


def expect_error(name, status, words, arguments, text=""):
    result = run(arguments, text)
    ok = result.returncode == status and result.stdout == "" and all(w in result.stderr for w in words)
    check(name, ok, result)


for source in sorted(data.glob("*.txt")):
    expected = source.with_suffix(".expected").read_text()
    for arguments, text in (([source], ""), (["-"], source.read_text())):
        result = run(arguments, text)
        ok = result.returncode == 0 and result.stdout.startswith(expected) and "check equal to GMP" in result.stdout
        check(f"answers for {source.name} {'as file' if not text else 'on standard input'}", ok, result)

result = run([], "00010\r\n  +7 \n-0x1F")
check("blanks, line ends, leading zeros and a last line without end", result.returncode == 0 and
      result.stdout.startswith("count 3\nmaximum line 1 value 10\nminimum line 3 value -31\nsum -14\n"), result)
result = run([], "-5\n")
check("a single integer", result.stdout.startswith("count 1\nmaximum line 1 value -5\nminimum line 1 value -5\nsum -5\n"),
      result)

expect_error("a malformed line is named", 1, [":2:", '"12a"'], [], "5\n12a\n7\n")
expect_error("an empty line is named", 1, [":2:", '""'], [], "5\n\n7\n")
expect_error("an unreadable file is named", 1, ["/no/such/file"], ["/no/such/file"])
expect_error("no input is an error", 1, ["no lines"], [], "")
expect_error("a value outside the asked range is named", 1, [":1:", str(10**40)], ["--bits", "64"], f"{10**40}\n")
most = (2**31 - 1) * (2**31 - 19) * (2**31 - 61) * (2**31 - 69) // 2  # of the base for 97 bits
expect_error("a sum that may wrap is refused", 1, ["sum", "--bits"], ["--bits", "97"], f"{most}\n{most}\n")
expect_error("values wider than every base are refused", 1, ["bits"], [], f"{2**9000}\n")
expect_error("a malformed option is named", 2, ["--bits", '"x"'], ["--bits", "x"])
expect_error("an unknown option is named", 2, ["--frobnicate"], ["--frobnicate"])
with tempfile.TemporaryDirectory() as folder:
    expect_error("a folder is no input", 1, [folder], [folder])

sys.exit(failures != 0)
