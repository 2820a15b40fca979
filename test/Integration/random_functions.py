# Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles and runs functions that a generator draws, and compares each with the reference: for random_scalars.py and random_transfers.py.

A generator makes an object for a seed, with `text`, a function named f<seed>, and `inputs`, as --input takes them.
"""
import argparse
import concurrent.futures
import os
import pathlib
import subprocess

IN_FILE = 10


def check(work, generate, modes, first, count, skips_undefined):
    """(compared, undefined, failures) of one file of functions."""
    functions = [generate(seed) for seed in range(first, first + count)]
    file = work / f"functions-{first}.mlir"
    file.write_text("\n".join(function.text for function in functions))
    env = os.environ | {"MICA_CACHE_DIR": str(work / "cache")}

    def said(*words):
        done = subprocess.run(words, capture_output=True, text=True, timeout=300, env=env)
        return done.returncode, done.stdout + done.stderr

    failures, undefined, artifacts = [], 0, []
    for mode in modes:
        artifact = work / f"functions-{first}{mode}"
        code, text = said("mica-compile", file, mode, "-o", artifact, "--force", "--dump-passes=off")
        if code:
            failures.append(f"{file.name} {mode}: not compiled: {text[:600]}")
        else:
            artifacts.append((mode, artifact))
    for function, seed in zip(functions, range(first, first + count)):
        chosen = [f"--entry=f{seed}", *(f"--input={each}" for each in function.inputs)]
        code, text = said("mica-run", file, "--check-ub", *chosen) if skips_undefined else (0, "")
        if code:
            undefined += 1
            if "undefined" not in text:
                failures.append(f"{file.name} {' '.join(chosen)}: --check-ub ends with {code}: {text[:400]}")
            continue
        for mode, artifact in artifacts:
            code, text = said("mica-run", artifact, "--check-reference", *chosen)
            # The remainder of the smallest number by -1, which LLVM leaves undefined, is 0 for the reference.
            if code and "or one that overflows" not in text:
                failures.append(f"{file.name} {mode} {' '.join(chosen)}: exit code {code}: {text[-500:]}")
    return count - undefined, undefined, failures


def main(generate, modes, skips_undefined=False):
    """With `skips_undefined`, a program with undefined behavior on its inputs is counted and left out."""
    parser = argparse.ArgumentParser()
    parser.add_argument("work", type=pathlib.Path)
    parser.add_argument("--programs", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args()
    options.work.mkdir(parents=True, exist_ok=True)
    end = options.seed + options.programs
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        found = list(pool.map(lambda first: check(options.work, generate, modes, first, min(IN_FILE, end - first), skips_undefined),
                              range(options.seed, end, IN_FILE)))
    compared, undefined, failures = (list(column) for column in zip(*found))
    for line in sum(failures, []):
        print(line)
    print(f"{sum(compared)} programs compared, {sum(undefined)} undefined, {sum(map(len, failures))} failures")
    return 1 if any(failures) else 0
