# SPDX-License-Identifier: Apache-2.0
# Copyright (c) 2026 the thrust_rns authors
"""compile_fail.py FILE COMPILER FLAGS...

The file must not compile, and the compiler's output must match the regular expression of every line
`// expect: REGEX` in it. With -DCONTROL it must compile without a word.
"""
import re
import subprocess
import sys

source, command = sys.argv[1], sys.argv[2:]
with open(source, encoding="utf-8") as text:
    expected = re.findall(r"// expect: (.+?)\s*$", text.read(), re.MULTILINE)


def compile_with(*flags):
    result = subprocess.run([*command, *flags, source], capture_output=True, text=True)
    return result.returncode, result.stdout + result.stderr


faults = []
if not expected:
    faults.append("it has no line `// expect: REGEX`")
status, output = compile_with()
if status == 0:
    faults.append("it compiles")
faults += [f"the compiler does not say: {regex}" for regex in expected if not re.search(regex, output)]
control_status, control_output = compile_with("-DCONTROL")
if control_status != 0 or control_output:
    faults.append("with -DCONTROL it does not compile cleanly:\n" + control_output)

if faults:
    print(output)
    sys.exit("\n".join(f"{source}: {fault}" for fault in faults))
