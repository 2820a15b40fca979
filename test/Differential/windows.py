"""Windows over images: convolutions, pools, borders, other sizes."""
import math

import ranges
from program import ANY, FLOATS, NUMBERS, epsilon, isFloat

# Where (batch, channels, height, width) are in an image, (filters, channels of a group, height, width) in a filter.
CONV = {
    "nhwc_hwcf": ((0, 3, 1, 2), (3, 2, 0, 1)),
    "nhwc_fhwc": ((0, 3, 1, 2), (0, 3, 1, 2)),
    "nchw_fchw": ((0, 1, 2, 3), (0, 1, 2, 3)),
}
CONV1D = {"nwc_wcf": ((0, 2, 1), (2, 1, 0)), "nwc_fwc": ((0, 2, 1), (0, 2, 1)), "ncw_fcw": ((0, 1, 2), (0, 1, 2))}
# The second one's filter has all channels in its first dimension and the results of a group in its second.
TRANSPOSED = {"nhwc_fhwc": ((0, 3, 1, 2), (0, 3, 1, 2)), "nchw_cfhw": ((0, 1, 2, 3), (1, 0, 2, 3))}
IMAGE = {"nhwc": (0, 3, 1, 2), "nchw": (0, 1, 2, 3)}


def laid(places, values):
    """`values` in the order in which a layout has them."""
    out = [None] * len(places)
    for place, value in zip(places, values):
        out[place] = value
    return out


def extent(n, kernel, stride, dilation, before, after):
    """How many windows there are."""
    return (n + before + after - (kernel - 1) * dilation - 1) // stride + 1


def image(b, places, dtypes, sizes):
    """An image of the pool or a new one: (value, batch, channels, extents)."""
    value = b.pick(lambda v: v.rank == len(places) and v.dtype in dtypes and v.size) if b.draws.chance(1, 2) else None
    if not value:
        channels = b.draws.choice([1, 2, 3, 4, 8])
        extents = [b.draws.choice(sizes) for _ in places[2:]]
        value = b.new(b.draws.choice(dtypes), laid(places, [b.draws.choice([1, 2, 3]), channels] + extents))
    batch, channels, *extents = [value.shape[p] for p in places]
    return value, batch, channels, extents


def grouped(b, value, places, channels):
    """(groups, channels of a group, filters of a group)."""
    if not value.static[places[1]] or b.draws.chance(1, 2):
        return 1, channels, b.draws.choice([1, 2, 5, 16])
    groups = b.draws.choice([n for n in range(1, channels + 1) if channels % n == 0][-4:])
    return groups, channels // groups, b.draws.choice([1, 2, 3])


def convolved(b, op, layout, table, value, filterShape, groups, attributes, taps, outShape):
    """The op on a new filter and perhaps a bias."""
    places, filterPlaces = table[layout]
    filters = outShape[1]
    filter = b.new(value.dtype, laid(filterPlaces, filterShape), [True] * value.rank)
    bias = b.new(value.dtype, [filters], [True]) if b.draws.chance(1, 2) else None
    low, high, error = ranges.product(b, value.dtype, value, filter, taps)
    whole = value.whole and filter.whole
    if bias:
        low, high, whole = low + bias.low, high + bias.high, whole and bias.whole
        error = b.rounded(value.dtype, low, high, error, whole)
    static = laid(places, [value.static[places[0]], True] + [value.static[p] for p in places[2:]])
    out = b.result(value.dtype, laid(places, outShape), static, low, high, error, whole)
    types = ", ".join(v.type for v in (value, filter, bias) if v)
    given = f" bias {bias.name}" if bias else ""
    return out and b.define(out, f"mica.{op} {value.name}, {filter.name}{given} layout = {layout} {attributes} groups = {groups} : "
                            f"({types}) -> {out.type}")


def conv(b):
    op, table = b.draws.choice([("conv2d", CONV), ("conv1d", CONV1D)])
    layout = b.draws.choice(list(table))
    places = table[layout][0]
    value, batch, channels, extents = image(b, places, NUMBERS, [3, 1, 4, 5, 9, 18])
    groups, mine, each = grouped(b, value, places, channels)
    kernel = [b.draws.choice([1, 2, 3, 5]) for _ in extents]
    strides = [b.draws.choice([1, 2, 3]) for _ in extents]
    dilations = [b.draws.choice([1, 1, 2]) for _ in extents]
    pads = [b.draws.choice([0, 1, 2]) for _ in extents * 2]
    out = [extent(n, k, s, d, *pads[2 * i:2 * i + 2]) for i, (n, k, s, d) in enumerate(zip(extents, kernel, strides, dilations))]
    if min(out) < 1 or channels > 70 or batch * math.prod(out) * groups * each * mine * math.prod(kernel) > 300000:
        return None
    return convolved(b, op, layout, table, value, [groups * each, mine] + kernel, groups,
                     f"strides = {strides} dilations = {dilations} pads = {pads}", mine * math.prod(kernel),
                     [batch, groups * each] + out)


def transposed(b):
    layout = b.draws.choice(list(TRANSPOSED))
    places = TRANSPOSED[layout][0]
    value, batch, channels, extents = image(b, places, NUMBERS, [3, 1, 4, 5, 9])
    groups, mine, each = grouped(b, value, places, channels)
    kernel = [b.draws.choice([1, 2, 3]) for _ in extents]
    strides = [b.draws.choice([1, 2, 3]) for _ in extents]
    dilations = [b.draws.choice([1, 1, 2]) for _ in extents]
    pads = [b.draws.choice([0, 1, -1, 2]) for _ in extents * 2]
    out = [(n - 1) * s - pads[2 * i] - pads[2 * i + 1] + d * (k - 1) + 1
           for i, (n, k, s, d) in enumerate(zip(extents, kernel, strides, dilations))]
    if min(out) < 1 or channels > 70 or batch * math.prod(out) * groups * each * mine * math.prod(kernel) > 300000:
        return None
    # The filter holds what each channel gives: (results of a group, channels) as the layout has them.
    shape = [groups * each, mine] + kernel if layout == "nhwc_fhwc" else [each, channels] + kernel
    return convolved(b, "conv2d_transpose", layout, TRANSPOSED, value, shape, groups,
                     f"strides = {strides} dilations = {dilations} pads = {pads}", mine * math.prod(kernel),
                     [batch, groups * each] + out)


def isEmptyWindow(n, out, kernel, stride, dilation, before):
    return any(not any(0 <= i * stride - before + j * dilation < n for j in range(kernel)) for i in range(out))


def pool(b):
    kind = b.draws.choice(["max", "avg"])
    layout = b.draws.choice(list(IMAGE))
    places = IMAGE[layout]
    value, batch, channels, extents = image(b, places, NUMBERS if kind == "max" else FLOATS, [3, 4, 5, 8])
    kernel = [b.draws.choice([1, 2, 3]) for _ in extents]
    strides = [b.draws.choice([1, 2, 3]) for _ in extents]
    dilations = [b.draws.choice([1, 1, 2]) for _ in extents]
    pads = [b.draws.below(k) for k in kernel for _ in range(2)]
    # ceil_mode adds a window that the end cuts off, if it begins before the padding behind the image.
    ceil = b.draws.chance(1, 4) and all(value.static[p] for p in places[2:])
    out = []
    for i, (n, k, s, d) in enumerate(zip(extents, kernel, strides, dilations)):
        count = extent(n + (s - 1 if ceil else 0), k, s, d, *pads[2 * i:2 * i + 2])
        if ceil and (count - 1) * s >= n + pads[2 * i]:
            count -= 1
        # A window with nothing but padding in it has no largest element and no mean.
        if extent(n, k, 1, d, *pads[2 * i:2 * i + 2]) < 1 or count < 1 or isEmptyWindow(n, count, k, s, d, pads[2 * i]):
            return None
        out.append(count)
    low, high, error, whole = value.low, value.high, value.error, value.whole
    flags = " ceil_mode" if ceil else ""
    if kind == "avg":
        low, high, whole = min(low, 0), max(high, 0), False
        error = b.rounded(value.dtype, low, high, error, False, math.prod(kernel) + 2)
        flags += " count_include_pad" if b.draws.chance(1, 2) else ""
    result = b.result(value.dtype, laid(places, [batch, channels] + out), value.static, low, high, error, whole)
    return result and b.define(result, f"mica.{kind}_pool {value.name} layout = {layout} kernel = {kernel} strides = {strides} "
                               f"dilations = {dilations} pads = {pads}{flags} : ({value.type}) -> {result.type}")


def pad(b):
    operand = b.pick(lambda v: v.rank >= 1 and 0 < v.size <= 1500)
    if not operand:
        return None
    mode = b.draws.choice(["constant", "edge", "reflect", "wrap"])
    most = {"constant": lambda n: 3, "edge": lambda n: 3, "reflect": lambda n: min(n - 1, 3), "wrap": lambda n: min(n, 3)}[mode]
    low = [b.draws.below(most(n) + 1) for n in operand.shape]
    high = [b.draws.below(most(n) + 1) for n in operand.shape]
    shape = [n + l + h for n, l, h in zip(operand.shape, low, high)]
    if math.prod(shape) > 6000:
        return None
    value, given = 0, ""
    if mode == "constant" and operand.dtype != "i1" and b.draws.chance(1, 2):
        value = b.draws.choice([1, -7])
        given = f" value = {float(value) if isFloat(operand.dtype) else value} : {operand.dtype}"
    result = b.result(operand.dtype, shape, operand.static, min(operand.low, value), max(operand.high, value), operand.error,
                      operand.whole)
    return b.define(result, f"mica.pad {operand.name} low = {low} high = {high} mode = {mode}{given} : ({operand.type}) -> "
                    f"{result.type}")


def resize(b):
    layout = b.draws.choice(list(IMAGE))
    places = IMAGE[layout]
    mode = b.draws.choice(["nearest", "bilinear"])
    value, batch, channels, extents = image(b, places, ANY if mode == "nearest" else FLOATS, [3, 1, 4, 5, 9])
    out = [b.draws.choice([2, 1, 4, 7, 10, n, 2 * n]) for n in extents]
    if batch * channels * math.prod(out) > 6000:
        return None
    static = list(value.static)
    for place, known in zip(places[2:], b.statics(out)):
        static[place] = known
    sizes = [b.index(n) for n, place in zip(out, places[2:]) if not static[place]]
    error, whole, rounding = value.error, value.whole, ""
    if mode == "nearest":
        rounding = f" rounding = {b.draws.choice(['floor', 'ceil', 'prefer_floor', 'prefer_ceil'])}"
    else:
        error = b.rounded(value.dtype, value.low, value.high, error, False, 8) + 32 * epsilon(value.dtype) * (value.high - value.low)
        whole = False
    result = b.result(value.dtype, laid(places, [batch, channels] + out), static, value.low, value.high, error, whole)
    given = f" sizes({', '.join(sizes)})" if sizes else ""
    types = ", ".join([value.type] + ["index"] * len(sizes))
    return result and b.define(result, f"mica.resize {value.name}{given} layout = {layout} mode = {mode} coordinates = "
                               f"{b.draws.choice(['half_pixel', 'asymmetric', 'align_corners'])}{rounding} : ({types}) -> {result.type}")


STEPS = [conv, conv, transposed, pool, pad, resize]
