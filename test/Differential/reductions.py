"""What combines elements along dimensions: reductions, running sums, products of matrices."""
import math

import ranges
from program import ANY, FLOATS, NUMBERS, epsilon, isFloat


def reduce(b):
    operand = b.some(ANY, low=1)
    dims = [d for d in range(operand.rank) if b.draws.chance(1, 2)] or [b.draws.below(operand.rank)]
    count = math.prod(operand.shape[d] for d in dims)
    kinds = ["max", "min"] + ([] if operand.dtype == "i1" else ["sum", "prod"]) + (["mean"] if isFloat(operand.dtype) else [])
    kind = b.draws.choice(kinds)
    # Over no element a mean is NaN and a maximum -inf: as good as any value, but nothing is known of what follows.
    if count == 0 and kind not in ("sum", "prod") and isFloat(operand.dtype):
        return None
    keep = b.draws.chance(1, 2)
    low, high, error, whole = operand.low, operand.high, operand.error, operand.whole
    if kind == "sum":
        low, high, error = ranges.summed(b, operand.dtype, count, low, high, error, whole)
    elif kind == "prod":
        if isFloat(operand.dtype) and (count > 8 or operand.largest > 100):
            return None
        most = max(operand.largest, 1.0)**count if isFloat(operand.dtype) else 2**64
        low, high = -most, most
        error = b.rounded(operand.dtype, low, high, count * error * (1 + error)**count * most, whole, max(count, 1))
    elif kind == "mean":
        error = b.rounded(operand.dtype, low, high, error, False, count + 2)
        whole = False
    elif count == 0:
        low, high = (0, 1) if operand.dtype == "i1" else (-2**63, 2**63)
    value = b.result(operand.dtype, *withoutDims(operand, dims, keep), low, high, error, whole)
    return value and b.define(value, f"mica.reduce {kind} {operand.name} dims = {dims}{' keep_dims' if keep else ''} : "
                              f"({operand.type}) -> {value.type}")


def withoutDims(operand, dims, keep):
    """Shape and static sizes of what a reduction over `dims` leaves."""
    shape = [1 if d in dims else n for d, n in enumerate(operand.shape) if keep or d not in dims]
    return shape, [d in dims or s for d, s in enumerate(operand.static) if keep or d not in dims]


def position(b):
    operand = b.some(NUMBERS, lambda v: v.exact and v.size, 1)
    if not operand:
        return None
    axis, keep = b.draws.below(operand.rank), b.draws.chance(1, 2)
    value = b.result(b.draws.choice(["i64", "i32"]), *withoutDims(operand, [axis], keep), 0, operand.shape[axis])
    return b.define(value, f"mica.{b.draws.choice(['argmax', 'argmin'])} {operand.name} axis = {axis}{' keep_dims' if keep else ''} : "
                    f"({operand.type}) -> {value.type}")


def cumsum(b):
    operand = b.some(NUMBERS, low=1)
    axis = b.draws.below(operand.rank)
    known = ranges.summed(b, operand.dtype, operand.shape[axis], operand.low, operand.high, operand.error, operand.whole)
    value = b.result(operand.dtype, operand.shape, operand.static, *known, operand.whole)
    flags = (" exclusive" if b.draws.chance(1, 2) else "") + (" reverse" if b.draws.chance(1, 2) else "")
    return value and b.define(value, f"mica.cumsum {operand.name} axis = {axis}{flags} : {operand.type}")


def softmax(b):
    operand = b.some(FLOATS, lambda v: v.largest < 50, 1)
    axis = b.draws.below(operand.rank)
    error = b.rounded(operand.dtype, 0, 1, 2 * operand.error, False, operand.shape[axis] + 20)
    error += 8 * epsilon(operand.dtype) * operand.largest
    value = b.result(operand.dtype, operand.shape, operand.static, 0, 1, error)
    return value and b.define(value, f"mica.softmax {operand.name} axis = {axis} : {operand.type}")


def matmul(b):
    left = b.some(NUMBERS, low=2)
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
    low, high, error = ranges.product(b, left.dtype, left, right, k)
    if sizes:
        batchStatic = [s and n != 1 or t for n, s, t in zip(batch, batchStatic, known)]
    value = b.result(left.dtype, batch + [m, n], batchStatic + [mStatic, nStatic], low, high, error,
                     left.whole and right.whole)
    flags = (" transpose_a" if transA else "") + (" transpose_b" if transB else "")
    return value and b.define(value, f"mica.matmul {left.name}, {right.name}{flags} : ({left.type}, {right.type}) -> {value.type}")


STEPS = [reduce, reduce, position, cumsum, softmax, matmul, matmul]
