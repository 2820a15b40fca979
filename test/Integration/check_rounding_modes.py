#!/usr/bin/env python3
"""arith.truncf with every rounding mode, between all float types, on scalars, vectors and tensors.

usage: check_rounding_modes.py WORK_DIR FORMS FLAGS...     FORMS: tensor, vector, scalar, joined by commas; FLAGS: what mica-run is
given, joined by commas, or --plain

The answers are exact fractions, rounded here. The operands lie on the numbers of the narrow type, between two of them, next to
these, and beyond the largest; results are compared by their bits, but for NaN.
"""
import fractions
import math
import os
import random
import subprocess
import sys

import numpy as np

from check_host_floats import FORMATS, decode

FORMATS = {**FORMATS, "f32": (32, 23, 127, True), "f64": (64, 52, 1023, True)}
MODES = ("to_nearest_even", "downward", "upward", "toward_zero", "to_nearest_away")
CASTS = {"f64": ("f32", "f16", "bf16", "f8E4M3FN", "f8E5M2"), "f32": ("f16", "bf16", "f8E4M3FN", "f8E5M2"),
         "f16": ("f8E4M3FN", "f8E5M2"), "bf16": ("f8E4M3FN", "f8E5M2")}
LANES = 8


def largest(t):
    bits, mantissa, _, infinite = FORMATS[t]
    return (((1 << (bits - 1 - mantissa)) - 1) << mantissa) - 1 if infinite else 0x7E


def value(t, code):
    if t in ("f32", "f64"):
        kinds = (np.uint32, np.float32) if t == "f32" else (np.uint64, np.float64)
        return float(np.array([code], kinds[0]).view(kinds[1])[0])
    return decode(t, code)


def encode(t, x, mode):
    """The code of the float x rounded to the type t; "nan" for any NaN."""
    bits, mantissa, bias, infinite = FORMATS[t]
    if math.isnan(x):
        return "nan"
    negative = math.copysign(1, x) < 0
    sign = int(negative) << (bits - 1)
    beyond = sign | (largest(t) + 1) if infinite else "nan"
    if math.isinf(x):
        return beyond
    magnitude = abs(fractions.Fraction(x))
    exponent = max(math.frexp(x)[1] - 1, 1 - bias) if x else 1 - bias
    steps = magnitude / fractions.Fraction(2)**(exponent - mantissa)
    below = math.floor(steps)
    away = {"to_nearest_even": steps - below > fractions.Fraction(1, 2) or (steps - below == fractions.Fraction(1, 2) and below % 2),
            "to_nearest_away": steps - below >= fractions.Fraction(1, 2), "toward_zero": False,
            "downward": negative and steps != below, "upward": not negative and steps != below}[mode]
    code = below + int(away) + ((exponent + bias - 1) << mantissa)
    if code <= largest(t):
        return sign | code
    towardZero = mode == "toward_zero" or mode == ("upward" if negative else "downward")
    return sign | largest(t) if towardZero else beyond


def operands(source, target, rng):
    """Codes of `source`: numbers of `target`, what is between two of them, and the neighbors in `source` of all these."""
    codes = []
    bits = FORMATS[source][0]
    top = largest(target)
    chosen = [0, 1, 2, 3, top - 1, top] + [rng.randrange(top + 1) for _ in range(12)]
    for code in chosen:
        low = fractions.Fraction(value(target, code))
        high = fractions.Fraction(value(target, code + 1)) if code < top else 2 * low - fractions.Fraction(value(target, code - 1))
        for point in (low, (low + high) / 2, (3 * low + high) / 4):
            near = encode(source, float(point), "to_nearest_even")
            codes += [c for c in (near - 1, near, near + 1) if near != "nan" and 0 <= c <= largest(source)]
    codes += [0, 1, largest(source), largest(source) + 1, largest(source) + 2]
    codes += [c | 1 << (bits - 1) for c in codes]
    return codes + [codes[0]] * (-len(codes) % LANES)


def function(name, source, target, mode, count, form):
    wide, narrow = FORMATS[source][0], FORMATS[target][0]
    a, r = f"tensor<{count}xi{wide}>", f"tensor<{count}xi{narrow}>"
    lines = [f"func.func @{name}(%a: {a}) -> {r} {{"]

    def cast(v, w):
        return [f"%x = arith.bitcast {v} : {w(f'i{wide}')} to {w(source)}", f"%y = arith.truncf %x {mode} : {w(source)} to {w(target)}",
                f"%z = arith.bitcast %y : {w(target)} to {w(f'i{narrow}')}"]
    if form == "tensor":
        return lines + cast("%a", lambda t: f"tensor<{count}x{t}>") + [f"return %z : {r}", "}"]
    step = LANES if form == "vector" else 1
    lines += [f"%c0 = arith.constant 0 : index\n%n = arith.constant {count} : index\n%s = arith.constant {step} : index",
              f"%p = arith.constant 0 : i{wide}\n%e = tensor.empty() : {r}",
              f"%r = scf.for %i = %c0 to %n step %s iter_args(%o = %e) -> ({r}) {{"]
    if form == "vector":
        lines += [f"%v = vector.transfer_read %a[%i], %p {{in_bounds = [true]}} : {a}, vector<{LANES}xi{wide}>"]
        lines += cast("%v", lambda t: f"vector<{LANES}x{t}>")
        lines += [f"%w = vector.transfer_write %z, %o[%i] {{in_bounds = [true]}} : vector<{LANES}xi{narrow}>, {r}"]
    else:
        lines += [f"%v = tensor.extract %a[%i] : {a}"] + cast("%v", lambda t: t) + [f"%w = tensor.insert %z into %o[%i] : {r}"]
    return lines + [f"scf.yield %w : {r}", "}", f"return %r : {r}", "}"]


def main():
    work, forms = sys.argv[1], sys.argv[2].split(",")
    rng = random.Random(20)
    cases, text = [], []
    for source, targets in CASTS.items():
        for target in targets:
            codes = operands(source, target, rng)
            for mode in MODES:
                for form in forms:
                    name = f"{form}_{source}_{target}_{mode}"
                    text += function(name, source, target, mode, len(codes), form)
                    cases.append((name, source, target, mode, codes))
    # One call of all: a run per case would take most of the time.
    parameters = [f"%a{i}: tensor<{len(c[4])}xi{FORMATS[c[1]][0]}>" for i, c in enumerate(cases)]
    types = [f"tensor<{len(c[4])}xi{FORMATS[c[2]][0]}>" for c in cases]
    text.append(f"func.func @all({', '.join(parameters)}) -> ({', '.join(types)}) {{")
    for i, case in enumerate(cases):
        text.append(f"%r{i} = call @{case[0]}(%a{i}) : ({parameters[i].split(': ')[1]}) -> {types[i]}")
    text += [f"return {', '.join(f'%r{i}' for i in range(len(cases)))} : {', '.join(types)}", "}"]
    program = os.path.join(work, "truncf.mlir")
    with open(program, "w") as file:
        file.write("\n".join(line if line.startswith(("func", "}")) else "  " + line for line in text).replace("func.func @", "func.func private @", len(cases)) + "\n")
    inputs, outputs = [], []
    for i, (_, source, target, _, codes) in enumerate(cases):
        np.save(os.path.join(work, f"in{i}.npy"), np.array(codes, f"u{FORMATS[source][0] // 8}").view(f"i{FORMATS[source][0] // 8}"))
        inputs.append(f"--input=@{work}/in{i}.npy")
        outputs.append(f"--output=@{work}/out{i}.npy")
    wrong = 0
    for flags in sys.argv[3:]:
        given = [program, "--no-cache", *flags.split(",")]
        if flags == "--plain":
            given = [os.path.join(work, "plain")]
            subprocess.run(["mica-compile", program, "--plain", "-o", *given], check=True, capture_output=True)
        done = subprocess.run(["mica-run", *given, *inputs, *outputs], capture_output=True, text=True)
        if done.returncode:
            print(f"{flags}: exit {done.returncode}: {done.stderr[:2000]}")
            return 1
        compared = 0
        for i, (name, source, target, mode, codes) in enumerate(cases):
            width = FORMATS[target][0]
            actual = np.load(os.path.join(work, f"out{i}.npy")).view(f"u{width // 8}")
            for code, got in zip(codes, actual):
                x = value(source, code)
                expected, got = encode(target, x, mode), int(got)
                isSame = math.isnan(value(target, got)) if expected == "nan" else got == expected
                compared += 1
                if not isSame:
                    wrong += 1
                    if wrong <= 20:
                        print(f"{flags}: {name}: {x!r} gives {got:#x} ({value(target, got)!r}), expected {expected if expected == 'nan' else hex(expected)}")
        print(f"{flags}: {len(cases)} casts, {compared} numbers, {wrong} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
