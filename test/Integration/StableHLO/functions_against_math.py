#!/usr/bin/env python3
"""Runs functions of chlo with mica-run, and compares each element with what Python's math, or a sum of many terms, gives.

usage: functions_against_math.py MICA-RUN FOLDER WAY..
"""
import cmath
import math
import pathlib
import subprocess
import sys

import numpy as np

EULER = 0.57721566490153286061


def digamma(x):
    if x <= 0 and x == math.floor(x):
        return math.nan
    if x < 0:
        return digamma(1 - x) - math.pi / math.tan(math.pi * (x - round(x)))
    # The recurrence to 40, then four terms of the asymptotic series.
    total = 0.0
    while x < 40:
        total -= 1 / x
        x += 1
    return total + math.log(x) - 1 / (2 * x) - 1 / (12 * x**2) + 1 / (120 * x**4) - 1 / (252 * x**6) + 1 / (240 * x**8)


def zeta(x, q):
    if x == 1:
        return math.inf
    if x < 1:
        return math.nan
    n = 200
    total = math.fsum((q + k) ** -x for k in range(n))
    a = q + n
    return total + a ** (1 - x) / (x - 1) + a**-x / 2 + x * a ** (-x - 1) / 12 - x * (x + 1) * (x + 2) * a ** (-x - 3) / 720


def polygamma(n, x):
    if n == 0:
        return digamma(x)
    return (-1) ** (int(n) + 1) * math.factorial(int(n)) * zeta(n + 1, x)


def bessel_i1e(x):
    if abs(x) < 1:
        return math.exp(-abs(x)) * math.fsum((x / 2) ** (2 * k + 1) / (math.factorial(k) * math.factorial(k + 1)) for k in range(20))
    steps = 4096
    return math.fsum(math.exp(abs(x) * (math.cos(t) - 1)) * math.cos(t) for t in (2 * math.pi * k / steps for k in range(steps))) / steps * math.copysign(1, x)


def erf_inv(x):
    if abs(x) >= 1:
        return math.copysign(math.inf, x) if abs(x) == 1 else math.nan
    if x == 0:
        return 0.0
    low, high = -7.0, 7.0
    for _ in range(200):
        middle = (low + high) / 2
        low, high = (middle, high) if (math.erf(middle) < x if abs(x) < 0.5 else x > 0 and math.erfc(middle) > 1 - x
                                       or x < 0 and math.erfc(-middle) < 1 + x) else (low, middle)
    return (low + high) / 2


def lgamma(x):
    if math.isinf(x) or (x <= 0 and x == math.floor(x)):
        return math.inf
    return math.lgamma(x)


SPAN = [-3.7, -1.25, -0.75, -0.3, -1e-4, 0.0, 1e-5, 0.2, 0.45, 0.7, 0.999, 1.5, 2.25, 6.5, 20.0]
UNIT = [-1.0, -0.99, -0.6, -0.2, -1e-6, 0.0, 1e-3, 0.3, 0.5, 0.51, 0.9, 0.999, 1.0]
REAL = {
    "acos": (math.acos, UNIT), "asin": (math.asin, UNIT), "atan": (math.atan, SPAN), "sinh": (math.sinh, SPAN), "cosh": (math.cosh, SPAN),
    "tan": (math.tan, SPAN), "asinh": (math.asinh, SPAN), "acosh": (math.acosh, [1.0, 1.0001, 1.5, 3.0, 40.0, 6e4]), "atanh": (math.atanh, UNIT[1:-1]),
    "erf": (math.erf, SPAN), "erfc": (math.erfc, SPAN[:-1]), "erf_inv": (erf_inv, UNIT), "lgamma": (lgamma, SPAN + [1.0, 2.0, 150.0, -2.0, -55.5, math.inf]),
    "digamma": (digamma, SPAN + [0.0, -1.0, 1.0, 300.0]), "bessel_i1e": (bessel_i1e, SPAN + [29.9, 30.1, 55.0, 500.0]),
    "square": (lambda x: x * x, SPAN), "conj": (lambda x: x, SPAN),
}
PAIRS = {
    "polygamma": (polygamma, [(0, 0.7), (1, 0.2), (1, 3.5), (2, 1.25), (3, 9.0), (5, 0.5), (2, 30.0)]),
    "zeta": (zeta, [(1.5, 1.0), (2.0, 1.0), (3.0, 0.25), (7.5, 2.0), (1.0, 2.0), (0.5, 2.0), (12.0, 5.5), (1.01, 10.0)]),
    "next_after": (None, [(0.0, 1.0), (0.0, -1.0), (1.0, 2.0), (1.0, 0.0), (-1.0, -2.0), (-1.0, 3.0), (2.0, 2.0), (math.nan, 1.0), (1.0, math.inf)]),
}
COMPLEX = {"acos": cmath.acos, "asin": cmath.asin, "atan": cmath.atan, "acosh": cmath.acosh, "asinh": cmath.asinh, "atanh": cmath.atanh,
           "sinh": cmath.sinh, "cosh": cmath.cosh, "tan": cmath.tan, "conj": lambda z: z.conjugate(), "square": lambda z: z * z}
POINTS = [0.3 + 0.4j, -1.5 + 0.2j, 2.5 - 1.75j, -0.6 - 0.9j, 0.01 + 3j, 1e-4 - 1e-4j]
DTYPES = {"f32": np.float32, "f64": np.float64, "f16": np.float16}
TOLERANCE = {"f32": 3e-7, "f64": 2e-13, "f16": 1.5e-3}


def main():
    run, work, ways = sys.argv[1], pathlib.Path(sys.argv[2]), sys.argv[3:]
    work.mkdir(parents=True, exist_ok=True)
    cases = []
    for element, dtype in DTYPES.items():
        for name, (function, points) in REAL.items():
            x = np.array(points, np.float64).astype(dtype)
            cases.append((name, element, [x], np.array([function(float(v)) for v in x])))
        for name, (function, points) in PAIRS.items():
            a, b = (np.array(side).astype(dtype) for side in zip(*points))
            expected = np.nextafter(a, b) if name == "next_after" else np.array([function(float(u), float(v)) for u, v in zip(a, b)])
            cases.append((name, element, [a, b], expected))
        x = np.array([0, math.inf, -math.inf, math.nan, 1], dtype)
        for name, expected in (("is_inf", np.isinf(x)), ("is_pos_inf", np.isposinf(x)), ("is_neg_inf", np.isneginf(x))):
            cases.append((name, element, [x], expected))
    for dtype, element in ((np.complex64, "f32"), (np.complex128, "f64")):
        z = np.array(POINTS, dtype)
        for name, function in COMPLEX.items():
            cases.append((name, element, [z], np.array([function(complex(v)) for v in z])))

    text, flags, operands = [], [], []
    for number, (name, element, inputs, expected) in enumerate(cases):
        n = len(inputs[0])
        isComplex = inputs[0].dtype.kind == "c"
        kind = f"tensor<{n}x{f'complex<{element}>' if isComplex else element}>"
        result = f"tensor<{n}xi1>" if expected.dtype == bool else kind
        names = [f"%a{number}_{k}" for k in range(len(inputs))]
        parts = [(part, value) for part, value in zip(names, inputs)]
        operands += [f"{part}: {kind}" for part, _ in parts]
        for _, value in parts:
            path = work / f"in{len(flags)}.npy"
            np.save(path, value)
            flags.append(f"--input=@{path}")
        types = ", ".join([kind] * len(inputs))
        text.append((f"  %r{number} = chlo.{name} {', '.join(names)} : {types} -> {result}", result, f"%r{number}"))
    body = "\n".join(line for line, _, _ in text)
    program = (f"func.func @main({', '.join(operands)}) -> ({', '.join(t for _, t, _ in text)}) {{\n{body}\n"
               f"  return {', '.join(v for _, _, v in text)} : {', '.join(t for _, t, _ in text)}\n}}\n")
    (work / "functions.mlir").write_text(program)
    complaints = 0
    for way in ways:
        outputs = [f"--output=@{work}/out{number}.npy" for number in range(len(cases))]
        done = subprocess.run([run, str(work / "functions.mlir"), way, *flags, *outputs], capture_output=True, text=True)
        if done.returncode != 0:
            print(way, done.stderr[-3000:])
            return 1
        for number, (name, element, inputs, expected) in enumerate(cases):
            got = np.load(work / f"out{number}.npy")
            for k, (g, e) in enumerate(zip(got, expected)):
                if name in ("is_inf", "is_pos_inf", "is_neg_inf", "next_after"):
                    good = g == e or (g != g and e != e)
                else:
                    wide = complex(g) if isinstance(e, complex) or np.iscomplexobj(e) else float(g)
                    with np.errstate(over="ignore"):
                        limited = e if np.iscomplexobj(e) else float(DTYPES[element](e))
                    # Beside a root, the absolute error counts.
                    scale = max(abs(e), 1e-2 if name in ("lgamma", "digamma") else 0)
                    smallest = 6e-8 if element == "f16" else 0
                    good = wide == limited or (wide != wide and e != e) or abs(wide - e) <= TOLERANCE[element] * scale + smallest
                if not good:
                    complaints += 1
                    print(f"{way}: {name} of {element} at {[x[k] for x in inputs]}: got {g}, expected {e}")
    print(f"{len(cases)} functions, {sum(len(c[3]) for c in cases)} elements, {complaints} wrong")
    return complaints != 0


sys.exit(main())
