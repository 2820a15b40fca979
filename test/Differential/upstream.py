"""Ops of upstream's dialects: `arith` and `math` on tensors, `linalg`."""
import math

import ranges
from casts import withType
from elementwise import curved
from program import BITS, isFloat

INTS = ["i32", "i64", "i16", "i8"]
FLOATS = ["f32", "f64", "f16", "bf16"]
NUMBERS = FLOATS + INTS
SUMMED = ["f32", "f64", "i32", "i64"]


def arith(b):
    """`arith` on tensors of one type."""
    left = b.some(NUMBERS)
    right = b.pick(lambda v: v.type == left.type and v.shape == left.shape) or b.new(left.dtype, left.shape, left.static)
    kind = b.draws.choice(["add", "mul", "sub", "max", "min"])
    if kind in ("max", "min"):
        name = (kind + "imumf") if isFloat(left.dtype) else (kind + "si")
    else:
        name = kind + ("f" if isFloat(left.dtype) else "i")
    known = ranges.arithmetic(b, kind, left, right)
    value = b.result(left.dtype, left.shape, left.static, *known)
    return value and b.define(value, f"arith.{name} {left.name}, {right.name} : {left.type}")


def bits(b):
    """Integer ops that see single bits."""
    left = b.some(INTS)
    right = b.pick(lambda v: v.type == left.type and v.shape == left.shape) or b.new(left.dtype, left.shape, left.static)
    kind = b.draws.choice(["andi", "ori", "xori", "maxui", "minui"])
    value = b.result(left.dtype, left.shape, left.static, -2**64, 2**64)
    return b.define(value, f"arith.{kind} {left.name}, {right.name} : {left.type}")


def compareSelect(b):
    """A comparison of exact values chooses between two others."""
    left = b.some(NUMBERS, lambda v: v.exact)
    right = b.pick(lambda v: v.type == left.type and v.shape == left.shape and v.exact) or \
        b.new(left.dtype, left.shape, left.static)
    first = b.pick(lambda v: v.shape == left.shape and v.static == left.static)
    second = b.pick(lambda v: v.type == first.type and v.shape == left.shape)
    mask = b.fresh()
    predicate = b.draws.choice(["olt", "oeq", "one", "oge", "uno"] if isFloat(left.dtype) else ["slt", "eq", "ne", "sge", "ult"])
    maskType = left.type.replace(left.dtype + ">", "i1>")
    b.emit(f"{mask} = arith.cmp{'f' if isFloat(left.dtype) else 'i'} {predicate}, {left.name}, {right.name} : {left.type}")
    value = b.result(first.dtype, first.shape, first.static, min(first.low, second.low), max(first.high, second.high),
                     max(first.error, second.error), first.whole and second.whole)
    return value and b.define(value, f"arith.select {mask}, {first.name}, {second.name} : {maskType}, {first.type}")


def convert(b):
    """Between element types."""
    operand = b.some(NUMBERS)
    to = b.draws.choice([t for t in NUMBERS if t != operand.dtype])
    wide = BITS | {"f64": 64, "f32": 32, "f16": 16, "bf16": 16}
    low, high, error, whole = operand.low, operand.high, operand.error, operand.whole
    if isFloat(operand.dtype) and isFloat(to):
        if wide[to] == wide[operand.dtype]:
            return None
        kind = "extf" if wide[to] > wide[operand.dtype] else "truncf"
        error = b.rounded(to, low, high, error, whole)
    elif isFloat(to):
        kind = "sitofp"
        error = b.rounded(to, low, high, 0, True)
        whole = error == 0
    elif isFloat(operand.dtype):
        # Towards zero: of exact values that the integer type has.
        if not operand.exact or operand.largest >= 2**(wide[to] - 1) - 1:
            return None
        kind = "fptosi"
    else:
        kind = "extsi" if wide[to] > wide[operand.dtype] else "trunci"
        if kind == "trunci":
            low, high = -2**64, 2**64
    value = b.result(to, operand.shape, operand.static, low, high, error, whole)
    return value and b.define(value, f"arith.{kind} {operand.name} : {operand.type} to {withType(operand, to)}")


def curve(b):
    kind = b.draws.choice(["tanh", "sin", "cos", "atan", "exp", "sqrt", "rsqrt", "log", "erf"])
    operand = curved(b, kind, FLOATS)
    known = ranges.curve(b, kind, operand)
    value = known and b.result(operand.dtype, operand.shape, operand.static, *known)
    return value and b.define(value, f"math.{kind} {operand.name} : {operand.type}")


def whole(b):
    """Ops of `math` that are right to the bit."""
    operand = b.some(FLOATS)
    kind = b.draws.choice(["absf", "floor", "ceil", "roundeven", "trunc"])
    known = ranges.whole(kind.removesuffix("f"), operand) if kind == "absf" else ranges.whole(kind, operand)
    value = known and b.result(operand.dtype, operand.shape, operand.static, *known, operand.error,
                               operand.whole or kind != "absf")
    return value and b.define(value, f"math.{kind} {operand.name} : {operand.type}")


def empty(b, dtype, shape, static):
    """A tensor.empty of that type."""
    sizes = [b.index(n) for n, s in zip(shape, static) if not s]
    name, type = b.fresh(), "tensor<" + "".join(f"{n if s else '?'}x" for n, s in zip(shape, static)) + dtype + ">"
    b.emit(f"{name} = tensor.empty({', '.join(sizes)}) : {type}")
    return name, type


def filled(b, dtype, shape, static, number):
    constant, name = b.constant(dtype, number), b.fresh()
    into, type = empty(b, dtype, shape, static)
    b.emit(f"{name} = linalg.fill ins({constant} : {dtype}) outs({into} : {type}) -> {type}")
    return name, type


def named(b):
    """linalg's named elementwise ops."""
    left = b.some(NUMBERS)
    right = b.pick(lambda v: v.dtype == left.dtype and v.shape == left.shape) or b.new(left.dtype, left.shape)
    kind = b.draws.choice(["add", "mul", "sub", "max", "min"])
    value = b.result(left.dtype, left.shape, left.static, *ranges.arithmetic(b, kind, left, right))
    if not value:
        return None
    into, type = empty(b, value.dtype, value.shape, value.static)
    return b.define(value, f"linalg.{kind} ins({left.name}, {right.name} : {left.type}, {right.type}) outs({into} : {type}) -> {type}")


def matmul(b):
    left = b.some(SUMMED, low=2, high=3)
    n = b.draws.choice([3, 1, 2, 5, 8, 16, 17, 33, 0])
    batch, (m, k) = list(left.shape[:-2]), left.shape[-2:]
    if math.prod(batch) * m * n > 20000:
        return None
    right = b.new(left.dtype, batch + [k, n])
    low, high, error = ranges.product(b, left.dtype, left, right, k)
    static = list(left.static[:-1]) + [right.static[-1]]
    value = b.result(left.dtype, batch + [m, n], static, low, high, error, left.whole and right.whole)
    if not value:
        return None
    into, type = filled(b, value.dtype, value.shape, value.static, 0)
    kind = "batch_matmul" if batch else "matmul"
    return b.define(value, f"linalg.{kind} ins({left.name}, {right.name} : {left.type}, {right.type}) outs({into} : {type}) -> {type}")


def generic(b):
    """A linalg.generic: its operands are read along permuted, missing or repeated dimensions, some dimensions are summed."""
    loops = 1 + b.draws.below(4)
    dtype = b.draws.choice(SUMMED)
    extents = b.shape(loops, loops, 3000)
    dims = [f"d{i}" for i in range(loops)]
    summedDims = [d for d in range(loops) if b.draws.chance(1, 3)]
    kept = [d for d in range(loops) if d not in summedDims]
    operands, maps = [], []
    for _ in range(1 + b.draws.below(2)):
        mine = [d for d in range(loops) if b.draws.chance(2, 3)]
        if b.draws.chance(1, 2):
            mine.reverse()
        shape = tuple(extents[d] for d in mine)
        value = b.pick(lambda v: v.dtype == dtype and v.shape == shape) or b.new(dtype, shape)
        operands.append(value)
        maps.append(mine)
    # Every loop has its extent from an operand or the result.
    missing = [d for d in summedDims if not any(d in m for m in maps)]
    if missing:
        operands.append(b.new(dtype, [extents[d] for d in missing]))
        maps.append(missing)
    if b.draws.chance(1, 2):
        kept.reverse()
    count = math.prod(extents[d] for d in summedDims)
    low, high, error, whole = operands[0].low, operands[0].high, operands[0].error, operands[0].whole
    names = [f"%x{i}" for i in range(len(operands))]
    element, lines = names[0], []
    for i, other in enumerate(operands[1:]):
        mul = b.draws.chance(1, 2)
        if mul:
            error = error * other.largest + other.error * max(abs(low), abs(high)) + error * other.error
            ends = [x * y for x in (low, high) for y in (other.low, other.high)]
            low, high = min(ends), max(ends)
        else:
            error, low, high = error + other.error, low + other.low, high + other.high
        whole = whole and other.whole
        error = b.rounded(dtype, low, high, error, whole)
        name = f"%y{i}"
        lines.append(f"{name} = arith.{'mul' if mul else 'add'}{'f' if isFloat(dtype) else 'i'} {element}, {names[i + 1]} : {dtype}")
        element = name
    kind = b.draws.choice(["add", "max"]) if summedDims else ""
    shape = [extents[d] for d in kept]
    static = b.statics(shape)
    if kind == "add":
        low, high, error = ranges.summed(b, dtype, count, low, high, error, whole)
        lines.append(f"%s = arith.add{'f' if isFloat(dtype) else 'i'} %o, {element} : {dtype}")
        element = "%s"
    elif kind == "max":
        low, high = max(low, -8), max(high, -8)
        lines.append(f"%s = arith.{'maximumf' if isFloat(dtype) else 'maxsi'} %o, {element} : {dtype}")
        element = "%s"
    value = b.result(dtype, shape, static, low, high, error, whole)
    if not value:
        return None
    into, type = filled(b, dtype, shape, static, 0 if kind == "add" else -8) if summedDims else empty(b, dtype, shape, static)
    affine = [f"affine_map<({', '.join(dims)}) -> ({', '.join(dims[d] for d in m)})>" for m in maps + [kept]]
    iterators = ", ".join('"reduction"' if d in summedDims else '"parallel"' for d in range(loops))
    arguments = ", ".join(f"{name}: {dtype}" for name in names + ["%o"])
    text = "".join(f"      {line}\n" for line in lines)
    return b.define(value, f"linalg.generic {{indexing_maps = [{', '.join(affine)}], iterator_types = [{iterators}]}} "
                    f"ins({', '.join(v.name for v in operands)} : {', '.join(v.type for v in operands)}) outs({into} : {type}) {{\n"
                    f"    ^bb0({arguments}):\n{text}      linalg.yield {element} : {dtype}\n  }} -> {type}")


STEPS = [arith, bits, compareSelect, convert, curve, whole, named, matmul, generic, generic]
