#!/usr/bin/env python3
"""A compiler of a language that is not MLIR, for foreign.test: passes over a stack machine's program.

usage: stack_opt.py FILE [--PASS ...] -o OUTPUT
"""
import os
import signal
import sys
import time


def fold(lines):
    """Adds numbers that are pushed one after the other."""
    for i in range(len(lines) - 2):
        words = [line.split() for line in lines[i:i + 3]]
        if words[0][0] == words[1][0] == "push" and words[2][0] == "add":
            return fold(lines[:i] + [f"push {int(words[0][1]) + int(words[1][1])}"] + lines[i + 3:])
    return lines


def drop_zeros(lines):
    """Wrong: a product with 0 is not the other number."""
    for i in range(len(lines) - 1):
        if lines[i].split() == ["push", "0"] and lines[i + 1].strip() in ("add", "mul"):
            return drop_zeros(lines[:i] + lines[i + 2:])
    return lines


def crash(lines):
    if any(line.strip() == "mul" for line in lines):
        os.kill(os.getpid(), signal.SIGSEGV)
    return lines


def hang(lines):
    time.sleep(600)
    return lines


def fail(lines):
    sys.exit("stack_opt: error: cannot do this")


def roll(lines):
    """Wrong in another way in each run."""
    return lines + ["push-time", "print"]


def make_unknown(lines):
    return ["unknown"] + lines


def make_known(lines):
    return [line for line in lines if line != "unknown"]


PASSES = {"--fold": fold, "--drop-zeros": drop_zeros, "--crash": crash, "--hang": hang, "--fail": fail, "--roll": roll,
          "--make-unknown": make_unknown, "--make-known": make_known, "--nothing": lambda lines: lines}


def main():
    file, *flags, _, output = sys.argv[1:]
    lines = [line for line in open(file).read().splitlines() if line.strip()]
    for flag in flags:
        if flag not in PASSES:
            sys.exit(f"stack_opt: error: no pass {flag}")
        lines = PASSES[flag](lines)
    open(output, "w").write("".join(line + "\n" for line in lines))


main()
