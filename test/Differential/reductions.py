"""What combines elements: reductions, normalizations, products of matrices, windows."""
import math

from elementwise import NUMBERS
from program import epsilon, isFloat


def summed(b, dtype, count, low, high, error, whole):
    """Range and error of a sum of up to `count` numbers in [low, high]."""
    low, high = min(low * count, 0), max(high * count, 0)
    return low, high, b.rounded(dtype, low, high, error * count, whole, max(count, 1))


def reduce(b):
    operand = b.pick(lambda v: v.rank >= 1 and v.dtype in NUMBERS + ["i1"])
    if not operand:
        return None
    dims = [d for d in range(operand.rank) if b.draws.chance(1, 2)] or [b.draws.below(operand.rank)]
    count = math.prod(operand.shape[d] for d in dims)
    kinds = ["max"] if operand.dtype == "i1" else ["sum", "max", "mean"] if isFloat(operand.dtype) else ["sum", "max"]
    kind = b.draws.choice(kinds)
    # Over no element a mean is NaN and a maximum -inf: as good as any value, but nothing is known of what follows.
    if count == 0 and kind != "sum" and isFloat(operand.dtype):
        return None
    keep = b.draws.chance(1, 2)
    low, high, error, whole = operand.low, operand.high, operand.error, operand.whole
    if kind == "sum":
        low, high, error = summed(b, operand.dtype, count, low, high, error, whole)
    elif kind == "mean":
        error = b.rounded(operand.dtype, low, high, error, False, count + 2)
        whole = False
    elif count == 0:
        low = 0 if operand.dtype == "i1" else -2**63
    shape = [1 if d in dims else n for d, n in enumerate(operand.shape) if keep or d not in dims]
    static = [d in dims or s for d, s in enumerate(operand.static) if keep or d not in dims]
    value = b.result(operand.dtype, shape, static, low, high, error, whole)
    return value and b.define(value, f"mica.reduce {kind} {operand.name} dims = {dims}{' keep_dims' if keep else ''} : "
                              f"({operand.type}) -> {value.type}")


def softmax(b):
    operand = b.pick(lambda v: v.rank >= 1 and v.dtype in ("f32", "f64") and v.largest < 50)
    if not operand:
        return None
    axis = b.draws.below(operand.rank)
    error = b.rounded(operand.dtype, 0, 1, 2 * operand.error, False, operand.shape[axis] + 20)
    error += 8 * epsilon(operand.dtype) * operand.largest
    value = b.result(operand.dtype, operand.shape, operand.static, 0, 1, error)
    return value and b.define(value, f"mica.softmax {operand.name} axis = {axis} : {operand.type}")


def layerNorm(b):
    operand = b.pick(lambda v: v.rank >= 1 and v.dtype in ("f32", "f64") and v.largest < 50)
    if not operand:
        return None
    axis = b.draws.below(operand.rank)
    inner = operand.shape[axis:]
    count = math.prod(inner)
    if count == 0:
        return None
    eps = 0.5
    scale = b.new(operand.dtype, inner, operand.static[axis:]) if b.draws.chance(1, 2) else None
    bias = b.new(operand.dtype, inner, operand.static[axis:]) if b.draws.chance(1, 2) else None
    # The mean is off by as much as the elements; 1 / sqrt(variance + eps) is at most 1 / sqrt(eps), and the result at most
    # sqrt(count), which bounds what an error of the variance does.
    spread = operand.high - operand.low
    error = operand.error * 2 + epsilon(operand.dtype) * (count + 8) * operand.largest
    error = error / math.sqrt(eps) * (1 + spread * spread / eps) + 8 * epsilon(operand.dtype) * spread
    largest = min(math.sqrt(count), spread / math.sqrt(eps))
    low, high = -largest, largest
    if scale:
        error, low, high = error * scale.largest, -largest * scale.largest, largest * scale.largest
    if bias:
        low, high = low + bias.low, high + bias.high
    value = b.result(operand.dtype, operand.shape, operand.static, low, high, b.rounded(operand.dtype, low, high, error, False, 3))
    extra = "".join(f" {word} {v.name} : {v.type}" for word, v in (("scale", scale), ("bias", bias)) if v)
    return value and b.define(value, f"mica.layer_norm {operand.name}{extra} axis = {axis} epsilon = {eps} : {operand.type}")


def product(b, dtype, left, right, count):
    """Range and error of a sum of `count` products."""
    each = left.largest * right.largest
    error = left.error * right.largest + right.error * left.largest + left.error * right.error
    return summed(b, dtype, count, -each, each, error, left.whole and right.whole)


def matmul(b):
    left = b.pick(lambda v: 2 <= v.rank <= 4 and v.dtype in NUMBERS)
    if not left:
        return None
    transA, transB = b.draws.chance(1, 4), b.draws.chance(1, 4)
    k = left.shape[-2 if transA else -1]
    m = left.shape[-1 if transA else -2]
    kStatic = left.static[-2 if transA else -1]
    mStatic = left.static[-1 if transA else -2]
    n = b.draws.choice([3, 1, 2, 5, 8, 16, 17, 33, 0])
    batch, batchStatic = list(left.shape[:-2]), list(left.static[:-2])
    sizes, known = [], []
    if batch and b.draws.chance(1, 2):
        sizes = [1 if b.draws.chance(1, 3) else size for size in batch]
        known = [True if size == 1 else s for size, s in zip(sizes, b.statics(sizes))]
        # A size of 1 that is not in the type is not repeated.
        sizes = [size if s or t else old for size, s, t, old in zip(sizes, known, batchStatic, batch)]
    if math.prod(batch) * m * n > 20000 or math.prod(batch) * m * n * k > 2000000:
        return None
    tail = [n, k] if transB else [k, n]
    tailStatic = list(b.statics(tail))
    right = b.pick(lambda v: v.dtype == left.dtype and v.rank == 2 and list(v.shape) == tail) if not sizes else None
    right = right or b.new(left.dtype, sizes + tail, known + tailStatic)
    nStatic = right.static[-2 if transB else -1]
    low, high, error = product(b, left.dtype, left, right, k)
    if sizes:
        batchStatic = [s and n != 1 or t for n, s, t in zip(batch, batchStatic, known)]
    value = b.result(left.dtype, batch + [m, n], batchStatic + [mStatic, nStatic], low, high, error,
                     left.whole and right.whole)
    flags = (" transpose_a" if transA else "") + (" transpose_b" if transB else "")
    return value and b.define(value, f"mica.matmul {left.name}, {right.name}{flags} : ({left.type}, {right.type}) -> {value.type}")


def windows(b, sizes, kernel, strides, dilations, pads):
    return [(n + before + after - (k - 1) * d - 1) // s + 1
            for n, k, s, d, (before, after) in zip(sizes, kernel, strides, dilations, (pads[:2], pads[2:]))]


def conv2d(b):
    layout = b.draws.choice(["nhwc_hwcf", "nhwc_fhwc", "nchw_fchw"])
    dtype = b.draws.choice(["f32", "f64", "i32"])
    channels, filters = b.draws.choice([1, 2, 3, 8]), b.draws.choice([1, 2, 5, 16])
    height, width = b.draws.choice([3, 1, 4, 5, 9]), b.draws.choice([3, 1, 4, 7, 18])
    shape = [b.draws.choice([1, 2, 3])] + ([channels, height, width] if layout[1] == "c" else [height, width, channels])
    image = b.pick(lambda v: v.rank == 4 and v.dtype in NUMBERS and v.size) if b.draws.chance(1, 2) else None
    image = image or b.new(dtype, shape)
    if layout[1] == "c":
        batch, channels, height, width = image.shape
        at = (2, 3, 1)
    else:
        batch, height, width, channels = image.shape
        at = (1, 2, 3)
    pads = [b.draws.choice([0, 1, 2]) for _ in range(4)]
    kernel = [b.draws.choice([1, 2, 3]), b.draws.choice([1, 2, 3, 5])]
    strides = [b.draws.choice([1, 2, 3]) for _ in range(2)]
    dilations = [b.draws.choice([1, 1, 2]) for _ in range(2)]
    out = windows(b, (height, width), kernel, strides, dilations, pads)
    if min(out) < 1 or channels > 70 or batch * out[0] * out[1] * filters > 20000:
        return None
    shape = {"nhwc_hwcf": kernel + [channels, filters], "nhwc_fhwc": [filters] + kernel + [channels],
             "nchw_fchw": [filters, channels] + kernel}[layout]
    filter = b.new(image.dtype, shape, [True] * 4)
    bias = b.new(image.dtype, [filters], [True]) if b.draws.chance(1, 2) else None
    low, high, error = product(b, image.dtype, image, filter, channels * math.prod(kernel))
    whole = image.whole and filter.whole
    if bias:
        low, high, whole = low + bias.low, high + bias.high, whole and bias.whole
        error = b.rounded(image.dtype, low, high, error, whole)
    sizes = [batch, filters] + out if layout[1] == "c" else [batch] + out + [filters]
    static = list(image.static)
    static[at[2]] = True
    value = b.result(image.dtype, sizes, static, low, high, error, whole)
    given = f" bias {bias.name}" if bias else ""
    types = ", ".join(v.type for v in (image, filter, bias) if v)
    return value and b.define(value, f"mica.conv2d {image.name}, {filter.name}{given} layout = {layout} strides = {strides} "
                              f"dilations = {dilations} pads = {pads} : ({types}) -> {value.type}")


def pool(b):
    kind = b.draws.choice(["max", "avg"])
    layout = b.draws.choice(["nhwc", "nchw"])
    allowed = NUMBERS if kind == "max" else ["f32", "f64"]
    image = b.pick(lambda v: v.rank == 4 and v.dtype in allowed and v.size) if b.draws.chance(1, 2) else None
    image = image or b.new(b.draws.choice(allowed), [b.draws.choice([1, 2])] + [b.draws.choice([3, 4, 5, 8]) for _ in range(3)])
    at = (2, 3) if layout == "nchw" else (1, 2)
    kernel = [b.draws.choice([1, 2, 3]) for _ in range(2)]
    strides = [b.draws.choice([1, 2, 3]) for _ in range(2)]
    pads = [b.draws.below(k) for k in (kernel[0], kernel[0], kernel[1], kernel[1])]
    out = windows(b, [image.shape[d] for d in at], kernel, strides, (1, 1), pads)
    if min(out) < 1:
        return None
    shape = list(image.shape)
    shape[at[0]], shape[at[1]] = out
    # A window with nothing but padding in it has no largest element and no mean.
    low, high, error, whole = image.low, image.high, image.error, image.whole
    for n, k, s, (before, after), o in zip([image.shape[d] for d in at], kernel, strides, (pads[:2], pads[2:]), out):
        if any(i * s - before + k <= 0 or i * s - before >= n for i in range(o)):
            return None
    if kind == "avg":
        count = math.prod(kernel)
        low, high, whole = min(low, 0), max(high, 0), False
        error = b.rounded(image.dtype, low, high, error, False, count + 2)
    value = b.result(image.dtype, shape, image.static, low, high, error, whole)
    return value and b.define(value, f"mica.{kind}_pool {image.name} layout = {layout} kernel = {kernel} strides = {strides} "
                              f"pads = {pads} : ({image.type}) -> {value.type}")


STEPS = [reduce, reduce, softmax, layerNorm, matmul, matmul, conv2d, pool]
