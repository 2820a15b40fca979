"""The table of quantized elements: what the specification's dequantize, quantize and dequantize_op_quantize give in NumPy's float32.

Quantized values travel as the integers that store them.
"""
import itertools

import numpy as np

from cases import Case, Result
from elements import BY_NAME, F32, I1, tensor


class Quantized:
    """`axis`: the dimension whose indices have scales and zero points of their own."""

    def __init__(self, stored, scales, zeros, axis=None, limits=None):
        self.signed = not stored.startswith("u")
        self.element, self.axis = BY_NAME[stored if self.signed else "ui" + stored[1:]], axis
        self.scales, self.zeros = np.array(scales, np.float32), np.array(zeros, np.float32)
        self.low, self.high = limits or (self.element.low, self.element.high)
        pairs = ", ".join(f"{float(s)!r}:{int(z)}" for s, z in zip(self.scales.reshape(-1), self.zeros.reshape(-1)))
        within = f"<{self.low}:{self.high}>" if limits else ""
        self.name = f"!quant.uniform<{stored}{within}:f32{'' if axis is None else f':{axis}'}, {pairs if axis is None else '{' + pairs + '}'}>"

    def along(self, values, rank):
        return values if self.axis is None else values.reshape([-1 if d == self.axis else 1 for d in range(rank)])

    def dequantize(self, stored):
        wide = stored.astype(np.int64) - self.along(self.zeros, stored.ndim).astype(np.int64)
        return wide.astype(np.float32) * self.along(self.scales, stored.ndim)

    def quantize(self, x):
        x = np.asarray(x, np.float32) / self.along(self.scales, x.ndim) + self.along(self.zeros, x.ndim)
        x = np.rint(np.minimum(np.maximum(x, np.float32(self.low)), np.float32(self.high)))
        return np.minimum(x.astype(np.float64), self.element.high).astype(self.element.held)

    def tensor(self, shape):
        return f"tensor<{''.join(f'{n}x' for n in shape)}{self.name}>"

    def values(self, shape, seed):
        return np.random.default_rng([seed, *shape]).integers(self.low, self.high, shape, endpoint=True, dtype=np.int64).astype(self.element.held)


A, B = Quantized("i8", [0.5], [3]), Quantized("i8", [0.25], [-1])
KINDS = [A, Quantized("u8", [0.1], [128]), Quantized("i16", [0.001], [-7]), Quantized("i4", [0.75], [1]), Quantized("i8", [0.3], [0], limits=(-127, 127)),
         Quantized("u4", [1.5], [2]), Quantized("i32", [0.01], [5])]
BY_AXIS = Quantized("i8", [0.5, 0.25, 1.5], [0, -3, 7], axis=1)
FLAT = Quantized("i8", [0.125, 0.0625, 0.03125], [0, 0, 0], axis=1)


def case(name, text, operands, result, shape, expected):
    """`text` makes %r of %qa, %qb, ..; operands are pairs of type and stored integers, or floats."""
    lines, given = [], []
    for letter, (kind, array) in zip("abcd", operands):
        if isinstance(kind, Quantized):
            lines.append(f"%q{letter} = stablehlo.bitcast_convert %{letter} : ({tensor(kind.element, array.shape)}) -> {kind.tensor(array.shape)}")
            kind = kind.element
        given.append((kind, array))
    if isinstance(result, Quantized):
        after, out = f"%0 = stablehlo.bitcast_convert %r : ({result.tensor(shape)}) -> {tensor(result.element, shape)}", result.element
    else:
        after, out = f"%0 = stablehlo.reshape %r : ({tensor(result, shape)}) -> {tensor(result, shape)}", result
    return Case(f"quantized {name}", given, "\n  ".join([*lines, text, after]), Result(out, np.asarray(expected, out.held)))


def conversions():
    rng = np.random.default_rng(11)
    for kind in [*KINDS, BY_AXIS]:
        shape = (5, 3)
        reach = (kind.high - kind.low) * float(kind.scales.max())
        x = np.concatenate([rng.uniform(-reach, reach, 10), (np.arange(5) + 0.5) * float(kind.scales.flat[0])]).astype(np.float32).reshape(shape)
        yield case(f"uniform_quantize {kind.name}", f"%r = stablehlo.uniform_quantize %a : ({tensor(F32, shape)}) -> {kind.tensor(shape)}",
                   [(F32, x)], kind, shape, kind.quantize(x))
        stored = kind.values(shape, 13)
        yield case(f"uniform_dequantize {kind.name}", f"%r = stablehlo.uniform_dequantize %qa : ({kind.tensor(shape)}) -> {tensor(F32, shape)}",
                   [(kind, stored)], F32, shape, kind.dequantize(stored))
        yield case(f"uniform_quantize to another type {kind.name}",
                   f"%r = stablehlo.uniform_quantize %qa : ({kind.tensor(shape)}) -> {B.tensor(shape)}", [(kind, stored)], B, shape, B.quantize(kind.dequantize(stored)))


def elementwise():
    shape = (4, 6)
    pairs = {"add": np.add, "subtract": np.subtract, "multiply": np.multiply, "maximum": np.maximum, "minimum": np.minimum}
    for (op, function), (p, q, r) in itertools.product(pairs.items(), [(A, B, A), (B, B, B), (KINDS[1], KINDS[1], KINDS[1]), (KINDS[2], KINDS[2], KINDS[2])]):
        x, y = p.values(shape, 17), q.values(shape, 19)
        yield case(f"{op} {p.name}", f'%r = "stablehlo.{op}"(%qa, %qb) : ({p.tensor(shape)}, {q.tensor(shape)}) -> {r.tensor(shape)}', [(p, x), (q, y)], r, shape,
                   r.quantize(function(p.dequantize(x), q.dequantize(y))))
    alone = {"negate": np.negative, "abs": np.abs, "floor": np.floor, "ceil": np.ceil, "sign": np.sign, "tanh": np.tanh, "exponential": np.exp,
             "logistic": lambda v: 1 / (1 + np.exp(-v)), "sqrt": lambda v: np.sqrt(np.abs(v))}
    fine = Quantized("i16", [0.01], [100])
    for op, function in alone.items():
        x = fine.values(shape, 23)
        x = np.abs(x).astype(np.int16) if op == "sqrt" else (x % 500).astype(np.int16)
        exact = function(fine.dequantize(x).astype(np.float64))
        if op == "sqrt":
            x = np.maximum(x, 100).astype(np.int16)
            exact = np.sqrt(fine.dequantize(x).astype(np.float64))
        # A value next to a tie may be rounded either way.
        scaled = exact / 0.01
        x[np.abs(np.abs(scaled - np.floor(scaled)) - 0.5) < 1e-3] = 200
        exact = function(fine.dequantize(x).astype(np.float64)) if op != "sqrt" else np.sqrt(fine.dequantize(x).astype(np.float64))
        yield case(f"{op} {fine.name}", f'%r = "stablehlo.{op}"(%qa) : ({fine.tensor(shape)}) -> {fine.tensor(shape)}', [(fine, x)], fine, shape,
                   fine.quantize(exact.astype(np.float32)))
    x, y = A.values(shape, 29), A.values(shape, 31)
    yield case("compare", f"%r = stablehlo.compare GT, %qa, %qb, FLOAT : ({A.tensor(shape)}, {A.tensor(shape)}) -> {tensor(I1, shape)}", [(A, x), (A, y)], I1, shape, x > y)
    yield case("clamp", f"%r = stablehlo.clamp %qa, %qb, %qc : ({A.tensor(())}, {A.tensor(shape)}, {A.tensor(())}) -> {A.tensor(shape)}",
               [(A, np.array(-20, np.int8)), (A, x), (A, np.array(20, np.int8))], A, shape, np.clip(x, -20, 20))
    pred = (np.arange(24) % 3 == 0).reshape(shape)
    z = B.values(shape, 37)
    yield Case("quantized select of two types", [(I1, pred), (A.element, x), (B.element, z)],
               f"%p = stablehlo.bitcast_convert %b : ({tensor(A.element, shape)}) -> {A.tensor(shape)}\n"
               f"%q = stablehlo.bitcast_convert %c : ({tensor(B.element, shape)}) -> {B.tensor(shape)}\n"
               f"%e = stablehlo.uniform_quantize %q : ({B.tensor(shape)}) -> {A.tensor(shape)}\n"
               f"%r = stablehlo.select %a, %p, %e : {tensor(I1, shape)}, {A.tensor(shape)}\n"
               f"%0 = stablehlo.bitcast_convert %r : ({A.tensor(shape)}) -> {tensor(A.element, shape)}",
               Result(A.element, np.where(pred, x, A.quantize(B.dequantize(z)))))


def movements():
    shape, x = (3, 4), A.values((3, 4), 41)
    rows = BY_AXIS.values((2, 3), 43)
    turned = Quantized("i8", [0.5, 0.25, 1.5], [0, -3, 7], axis=0)
    yield case("transpose per axis", f"%r = stablehlo.transpose %qa, dims = [1, 0] : ({BY_AXIS.tensor((2, 3))}) -> {turned.tensor((3, 2))}", [(BY_AXIS, rows)], turned,
               (3, 2), rows.T)
    yield case("broadcast_in_dim", f"%r = stablehlo.broadcast_in_dim %qa, dims = [0, 1] : ({A.tensor((3, 1))}) -> {A.tensor(shape)}", [(A, x[:, :1])], A, shape,
               np.broadcast_to(x[:, :1], shape))
    yield case("reshape", f"%r = stablehlo.reshape %qa : ({A.tensor(shape)}) -> {A.tensor((2, 6))}", [(A, x)], A, (2, 6), x.reshape(2, 6))
    yield case("slice", f"%r = stablehlo.slice %qa [0:2, 1:4:2] : ({A.tensor(shape)}) -> {A.tensor((2, 2))}", [(A, x)], A, (2, 2), x[:2, 1:4:2])
    yield case("concatenate", f"%r = stablehlo.concatenate %qa, %qb, dim = 0 : ({A.tensor(shape)}, {A.tensor(shape)}) -> {A.tensor((6, 4))}", [(A, x), (A, x[::-1])], A,
               (6, 4), np.concatenate([x, x[::-1]]))
    yield case("pad", f"%r = stablehlo.pad %qa, %qb, low = [1, 0], high = [0, 2], interior = [0, 0] : ({A.tensor(shape)}, {A.tensor(())}) -> {A.tensor((4, 6))}",
               [(A, x), (A, np.array(9, np.int8))], A, (4, 6), np.pad(x, ((1, 0), (0, 2)), constant_values=9))
    yield case("reduce", f"%r = stablehlo.reduce(%qa init: %qb) applies stablehlo.maximum across dimensions = [1] : ({A.tensor(shape)}, {A.tensor(())}) -> {A.tensor((3,))}",
               [(A, x), (A, np.array(-128, np.int8))], A, (3,), x.max(1))
    constant = f'%r = stablehlo.constant() {{value = dense<[1, -2, 3]> : tensor<3xi8>}} : () -> {A.tensor((3,))}'
    yield case("constant", constant, [], A, (3,), np.array([1, -2, 3], np.int8))


def contractions():
    left, weights = A.values((4, 5), 47), np.random.default_rng(53).integers(-127, 128, (5, 3)).astype(np.int8)
    wide = Quantized("i32", [0.0625], [0])
    for name, p, q, r in [("per tensor", A, Quantized("i8", [0.125], [0]), B), ("per axis", A, FLAT, B), ("to i32", A, Quantized("i8", [0.125], [0]), wide)]:
        x, w = p.dequantize(left), q.dequantize(weights)
        text = f"%r = stablehlo.dot_general %qa, %qb, contracting_dims = [1] x [0] : ({p.tensor((4, 5))}, {q.tensor((5, 3))}) -> {r.tensor((4, 3))}"
        yield case(f"dot_general {name}", text, [(p, left), (q, weights)], r, (4, 3), r.quantize(x @ w))
    floats = (np.arange(20).reshape(4, 5) - 8).astype(np.float32)
    yield case("dot_general of floats", f"%r = stablehlo.dot_general %a, %qb, contracting_dims = [1] x [0] : ({tensor(F32, (4, 5))}, {FLAT.tensor((5, 3))}) -> {tensor(F32, (4, 3))}",
               [(F32, floats), (FLAT, weights)], F32, (4, 3), floats @ FLAT.dequantize(weights))
    image, kernel = A.values((1, 6, 2), 59), Quantized("i8", [0.125, 0.5, 0.25], [0, 0, 0], axis=2)
    taps = np.random.default_rng(61).integers(-127, 128, (3, 2, 3)).astype(np.int8)
    x, k = A.dequantize(image)[0], kernel.dequantize(taps)
    exact = np.array([[sum((x[i + t] * k[t, :, o]).sum() for t in range(3)) for o in range(3)] for i in range(4)], np.float32)[None]
    yield case("convolution", f"%r = stablehlo.convolution(%qa, %qb) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {{}} "
               f"{{batch_group_count = 1 : i64, feature_group_count = 1 : i64}} : ({A.tensor((1, 6, 2))}, {kernel.tensor((3, 2, 3))}) -> {wide.tensor((1, 4, 3))}",
               [(A, image), (kernel, taps)], wide, (1, 4, 3), wide.quantize(exact))


def all_cases():
    for table in (conversions, elementwise, movements, contractions):
        yield from table()
