"""Every op of tosa, after the TOSA 1.0 specification (mlplatform.org) and the op's ODS."""
import itertools
import math

import numpy as np

from check import MLIR, case, function, tensor
from scalar_ops import F32, FIN, POS, SMALL, binary, ints, of, rounded, truncated, unary

RNG = np.random.default_rng(11)

WITHOUT = {
    "tosa.custom": "what it does is in no specification",
    "tosa.variable": "programs have no state between calls",
    "tosa.variable_read": "programs have no state between calls",
    "tosa.variable_write": "programs have no state between calls",
    "tosa.matmul_t_block_scaled": "block-scaled types are an extension that upstream's lowering does not have",
    "tosa.cast_from_block_scaled": "as tosa.matmul_t_block_scaled",
    "tosa.cast_to_block_scaled": "as tosa.matmul_t_block_scaled",
}


def normal(*shape):
    return RNG.standard_normal(shape).astype(np.float32)


def const(name, values, dtype):
    array = np.asarray(values)
    text = str(array.tolist()).lower()
    shape = "".join(f"{size}x" for size in array.shape)
    return f'  %{name} = "tosa.const"() <{{values = dense<{text}> : tensor<{shape}{dtype}>}}> : () -> tensor<{shape}{dtype}>\n'


def shape(name, values):
    return f"  %{name} = tosa.const_shape {{values = dense<{list(values)}> : tensor<{len(values)}xindex>}} : () -> !tosa.shape<{len(values)}>\n"


def row(name, inputs, expected, body, rtol=0.0, atol=0.0, dynamic=False):
    return case(name, function(inputs, expected, body + f"  return {', '.join('%' + n for n in 'rstu'[:len(expected)])} : "
                               f"{', '.join('$' + n for n in 'rstu'[:len(expected)])}", dynamic), inputs, expected, rtol, atol)


def elementwise():
    a, b = normal(4, 5), normal(1, 5)
    near = dict(rtol=3e-6, atol=1e-6)
    for op, f in {"add": np.add, "sub": np.subtract, "maximum": np.maximum, "minimum": np.minimum}.items():
        yield row(f"tosa.{op}-f32", [a, b], [f(a, b)], f"  %r = tosa.{op} %a, %b : ($a, $b) -> $r\n")
        x, y = ints(np.int32), np.roll(ints(np.int32), 4)
        yield row(f"tosa.{op}-i32", [x, y], [f(x, y)], f"  %r = tosa.{op} %a, %b : ($a, $b) -> $r\n", dynamic=True)
    yield row("tosa.pow", [np.abs(a) + 1, b], [((np.abs(a) + 1).astype(np.float64)**b).astype(np.float32)],
              "  %r = tosa.pow %a, %b : ($a, $b) -> $r\n", 1e-5)
    yield row("tosa.mul-f32", [a, b], [a * b], const("s", [0], "i8") + "  %r = tosa.mul %a, %b, %s : ($a, $b, tensor<1xi8>) -> $r\n")
    x = np.array([100, -7, 2**20, -2**29, 12345, 3], np.int32)
    y = np.array([3, 9, -2**18, 2**28, -54321, 1], np.int32)
    for shift in (0, 3, 30):
        p = [int(m) * int(n) for m, n in zip(x, y)]
        q = [(v + (1 << (shift - 1))) >> shift if shift else v for v in p]
        fits = [i for i, v in enumerate(q) if -2**31 <= v < 2**31]
        x2, y2 = x[fits], y[fits]
        yield row(f"tosa.mul-shift-{shift}", [x2, y2], [np.array([q[i] for i in fits], np.int32)],
                  const("s", [shift], "i8") + "  %r = tosa.mul %a, %b, %s : ($a, $b, tensor<1xi8>) -> $r\n")
    x8, y8 = ints(np.int8), np.roll(ints(np.int8), 5)
    yield row("tosa.mul-i8", [x8, y8], [x8.astype(np.int32) * y8], const("s", [0], "i8") + "  %r = tosa.mul %a, %b, %s : ($a, $b, tensor<1xi8>) -> $r\n")
    x, y = ints(np.int32), np.roll(ints(np.int32), 7)
    divisor = np.where((y == 0) | (y == -1), 5, y).astype(np.int32)
    yield row("tosa.intdiv", [x, divisor], [truncated(x, divisor)], "  %r = tosa.intdiv %a, %b : ($a, $b) -> $r\n")
    for op, f in {"bitwise_and": np.bitwise_and, "bitwise_or": np.bitwise_or, "bitwise_xor": np.bitwise_xor}.items():
        yield row(f"tosa.{op}", [x, y], [f(x, y)], f"  %r = tosa.{op} %a, %b : ($a, $b) -> $r\n")
    amount = (np.arange(x.size) % 32).astype(np.int32)
    yield row("tosa.logical_left_shift", [x, amount], [x << amount], "  %r = tosa.logical_left_shift %a, %b : ($a, $b) -> $r\n")
    yield row("tosa.logical_right_shift", [x, amount], [(x.view(np.uint32) >> amount.view(np.uint32)).view(np.int32)],
              "  %r = tosa.logical_right_shift %a, %b : ($a, $b) -> $r\n")
    for flag in ("false", "true"):
        half = (x >> np.maximum(amount - 1, 0)) & 1
        result = (x >> amount) + np.where((flag == "true") & (amount > 0), half, 0)
        yield row(f"tosa.arithmetic_right_shift-{flag}", [x, amount], [result.astype(np.int32)],
                  f"  %r = tosa.arithmetic_right_shift %a, %b {{round = {flag}}} : ($a, $b) -> $r\n")
    yield unary_of("abs", F32, np.abs(F32))
    yield unary_of("abs", np.arange(-4, 5, dtype=np.int32), np.abs(np.arange(-4, 5, dtype=np.int32)), "i32")
    yield unary_of("bitwise_not", x, ~x)
    yield unary_of("clz", x, np.array([32 - (int(v) & 0xffffffff).bit_length() for v in x], np.int32))
    yield unary_of("ceil", F32, np.ceil(F32))
    yield unary_of("floor", F32, np.floor(F32))
    for op, f, values in (("cos", math.cos, FIN), ("sin", math.sin, FIN), ("exp", math.exp, FIN), ("erf", math.erf, FIN),
                          ("log", math.log, POS), ("rsqrt", lambda v: v**-0.5, POS), ("reciprocal", lambda v: 1 / v, POS),
                          ("tanh", math.tanh, FIN), ("sigmoid", lambda v: 1 / (1 + math.exp(-v)), FIN)):
        yield unary_of(op, values, of(f, values).astype(np.float32), **near)
    flags, other = np.array([[True, False, True, True]]), np.array([[True, True, False, False]])
    for op, f in {"logical_and": np.logical_and, "logical_or": np.logical_or, "logical_xor": np.logical_xor}.items():
        yield row(f"tosa.{op}", [flags, other], [f(flags, other)], f"  %r = tosa.{op} %a, %b : ($a, $b) -> $r\n")
    yield unary_of("logical_not", flags, ~flags)
    zero = const("z", [0.0], "f32")
    yield row("tosa.negate-f32", [F32], [-F32], zero + "  %r = tosa.negate %a, %z, %z : ($a, tensor<1xf32>, tensor<1xf32>) -> $r\n")
    x8 = ints(np.int8)
    negated = np.clip(-(x8.astype(np.int32) - 3) - 5, -128, 127).astype(np.int8)
    yield row("tosa.negate-i8", [x8], [negated], const("z", [3], "i8") + const("o", [-5], "i8") +
              "  %r = tosa.negate %a, %z, %o : ($a, tensor<1xi8>, tensor<1xi8>) -> $r\n")
    for op, f in {"equal": np.equal, "greater": np.greater, "greater_equal": np.greater_equal}.items():
        yield row(f"tosa.{op}-f32", [F32, np.roll(F32, 1)], [f(F32, np.roll(F32, 1))], f"  %r = tosa.{op} %a, %b : ($a, $b) -> $r\n")
        yield row(f"tosa.{op}-i32", [x, np.roll(x, 1)], [f(x, np.roll(x, 1))], f"  %r = tosa.{op} %a, %b : ($a, $b) -> $r\n")
    mask = RNG.random((4, 1)) < 0.5
    yield row("tosa.select", [mask, a, b], [np.where(mask, a, b)], "  %r = tosa.select %a, %b, %c : ($a, $b, $c) -> $r\n")
    for mode in ("PROPAGATE", "IGNORE"):
        low, high = np.float32(-0.5), np.float32(2.0)
        result = np.where(np.isnan(F32), low if mode == "IGNORE" else np.nan, np.clip(F32, low, high)).astype(np.float32)
        yield row(f"tosa.clamp-{mode}", [F32], [result],
                  f'  %r = tosa.clamp %a {{min_val = -0.5 : f32, max_val = 2.0 : f32, nan_mode = {mode}}} : ($a) -> $r\n')
        p, q = F32, np.roll(F32, 3)
        for op, f, g in (("maximum", np.maximum, np.fmax), ("minimum", np.minimum, np.fmin)):
            use = f if mode == "PROPAGATE" else g
            keep = ~((p == 0) & (q == 0))
            yield row(f"tosa.{op}-{mode}", [p[keep], q[keep]], [use(p[keep], q[keep])],
                      f"  %r = tosa.{op} %a, %b {{nan_mode = {mode}}} : ($a, $b) -> $r\n")
    yield row("tosa.clamp-i8", [x8], [np.clip(x8, -100, 20)], "  %r = tosa.clamp %a {min_val = -100 : i8, max_val = 20 : i8} : ($a) -> $r\n")
    # A table of 256 places, and one of 513 with 7 bits between two of them.
    table = RNG.integers(-128, 128, 256).astype(np.int8)
    yield row("tosa.table-i8", [x8], [table[x8.astype(int) + 128]],
              const("t", table, "i8") + "  %r = tosa.table %a, %t : ($a, tensor<256xi8>) -> $r\n")
    long = np.sort(RNG.integers(-30000, 30000, 513)).astype(np.int16)
    x16 = ints(np.int16)
    at = (x16.astype(int) + 32768) >> 7
    part = (x16.astype(int) + 32768) & 127
    value = (long[at].astype(int) << 7) + (long[at + 1].astype(int) - long[at]) * part
    yield row("tosa.table-i16", [x16], [value.astype(np.int32)],
              const("t", long, "i16") + "  %r = tosa.table %a, %t : ($a, tensor<513xi16>) -> $r\n")
    yield row("tosa.identity-const", [a], [a + np.float32(2.5)],
              const("c", [[2.5]], "f32") + "  %0 = tosa.identity %a : ($a) -> $a\n  %r = tosa.add %0, %c : ($a, tensor<1x1xf32>) -> $r\n")


def unary_of(op, a, expected, label="", rtol=0.0, atol=0.0):
    name = "-".join(part for part in (f"tosa.{op}", label) if part)
    return row(name, [a], [expected], f"  %r = tosa.{op} %a : ($a) -> $r\n", rtol, atol)


def casts():
    values = np.array([0.4, 0.5, 1.5, 2.5, -0.5, -1.5, -2.5, 126.5, 127.5, 300.0, -128.5, -129.0, 1e10, -1e10], np.float32)
    for dtype in (np.int8, np.int16, np.int32):
        info = np.iinfo(dtype)
        result = np.clip(np.rint(values.astype(np.float64)), info.min, info.max).astype(dtype)
        yield row(f"tosa.cast-f32-{MLIR[np.dtype(dtype).name]}", [values], [result], "  %r = tosa.cast %a : ($a) -> $r\n")
    x = ints(np.int32)
    yield row("tosa.cast-i32-i8", [x], [x.astype(np.int8)], "  %r = tosa.cast %a : ($a) -> $r\n")
    yield row("tosa.cast-i32-f32", [x], [x.astype(np.float32)], "  %r = tosa.cast %a : ($a) -> $r\n")
    yield row(
        "tosa.cast-i1-i8", [np.array([True, False])], [np.array([1, 0], np.int8)], "  %r = tosa.cast %a : ($a) -> $r\n")
    more = np.array([1.0, 1.00390625, -1.01171875, 65520.0, 1e-8, 448.0, 465.0, np.nan, np.inf], np.float32)
    for name, how in SMALL.items():
        kind = f"tensor<{more.size}x{name}>"
        yield row(f"tosa.cast-{name}", [more], [rounded(more, *how).astype(np.float32)],
                  f"  %0 = tosa.cast %a : ($a) -> {kind}\n  %r = tosa.cast %0 : ({kind}) -> $r\n")


def rescaled(values, multipliers, shifts, in_zp, out_zp, rounding, low, high):
    """TOSA's apply_scale_32 on the values less the zero point, per channel of the last dimension."""
    flat = values.reshape(-1, values.shape[-1])
    out = np.zeros(flat.shape, object)
    for i, c in itertools.product(*map(range, flat.shape)):
        multiplier, shift = multipliers[c % len(multipliers)], shifts[c % len(shifts)]
        value = int(flat[i, c]) - in_zp
        half = 1 << (shift - 1)
        if rounding == "DOUBLE_ROUND" and shift > 31:
            half += (1 << 30) if value >= 0 else -(1 << 30)
        out[i, c] = min(max(((value * multiplier + half) >> shift) + out_zp, low), high)
    return out.reshape(values.shape)


def rescales():
    x = RNG.integers(-2**24, 2**24, (3, 4)).astype(np.int32)
    for rounding in ("SINGLE_ROUND", "DOUBLE_ROUND"):
        for per_channel in (False, True):
            multipliers = [2**30 + 12345, 2**31 - 7, 2**30, 2**30 + 999999][:4 if per_channel else 1]
            shifts = [40, 33, 45, 38][:4 if per_channel else 1]
            result = rescaled(x, multipliers, shifts, 0, 5, rounding, -128, 127).astype(np.int8)
            body = (const("m", multipliers, "i32") + const("s", shifts, "i8") + const("iz", [0], "i32") + const("oz", [5], "i8") +
                    f"  %r = tosa.rescale %a, %m, %s, %iz, %oz {{scale32 = true, rounding_mode = {rounding}, per_channel = "
                    f"{str(per_channel).lower()}, input_unsigned = false, output_unsigned = false}} : ($a, tensor<{len(multipliers)}xi32>, "
                    f"tensor<{len(shifts)}xi8>, tensor<1xi32>, tensor<1xi8>) -> $r\n")
            yield row(f"tosa.rescale-{rounding}-{'channels' if per_channel else 'one'}", [x], [result], body)
    x8 = ints(np.int8).reshape(2, -1)
    result = rescaled(x8, [2**30], [32], -3, 0, "SINGLE_ROUND", -2**31, 2**31 - 1).astype(np.int32)
    yield row("tosa.rescale-i8-i32", [x8], [result],
              const("m", [2**30], "i32") + const("s", [32], "i8") + const("iz", [-3], "i8") + const("oz", [0], "i32") +
              "  %r = tosa.rescale %a, %m, %s, %iz, %oz {scale32 = true, rounding_mode = SINGLE_ROUND, per_channel = false, "
              "input_unsigned = false, output_unsigned = false} : ($a, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi32>) -> $r\n")
    bytes8 = ints(np.int8).reshape(2, -1)
    result = rescaled(bytes8.view(np.uint8), [2**30], [30], 128, 0, "SINGLE_ROUND", -128, 127).astype(np.int8)
    yield row("tosa.rescale-unsigned", [bytes8], [result],
              const("m", [2**30], "i32") + const("s", [30], "i8") + const("iz", [-128], "i8") + const("oz", [0], "i8") +
              "  %r = tosa.rescale %a, %m, %s, %iz, %oz {scale32 = true, rounding_mode = SINGLE_ROUND, per_channel = false, "
              "input_unsigned = true, output_unsigned = false} : ($a, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi8>) -> $r\n")
    v = RNG.integers(-2**28, 2**28, 9).astype(np.int32)
    m = np.full(9, 2**30 + 77, np.int32)
    s = np.array([31, 33, 40, 45, 31, 36, 38, 42, 50], np.int8)
    for rounding in ("SINGLE_ROUND", "DOUBLE_ROUND"):
        result = [int(rescaled(np.array([[w]]), [int(n)], [int(t)], 0, 0, rounding, -2**63, 2**63)[0, 0]) for w, n, t in zip(v, m, s)]
        yield row(f"tosa.apply_scale-{rounding}", [v, m, s], [np.array(result, np.int32)],
                  f"  %r = tosa.apply_scale %a, %b, %c {{rounding_mode = {rounding}}} : ($a, $b, $c) -> $r\n")


def reductions():
    x = normal(3, 4, 5)
    whole = RNG.integers(-9, 9, (3, 4, 5)).astype(np.int32)
    flags = RNG.random((3, 4, 5)) < 0.7
    for op, f in {"max": np.max, "min": np.min, "sum": np.sum, "product": np.prod}.items():
        for axis in (0, 2):
            yield row(f"tosa.reduce_{op}-{axis}", [x], [f(x, axis=axis, keepdims=True, dtype=np.float64).astype(np.float32) if op in ("sum", "product") else
                                                        f(x, axis=axis, keepdims=True)],
                      f"  %r = tosa.reduce_{op} %a {{axis = {axis} : i32}} : ($a) -> $r\n", 2e-6, 1e-6)
        if op != "product":
            yield row(f"tosa.reduce_{op}-i32", [whole], [f(whole, axis=1, keepdims=True).astype(np.int32)],
                      f"  %r = tosa.reduce_{op} %a {{axis = 1 : i32}} : ($a) -> $r\n")
    for op, f in {"any": np.any, "all": np.all}.items():
        yield row(f"tosa.reduce_{op}", [flags], [f(flags, axis=1, keepdims=True)], f"  %r = tosa.reduce_{op} %a {{axis = 1 : i32}} : ($a) -> $r\n")
    holes = x.copy()
    holes[1, 2, 3] = np.nan
    for mode, f in (("PROPAGATE", np.max), ("IGNORE", np.nanmax)):
        yield row(f"tosa.reduce_max-{mode}", [holes], [f(holes, axis=2, keepdims=True)],
                  f"  %r = tosa.reduce_max %a {{axis = 2 : i32, nan_mode = {mode}}} : ($a) -> $r\n")
    yield row("tosa.argmax-f32", [x], [np.argmax(x, 1).astype(np.int32)], "  %r = tosa.argmax %a {axis = 1 : i32} : ($a) -> $r\n")
    yield row("tosa.argmax-ties", [whole.astype(np.int8)], [np.argmax(whole, 2).astype(np.int32)],
              "  %r = tosa.argmax %a {axis = 2 : i32} : ($a) -> $r\n")


def movement():
    x = normal(2, 3, 4)
    yield row("tosa.concat", [x, x[:, :1]], [np.concatenate([x, x[:, :1], x], 1)],
              "  %r = tosa.concat %a, %b, %a {axis = 1 : i32} : ($a, $b, $a) -> $r\n")
    padded = np.pad(x, [(1, 0), (0, 2), (1, 1)], constant_values=2.5)
    yield row("tosa.pad", [x], [padded], shape("p", [1, 0, 0, 2, 1, 1]) + const("v", [2.5], "f32") +
              "  %r = tosa.pad %a, %p, %v : ($a, !tosa.shape<6>, tensor<1xf32>) -> $r\n")
    yield row("tosa.reshape", [x], [x.reshape(4, 6)], shape("p", [4, 6]) + "  %r = tosa.reshape %a, %p : ($a, !tosa.shape<2>) -> $r\n")
    yield row("tosa.reshape-rank-0", [x[:1, :1, 0]], [x[0, 0, 0]],
              "  %p = tosa.const_shape {values = dense<> : tensor<0xindex>} : () -> !tosa.shape<0>\n  %r = tosa.reshape %a, %p : ($a, !tosa.shape<0>) -> $r\n")
    for axis in range(3):
        yield row(f"tosa.reverse-{axis}", [x], [np.flip(x, axis)], f"  %r = tosa.reverse %a {{axis = {axis} : i32}} : ($a) -> $r\n")
    yield row("tosa.slice", [x], [x[1:, 1:3, 2:]], shape("p", [1, 1, 2]) + shape("q", [1, 2, 2]) +
              "  %r = tosa.slice %a, %p, %q : ($a, !tosa.shape<3>, !tosa.shape<3>) -> $r\n")
    yield row("tosa.tile", [x], [np.tile(x, (1, 2, 3))], shape("p", [1, 2, 3]) + "  %r = tosa.tile %a, %p : ($a, !tosa.shape<3>) -> $r\n")
    for perm in ((2, 0, 1), (1, 0, 2)):
        yield row(f"tosa.transpose-{''.join(map(str, perm))}", [x], [x.transpose(perm)],
                  f"  %r = tosa.transpose %a {{perms = array<i32: {', '.join(map(str, perm))}>}} : ($a) -> $r\n")
    values, index = normal(2, 5, 3), np.array([[4, 0, 2, 2], [1, 1, 0, 3]], np.int32)
    yield row("tosa.gather", [values, index], [np.take_along_axis(values, index[:, :, None], 1)], "  %r = tosa.gather %a, %b : ($a, $b) -> $r\n")
    places, new = np.array([[3, 0], [2, 4]], np.int32), normal(2, 2, 3)
    result = values.copy()
    np.put_along_axis(result, places[:, :, None], new, 1)
    yield row("tosa.scatter", [values, places, new], [result], "  %r = tosa.scatter %a, %b, %c : ($a, $b, $c) -> $r\n")


def resized(image, scale, offset, border, mode):
    """TOSA's resize, of numbers as they are (float: bilinear divides by the scale)."""
    n, ih, iw, channels = image.shape
    (ny, dy, nx, dx) = scale
    oh, ow = ((ih - 1) * ny - offset[0] + border[0]) // dy + 1, ((iw - 1) * nx - offset[1] + border[1]) // dx + 1
    integral = image.dtype.kind == "i"
    out = np.zeros((n, oh, ow, channels), object if integral else np.float64)
    for y, x in itertools.product(range(oh), range(ow)):
        py, px = y * dy + offset[0], x * dx + offset[1]
        iy, ix = py // ny, px // nx
        ry, rx = py - iy * ny, px - ix * nx
        at = lambda a, b: image[:, min(max(a, 0), ih - 1), min(max(b, 0), iw - 1)].astype(object if integral else np.float64)
        if mode == "NEAREST_NEIGHBOR":
            out[:, y, x] = at(iy + (2 * ry >= ny), ix + (2 * rx >= nx))
        elif integral:
            out[:, y, x] = (at(iy, ix) * (ny - ry) * (nx - rx) + at(iy, ix + 1) * (ny - ry) * rx + at(iy + 1, ix) * ry * (nx - rx) +
                            at(iy + 1, ix + 1) * ry * rx)
        else:
            fy, fx = ry / ny, rx / nx
            out[:, y, x] = (at(iy, ix) * (1 - fy) * (1 - fx) + at(iy, ix + 1) * (1 - fy) * fx + at(iy + 1, ix) * fy * (1 - fx) +
                            at(iy + 1, ix + 1) * fy * fx)
    return out


def images():
    image = normal(1, 4, 5, 2)
    bytes8 = RNG.integers(-128, 128, (1, 4, 5, 2)).astype(np.int8)
    for label, scale, offset, border in (("corners", [2, 1, 3, 1], [0, 0], [0, 0]), ("half-pixel", [4, 2, 4, 2], [-1, -1], [1, 1]),
                                         ("smaller", [1, 2, 1, 2], [0, 0], [1, 0]), ("shifted", [4, 3, 6, 5], [2, -3], [2, -2])):
        for mode in ("BILINEAR", "NEAREST_NEIGHBOR"):
            sizes = ((4 - 1) * scale[0] - offset[0] + border[0]) % scale[1], ((5 - 1) * scale[2] - offset[1] + border[1]) % scale[3]
            if any(sizes):
                border = [border[0] - sizes[0], border[1] - sizes[1]]
            body = (shape("s", scale) + shape("o", offset) + shape("b", border) +
                    f"  %r = tosa.resize %a, %s, %o, %b {{mode = {mode}}} : ($a, !tosa.shape<4>, !tosa.shape<2>, !tosa.shape<2>) -> $r\n")
            body = body.replace("%b", "%e")
            yield row(f"tosa.resize-{label}-{mode}", [image], [resized(image, scale, offset, border, mode).astype(np.float32)], body, 1e-5, 1e-6)
            to = np.int32 if mode == "BILINEAR" else np.int8
            yield row(f"tosa.resize-{label}-{mode}-i8", [bytes8], [resized(bytes8, scale, offset, border, mode).astype(to)], body)


def windows(x, kernel, pad, stride, dilation, value):
    """For each place of the result the elements of the window: an array [n, y.., k.., c]; `pad`: pairs per dimension."""
    x = np.pad(x, [(0, 0), *pad, (0, 0)], constant_values=value)
    sizes = [(size - (k - 1) * d - 1) // s + 1 for size, k, s, d in zip(x.shape[1:-1], kernel, stride, dilation)]
    out = np.zeros((x.shape[0], *sizes, *kernel, x.shape[-1]), x.dtype)
    for at in itertools.product(*map(range, kernel)):
        cut = tuple(slice(i * d, i * d + (n - 1) * s + 1, s) for i, d, s, n in zip(at, dilation, stride, sizes))
        out[(slice(None), *[slice(None)] * len(sizes), *at)] = x[(slice(None), *cut)]
    return out


def convolutions():
    zero = const("z", [0.0], "f32")
    zps = ", tensor<1xf32>, tensor<1xf32>"
    for label, pad, stride, dilation in (("plain", (0, 0, 0, 0), (1, 1), (1, 1)), ("padded", (1, 0, 2, 1), (2, 1), (1, 2))):
        x, w, b = normal(2, 6, 7, 3), normal(4, 3, 2, 3), normal(4)
        pads = [(pad[0], pad[1]), (pad[2], pad[3])]
        # TOSA wants results of whole strides: what is left over is cut off the image.
        cut = [(x.shape[1 + i] + sum(pads[i]) - (k - 1) * dilation[i] - 1) % stride[i] for i, k in enumerate((3, 2))]
        x = x[:, :x.shape[1] - cut[0], :x.shape[2] - cut[1]]
        attributes = (f"acc_type = f32, pad = array<i64: {pad[0]}, {pad[1]}, {pad[2]}, {pad[3]}>, stride = array<i64: {stride[0]}, {stride[1]}>")
        dilated = f", dilation = array<i64: {dilation[0]}, {dilation[1]}>"
        view = windows(x.astype(np.float64), (3, 2), pads, stride, dilation, 0)
        yield row(f"tosa.conv2d-{label}", [x, w, b], [(np.einsum("nyxijc,fijc->nyxf", view, w) + b).astype(np.float32)], zero +
                  f"  %r = tosa.conv2d %a, %b, %c, %z, %z {{{attributes}{dilated}}} : ($a, $b, $c{zps}) -> $r\n", 1e-5, 1e-5)
        v, d = normal(3, 2, 3, 2), normal(6)
        result = np.einsum("nyxijc,ijcm->nyxcm", view, v)
        yield row(f"tosa.depthwise_conv2d-{label}", [x, v, d], [(result.reshape(*result.shape[:3], 6) + d).astype(np.float32)], zero +
                  f"  %r = tosa.depthwise_conv2d %a, %b, %c, %z, %z {{{attributes}{dilated}}} : ($a, $b, $c{zps}) -> $r\n", 1e-5, 1e-5)
    x, w, b = normal(1, 4, 5, 4, 2), normal(3, 2, 3, 2, 2), normal(3)
    view = windows(x.astype(np.float64), (2, 3, 2), [(1, 0), (0, 1), (1, 1)], (1, 1, 1), (1, 1, 1), 0)
    yield row("tosa.conv3d", [x, w, b], [(np.einsum("nzyxhijc,fhijc->nzyxf", view, w) + b).astype(np.float32)], zero +
              "  %r = tosa.conv3d %a, %b, %c, %z, %z {acc_type = f32, pad = array<i64: 1, 0, 0, 1, 1, 1>, stride = array<i64: 1, 1, 1>, "
              f"dilation = array<i64: 1, 1, 1>}} : ($a, $b, $c{zps}) -> $r\n", 1e-5, 1e-5)
    x8, w8, b32 = RNG.integers(-128, 128, (1, 5, 5, 3)).astype(np.int8), RNG.integers(-127, 128, (2, 3, 3, 3)).astype(np.int8), np.array([7, -9], np.int32)
    view = windows(x8.astype(np.int64) - 4, (3, 3), [(1, 1), (1, 1)], (1, 1), (1, 1), 0)
    yield row("tosa.conv2d-i8", [x8, w8, b32], [(np.einsum("nyxijc,fijc->nyxf", view, w8.astype(np.int64)) + b32).astype(np.int32)],
              const("z", [4], "i8") + const("y", [0], "i8") +
              "  %r = tosa.conv2d %a, %b, %c, %z, %y {acc_type = i32, pad = array<i64: 1, 1, 1, 1>, stride = array<i64: 1, 1>, "
              "dilation = array<i64: 1, 1>} : ($a, $b, $c, tensor<1xi8>, tensor<1xi8>) -> $r\n")
    x, w, b = normal(1, 3, 4, 2), normal(3, 3, 2, 2), normal(3)
    for label, out_pad, stride in (("plain", (0, 0, 0, 0), (1, 1)), ("cut", (-1, 1, 2, -1), (2, 3))):
        out = np.zeros((1, (3 - 1) * stride[0] + 3, (4 - 1) * stride[1] + 2, 3))
        for y, c, i, j in itertools.product(range(3), range(4), range(3), range(2)):
            out[:, y * stride[0] + i, c * stride[1] + j] += np.einsum("nc,fc->nf", x[:, y, c].astype(np.float64), w[:, i, j])
        for axis, (before, after) in ((1, out_pad[:2]), (2, out_pad[2:])):
            move = lambda k: (before if k == 0 else after)
            out = np.pad(out, [(0, 0)] * axis + [(max(before, 0), max(after, 0))] + [(0, 0)] * (3 - axis))
            index = [slice(None)] * 4
            index[axis] = slice(max(-before, 0), out.shape[axis] - max(-after, 0))
            out = out[tuple(index)]
        yield row(f"tosa.transpose_conv2d-{label}", [x, w, b], [(out + b).astype(np.float32)], zero +
                  f"  %r = tosa.transpose_conv2d %a, %b, %c, %z, %z {{acc_type = f32, out_pad = array<i64: {', '.join(map(str, out_pad))}>, "
                  f"stride = array<i64: {stride[0]}, {stride[1]}>}} : ($a, $b, $c{zps}) -> $r\n", 1e-5, 1e-5)
    x = normal(2, 5, 5, 3)
    view = windows(x, (3, 2), [(1, 1), (0, 1)], (2, 2), (1, 1), -np.inf)
    yield row("tosa.max_pool2d", [x], [view.max((3, 4))],
              "  %r = tosa.max_pool2d %a {kernel = array<i64: 3, 2>, pad = array<i64: 1, 1, 0, 1>, stride = array<i64: 2, 2>} : ($a) -> $r\n")
    count = windows(np.ones_like(x, np.float64), (3, 2), [(1, 1), (0, 1)], (2, 2), (1, 1), 0).sum((3, 4))
    total = windows(x.astype(np.float64), (3, 2), [(1, 1), (0, 1)], (2, 2), (1, 1), 0).sum((3, 4))
    yield row("tosa.avg_pool2d", [x], [(total / count).astype(np.float32)], zero +
              "  %r = tosa.avg_pool2d %a, %z, %z {acc_type = f32, kernel = array<i64: 3, 2>, pad = array<i64: 1, 1, 0, 1>, "
              "stride = array<i64: 2, 2>} : ($a, tensor<1xf32>, tensor<1xf32>) -> $r\n", 2e-6, 1e-6)
    a, b = normal(2, 3, 4), normal(2, 4, 5)
    yield row("tosa.matmul-f32", [a, b], [np.matmul(a.astype(np.float64), b).astype(np.float32)], zero +
              "  %r = tosa.matmul %a, %b, %z, %z : ($a, $b, tensor<1xf32>, tensor<1xf32>) -> $r\n", 1e-5, 1e-6, dynamic=True)
    p, q = RNG.integers(-128, 128, (1, 3, 4)).astype(np.int8), RNG.integers(-128, 128, (1, 4, 2)).astype(np.int8)
    yield row("tosa.matmul-i8", [p, q], [np.matmul(p.astype(np.int32) - 3, q.astype(np.int32) + 5)], const("y", [3], "i8") + const("z", [-5], "i8") +
              "  %r = tosa.matmul %a, %b, %y, %z : ($a, $b, tensor<1xi8>, tensor<1xi8>) -> $r\n")
    x, y = normal(2, 4, 8), normal(2, 4, 8)
    spectrum = np.fft.fft2(x.astype(np.float64) + 1j * y)
    yield row("tosa.fft2d", [x, y], [spectrum.real.astype(np.float32), spectrum.imag.astype(np.float32)],
              "  %r, %s = tosa.fft2d %a, %b {inverse = false} : ($a, $b) -> ($r, $s)\n", 1e-5, 2e-5)
    back = np.fft.ifft2(x.astype(np.float64) + 1j * y) * 32
    yield row("tosa.fft2d-inverse", [x, y], [back.real.astype(np.float32), back.imag.astype(np.float32)],
              "  %r, %s = tosa.fft2d %a, %b {inverse = true} : ($a, $b) -> ($r, $s)\n", 1e-5, 2e-5)
    half = np.fft.rfft2(x.astype(np.float64))
    yield row("tosa.rfft2d", [x], [half.real.astype(np.float32), half.imag.astype(np.float32)], "  %r, %s = tosa.rfft2d %a : ($a) -> ($r, $s)\n", 1e-5, 2e-5)


def control():
    x = normal(2, 3)
    body = """  %r = tosa.cond_if %a (%x = %b) : tensor<i1> ($b) -> $r {
  ^bb0(%x: $b):
    %0 = tosa.exp %x : ($b) -> $b
    tosa.yield %0 : $b
  } else {
  ^bb0(%x: $b):
    %0 = tosa.floor %x : ($b) -> $b
    tosa.yield %0 : $b
  }
"""
    for flag in (True, False):
        yield row(f"tosa.cond_if-{flag}", [np.array(flag), x], [np.exp(x.astype(np.float64)).astype(np.float32) if flag else np.floor(x)], body, 2e-6)
    loop = const("one", 1, "i32") + """  %r, %s = tosa.while_loop (%i = %a, %x = %b) : ($a, $b) -> ($r, $s) {
    %limit = "tosa.const"() <{values = dense<5> : tensor<i32>}> : () -> tensor<i32>
    %more = tosa.greater %limit, %i : (tensor<i32>, $a) -> tensor<i1>
    tosa.yield %more : tensor<i1>
  } do {
  ^bb0(%i: $a, %x: $b):
    %n = tosa.add %i, %one : ($a, tensor<i32>) -> $a
    %y = tosa.add %x, %x : ($b, $b) -> $b
    tosa.yield %n, %y : $a, $b
  }
"""
    for start, times in ((2, 3), (9, 0)):
        yield row(f"tosa.while_loop-{start}", [np.array(start, np.int32), x], [np.array(max(start, 5), np.int32), x * np.float32(2**times)], loop)


def shapes():
    x = np.arange(24, dtype=np.float32).reshape(2, 3, 4)
    numbers = {"add_shape": ([2, 3], [2, 3], [4, 6]), "sub_shape": ([9, 8], [5, 2], [4, 6]), "mul_shape": ([2, 3], [2, 2], [4, 6]),
               "div_floor_shape": ([9, 13], [2, 2], [4, 6]), "div_ceil_shape": ([7, 11], [2, 2], [4, 6]),
               "max_shape": ([4, 2], [1, 6], [4, 6]), "min_shape": ([4, 9], [8, 6], [4, 6]), "mod_shape": ([14, 16], [5, 10], [4, 6])}
    for op, (p, q, _) in numbers.items():
        yield row(f"tosa.{op}", [x], [x.reshape(4, 6)], shape("p", p) + shape("q", q) +
                  f"  %t = tosa.{op} %p, %q : (!tosa.shape<2>, !tosa.shape<2>) -> !tosa.shape<2>\n  %r = tosa.reshape %a, %t : ($a, !tosa.shape<2>) -> $r\n")
    y = np.arange(32, dtype=np.float32)
    for op, given, wanted in (("exp2_shape", [2, 3], (4, 8)), ("log2_ceil_shape", [9, 200], (4, 8)), ("log2_floor_shape", [31, 256], (4, 8))):
        yield row(f"tosa.{op}", [y], [y.reshape(wanted)], shape("p", given) +
                  f"  %t = tosa.{op} %p : (!tosa.shape<2>) -> !tosa.shape<2>\n  %r = tosa.reshape %a, %t : ($a, !tosa.shape<2>) -> $r\n")
    yield row("tosa.concat_shape", [x], [x.reshape(4, 3, 2)], shape("p", [4]) + shape("q", [3, 2]) +
              "  %t = tosa.concat_shape %p, %q : (!tosa.shape<1>, !tosa.shape<2>) -> !tosa.shape<3>\n  %r = tosa.reshape %a, %t : ($a, !tosa.shape<3>) -> $r\n")
    yield row("tosa.slice_shape", [x], [x.reshape(4, 6)], shape("p", [9, 4, 6, 9]) + const("f", [1], "i32") + const("n", [2], "i32") +
              "  %t = tosa.slice_shape %p, %f, %n : (!tosa.shape<4>, tensor<1xi32>, tensor<1xi32>) -> !tosa.shape<2>\n"
              "  %r = tosa.reshape %a, %t : ($a, !tosa.shape<2>) -> $r\n")
    yield row("tosa.dim", [x], [x.reshape(3, 8)], shape("q", [8]) + "  %p = tosa.dim %a {axis = 1 : i32} : ($a) -> !tosa.shape<1>\n"
              "  %t = tosa.concat_shape %p, %q : (!tosa.shape<1>, !tosa.shape<1>) -> !tosa.shape<2>\n  %r = tosa.reshape %a, %t : ($a, !tosa.shape<2>) -> $r\n")


def cases():
    for part in (elementwise, casts, rescales, reductions, movement, images, convolutions, control, shapes):
        yield from part()
