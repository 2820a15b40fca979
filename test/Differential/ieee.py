"""Programs of ops that IEEE 754 (or two's complement) defines to the bit, on the numbers where ops go wrong: every way gives the
same bits, NaN, infinities and the signs of zeros included."""
import dataclasses

from program import NUMBERS, isFloat

SPECIAL = ["nan", "inf", "-inf", "0", "-0.0", "1", "-1", "0.5", "-0.5", "1.5", "2.5", "-2.5", "3", "1e-30", "-1e-30", "1e30", "-1e30",
           "0.1", "16777217", "1e-45", "3.4e38"]
EDGES = {8: "127,-128,-127,126,0,1,-1,2,3,-3,7,64,85", 16: "32767,-32768,-32767,32766,0,1,-1,2,3,-3,7,255,256",
         32: "2147483647,-2147483648,-2147483647,0,1,-1,2,3,-3,7,65535,65536,1000003",
         64: "9223372036854775807,-9223372036854775808,0,1,-1,2,3,-3,7,4294967295,4294967296,1000003,6"}


def leaf(b, dtype, shape):
    """A new argument of numbers from the edges."""
    static = b.statics(shape)
    count = 1
    for n in shape:
        count *= n
    # Literals that the type has no room for are refused.
    beyond = {"f16": ["1e30", "-1e30", "3.4e38", "16777217"], "bf16": ["3.4e38"]}.get(dtype, [])
    options = [x for x in SPECIAL if x not in beyond] if isFloat(dtype) else EDGES[int(dtype[1:])].split(",")
    start, step = b.draws.below(len(options)), 1 + b.draws.below(7)
    text = ",".join(options[(start + step * i + i * i // 5) % len(options)] for i in range(count)) or "0"
    value = b.new(dtype, shape, static)
    name, type, _ = b.arguments[-1]
    b.arguments[-1] = (name, type, "".join(f"{n}x" for n in shape) + f"{dtype}={text}")
    return value


def derived(b, like, text, static=None):
    value = dataclasses.replace(like, name=b.fresh(), error=0.0, whole=False)
    if static:
        value = dataclasses.replace(value, static=tuple(static))
    return b.define(value, text.replace("RESULT", value.type))


def partner(b, value):
    other = b.pick(lambda v: v.dtype == value.dtype and v.type == value.type)
    if other and not b.draws.chance(1, 3):
        return other
    other = leaf(b, value.dtype, value.shape)
    if other.type == value.type:
        return other
    name = b.fresh()
    b.emit(f"{name} = tensor.cast {other.name} : {other.type} to {value.type}")
    return dataclasses.replace(other, name=name, static=value.static)


def binary(b):
    left = b.pick(lambda v: v.dtype in NUMBERS)
    right = partner(b, left)
    kind = b.draws.choice(["add", "sub", "mul", "max", "min", "div"])
    return derived(b, left, f"mica.{kind} {left.name}, {right.name} : ({left.type}, {right.type}) -> RESULT")


def unary(b):
    operand = b.pick(lambda v: v.dtype in NUMBERS)
    kind = b.draws.choice(["neg", "relu"])
    return derived(b, operand, f"mica.{kind} {operand.name} : {operand.type}")


def arith(b):
    left = b.pick(lambda v: v.dtype != "i1")
    right = partner(b, left)
    if isFloat(left.dtype):
        kind = b.draws.choice(["addf", "subf", "mulf", "divf", "maximumf", "minimumf", "maxnumf", "minnumf"])
    else:
        kind = b.draws.choice(["addi", "subi", "muli", "maxsi", "minsi", "maxui", "minui", "andi", "ori", "xori"])
    return derived(b, left, f"arith.{kind} {left.name}, {right.name} : {left.type}")


def rounded(b):
    operand = b.pick(lambda v: isFloat(v.dtype))
    kind = b.draws.choice(["absf", "floor", "ceil", "round", "roundeven", "trunc", "sqrt"])
    return operand and derived(b, operand, f"math.{kind} {operand.name} : {operand.type}")


def select(b):
    left = b.pick(lambda v: v.dtype != "i1")
    right = partner(b, left)
    isF = isFloat(left.dtype)
    predicate = b.draws.choice(["olt", "oeq", "one", "oge", "ult", "ueq", "une", "uge", "uno", "ord"] if isF else
                               ["slt", "eq", "ne", "sge", "ult", "uge"])
    mask = b.fresh()
    b.emit(f"{mask} = arith.cmp{'f' if isF else 'i'} {predicate}, {left.name}, {right.name} : {left.type}")
    maskType = left.type.replace(left.dtype + ">", "i1>")
    return derived(b, left, f"arith.select {mask}, {left.name}, {right.name} : {maskType}, {left.type}")


STEPS = [binary, binary, unary, arith, rounded, select]


def program(b, name):
    shape = b.draws.choice([(7,), (33,), (3, 5), (2, 1, 17), (64,), (1,), ()])
    b.signs = True
    leaf(b, b.draws.choice(["f32", "f64", "f16", "bf16", "i32", "i64", "i8", "i16"]), shape)
    for _ in range(1 + b.draws.below(6)):
        b.draws.begin()
        step = b.draws.choice(STEPS)
        if b.pool[0].dtype in NUMBERS or step not in (binary, unary):
            step(b)
        b.draws.end()
    return b.function(name, [b.pool[-1]])
