"""Windows of tosa, and those of its ops that name places: convolutions, pools, resize, slice, concat, reshape, gather, argmax."""
import dataclasses
import math

import ranges
from casts import withType
from program import isFloat
from reductions import withoutDims
from shapes import factored, moved
from tosa import FLOATS, constant, pick, shape

TYPES = FLOATS + ["i8"]
# What a sum of shares of elements is.
SUMS = {dtype: dtype for dtype in FLOATS} | {"i8": "i32"}


def numbers(values):
    return f"array<i64: {', '.join(map(str, values))}>"


def image(b):
    """(batch, height, width, channels), small."""
    value = b.pick(lambda v: v.rank == 4 and v.dtype in TYPES and 0 < v.size <= 2000 and v.shape[3] <= 20) \
        if b.draws.chance(1, 2) else None
    if value:
        return value
    shape = [b.draws.choice([1, 2, 3]), *(b.draws.choice([3, 1, 4, 5, 8, 9, 17]) for _ in range(2)), b.draws.choice([1, 2, 3, 5, 8, 16])]
    return b.new(b.draws.choice(TYPES), shape, b.statics(shape))


def windows(b, value, dilated, largestPad):
    """Kernel, strides, dilations, pads and how many windows there are; None where the last one would not end at the border."""
    kernel, strides, dilations, pads, out = [], [], [], [], []
    for n in value.shape[1:3]:
        k = b.draws.choice([1, 2, 3])
        d = b.draws.choice([1, 1, 2]) if dilated else 1
        before, after = (b.draws.below(min(largestPad, k - 1) + 1) for _ in range(2))
        room = n + before + after - (k - 1) * d - 1
        if room < 0:
            return None
        s = b.draws.choice([s for s in (1, 2, 3) if room % s == 0])
        kernel, strides, dilations, pads = kernel + [k], strides + [s], dilations + [d], pads + [before, after]
        out.append(room // s + 1)
    return kernel, strides, dilations, pads, out


def zeroPoints(b, value, known=(3, 0, -5)):
    """Zero points of the image and the filter, the image and its range as the sums see them, the types of the zero points."""
    first = b.draws.choice(known) if value.dtype == "i8" else 0
    second = b.draws.choice([0, 2]) if value.dtype == "i8" else 0
    dtype = "i32" if value.dtype == "i8" else value.dtype
    seen = dataclasses.replace(value, dtype=dtype, low=value.low - first, high=value.high - first)
    return (constant(b, value.dtype, first), constant(b, value.dtype, second)), second, seen


def convolved(b, op, value, filterShape, taps, out, attributes):
    """The op on a new filter and a bias."""
    filter = b.new(value.dtype, filterShape, [True] * 4)
    zeros, second, seen = zeroPoints(b, value)
    bias = b.new(seen.dtype, [out[3] if b.draws.chance(2, 3) else 1], [True])
    moved = dataclasses.replace(filter, dtype=seen.dtype, low=filter.low - second, high=filter.high - second)
    low, high, error = ranges.product(b, seen.dtype, seen, moved, taps)
    low, high, whole = low + bias.low, high + bias.high, seen.whole and filter.whole and bias.whole
    error = b.rounded(seen.dtype, low, high, error, whole)
    static = [value.static[0], value.static[1], value.static[2], True]
    result = b.result(seen.dtype, out, static, low, high, error, whole)
    zero = f"tensor<1x{value.dtype}>"
    return result and b.define(result, f"tosa.{op} {value.name}, {filter.name}, {bias.name}, {zeros[0]}, {zeros[1]} {{acc_type = "
                               f"{'f32' if isFloat(value.dtype) else 'i32'}, {attributes}}} : ({value.type}, {filter.type}, {bias.type}, "
                               f"{zero}, {zero}) -> {result.type}")


def conv(b):
    value = image(b)
    found = windows(b, value, True, 2)
    if not found:
        return None
    kernel, strides, dilations, pads, extents = found
    channels, isDepthwise = value.shape[3], b.draws.chance(1, 2)
    attributes = f"dilation = {numbers(dilations)}, pad = {numbers(pads)}, stride = {numbers(strides)}"
    if isDepthwise:
        if not value.static[3]:
            return None
        times = b.draws.choice([1, 2, 3])
        return convolved(b, "depthwise_conv2d", value, kernel + [channels, times], math.prod(kernel),
                         [value.shape[0], *extents, channels * times], attributes)
    filters = b.draws.choice([1, 2, 5, 16])
    if math.prod(extents) * value.shape[0] * channels * filters * math.prod(kernel) > 300000:
        return None
    return convolved(b, "conv2d", value, [filters, *kernel, channels], math.prod(kernel) * channels,
                     [value.shape[0], *extents, filters], attributes)


def transposed(b):
    value = image(b)
    kernel, strides = [[b.draws.choice([1, 2, 3]) for _ in range(2)] for _ in range(2)]
    pads = [b.draws.choice([p for p in (0, 1, -1, 2, -2) if p > -k]) for k in kernel for _ in range(2)]
    extents = [(n - 1) * s + pads[2 * i] + pads[2 * i + 1] + k
               for i, (n, s, k) in enumerate(zip(value.shape[1:3], strides, kernel))]
    channels, filters = value.shape[3], b.draws.choice([1, 2, 5])
    if min(extents) < 1 or math.prod(extents) * value.shape[0] * channels * filters * math.prod(kernel) > 300000:
        return None
    return convolved(b, "transpose_conv2d", value, [filters, *kernel, channels], math.prod(kernel) * channels,
                     [value.shape[0], *extents, filters], f"out_pad = {numbers(pads)}, stride = {numbers(strides)}")


def pool(b):
    isMax = b.draws.chance(1, 2)
    value = image(b)
    found = windows(b, value, False, 2)
    if not found:
        return None
    kernel, strides, _, pads, extents = found
    low, high, error, whole = value.low, value.high, value.error, value.whole
    attributes = f"kernel = {numbers(kernel)}, pad = {numbers(pads)}, stride = {numbers(strides)}"
    zeros, types = "", ""
    if not isMax:
        attributes = f"acc_type = {'f32' if isFloat(value.dtype) else 'i32'}, {attributes}"
        first, second = (b.draws.choice([0, 3, -5]) if value.dtype == "i8" else 0 for _ in range(2))
        zeros = f", {constant(b, value.dtype, first)}, {constant(b, value.dtype, second)}"
        types = f", tensor<1x{value.dtype}>, tensor<1x{value.dtype}>"
        low, high, whole = min(low, 0), max(high, 0), not isFloat(value.dtype)
        if value.dtype == "i8":
            low, high = (min(max(bound - first + second, -128), 127) for bound in (low, high))
        error = b.rounded(value.dtype, low, high, error, False, math.prod(kernel) + 2)
    result = b.result(value.dtype, [value.shape[0], *extents, value.shape[3]], value.static, low, high, error, whole)
    return result and b.define(result, f"tosa.{'max' if isMax else 'avg'}_pool2d {value.name}{zeros} {{{attributes}}} : "
                               f"({value.type}{types}) -> {result.type}")


def resize(b):
    value = image(b)
    isNearest = b.draws.chance(1, 2)
    # Sums of integers of 16 bits would have 48.
    if not isNearest and value.dtype not in SUMS:
        return None
    scale, offset, border, extents = [], [], [], []
    for n in value.shape[1:3]:
        up, down = b.draws.choice([(2, 1), (4, 2), (3, 1), (1, 1), (3, 2)])
        o = b.draws.choice([0, 1, -1])
        # The border that makes the number of results whole.
        fit = [e for e in range(0, down + 1) if ((n - 1) * up - o + e) % down == 0]
        e = b.draws.choice(fit)
        scale, offset, border = scale + [up, down], offset + [o], border + [e]
        extents.append(((n - 1) * up - o + e) // down + 1)
    if min(extents) < 1 or math.prod(extents) * value.shape[0] * value.shape[3] > 6000:
        return None
    dtype, low, high, error, whole = value.dtype, value.low, value.high, value.error, value.whole
    if not isNearest:
        dtype, whole = SUMS[dtype], not isFloat(dtype)
        # Integers are sums by parts of the product of both scales.
        times = scale[0] * scale[2] if whole else 1
        low, high = low * times, high * times
        error = b.rounded(dtype, low, high, error * times, False, 8)
    result = b.result(dtype, [value.shape[0], *extents, value.shape[3]], value.static, low, high, error, whole)
    places = ", ".join((shape(b, scale), shape(b, offset), shape(b, border)))
    return result and b.define(result, f"tosa.resize {value.name}, {places} {{mode = {'NEAREST_NEIGHBOR' if isNearest else 'BILINEAR'}}}"
                               f" : ({value.type}, !tosa.shape<4>, !tosa.shape<2>, !tosa.shape<2>) -> {result.type}")


def slice(b):
    operand = pick(b, FLOATS + ["i32", "i8", "i1"], 1)
    if not operand or not all(operand.static):
        return None
    sizes = [b.draws.choice([n, (n + 1) // 2, 1]) for n in operand.shape]
    starts = [b.draws.below(n - size + 1) for n, size in zip(operand.shape, sizes)]
    value = moved(b, operand, sizes, operand.static)
    rank = operand.rank
    return b.define(value, f"tosa.slice {operand.name}, {shape(b, starts)}, {shape(b, sizes)} : ({operand.type}, !tosa.shape<{rank}>, "
                    f"!tosa.shape<{rank}>) -> {value.type}")


def concat(b):
    first = pick(b, FLOATS + ["i32", "i8", "i1"], 1)
    if not first or first.size > 2000:
        return None
    axis = b.draws.below(first.rank)
    parts = [first] + [b.pick(lambda v: v.dtype == first.dtype and v.rank == first.rank and v.size and v.size <= 2000 and
                              all(n == m and s == t for d, (n, m, s, t) in
                                  enumerate(zip(v.shape, first.shape, v.static, first.static)) if d != axis))
                       for _ in range(1 + b.draws.below(2))]
    extent = sum(p.shape[axis] for p in parts)
    static = [all(p.static[axis] for p in parts) if d == axis else s for d, s in enumerate(first.static)]
    value = b.result(first.dtype, [extent if d == axis else n for d, n in enumerate(first.shape)], static, min(p.low for p in parts),
                     max(p.high for p in parts), max(p.error for p in parts), all(p.whole for p in parts))
    return b.define(value, f"tosa.concat {', '.join(p.name for p in parts)} {{axis = {axis} : i32}} : "
                    f"({', '.join(p.type for p in parts)}) -> {value.type}")


def reshape(b):
    operand = pick(b, FLOATS + ["i32", "i8", "i1"])
    if not operand:
        return None
    sizes = factored(b.draws, operand.size)
    static = [True] * len(sizes)
    if b.root.dynamic and b.draws.chance(1, 2):
        static[b.draws.below(len(sizes))] = False
    value = moved(b, operand, sizes, static)
    given = shape(b, [n if s else -1 for n, s in zip(sizes, static)])
    return b.define(value, f"tosa.reshape {operand.name}, {given} : ({operand.type}, !tosa.shape<{len(sizes)}>) -> {value.type}")


def gather(b):
    operand = b.some(FLOATS + ["i32", "i8"], lambda v: v.size, 3, 3)
    if not operand:
        return None
    count = b.draws.choice([3, 1, 8])
    where = b.within("i32", (operand.shape[0], count), (operand.static[0], True), 0, operand.shape[1] - 1)
    value = moved(b, operand, (operand.shape[0], count, operand.shape[2]), (operand.static[0], True, operand.static[2]))
    return b.define(value, f"tosa.gather {operand.name}, {where.name} : ({operand.type}, {where.type}) -> {value.type}")


def argmax(b):
    operand = b.some(FLOATS + ["i8"], lambda v: v.exact and v.size, 1)
    if not operand:
        return None
    axis = b.draws.below(operand.rank)
    value = b.result("i32", *withoutDims(operand, [axis], False), 0, operand.shape[axis])
    return b.define(value, f"tosa.argmax {operand.name} {{axis = {axis} : i32}} : ({operand.type}) -> {value.type}")


def clamp(b):
    operand = pick(b, TYPES)
    low, high = b.draws.choice([(-1, 1), (0, 6), (-2, 0)])
    dot = ".0" if operand and isFloat(operand.dtype) else ""
    value = operand and b.result(operand.dtype, operand.shape, operand.static, max(low, min(operand.low, high)),
                                 min(high, max(operand.high, low)), operand.error, operand.whole)
    return value and b.define(value, f"tosa.clamp {operand.name} {{min_val = {low}{dot} : {operand.dtype}, max_val = {high}{dot} : "
                              f"{operand.dtype}}} : ({operand.type}) -> {withType(operand, operand.dtype)}")


STEPS = [conv, conv, conv, transposed, pool, pool, resize, slice, concat, reshape, gather, argmax, clamp]
