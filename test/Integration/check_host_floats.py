#!/usr/bin/env python3
"""Scalars of f16, bf16 and the f8 types in host functions: every op links and rounds right, for every CPU level.

usage: check_host_floats.py WORK_DIR SHARE FLAGS...     SHARE: one of so many runs; FLAGS: what mica-compile is given, joined by
commas

Each artifact is loaded once, by the C API. The answers are exact fractions, rounded here to nearest even. Functions of math are compiled, and some of them run.
"""
import fractions
import math
import os
import subprocess
import sys

import numpy as np

from in_process import Bits, Loaded

# bits, mantissa bits, bias, whether there are infinities
FORMATS = {"f16": (16, 10, 15, True), "bf16": (16, 7, 127, True), "f8E4M3FN": (8, 3, 7, False),
           "f8E5M2": (8, 2, 15, True)}


def decode(t, code):
    bits, mantissa, bias, infinite = FORMATS[t]
    sign = -1.0 if code >> (bits - 1) & 1 else 1.0
    digits, exponent = code & ((1 << mantissa) - 1), (code >> mantissa) & ((1 << (bits - 1 - mantissa)) - 1)
    if infinite and exponent == (1 << (bits - 1 - mantissa)) - 1:
        return math.nan if digits else sign * math.inf
    if not infinite and code & 0x7F == 0x7F:
        return math.nan
    value = digits * 2.0**(1 - bias - mantissa)
    if exponent:
        value = (digits + (1 << mantissa)) * 2.0**(exponent - bias - mantissa)
    return math.copysign(value, sign)


def encode(t, x):
    """The code nearest to a float or fraction; "nan" for any NaN."""
    bits, mantissa, bias, infinite = FORMATS[t]
    if isinstance(x, float) and math.isnan(x):
        return "nan"
    negative = math.copysign(1, x) < 0 if isinstance(x, float) else x < 0
    sign = int(negative) << (bits - 1)
    top = ((1 << (bits - 1 - mantissa)) - 1) << mantissa if infinite else 0x7F
    beyond = sign | top if infinite else "nan"
    if isinstance(x, float) and math.isinf(x):
        return beyond
    magnitude = abs(fractions.Fraction(x))
    if magnitude == 0:
        return sign
    k = 1 - bias
    while magnitude >= fractions.Fraction(2)**(k + 1):
        k += 1
    steps = round(magnitude / fractions.Fraction(2)**(k - mantissa))  # Python rounds ties to even
    code = steps + ((k + bias - 1) << mantissa)
    return beyond if code >= top else sign | code


def quotient(a, b):
    if math.isnan(a) or math.isnan(b) or (math.isinf(a) and math.isinf(b)):
        return math.nan
    if b == 0:
        return math.nan if a == 0 else math.copysign(math.inf, math.copysign(1, a) * math.copysign(1, b))
    return a / b


def remainder(a, b):
    return math.nan if math.isnan(a) or math.isnan(b) or math.isinf(a) or b == 0 else math.fmod(a, b)


def extremum(least, number):
    def answer(a, b):
        if math.isnan(a) or math.isnan(b):
            return (b if math.isnan(a) else a) if number else math.nan
        if a == b:
            return a if (math.copysign(1, a) < 0) == least else b
        return (min if least else max)(a, b)
    return answer


BINARY = {"addf": lambda a, b: a + b, "subf": lambda a, b: a - b, "mulf": lambda a, b: a * b, "divf": quotient,
          "remf": remainder, "maximumf": extremum(False, False), "minimumf": extremum(True, False),
          "maxnumf": extremum(False, True), "minnumf": extremum(True, True)}
UNARY = {"arith.negf": lambda x: -x, "math.absf": abs,
         "math.sqrt": lambda x: math.nan if math.isnan(x) or x < 0 else x if math.isinf(x) else math.sqrt(x),
         "math.floor": lambda x: x if math.isnan(x) or math.isinf(x) or x == 0 else float(math.floor(x))}
FUNCTIONS = ("exp tanh sin cos log log2 erf exp2 rsqrt cbrt atan log1p expm1 ceil round roundeven trunc").split()


class Program:
    def __init__(self):
        self.functions, self.cases = [], []
        self.rng = np.random.default_rng(3)
        for t in FORMATS:
            self.addType(t)

    def add(self, name, arguments, result, op, cases):
        """One op on %a and %b; `cases` are pairs of operands and the answer."""
        signature = ", ".join(f"%{n}: {t}" for n, t in zip("ab", arguments))
        self.functions.append(f"func.func @{name}({signature}) -> {result} {{\n  %0 = {op}\n  return %0 : {result}\n}}")
        self.cases += [(name, list(zip(arguments, operands)), (result, answer)) for operands, answer in cases]

    def addType(self, t):
        bits, mantissa, _, infinite = FORMATS[t]
        special = encode(t, math.inf) if infinite else 0x7E
        codes = [0, 1 << (bits - 1), 1, encode(t, 1.0), encode(t, -2.5), encode(t, 3.0), special, encode(t, 0.3)]
        codes += [int(code) for code in self.rng.integers(0, 1 << bits, 3)]
        pairs = [(a, codes[(i * 3 + j) % len(codes)]) for i, a in enumerate(codes) for j in (1, 2)]
        for op, f in BINARY.items():
            self.add(f"{op}_{t}", (t, t), t, f"arith.{op} %a, %b : {t}",
                     [((a, b), encode(t, f(decode(t, a), decode(t, b)))) for a, b in pairs])
        for op, f in UNARY.items():
            self.add(f"{op.split('.')[1]}_{t}", (t,), t, f"{op} %a : {t}",
                     [((a,), encode(t, f(decode(t, a)))) for a in codes])
        half = 2.0**-mantissa / 2
        for wide in ("f32", "f64"):
            self.add(f"extf_{t}_{wide}", (t,), wide, f"arith.extf %a : {t} to {wide}",
                     [((a,), decode(t, a)) for a in codes])
            numbers = [0.0, -0.0, 1.0, 1 + half, 1 + 3 * half, 1 + half + 2.0**-22, 1e30, -1e30, 1e-9, 3e-5, 65504.0,
                       65519.0, 65520.0, 448.0, 464.0, 465.0, 57344.0, 61440.0, math.nan, math.inf]
            numbers += [1 + half + 2.0**-40, 1 + 3 * half - 2.0**-45] if wide == "f64" else []
            numbers = [float(np.float32(x)) if wide == "f32" else x for x in numbers]
            self.add(f"truncf_{wide}_{t}", (wide,), t, f"arith.truncf %a : {wide} to {t}",
                     [((x,), encode(t, x)) for x in numbers])
        for width in (8, 16, 32, 64):
            # The large ones lie just above the middle between two bf16, nearer than f32 can tell.
            numbers = [0, 1, -1, 7, 100, -128] + ([2049, -2051, 32767] if width > 8 else [])
            numbers += [2**24 + 2**16 + 1, 2**30 + 2**22 + 1, -(2**24 + 2**16 + 1), 65519, 65520] if width > 16 else []
            numbers += [2**60 + 2**52 + 1, -(2**62 + 2**54 + 3), 2**53 + 2**45 + 1, 2**63 - 1, -2**63] if width > 32 else []
            for op, modulus in (("sitofp", 0), ("uitofp", 1 << width)):
                self.add(f"{op}_i{width}_{t}", (f"i{width}",), t, f"arith.{op} %a : i{width} to {t}",
                         [((n,), encode(t, fractions.Fraction(n % modulus if modulus else n))) for n in numbers])
            small = [a for a in codes if abs(decode(t, a)) < 100]
            self.add(f"fptosi_{t}_i{width}", (t,), f"i{width}", f"arith.fptosi %a : {t} to i{width}",
                     [((a,), int(decode(t, a))) for a in small])
        for function in FUNCTIONS:
            self.add(f"{function}_{t}", (t,), t, f"math.{function} %a : {t}", [])
        for function in ("powf", "atan2", "copysign"):
            self.add(f"{function}_{t}", (t, t), t, f"math.{function} %a, %b : {t}", [])
        self.add(f"fpowi_{t}", (t, "i32"), t, f"math.fpowi %a, %b : {t}, i32",
                 [((encode(t, -2.0), n), encode(t, (-2.0)**n)) for n in (3, 2, 0, -1)])
        self.add(f"cmpf_{t}", (t, t), "i1", f"arith.cmpf olt, %a, %b : {t}",
                 [((a, b), int(decode(t, a) < decode(t, b))) for a, b in pairs])
        self.functions.append(f"""func.func @sum_{t}(%a: tensor<4x{t}>, %n: index) -> {t} {{
  %zero = arith.constant 0.0 : {t}
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = scf.for %i = %c0 to %n step %c1 iter_args(%s = %zero) -> {t} {{
    %x = tensor.extract %a[%i] : tensor<4x{t}>
    %y = arith.addf %s, %x : {t}
    scf.yield %y : {t}
  }}
  return %0 : {t}
}}""")


def given(t, value):
    return Bits(t, value, np.shape(value)) if t in FORMATS else np.array(value, ("int" if t[0] == "i" else "float") + t[1:])


def isRight(t, got, expected):
    if t in FORMATS:
        code = int(got)
        return math.isnan(decode(t, code)) if expected == "nan" else code == expected
    if t[0] == "i":
        return int(got) == expected
    return got.tobytes() == got.dtype.type(expected).tobytes() or (np.isnan(got) and math.isnan(expected))


def main():
    os.chdir(sys.argv[1])
    share = int(sys.argv[2])
    program = Program()
    with open("host.mlir", "w") as file:
        file.write("\n".join(program.functions) + "\n")
    bad = 0
    for number, flags in enumerate(sys.argv[3:]):
        subprocess.run(["mica-compile", "host.mlir", "-o", f"a{number}", *flags.split(",")], check=True,
                       stdout=subprocess.DEVNULL)
        cases = program.cases[number % share::share]
        wrong = 0
        loaded = Loaded(f"a{number}")
        for name, operands, (t, expected) in cases:
            (result,) = loaded.run(name, [given(type_, value) for type_, value in operands])
            got = result.bits() if t in FORMATS else result.numpy()
            if not isRight(t, got, expected):
                wrong += 1
                print(f"{flags} {name} {operands}: got {got}, expected {expected}")
        loaded.close()
        bad += wrong
        print(f"{flags}: {len(cases)} runs, {wrong} wrong results")
    sys.exit(1 if bad else 0)


if __name__ == "__main__":
    main()
