"""Normalizations, attention, rotary embeddings."""
import math

from program import FLOATS, WIDE, epsilon

EPSILON = 0.5


def normalized(b, operand, count, scale, bias):
    """(low, high, error) of elements that `count` of them together bring to variance 1, then scaled and moved."""
    # The mean is off by as much as the elements; 1 / sqrt(variance + epsilon) is at most 1 / sqrt(epsilon), and the
    # result at most sqrt(count), which bounds what an error of the variance does.
    spread = operand.high - operand.low
    error = operand.error * 2 + epsilon(operand.dtype) * (count + 8) * operand.largest
    error = error / math.sqrt(EPSILON) * (1 + spread * spread / EPSILON) + 8 * epsilon(operand.dtype) * spread
    largest = min(math.sqrt(count), spread / math.sqrt(EPSILON))
    low, high = -largest, largest
    if scale:
        error, low, high = error * scale.largest, -largest * scale.largest, largest * scale.largest
    if bias:
        low, high = low + bias.low, high + bias.high
    return low, high, b.rounded(operand.dtype, low, high, error, False, 3)


def given(*named):
    return "".join(f" {word} {v.name}" for word, v in named if v)


def pick(b, low=1):
    """What is normalized."""
    return b.some(FLOATS, lambda v: v.largest < 50 and v.size, low)


def perhaps(b, operand, axes):
    """A new tensor along `axes` of the operand, as a scale or a bias is, or None."""
    return b.new(operand.dtype, operand.shape[axes], operand.static[axes]) if b.draws.chance(1, 2) else None


def layerNorm(b):
    operand = pick(b)
    if not operand:
        return None
    axis = b.draws.below(operand.rank)
    inner = operand.shape[axis:]
    scale, bias = perhaps(b, operand, slice(axis, None)), perhaps(b, operand, slice(axis, None))
    value = b.result(operand.dtype, operand.shape, operand.static, *normalized(b, operand, math.prod(inner), scale, bias))
    extra = "".join(f" {word} {v.name} : {v.type}" for word, v in (("scale", scale), ("bias", bias)) if v)
    return value and b.define(value, f"mica.layer_norm {operand.name}{extra} axis = {axis} epsilon = {EPSILON} : {operand.type}")


def rmsNorm(b):
    operand = pick(b)
    if not operand:
        return None
    axis = b.draws.below(operand.rank)
    inner = operand.shape[axis:]
    scale = perhaps(b, operand, slice(axis, None))
    # As with a mean of 0: numbers of either sign.
    low, high, error = normalized(b, b.widened(operand), math.prod(inner), scale, None)
    value = b.result(operand.dtype, operand.shape, operand.static, low, high, error)
    types = ", ".join(v.type for v in (operand, scale) if v)
    return value and b.define(value, f"mica.rms_norm {operand.name}{given(('scale', scale))} axis = {axis} epsilon = {EPSILON} : "
                              f"({types}) -> {value.type}")


def batchNorm(b):
    operand = pick(b)
    if not operand:
        return None
    axis = b.draws.below(operand.rank)
    channels = slice(axis, axis + 1)
    mean = b.new(operand.dtype, operand.shape[channels], operand.static[channels])
    variance = b.within(operand.dtype, operand.shape[channels], operand.static[channels], 0.25, 3)
    scale, bias = perhaps(b, operand, channels), perhaps(b, operand, channels)
    # 1 / sqrt(variance + epsilon) is below 1.16.
    most = 1.16 * (scale.largest if scale else 1)
    largest = (operand.largest + mean.largest) * most + (bias.largest if bias else 0)
    error = b.rounded(operand.dtype, -largest, largest, operand.error * most, False, 10)
    value = b.result(operand.dtype, operand.shape, operand.static, -largest, largest, error)
    types = ", ".join(v.type for v in (operand, mean, variance, scale, bias) if v)
    return value and b.define(value, f"mica.batch_norm {operand.name}{given(('mean', mean), ('variance', variance))}"
                              f"{given(('scale', scale), ('bias', bias))} axis = {axis} epsilon = {EPSILON} : ({types}) -> {value.type}")


def groupNorm(b):
    operand = pick(b, 2)
    if not operand:
        return None
    axis = 1 + b.draws.below(operand.rank - 1)
    channels = operand.shape[axis]
    groups = b.draws.choice([n for n in range(1, channels + 1) if channels % n == 0][:6])
    # In how many groups a number of channels falls that is not known before, nobody checks.
    if not operand.static[axis]:
        groups = 1
    scale, bias = perhaps(b, operand, slice(axis, axis + 1)), perhaps(b, operand, slice(axis, axis + 1))
    count = math.prod(operand.shape[1:]) // groups
    value = b.result(operand.dtype, operand.shape, operand.static, *normalized(b, operand, count, scale, bias))
    types = ", ".join(v.type for v in (operand, scale, bias) if v)
    return value and b.define(value, f"mica.group_norm {operand.name}{given(('scale', scale), ('bias', bias))} groups = {groups} "
                              f"axis = {axis} epsilon = {EPSILON} : ({types}) -> {value.type}")


def attention(b):
    dtype = b.draws.choice(WIDE)
    batch, groups, rep = 1 + b.draws.below(2), b.draws.choice([1, 2]), b.draws.choice([1, 2, 3])
    s, t = b.draws.choice([1, 2, 5, 16]), b.draws.choice([4, 1, 7, 17, 33])
    d, e = b.draws.choice([4, 1, 8, 16]), b.draws.choice([4, 3, 8, 16])
    bs, ss, ts = b.statics((batch, s, t))
    query = b.new(dtype, (batch, groups * rep, s, d), (bs, True, ss, True), False)
    key = b.new(dtype, (batch, groups, t, d), (bs, True, ts, True), False)
    value = b.new(dtype, (batch, groups, t, e), (bs, True, ts, True), False)
    scale = 1 / math.sqrt(d)
    scores = d * query.largest * key.largest * scale
    operands, text = [query, key, value], f"mica.attention {query.name}, {key.name}, {value.name}"
    if b.draws.chance(1, 2):
        mask = b.new(dtype, (s, t), (ss, ts), False)
        operands.append(mask)
        text += f" mask {mask.name}"
        scores += mask.largest
    if b.draws.chance(1, 2):
        # Every query sees a key.
        position = b.within(b.draws.choice(["i64", "i32"]), (), (), 0, t + 1)
        operands.append(position)
        text += f" position {position.name} causal"
    unit = epsilon(dtype)
    # A score off by x changes each weight by a factor of about exp(2 x).
    off = (d + 4) * unit * scores + 8 * unit * scores
    error = value.largest * (2 * off + (2 * t + 30) * unit)
    out = b.result(dtype, (batch, groups * rep, s, e), (bs, True, ss, True), value.low, value.high, error)
    return out and b.define(out, f"{text} : ({', '.join(o.type for o in operands)}) -> {out.type}")


def rope(b):
    x = b.some(WIDE, lambda v: v.static[-1] and v.shape[-1] % 2 == 0, 2)
    if not x:
        return None
    table = (x.shape[-2], x.shape[-1] // 2)
    cos = b.new(x.dtype, table, (x.static[-2], True), False)
    sin = b.new(x.dtype, table, (x.static[-2], True), False)
    largest = x.largest * (cos.largest + sin.largest)
    error = b.rounded(x.dtype, -largest, largest, x.error * (cos.largest + sin.largest), False, 3)
    value = b.result(x.dtype, x.shape, x.static, -largest, largest, error)
    way = " interleaved" if b.draws.chance(1, 2) else ""
    return value and b.define(value, f"mica.rope {x.name} cos {cos.name} sin {sin.name}{way} : ({x.type}, {cos.type}, {sin.type}) -> "
                              f"{value.type}")


STEPS = [layerNorm, rmsNorm, batchNorm, groupNorm, attention, rope]
