#!/usr/bin/env python3
"""Saves a model while mica-run compiles it: what runs, and what the cache keeps, is the program whose bytes were hashed.

usage: compiled_bytes.py MICA_COMPILE MICA_RUN WORK TRIALS

The first trials are certain: a compiler that is started through a script which replaces the model before it lets the compiler begin.
The others save at random moments, in place and by rename. Each time the run of A, and a later run of A, must give A's number.
"""
import os
import pathlib
import random
import shutil
import subprocess
import sys
import time

COMPILE, RUN, WORK, TRIALS = shutil.which(sys.argv[1]), sys.argv[2], pathlib.Path(sys.argv[3]), int(sys.argv[4])
SEED = 20261123
random.seed(SEED)
shutil.rmtree(WORK, ignore_errors=True)
WORK.mkdir(parents=True)
model = WORK / "model.mlir"


def program(value):
    return f"func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {{\n  %c = arith.constant dense<{value}.0> : tensor<2xf32>\n  %r = arith.mulf %x, %c : tensor<2xf32>\n  return %r : tensor<2xf32>\n}}\n"


def save(value, in_place):
    if in_place:
        with open(model, "r+" if model.exists() else "w") as file:
            file.write(program(value))
            file.truncate()
    else:
        other = WORK / "model.mlir~"
        other.write_text(program(value))
        other.rename(model)


def environment(cache, compiler=COMPILE):
    return os.environ | {"MICA_CACHE_DIR": str(WORK / cache), "MICA_COMPILE": str(compiler)}


def run(cache, compiler=COMPILE, during=None):
    child = subprocess.Popen([RUN, str(model), "--input=2xf32=1", "--threads=1"], env=environment(cache, compiler), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    if during:
        during()
    said, errors = child.communicate()
    return child.returncode, said, errors


def expect(value, outcome, what):
    code, said, errors = outcome
    if code != 0 or f"[{value}. {value}.]" not in said:
        sys.exit(f"{what}: exit code {code}, got {said.strip()!r}, expected {value} (seed {SEED})\n{errors}")


# The script replaces the model when it is to compile, and not when it is asked which build it is.
for in_place in (False, True):
    script = WORK / f"compiler-{in_place}"
    save(2, False)
    copy = WORK / "other.mlir"
    copy.write_text(program(3))
    replace = f"cat '{copy}' > '{model}'" if in_place else f"cp '{copy}' '{model}.new' && mv '{model}.new' '{model}'"
    script.write_text(f"#!/bin/sh\ncase \"$1\" in --print-build) ;; *) {replace} ;; esac\nexec '{COMPILE}' \"$@\"\n")
    script.chmod(0o755)
    expect(2, run("certain", script), "replaced before the compiler began")
    save(2, False)
    expect(2, run("certain", script), "the same program again")
    expect(3, (save(3, False), run("certain", script))[1], "the other program")
print("replaced before the compiler begins: the program that was hashed")

save(2, False)
start = time.monotonic()
expect(2, run("first"), "undisturbed")
length = time.monotonic() - start
for trial in range(TRIALS):
    cache, moment = f"cache{trial % 4}", random.uniform(0, 1.2 * length)
    shutil.rmtree(WORK / cache / "artifacts", ignore_errors=True)
    save(2, False)

    def disturb():
        time.sleep(moment)
        save(3, trial % 2 == 0)

    outcome = run(cache, during=disturb)
    # Saved before it was read, it is the other program's; in place it may be read half written, and is then refused.
    code, said, errors = outcome
    shows = [value for value in (2, 3) if code == 0 and f"{value}." in said]
    if code == 0 and not shows:
        sys.exit(f"trial {trial}: got {said!r} (seed {SEED})")
    for value in (2, 3):
        save(value, False)
        expect(value, run(cache), f"trial {trial}, saved after {moment:.3f} s, a later run")
print(f"{TRIALS} saves at random moments: every later run has its own number")
