"""The rest of the elementwise ops of `mica`: mathematics, comparisons, logic, bits, casts, quantization; and what makes indices."""
import math

import elementwise
from program import BITS, PRECISION, epsilon, isFloat

FLOATS = ["f32", "f64", "f16", "bf16"]
INTS = ["i32", "i64", "i16", "i8"]
NUMBERS = FLOATS + INTS


def withType(value, dtype):
    return value.type[:-len(value.dtype) - 1] + dtype + ">"


# op -> (range of the result for a range of the operand, a bound on the derivative there)
CURVES = {
    "sin": lambda l, h: (-1, 1, 1),
    "cos": lambda l, h: (-1, 1, 1),
    "sqrt": lambda l, h: (0, math.sqrt(h), 0.5 / math.sqrt(l)) if l >= 0.2 else None,
    "rsqrt": lambda l, h: (0, 1 / math.sqrt(l), 0.5 / l**1.5) if l >= 0.2 else None,
    "log": lambda l, h: (math.log(l), math.log(h), 1 / l) if l >= 0.2 else None,
}


def curve(b):
    operand = b.pick(lambda v: v.dtype in FLOATS and v.largest < 1000)
    if not operand:
        return None
    kind = b.draws.choice(list(CURVES))
    known = CURVES[kind](operand.low - operand.error, operand.high)
    if not known:
        return None
    low, high, slope = known
    error = b.rounded(operand.dtype, low, high, operand.error * slope, False, 8)
    error += 8 * epsilon(operand.dtype) * operand.largest * slope
    value = b.result(operand.dtype, operand.shape, operand.static, low, high, error)
    return value and b.define(value, f"mica.{kind} {operand.name} : {operand.type}")


def whole(b):
    operand = b.pick(lambda v: v.dtype in NUMBERS)
    if not operand:
        return None
    kind = b.draws.choice(["abs", "floor", "ceil", "round"] if isFloat(operand.dtype) else ["abs"])
    if kind != "abs" and not operand.exact:
        return None
    if kind == "abs":
        # The smallest integer stays what it is.
        low, high = (0, operand.largest) if isFloat(operand.dtype) else (min(operand.low, 0), operand.largest)
    else:
        low, high = math.floor(operand.low), math.ceil(operand.high)
    value = b.result(operand.dtype, operand.shape, operand.static, low, high, operand.error, operand.whole or kind != "abs")
    return value and b.define(value, f"mica.{kind} {operand.name} : {operand.type}")


def clamp(b):
    operand = b.pick(lambda v: v.dtype in NUMBERS)
    if not operand:
        return None
    low, high = b.draws.choice([(-1, 1), (0, 6), (-2, 0), (3, 3)])
    dot = ".0" if isFloat(operand.dtype) else ""
    value = b.result(operand.dtype, operand.shape, operand.static, max(low, min(operand.low, high)), min(high, max(operand.high, low)),
                     operand.error, operand.whole)
    return b.define(value, f"mica.clamp {operand.name} min = {low}{dot} : {operand.dtype} max = {high}{dot} : {operand.dtype} : "
                    f"{operand.type}")


def power(b):
    left = b.pick(lambda v: v.dtype in INTS)
    if not left:
        return None
    right = elementwise.partner(b, left)
    kind = b.draws.choice(["rem", "pow"])
    shape, static = elementwise.merged(left, right, b.draws)
    if math.prod(shape) > 20000:
        return None
    value = b.result(left.dtype, shape, static, -2**64, 2**64)
    return b.define(value, f"mica.{kind} {left.name}, {right.name} : ({left.type}, {right.type}) -> {value.type}")


def compare(b):
    left = b.pick(lambda v: v.dtype in NUMBERS + ["i1"] and v.exact)
    if not left:
        return None
    right = elementwise.partner(b, left)
    if not right.exact:
        return None
    shape, static = elementwise.merged(left, right, b.draws)
    if math.prod(shape) > 20000:
        return None
    kind = b.draws.choice(["lt", "eq", "ne", "le", "gt", "ge"])
    value = b.result("i1", shape, static, 0, 1)
    return b.define(value, f"mica.compare {kind} {left.name}, {right.name} : ({left.type}, {right.type}) -> {value.type}")


def select(b):
    condition = b.pick(lambda v: v.dtype == "i1")
    if not condition:
        return None
    first = b.pick(lambda v: v.shape == condition.shape and v.dtype in NUMBERS + ["i1"] and
                   all(s or n != 1 for n, s in zip(v.shape, v.static))) or b.new(b.draws.choice(NUMBERS), condition.shape)
    if any(n == 1 and not s for v in (condition, first) for n, s in zip(v.shape, v.static)):
        return None
    second = elementwise.partner(b, first)
    shape, static = elementwise.merged(first, second, b.draws)
    value = b.result(first.dtype, shape, static, min(first.low, second.low), max(first.high, second.high),
                     max(first.error, second.error), first.whole and second.whole)
    return value and b.define(value, f"mica.select {condition.name}, {first.name}, {second.name} : ({condition.type}, {first.type}, "
                              f"{second.type}) -> {value.type}")


def logic(b):
    left = b.pick(lambda v: v.dtype in INTS + ["i1"])
    if not left:
        return None
    if b.draws.chance(1, 5):
        kind = "logical_not" if left.dtype == "i1" else "bitwise_not"
        value = b.result(left.dtype, left.shape, left.static, 0, 1) if left.dtype == "i1" else \
            b.result(left.dtype, left.shape, left.static, -2**64, 2**64)
        return b.define(value, f"mica.{kind} {left.name} : {left.type}")
    right = elementwise.partner(b, left)
    shape, static = elementwise.merged(left, right, b.draws)
    if math.prod(shape) > 20000:
        return None
    if left.dtype == "i1":
        kind = "logical_" + b.draws.choice(["and", "or", "xor"])
        value = b.result("i1", shape, static, 0, 1)
    else:
        kind = b.draws.choice(["bitwise_and", "bitwise_or", "bitwise_xor", "shift_left", "shift_right_arithmetic",
                               "shift_right_logical"])
        value = b.result(left.dtype, shape, static, -2**64, 2**64)
    return b.define(value, f"mica.{kind} {left.name}, {right.name} : ({left.type}, {right.type}) -> {value.type}")


def cast(b):
    operand = b.pick(lambda v: v.dtype in NUMBERS + ["i1"])
    if not operand:
        return None
    to = b.draws.choice([t for t in NUMBERS + ["i1"] if t != operand.dtype])
    low, high, error, isWhole, flags = operand.low, operand.high, operand.error, operand.whole, ""
    if to == "i1":
        if not operand.exact:
            return None
        low, high = 0, 1
    elif isFloat(to):
        error = b.rounded(to, low, high, error, isWhole)
        isWhole = isWhole and error == 0
    else:
        if not operand.exact:
            return None
        if isFloat(operand.dtype) and b.draws.chance(1, 2):
            flags += " rounding = nearest_even"
        least, most = -2**(BITS[to] - 1), 2**(BITS[to] - 1) - 1
        if b.draws.chance(1, 2):
            flags = " overflow = wrap" + flags
            low, high = -2**64, 2**64
        else:
            low, high = max(least, min(most, math.floor(low))), max(least, min(most, math.ceil(high)))
    value = b.result(to, operand.shape, operand.static, low, high, error, isWhole)
    return value and b.define(value, f"mica.cast {operand.name}{flags} : {operand.type} to {withType(operand, to)}")


def quantize(b):
    operand = b.pick(lambda v: v.dtype in FLOATS and v.exact)
    if not operand:
        return None
    to = b.draws.choice(["i8", "i16", "i32"])
    axis = b.draws.below(operand.rank) if operand.rank and b.draws.chance(1, 2) else None
    shape = () if axis is None else (operand.shape[axis],)
    static = () if axis is None else (operand.static[axis],)
    scale = b.new(operand.dtype, shape, static, False)
    name, type, input = b.root.arguments[-1]
    b.root.arguments[-1] = (name, type, input.split("=")[0] + f"=random:{b.draws.below(1000)}:0.25:3")
    b.pool.remove(scale)
    text, low, high = f"mica.quantize {operand.name} scale {scale.name} : {scale.type}", -2**(BITS[to] - 1), 2**(BITS[to] - 1) - 1
    if b.draws.chance(1, 2):
        zero = b.new(to, shape, static)
        text += f" zero_point {zero.name} : {zero.type}"
    if axis is not None:
        text += f" axis = {axis}"
    if b.draws.chance(1, 4):
        text += " unsigned"
    value = b.result(to, operand.shape, operand.static, low, high)
    return b.define(value, f"{text} : {operand.type} to {value.type}")


def dequantize(b):
    operand = b.pick(lambda v: v.dtype in ("i8", "i16"))
    if not operand:
        return None
    to = b.draws.choice(["f32", "f64"])
    scale = b.new(to, (), (), False)
    value = b.result(to, operand.shape, operand.static, -2**17 * scale.largest, 2**17 * scale.largest,
                     epsilon(to) * 2**17 * scale.largest)
    zero = b.new(operand.dtype, (), ()) if b.draws.chance(1, 2) else None
    text = f"mica.dequantize {operand.name} scale {scale.name} : {scale.type}"
    if zero:
        text += f" zero_point {zero.name} : {zero.type}"
    return value and b.define(value, f"{text} : {operand.type} to {value.type}")


def iota(b):
    dtype = b.draws.choice(NUMBERS)
    shape = b.shape(1, 3, 2000)
    axis = b.draws.below(len(shape))
    # Positions that the type does not have are rounded or wrap around: they are not whole numbers in range.
    if isFloat(dtype) and shape[axis] > 2**PRECISION[dtype] or not isFloat(dtype) and shape[axis] > 2**(BITS[dtype] - 1):
        return None
    static = b.statics(shape)
    sizes = [b.index(n) for n, s in zip(shape, static) if not s]
    value = b.result(dtype, shape, static, 0, max(shape[axis] - 1, 0), 0.0, True)
    given = f" sizes({', '.join(sizes)})" if sizes else ""
    return b.define(value, f"mica.iota axis = {axis}{given} : {value.type}")


def oneHot(b):
    operand = b.pick(lambda v: v.dtype in INTS and v.rank <= 3 and v.size <= 500)
    if not operand:
        return None
    axis, count = b.draws.below(operand.rank + 1), b.draws.choice([3, 1, 8])
    shape, static = list(operand.shape), list(operand.static)
    shape.insert(axis, count)
    static.insert(axis, True)
    value = b.result(b.draws.choice(NUMBERS + ["i1"]), shape, static, 0, 1, 0.0, True)
    return b.define(value, f"mica.one_hot {operand.name} axis = {axis} : {operand.type} to {value.type}")


STEPS = [curve, whole, clamp, power, compare, select, logic, logic, cast, cast, quantize, dequantize, iota, oneHot]
