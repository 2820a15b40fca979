#!/usr/bin/env python3
"""Runs an artifact through the Python package, on inputs 0, 1, 2, ...: what docs/examples/c/run.c does in C.

usage: run.py ARTIFACT [SWITCHES]          switches such as nan-check,op-log-level=debug: docs/Environment.md
"""
import sys

import numpy as np

import mica


def example_input(wanted):
    """0, 1, 2, ... with 4 for every size that is free, in memory that is not copied."""
    array = mica.empty([4 if size < 0 else size for size in wanted.shape], wanted.dtype)
    array[...] = np.arange(array.size).reshape(array.shape)
    return array


def main(folder, switches=""):
    mica.set_switches(switches)
    with mica.load(folder) as program, program.context(threads=2) as context:
        entry = next(iter(program.entries.values()))
        print(f"mica {mica.version()}, entry {entry}")
        inputs = [example_input(wanted) for wanted in entry.arguments]
        for number, result in enumerate(context.run(*inputs, entry=entry.name)):
            print(f"result {number}: {result} {result.numpy().flatten()[:8]}")
        with context.submit(*inputs, entry=entry.name) as invocation:
            results = invocation.wait()
        print(f"the same in the background: {len(results)} results")


if __name__ == "__main__":
    try:
        main(*sys.argv[1:])
    except mica.Error as error:
        print(f"run.py: {type(error).__name__}: {error}", file=sys.stderr)
        if error.operation:
            print(f"run.py: operation {error.operation} [{error.id}], kernel '{error.kernel}', written at "
                  f"{error.file}:{error.line}:{error.column}", file=sys.stderr)
        sys.exit(3 if isinstance(error, mica.CheckFailed) else 1)
