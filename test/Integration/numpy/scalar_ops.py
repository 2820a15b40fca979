"""Ops of arith, math and index, element by element and on scalars. What they give is written from arith/math/index's ODS."""
import math
import struct

import numpy as np

from check import MLIR, case, function, tensor

RNG = np.random.default_rng(7)

WITHOUT = {
    "arith.scaling_extf": "takes scales of f8E8M0FNU, a type that no argument, constant or cast of a program gives here",
    "arith.scaling_truncf": "as arith.scaling_extf",
}

F32 = np.array([0.0, -0.0, 1.0, -1.0, 0.5, -2.5, 3.5, 1e-3, 1e6, -7.25, 2.0**-140, np.inf, -np.inf, np.nan, 65504.0, 0.99999994], np.float32)
FIN = np.array([0.0, 1.0, -1.0, 0.5, -2.5, 3.5, 1e-3, 12.75, -7.25, 0.1], np.float32)
POS = np.array([1e-3, 0.1, 0.5, 0.99, 1.0, 1.5, 2.0, 7.0, 100.0, 1e6], np.float32)
UNIT = np.array([-1.0, -0.99, -0.5, -1e-3, 0.0, 1e-3, 0.25, 0.7, 0.99, 1.0], np.float32)


def ints(dtype, count=13):
    """Random numbers of the type, its limits, and small ones."""
    info = np.iinfo(dtype)
    edges = [info.min, info.max, info.min + 1, info.max - 1, 0, 1, 2, 3] + ([-1] if info.min < 0 else [])
    return np.concatenate([np.array(edges, dtype), RNG.integers(info.min, info.max, count, dtype, endpoint=True)])


def binary(op, a, b, expected, label="", flags="", rtol=0.0, atol=0.0, dynamic=False):
    name = "-".join(part for part in (op, label, MLIR[a.dtype.name]) if part)
    return case(name, function([a, b], [expected], f"  %r = {op} %a, %b {flags}: $a\n  return %r : $r", dynamic), [a, b], [expected],
                rtol, atol)


def unary(op, a, expected, label="", rtol=0.0, atol=0.0, dynamic=False):
    name = "-".join(part for part in (op, label, MLIR[a.dtype.name]) if part)
    return case(name, function([a], [expected], f"  %r = {op} %a : $a\n  return %r : $r", dynamic), [a], [expected], rtol, atol)


def convert(op, a, expected, label=""):
    name = "-".join(part for part in (op, label, MLIR[a.dtype.name], MLIR[expected.dtype.name]) if part)
    return case(name, function([a], [expected], f"  %r = {op} %a : $a to $r\n  return %r : $r"), [a], [expected])


def shaped(values, like):
    return np.resize(values, like.shape).astype(like.dtype)


def truncated(a, b):
    """Quotient rounded toward zero, of integers that NumPy divides down."""
    q = np.floor_divide(np.abs(a.astype(object)), np.abs(b.astype(object)))
    return np.array(np.where((a < 0) != (b < 0), -q, q), a.dtype)


def integer_cases():
    for dtype in (np.int8, np.int16, np.int32, np.int64):
        a = ints(dtype)
        b = RNG.permutation(ints(dtype))
        unsigned = np.dtype(dtype.__name__.replace("int", "uint"))
        ua, ub = a.view(unsigned), b.view(unsigned)
        bits = a.dtype.itemsize * 8
        dynamic = dtype in (np.int16, np.int64)
        signed = lambda array: array.astype(unsigned).view(dtype)
        for op, result in {"addi": a + b, "subi": a - b, "muli": a * b, "andi": a & b, "ori": a | b, "xori": a ^ b,
                           "maxsi": np.maximum(a, b), "minsi": np.minimum(a, b), "maxui": signed(np.maximum(ua, ub)),
                           "minui": signed(np.minimum(ua, ub))}.items():
            yield binary(f"arith.{op}", a, b, result, dynamic=dynamic)
        if dtype in (np.int8, np.int32):
            divisor = np.where((b == 0) | (b == -1), 3, b).astype(dtype)
            ud = divisor.view(unsigned)
            quotient = truncated(a, divisor)
            floor = np.array([int(x) // int(y) for x, y in zip(a, divisor)], dtype)
            for op, result in {"divsi": quotient, "remsi": a - quotient * divisor, "floordivsi": floor,
                               "ceildivsi": np.array([-((-int(x)) // int(y)) for x, y in zip(a, divisor)], dtype),
                               "divui": signed(ua // ud), "remui": signed(ua % ud),
                               "ceildivui": signed(np.array([-((-int(x)) // int(y)) for x, y in zip(ua, ud)], object).astype(unsigned))}.items():
                yield binary(f"arith.{op}", a, divisor, result)
            amount = (np.arange(a.size) % bits).astype(dtype)
            uamount = amount.view(unsigned)
            for op, result in {"shli": signed(ua << uamount), "shrui": signed(ua >> uamount), "shrsi": a >> amount}.items():
                yield binary(f"arith.{op}", a, amount, result)
        product = [int(x) * int(y) for x, y in zip(a, b)]
        uproduct = [int(x) * int(y) for x, y in zip(ua, ub)]
        mask = (1 << bits) - 1
        halves = lambda values: [np.array([v & mask for v in values], object).astype(unsigned).view(dtype),
                                 np.array([(v >> bits) & mask for v in values], object).astype(unsigned).view(dtype)]
        if dtype in (np.int32, np.int16):
            for op, values in (("mulsi_extended", product), ("mului_extended", uproduct)):
                yield case(f"arith.{op}-{MLIR[a.dtype.name]}",
                           function([a, b], halves(values), f"  %r:2 = arith.{op} %a, %b : $a\n  return %r#0, %r#1 : $r, $s"), [a, b],
                           halves(values))
            total = [int(x) + int(y) for x, y in zip(ua, ub)]
            results = [halves(total)[0], np.array([v >> bits for v in total]).astype(bool)]
            yield case(f"arith.addui_extended-{MLIR[a.dtype.name]}",
                       function([a, b], results, "  %r:2 = arith.addui_extended %a, %b : $a, $s\n  return %r#0, %r#1 : $r, $s"), [a, b],
                       results)
        for kind, result in {"eq": a == b, "ne": a != b, "slt": a < b, "sle": a <= b, "sgt": a > b, "sge": a >= b, "ult": ua < ub,
                             "ule": ua <= ub, "ugt": ua > ub, "uge": ua >= ub}.items():
            if dtype == np.int16 or kind in ("slt", "ult"):
                yield case(f"arith.cmpi-{kind}-{MLIR[a.dtype.name]}",
                           function([a, b], [result], f"  %r = arith.cmpi {kind}, %a, %b : $a\n  return %r : $r"), [a, b], [result])
    flags = np.array([True, False, True, True])
    other = np.array([True, True, False, False])
    # The only bit of an i1 is its sign: 1 is -1.
    for op, result in {"andi": flags & other, "ori": flags | other, "xori": flags ^ other, "addi": flags ^ other, "muli": flags & other,
                       "maxsi": flags & other, "minsi": flags | other, "maxui": flags | other, "minui": flags & other}.items():
        yield binary(f"arith.{op}", flags, other, result)
    yield convert("arith.extsi", flags, np.where(flags, -1, 0).astype(np.int8))
    yield convert("arith.extui", flags, flags.astype(np.int32))
    yield convert("arith.sitofp", flags, np.where(flags, -1, 0).astype(np.float32))
    yield convert("arith.uitofp", flags, flags.astype(np.float64))
    small = ints(np.int8)
    nibble = ((small.astype(np.int16) & 15) ^ 8) - 8
    yield case("arith.trunci-i4-sign",
               function([small], [nibble.astype(np.int32)],
                        "  %0 = arith.trunci %a : $a to tensor<22xi4>\n  %r = arith.extsi %0 : tensor<22xi4> to $r\n  return %r : $r".replace(
                            "22", str(small.size))), [small], [nibble.astype(np.int32)])
    unsigned4 = (small & 15).astype(np.int32)
    yield case("arith.extui-i4",
               function([small], [unsigned4],
                        f"  %0 = arith.trunci %a : $a to tensor<{small.size}xi4>\n  %r = arith.extui %0 : tensor<{small.size}xi4> to $r\n"
                        "  return %r : $r"), [small], [unsigned4])
    wrap4 = (((nibble * nibble).astype(np.int16) & 15) ^ 8) - 8
    yield case("arith.muli-i4",
               function([small], [wrap4.astype(np.int8)],
                        f"  %0 = arith.trunci %a : $a to tensor<{small.size}xi4>\n  %1 = arith.muli %0, %0 : tensor<{small.size}xi4>\n"
                        f"  %r = arith.extsi %1 : tensor<{small.size}xi4> to $r\n  return %r : $r"), [small], [wrap4.astype(np.int8)])
    wide = ints(np.int64)
    yield convert("arith.trunci", wide, wide.astype(np.int8))
    yield convert("arith.trunci", wide, (wide & 1).astype(bool))
    yield convert("arith.extsi", small, small.astype(np.int64))
    yield convert("arith.extui", small, small.view(np.uint8).astype(np.int64))
    yield convert("arith.sitofp", wide, wide.astype(np.float32))
    yield convert("arith.sitofp", small, small.astype(np.float16))
    yield convert(
        "arith.uitofp", wide[:9], wide[:9].view(np.uint64).astype(np.float64))
    yield convert("arith.fptosi", FIN, FIN.astype(np.int32))
    yield convert("arith.fptosi", FIN.astype(np.float64) * 9, (FIN.astype(np.float64) * 9).astype(np.int8), "f64")
    yield convert("arith.fptoui", np.abs(FIN) * 10, (np.abs(FIN) * 10).astype(np.uint8).view(np.int8))
    yield convert("arith.bitcast", F32, F32.view(np.int32))
    yield convert(
        "arith.bitcast", np.arange(-4, 4, dtype=np.int16), np.arange(-4, 4, dtype=np.int16).view(np.float16))
    for op, to in (("index_cast", small.astype(np.int64)), ("index_castui", small.view(np.uint8).astype(np.int64))):
        yield case(f"arith.{op}",
                   function([small], [to], f"  %0 = arith.{op} %a : $a to tensor<{small.size}xindex>\n"
                            f"  %r = arith.index_cast %0 : tensor<{small.size}xindex> to $r\n  return %r : $r"), [small], [to])


def float_cases():
    a, b = F32, RNG.permutation(F32)
    for op, result in {"addf": a + b, "subf": a - b, "mulf": a * b, "divf": a / b, "remf": np.fmod(a, b)}.items():
        yield binary(f"arith.{op}", a, b, result)
        c, d = RNG.standard_normal(9), RNG.standard_normal(9)
        both = {"addf": c + d, "subf": c - d, "mulf": c * d, "divf": c / d, "remf": np.fmod(c, d)}[op]
        yield binary(f"arith.{op}", c, d, both, dynamic=True)
        h, k = c.astype(np.float16), d.astype(np.float16)
        exact = {"addf": np.add, "subf": np.subtract, "mulf": np.multiply, "divf": np.divide, "remf": np.fmod}[op]
        yield binary(f"arith.{op}", h, k, exact(h, k))
    yield unary("arith.negf", a, -a)

    def extreme(x, y, larger, propagates):
        """IEEE 754-2019 maximum/minimum and maximumNumber/minimumNumber: -0 is smaller than +0."""
        out = []
        for p, q in zip(x, y):
            if np.isnan(p) or np.isnan(q):
                out.append(np.nan if propagates else q if np.isnan(p) else p)
            elif p == 0 and q == 0:
                out.append((-0.0 if np.signbit(p) and np.signbit(q) else 0.0) if larger else (-0.0 if np.signbit(p) or np.signbit(q) else 0.0))
            else:
                out.append(max(p, q) if larger else min(p, q))
        return np.array(out, x.dtype)

    for label, (x, y) in {"": (a, b), "flat": (a[2:12], np.roll(a[2:12], 3))}.items():
        yield binary("arith.maximumf", x, y, extreme(x, y, True, True), label)
        yield binary("arith.minimumf", x, y, extreme(x, y, False, True), label)
    # Of zeros that differ in sign alone maxnumf and minnumf give either.
    away = np.array([0.0, 1.0, -1.0, np.nan, np.inf, -np.inf, 2.5, np.nan], np.float32)
    other = np.array([1.0, np.nan, -2.0, 3.0, np.nan, -np.inf, 2.25, np.nan], np.float32)
    yield binary("arith.maxnumf", away, other, extreme(away, other, True, False))
    yield binary("arith.minnumf", away, other, extreme(away, other, False, False))
    nan = np.isnan(a) | np.isnan(b)
    ordered = {"eq": a == b, "gt": a > b, "ge": a >= b, "lt": a < b, "le": a <= b, "ne": (a != b) & ~nan}
    kinds = {"o" + k: v for k, v in ordered.items()} | {"u" + k: v | nan for k, v in ordered.items()}
    kinds |= {"ord": ~nan, "uno": nan, "true": np.ones_like(nan), "false": np.zeros_like(nan)}
    for kind, result in kinds.items():
        yield case(f"arith.cmpf-{kind}", function([a, b], [result], f"  %r = arith.cmpf {kind}, %a, %b : $a\n  return %r : $r"), [a, b],
                   [result])
    flags = np.arange(a.size) % 3 == 0
    yield case("arith.select", function([flags, a, b], [a], "  %r = arith.select %a, %b, %c : $a, $b\n  return %r : $r"), [flags, a, b],
               [np.where(flags, a, b)])
    yield case("arith.constant-splat",
               function([FIN], [FIN], "  %c = arith.constant dense<-0.0> : $a\n  %r = arith.addf %a, %c : $a\n  return %r : $r"), [FIN],
               [FIN + np.float32(-0.0)])


def rounded(x, mantissa, least, largest, over):
    """x to a float of `mantissa` stored bits whose smallest exponent is `least`, to nearest, ties to even. Beyond `largest`: `over`."""
    out = []
    for v in np.asarray(x, np.float64):
        if np.isnan(v) or np.isinf(v):
            out.append(v if np.isnan(v) or np.isinf(over) else np.nan)
            continue
        exponent = max(math.frexp(v)[1] - 1, least) if v else least
        step = 2.0**(exponent - mantissa)
        n = v / step
        r = math.floor(n)
        r += 1 if n - r > 0.5 or (n - r == 0.5 and r % 2) else 0
        w = r * step
        out.append(math.copysign(w if abs(w) <= largest else over, v))
    return np.array(out)


SMALL = {"bf16": (7, -126, 3.3895313892515355e38, np.inf), "f16": (10, -14, 65504.0, np.inf), "f8E5M2": (2, -14, 57344.0, np.inf),
         "f8E4M3FN": (3, -6, 448.0, np.nan)}


def small_float_cases():
    values = np.array([0.0, -0.0, 1.0, 1.0625, 1.1875, -1.125, 3.14159, 447.0, 448.0, 464.0, 465.0, 57344.0, 61439.0, 61440.0, 65504.0, 65519.0,
                       65520.0, 1e-3, 2.0**-9, 2.0**-10, 3 * 2.0**-10, 2.0**-14, 2.0**-16, 2.0**-17, 3 * 2.0**-17, 2.0**-24, 1e-8, 256.5, 257.0,
                       np.inf, -np.inf, np.nan, 1.00390625, 1.01171875, 2.0**-133, -3.0e38, 3.39e38], np.float32)
    count = values.size
    for name, how in SMALL.items():
        expected = rounded(values, *how).astype(np.float32)
        # Infinities of a type without them are NaN.
        yield case(f"arith.truncf-{name}",
                   function([values], [expected], f"  %0 = arith.truncf %a : $a to tensor<{count}x{name}>\n"
                            f"  %r = arith.extf %0 : tensor<{count}x{name}> to $r\n  return %r : $r"), [values], [expected])
        wide = values.astype(np.float64)
        wide[:6] = [1 + 2.0**-8 + 2.0**-40, 1 + 2.0**-11 + 2.0**-50, 1.125 + 2.0**-45, 1 + 2.0**-3 + 2.0**-4, 1 + 2.0**-9, 1 + 3 * 2.0**-9]
        once = rounded(wide, *how)
        yield case(f"arith.truncf-f64-{name}",
                   function([wide], [once], f"  %0 = arith.truncf %a : $a to tensor<{count}x{name}>\n"
                            f"  %r = arith.extf %0 : tensor<{count}x{name}> to $r\n  return %r : $r"), [wide], [once])
        number = np.array([0.5, 1.5, -2.25, 3.0, 0.1, 100.0, 7.0, -0.0], np.float32)
        x = rounded(number, *how)
        total = rounded(x + x[::-1], *how).astype(np.float32)
        product = rounded(x * x[::-1], *how).astype(np.float32)
        body = f"""  %0 = arith.truncf %a : $a to tensor<8x{name}>
  %1 = arith.truncf %b : $a to tensor<8x{name}>
  %2 = arith.addf %0, %1 : tensor<8x{name}>
  %3 = arith.mulf %0, %1 : tensor<8x{name}>
  %r = arith.extf %2 : tensor<8x{name}> to $r
  %s = arith.extf %3 : tensor<8x{name}> to $s
  return %r, %s : $r, $s"""
        yield case(f"arith.addf-mulf-{name}", function([number, number], [total, product], body), [number, number[::-1].copy()],
                   [total, product])
        low = np.arange(-5, 6, dtype=np.int16)
        yield case(f"arith.sitofp-{name}",
                   function([low], [low.astype(np.float32)], f"  %0 = arith.sitofp %a : $a to tensor<11x{name}>\n"
                            f"  %r = arith.extf %0 : tensor<11x{name}> to $r\n  return %r : $r"), [low], [low.astype(np.float32)])
        whole = np.array([0.0, 1.5, -1.5, 6.0, -7.0], np.float32)
        yield case(f"arith.fptosi-{name}",
                   function([whole], [whole.astype(np.int8)], f"  %0 = arith.truncf %a : $a to tensor<5x{name}>\n"
                            f"  %r = arith.fptosi %0 : tensor<5x{name}> to $r\n  return %r : $r"), [whole], [whole.astype(np.int8)])
    every = np.arange(256, dtype=np.uint8).view(np.int8)
    for name, bits, bias, infinities in (("f8E5M2", 2, 15, True), ("f8E4M3FN", 3, 7, False)):
        decoded = []
        for byte in range(256):
            exponent, fraction = (byte & 127) >> bits, byte & ((1 << bits) - 1)
            top = (1 << (7 - bits)) - 1
            if exponent == top and (infinities or fraction == (1 << bits) - 1):
                value = np.inf if infinities and fraction == 0 else np.nan
            else:
                value = (fraction + (1 << bits if exponent else 0)) * 2.0**(max(exponent, 1) - bias - bits)
            decoded.append(-value if byte & 128 else value)
        decoded = np.array(decoded, np.float32)
        yield case(f"arith.extf-{name}-every",
                   function([every], [decoded], f"  %0 = arith.bitcast %a : $a to tensor<256x{name}>\n"
                            f"  %r = arith.extf %0 : tensor<256x{name}> to $r\n  return %r : $r"), [every], [decoded])
    yield convert("arith.truncf", values.astype(np.float64) * (1 + 2.0**-30), (values.astype(np.float64) * (1 + 2.0**-30)).astype(np.float32))
    yield convert("arith.extf", values, values.astype(np.float64))
    yield convert("arith.extf", values.astype(np.float16), values.astype(np.float16).astype(np.float32), "f16")


def of(f, x):
    """f of each element, in the precision of Python's floats; NaN where it has no value."""

    def one(v):
        try:
            return f(v)
        except (ValueError, OverflowError, ZeroDivisionError):
            return np.nan
    return np.array([one(float(v)) for v in x])


def math_cases():
    near = dict(rtol=2e-6, atol=1e-7)
    table = {"absf": (F32, np.abs), "ceil": (F32, np.ceil), "floor": (F32, np.floor), "trunc": (F32, np.trunc), "roundeven": (F32, np.rint),
             "sqrt": (F32, np.sqrt)}
    for op, (x, f) in table.items():
        yield unary(f"math.{op}", x, f(x))
        yield unary(f"math.{op}", x.astype(np.float64), f(x.astype(np.float64)), dynamic=True)
    away = np.array([0.5, 1.5, -0.5, -2.5, 2.4999998, 0.49999997, 8388609.0, -0.0, np.inf, np.nan], np.float32)
    half = np.where(np.abs(away) < 2.0**23, np.copysign(np.floor(np.abs(away.astype(np.float64)) + 0.5), away), away).astype(np.float32)
    yield unary("math.round", away, half)
    functions = {"acos": (UNIT, math.acos), "asin": (UNIT, math.asin), "atan": (FIN, math.atan), "acosh": (POS[4:], math.acosh),
                 "asinh": (FIN, math.asinh), "atanh": (UNIT[1:-1], math.atanh), "cbrt": (FIN, lambda v: math.copysign(abs(v)**(1 / 3), v)),
                 "cos": (FIN, math.cos), "sin": (FIN, math.sin), "tan": (FIN, math.tan), "cosh": (FIN, math.cosh), "sinh": (FIN, math.sinh),
                 "tanh": (FIN, math.tanh), "erf": (FIN, math.erf), "erfc": (FIN, math.erfc), "exp": (FIN, math.exp),
                 "exp2": (FIN, lambda v: 2.0**v), "expm1": (FIN, math.expm1), "log": (POS, math.log), "log10": (POS, math.log10),
                 "log1p": (POS, math.log1p), "log2": (POS, math.log2), "rsqrt": (POS, lambda v: v**-0.5)}
    for op, (x, f) in functions.items():
        yield unary(f"math.{op}", x, of(f, x).astype(np.float32), **near)
        wide = x.astype(np.float64)
        yield unary(f"math.{op}", wide, of(f, wide), rtol=1e-13, atol=1e-15)
    special = np.array([0.0, np.inf, -np.inf, np.nan, -1.0], np.float32)
    for op, values in {"exp": [1, np.inf, 0, np.nan, None], "log": [-np.inf, np.inf, np.nan, np.nan, np.nan],
                       "tanh": [0, 1, -1, np.nan, None], "erf": [0, 1, -1, np.nan, None], "atan": [0, math.pi / 2, -math.pi / 2, np.nan, None],
                       "sqrt": [0, np.inf, np.nan, np.nan, np.nan], "log2": [-np.inf, np.inf, np.nan, np.nan, np.nan]}.items():
        count = 4 if values[4] is None else 5
        yield unary(f"math.{op}", special[:count], np.array(values[:count], np.float32), "special", rtol=1e-6)
    a, b = FIN, np.roll(FIN, 3)
    yield binary("math.atan2", a, b, np.arctan2(a.astype(np.float64), b).astype(np.float32), **near)
    yield binary("math.copysign", F32, np.roll(F32, 5), np.copysign(F32, np.roll(F32, 5)))
    base, exponent = np.abs(FIN) + np.float32(0.1), np.roll(FIN, 2)
    yield binary("math.powf", base, exponent, (base.astype(np.float64)**exponent).astype(np.float32), rtol=1e-5)
    yield binary("math.powf", np.array([2.0, -2.0, 0.0, np.nan, 5.0, -8.0]), np.array([0.5, 3.0, 0.0, 0.0, -1.0, 0.5]),
                 np.array([2.0**0.5, -8.0, 1.0, 1.0, 0.2, np.nan]), "special", rtol=1e-14)
    power = np.array([3, -3, 0, 2, 7, -1, 5, 2, 1, 4], np.int32)
    small = np.array([2, 1, 5, -2, -1, -1, 3, 10, -9, 0], np.int32)
    wrapped = []
    for x, y in zip(small.tolist(), power.tolist()):
        value = x**y if y >= 0 else (0 if abs(x) > 1 else 1 if x == 1 or y % 2 == 0 else -1)
        wrapped.append((value + 2**31) % 2**32 - 2**31)
    keep = ~((small == 0) & (power < 0))
    yield binary("math.ipowi", small[keep], power[keep], np.array(wrapped, np.int32)[keep])
    yield case("math.fpowi",
               function([FIN[1:], power[:9]], [FIN[1:]], "  %r = math.fpowi %a, %b : $a, $b\n  return %r : $r"), [FIN[1:], power[:9]],
               [np.power(FIN[1:].astype(np.float64), power[:9]).astype(np.float32)], 1e-5)
    c = np.roll(FIN, 1)
    fused = np.array([float(x) * float(y) + float(z) for x, y, z in zip(a, b, c)]).astype(np.float32)
    yield case("math.fma", function([a, b, c], [a], "  %r = math.fma %a, %b, %c : $a\n  return %r : $r"), [a, b, c], [fused], 1e-6, 1e-6)
    low, high = np.float32(-1.5), np.float32(2.0)
    yield case("math.clampf",
               function([FIN], [FIN], "  %lo = arith.constant dense<-1.5> : $a\n  %hi = arith.constant dense<2.0> : $a\n"
                        "  %r = math.clampf %a to [%lo, %hi] : $a\n  return %r : $r"), [FIN], [np.clip(FIN, low, high)])
    results = [np.sin(FIN.astype(np.float64)).astype(np.float32), np.cos(FIN.astype(np.float64)).astype(np.float32)]
    yield case("math.sincos", function([FIN], results, "  %r, %s = math.sincos %a : $a\n  return %r, %s : $r, $s"), [FIN], results, **near)
    for op, f in {"isfinite": np.isfinite, "isinf": np.isinf, "isnan": np.isnan,
                  "isnormal": lambda x: np.isfinite(x) & (np.abs(x) >= np.finfo(np.float32).tiny)}.items():
        yield case(f"math.{op}", function([F32], [f(F32)], f"  %r = math.{op} %a : $a\n  return %r : $r"), [F32], [f(F32)])
    for dtype in (np.int8, np.int32, np.int64):
        x = ints(dtype)
        bits = x.dtype.itemsize * 8
        text = [format(int(v) & ((1 << bits) - 1), f"0{bits}b") for v in x]
        zeros = lambda s: len(s) if "1" not in s else s.index("1")
        yield unary("math.absi", x, np.abs(x))
        yield unary("math.ctlz", x, np.array([zeros(s) for s in text], dtype))
        yield unary("math.cttz", x, np.array([zeros(s[::-1]) for s in text], dtype))
        yield unary("math.ctpop", x, np.array([s.count("1") for s in text], dtype))


def index_cases():
    pairs = [(7, 2), (-7, 2), (7, -2), (-9, -4), (2**62, 3), (0, 5)]
    mask = 2**64 - 1
    wrap = lambda v: (v + 2**63) % 2**64 - 2**63
    trunc = lambda x, y: abs(x) // abs(y) * (1 if (x < 0) == (y < 0) else -1)
    ops = {"add": lambda x, y: x + y, "sub": lambda x, y: x - y, "mul": lambda x, y: x * y, "divs": trunc,
           "divu": lambda x, y: (x & mask) // (y & mask), "ceildivs": lambda x, y: -(-x // y),
           "ceildivu": lambda x, y: -(-(x & mask) // (y & mask)), "floordivs": lambda x, y: x // y, "rems": lambda x, y: x - y * trunc(x, y),
           "remu": lambda x, y: (x & mask) % (y & mask), "maxs": max, "mins": min, "maxu": lambda x, y: max(x & mask, y & mask),
           "minu": lambda x, y: min(x & mask, y & mask), "shl": lambda x, y: x << (y % 7), "shrs": lambda x, y: x >> (y % 7),
           "shru": lambda x, y: (x & mask) >> (y % 7), "and": lambda x, y: x & y, "or": lambda x, y: x | y, "xor": lambda x, y: x ^ y}
    for op, f in ops.items():
        body, outs = [], []
        for i, (x, y) in enumerate(pairs):
            body += [f"  %x{i} = tensor.extract %a[%i{i}] : $a", f"  %y{i} = tensor.extract %b[%i{i}] : $b",
                     f"  %u{i} = index.casts %x{i} : i64 to index", f"  %v{i} = index.casts %y{i} : i64 to index",
                     f"  %w{i} = index.{op} %u{i}, %v{i}", f"  %z{i} = index.casts %w{i} : index to i64"]
            outs.append(wrap(f(x, y)))
        a = np.array([x for x, _ in pairs])
        b = np.array([y % 7 if op.startswith("sh") else y for _, y in pairs])
        constants = [f"  %i{i} = index.constant {i}" for i in range(len(pairs))]
        last = [f"  %r = tensor.from_elements {', '.join(f'%z{i}' for i in range(len(pairs)))} : $r", "  return %r : $r"]
        yield case(f"index.{op}", function([a, b], [a], "\n".join(constants + body + last)), [a, b], [np.array(outs)])
    a = np.array([-3], np.int32)
    body = """  %z = index.constant 0
  %x = tensor.extract %a[%z] : $a
  %s = index.casts %x : i32 to index
  %u = index.castu %x : i32 to index
  %n = index.sizeof
  %lt = index.cmp slt(%s, %u)
  %ult = index.cmp ult(%u, %s)
  %true = index.bool.constant true
  %both = arith.andi %lt, %ult : i1
  %all = arith.andi %both, %true : i1
  %one = arith.extui %all : i1 to i64
  %0 = index.casts %s : index to i64
  %1 = index.castu %u : index to i64
  %2 = index.castu %n : index to i64
  %r = tensor.from_elements %0, %1, %2, %one : $r
  return %r : $r"""
    result = np.array([-3, 2**32 - 3, 64, 1])
    yield case("index.casts-castu-cmp-sizeof", function([a], [result], body), [a], [result])


def scalar_cases():
    # Scalars in and out, of every width: no tensor at all.
    for dtype, op, f in (("f32", "arith.mulf", lambda x, y: x * y), ("f64", "arith.addf", lambda x, y: x + y),
                         ("i32", "arith.subi", lambda x, y: x - y), ("i8", "arith.muli", lambda x, y: x * y)):
        kind = {"f32": np.float32, "f64": np.float64, "i32": np.int32, "i8": np.int8}[dtype]
        x, y = np.array(100, kind), np.array(7, kind)
        yield case(f"scalar-{dtype}", f"func.func @NAME(%a: {dtype}, %b: {dtype}) -> {dtype} {{\n  %r = {op} %a, %b : {dtype}\n  return %r : {dtype}\n}}\n",
                   [x, y], [np.array(f(x, y), kind)])
    for name in ("bf16", "f16"):
        x, y = np.float32(1.00390625), np.float32(3.1415927)
        how = SMALL[name]
        value = rounded([rounded([x], *how)[0] * rounded([y], *how)[0]], *how)[0]
        body = f"""  %0 = arith.truncf %a : f32 to {name}
  %1 = arith.truncf %b : f32 to {name}
  %2 = arith.mulf %0, %1 : {name}
  %r = arith.extf %2 : {name} to f32
  return %r : f32"""
        yield case(f"scalar-{name}", f"func.func @NAME(%a: f32, %b: f32) -> f32 {{\n{body}\n}}\n", [x, y], [np.float32(value)])


def cases():
    for part in (integer_cases, float_cases, small_float_cases, math_cases, index_cases, scalar_cases):
        yield from part()
