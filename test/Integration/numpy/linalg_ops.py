"""Every op of linalg, after its ODS, and linalg.generic with unusual maps."""
import itertools
import math

import numpy as np

from check import MLIR, case, function, tensor
from scalar_ops import FIN, POS, ints, of, truncated
from tosa_ops import windows

RNG = np.random.default_rng(3)
WITHOUT = {}
NAMES = "abcdefgh"


def normal(*shape):
    return RNG.standard_normal(shape).astype(np.float32)


def whole(*shape, dtype=np.int8):
    return RNG.integers(-100, 100, shape).astype(dtype)


def row(name, inputs, expected, body, rtol=0.0, atol=0.0, dynamic=False, top=""):
    outs = "rstu"[:len(expected)]
    return case(name, function(inputs, expected, body + f"\n  return {', '.join('%' + n for n in outs)} : {', '.join('$' + n for n in outs)}", dynamic),
                inputs, expected, rtol, atol, top)


def named(op, inputs, out, expected, attributes="", label="", scalars="", rtol=0.0, atol=0.0):
    """`linalg.OP` on %a, .. into `out`, which is the last argument."""
    arrays = [*inputs, out]
    ins = ", ".join(f"%{NAMES[i]}" for i in range(len(inputs)))
    types = ", ".join(f"${NAMES[i]}" for i in range(len(inputs)))
    extra = "".join(f"  %z{i} = arith.constant {value} : i32\n" for i, value in enumerate(scalars))
    if scalars:
        ins += "".join(f", %z{i}" for i in range(len(scalars)))
        types += ", i32" * len(scalars)
    o = NAMES[len(inputs)]
    return row(f"linalg.{op}" + (f"-{label}" if label else ""), arrays, [expected],
               extra + f"  %r = linalg.{op} {attributes} ins({ins} : {types}) outs(%{o} : ${o}) -> $r", rtol, atol)


def elementwise():
    near = dict(rtol=3e-6, atol=1e-6)
    a, b, o = normal(3, 5), normal(3, 5), normal(3, 5)
    for op, f in {"add": np.add, "sub": np.subtract, "mul": np.multiply, "div": np.divide, "max": np.maximum, "min": np.minimum}.items():
        yield named(op, [a, b], o, f(a, b))
        x, y = ints(np.int32), ints(np.int32)
        if op == "div":
            y = np.where((y == 0) | (y == -1), 3, y).astype(np.int32)
            yield named(op, [x, y], np.zeros_like(x), truncated(x, y), label="i32")
            yield named("div_unsigned", [x, y], np.zeros_like(x), (x.view(np.uint32) // y.view(np.uint32)).view(np.int32))
        else:
            yield named(op, [x, y], np.zeros_like(x), f(x, y), label="i32")
    base = np.abs(a) + np.float32(0.5)
    yield named("powf", [base, b], o, (base.astype(np.float64)**b).astype(np.float32), rtol=1e-5)
    mask = RNG.random((3, 5)) < 0.5
    yield named("select", [mask, a, b], o, np.where(mask, a, b))
    for op, f in {"abs": np.abs, "ceil": np.ceil, "floor": np.floor, "negf": np.negative, "sqrt": np.sqrt, "square": np.square}.items():
        x = np.abs(a) if op == "sqrt" else a
        yield named(op, [x], o, f(x))
    for op, f, values in (("exp", math.exp, FIN), ("log", math.log, POS), ("tanh", math.tanh, FIN), ("erf", math.erf, FIN), ("rsqrt", lambda v: v**-0.5, POS),
                          ("reciprocal", lambda v: 1 / v, POS)):
        yield named(op, [values], np.zeros_like(values), of(f, values).astype(np.float32), **near)
    half = np.array([0.5, 1.5, -0.5, -2.5, 3.49, -7.0], np.float32)
    yield named("round", [half], np.zeros_like(half), np.copysign(np.floor(np.abs(half) + np.float32(0.5)), half))
    yield named("copy", [a], o, a)
    yield row("linalg.fill", [o], [np.full_like(o, 2.5)], "  %v = arith.constant 2.5 : f32\n  %r = linalg.fill ins(%v : f32) outs(%a : $a) -> $r")
    # The pseudo random numbers of the ODS: a linear congruential generator seeded by the indices.
    seed, low, high = 7, -1.0, 3.0
    y, x = np.meshgrid(np.arange(3), np.arange(5), indexing="ij")
    step = lambda v: (v * 1103515245 + 12345 + 2**31) % 2**32 - 2**31
    random = step(step(np.int64(seed) + y) + x)
    scale = (high - low) * 2.3283064e-10
    yield row("linalg.fill_rng_2d", [o], [((random.astype(np.float64) + 2147483647.0) * scale + low).astype(np.float32)],
              "  %l = arith.constant -1.0 : f64\n  %h = arith.constant 3.0 : f64\n  %s = arith.constant 7 : i32\n"
              "  %r = linalg.fill_rng_2d ins(%l, %h, %s : f64, f64, i32) outs(%a : $a) -> $r", 1e-6, 1e-6)
    for kind, f in {"add": np.add, "mul": np.multiply, "max_signed": np.maximum, "sub": np.subtract}.items():
        yield row(f"linalg.elementwise-{kind}", [a, b, o], [f(a, b)], f"  %r = linalg.elementwise kind=#linalg.elementwise_kind<{kind}> "
                  "ins(%a, %b : $a, $b) outs(%c : $c) -> $r")
    yield row("linalg.elementwise-transposed", [a.T.copy(), b, o], [a + b],
              "  %r = linalg.elementwise kind=#linalg.elementwise_kind<add> indexing_maps = [affine_map<(d0, d1) -> (d1, d0)>, "
              "affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>] ins(%a, %b : $a, $b) outs(%c : $c) -> $r")
    yield row("linalg.map", [a, b, o], [a * b + a], "  %r = linalg.map ins(%a, %b : $a, $b) outs(%c : $c)\n    (%x: f32, %y: f32, %z: f32) {\n"
              "      %0 = arith.mulf %x, %y : f32\n      %1 = arith.addf %0, %x : f32\n      linalg.yield %1 : f32\n    }")
    yield row("linalg.reduce", [a, o[:, 0]], [(o[:, 0] + a.sum(1, dtype=np.float64)).astype(np.float32)],
              "  %r = linalg.reduce { arith.addf } ins(%a : $a) outs(%b : $b) dimensions = [1]", 1e-5, 1e-6)
    yield row("linalg.reduce-max", [a, o[0]], [np.maximum(o[0], a.max(0))], "  %r = linalg.reduce { arith.maximumf } ins(%a : $a) outs(%b : $b) dimensions = [0]")
    x = normal(2, 3, 4)
    yield row("linalg.transpose", [x, np.zeros((4, 2, 3), np.float32)], [x.transpose(2, 0, 1)],
              "  %r = linalg.transpose ins(%a : $a) outs(%b : $b) permutation = [2, 0, 1]")
    yield row("linalg.broadcast", [a, np.zeros((3, 2, 5), np.float32)], [np.broadcast_to(a[:, None], (3, 2, 5))],
              "  %r = linalg.broadcast ins(%a : $a) outs(%b : $b) dimensions = [1]")
    e = np.exp(a - a.max(1, keepdims=True).astype(np.float64))
    yield row("linalg.softmax", [a, o], [(e / e.sum(1, keepdims=True)).astype(np.float32)],
              "  %r = linalg.softmax dimension(1) ins(%a : $a) outs(%b : $b) -> $r", **near)


def contractions():
    near = dict(rtol=1e-5, atol=1e-5)
    sums = {"matmul": "mk,kn->mn", "matvec": "mn,n->m", "vecmat": "m,mn->n", "dot": "m,m->", "batch_matmul": "bmk,bkn->bmn",
            "batch_matvec": "bmn,bn->bm", "batch_vecmat": "bm,bmn->bn", "batch_reduce_matmul": "bmk,bkn->mn", "mmt4d": "mkac,nkbc->mnab",
            "batch_mmt4d": "zmkac,znkbc->zmnab"}
    size = dict(zip("mknbzac", (3, 4, 5, 2, 2, 2, 3)))
    for op, spec in sums.items():
        left, rest = spec.split(",")
        right, out = rest.split("->")
        shaped = lambda names: tuple(size[n] for n in names)
        a, b, o = normal(*shaped(left)), normal(*shaped(right)), normal(*shaped(out))
        yield named(op, [a, b], o, (o + np.einsum(spec, a.astype(np.float64), b)).astype(np.float32), **near)
        p, q = whole(*shaped(left)), whole(*shaped(right))
        yield named(op, [p, q], np.ones(shaped(out), np.int32), (1 + np.einsum(spec, p.astype(np.int32), q.astype(np.int32))).astype(np.int32), label="i8-i32")
    p, q = whole(3, 4), whole(4, 5)
    yield named("quantized_matmul", [p, q], np.zeros((3, 5), np.int32), (p.astype(np.int32) - 3) @ (q.astype(np.int32) + 5), scalars=[3, -5])
    p, q = whole(2, 3, 4), whole(2, 4, 5)
    yield named("quantized_batch_matmul", [p, q], np.zeros((2, 3, 5), np.int32), (p.astype(np.int32) - 3) @ (q.astype(np.int32) + 5), scalars=[3, -5])
    a, b, o = normal(4, 3), normal(4, 5), np.zeros((3, 5), np.float32)
    maps = "indexing_maps = [affine_map<(m, n, k) -> (k, m)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>]"
    yield named("matmul", [a, b], o, (a.T.astype(np.float64) @ b).astype(np.float32), maps, "transposed", **near)
    yield named("contract", [a, b], o, (a.T.astype(np.float64) @ b).astype(np.float32), maps, **near)
    row5 = normal(4)
    broadcast = "indexing_maps = [affine_map<(m, n, k) -> (k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>]"
    yield named("matmul", [row5, b], o, np.broadcast_to((row5.astype(np.float64) @ b).astype(np.float32), (3, 5)), broadcast, "broadcast", **near)
    u8 = whole(3, 4)
    v8 = whole(4, 2)
    yield named("matmul", [u8, v8], np.zeros((3, 2), np.int32), (u8.view(np.uint8).astype(np.int64) @ v8.view(np.uint8).astype(np.int64)).astype(np.int32),
                "{cast = #linalg.type_fn<cast_unsigned>}", "unsigned")
    half = normal(3, 4).astype(np.float16)
    other = normal(4, 2).astype(np.float16)
    yield named("matmul", [half, other], np.zeros((3, 2), np.float32), (half.astype(np.float64) @ other.astype(np.float64)).astype(np.float32), label="f16-f32", **near)


# For each convolution: the image's dimensions, the filter's, the result's. Capital letters are places of windows: Y of
# y and i.
CONVOLUTIONS = {
    "conv_1d": ("X", "j", "x"), "conv_2d": ("YX", "ij", "yx"), "conv_3d": ("ZYX", "hij", "zyx"),
    "conv_1d_nwc_wcf": ("nXc", "jcf", "nxf"), "conv_1d_ncw_fcw": ("ncX", "fcj", "nfx"),
    "conv_2d_nhwc_hwcf": ("nYXc", "ijcf", "nyxf"), "conv_2d_nhwc_fhwc": ("nYXc", "fijc", "nyxf"), "conv_2d_nchw_fchw": ("ncYX", "fcij", "nfyx"),
    "conv_2d_ngchw_fgchw": ("ngcYX", "fgcij", "ngfyx"), "conv_2d_ngchw_gfchw": ("ngcYX", "gfcij", "ngfyx"),
    "conv_2d_nhwgc_gfhwc": ("nYXgc", "gfijc", "nyxgf"), "conv_3d_ndhwc_dhwcf": ("nZYXc", "hijcf", "nzyxf"),
    "conv_3d_ncdhw_fcdhw": ("ncZYX", "fchij", "nfzyx"), "depthwise_conv_1d_nwc_wc": ("nXc", "jc", "nxc"),
    "depthwise_conv_1d_ncw_cw": ("ncX", "cj", "ncx"), "depthwise_conv_1d_nwc_wcm": ("nXc", "jcm", "nxcm"),
    "depthwise_conv_2d_nhwc_hwc": ("nYXc", "ijc", "nyxc"), "depthwise_conv_2d_nchw_chw": ("ncYX", "cij", "ncyx"),
    "depthwise_conv_2d_nhwc_hwcm": ("nYXc", "ijcm", "nyxcm"), "depthwise_conv_3d_ndhwc_dhwc": ("nZYXc", "hijc", "nzyxc"),
    "depthwise_conv_3d_ncdhw_cdhw": ("ncZYX", "chij", "nczyx"), "depthwise_conv_3d_ndhwc_dhwcm": ("nZYXc", "hijcm", "nzyxcm"),
}
QUANTIZED = {"conv_2d_nhwc_hwcf_q": "conv_2d_nhwc_hwcf", "conv_2d_nhwc_fhwc_q": "conv_2d_nhwc_fhwc", "conv_2d_nchw_fchw_q": "conv_2d_nchw_fchw",
             "conv_2d_nhwgc_gfhwc_q": "conv_2d_nhwgc_gfhwc", "conv_2d_ngchw_gfchw_q": "conv_2d_ngchw_gfchw", "conv_3d_ndhwc_dhwcf_q": "conv_3d_ndhwc_dhwcf",
             "depthwise_conv_2d_nhwc_hwc_q": "depthwise_conv_2d_nhwc_hwc", "depthwise_conv_2d_nhwc_hwcm_q": "depthwise_conv_2d_nhwc_hwcm"}
TAPS = {"Z": "h", "Y": "i", "X": "j"}
SIZE = {"n": 2, "c": 3, "f": 4, "g": 2, "m": 2, "h": 2, "i": 3, "j": 2}


def slide(image, dims, strides, dilations):
    """The image as an array with a dimension per letter of its expression: Y gives y and i."""
    text = ""
    places = [d for d in dims if d in TAPS]
    for letter in dims:
        text += letter.lower() + (TAPS[letter] if letter in TAPS else "")
    for at, letter in reversed(list(enumerate(dims))):
        if letter not in TAPS:
            continue
        k, s, d = SIZE[TAPS[letter]], strides[places.index(letter)], dilations[places.index(letter)]
        count = (image.shape[at] - (k - 1) * d - 1) // s + 1
        index = np.arange(count)[:, None] * s + np.arange(k)[None] * d
        image = np.take(image, index, at)
    return image, text


def spatial(dims, strides, dilations, out=3):
    places = [d for d in dims if d in TAPS]
    return tuple((out - 1) * strides[places.index(d)] + (SIZE[TAPS[d]] - 1) * dilations[places.index(d)] + 1 if d in TAPS else SIZE[d] for d in dims)


def convolutions():
    near = dict(rtol=1e-5, atol=1e-5)
    for op, (dims, taps, out) in CONVOLUTIONS.items():
        count = sum(d in TAPS for d in dims)
        plain = op in ("conv_1d", "conv_2d", "conv_3d")
        strides, dilations = ((1,) * count, (1,) * count) if plain else ((2, 1, 2)[:count], (1, 2, 1)[:count])
        image, kernel = normal(*spatial(dims, strides, dilations)), normal(*(SIZE[t] for t in taps))
        view, text = slide(image.astype(np.float64), dims, strides, dilations)
        result = np.einsum(f"{text},{taps}->{out}", view, kernel)
        start = normal(*result.shape)
        attributes = "" if plain else (f"{{strides = dense<{list(strides)}> : tensor<{count}xi64>, dilations = dense<{list(dilations)}> : tensor<{count}xi64>}}")
        yield named(op, [image, kernel], start, (start + result).astype(np.float32), attributes, **near)
    for op, base in QUANTIZED.items():
        dims, taps, out = CONVOLUTIONS[base]
        count = sum(d in TAPS for d in dims)
        ones = (1,) * count
        image, kernel = whole(*spatial(dims, ones, ones)), whole(*(SIZE[t] for t in taps))
        view, text = slide(image.astype(np.int64) - 3, dims, ones, ones)
        result = np.einsum(f"{text},{taps}->{out}", view, kernel.astype(np.int64) + 4).astype(np.int32)
        attributes = f"{{strides = dense<1> : tensor<{count}xi64>, dilations = dense<1> : tensor<{count}xi64>}}"
        yield named(op, [image, kernel], np.zeros_like(result), result, attributes, scalars=[3, -4])


def pools():
    table = {"pooling_nhwc_sum": "nYXc", "pooling_nchw_sum": "ncYX", "pooling_nhwc_max": "nYXc", "pooling_nchw_max": "ncYX", "pooling_nhwc_min": "nYXc",
             "pooling_nwc_sum": "nXc", "pooling_ncw_sum": "ncX", "pooling_nwc_max": "nXc", "pooling_ncw_max": "ncX", "pooling_nwc_min": "nXc",
             "pooling_ndhwc_sum": "nZYXc", "pooling_ndhwc_max": "nZYXc", "pooling_ndhwc_min": "nZYXc", "pooling_nhwc_max_unsigned": "nYXc",
             "pooling_nhwc_min_unsigned": "nYXc", "pooling_nwc_max_unsigned": "nXc", "pooling_nwc_min_unsigned": "nXc"}
    for op, dims in table.items():
        count = sum(d in TAPS for d in dims)
        strides, dilations = (2, 1, 2)[:count], (1, 2, 1)[:count]
        unsigned = "unsigned" in op
        image = whole(*spatial(dims, strides, dilations)) if unsigned else normal(*spatial(dims, strides, dilations))
        view, text = slide(image, dims, strides, dilations)
        axes = tuple(i for i, t in enumerate(text) if t in "hij")
        f = np.sum if "_sum" in op else np.max if "_max" in op else np.min
        if unsigned:
            result = f(view.view(np.uint8), axes).view(np.int8)
            start = np.full_like(result, 0 if "_max" in op else -1)
        else:
            result = f(view.astype(np.float64), axes).astype(np.float32)
            start = np.zeros_like(result) if "_sum" in op else np.full_like(result, -np.inf if "_max" in op else np.inf)
        window = np.zeros(tuple(SIZE[TAPS[d]] for d in dims if d in TAPS), image.dtype)
        attributes = f"{{strides = dense<{list(strides)}> : tensor<{count}xi64>, dilations = dense<{list(dilations)}> : tensor<{count}xi64>}}"
        yield named(op, [image, window], start, result, attributes, rtol=0 if f is not np.sum else 2e-6, atol=0 if f is not np.sum else 1e-6)


def winograd():
    """F(2, 3) of Lavin and Gray: by the transforms, and what they come to, a convolution."""
    x, w = normal(1, 6, 6, 2), normal(3, 3, 3, 2)
    result = np.einsum("nyxijc,fijc->nyxf", windows(x.astype(np.float64), (3, 3), [(0, 0), (0, 0)], (1, 1), (1, 1), 0), w).astype(np.float32)
    body = """  %e0 = tensor.empty() : tensor<4x4x2x3xf32>
  %0 = linalg.winograd_filter_transform fmr(F_2_3) ins(%b : $b) outs(%e0 : tensor<4x4x2x3xf32>) -> tensor<4x4x2x3xf32>
  %e1 = tensor.empty() : tensor<4x4x2x2x1x2xf32>
  %1 = linalg.winograd_input_transform fmr(F_2_3) ins(%a : $a) outs(%e1 : tensor<4x4x2x2x1x2xf32>) -> tensor<4x4x2x2x1x2xf32>
  %2 = tensor.collapse_shape %0 [[0, 1], [2], [3]] : tensor<4x4x2x3xf32> into tensor<16x2x3xf32>
  %3 = tensor.collapse_shape %1 [[0, 1], [2, 3, 4], [5]] : tensor<4x4x2x2x1x2xf32> into tensor<16x4x2xf32>
  %z = arith.constant 0.0 : f32
  %e2 = tensor.empty() : tensor<16x4x3xf32>
  %f = linalg.fill ins(%z : f32) outs(%e2 : tensor<16x4x3xf32>) -> tensor<16x4x3xf32>
  %4 = linalg.batch_matmul ins(%3, %2 : tensor<16x4x2xf32>, tensor<16x2x3xf32>) outs(%f : tensor<16x4x3xf32>) -> tensor<16x4x3xf32>
  %5 = tensor.expand_shape %4 [[0, 1], [2, 3, 4], [5]] output_shape [4, 4, 2, 2, 1, 3] : tensor<16x4x3xf32> into tensor<4x4x2x2x1x3xf32>
  %6 = linalg.fill ins(%z : f32) outs(%c : $c) -> $c
  %r = linalg.winograd_output_transform fmr(F_2_3) ins(%5 : tensor<4x4x2x2x1x3xf32>) outs(%6 : $c) -> $r"""
    yield row("linalg.winograd", [x, w, np.zeros_like(result)], [result], body, 1e-4, 1e-4)


def packs():
    x = normal(5, 8)
    padded = np.pad(x, [(0, 1), (0, 0)], constant_values=7.5)
    tiles = padded.reshape(3, 2, 2, 4)
    plain = tiles.transpose(0, 2, 1, 3)
    value = "  %v = arith.constant 7.5 : f32\n"
    dest = lambda array: np.zeros(array.shape, np.float32)
    yield row("linalg.pack", [x, dest(plain)], [plain], value + "  %r = linalg.pack %a padding_value(%v : f32) inner_dims_pos = [0, 1] inner_tiles = [2, 4] into %b : $a -> $b")
    outer = tiles.transpose(2, 0, 1, 3)
    yield row("linalg.pack-outer", [x, dest(outer)], [outer],
              value + "  %r = linalg.pack %a padding_value(%v : f32) outer_dims_perm = [1, 0] inner_dims_pos = [0, 1] inner_tiles = [2, 4] into %b : $a -> $b")
    swapped = tiles.transpose(0, 2, 3, 1)
    yield row("linalg.pack-inner", [x, dest(swapped)], [swapped],
              value + "  %r = linalg.pack %a padding_value(%v : f32) inner_dims_pos = [1, 0] inner_tiles = [4, 2] into %b : $a -> $b")
    one = x.reshape(5, 2, 4)
    yield row("linalg.pack-one", [x, dest(one)], [one], "  %r = linalg.pack %a inner_dims_pos = [1] inner_tiles = [4] into %b : $a -> $b")
    for label, packed, more in (("", plain, "inner_dims_pos = [0, 1] inner_tiles = [2, 4]"),
                                ("outer", outer, "outer_dims_perm = [1, 0] inner_dims_pos = [0, 1] inner_tiles = [2, 4]"),
                                ("inner", swapped, "inner_dims_pos = [1, 0] inner_tiles = [4, 2]")):
        yield row(f"linalg.unpack{'-' + label if label else ''}", [np.ascontiguousarray(packed), dest(x)], [x], f"  %r = linalg.unpack %a {more} into %b : $a -> $b")


def generic(name, inputs, outs, expected, maps, iterators, body, rtol=0.0, atol=0.0, dynamic=False):
    """linalg.generic; `maps`: "(d0, d1) -> (d1)" each. The block's arguments are %x0, .. and %o0, .."""
    arrays = [*inputs, *outs]
    kinds = [MLIR[array.dtype.name] for array in arrays]
    args = [f"%x{i}: {k}" for i, k in enumerate(kinds[:len(inputs)])] + [f"%o{i}: {k}" for i, k in enumerate(kinds[len(inputs):])]
    ins = f"ins({', '.join('%' + NAMES[i] for i in range(len(inputs)))} : {', '.join('$' + NAMES[i] for i in range(len(inputs)))})" if inputs else ""
    places = range(len(inputs), len(arrays))
    types = [f"${NAMES[i]}" for i in places]
    left = "%r" if len(outs) == 1 else f"%m:{len(outs)}"
    gives = types[0] if len(outs) == 1 else f"({', '.join(types)})"
    text = (f"  {left} = linalg.generic {{indexing_maps = [{', '.join(f'affine_map<{m}>' for m in maps)}], iterator_types = "
            f"[{', '.join(f'{chr(34)}{k}{chr(34)}' for k in iterators)}]}} {ins} outs({', '.join('%' + NAMES[i] for i in places)} : {', '.join(types)}) {{\n"
            f"  ^bb0({', '.join(args)}):\n{body}\n  }} -> {gives}")
    if len(outs) > 1:
        text += "".join(f"\n  %{n} = tensor.cast %m#{i} : ${n} to ${n}" for i, n in enumerate("rstu"[:len(outs)]))
    return row(f"linalg.generic-{name}", arrays, expected, text, rtol, atol, dynamic)


def generics():
    p, r = "parallel", "reduction"
    add, copy = "    %0 = arith.addf %x0, %o0 : f32\n    linalg.yield %0 : f32", "    linalg.yield %x0 : f32"
    x = normal(4, 5)
    near = dict(rtol=1e-5, atol=1e-6)
    yield generic(
        "transpose", [x], [np.zeros((5, 4), np.float32)], [x.T], ["(d0, d1) -> (d1, d0)", "(d0, d1) -> (d0, d1)"], [p, p], copy)
    square = normal(4, 4)
    yield generic("diagonal-read", [square], [np.zeros(4, np.float32)], [np.diagonal(square)], ["(d0) -> (d0, d0)", "(d0) -> (d0)"], [p], copy)
    # What the map of the result does not reach keeps what was there.
    base = normal(4, 4)
    on = base.copy()
    np.fill_diagonal(on, x[0, :4])
    yield generic("diagonal-write", [x[0, :4]], [base], [on], ["(d0) -> (d0)", "(d0) -> (d0, d0)"], [p], copy)
    wide = normal(9)
    shifted = wide.copy()
    shifted[2:7] = x[0]
    yield generic("offset-write", [x[0]], [wide], [shifted], ["(d0) -> (d0)", "(d0) -> (d0 + 2)"], [p], copy)
    strided = wide.copy()
    strided[0:9:2] = x[0]
    yield generic("stride-write", [x[0]], [wide], [strided], ["(d0) -> (d0)", "(d0) -> (d0 * 2)"], [p], copy)
    rows = normal(3, 5)
    only = rows.copy()
    only[1] = x[0]
    yield generic("row-write", [x[0]], [rows], [only], ["(d0) -> (d0)", "(d0) -> (1, d0)"], [p], copy)
    yield generic("reversed-read", [x[0]], [np.zeros(5, np.float32)], [x[0][::-1]], ["(d0) -> (4 - d0)", "(d0) -> (d0)"], [p], copy)
    yield generic("constant-read", [x], [np.zeros(4, np.float32)], [x[:, 3]], ["(d0) -> (d0, 3)", "(d0) -> (d0)"], [p], copy)
    yield generic(
        "sum", [x], [np.float32(3.0)], [np.float32(3.0 + x.sum(dtype=np.float64))], ["(d0, d1) -> (d0, d1)", "(d0, d1) -> ()"], [r, r], add, **near)
    yield generic(
        "sum-rows", [x], [np.ones(4, np.float32)], [(1 + x.sum(1, dtype=np.float64)).astype(np.float32)], ["(d0, d1) -> (d0, d1)", "(d0, d1) -> (d0)"], [p, r], add,
        dynamic=True, **near)
    two = "    %0 = arith.addf %x0, %o0 : f32\n    %1 = arith.maximumf %x0, %o1 : f32\n    linalg.yield %0, %1 : f32, f32"
    yield generic("two-results", [x], [np.zeros(4, np.float32), np.full(4, -np.inf, np.float32)], [x.sum(1, dtype=np.float64).astype(np.float32), x.max(1)],
                  ["(d0, d1) -> (d0, d1)", "(d0, d1) -> (d0)", "(d0, d1) -> (d0)"], [p, r], two, **near)
    index = ("    %i = linalg.index 0 : index\n    %j = linalg.index 1 : index\n    %k = arith.muli %i, %j : index\n    %v = arith.index_cast %k : index to i64\n"
             "    linalg.yield %v : i64")
    yield generic("index", [], [np.zeros((3, 4), np.int64)], [np.outer(np.arange(3), np.arange(4))], ["(d0, d1) -> (d0, d1)"], [p, p], index)
    product = "    %0 = arith.mulf %x0, %x1 : f32\n    %1 = arith.addf %0, %o0 : f32\n    linalg.yield %1 : f32"
    taps, image = normal(3), normal(9)
    yield generic("convolution", [image, taps], [np.zeros(4, np.float32)],
                  [np.array([sum(float(image[2 * i + j]) * float(taps[j]) for j in range(3)) for i in range(4)], np.float32)],
                  ["(d0, d1) -> (d0 * 2 + d1)", "(d0, d1) -> (d1)", "(d0, d1) -> (d0)"], [p, r], product, **near)
    a, b = normal(2, 3, 4), normal(4, 3, 5)
    yield generic("contraction", [a, b], [np.zeros((2, 5), np.float32)], [np.einsum("ijk,kjl->il", a.astype(np.float64), b).astype(np.float32)],
                  ["(i, l, j, k) -> (i, j, k)", "(i, l, j, k) -> (k, j, l)", "(i, l, j, k) -> (i, l)"], [p, p, r, r], product, **near)
    yield generic("in-place", [x], [x + 1], [x + (x + 1)], ["(d0, d1) -> (d0, d1)", "(d0, d1) -> (d0, d1)"], [p, p], add)
    deep = normal(*[2] * 8)
    letters = ", ".join(f"d{i}" for i in range(8))
    turned = ", ".join(f"d{7 - i}" for i in range(8))
    yield generic("rank-8", [deep], [np.zeros_like(deep)], [deep.transpose(*range(7, -1, -1))], [f"({letters}) -> ({turned})", f"({letters}) -> ({letters})"], [p] * 8, copy)
    yield generic("empty", [np.zeros((3, 0), np.float32)], [np.ones(3, np.float32)], [np.ones(3, np.float32)], ["(d0, d1) -> (d0, d1)", "(d0, d1) -> (d0)"], [p, r], add)
    yield generic("scalar", [np.float32(2.5)], [np.zeros((2, 3), np.float32)], [np.full((2, 3), 2.5, np.float32)], ["(d0, d1) -> ()", "(d0, d1) -> (d0, d1)"], [p, p], copy)


def cases():
    for part in (elementwise, contractions, convolutions, pools, winograd, packs, generics):
        yield from part()
