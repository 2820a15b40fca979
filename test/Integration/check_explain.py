#!/usr/bin/env python3
# Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Whether mica-report explain prints every line of every file of an artifact that carries an id: check_explain.py ARTIFACT"""
import collections
import json
import pathlib
import re
import subprocess
import sys

import snapshot_files


def main():
    artifact = pathlib.Path(sys.argv[1])
    expected = collections.defaultdict(dict)  # id -> file -> lines
    names = {n.removesuffix(".map.json") for n in snapshot_files.files(artifact) if n.endswith((".map.json", ".mlir"))}
    for name in sorted(names):
        table = snapshot_files.read_map(artifact / name)
        for line, entry, _ in snapshot_files.rows(table):
            for op in table["sets"][entry]["ids"]:
                expected[op].setdefault(name, set()).add(line)
    lines, files = 0, set()
    for op, wanted in sorted(expected.items()):
        said = subprocess.run(["mica-report", "explain", artifact, op], check=True, capture_output=True, text=True).stdout
        found = {}
        for name, ranges in re.findall(r"^  (\S+): ([\d, -]+)$", said, re.M):
            found[name] = set()
            for part in ranges.split(", "):
                first, _, last = part.partition("-")
                found[name] |= set(range(int(first), int(last or first) + 1))
        if found != wanted:
            name = next(n for n in wanted if found.get(n) != wanted[n]) if set(found) <= set(wanted) else "other files"
            sys.exit(f"{op}: mica-report explain says something else than the map of {name}")
        lines += sum(map(len, wanted.values()))
        files |= set(wanted)
    print(f"{len(expected)} ids, {lines} lines in {len(files)} files, all of them")


if __name__ == "__main__":
    main()
