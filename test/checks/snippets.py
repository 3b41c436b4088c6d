# SPDX-License-Identifier: Apache-2.0
# Copyright (c) 2026 the thrust_rns authors
"""Compiles and runs every snippet of the documentation, and compares what it prints.

snippets.py generate OUT.cpp OUT.json FILES...   one program with every snippet, and what each must print
snippets.py generate-cuda OUT.cpp OUT.json FILES...   the same for nvcc, of the snippets that mention __CUDACC__
snippets.py check PROGRAM OUT.json               runs them

A snippet is a ```cpp block in a .md file, or the doc comment lines between `/// @code` and `/// @endcode` in a header.
It is a whole program if it has an `int main()`, otherwise the statements of a function. It must print exactly
- the ```text block, if that is the next fenced block after it in a .md file, else
- the TEXT of its comments `// prints TEXT`, one line each.
"""
import json
import re
import subprocess
import sys

ALWAYS = ["<iostream>", "<thrust_rns/gmp.h>", "<thrust_rns/thrust_rns.h>"]


class Snippet:
    def __init__(self, file, line):
        self.file, self.line = file, line  # where its first line of code is
        self.code = []
        self.expected = None


def fail(file, line, message):
    sys.exit(f"{file}:{line}: {message}")


def from_markdown(file, lines):
    snippets, fence, block = [], None, None  # fence: the language of the open block; block: its Snippet or its text
    latest = None  # the snippet before which no other fenced block has closed
    for number, line in enumerate(lines, 1):
        mark = re.match(r"\s*```+\s*(.*?)\s*$", line)
        if not mark:
            if fence == "cpp":
                block.code.append(line)
            elif fence == "text":
                block.append(line)
        elif fence is None:
            fence = mark[1]
            if fence != "cpp" and re.match(r"(cpp|c\+\+|cxx|cuda|cu)\b", fence, re.IGNORECASE):
                fail(file, number, f"write ```cpp, not ```{fence}: every snippet is compiled and run")
            block = Snippet(file, number + 1) if fence == "cpp" else []
        else:
            if fence == "text" and latest:
                latest.expected = block
            latest = block if fence == "cpp" else None
            if latest:
                snippets.append(latest)
            fence = None
    if fence is not None:
        fail(file, len(lines), "a fenced block is not closed")
    return snippets


def from_header(file, lines):
    snippets, block = [], None
    for number, line in enumerate(lines, 1):
        comment = re.match(r"\s*///(?: (.*)|(.*))$", line)
        text = (comment[1] or comment[2] or "") if comment else None
        if text is not None and text.strip() == "@code":
            if block:
                fail(file, number, "@code inside @code")
            block = Snippet(file, number + 1)
        elif text is not None and text.strip() == "@endcode":
            if not block:
                fail(file, number, "@endcode without @code")
            snippets.append(block)
            block = None
        elif text is not None and "@code" in text:
            fail(file, number, "@code must stand alone on its line")
        elif block:
            if text is None:
                fail(file, number, "the doc comment ends before @endcode")
            block.code.append(text)
    if block:
        fail(file, block.line, "no @endcode")
    return snippets


def renamed_main(snippet, code):
    """`int main() {...}` as `int snippet_main() {... return 0; }`."""
    start = re.search(r"\bint\s+main\s*\(\s*\)\s*\{", code)
    if not start:
        fail(snippet.file, snippet.line, "a whole program must have `int main() {`")
    depth, end = 1, start.end()
    while depth and end < len(code):
        depth += {"{": 1, "}": -1}.get(code[end], 0)
        end += 1
    return code[: start.start()] + "int snippet_main() {" + code[start.end() : end - 1] + " return 0; }" + code[end:]


def generate(out_cpp, out_json, files, cuda_only):
    snippets = []
    for file in files:
        with open(file, encoding="utf-8") as text:
            lines = text.read().splitlines()
        snippets += from_markdown(file, lines) if file.endswith(".md") else from_header(file, lines)
    if cuda_only:
        snippets = [s for s in snippets if any("__CUDACC__" in line for line in s.code)]

    includes, body, calls = set(ALWAYS), [], []
    for index, snippet in enumerate(snippets):
        code = []
        for line in snippet.code:
            include = re.match(r"\s*#\s*include\s*(\S+)", line)
            if include:
                includes.add(include[1])
            code.append("" if include else line)
        if snippet.expected is None:
            snippet.expected = [text for line in code for text in re.findall(r"// prints (.*?)\s*$", line)]
        text = "\n".join(code)
        here = f'#line {snippet.line} "{snippet.file}"\n'
        if re.search(r"\bint\s+main\b", text):
            text = here + renamed_main(snippet, text)
        else:
            text = "void snippet_main() {\n" + here + text + "\n}"
        body.append(f"namespace snippet_{index} {{\n{text}\n}} // namespace snippet_{index}\n")
        calls.append(f"  if (which == {index}) snippet_{index}::snippet_main();\n")

    with open(out_cpp, "w", encoding="utf-8") as out:
        for include in sorted(includes):
            needs_nvcc = include.endswith(".cuh>")
            out.write(f"#if defined(__CUDACC__)\n#include {include}\n#endif\n" if needs_nvcc else f"#include {include}\n")
        out.write("#include <cstdlib>\n\n")
        out.write("\n".join(body))
        out.write('\n#line 1 "snippets_main"\nint main(int, char** argv) {\n  const int which = std::atoi(argv[1]);\n')
        out.write("".join(calls) + "}\n")
    with open(out_json, "w", encoding="utf-8") as out:
        json.dump([{"where": f"{s.file}:{s.line}", "expected": s.expected} for s in snippets], out, indent=1)


def check(program, expectations):
    with open(expectations, encoding="utf-8") as text:
        snippets = json.load(text)
    faults = 0
    for index, snippet in enumerate(snippets):
        result = subprocess.run([program, str(index)], capture_output=True, text=True)
        printed = [line.rstrip() for line in result.stdout.splitlines()]
        expected = [line.rstrip() for line in snippet["expected"]]
        if result.returncode != 0:
            print(f"{snippet['where']}: the snippet ends with status {result.returncode}\n{result.stderr}")
        if printed != expected:
            print(f"{snippet['where']}: the snippet prints", *printed, "but should print", *expected, sep="\n  ")
        faults += result.returncode != 0 or printed != expected
    print(f"{len(snippets)} snippets, {faults} wrong")
    sys.exit(1 if faults or not snippets else 0)


if sys.argv[1] in ("generate", "generate-cuda"):
    generate(sys.argv[2], sys.argv[3], sys.argv[4:], cuda_only=sys.argv[1] == "generate-cuda")
else:
    check(sys.argv[2], sys.argv[3])
