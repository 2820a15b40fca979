"""Every op of mica, after its page in docs/Dialects/Mica."""
import itertools
import math

import numpy as np

from check import MLIR, case, function, tensor
from scalar_ops import F32, FIN, POS, SMALL, ints, of, rounded, truncated
from tosa_ops import windows

RNG = np.random.default_rng(5)
WITHOUT = {}
NAMES = "abcdefgh"


def normal(*shape):
    return RNG.standard_normal(shape).astype(np.float32)


def row(name, inputs, expected, body, rtol=0.0, atol=0.0, dynamic=False):
    outs = "rstu"[:len(expected)]
    return case(name, function(inputs, expected, body + f"\n  return {', '.join('%' + n for n in outs)} : {', '.join('$' + n for n in outs)}", dynamic),
                inputs, expected, rtol, atol)


def op(name, inputs, expected, middle="", label="", rtol=0.0, atol=0.0, dynamic=False, results=""):
    """`%r = mica.NAME %a, %b MIDDLE : ($a, $b) -> $r`."""
    given = ", ".join(f"%{NAMES[i]}" for i in range(len(inputs)))
    types = ", ".join(f"${NAMES[i]}" for i in range(len(inputs)))
    count = len(expected)
    left = "%r" if count == 1 else f"%m:{count}"
    gives = "$r" if count == 1 else "(" + ", ".join(f"${n}" for n in "rstu"[:count]) + ")"
    back = "" if count == 1 else "".join(f"\n  %{n} = tensor.cast %m#{i} : ${n} to ${n}" for i, n in enumerate("rstu"[:count]))
    return row(f"mica.{name}" + (f"-{label}" if label else ""), inputs, expected,
               f"  {left} = mica.{name} {given} {middle} : ({types}) -> {gives}" + back, rtol, atol, dynamic)


def unary(name, a, expected, label="", rtol=0.0, atol=0.0, middle="", dynamic=False):
    return row(f"mica.{name}" + (f"-{label}" if label else ""), [a], [expected], f"  %r = mica.{name} %a {middle} : $a", rtol, atol, dynamic)


def elementwise():
    a, b = normal(4, 5), normal(1, 5)
    i, j = ints(np.int32).reshape(2, -1), ints(np.int32)[::-1].reshape(2, -1).copy()
    for name, f in {"add": np.add, "sub": np.subtract, "mul": np.multiply}.items():
        yield op(name, [a, b], [f(a, b)])
        yield op(name, [i, j], [f(i, j)], label="i32", dynamic=True)
        x, y = ints(np.int8), ints(np.int8)[::-1].copy()
        yield op(name, [x, y], [f(x, y)], label="i8")
    yield op("div", [a, b], [a / b])
    quotient = np.where(j == 0, 0, truncated(i, np.where(j == 0, 1, j)))
    quotient = np.where((i == -2**31) & (j == -1), i, quotient).astype(np.int32)
    yield op("div", [i, j], [quotient], label="i32")
    yield op("rem", [a, b], [np.fmod(a, b)])
    yield op("rem", [i, j], [np.where(j == 0, i, i.astype(np.int64) - quotient.astype(np.int64) * j).astype(np.int32)], label="i32")
    edge, other = F32, np.roll(F32, 1)
    both = (edge == 0) & (other == 0)
    negative = np.signbit(edge), np.signbit(other)
    yield op("max", [edge, other], [np.where(both, np.where(negative[0] & negative[1], -0.0, 0.0), np.maximum(edge, other)).astype(np.float32)])
    yield op("min", [edge, other], [np.where(both, np.where(negative[0] | negative[1], -0.0, 0.0), np.minimum(edge, other)).astype(np.float32)])
    yield op("max", [i, j], [np.maximum(i, j)], label="i32")
    base, exponent = np.abs(FIN) + np.float32(0.25), np.roll(FIN, 3)
    yield op("pow", [base, exponent], [(base.astype(np.float64)**exponent).astype(np.float32)], rtol=1e-5)
    p, q = np.array([2, -3, 1, -1, 0, 5, 7, 2], np.int32), np.array([10, 3, -5, -4, -2, -1, 40, 33], np.int32)
    powers = [(pow(int(x), int(y)) if y >= 0 else 0 if abs(x) != 1 else int(x)**int(-y)) for x, y in zip(p, q)]
    yield op("pow", [p, q], [np.array([(v + 2**31) % 2**32 - 2**31 for v in powers], np.int32)], label="i32")
    for kind, f in {"eq": np.equal, "ne": np.not_equal, "lt": np.less, "le": np.less_equal, "gt": np.greater, "ge": np.greater_equal}.items():
        yield row(f"mica.compare-{kind}", [edge, other], [f(edge, other)], f"  %r = mica.compare {kind} %a, %b : ($a, $b) -> $r")
    mask = RNG.random((4, 1)) < 0.5
    yield op("select", [mask, a, b], [np.where(mask, a, b)])
    flags, more = np.array([[True, False, True, True]]), np.array([[True, True, False, False]])
    for name, f in {"logical_and": np.logical_and, "logical_or": np.logical_or, "logical_xor": np.logical_xor}.items():
        yield op(name, [flags, more], [f(flags, more)])
    yield unary("logical_not", flags, ~flags)
    for name, f in {"bitwise_and": np.bitwise_and, "bitwise_or": np.bitwise_or, "bitwise_xor": np.bitwise_xor}.items():
        yield op(name, [i, j], [f(i, j)])
    yield unary("bitwise_not", i, ~i)
    amount = np.array([0, 1, 31, 32, -1, 5, 40, 7], np.int32)
    x = np.array([-1, 2**31 - 1, -2**31, 77, 3, -12345, 9, 123456789], np.int32)
    big = (amount.view(np.uint32) > 31)
    safe = np.where(big, 0, amount).astype(np.uint32)
    yield op("shift_left", [x, amount], [np.where(big, 0, (x.view(np.uint32) << safe).view(np.int32)).astype(np.int32)])
    yield op("shift_right_logical", [x, amount], [np.where(big, 0, (x.view(np.uint32) >> safe).view(np.int32)).astype(np.int32)])
    yield op("shift_right_arithmetic", [x, amount], [np.where(big, np.where(x < 0, -1, 0), x >> safe.astype(np.int32)).astype(np.int32)])
    yield unary("abs", edge, np.abs(edge))
    yield unary("abs", i, np.abs(i), "i32")
    yield unary("neg", edge, -edge)
    small = ints(np.int8)
    yield unary("neg", small, -small, "i8")
    yield unary("ceil", edge, np.ceil(edge))
    yield unary("floor", edge, np.floor(edge), dynamic=True)
    yield unary("round", np.array([0.5, 1.5, 2.5, -0.5, -2.5, 3.2, np.inf, np.nan, -0.0], np.float32),
                np.array([0, 2, 2, -0.0, -2, 3, np.inf, np.nan, -0.0], np.float32))
    yield unary("relu", edge, np.where(np.isnan(edge), edge, np.where(edge > 0, edge, np.float32(0))))
    yield unary("sqrt", edge, np.sqrt(edge))
    yield unary("clamp", edge, np.where(np.isnan(edge), edge, np.clip(edge, np.float32(-1), np.float32(2.5))), middle="min = -1.0 : f32 max = 2.5 : f32")
    yield unary("clamp", i, np.clip(i, -5, 1000), "i32", middle="min = -5 : i32 max = 1000 : i32")
    near = dict(rtol=3e-6, atol=1e-6)
    sigmoid = lambda v: 1 / (1 + math.exp(-v))
    for name, values, f in (("cos", FIN, math.cos), ("sin", FIN, math.sin), ("exp", FIN, math.exp), ("erf", FIN, math.erf), ("log", POS, math.log),
                            ("rsqrt", POS, lambda v: v**-0.5), ("sigmoid", FIN, sigmoid), ("silu", FIN, lambda v: v * sigmoid(v)),
                            ("tanh", FIN, math.tanh)):
        yield unary(name, values, of(f, values).astype(np.float32), **near)
        wide = values.astype(np.float64)
        yield unary(name, wide, of(f, wide), "f64", rtol=1e-12, atol=1e-14)
    special = np.array([0.0, -0.0, np.inf, -np.inf, np.nan], np.float32)
    for name, values in {"exp": [1, 1, np.inf, 0, np.nan], "tanh": [0, -0.0, 1, -1, np.nan], "log": [-np.inf, -np.inf, np.inf, np.nan, np.nan],
                         "rsqrt": [np.inf, -np.inf, 0, np.nan, np.nan], "sigmoid": [0.5, 0.5, 1, 0, np.nan], "erf": [0, -0.0, 1, -1, np.nan]}.items():
        yield unary(name, special, np.array(values, np.float32), "special")
    yield unary("gelu", FIN, of(lambda v: v / 2 * (1 + math.erf(v / math.sqrt(2))), FIN).astype(np.float32), **near)
    yield unary("gelu", FIN, of(lambda v: v / 2 * (1 + math.tanh(math.sqrt(2 / math.pi) * (v + 0.044715 * v**3))), FIN).astype(np.float32), "tanh",
                middle="approximate = tanh", **near)


def casts():
    values = np.array([0.4, 0.5, 1.5, 2.5, -0.5, -1.5, 126.5, 127.5, 300.0, -129.0, 1e10, -1e10, np.nan, np.inf, -np.inf], np.float32)
    for dtype in (np.int8, np.int16, np.int32):
        info = np.iinfo(dtype)
        for rounding, f in (("toward_zero", np.trunc), ("nearest_even", np.rint)):
            whole = np.where(np.isnan(values), 0, np.clip(f(values.astype(np.float64)), info.min, info.max)).astype(dtype)
            yield row(f"mica.cast-{rounding}-{MLIR[np.dtype(dtype).name]}", [values], [whole], f"  %r = mica.cast %a rounding = {rounding} : $a to $r")
    wrapped = [0 if np.isnan(v) else int(min(max(float(v), -2.0**63), 2.0**63 - 1024)) if np.isfinite(v) else (2**63 - 1 if v > 0 else -2**63) for v in values]
    yield row("mica.cast-wrap-i8", [values], [np.array([(v + 128) % 256 - 128 for v in wrapped], np.int8)], "  %r = mica.cast %a overflow = wrap : $a to $r")
    x = ints(np.int32)
    yield row("mica.cast-i32-i8-saturate", [x], [np.clip(x, -128, 127).astype(np.int8)], "  %r = mica.cast %a : $a to $r")
    yield row("mica.cast-i32-i8-wrap", [x], [x.astype(np.int8)], "  %r = mica.cast %a overflow = wrap : $a to $r")
    yield row("mica.cast-f32-i1", [values], [(values != 0) | np.isnan(values)], "  %r = mica.cast %a : $a to $r")
    yield row("mica.cast-i1-f32", [values > 0], [(values > 0).astype(np.float32)], "  %r = mica.cast %a : $a to $r")
    yield row(
        "mica.cast-i64-f32", [np.array([2**24 + 1, 2**53 + 1, -2**62 + 1, 3])], [np.array([2**24 + 1, 2**53 + 1, -2**62 + 1, 3]).astype(np.float32)],
        "  %r = mica.cast %a : $a to $r")
    more = np.array([1.0, 1.00390625, -1.01171875, 65520.0, 1e-8, 448.0, 465.0, 57344.0, 61440.0, np.nan, np.inf, 2.0**-133, -0.0], np.float32)
    for name, how in SMALL.items():
        kind = f"tensor<{more.size}x{name}>"
        yield row(f"mica.cast-{name}", [more], [rounded(more, *how).astype(np.float32)], f"  %0 = mica.cast %a : $a to {kind}\n  %r = mica.cast %0 : {kind} to $r")
    small = np.arange(-10, 10, dtype=np.int8)
    kind = f"tensor<{small.size}xi4>"
    yield row("mica.cast-i4", [small], [np.clip(small, -8, 7)], f"  %0 = mica.cast %a : $a to {kind}\n  %r = mica.cast %0 : {kind} to $r")


def quantized():
    x, scale = (normal(3, 8) * 40).astype(np.float32), np.float32(0.37)
    zero = np.array(-5, np.int8)
    q = np.clip(np.rint(x / scale) - 5, -128, 127).astype(np.int8)
    yield row("mica.quantize", [x, np.array(scale), zero], [q], "  %r = mica.quantize %a scale %b : $b zero_point %c : $c : $a to $r")
    scales = (np.abs(normal(8)) + 0.1).astype(np.float32)
    yield row("mica.quantize-axis", [x, scales], [np.clip(np.rint(x / scales), -128, 127).astype(np.int8)],
              "  %r = mica.quantize %a scale %b : $b axis = 1 : $a to $r", dynamic=True)
    y = np.abs(x)
    yield row("mica.quantize-unsigned", [y, np.array(scale)], [np.clip(np.rint(y / scale), 0, 255).astype(np.uint8).view(np.int8)],
              "  %r = mica.quantize %a scale %b : $b unsigned : $a to $r")
    yield row("mica.dequantize", [q, np.array(scale), zero], [((q.astype(np.int32) + 5).astype(np.float64) * scale).astype(np.float32)],
              "  %r = mica.dequantize %a scale %b : $b zero_point %c : $c : $a to $r")
    yield row("mica.dequantize-unsigned", [q, np.array(scale)], [(q.view(np.uint8).astype(np.float64) * scale).astype(np.float32)],
              "  %r = mica.dequantize %a scale %b : $b unsigned : $a to $r")


def movement():
    x = normal(2, 3, 4)
    yield row("mica.broadcast", [x[0, :1]], [np.broadcast_to(x[0, :1], (5, 3, 4))], "  %r = mica.broadcast %a : ($a) -> $r")
    n = np.array(4)
    yield case("mica.broadcast-sizes", "func.func @NAME(%a: tensor<3xf32>, %n: index) -> tensor<?x3xf32> {\n"
               "  %r = mica.broadcast %a sizes(%n) : (tensor<3xf32>, index) -> tensor<?x3xf32>\n  return %r : tensor<?x3xf32>\n}\n",
               [x[0, :, 0], n], [np.broadcast_to(x[0, :, 0], (4, 3))])
    for at in (1, -1, 2):
        cache, new = normal(1, 4, 2), normal(1, 2, 2)
        result = cache.copy()
        for k in range(2):
            if 0 <= at + k < 4:
                result[:, at + k] = new[:, k]
        yield row(f"mica.cache_update-{at}", [cache, new, np.array(at)], [result], "  %r = mica.cache_update %a, %b at %c axis = 1 : ($a, $b, $c) -> $r")
    yield op("concat", [x, x[:, :1]], [np.concatenate([x, x[:, :1]], 1)], "axis = 1")
    yield row("mica.constant", [x], [x + np.float32(1.5)], "  %c = mica.constant dense<1.5> : $a\n  %r = mica.add %a, %c : ($a, $a) -> $r")
    index = np.array([[4, -1], [0, 9]])
    table = normal(5, 3)
    hit = ((index >= 0) & (index < 5))[..., None]
    yield op("embedding", [table, index], [np.where(hit, table[np.clip(index, 0, 4)], 0).astype(np.float32)])
    yield unary("flip", x, np.flip(x, (0, 2)), middle="dims = [0, 2]")
    places = np.array([3, 0, 7, -2], np.int32)
    hit = ((places >= 0) & (places < 4))
    yield op("gather", [x, places], [np.where(hit, x[:, :, np.clip(places, 0, 3)], 0).astype(np.float32)], "axis = 2")
    own = RNG.integers(0, 3, (2, 5))
    yield op("gather", [x, own], [np.stack([x[k][own[k]] for k in range(2)])], "axis = 1 batch_dims = 1", "batched")
    for kind in ("update", "add"):
        at, new = np.array([1, 0, 1, 8]), normal(2, 4, 4)
        result = x.copy()
        for k, place in enumerate(at):
            if 0 <= place < 3:
                result[:, place] = new[:, k] if kind == "update" else result[:, place] + new[:, k]
        yield row(f"mica.scatter-{kind}", [x, at, new], [result], f"  %r = mica.scatter {kind} %a, %b, %c axis = 1 : ($a, $b, $c) -> $r")
    yield row("mica.iota", [], [np.broadcast_to(np.arange(4, dtype=np.int32), (3, 4))], "  %r = mica.iota axis = 1 : $r")
    yield row("mica.iota-i8-wraps", [], [np.arange(300).astype(np.int8)], "  %r = mica.iota axis = 0 : $r")
    hot = np.array([2, 0, 5, -1], np.int32)
    yield row("mica.one_hot", [hot], [np.array([[h == k for k in range(4)] for h in hot], np.float32)], "  %r = mica.one_hot %a axis = 1 : $a to $r")
    for mode, name in (("constant", "constant"), ("edge", "edge"), ("reflect", "reflect"), ("wrap", "wrap")):
        more = "value = 2.5 : f32" if mode == "constant" else ""
        pads = [(0, 1), (2, 1), (1, 3)]
        extra = dict(constant_values=2.5) if mode == "constant" else {}
        yield row(f"mica.pad-{mode}", [x], [np.pad(x, pads, mode=name, **extra)],
                  f"  %r = mica.pad %a low = [0, 2, 1] high = [1, 1, 3] mode = {mode} {more} : ($a) -> $r")
    yield row("mica.reshape", [x], [x.reshape(4, 6)], "  %r = mica.reshape %a : ($a) -> $r")
    yield row("mica.slice", [x], [x[:, 1:3, ::3]], "  %r = mica.slice %a offsets = [0, 1, 0] sizes = [2, 2, 2] strides = [1, 1, 3] : ($a) -> $r")
    for offset, start in ((1, 1), (9, 2), (-4, 0)):
        yield case(f"mica.slice-at-{offset}", "func.func @NAME(%a: tensor<4x3xf32>, %o: index) -> tensor<2x3xf32> {\n"
                   "  %r = mica.slice %a offsets = [%o, 0] sizes = [2, 3] strides = [1, 1] : (tensor<4x3xf32>, index) -> tensor<2x3xf32>\n"
                   "  return %r : tensor<2x3xf32>\n}\n", [x[0].T, np.array(offset)], [x[0].T[start:start + 2]])
    yield row("mica.split", [x], [x[..., :1], x[..., 1:]], "  %r, %s = mica.split %a axis = 2 sizes = [1, 3] : ($a) -> ($r, $s)")
    yield row("mica.tile", [x], [np.tile(x, (2, 1, 3))], "  %r = mica.tile %a multiples = [2, 1, 3] : ($a) -> $r")
    yield row("mica.transpose", [x], [x.transpose(2, 0, 1)], "  %r = mica.transpose %a permutation = [2, 0, 1] : ($a) -> $r")


def reductions():
    x = normal(2, 3, 4)
    whole = RNG.integers(-100, 100, (2, 3, 4)).astype(np.int32)
    for kind, f in {"sum": np.sum, "mean": np.mean, "prod": np.prod, "max": np.max, "min": np.min}.items():
        result = f(x.astype(np.float64), axis=(0, 2)).astype(np.float32)
        yield row(f"mica.reduce-{kind}", [x], [result], f"  %r = mica.reduce {kind} %a dims = [0, 2] : ($a) -> $r", 2e-6, 1e-6)
        yield row(f"mica.reduce-{kind}-all", [x], [f(x.astype(np.float64), axis=(0, 1, 2), keepdims=True).astype(np.float32)],
                  f"  %r = mica.reduce {kind} %a dims = [0, 1, 2] keep_dims : ($a) -> $r", 2e-6, 1e-6)
        if kind not in ("mean", "prod"):
            yield row(f"mica.reduce-{kind}-i32", [whole], [f(whole, axis=1).astype(np.int32)], f"  %r = mica.reduce {kind} %a dims = [1] : ($a) -> $r")
    nothing = np.zeros((3, 0), np.float32)
    for kind, value in {"sum": 0, "mean": np.nan, "prod": 1, "max": -np.inf, "min": np.inf}.items():
        yield row(f"mica.reduce-{kind}-none", [nothing], [np.full(3, value, np.float32)], f"  %r = mica.reduce {kind} %a dims = [1] : ($a) -> $r")
    holes = x.copy()
    holes[0, 1, 2] = np.nan
    yield row("mica.reduce-max-nan", [holes], [np.max(holes, axis=2)], "  %r = mica.reduce max %a dims = [2] : ($a) -> $r")
    yield row("mica.argmax", [holes], [np.argmax(holes, 2).astype(np.int32)], "  %r = mica.argmax %a axis = 2 : ($a) -> $r")
    yield row("mica.argmin", [whole], [np.argmin(whole, 1)[:, None]], "  %r = mica.argmin %a axis = 1 keep_dims : ($a) -> $r")
    yield unary("cumsum", whole, np.cumsum(whole, 2).astype(np.int32), middle="axis = 2")
    back = np.flip(np.cumsum(np.flip(whole, 1), 1), 1) - whole
    yield unary("cumsum", whole, back.astype(np.int32), "exclusive-reverse", middle="axis = 1 exclusive reverse")
    values = np.array([[3, 1, np.nan, 2, 1, -0.0, 0.0, -np.inf]], np.float32)
    order = np.argsort(values, 1, kind="stable")
    yield row("mica.sort", [values], [np.take_along_axis(values, order, 1), order], "  %r, %s = mica.sort %a axis = 1 : ($a) -> ($r, $s)")
    key = np.where(np.isnan(values), np.inf, values)
    down = np.array([sorted(range(8), key=lambda k: (not np.isnan(values[0, k]), -key[0, k]))])
    yield row("mica.sort-descending", [values], [np.take_along_axis(values, down, 1), down], "  %r, %s = mica.sort %a axis = 1 descending : ($a) -> ($r, $s)")
    yield row("mica.top_k", [values], [np.take_along_axis(values, down, 1)[:, :3], down[:, :3]], "  %r, %s = mica.top_k %a k = 3 axis = 1 : ($a) -> ($r, $s)")
    yield row("mica.top_k-smallest", [values], [np.take_along_axis(values, order, 1)[:, :4], order[:, :4]],
              "  %r, %s = mica.top_k %a k = 4 axis = 1 smallest : ($a) -> ($r, $s)")


def softmax(x, axis):
    e = np.exp(x - np.max(x, axis, keepdims=True))
    return e / np.sum(e, axis, keepdims=True)


def norms():
    x = normal(2, 6, 5)
    wide = x.astype(np.float64)
    s, b = normal(5), normal(5)
    near = dict(rtol=1e-5, atol=1e-5)
    for axis in (0, 1, 2):
        yield unary("softmax", x, softmax(wide, axis).astype(np.float32), f"{axis}", middle=f"axis = {axis}", **near)
    far = np.array([[1e30, -1e30, 1e30], [-np.inf, 0, 0], [np.inf, 0, 1], [-np.inf] * 3], np.float32)
    yield unary("softmax", far, np.array([[0.5, 0, 0.5], [0, 0.5, 0.5], [np.nan] * 3, [np.nan] * 3], np.float32), "far", middle="axis = 1")
    m, v = wide.mean(2, keepdims=True), wide.var(2, keepdims=True)
    yield row("mica.layer_norm", [x, s, b], [((wide - m) / np.sqrt(v + 1e-5) * s + b).astype(np.float32)],
              "  %r = mica.layer_norm %a scale %b : $b bias %c : $c axis = 2 epsilon = 1.0e-5 : $a", **near)
    yield row("mica.rms_norm", [x, s], [(wide / np.sqrt((wide**2).mean(2, keepdims=True) + 1e-6) * s).astype(np.float32)],
              "  %r = mica.rms_norm %a scale %b axis = 2 epsilon = 1.0e-6 : ($a, $b) -> $r", dynamic=True, **near)
    mean, variance, scale, bias = normal(6), np.abs(normal(6)), normal(6), normal(6)
    c = lambda t: t[None, :, None]
    yield row("mica.batch_norm", [x, mean, variance, scale, bias],
              [((wide - c(mean)) / np.sqrt(c(variance).astype(np.float64) + 1e-5) * c(scale) + c(bias)).astype(np.float32)],
              "  %r = mica.batch_norm %a mean %b variance %c scale %d bias %e axis = 1 epsilon = 1.0e-5 : ($a, $b, $c, $d, $e) -> $r", **near)
    groups = wide.reshape(2, 3, 2, 5)
    g = (groups - groups.mean((2, 3), keepdims=True)) / np.sqrt(groups.var((2, 3), keepdims=True) + 1e-5)
    yield row("mica.group_norm", [x, scale, bias], [(g.reshape(2, 6, 5) * c(scale) + c(bias)).astype(np.float32)],
              "  %r = mica.group_norm %a scale %b bias %c groups = 3 axis = 1 epsilon = 1.0e-5 : ($a, $b, $c) -> $r", **near)
    q = normal(1, 2, 4, 6)
    angle = normal(4, 3)
    cos, sin = np.cos(angle), np.sin(angle)
    for label, first, second in (("", slice(0, 3), slice(3, 6)), ("interleaved", slice(0, 6, 2), slice(1, 6, 2))):
        result = np.empty(q.shape)
        p, r = q[..., first].astype(np.float64), q[..., second].astype(np.float64)
        result[..., first], result[..., second] = p * cos - r * sin, r * cos + p * sin
        yield row(f"mica.rope{'-' + label if label else ''}", [q, cos, sin], [result.astype(np.float32)],
                  f"  %r = mica.rope %a cos %b sin %c {label} : ($a, $b, $c) -> $r", **near)


def contractions():
    near = dict(rtol=1e-5, atol=1e-5)
    a, b = normal(2, 3, 4), normal(2, 4, 5)
    wide = np.matmul(a.astype(np.float64), b)
    yield op("matmul", [a, b], [wide.astype(np.float32)], dynamic=True, **near)
    yield op("matmul", [a.transpose(0, 2, 1).copy(), b], [wide.astype(np.float32)], "transpose_a", "ta", **near)
    yield op("matmul", [a, b.transpose(0, 2, 1).copy()], [wide.astype(np.float32)], "transpose_b", "tb", **near)
    yield op("matmul", [a, b[0]], [np.matmul(a.astype(np.float64), b[0]).astype(np.float32)], "", "one-for-all", **near)
    p, q = ints(np.int8)[:12].reshape(3, 4), ints(np.int8)[-20:].reshape(4, 5)
    yield op("matmul", [p, q], [np.matmul(p.astype(np.int32), q.astype(np.int32))], "", "i8-i32")
    yield op("matmul", [p, q], [np.matmul(p, q)], "", "i8-wraps")
    yield op("matmul", [np.zeros((3, 0), np.float32), np.zeros((0, 2), np.float32)], [np.zeros((3, 2), np.float32)], "", "of-nothing")
    for causal, grouped in itertools.product((False, True), (1, 2)):
        query, key, value = normal(1, 4, 3, 8), normal(1, 4 // grouped, 5, 8), normal(1, 4 // grouped, 5, 6)
        k, v = np.repeat(key, grouped, 1).astype(np.float64), np.repeat(value, grouped, 1).astype(np.float64)
        scores = query.astype(np.float64) @ k.transpose(0, 1, 3, 2) / math.sqrt(8)
        if causal:
            allowed = np.arange(5)[None] <= np.arange(3)[:, None] + 2
            scores = np.where(allowed, scores, -np.inf)
        yield op("attention", [query, key, value], [(softmax(scores, -1) @ v).astype(np.float32)], "causal" if causal else "",
                 f"{'causal' if causal else 'full'}-{grouped}", **near)
    mask = RNG.random((3, 5)) < 0.7
    mask[:, 0] = True
    query, key, value = normal(1, 2, 3, 8), normal(1, 2, 5, 8), normal(1, 2, 5, 4)
    scores = np.where(mask, 0.5 * (query.astype(np.float64) @ key.transpose(0, 1, 3, 2)), -np.inf)
    yield row("mica.attention-mask", [query, key, value, mask], [(softmax(scores, -1) @ value).astype(np.float32)],
              "  %r = mica.attention %a, %b, %c mask %d scale = 5.0e-1 : ($a, $b, $c, $d) -> $r", **near)


def convolutions():
    near = dict(rtol=1e-5, atol=1e-5)
    x, w, b = normal(2, 6, 7, 4), normal(3, 2, 4, 6), normal(6)
    view = windows(x.astype(np.float64), (3, 2), [(1, 0), (2, 1)], (2, 1), (1, 2), 0)
    result = np.einsum("nyxijc,ijcf->nyxf", view, w) + b
    attributes = "strides = [2, 1] dilations = [1, 2] pads = [1, 0, 2, 1]"
    for layout, image, kernel, back in (("nhwc_hwcf", (0, 1, 2, 3), (0, 1, 2, 3), (0, 1, 2, 3)), ("nhwc_fhwc", (0, 1, 2, 3), (3, 0, 1, 2), (0, 1, 2, 3)),
                                        ("nchw_fchw", (0, 3, 1, 2), (3, 2, 0, 1), (0, 3, 1, 2))):
        yield row(f"mica.conv2d-{layout}", [x.transpose(image).copy(), w.transpose(kernel).copy(), b], [result.transpose(back).astype(np.float32)],
                  f"  %r = mica.conv2d %a, %b bias %c layout = {layout} {attributes} : ($a, $b, $c) -> $r", **near)
    half = normal(3, 2, 2, 6)
    grouped = np.concatenate([np.einsum("nyxijc,ijcf->nyxf", view[..., 2 * g:2 * g + 2], half[..., 3 * g:3 * g + 3]) for g in range(2)], -1)
    yield row("mica.conv2d-groups", [x, half], [grouped.astype(np.float32)],
              f"  %r = mica.conv2d %a, %b layout = nhwc_hwcf {attributes} groups = 2 : ($a, $b) -> $r", **near)
    rows, taps = normal(2, 9, 3), normal(3, 3, 4)
    view = windows(rows.astype(np.float64), (3,), [(1, 1)], (2,), (1,), 0)
    yield row("mica.conv1d", [rows, taps], [np.einsum("nxic,icf->nxf", view, taps).astype(np.float32)],
              "  %r = mica.conv1d %a, %b layout = nwc_wcf strides = [2] pads = [1, 1] : ($a, $b) -> $r", **near)
    image, kernel = normal(1, 3, 4, 2), normal(3, 3, 2, 2)
    out = np.zeros((1, 2 * 2 + 3, 3 * 3 + 2, 3))
    for y, c, i, j in itertools.product(range(3), range(4), range(3), range(2)):
        out[:, y * 2 + i, c * 3 + j] += np.einsum("nc,fc->nf", image[:, y, c].astype(np.float64), kernel[:, i, j])
    yield row("mica.conv2d_transpose", [image, kernel], [out[:, 1:, :-1].astype(np.float32)],
              "  %r = mica.conv2d_transpose %a, %b layout = nhwc_fhwc strides = [2, 3] pads = [1, 0, 0, 1] : ($a, $b) -> $r", **near)
    x = normal(2, 5, 5, 3)
    view = windows(x, (3, 2), [(1, 1), (0, 1)], (2, 2), (1, 1), -np.inf)
    yield row("mica.max_pool", [x], [view.max((3, 4))], "  %r = mica.max_pool %a layout = nhwc kernel = [3, 2] strides = [2, 2] pads = [1, 1, 0, 1] : ($a) -> $r")
    total = windows(x.astype(np.float64), (3, 2), [(1, 1), (0, 1)], (2, 2), (1, 1), 0).sum((3, 4))
    count = windows(np.ones_like(x, np.float64), (3, 2), [(1, 1), (0, 1)], (2, 2), (1, 1), 0).sum((3, 4))
    yield row("mica.avg_pool", [x], [(total / count).astype(np.float32)],
              "  %r = mica.avg_pool %a layout = nhwc kernel = [3, 2] strides = [2, 2] pads = [1, 1, 0, 1] : ($a) -> $r", **near)
    yield row("mica.avg_pool-padded", [x], [(total / 6).astype(np.float32)],
              "  %r = mica.avg_pool %a layout = nhwc kernel = [3, 2] strides = [2, 2] pads = [1, 1, 0, 1] count_include_pad : ($a) -> $r", **near)


def resized(image, out, mode, coordinates, rounding):
    from fractions import Fraction as F
    result = np.zeros((image.shape[0], *out, image.shape[3]))
    at = []
    for size, count in zip(image.shape[1:3], out):
        places = []
        for x in range(count):
            c = (F(2 * x + 1, 2) * size / count - F(1, 2) if coordinates == "half_pixel" else F(x * size, count) if coordinates == "asymmetric" else
                 F(x * (size - 1), count - 1) if count > 1 else F(0))
            limit = lambda v: min(max(v, 0), size - 1)
            if mode == "nearest":
                nearest = {"floor": math.floor(c), "ceil": math.ceil(c), "prefer_floor": math.ceil(c - F(1, 2)), "prefer_ceil": math.floor(c + F(1, 2))}[rounding]
                places.append([(limit(nearest), 1.0)])
            else:
                low = math.floor(c)
                places.append([(limit(low), float(1 - (c - low))), (limit(low + 1), float(c - low))])
        at.append(places)
    for y, x in itertools.product(range(out[0]), range(out[1])):
        for (i, f), (j, g) in itertools.product(at[0][y], at[1][x]):
            result[:, y, x] += f * g * image[:, i, j].astype(np.float64)
    return result


def images():
    image = normal(1, 4, 5, 2)
    for coordinates, out in (("half_pixel", (8, 7)), ("asymmetric", (3, 9)), ("align_corners", (7, 1))):
        yield row(f"mica.resize-bilinear-{coordinates}", [image], [resized(image, out, "bilinear", coordinates, "").astype(np.float32)],
                  f"  %r = mica.resize %a layout = nhwc mode = bilinear coordinates = {coordinates} : ($a) -> $r", 1e-5, 1e-6)
        for rounding in ("floor", "ceil", "prefer_floor", "prefer_ceil"):
            yield row(f"mica.resize-{coordinates}-{rounding}", [image], [resized(image, out, "nearest", coordinates, rounding).astype(np.float32)],
                      f"  %r = mica.resize %a layout = nhwc mode = nearest coordinates = {coordinates} rounding = {rounding} : ($a) -> $r")


def control():
    x = normal(4)
    body = """  %r = mica.if %a : ($a) -> $b {
    %0 = mica.neg %b : $b
    mica.yield %0 : $b
  } else {
    %0 = mica.abs %b : $b
    mica.yield %0 : $b
  }"""
    for flag in (True, False):
        yield row(f"mica.if-{flag}", [np.array(flag), x], [-x if flag else np.abs(x)], body)
    loop = """  %r, %s = mica.while(%a, %b) : ($a, $b) -> ($a, $b) {
  ^bb0(%i: $a, %v: $b):
    %zero = mica.constant dense<0> : tensor<i32>
    %more = mica.compare gt %i, %zero : ($a, tensor<i32>) -> tensor<i1>
    mica.yield %more : tensor<i1>
  } do {
  ^bb0(%i: $a, %v: $b):
    %one = mica.constant dense<1> : tensor<i32>
    %n = mica.sub %i, %one : ($a, tensor<i32>) -> $a
    %w = mica.add %v, %v : ($b, $b) -> $b
    mica.yield %n, %w : $a, $b
  }"""
    for times in (0, 5):
        yield row(f"mica.while-{times}", [np.array(times, np.int32), x], [np.array(0, np.int32), x * np.float32(2**times)], loop)


def cases():
    for part in (elementwise, casts, quantized, movement, reductions, norms, contractions, convolutions, images, control):
        yield from part()
