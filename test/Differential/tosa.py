"""Ops of tosa: elementwise with repeated dimensions, reductions, what moves elements, products of matrices."""
import math

import ranges
from casts import withType
from elementwise import curved, operands
from program import isFloat
from reductions import withoutDims
from shapes import moved

FLOATS = ["f32", "f16", "bf16"]
NUMBERS = FLOATS + ["i32"]
NAMES = {"add": "add", "sub": "sub", "mul": "mul", "max": "maximum", "min": "minimum"}


def pick(b, dtypes, rank=0):
    """A value that has elements: tosa knows no size 0."""
    return b.some(dtypes, lambda v: v.size, rank)


def constant(b, dtype, number, shape="1x"):
    name = b.fresh()
    text = f"{float(number)}" if isFloat(dtype) else f"{number}"
    b.emit(f'{name} = "tosa.const"() <{{values = dense<{text}> : tensor<{shape}{dtype}>}}> : () -> tensor<{shape}{dtype}>')
    return name


def shape(b, numbers):
    name = b.fresh()
    b.emit(f"{name} = tosa.const_shape {{values = dense<{list(numbers)}> : tensor<{len(numbers)}xindex>}} : () -> "
           f"!tosa.shape<{len(numbers)}>")
    return name


def binary(b):
    found = operands(b, NUMBERS, lambda v: v.size)
    if not found:
        return None
    left, right, size, static = found
    kind = b.draws.choice(list(NAMES))
    value = b.result(left.dtype, size, static, *ranges.arithmetic(b, kind, left, right))
    if not value:
        return None
    third = (f", {constant(b, 'i8', 0)}", ", tensor<1xi8>") if kind == "mul" else ("", "")
    return b.define(value, f"tosa.{NAMES[kind]} {left.name}, {right.name}{third[0]} : ({left.type}, {right.type}{third[1]}) -> "
                    f"{value.type}")


def unary(b):
    kind = b.draws.choice(["tanh", "sigmoid", "erf", "exp", "sin", "cos", "rsqrt", "log", "abs", "floor", "ceil"])
    operand = curved(b, kind, FLOATS) if kind in ranges.CURVES else pick(b, FLOATS)
    if not operand or not operand.size:
        return None
    if kind in ranges.CURVES:
        known = ranges.curve(b, kind, operand)
    else:
        known = ranges.whole(kind, operand)
        known = known and (*known, operand.error, operand.whole or kind != "abs")
    value = known and b.result(operand.dtype, operand.shape, operand.static, *known)
    return value and b.define(value, f"tosa.{kind} {operand.name} : ({operand.type}) -> {value.type}")


def select(b):
    found = operands(b, NUMBERS, lambda v: v.size and v.exact)
    if not found:
        return None
    left, right, size, static = found
    mask = b.result("i1", size, static, 0, 1)
    kind = b.draws.choice(["greater", "greater_equal", "equal"])
    b.emit(f"{mask.name} = tosa.{kind} {left.name}, {right.name} : ({left.type}, {right.type}) -> {mask.type}")
    value = b.result(left.dtype, size, static, min(left.low, right.low), max(left.high, right.high), 0, left.whole and right.whole)
    return b.define(value, f"tosa.select {mask.name}, {left.name}, {right.name} : ({mask.type}, {left.type}, {right.type}) -> "
                    f"{value.type}")


def reduce(b):
    operand = pick(b, NUMBERS, 1)
    if not operand:
        return None
    axis, kind = b.draws.below(operand.rank), b.draws.choice(["sum", "max", "min"])
    known = (operand.low, operand.high, operand.error)
    if kind == "sum":
        known = ranges.summed(b, operand.dtype, operand.shape[axis], *known, operand.whole)
    value = b.result(operand.dtype, *withoutDims(operand, [axis], True), *known, operand.whole)
    return value and b.define(value, f"tosa.reduce_{kind} {operand.name} {{axis = {axis} : i32}} : ({operand.type}) -> {value.type}")


def transpose(b):
    operand = pick(b, NUMBERS + ["i8", "i1"], 2)
    if not operand:
        return None
    order = list(range(operand.rank))
    order = order[1 + b.draws.below(operand.rank - 1):] + order[:1]
    order += [d for d in range(operand.rank) if d not in order]
    value = moved(b, operand, [operand.shape[d] for d in order], [operand.static[d] for d in order])
    return b.define(value, f"tosa.transpose {operand.name} {{perms = array<i32: {', '.join(map(str, order))}>}} : ({operand.type}) -> "
                    f"{value.type}")


def reverse(b):
    operand = pick(b, NUMBERS + ["i8", "i1"], 1)
    if not operand:
        return None
    value = moved(b, operand, operand.shape, operand.static)
    return b.define(value, f"tosa.reverse {operand.name} {{axis = {b.draws.below(operand.rank)} : i32}} : ({operand.type}) -> "
                    f"{value.type}")


def tile(b):
    operand = pick(b, NUMBERS + ["i8", "i1"], 1)
    if not operand or operand.size > 500:
        return None
    multiples = [b.draws.choice([1, 2, 3]) for _ in operand.shape]
    size = [n * m for n, m in zip(operand.shape, multiples)]
    if math.prod(size) > 6000:
        return None
    value = moved(b, operand, size, operand.static)
    return b.define(value, f"tosa.tile {operand.name}, {shape(b, multiples)} : ({operand.type}, !tosa.shape<{operand.rank}>) -> "
                    f"{value.type}")


def pad(b):
    operand = pick(b, NUMBERS, 1)
    if not operand or operand.size > 1500:
        return None
    around = [b.draws.below(3) for _ in range(2 * operand.rank)]
    size = [n + around[2 * d] + around[2 * d + 1] for d, n in enumerate(operand.shape)]
    if math.prod(size) > 6000:
        return None
    number = b.draws.choice([0, 2, -3])
    value = b.result(operand.dtype, size, operand.static, min(operand.low, number), max(operand.high, number), operand.error,
                     operand.whole)
    return b.define(value, f"tosa.pad {operand.name}, {shape(b, around)}, {constant(b, operand.dtype, number)} : ({operand.type}, "
                    f"!tosa.shape<{2 * operand.rank}>, tensor<1x{operand.dtype}>) -> {value.type}")


def matmul(b):
    left = b.some(FLOATS, lambda v: v.size, 3, 3)
    if not left:
        return None
    n = b.draws.choice([3, 1, 8, 17])
    right = b.new(left.dtype, (left.shape[0], left.shape[2], n), (left.static[0], left.static[2], True))
    known = ranges.product(b, left.dtype, left, right, left.shape[2])
    value = b.result(left.dtype, (left.shape[0], left.shape[1], n), (left.static[0], left.static[1], True), *known,
                     left.whole and right.whole)
    if not value or value.size > 20000:
        return None
    zero = constant(b, left.dtype, 0)
    return b.define(value, f"tosa.matmul {left.name}, {right.name}, {zero}, {zero} : ({left.type}, {right.type}, "
                    f"tensor<1x{left.dtype}>, tensor<1x{left.dtype}>) -> {value.type}")


def cast(b):
    operand = pick(b, ["i32", "i8", "f16", "bf16"])
    if not operand:
        return None
    to = {"i32": "f32", "i8": "i32", "f16": "f32", "bf16": "f32"}[operand.dtype]
    error = b.rounded(to, operand.low, operand.high, operand.error, operand.whole)
    value = b.result(to, operand.shape, operand.static, operand.low, operand.high, error, operand.whole and error == 0)
    return value and b.define(value, f"tosa.cast {operand.name} : ({operand.type}) -> {withType(operand, to)}")


STEPS = [binary, binary, unary, select, reduce, transpose, reverse, tile, pad, matmul, cast]
