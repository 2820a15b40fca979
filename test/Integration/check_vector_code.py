#!/usr/bin/env python3
# Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Whether the innermost loop of every float kernel of an artifact holds packed vector instructions.

    check_vector_code.py ARTIFACT...

Reads kernels/<kernel>/kernel.s of x86-64. A loop is what lies between a label and the last branch back to it; it is
innermost when no other loop lies in it. The loop that does a kernel's work is the innermost one with the most
floating-point arithmetic; a kernel without such a loop was unrolled to the end, and its straight-line code counts. There
packed instructions must be the majority: a loop of scalars with one packed instruction beside them is not vectorized.
Kernels that only move data (by the manifest's root kind) and kernels without f32 or f64 compute no floats.
"""
import json
import os
import re
import sys

DATA_MOVEMENT = {"transpose", "pad", "broadcast", "slice", "extract_slice", "insert_slice", "concat", "gather", "fill",
                 "copy", "reshape", "reverse", "pack", "unpack"}
ARITHMETIC = re.compile(r"^v?(?:add|sub|mul|div|max|min|sqrt|rsqrt\w*|rcp\w*|fn?m(?:add|sub)\d*|fmaddsub\d*|cmp\w*?|ucomi|comi"
                        r"|round|rndscale|scalef|getexp|getmant|range|reduce|dp|hadd|addsub)(?P<width>ps|pd|ss|sd)$")
BRANCH = re.compile(r"^\s+(j[a-z]+)\s+(\.L\w+)")
LABEL = re.compile(r"^(\.?\w+):")
INSTRUCTION = re.compile(r"^\s+([a-z][a-z0-9]*)\b")


def loops_of(lines):
    """(first line, last line, label) of every loop, from the branches to labels above them."""
    labels = {}
    for number, line in enumerate(lines):
        if match := LABEL.match(line):
            labels[match.group(1)] = number
    ends = {}
    for number, line in enumerate(lines):
        if match := BRANCH.match(line):
            start = labels.get(match.group(2), number + 1)
            if start <= number:
                ends[match.group(2)] = number
    return [(labels[label], end, label) for label, end in ends.items()]


def arithmetic(lines):
    """How many packed and how many scalar floating-point instructions."""
    packed = scalar = 0
    for line in lines:
        name = INSTRUCTION.match(line)
        match = ARITHMETIC.match(name.group(1)) if name else None
        if match:
            if match.group("width")[0] == "p":
                packed += 1
            else:
                scalar += 1
    return packed, scalar


def judge(text):
    """(packed, scalar, place) of the code that does the work."""
    lines = text.splitlines()
    loops = loops_of(lines)
    innermost = [a for a in loops if not any(a is not b and a[0] <= b[0] and b[1] <= a[1] for b in loops)]
    counted = [(arithmetic(lines[first:last + 1]), label, first + 1) for first, last, label in innermost]
    counted = [entry for entry in counted if sum(entry[0])]
    if not counted:
        return *arithmetic(lines), "straight-line code"
    (packed, scalar), label, line = max(counted, key=lambda entry: sum(entry[0]))
    return packed, scalar, f"loop {label} at line {line}"


def main(artifacts):
    failures = judged = 0
    for artifact in artifacts:
        with open(os.path.join(artifact, "manifest.json")) as file:
            manifest = json.load(file)
        for kernel in manifest["kernels"]:
            floats = any(binding["dtype"] in ("f32", "f64") for binding in kernel["bindings"])
            if not floats or kernel["root_kind"] in DATA_MOVEMENT:
                continue
            path = os.path.join(artifact, "kernels", kernel["name"], "kernel.s")
            with open(path) as file:
                packed, scalar, place = judge(file.read())
            judged += 1
            good = packed > 0 and packed >= scalar
            failures += not good
            print(f"{'ok  ' if good else 'FAIL'} {kernel['name']}: {packed} packed, {scalar} scalar in {place}")
    print(f"{judged} float kernels, {failures} without vector code")
    return 1 if failures or not judged else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
