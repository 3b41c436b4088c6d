# SPDX-License-Identifier: Apache-2.0
# Copyright (c) 2026 the thrust_rns authors
"""doxygen_filter.py FILE: the header as Doxygen reads it.

The doc comments are written for readers of the source. Doxygen takes `<` for HTML and joins lines that are set apart by
blanks; so such marks are escaped outside backticks, and lines indented by two blanks or more become blocks of code. What
is not for users is left out: namespace detail (but in detail/, whose basic_*.h hold classes behind public names), and
specialisations of std and thrust.
"""
import re
import sys


def escaped(text):
    """Outside `code`, < and a few other marks of Doxygen as plain characters."""
    parts = re.split(r"(`[^`]*`)", text)
    return "".join(p if p.startswith("`") else re.sub(r"([<>&#%])", r"\\\1", p) for p in parts)


def public(lines, path):
    """The lines without what is not for users, which become empty."""
    end = None
    outside = False  # behind the end of namespace thrust_rns
    for line in lines:
        if end is None and line == "namespace detail {" and "/detail/" not in path:
            end = "} // namespace detail"
        outside = (outside or line == "} // namespace thrust_rns") and line != "namespace thrust_rns {"
        yield line if end is None and (not outside or line == "} // namespace thrust_rns") else ""
        if line == end:
            end = None
    if end:
        sys.exit(f"{path}: no line '{end}'")


def filtered(lines):
    in_code = in_table = False
    for line in lines:
        comment = re.match(r"(\s*)///(?: (.*)|)$", line)
        text = (comment[2] or "") if comment else None
        if in_table and (text is None or not text.startswith("  ")):
            yield f"{indent}/// @endcode"
            in_table = False
        if text is None:
            yield line
            continue
        indent = comment[1]
        if text.strip() in ("@code", "@endcode"):
            in_code = text.strip() == "@code"
            yield f"{indent}/// @code{{.cpp}}" if in_code else line
        elif in_code:
            yield line
        elif text.startswith("  "):
            if not in_table:
                yield f"{indent}/// @code{{.unparsed}}"
                in_table = True
            yield line
        elif text.startswith("@"):
            yield line
        else:
            yield f"{indent}/// {escaped(text)}".rstrip()


with open(sys.argv[1], encoding="utf-8") as file:
    sys.stdout.write("\n".join(filtered(public(file.read().splitlines(), sys.argv[1]))) + "\n")
