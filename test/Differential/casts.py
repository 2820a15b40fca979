"""Between element types: casts, quantization, and what makes numbers of positions."""
import math

from program import ANY, BITS, FLOATS, INTS, NUMBERS, PRECISION, epsilon, isFloat


def withType(value, dtype):
    return value.type[:-len(value.dtype) - 1] + dtype + ">"


def cast(b):
    operand = b.pick()
    to = b.draws.choice([t for t in ANY if t != operand.dtype])
    low, high, error, isWhole, flags = operand.low, operand.high, operand.error, operand.whole, ""
    if isFloat(to):
        error = b.rounded(to, low, high, error, isWhole)
        isWhole = isWhole and error == 0
    elif not operand.exact:
        return None
    elif to == "i1":
        low, high = 0, 1
    else:
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
    operand = b.some(FLOATS, lambda v: v.exact)
    if not operand:
        return None
    to = b.draws.choice(["i8", "i16", "i32", "i4"])
    axis = b.draws.below(operand.rank) if operand.rank and b.draws.chance(1, 2) else None
    shape = () if axis is None else (operand.shape[axis],)
    static = () if axis is None else (operand.static[axis],)
    scale = b.within(operand.dtype, shape, static, 0.25, 3)
    text = f"mica.quantize {operand.name} scale {scale.name} : {scale.type}"
    if b.draws.chance(1, 2):
        zero = b.new(to, shape, static)
        text += f" zero_point {zero.name} : {zero.type}"
    if axis is not None:
        text += f" axis = {axis}"
    if b.draws.chance(1, 4):
        text += " unsigned"
    value = b.result(to, operand.shape, operand.static, -2**64, 2**64)
    return b.define(value, f"{text} : {operand.type} to {value.type}")


def dequantize(b):
    operand = b.some(["i8", "i16", "i4"])
    to = b.draws.choice(["f32", "f64", "bf16"])
    scale = b.new(to, (), (), False)
    largest = 2**(BITS[operand.dtype] + 1) * scale.largest
    value = b.result(to, operand.shape, operand.static, -largest, largest, epsilon(to) * largest)
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
    operand = b.some(INTS, lambda v: v.size <= 500, 0, 3)
    if not operand:
        return None
    axis, count = b.draws.below(operand.rank + 1), b.draws.choice([3, 1, 8])
    shape, static = list(operand.shape), list(operand.static)
    shape.insert(axis, count)
    static.insert(axis, True)
    value = b.result(b.draws.choice(ANY), shape, static, 0, 1, 0.0, True)
    return b.define(value, f"mica.one_hot {operand.name} axis = {axis} : {operand.type} to {value.type}")


STEPS = [cast, cast, quantize, dequantize, iota, oneHot]
