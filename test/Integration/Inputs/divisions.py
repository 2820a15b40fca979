#!/usr/bin/env python3
# Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Divisions of numbers near the limits of 64 bits, by Python's integers.

usage: divisions.py                    prints a program of floordiv, ceildiv and mod
       divisions.py NUMBER|all < OUT   compares what mica-run printed of its function @host for a number, or of @kernel for all
"""
import re
import sys

LEAST, MOST = -2**63, 2**63 - 1
NUMBERS = [LEAST, LEAST + 1, LEAST + 7, -7, -1, 0, 1, 7, MOST - 7, MOST]
CASES = [(op, divisor) for op in ("floordiv", "ceildiv", "mod") for divisor in (1, 2, 3, 8, 2**32, 2**62, 2**62 + 1, MOST)]
# Of a divisor that is a symbol.
CASES += [(op, f"s{i}") for op in ("floordiv", "ceildiv", "mod") for i in (0, 1)]
SYMBOLS = {"s0": 3, "s1": 2**62 + 1}


def result(op, number, divisor):
    divisor = SYMBOLS.get(divisor, divisor)
    return {"floordiv": number // divisor, "ceildiv": -(-number // divisor), "mod": number % divisor}[op]


def apply(name, op, divisor, of):
    return f"{name} = affine.apply affine_map<(d0)[s0, s1] -> (d0 {op} {divisor})>({of})[%s0, %s1]"


def compare(numbers):
    printed = [list(map(int, re.findall(r"-?\d+", part))) for part in re.split(r"result \d+: \S+\n", sys.stdin.read())[1:]]
    wrong = [(case, got) for case, got in zip(CASES, printed, strict=True) if got[:len(numbers)] != [result(case[0], n, case[1]) for n in numbers]]
    for (op, divisor), got in wrong:
        print(f"{op} {divisor} of {numbers}: {got}")
    sys.exit(1 if wrong else 0)


def main():
    if len(sys.argv) > 1:
        compare(NUMBERS if sys.argv[1] == "all" else [int(sys.argv[1])])
    count, lines = len(CASES), []
    symbols = [f"  %{s} = arith.constant {v} : index" for s, v in SYMBOLS.items()]
    numbers = ", ".join(map(str, NUMBERS))
    lines += [f"func.func @kernel() -> ({', '.join(['tensor<10xi64>'] * count)}) {{", *symbols, f"  %x = arith.constant dense<[{numbers}]> : tensor<10xi64>",
              "  %e = tensor.empty() : tensor<10xi64>"]
    for i, (op, divisor) in enumerate(CASES):
        lines += [f"  %r{i} = linalg.generic {{indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = [\"parallel\"]}}",
                  "      ins(%x : tensor<10xi64>) outs(%e : tensor<10xi64>) {", "  ^bb0(%a: i64, %o: i64):", "    %i = arith.index_cast %a : i64 to index",
                  "    " + apply("%q", op, divisor, "%i"), "    %y = arith.index_cast %q : index to i64", "    linalg.yield %y : i64", "  } -> tensor<10xi64>"]
    names = ", ".join(f"%r{i}" for i in range(count))
    lines += [f"  return {names} : {', '.join(['tensor<10xi64>'] * count)}", "}", f"func.func @host(%x: index) -> ({', '.join(['index'] * count)}) {{", *symbols]
    lines += ["  " + apply(f"%r{i}", op, divisor, "%x") for i, (op, divisor) in enumerate(CASES)]
    lines += [f"  return {names} : {', '.join(['index'] * count)}", "}"]
    # A bound and a condition that are below 0: no iteration, and the number that says so.
    lines += ["// LOOP: {{^}}7", "func.func @loop(%n: index) -> index {", "  %c1 = arith.constant 1 : index", "  %c7 = arith.constant 7 : index",
              "  %r = affine.for %i = 0 to affine_map<()[s] -> (s ceildiv 4)>()[%n] iter_args(%a = %c7) -> (index) {", "    %b = arith.addi %a, %c1 : index",
              "    affine.yield %b : index", "  }", "  %s = affine.if affine_set<(a) : (a ceildiv 4 >= 0)>(%n) -> index {", "    affine.yield %c1 : index",
              "  } else {", "    affine.yield %r : index", "  }", "  return %s : index", "}"]
    print("\n".join(lines))


main()
