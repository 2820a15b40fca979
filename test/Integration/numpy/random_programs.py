#!/usr/bin/env python3
# Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs programs that a generator draws, and compares each with the numbers that the generator computes with NumPy.

usage: random_programs.py WORK GENERATOR.py [--programs=N] [--seed=S] [--modes=-O0,-O2,--plain,--target=sim]

A generator has draw(rng), which gives (text, inputs, expected): a function called @NAME, and arrays of integers, so that every result has to
be the same number. Of programs on buffers it also gives what each argument holds at the end: an artifact says which of them it returns. Programs are compiled together, and each file is run in a child: a signal, or no end within a minute, is a failure of it.
"""
import argparse
import importlib.util
import json
import multiprocessing
import os
import pathlib
import shutil
import subprocess
import sys

import numpy as np

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parents[2] / "python")]
TOGETHER = 20
np.seterr(all="ignore")


def load(path):
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def wrong(got, expected):
    """None, or what is wrong with the results of one program."""
    if len(got) != len(expected):
        return f"{len(got)} results, expected {len(expected)}"
    for at, (g, e) in enumerate(zip(got, expected)):
        if g.shape != e.shape or g.dtype != e.dtype:
            return f"result {at}: got {g.dtype}{g.shape}, expected {e.dtype}{e.shape}"
        if not np.array_equal(g, e):
            place = tuple(int(i) for i in np.argwhere(g != e)[0])
            return f"result {at}: {int((g != e).sum())} of {g.size} differ, first at {place}: got {g[place]}, expected {e[place]}"
    return None


def following(results, inputs, expected, finals):
    """What an entry with these results in its manifest has to return: results, and arguments that it stores to. The others keep their values."""
    updated = [result["updates"] for result in results if "updates" in result]
    for at, (before, after) in enumerate(zip(inputs, finals)):
        if at not in updated and not np.array_equal(before, after):
            raise ValueError(f"argument {at} is stored to, and not returned")
    return expected + [finals[at] for at in updated]


def run(artifact, programs, pipe):
    """In a child: sends what is wrong with each program, or None."""
    import mica
    entries = {each["name"]: each["results"] for each in json.loads((artifact / "manifest.json").read_text())["entries"]}
    with mica.load(artifact) as program:
        context = program.context(threads=2)
        for seed, (_, inputs, expected, *finals) in programs:
            pipe.send(("begin", seed))
            try:
                expected = following(entries[f"p{seed}"], inputs, expected, *finals) if finals else expected
                said = wrong([np.array(each.numpy()) for each in context.run(*inputs, entry=f"p{seed}")], expected)
            except (mica.Error, TypeError, ValueError) as failure:
                said = f"not run: {str(failure)[:400]}"
                # A context takes no further work after some failures.
                context = program.context(threads=2)
            pipe.send(("end", said))
    os._exit(0)


def check(work, programs, mode):
    """The failures of one file of programs."""
    model, artifact = work / f"programs-{programs[0][0]}.mlir", work / f"programs-{programs[0][0]}{mode}"
    model.write_text("\n".join(text.replace("@NAME", f"@p{seed}") for seed, (text, *_) in programs))
    shutil.rmtree(artifact, ignore_errors=True)
    try:
        done = subprocess.run(["mica-compile", model, mode, "-o", artifact, "--force", "--dump-passes=off"], capture_output=True, text=True, timeout=300)
    except subprocess.TimeoutExpired:
        return [f"{model.name} {mode}: mica-compile does not end"]
    if done.returncode:
        if len(programs) > 1:
            return [line for each in programs for line in check(work, [each], mode)]
        errors = [line for line in done.stderr.splitlines() if "error" in line] or [done.stderr[-300:]]
        return [f"{model.name} {mode}: not compiled: {' | '.join(errors[:2])}"]
    failures, left = [], list(programs)
    while left:
        ours, theirs = multiprocessing.Pipe(duplex=False)
        child = multiprocessing.Process(target=run, args=(artifact, left, theirs))
        child.start()
        theirs.close()
        seed = left[0][0]
        try:
            while left:
                if not ours.poll(60):
                    raise EOFError
                kind, said = ours.recv()
                if kind == "begin":
                    seed = said
                    continue
                left.pop(0)
                if said:
                    failures.append(f"{model.name} {mode} @p{seed}: {said}")
        except EOFError:
            child.join(1)
            how = "does not end" if child.is_alive() else f"ends with {child.exitcode}"
            child.kill()
            failures.append(f"{model.name} {mode} @p{seed}: {how}")
            left.pop(0)
        child.join()
    shutil.rmtree(artifact, ignore_errors=True)
    return failures


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("work", type=pathlib.Path)
    parser.add_argument("generator", type=pathlib.Path)
    parser.add_argument("--programs", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--modes", default="-O0,-O2,--plain,--target=sim")
    options = parser.parse_args()
    options.work.mkdir(parents=True, exist_ok=True)
    draw = load(options.generator).draw
    failures = []
    for first in range(options.seed, options.seed + options.programs, TOGETHER):
        seeds = range(first, min(first + TOGETHER, options.seed + options.programs))
        programs = [(seed, draw(np.random.default_rng(seed))) for seed in seeds]
        for mode in options.modes.split(","):
            found = check(options.work, programs, mode)
            failures += found
            for line in found:
                print(line, flush=True)
    print(f"{options.programs} programs, {len(failures)} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
