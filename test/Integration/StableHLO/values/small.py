"""The table of element types that are carried in wider ones. Values travel as f32, or as i8 and ui8, and are converted.

`represented` lists all values of a format; rounding picks the nearest, of two equally near ones that with an even mantissa.
"""
import numpy as np

from cases import Case, Result
from elements import BY_NAME, F32, F64, I1, tensor

# exponent and mantissa bits, bias, and whether the largest exponent has infinities; formats without them have one NaN,
# in the place of -0
FORMATS = {"f8E4M3FNUZ": (4, 3, 8, False), "f8E5M2FNUZ": (5, 2, 16, False), "f8E4M3B11FNUZ": (4, 3, 11, False), "f8E4M3": (4, 3, 7, True), "f8E3M4": (3, 4, 3, True)}


def represented(exponent, mantissa, bias, infinities):
    """Values from 0, in their order; the mantissa of the i-th is even if i is."""
    top = (1 << exponent) - (1 if infinities else 0)
    return np.array([m * 2.0 ** (1 - bias - mantissa) if e == 0 else (1 + m / (1 << mantissa)) * 2.0 ** (e - bias) for e in range(top) for m in range(1 << mantissa)])


def rounded(name, x):
    exponent, mantissa, bias, infinities = FORMATS[name]
    numbers = represented(exponent, mantissa, bias, infinities)
    step = numbers[-1] - numbers[-2]
    out = []
    for value in np.asarray(x, np.float64).reshape(-1):
        size = abs(value)
        if np.isnan(value) or (not infinities and np.isinf(value)):
            out.append(np.nan)
            continue
        if size >= numbers[-1] + step / 2:
            out.append(np.copysign(np.inf, value) if infinities else np.nan)
            continue
        at = min(int(np.searchsorted(numbers, size, side="right")) - 1, len(numbers) - 1)
        if at + 1 < len(numbers):
            below, above = size - numbers[at], numbers[at + 1] - size
            at += above < below or (above == below and at % 2 == 1)
        out.append(np.copysign(numbers[at], value) if infinities or numbers[at] else numbers[at])
    return np.array(out, np.float32).reshape(np.shape(x))


def values(name, held):
    """Every value, those halfway between neighbours and next to these, and beyond the largest."""
    numbers = represented(*FORMATS[name])
    middles = (numbers[1:] + numbers[:-1]) / 2
    beyond = [numbers[-1] + (numbers[-1] - numbers[-2]) * k for k in (0.25, 0.5, 0.75, 2)]
    x = np.concatenate([numbers, middles, np.nextafter(middles.astype(held), held(0)), np.nextafter(middles.astype(held), held(1e9)), beyond, [np.inf, np.nan, 1e30, 1e-30]]).astype(held)
    return np.concatenate([x, -x])


def all_cases():
    for name in FORMATS:
        for source, held in ((F32, np.float32), (F64, np.float64)):
            x = values(name, held)
            small, wide = f"tensor<{x.size}x{name}>", tensor(F32, x.shape)
            yield Case(f"small convert {source.name} {name}", [(source, x)],
                       f"%s = stablehlo.convert %a : ({tensor(source, x.shape)}) -> {small}\n  %0 = stablehlo.convert %s : ({small}) -> {wide}", Result(F32, rounded(name, x)))
        x = rounded(name, values(name, np.float32))
        x = x[~np.isnan(x)]
        y = np.roll(x, 37)
        small, wide = f"tensor<{x.size}x{name}>", tensor(F32, x.shape)
        given = f"%x = stablehlo.convert %a : ({wide}) -> {small}\n  %y = stablehlo.convert %b : ({wide}) -> {small}\n  "
        with np.errstate(all="ignore"):
            for op, function in (("add", np.add), ("multiply", np.multiply), ("subtract", np.subtract), ("maximum", np.maximum)):
                exact = function(x.astype(np.float64), y.astype(np.float64))
                yield Case(f"small {op} {name}", [(F32, x), (F32, y)], given + f"%r = stablehlo.{op} %x, %y : {small}\n  %0 = stablehlo.convert %r : ({small}) -> {wide}",
                           Result(F32, rounded(name, exact), any_zero=op == "maximum"))
        yield Case(f"small compare {name}", [(F32, x), (F32, y)], given + f"%0 = stablehlo.compare LT, %x, %y, FLOAT : ({small}, {small}) -> {tensor(I1, x.shape)}", Result(I1, x < y))
        turned = np.concatenate([x, x[::-1]])
        yield Case(f"small reverse and concatenate {name}", [(F32, x), (F32, x)], given + f"%z = stablehlo.reverse %y, dims = [0] : {small}\n"
                   f"  %r = stablehlo.concatenate %x, %z, dim = 0 : ({small}, {small}) -> tensor<{2 * x.size}x{name}>\n"
                   f"  %0 = stablehlo.convert %r : (tensor<{2 * x.size}x{name}>) -> {tensor(F32, turned.shape)}", Result(F32, turned))
        yield Case(f"small constant {name}", [], f"%s = stablehlo.constant dense<[1.5, -0.25, 3.0]> : tensor<3x{name}>\n  %0 = stablehlo.convert %s : (tensor<3x{name}>) -> tensor<3xf32>",
                   Result(F32, np.array([1.5, -0.25, 3.0], np.float32)))
        total = np.float32(0)
        few = np.array([0.5, 1.25, -0.375, 2.0, 0.625], np.float32)
        for value in few:
            total = rounded(name, np.float64(total) + np.float64(value))
        few_type = f"tensor<5x{name}>"
        yield Case(f"small reduce {name}", [(F32, few)], f"%x = stablehlo.convert %a : (tensor<5xf32>) -> {few_type}\n  %z = stablehlo.constant dense<0.0> : tensor<{name}>\n"
                   f"  %r = stablehlo.reduce(%x init: %z) applies stablehlo.add across dimensions = [0] : ({few_type}, tensor<{name}>) -> tensor<{name}>\n"
                   f"  %0 = stablehlo.convert %r : (tensor<{name}>) -> tensor<f32>", Result(F32, total, ulps=0))
    for name, carrier, low, high in (("i2", "i8", -2, 1), ("ui2", "ui8", 0, 3)):
        e = BY_NAME[carrier]
        wrap = lambda v: (np.asarray(v, np.int64) - low) % 4 + low
        x = np.arange(-8 if low else 0, 8, dtype=np.int64).astype(e.held)
        p, q = np.repeat(wrap(np.arange(4)), 4), np.tile(wrap(np.arange(4)), 4)
        kind, small = tensor(e, (x.size,)), f"tensor<{x.size}x{name}>"
        yield Case(f"small convert {name}", [(e, x)], f"%s = stablehlo.convert %a : ({kind}) -> {small}\n  %0 = stablehlo.convert %s : ({small}) -> {kind}", Result(e, wrap(x).astype(e.held)))
        kind, small = tensor(e, (16,)), f"tensor<16x{name}>"
        for op, function in (("add", np.add), ("multiply", np.multiply), ("subtract", np.subtract), ("maximum", np.maximum)):
            yield Case(f"small {op} {name}", [(e, p.astype(e.held)), (e, q.astype(e.held))],
                       f"%x = stablehlo.convert %a : ({kind}) -> {small}\n  %y = stablehlo.convert %b : ({kind}) -> {small}\n  %r = stablehlo.{op} %x, %y : {small}\n"
                       f"  %0 = stablehlo.convert %r : ({small}) -> {kind}", Result(e, wrap(function(p, q)).astype(e.held)))
        yield Case(f"small constant {name}", [], f"%s = stablehlo.constant dense<[{low}, {high}, 1]> : tensor<3x{name}>\n  %0 = stablehlo.convert %s : (tensor<3x{name}>) -> {tensor(e, (3,))}",
                   Result(e, np.array([low, high, 1], e.held)))
