#!/usr/bin/env python3
# Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Bisects stock pipelines on programs that test/Differential draws, and counts the verdicts.

usage: random_pipelines.py WORK [--programs=N] [--seed=S] [--state=FILE] [--jobs=J] [--minutes=M] [--expect=FILE] [--file=MLIR ...]
       random_pipelines.py WORK --one=SEED      one program: its text, pipeline, and all that mica-bisect says

A program without ops of Mica's own runs through one of ten pipelines of upstream's passes, in turn. Verdicts other than same and
rounding are to be looked at by hand: --expect (lines `seed verdict pass  # why`) has those that are right. Others are printed and
counted as failures, as are error messages of mica-bisect, and no end in 300 s. With --state the verdicts are noted in FILE and such
seeds are not run again. --file runs each file, with generated inputs, through all ten pipelines instead.
The last line is "N programs: N same, N rounding, ...; N failures".
"""
import argparse
import collections
import concurrent.futures
import json
import pathlib
import re
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1] / "Differential"))
from draws import Draws  # noqa: E402
import generate  # noqa: E402

TO_LINALG = "func.func(convert-elementwise-to-linalg,tosa-infer-shapes,tosa-to-linalg-named,tosa-to-linalg,tosa-to-arith,tosa-to-tensor,tosa-to-scf)"
BUFFERIZE = "one-shot-bufferize{bufferize-function-boundaries allow-return-allocs-from-loops function-boundary-type-conversion=identity-layout-map}"
TO_LLVM = ("convert-scf-to-cf,expand-strided-metadata,lower-affine,convert-math-to-llvm,convert-math-to-libm,convert-arith-to-llvm,"
           "convert-index-to-llvm,finalize-memref-to-llvm,convert-cf-to-llvm,convert-func-to-llvm,reconcile-unrealized-casts")
PIPELINES = [f"builtin.module({text})" for text in (
    "canonicalize,cse,sccp,symbol-dce,canonicalize",
    f"{TO_LINALG},func.func(linalg-generalize-named-ops,linalg-fuse-elementwise-ops),canonicalize,cse",
    f"{TO_LINALG},func.func(linalg-fold-unit-extent-dims),canonicalize,func.func(linalg-generalize-named-ops)",
    f"{TO_LINALG},{BUFFERIZE},func.func(convert-linalg-to-affine-loops,affine-loop-fusion,affine-loop-invariant-code-motion)",
    f"{TO_LINALG},{BUFFERIZE},func.func(convert-linalg-to-affine-loops,affine-loop-tile{{tile-size=3}},affine-loop-unroll,affine-scalrep)",
    f"{TO_LINALG},{BUFFERIZE},func.func(convert-linalg-to-loops,loop-invariant-code-motion,scf-for-loop-canonicalization),canonicalize",
    f"int-range-optimizations,func.func(arith-expand),math-uplift-to-fma,{TO_LINALG},control-flow-sink,inline",
    f"{TO_LINALG},{BUFFERIZE},func.func(convert-linalg-to-affine-loops,affine-super-vectorize{{virtual-vector-size=4}})",
    f"{TO_LINALG},{BUFFERIZE},func.func(convert-linalg-to-parallel-loops,scf-parallel-loop-fusion,scf-parallel-loop-tiling{{parallel-loop-tile-sizes=2,3}}),canonicalize",
    f"{TO_LINALG},empty-tensor-to-alloc-tensor,{BUFFERIZE},func.func(convert-linalg-to-loops),canonicalize,{TO_LLVM}",
)]


def program(seed):
    """The text of the program, or None where it has ops that stock pipelines do not take."""
    text = generate.generate(Draws(seed), f"p{seed}")
    return None if "mica." in text else text


def run(words, work):
    try:
        done = subprocess.run(words, capture_output=True, text=True, timeout=300, cwd=work)
    except subprocess.TimeoutExpired:
        return "no end", "", "no end in 300 s"
    last = re.findall(r"^verdict: (.*)$", done.stdout, re.M)
    if not last:
        return "error", "", f"exit code {done.returncode}\n{done.stdout}{done.stderr}"
    kind, _, rest = last[-1].partition(": ")
    return kind, rest.split(" ")[0], done.stdout + done.stderr


def bisect(seed, work, flags=()):
    text = program(seed)
    head = json.loads(re.match(r"// run (\{.*\})", text).group(1))
    file = work / f"p{seed}.mlir"
    file.write_text(text)
    words = ["mica-bisect", str(file), "--entry=" + head["entry"], "--pipeline=" + PIPELINES[seed % len(PIPELINES)], "--no-report", "--budget=10"]
    return run(words + ["--input=" + value.replace("=whole:", "=random:") for value in head["inputs"]] + list(flags), work)


def bisect_file(file, pipeline, work):
    return run(["mica-bisect", file, "--pipeline=" + pipeline, "--no-report", "--no-reduce"], work)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("work", type=pathlib.Path)
    parser.add_argument("--programs", type=int, default=40)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--state", type=pathlib.Path)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--minutes", type=float, default=1e9)
    parser.add_argument("--expect", type=pathlib.Path)
    parser.add_argument("--one", type=int)
    parser.add_argument("--file", action="append", default=[])
    options = parser.parse_args()
    options.work.mkdir(parents=True, exist_ok=True)
    if options.one is not None:
        print(program(options.one), "\n// " + PIPELINES[options.one % len(PIPELINES)])
        print(bisect(options.one, options.work, ["--verbose"])[2])
        return 0
    expected = {}
    for line in options.expect.read_text().splitlines() if options.expect else []:
        words = line.partition("#")[0].split()
        if words:
            expected[words[0]] = " ".join(words[1:])
    state = json.loads(options.state.read_text()) if options.state and options.state.exists() else {}
    if options.file:
        jobs = [(f"{file}@{i}", lambda file=file, p=p: bisect_file(file, p, options.work)) for file in options.file for i, p in enumerate(PIPELINES)]
    else:
        seeds = []
        seed = options.seed
        while len(seeds) < options.programs:
            if program(seed):
                seeds.append(seed)
            seed += 1
        jobs = [(str(seed), lambda seed=seed: bisect(seed, options.work)) for seed in seeds if str(seed) not in state]
    end = time.monotonic() + 60 * options.minutes
    failures = []

    def take(job):
        return None if time.monotonic() > end else (job[0], *job[1]())

    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for found in pool.map(take, jobs):
            if not found:
                continue
            name, kind, culprit, text = found
            state[name] = f"{kind} {culprit}".strip() if kind not in ("same", "rounding") else kind
            if kind not in ("same", "rounding") and expected.get(name) != state[name]:
                failures.append(name)
                print(f"{name}: {state[name]}\n{text}", flush=True)
            if options.state:
                options.state.write_text(json.dumps(state, indent=0, sort_keys=True) + "\n")
    counts = collections.Counter(value if value in ("same", "rounding", "inconclusive") else re.split(r" (?=\S+$)", value)[0] for value in state.values())
    print(f"{len(state)} programs: " + ", ".join(f"{count} {kind}" for kind, count in sorted(counts.items())) + f"; {len(failures)} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
