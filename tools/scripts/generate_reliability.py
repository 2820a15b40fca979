#!/usr/bin/env python3
# Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes docs/Reliability.md from what the tests of faults have left: test/Faults/results.tsv (walk_faults.py --write) and
test/Fuzz/Runs/passes.json (fuzz_passes.py --state).

usage: generate_reliability.py SOURCE_FOLDER [--check]

--check compares the page with what would be written, shows the difference and exits with 1 if there is one.
"""
import argparse
import json
import pathlib
import sys

import generated_page

PAGE = "docs/Reliability.md"
HEAD = """# Faults and outcomes

What Mica does when the system refuses something, or when a program is one that nobody would write: which faults were tried, and how the
runs ended. `tools/scripts/generate_reliability.py` makes this page from the output of the tests.

## Calls of the system that fail

[walk_faults.py](../test/Faults/walk_faults.py) makes one call fail per run, by a library for `LD_PRELOAD`
([InjectFaults.cpp](../test/Faults/InjectFaults.cpp)): the first from each place of the program, and of every 16th place all later ones too.
Exit code 1 with an error, or the right result, is what must come of it; after it the same command without a fault must give the right
result, so nothing that is half written is trusted.

    python3 test/Faults/walk_faults.py build /tmp/faults --share=20                       # of memory, every 20th place
    python3 test/Faults/walk_faults.py build /tmp/faults --scenario=run --kind=write --at=3   # one fault, and what it prints

| scenario | call | places | faults | right result | error | known | failures |
|---|---|---|---|---|---|---|---|
"""
MIDDLE = """
`run`: `mica-run ARTIFACT` on two threads. `cached` and `model`: `mica-run MODEL.mlir` with and without its artifact in the cache. `compile` and
`replace`: `mica-compile`, in the latter over an artifact of another program, which must be whole afterwards, the old or the new one.
`library`: a C program that calls libmica.

Known: JSON values of the library that Mica reads its files with allocate in their destructors, and where an object grows. A tool makes an
error of that; a host program of libmica that gets no memory at such a moment, while it loads a program, ends. The invocation of a program
reads no JSON.

What comes of lack of memory:

| where | outcome |
|---|---|
| `mica-run`, `mica-report` | error, exit code 1, also in threads |
| `mica-compile`, `mica-opt`, a pass runs | the pass is named, its input and a reproducer are kept; exit code 1 |
| `mica-compile`, `mica-opt` elsewhere, `mica-diff`, `mica-test-gen` | error, exit code 1 |
| libmica | `MICA_IO`; the context works on, unless its later calls say that it does not |
| tensors beyond the limit | refused before any is touched ([ABI](ABI.md)) |

## Passes on changed programs
"""


def passes(state):
    outcomes = state["outcomes"]
    crashes = sum(number for name, number in outcomes.items() if name.startswith(("signal", "hang", "exit")))
    causes = sum(key.startswith(("signal", "hang", "exit")) for key in state["findings"])
    rows = "\n".join(f"| {name} | {number:,} |" for name, number in sorted(outcomes.items(), key=lambda item: -item[1]))
    return f"""
[fuzz_passes.py](../test/Fuzz/fuzz_passes.py) changes programs of the tests, and snapshots of compiles, and runs passes on them: those that are
made for the program, and others with random options. Seeds {state["seed"]} to {state["seed"] + state["done"] - 1}: {state["done"]:,} trials in
{state["seconds"] / 60:.0f} minutes on two shared cores, {crashes} of which ended by a signal or by a hang, by {causes} causes. The
same command goes on behind them:

    python3 test/Fuzz/fuzz_passes.py build --ods=0 --seed={state["seed"]} --count=100000 --state=test/Fuzz/Runs/passes.json

| outcome | trials |
|---|---|
{rows}

Found and mended, each with a program in `test/Fuzz/Corpus/passes`: `linalg.softmax` on complex elements, on which upstream's decomposition ends by a
signal (three passes); a kernel with `mica_sched.scratch_bytes` whose argument is no buffer; `vector-bits=0`, a division by zero; loops in a region of
one block, which `mica-codegen-convert-scf-to-cf` made branches of: the next pass ended by a signal; reductions and scans of vectors of more than
2^20 elements, which would be unrolled (three passes); conversions to narrow floats, and integer powers, of tensors in passes on numbers and vectors;
`mica-tensor-verify-input` with `limit=0`, which failed without an error; `array<index: 1>`, on which MLIR's parser ends by a signal: it is refused
before it is parsed. "upstream's": MLIR's parser, or a verifier of its ops, crashed before any pass ran ([UpstreamFindings](UpstreamFindings.md)). Also a view of a
tensor without rank in `mica-schedule-form-task-lists` (seed 3014407), and a `tensor.pad` without the operand for its dynamic entry in
`mica-reference-decompose-tensors` (3010976), which MLIR's verifier accepts: mica-opt and mica-compile refuse it, and packs, unpacks and
`vector.insert` like it; and a `memref.dim` of a dimension beyond the rank, of which `mica-check-prove` asked upstream's bounds (seed 150 of others).

Whole tools on the tests' programs, seeds 4000001 to 4000140 (2026-11-28, 396 s on two shared cores): 77 done, 63 refused, no finding. The same command
goes on behind them:

    python3 test/Fuzz/fuzz_passes.py build --tools --ods=0 --no-records --seed=4000001 --count=10000 --state=test/Fuzz/Runs/tools.json

"invalid IR": the result of the pass does not verify, and `mica-opt` reports it. "no program": the changed text does not parse.
"""


def page(source):
    table = [line.split("\t") for line in (source / "test/Faults/results.tsv").read_text().splitlines()[1:]]
    rows = "".join("| " + " | ".join([f"`{row[0]}`", *row[1:]]) + " |\n" for row in table)
    return HEAD + rows + MIDDLE + passes(json.loads((source / "test/Fuzz/Runs/passes.json").read_text()))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("source", type=pathlib.Path)
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args()
    return generated_page.update(options.source, PAGE, page(options.source), "the tests",
                                 "python3 tools/scripts/generate_reliability.py .", options.check)


if __name__ == "__main__":
    sys.exit(main())
