"""Pairs of programs that must agree: windows and products of matrices on other layouts, and in two parts."""
import dataclasses

import ranges
from windows import extent

DTYPES = ["f32", "i32", "f64", "i64", "f16", "bf16", "i8"]


def transposed(b, value, order):
    type = dataclasses.replace(value, name=b.fresh(), shape=tuple(value.shape[d] for d in order),
                               static=tuple(value.static[d] for d in order))
    b.emit(f"{type.name} = mica.transpose {value.name} permutation = {order} : ({value.type}) -> {type.type}")
    return type


def parts(b, value, axis, first):
    """Both parts of a value, cut at `first`, where the type says the size."""
    sizes = [first, value.shape[axis] - first]
    made = [dataclasses.replace(value, shape=value.shape[:axis] + (n,) + value.shape[axis + 1:]) for n in sizes]
    name = b.fresh()
    b.emit(f"{name}:2 = mica.split {value.name} axis = {axis} sizes = {sizes} : ({value.type}) -> ({made[0].type}, {made[1].type})")
    return [dataclasses.replace(v, name=f"{name}#{i}") for i, v in enumerate(made)]


def joined(b, values, like, axis):
    out = dataclasses.replace(like, name=b.fresh())
    b.emit(f"{out.name} = mica.concat {', '.join(v.name for v in values)} axis = {axis} : ({', '.join(v.type for v in values)}) -> "
           f"{out.type}")
    return out


def computed(b, value, like, text):
    """A line that computes something of `like`'s element type, range and error, in `value`'s shape."""
    out = dataclasses.replace(like, name=b.fresh(), shape=tuple(value[0]), static=tuple(value[1]))
    b.emit(f"{out.name} = {text} -> {out.type}")
    return out


def windowed(b):
    """A convolution or a pool: the image channels first instead of last, or its batch in two parts."""
    isPool = b.draws.chance(1, 3)
    dtype = b.draws.choice(DTYPES)
    extents = [b.draws.choice([4, 5, 8, 3, 9]) for _ in range(2)]
    batch, channels, filters = 2 + b.draws.below(3), b.draws.choice([3, 1, 4, 8]), b.draws.choice([2, 1, 5, 16])
    kernel, strides, dilations = ([b.draws.choice(options) for _ in extents] for options in ([2, 1, 3], [1, 2], [1, 2]))
    pads = [b.draws.below(2) if k > 1 else 0 for k in kernel for _ in range(2)]
    out = [extent(n, k, s, d, *pads[2 * i:2 * i + 2]) for i, (n, k, s, d) in enumerate(zip(extents, kernel, strides, dilations))]
    if isPool:
        pads, dilations, filters = [0] * 4, [1, 1], channels
        out = [extent(n, k, s, 1, 0, 0) for n, k, s in zip(extents, kernel, strides)]
    if min(out) < 1:
        return None
    known = [True, *b.statics(extents), True]
    x = b.new(dtype, [batch, *extents, channels], known)
    attributes = f"strides = {strides} dilations = {dilations} pads = {pads}"
    w = None if isPool else b.new(dtype, [*kernel, channels, filters], [True] * 4)
    low, high, error, whole = x.low, x.high, x.error, x.whole
    if w:
        low, high, error = ranges.product(b, dtype, x, w, channels * kernel[0] * kernel[1])
        whole = x.whole and w.whole
    result = b.result(dtype, [batch, *out, filters], known, low, high, error, whole)

    def compute(image, weights, layout, value):
        if isPool:
            return computed(b, value, result, f"mica.max_pool {image.name} layout = {layout[:4]} kernel = {kernel} {attributes} : "
                       f"({image.type})")
        return computed(b, value, result, f"mica.conv2d {image.name}, {weights.name} layout = {layout} {attributes} groups = 1 : "
                   f"({image.type}, {weights.type})")

    def first():
        return compute(x, w, "nhwc_hwcf", (result.shape, result.static))

    def otherLayout():
        order = [0, 3, 1, 2]
        weights = w and transposed(b, w, [3, 2, 0, 1])
        made = compute(transposed(b, x, order), weights, "nchw_fchw",
                       ([result.shape[d] for d in order], [result.static[d] for d in order]))
        return transposed(b, made, [0, 2, 3, 1])

    def halves():
        made = [compute(part, w, "nhwc_hwcf", ((part.shape[0],) + result.shape[1:], result.static))
                for part in parts(b, x, 0, 1 + b.draws.below(batch - 1))]
        return joined(b, made, result, 0)
    return result and ([x] + ([w] if w else []), first, b.draws.choice([halves, otherLayout]))


def product(b):
    """A product of matrices: of the transposed ones in the other order, or rows, columns or the sum in two parts."""
    dtype = b.draws.choice(DTYPES)
    m, n, k = 2 + b.draws.below(20), b.draws.choice([2, 5, 16, 17, 33]), b.draws.choice([4, 2, 7, 16, 33, 64])
    left, right = b.new(dtype, [m, k], [True, True]), b.new(dtype, [k, n], [True, True])
    low, high, error = ranges.product(b, dtype, left, right, k)
    result = b.result(dtype, [m, n], [True, True], low, high, error, left.whole and right.whole)

    def times(x, y, flags=""):
        size = x.shape[1 if "_a" in flags else 0], y.shape[0 if "_b" in flags else 1]
        return computed(b, (size, (True, True)), result, f"mica.matmul {x.name}, {y.name}{flags} : ({x.type}, {y.type})")

    def swapped():
        return transposed(b, times(transposed(b, right, [1, 0]), transposed(b, left, [1, 0])), [1, 0])

    def flagged():
        return times(transposed(b, left, [1, 0]), transposed(b, right, [1, 0]), " transpose_a transpose_b")

    def rows():
        return joined(b, [times(part, right) for part in parts(b, left, 0, 1 + b.draws.below(m - 1))], result, 0)

    def columns():
        return joined(b, [times(left, part) for part in parts(b, right, 1, 1 + b.draws.below(n - 1))], result, 1)

    def sums():
        at = 1 + b.draws.below(k - 1)
        x, y = (times(*both) for both in zip(parts(b, left, 1, at), parts(b, right, 0, at)))
        return computed(b, (result.shape, result.static), result, f"mica.add {x.name}, {y.name} : ({x.type}, {y.type})")
    return result and ([left, right], lambda: times(left, right), b.draws.choice([rows, columns, sums, swapped, flagged]))


def pair(b, name, twin):
    """Both programs; None where the drawn sizes do not fit."""
    found = b.draws.choice([product, windowed])(b)
    if not found:
        return None
    leaves, first, second = found
    keep = {leaf.name for leaf in leaves}
    text = b.function(name, [first()], twin=twin, keep=keep)
    b.lines = []
    return text + b.function(twin, [second()], keep=keep)
