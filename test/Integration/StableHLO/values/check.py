#!/usr/bin/env python3
"""Runs the tables of StableHLO ops and element types, and compares every element with NumPy's.

usage: check.py FOLDER [--ways=-O0,-O2,evaluate] [--share=K/N] [--table=NAME] [--only=TEXT] [--together=N] [--spoil] [--stored=VERSION]

A way is a flag of mica-run, or `evaluate`: the reference evaluator (mica-compile --evaluate). A share takes every Nth case from the Kth.
With --stored=1.13 programs are stored as portable artifacts of StableHLO for readers of that version; those that it lacks are left out.
With --spoil an element of each expected result is made wrong, and every case must be found wrong.
"""
import argparse
import importlib
import pathlib
import subprocess
import sys

import numpy as np

from cases import Program

sys.path.append(str(pathlib.Path(__file__).parent.parent / "vhlo"))
import store

TABLES = ["elementwise", "computations", "structured", "generators", "quantized", "sizes", "small", "dynamics", "older"]


def run(program, way, folder, stored):
    """Outputs, or the text of the error."""
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / ("program.mlirbc" if stored else "program.mlir")
    file.write_bytes(store.store(program.text, stored) if stored else program.text.encode())
    inputs = []
    for n, (_, array) in enumerate(program.inputs):
        np.save(folder / f"in{n}.npy", array)
        inputs.append(f"--input=@{folder}/in{n}.npy")
    outputs = [folder / f"out{n}.npy" for n in range(program.results)]
    for output in outputs:
        output.unlink(missing_ok=True)
    tool = ["mica-compile", "--evaluate"] if way == "evaluate" else ["mica-run", way]
    done = subprocess.run([*tool, str(file), *inputs, *[f"--output=@{output}" for output in outputs]], capture_output=True, text=True)
    if done.returncode != 0:
        return None, done.stderr
    return [np.load(output) for output in outputs], ""


def show(way, complaint):
    case, result, found, where = complaint
    print(f"{way}: {case.name}: {len(where)} of {result.exact.size} elements")
    for position in where[:4]:
        if found.shape != result.shape:
            print(f"  shape {found.shape}, expected {result.shape}")
            continue
        operands = [array[position] if array.shape == result.shape else None for _, array in case.operands]
        rounded = result.element.round(result.exact) if result.element.kind == "f" else result.exact
        print(f"  at {position}: got {found[position]!r}, expected {rounded[position]!r}" + (f" of {operands}" if None not in operands else ""))


def check(cases, way, folder, quiet=False, stored=None):
    """Wrong cases, and refused ones. A program that does not run is halved, until the case that it fails for is alone."""
    program = Program(cases)
    outputs, error = run(program, way, folder, stored)
    if outputs is not None:
        complaints = program.compare(outputs)
        for complaint in [] if quiet else complaints:
            show(way, complaint)
        return len({id(complaint[0]) for complaint in complaints}), 0
    if len(cases) == 1:
        print(f"{way}: {cases[0].name}: does not run\n{error[:1500]}")
        return 0, 1
    middle = len(cases) // 2
    parts = [check(part, way, folder, quiet, stored) for part in (cases[:middle], cases[middle:])]
    return sum(p[0] for p in parts), sum(p[1] for p in parts)


def is_stored(case, version):
    """Whether the version has all that `case` needs, and the writer too."""
    try:
        return bool(store.store(Program([case]).text, version))
    except store.Unsupported:
        return False


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--ways", default="-O2")
    parser.add_argument("--share", default="0/1")
    parser.add_argument("--table", default=",".join(TABLES))
    parser.add_argument("--only", default="")
    parser.add_argument("--together", type=int, default=64)
    parser.add_argument("--spoil", action="store_true")
    parser.add_argument("--stored")
    options = parser.parse_args()
    first, step = map(int, options.share.split("/"))
    cases = [case for name in options.table.split(",") for case in importlib.import_module(name).all_cases()]
    cases = [case for case in cases if options.only in case.name][first::step]
    if options.spoil:
        for case in cases:
            case.results[-1].spoil()
    stored = options.stored and tuple(map(int, options.stored.split(".")))
    if stored:
        cases = [case for case in cases if is_stored(case, stored)]
    ways, wrong, refused = options.ways.split(","), 0, 0
    for way in ways:
        for start in range(0, len(cases), options.together):
            parts = check(cases[start:start + options.together], way, options.folder, options.spoil, stored)
            wrong, refused = wrong + parts[0], refused + parts[1]
            sys.stdout.flush()
    print(f"{len(cases)} cases, {len(ways)} ways: {wrong} wrong, {refused} do not run")
    return 1 if refused or wrong != (len(cases) * len(ways) if options.spoil else 0) else 0


sys.exit(main())
