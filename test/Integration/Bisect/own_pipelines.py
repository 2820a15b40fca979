#!/usr/bin/env python3
# Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs the programs that show faults of upstream's passes through Mica's own pipelines: none of the faults is in them.

usage: own_pipelines.py WORK [--one-way] [--every=N]

The programs are those of this folder, of Inputs/reports and of Inputs/published whose main takes nothing, and the multi-entry ones with integers
for arguments. Those with undefined behavior are left out. Each is compiled at -O0 and -O2, for sim and with --plain, and compared with the
reference; with --one-way each in one of these ways, in turns, without those of Inputs/published. --every=N takes the first of every N programs.
"""
import concurrent.futures
import os
import pathlib
import re
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
# Not Mica's: types that nobody computes with (i7, i128), an allocator of the C library, a verifier's complaint, the
# dialect shape.
REFUSED = {"int-range-cast", "mul-ext-shift", "nested-module", "normalize-layout", "odd-ints", "shape-extent", "verdict-nondeterministic", "wide-ints"}


def entries(text):
    return re.findall(r"^ *func\.func @(\w+)\(([^)]*)\)", text, re.M)


def inputs_of(arguments):
    """One for each argument; None where an argument is neither an integer nor an index."""
    types = re.findall(r": (\w+)", arguments)
    if arguments and not all(re.fullmatch(r"i\d+|index", each) for each in types):
        return None
    numbers = [1 if each == "i1" else 7 * at + (100 if each == "i8" else 300) for at, each in enumerate(types)]
    return [f"--input={each}={number}" for each, number in zip(types, numbers)]


WAYS = [["-O0"], ["-O2"], ["--target=sim"], ["--plain"]]


def run(work, ways, file, entry, inputs):
    """(name, failures); None where the program has undefined behavior."""
    env = os.environ | {"MICA_CACHE_DIR": str(work / "cache")}

    def said(*words):
        done = subprocess.run(words, capture_output=True, text=True, timeout=120, env=env)
        return done.returncode, done.stdout + done.stderr

    name = f"{file.stem}.{entry}"
    chosen = [f"--entry={entry}", *inputs]
    if said("mica-run", file, "--check-ub", *chosen)[0] == 3:
        return name, None
    failures = []
    for flags in ways:
        artifact = work / f"{name}{''.join(flags)}"
        code, text = said("mica-compile", file, *flags, "-o", artifact, "--force", "--dump-passes=off")
        if not code:
            code, text = said("mica-run", artifact, "--check-reference", *chosen)
        if code:
            failures.append(f"{name} {flags[0]}: exit code {code}: {text[-600:]}")
    return name, failures


def main():
    work = pathlib.Path(sys.argv[1])
    work.mkdir(parents=True, exist_ok=True)
    jobs = []
    is_brief = "--one-way" in sys.argv
    folders = [HERE, HERE / "Inputs" / "reports"] + ([] if is_brief else [HERE / "Inputs" / "published"])
    for file in sorted(file for folder in folders for file in folder.glob("*.mlir")):
        text = file.read_text()
        if file.stem in REFUSED or "// -----" in text or "llvm.func" in text:
            continue
        for entry, arguments in entries(text):
            inputs = inputs_of(arguments)
            if inputs is not None:
                jobs.append((file, entry, inputs))
    jobs = jobs[::next((int(word.partition("=")[2]) for word in sys.argv if word.startswith("--every=")), 1)]
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        ways = [[WAYS[at % len(WAYS)]] if is_brief else WAYS for at in range(len(jobs))]
        found = list(pool.map(lambda job, chosen: run(work, chosen, *job), jobs, ways))
    failures = [line for _, lines in found if lines for line in lines]
    for line in failures:
        print(line)
    print(f"{sum(lines is not None for _, lines in found)} programs, {sum(lines is None for _, lines in found)} undefined, {len(failures)} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
