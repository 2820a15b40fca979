#!/usr/bin/env python3
"""complex.div of zeros, infinities and NaN: what C (annex G) says, by mica-run.

usage: check_complex_division.py WORK_DIR FLAGS...     FLAGS: what mica-run is given, joined by commas, or --plain

Of every operand whose parts are among 0, -0, 1, -2, the infinities and NaN: a zero divisor and an infinite dividend give an infinity (a
number of which one part is infinite), an infinite divisor gives 0, and two numbers their quotient, computed here in fractions.
"""
import fractions
import itertools
import math
import os
import subprocess
import sys

import numpy as np

PARTS = (0.0, -0.0, 1.0, -2.0, math.inf, -math.inf, math.nan)
PROGRAM = """
func.func @divide(%a: tensor<{n}x{t}>, %b: tensor<{n}x{t}>, %c: tensor<{n}x{t}>, %d: tensor<{n}x{t}>) -> (tensor<{n}x{t}>, tensor<{n}x{t}>) {{
  %e = tensor.empty() : tensor<{n}x{t}>
  %re, %im = linalg.generic {{indexing_maps = [#map, #map, #map, #map, #map, #map], iterator_types = ["parallel"]}}
      ins(%a, %b, %c, %d : tensor<{n}x{t}>, tensor<{n}x{t}>, tensor<{n}x{t}>, tensor<{n}x{t}>) outs(%e, %e : tensor<{n}x{t}>, tensor<{n}x{t}>) {{
  ^bb0(%ar: {t}, %ai: {t}, %br: {t}, %bi: {t}, %o: {t}, %p: {t}):
    %x = complex.create %ar, %ai : complex<{t}>
    %y = complex.create %br, %bi : complex<{t}>
    %q = complex.div %x, %y : complex<{t}>
    %r = complex.re %q : complex<{t}>
    %i = complex.im %q : complex<{t}>
    linalg.yield %r, %i : {t}, {t}
  }} -> (tensor<{n}x{t}>, tensor<{n}x{t}>)
  return %re, %im : tensor<{n}x{t}>, tensor<{n}x{t}>
}}
"""


def kind(re, im):
    if math.isinf(re) or math.isinf(im):
        return "infinite"
    if math.isnan(re) or math.isnan(im):
        return "nan"
    return "number" if re or im else "zero"


def expected(a, b, c, d):
    """The kind of the quotient, or the quotient; None where C leaves it open."""
    dividend, divisor = kind(a, b), kind(c, d)
    if divisor == "zero":
        return {"infinite": "infinite", "number": "infinite", "zero": "nan", "nan": None}[dividend]
    if divisor == "number" and dividend in ("zero", "number"):
        a, b, c, d = map(fractions.Fraction, (a, b, c, d))
        squares = c * c + d * d
        return (a * c + b * d) / squares, (b * c - a * d) / squares
    if dividend == "infinite" and divisor == "number":
        return "infinite"
    if divisor == "infinite" and dividend in ("zero", "number"):
        return "zero"
    return "nan" if dividend != "infinite" and divisor != "infinite" else None


def main():
    work, bad = sys.argv[1], 0
    operands = np.array(list(itertools.product(PARTS, repeat=4)))
    for flags, (element, dtype) in itertools.product(sys.argv[2:], (("f64", np.float64), ("f32", np.float32))):
        program, outputs = os.path.join(work, f"{element}.mlir"), [os.path.join(work, f"{part}.npy") for part in ("re", "im")]
        with open(program, "w") as file:
            file.write("#map = affine_map<(d0) -> (d0)>" + PROGRAM.format(n=len(operands), t=element))
        given = [program, "--no-cache", *flags.split(",")]
        if flags == "--plain":
            given = [os.path.join(work, "plain-" + element)]
            subprocess.run(["mica-compile", program, "--plain", "-o", *given], check=True, capture_output=True)
        for i in range(4):
            np.save(os.path.join(work, f"in{i}.npy"), operands[:, i].astype(dtype))
            given.append(f"--input=@{work}/in{i}.npy")
        subprocess.run(["mica-run", *given, *(f"--output=@{path}" for path in outputs)], check=True, capture_output=True)
        checked = wrong = 0
        for parts, re, im in zip(operands, *(np.load(path) for path in outputs)):
            want = expected(*map(float, parts))
            if want is None:
                continue
            checked += 1
            got = kind(float(re), float(im))
            good = got == want if isinstance(want, str) else all(
                math.isfinite(g) and abs(fractions.Fraction(float(g)) - w) <= abs(w) / 10**6 for g, w in zip((re, im), want))
            if not good:
                wrong += 1
                if wrong <= 5:
                    print(f"{flags} {element}: {parts} gives {re}, {im}; expected {want}")
        print(f"{flags} {element}: {checked} quotients, {wrong} wrong")
        bad += wrong
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
