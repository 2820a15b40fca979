#!/usr/bin/env python3
# Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Whether the ops of a model's last snapshots carry ids, and only ids of their kernel.

    check_ids.py [--least=PERCENT] ARTIFACT...

Reads passes_dump: the last snapshot in which each kernel was recorded alone, and the host functions of the last snapshot of the
whole program; which ids an op carries is read from the snapshot's map. Not counted: constants (llvm.mlir.constant, undef,
poison, zero, addressof), and structure, which computes nothing: modules, functions, declarations, the return of a function.
Branches count: they are the loops of an op. With fewer than 95 percent of the counted ops of a model carrying ids, or with
an op in a kernel's snapshot that carries an id which the manifest does not list for the kernel, the check fails.
"""
import collections
import json
import os
import re
import sys

import snapshot_files

CONSTANTS = {"llvm.mlir.constant", "llvm.mlir.undef", "llvm.mlir.poison", "llvm.mlir.zero", "llvm.mlir.addressof",
             "arith.constant", "mica_sched.constant"}
STRUCTURE = {"builtin.module", "module", "llvm.func", "func.func", "llvm.return", "return", "func.return", "llvm.mlir.global",
             "llvm.comdat"}
OP = re.compile(r'^\s*(?:%[^=]*= )?"?((?:[a-z_0-9]+\.)+[a-z_0-9.]+|module|return)\b')


def read_json(path):
    with open(path) as file:
        return json.load(file)


def ops_of(dump, name, host_only=False):
    """(kind, ids, line) of every op of a snapshot; with host_only without those in kernel modules."""
    path = os.path.join(dump, name)
    table = snapshot_files.read_map(path)
    ids = {line: table["sets"][entry]["ids"] for line, entry, _ in snapshot_files.rows(table)}
    inside = False
    for number, line in enumerate(snapshot_files.read_text(path).splitlines(), 1):
        if line.startswith("{-#"):
            return
        if host_only and line.startswith("  module @"):
            inside = True
        match = OP.match(line)
        if match and not inside and number in ids:
            yield match.group(1), ids[number], number
        if inside and line.startswith("  }"):
            inside = False


def last_snapshots(dump, kernels):
    """{kernel or "": file} of the last snapshots recorded."""
    last = {}
    for record in read_json(os.path.join(dump, "index.json"))["records"]:
        if record.get("file") and (not record.get("op") or record["op"] in kernels):
            last[record.get("op") or ""] = record["file"]
    return last


def check(artifact, least):
    manifest = read_json(os.path.join(artifact, "manifest.json"))
    kernels = {kernel["name"]: set(kernel["op_ids"]) for kernel in manifest["kernels"]}
    dump = os.path.join(artifact, "passes_dump")
    snapshots = last_snapshots(dump, kernels)
    problems = [f"no snapshot of kernel {name}" for name in kernels if name not in snapshots]
    known = {op["id"] for op in manifest["ops"]}
    counted = carrying = 0
    bare = collections.Counter()
    for name, file in sorted(snapshots.items()):
        found = 0
        for kind, ids, line in ops_of(dump, file, host_only=not name):
            allowed = kernels[name] if name else known
            for stray in sorted(set(ids) - allowed):
                problems.append(f"{file}:{line}: {kind} carries {stray}, which is no op of "
                                + (f"kernel {name}" if name else "the program"))
            if kind in CONSTANTS or kind in STRUCTURE:
                continue
            found += 1
            carrying += bool(ids)
            if not ids:
                bare[f"{kind} in {name or 'the host functions'}"] += 1
        counted += found
        if name and not found:
            problems.append(f"{file}: no ops in a kernel's snapshot")
    # What an op is listed for must also be an op of the program.
    for name, ids in kernels.items():
        problems += [f"kernel {name} lists {stray}, which is no op of the program" for stray in sorted(ids - known)]
    percent = 100.0 * carrying / counted if counted else 0.0
    if percent < least:
        problems.append(f"{percent:.1f} % is less than {least} %; without ids: "
                        + ", ".join(f"{count} x {kind}" for kind, count in bare.most_common(20)))
    print(f"{os.path.basename(os.path.normpath(artifact))}: {carrying} of {counted} ops carry ids ({percent:.1f} %)")
    for problem in problems:
        print(f"FAIL {problem}")
    return not problems


def main(arguments):
    least = 95.0
    artifacts = []
    for argument in arguments:
        if argument.startswith("--least="):
            least = float(argument.split("=", 1)[1])
        else:
            artifacts.append(argument)
    good = [check(artifact, least) for artifact in artifacts]
    return 0 if good and all(good) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
